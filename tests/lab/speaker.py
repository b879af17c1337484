# SPDX-License-Identifier: GPL-2.0-or-later
"""A BGP neighbour in this process, with its end of the session in a host's network.

It keeps every route that it has ever received, so that a route which was there for a moment only is not
missed, and sends whatever bytes it is told to. Sockets belong to the namespace they were made in: a thread
that enters it makes them, the rest works as usual.
"""
import ctypes
import os
import select
import socket
import struct
import threading
import time
from pathlib import Path

from support import bgp_message as bgp
from support.run import Failure

from . import kernel

CLONE_NEWNET = 0x40000000
TCP_MD5SIG = 14
libc = ctypes.CDLL(None, use_errno=True)


def in_namespace(name, make):
    """make(), called by a thread in that network namespace."""
    result = []

    def enter():
        with open(Path(kernel.NAMESPACES, name), "rb") as namespace:
            if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
                result.append(OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno())))
                return
        try:
            result.append(make())
        except OSError as error:
            result.append(error)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    if isinstance(result[0], OSError):
        raise result[0]
    return result[0]


def sign(connection, remote, key):
    """TCP-MD5 (RFC 2385) towards remote: struct tcp_md5sig of linux/tcp.h."""
    family = socket.AF_INET6 if ":" in remote else socket.AF_INET
    packed = socket.inet_pton(family, remote)
    address = struct.pack("=HHI16s", family, 0, 0, packed) if ":" in remote else struct.pack("=HH4s", family, 0, packed)
    connection.setsockopt(socket.IPPROTO_TCP, TCP_MD5SIG,
                          address.ljust(128, b"\0") + struct.pack("=BBHi", 0, 0, len(key), 0)
                          + key.encode().ljust(80, b"\0"))


class Speaker:
    """One session, begun again whenever it ends. Members may be read at any time, tables through routes() and ever()."""

    def __init__(self, host, local, remote, asn, key=None, hold=90, on_session=b""):
        """on_session: bytes that are sent as soon as a session is there."""
        self.host, self.local, self.remote, self.asn, self.key, self.hold = host, local, remote, asn, key, hold
        self.lock = threading.Lock()
        self._writing = threading.Lock()
        self.received = []  # every Update
        self.table = {}  # prefix: Attributes
        self.sessions = 0  # that were established
        self.notifications = []  # (code, subcode) received
        self.up = False
        self.end_of_rib = 0  # counted since the session began
        self.ended = None  # why the last connection did
        self.on_session = on_session
        self._stop = False
        self._socket = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self):
        self._stop = True
        self.close()
        self._thread.join()

    def close(self):
        """Ends the connection; another one follows unless stop() was called."""
        connection = self._socket
        if connection:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def send(self, data):
        """Bytes as they are. Failure: there is no session."""
        connection = self._socket
        if not self.up or connection is None:
            raise Failure(f"{self.local}: no session to send on")
        try:
            self._write(connection, data)
        except OSError as error:
            raise Failure(f"{self.local}: {error}") from None

    def announce(self, prefixes, attributes):
        for at in range(0, len(prefixes), 200):
            self.send(bgp.announce(prefixes[at:at + 200], attributes))

    def withdraw(self, prefixes):
        for at in range(0, len(prefixes), 200):
            self.send(bgp.withdraw(prefixes[at:at + 200]))

    def attributes(self, **more):
        """Of a route of its own."""
        return bgp.Attributes(**{"path": (self.asn,), "next_hop": self.local, **more})

    def routes(self):
        with self.lock:
            return dict(self.table)

    def ever(self):
        """All (prefix, Attributes) that were received since forget()."""
        with self.lock:
            updates = list(self.received)
        return [(prefix, one.attributes) for one in updates for prefix in one.announced]

    def forget(self):
        with self.lock:
            self.received.clear()

    def _write(self, connection, data):
        with self._writing:  # messages stay whole
            connection.sendall(data)

    def _connect(self):
        family = socket.AF_INET6 if ":" in self.local else socket.AF_INET
        connection = in_namespace(self.host.namespace, lambda: socket.socket(family, socket.SOCK_STREAM))
        try:
            connection.settimeout(3)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.key:
                sign(connection, self.remote, self.key)
            connection.bind((self.local, 0))
            connection.connect((self.remote, 179))
            connection.settimeout(None)
            return connection
        except OSError:
            connection.close()
            raise

    def _run(self):
        while not self._stop:
            try:
                self._socket = self._connect()
                self._session(self._socket)
            except (OSError, EOFError) as end:
                self.ended = repr(end)
            self.up = False
            if self._socket:
                self._socket.close()
                self._socket = None
            time.sleep(0.2)

    def _session(self, connection):
        router_id = self.local if ":" not in self.local else "10.99.0." + str(self.asn % 250)
        connection.sendall(bgp.open_message(self.asn, self.hold, router_id))
        with self.lock:
            self.table.clear()
        self.end_of_rib = 0
        confirmed = 0
        next_keepalive = time.monotonic() + self.hold / 3
        buffer = b""
        while not self._stop:
            if select.select([connection], [], [], max(0, next_keepalive - time.monotonic()))[0]:
                data = connection.recv(65536)
                if not data:
                    raise EOFError
                buffer += data
            if time.monotonic() >= next_keepalive:
                self._write(connection, bgp.message(bgp.KEEPALIVE))
                next_keepalive = time.monotonic() + self.hold / 3
            while len(buffer) >= 19:
                length, kind = struct.unpack_from("!HB", buffer, 16)
                if len(buffer) < length:
                    break
                body, buffer = buffer[19:length], buffer[length:]
                if kind == bgp.OPEN:
                    self._write(connection, bgp.message(bgp.KEEPALIVE))
                elif kind == bgp.KEEPALIVE and not confirmed:
                    confirmed = 1
                    if self.on_session:
                        self._write(connection, self.on_session)
                    self.sessions += 1
                    self.up = True
                elif kind == bgp.NOTIFICATION:
                    self.notifications.append((body[0], body[1]))
                elif kind == bgp.UPDATE:
                    self._keep(bgp.decode(body))

    def _keep(self, update):
        with self.lock:
            if not update.announced and not update.withdrawn:
                self.end_of_rib += 1
                return
            self.received.append(update)
            for prefix in update.withdrawn:
                self.table.pop(prefix, None)
            for prefix in update.announced:
                self.table[prefix] = update.attributes
