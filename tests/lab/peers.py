# SPDX-License-Identifier: GPL-2.0-or-later
"""BIRD and GoBGP as neighbours, on a host, from the root of image/packages/clients.list.

Each runs in a mount namespace of its own, as everything on a host does; its control program is started in there.
"""
import json
import subprocess
import time

from support import roots
from support.run import Failure, run

from . import kernel
from .nodes import ENVIRONMENT


class Daemon:
    def __init__(self, host, script):
        """script: for the shell; it ends in exec, so that its process is the daemon."""
        self.host = host
        self._process = subprocess.Popen(
            [str(word) for word in host.argv("sh", "-c", script, lower=roots.clients_root())],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ask(self, *argv, check=True):
        if self._process.poll() is not None:
            raise Failure(f"{type(self).__name__} has ended:\n{self._process.stdout.read()[-2000:]}")
        inside = kernel.in_namespace(self.host.namespace, "nsenter", "--target", self._process.pid, "--mount",
                                     "--root", "--wd", *ENVIRONMENT, *argv)
        return run(inside, check=check).stdout

    def stop(self):
        self._process.kill()
        self._process.wait()


def _wait(question, what):
    deadline = time.monotonic() + 30
    while True:
        try:
            return question()
        except (Failure, ValueError) as failure:
            if time.monotonic() > deadline:
                raise Failure(f"{what} does not start: {failure}") from None
        time.sleep(0.2)


class Bird(Daemon):
    def __init__(self, host, configuration):
        super().__init__(host, "mkdir -p /tmp/bird && cat >/tmp/bird/conf <<'END'\n" + configuration
                         + "\nEND\nexec bird -f -c /tmp/bird/conf -s /tmp/bird/control -P /tmp/bird/pid")
        _wait(lambda: self.control("show", "status"), "bird")

    def control(self, *words):
        return self.ask("birdc", "-s", "/tmp/bird/control", *words)

    def is_up(self, protocol):
        return "Established" in self.control("show", "protocols", protocol)

    def routes(self, protocol):
        """What came over a protocol: {prefix: {attribute as BIRD names it: text}}."""
        found, prefix = {}, None
        for line in self.control("show", "route", "all", "protocol", protocol).splitlines():
            word = line.split(None, 1)[0] if line.strip() else ""
            if "/" in word and not line.startswith((" ", "\t")):
                prefix = word
                found[prefix] = {}
            elif prefix and ": " in line:
                name, _, text = line.strip().partition(": ")
                found[prefix][name.removeprefix("BGP.")] = text
        return found

    def reconfigure(self, configuration):
        self.ask("sh", "-c", "cat >/tmp/bird/conf <<'END'\n" + configuration + "\nEND")
        said = self.control("configure")
        if "Reconfigur" not in said:
            raise Failure(f"bird does not take its configuration: {said}")


class Gobgp(Daemon):
    def __init__(self, host, configuration):
        super().__init__(host, "cat >/tmp/gobgp.toml <<'END'\n" + configuration
                         + "\nEND\nexec gobgpd -f /tmp/gobgp.toml --api-hosts 127.0.0.1:50051")
        _wait(self.neighbors, "gobgpd")

    def control(self, *words):
        return self.ask("gobgp", *words)

    def neighbors(self):
        """{address: state}, 6 is established."""
        return {one["state"]["neighbor_address"]: one["state"].get("session_state")
                for one in json.loads(self.control("-j", "neighbor"))}

    def routes(self, neighbor, family="ipv4"):
        """What a neighbour has sent: {prefix: {number of attribute: value as GoBGP shows it}}."""
        said = json.loads(self.control("-j", "neighbor", neighbor, "adj-in", "-a", family) or "{}")
        return {prefix: {one["type"]: one for one in paths[0]["attrs"]} for prefix, paths in said.items()}
