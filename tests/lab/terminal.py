# SPDX-License-Identifier: GPL-2.0-or-later
"""A program of a node on a terminal, and the person in front of it: type() and see()."""
import fcntl
import os
import pty
import select
import struct
import termios
import time

from support.run import Failure


class Terminal:
    def __init__(self, argv, rows=24, columns=80):
        self._said = ""
        self._pid, self._master = pty.fork()
        if self._pid == 0:
            os.execvp(str(argv[0]), [str(word) for word in argv])
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        data = text.encode()
        while data:
            readable, writable, _ = select.select([self._master], [self._master], [], 60)
            if readable:
                self._take()
            elif writable:
                data = data[os.write(self._master, data[:512]):]

    def see(self, text, seconds=60):
        """Everything that came up to and including `text`, which must come."""
        deadline = time.monotonic() + seconds
        while text not in self._said:
            readable, _, _ = select.select([self._master], [], [], max(0, deadline - time.monotonic()))
            if not readable or not self._take():
                raise Failure(f"'{text}' did not come; what came: {self._said[-2000:]}")
        end = self._said.index(text) + len(text)
        seen, self._said = self._said[:end], self._said[end:]
        return seen

    def close(self):
        os.close(self._master)
        os.waitpid(self._pid, 0)

    def _take(self):
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other side is closed
            return False
        self._said += data.decode(errors="replace")
        return bool(data)
