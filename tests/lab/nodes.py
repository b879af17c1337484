# SPDX-License-Identifier: GPL-2.0-or-later
"""A router is the router root, booted by its own systemd; a host is a bare network namespace.

A router runs in systemd-nspawn on an overlay of the router root. Its file systems are mounted in
nspawn's own mount namespace and go with it; what it wrote stays in the overlay's upper folder, so a
killed router can be started again as after a loss of power. The machine below is shared, therefore:
  - no clock, no modules, no raw I/O: a router must not set this machine's time;
  - /proc/sys is read-only but for net, which belongs to the router's namespace;
  - /sys is mounted from within, so that it shows the router's ports, not the machine's;
  - udev is masked: it would fire events for this machine's devices.
"""
import os
import shlex
import subprocess
import time
import uuid
from pathlib import Path

from support.run import Failure, run

from . import kernel

DROPPED = "CAP_SYS_TIME,CAP_SYS_MODULE,CAP_SYS_RAWIO"
MASKED = ["systemd-udevd.service", "systemd-udevd-control.socket", "systemd-udevd-kernel.socket",
          "systemd-udev-trigger.service", "systemd-modules-load.service", "console-getty.service"]
ENVIRONMENT = ["env", "-i", "--default-signal=INT,QUIT", "HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
               f"TERM={os.environ.get('TERM', 'dumb')}"]

# Runs in the router before its systemd. nspawn made /sys show the namespace nspawn was started in.
FIRST = """
mount --make-rprivate / && mkdir -p /run/sys &&
mount -t sysfs sysfs /run/sys && mount --move /sys/fs/cgroup /run/sys/fs/cgroup &&
umount -l /sys && mount --move /run/sys /sys && rmdir /run/sys &&
mount -t bpf bpf /sys/fs/bpf &&
mount --bind /proc/sys/net /proc/sys/net && mount -o remount,bind,rw /proc/sys/net &&
exec /usr/lib/systemd/systemd
"""
# chronyd wants to set the clock; -x makes it do everything but that.
CHRONY = """[Unit]
ConditionCapability=
[Service]
ExecStart=
ExecStart=!/usr/sbin/chronyd -x $DAEMON_OPTS
"""
START = """
echo $$ >"$1/cgroup.procs" &&
mount -t overlay -o "lowerdir=$2,upperdir=$3/upper,workdir=$3/work" overlay "$3/root" &&
exec systemd-nspawn --quiet --directory="$3/root" --machine="$4" --network-namespace-path="$5" \\
  --register=no --keep-unit --console=read-only --link-journal=no --resolv-conf=off --timezone=off \\
  --capability=all --drop-capability="$6" --system-call-filter='bpf perf_event_open' \\
  /bin/sh -c "$7"
"""
# A host sees the router root's programs, read-only, nothing of this machine's but /dev and /proc.
# The second, empty lower folder is there because an overlay without an upper one wants two.
HOST = """
echo $$ >"$1" &&
mount -t overlay -o "lowerdir=$2:$3/upper" overlay "$3/root" && cd "$3/root" &&
mount --rbind /dev dev && mount --rbind /proc proc && mount -t sysfs sysfs sys &&
mount -t tmpfs tmpfs tmp && shift 3 && exec chroot . "$@"
"""


class Place:
    """What a router and a host have in common: a name in a lab, a folder and a namespace."""

    def __init__(self, lab, node, folder, lower, group):
        self.lab, self.node, self.name = lab, node, node.name
        self.folder, self.lower, self.group = folder, lower, group
        self.namespace = kernel.namespace(lab, node.name)

    def make_folder(self):
        for part in ("upper", "work", "root"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)

    def run(self, *argv, **kwargs):
        return run(self.argv(*argv), **kwargs)

    def spawn(self, *argv, **kwargs):
        return subprocess.Popen([str(word) for word in self.argv(*argv)], **kwargs)


class Host(Place):
    def argv(self, *argv, lower=None):
        """lower: another root whose programs the host has."""
        procs = self.group.make(f"{self.name}/exec")
        return kernel.in_namespace(self.namespace, "unshare", "--mount", "--propagation", "private",
                                   "sh", "-c", HOST, "sh", procs, lower or self.lower, self.folder,
                                   *ENVIRONMENT, *argv)


class Router(Place):
    def make_folder(self):
        super().make_folder()
        units = self.folder / "upper/etc/systemd/system"
        (units / "chrony.service.d").mkdir(parents=True, exist_ok=True)
        (units / "chrony.service.d/lab.conf").write_text(CHRONY)
        for unit in MASKED:
            if not (units / unit).is_symlink():
                (units / unit).symlink_to("/dev/null")
        identity = self.folder / "upper/etc/machine-id"
        identity.write_text(f"{uuid.uuid5(uuid.NAMESPACE_OID, self.namespace).hex}\n")

    def start(self):
        """Starts the container and returns; a log of its console is kept beside its folders."""
        procs = self.group.make(self.name)
        argv = ["unshare", "--mount", "--propagation", "private", "sh", "-c", START, "sh",
                procs.parent, self.lower, self.folder, self.namespace,
                kernel.NAMESPACES / self.namespace, DROPPED, FIRST]
        with open(self.folder / "console.log", "ab") as log:
            subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=log,
                             stderr=log, start_new_session=True,
                             env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"})

    def argv(self, *argv):
        leader = self.group.leader(self.name)
        if leader is None:
            raise Failure(f"{self.name} is not running")
        enter = ["nsenter", "--target", leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup",
                 "--root", "--wd", *ENVIRONMENT, *argv]
        procs = self.group.make(f"{self.name}/exec")
        return ["sh", "-c", 'echo $$ >"$1" && shift && exec "$@"', "sh", procs, *enter]

    def cli_argv(self, commands=()):
        return self.argv("cli", *[word for command in commands for word in ("-c", command)])

    def cli(self, text, **kwargs):
        """Feeds lines to a CLI session of their own; its exit status tells whether all went well."""
        return run(self.cli_argv(), stdin=text if text.endswith("\n") else text + "\n", **kwargs)

    def answers(self):
        """Whether configd takes commands."""
        if self.group.leader(self.name) is None:
            return False
        return self.run("cli", "-c", "show system commit", check=False).returncode == 0

    def wait(self, seconds=180):
        deadline = time.monotonic() + seconds
        while not self.answers():
            if time.monotonic() > deadline:
                raise Failure(f"{self.name}: configd gives no answer after {seconds} s\n{self.why()}")
            time.sleep(0.1)

    def why(self):
        """What a person would look at first when the router does not come up."""
        log = self.folder / "console.log"
        said = log.read_text(errors="replace").splitlines()[-15:] if log.exists() else []
        if self.group.leader(self.name) is not None:
            said += self.run("systemctl", "--failed", "--no-legend", "--no-pager", check=False).stdout.splitlines()
            said += self.run("journalctl", "-u", "configd", "-n", "15", "--no-pager", check=False).stdout.splitlines()
        return "\n".join(f"    {line}" for line in said)

    def kill(self):
        """As if the power had gone: every process at once, and the network state with them."""
        self.group.kill(self.name)
        kernel.replace_namespace(self.lab, self.node)
