# SPDX-License-Identifier: GPL-2.0-or-later
"""netmiko and Ansible, unmodified, over ssh; single commands over ssh with structured output."""
import json
import time
from pathlib import Path

from support import roots
from support.run import run

from .. import kernel  # noqa: F401  the lab's namespaces come from there

CLIENTS = Path(__file__).resolve().parents[1] / "clients"
ROUTER, USER, PASSWORD = "192.0.2.1", "robot", "let-me-in"
SSH = ["ssh", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
       "-o", "BatchMode=yes", "-i", "/tmp/key"]


def prepare(story):
    """A user whose shell is the CLI, with a key and a password; the ssh server."""
    r1 = story.lab["r1"]
    r1.run("sh", "-c", f"""
        id {USER} >/dev/null 2>&1 || useradd --create-home --shell /usr/bin/cli --groups millrace {USER}
        echo {USER}:{PASSWORD} | chpasswd
        ssh-keygen -A >/dev/null && mkdir -p /run/sshd
        install -d -m 700 -o {USER} -g {USER} /home/{USER}/.ssh
        rm -f /tmp/key /tmp/key.pub && ssh-keygen -q -t ed25519 -N '' -f /tmp/key
        install -m 600 -o {USER} -g {USER} /tmp/key.pub /home/{USER}/.ssh/authorized_keys
        systemctl start ssh""")
    return r1.run("cat", "/tmp/key").stdout


def on_h1(story, script, *, stdin=None, timeout=240, lower=None):
    """A script of the shell on h1, with the clients' programs."""
    host = story.lab["h1"]
    return run(host.argv("sh", "-c", script, lower=lower), stdin=stdin, check=False, timeout=timeout)


def ssh(story, key, command, lower, stdin=None):
    words = " ".join(SSH)
    script = f"umask 077; cat >/tmp/key <<'KEY'\n{key}KEY\nexec {words} {USER}@{ROUTER} {command}"
    return on_h1(story, script, lower=lower, stdin=stdin)


def scenario(story):
    lower = roots.clients_root()
    story.reset()
    story.configure("r1", ["set interfaces eth0 unit 0 family inet address 192.0.2.1/24"])
    key = prepare(story)
    story.expect(story.reaches("h1", ROUTER), "h1 does not reach r1")

    done = ssh(story, key, "'show version | display json'", lower)
    story.expect(done.returncode == 0, f"ssh with a command: exit status {done.returncode}\n{done.stdout}")
    story.expect(json.loads(done.stdout)["host-name"] == "r1", f"no host name in {done.stdout}")
    story.expect("\x1b" not in done.stdout, "escape sequences where there is no terminal")
    done = ssh(story, key, "'show frobnications'", lower)
    story.expect(done.returncode == 1, f"a wrong command over ssh: exit status {done.returncode}\n{done.stdout}")
    story.step("ssh router COMMAND: JSON, exit status, no escape sequences")

    script = f"python3 - {ROUTER} {USER} {PASSWORD} <<'PYTHON'\n{(CLIENTS / 'netmiko_session.py').read_text()}\nPYTHON"
    began = time.monotonic()
    done = on_h1(story, script, lower=lower)
    story.expect(done.returncode == 0 and "netmiko is content" in done.stdout, f"netmiko\n{done.stdout[-3000:]}")
    story.step(f"netmiko edits, commits on trial, confirms, rolls back: {time.monotonic() - began:.1f} s")
    story.discard("r1")

    parts = "".join(f"cat >/tmp/{name} <<'FILE'\n{(CLIENTS / name).read_text()}FILE\n"
                    for name in ("playbook.yml", "inventory.ini"))
    began = time.monotonic()
    done = on_h1(story, f"{parts}cd /tmp && HOME=/tmp ANSIBLE_HOST_KEY_CHECKING=False "
                 "ansible-playbook -i inventory.ini playbook.yml", lower=lower)
    story.expect(done.returncode == 0, f"Ansible\n{done.stdout[-3000:]}")
    story.step(f"Ansible's cli_command and cli_config, once and again: {time.monotonic() - began:.1f} s")
    story.reset()
