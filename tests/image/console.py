# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine that boots an ISO in QEMU, and the terminal on its serial line."""
import errno
import os
import pty
import re
import select
import signal
import subprocess
import time

from support import roots
from support.run import Failure

# What terminals understand and readers do not: escape sequences, carriage returns.
NOISE = re.compile(r"\x1b\[[0-9;?!]*[ -/]*[@-~]|\x1b\][^\a\x1b]*(?:\a|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]|\r|\x00")
CUT = re.compile(r"\x1b[^a-zA-Z]{0,20}\Z")  # a sequence of which this read brought only the start


class Machine:
    """`image/vm` on a pseudo terminal. Every wait has a limit, and a failed wait shows the console's tail.

    Text is matched from where the last match ended: an old prompt cannot pass for a new one.
    """

    def __init__(self, iso, *options):
        self.said = ""
        self.held = ""
        self.began = time.monotonic()
        self.terminal, theirs = pty.openpty()
        self.vm = subprocess.Popen([roots.CHECKOUT / "image/vm", *options, iso], stdin=theirs, stdout=theirs,
                                   stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.matched = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.vm.pid, signal.SIGTERM)
            self.vm.wait(10)
        except ProcessLookupError:
            pass
        except subprocess.TimeoutExpired:
            os.killpg(self.vm.pid, signal.SIGKILL)
        self.vm.wait()
        os.close(self.terminal)

    def seconds(self):
        return time.monotonic() - self.began

    def send(self, line):
        os.write(self.terminal, line.encode() + b"\r")

    def wait_for(self, pattern, limit):
        """Returns the text up to and including the match of pattern, which must come within limit seconds."""
        end = time.monotonic() + limit
        while True:
            found = re.compile(pattern, re.M).search(self.said, self.matched)
            if found:
                before = self.said[self.matched:found.end()]
                self.matched = found.end()
                return before
            self._read(end, f"{pattern!r} did not come within {limit} s")

    def ask(self, line, prompt, limit=60):
        self.send(line)
        return self.wait_for(prompt, limit)

    def _read(self, end, otherwise):
        left = end - time.monotonic()
        if left <= 0:
            raise Failure(f"{otherwise}; the console's tail:\n{self.tail()}")
        if not select.select([self.terminal], [], [], min(left, 1))[0]:
            if self.vm.poll() is not None:
                raise Failure(f"the machine ended with status {self.vm.returncode}; the console's tail:\n{self.tail()}")
            return
        try:
            data = os.read(self.terminal, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        if not data:
            raise Failure(f"the machine's console closed; its tail:\n{self.tail()}")
        text = self.held + data.decode(errors="replace")
        whole = CUT.search(text)
        self.held = whole[0] if whole else ""
        self.said += NOISE.sub("", text[:len(text) - len(self.held)])

    def tail(self, lines=40):
        return "\n".join("      | " + line for line in self.said.splitlines()[-lines:])
