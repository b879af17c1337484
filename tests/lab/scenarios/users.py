# SPDX-License-Identifier: GPL-2.0-or-later
"""Users of the configuration log in by ssh, have the rights of their class and nothing else.

alice has a key and a class of her own, bob a password and read-only. What is tried as them: commands,
paths, secrets, the ways out of a login shell, ssh's own channels; then who did what is read from the
journal, and accounts go and come with the configuration, with a rollback and with a boot.
"""
import subprocess

from support.run import Failure

ADDRESS = "192.0.2.1"
PASSWORD = "correct-horse-7"
# A host's /tmp is new for every command.
BY_KEY = 'umask 077; printf "%s" "$1" >/tmp/key; shift; exec ssh -i /tmp/key -o BatchMode=yes "$@"'
BY_PASSWORD = ('printf "#!/bin/sh\\necho %s\\n" "$1" >/tmp/ask; chmod 700 /tmp/ask; shift; '
               'SSH_ASKPASS=/tmp/ask SSH_ASKPASS_REQUIRE=force exec ssh -o PubkeyAuthentication=no '
               '-o NumberOfPasswordPrompts=1 "$@"')
OPTIONS = ["-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
           "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=10"]
CLASS = """
set system login class noc permissions [ configure interface-control view ]
set system login class noc deny-commands "show route"
set system login class noc deny-configuration "interfaces eth0"
set system login user alice class noc
set system login user bob class read-only
""".strip().splitlines()


class Users:
    def __init__(self, story):
        self.story, self.router, self.host = story, story.lab["r1"], story.lab["h1"]
        self.router.run("sh", "-c", "rm -f /tmp/key /tmp/key.pub; ssh-keygen -q -t ed25519 -N '' -C '' -f /tmp/key")
        self.private = self.router.run("cat", "/tmp/key").stdout
        self.public = self.router.run("cat", "/tmp/key.pub").stdout.strip()

    def words(self, user, *command, options=()):
        script, secret = (BY_KEY, self.private) if user == "alice" else (BY_PASSWORD, PASSWORD)
        return ["sh", "-c", script, "sh", secret, *OPTIONS, *options, f"{user}@{ADDRESS}", *command]

    def ssh(self, user, *command, options=(), check=True, stdin=None):
        return self.host.run(*self.words(user, *command, options=options), check=check, stdin=stdin, timeout=60)

    def says(self, user, command, *wanted, without=()):
        said = self.ssh(user, command, check=False).stdout
        for text in wanted:
            self.story.expect(text in said, f"{user}: {command}: expected '{text}', found\n{said}")
        for text in without:
            self.story.expect(text not in said, f"{user}: {command}: expected nothing of '{text}', found\n{said}")

    def edits(self, user, *lines):
        return self.ssh(user, stdin="\n".join(["configure private", *lines, "exit", ""]), check=False).stdout

    def known(self, name):
        return self.router.run("getent", "passwd", name, check=False).returncode == 0


def hash_of(users, name):
    for line in users.router.run("cat", "/etc/shadow").stdout.splitlines():
        if line.startswith(f"{name}:"):
            return line.split(":")[1]
    raise Failure(f"no user '{name}' in /etc/shadow")


def logs_in(story, users):
    users.says("alice", "show cli authorization", "Current user: 'alice' class 'noc'", "interface-control")
    users.says("bob", "show version", "Millrace")
    users.says("bob", "configure", "unknown command")
    users.says("bob", "sh conf | display set", without=["encrypted-password", "noc"])
    by_su = users.router.run("su", "alice", "-c", "show cli authorization").stdout
    story.expect("class 'noc'" in by_su, f"su alice: found\n{by_su}")
    story.step("alice logs in with her key, bob with his password, each to the rights of a class")


def has_rights(story, users):
    users.says("alice", "show route", "unknown command", without=["inet.0"])
    users.says("alice", "sh ro", without=["inet.0"])
    said = users.edits("alice", "set interfaces eth1 description by-alice", "set interfaces eth0 description no",
                       "set system host-name no", "commit")
    story.expect(said.count("permission denied") == 2 and "commit complete" in said,
                 f"alice: expected two refusals and a commit, found\n{said}")
    running = users.story.running("r1")
    story.expect("set interfaces eth1 description by-alice" in running, "alice: her change is not in force")
    for lines in [["set interfaces interface-range r mtu 1400", "set interfaces interface-range r member eth0"],
                  ["set groups g interfaces eth0 mtu 1400"], ["set apply-groups g"], ["replace pattern r1 with r9"]]:
        line, said = lines[-1], users.edits("alice", *lines)
        story.expect("permission denied" in said or "not found" in said, f"alice: {line}: found\n{said}")
    story.step("what a class denies is out of reach, by name, by group, by range and by pattern")


def keeps_secrets(story, users):
    secret = hash_of(users, "bob")
    story.expect(secret.startswith("$y$"), f"bob's password is stored as '{secret[:4]}…', expected yescrypt")
    for user in ["alice", "bob"]:
        for command in ["show configuration", "show configuration | display set", "show configuration | display json",
                        "show configuration | display xml | no-more", "show configuration | display inheritance",
                        "show system rollback 0", "show system rollback compare 0 1", "show log messages",
                        "show system commit", "show configuration system login"]:
            users.says(user, command, without=[secret, secret[3:], PASSWORD])
    for name in ["/etc/shadow", "/var/lib/millrace/log", "/etc/millrace/passwords-before/root"]:
        said = users.edits("alice", f"load merge {name}")
        refused = "cannot read" in said or "permission denied" in said
        story.expect(refused and secret not in said, f"alice: load merge {name}: found\n{said}")
    modes = users.router.run("sh", "-c", "find /var/lib/millrace /etc/millrace -type f -perm /007 "
                             "-not -path '*/authorized-keys/*' -not -name login-message").stdout
    story.expect(not modes, f"files of configd that everybody may read:\n{modes}")
    story.step("no command, form or file gives a password away")


def has_no_way_out(story, users):
    for command in ["sh -c id", "/bin/sh", "id", "; id", "show version | sh", "show version; id", "!id",
                    "show version | save |id", "ping -c 1 127.0.0.1; id", "/usr/lib/openssh/sftp-server",
                    "scp -t /tmp", "show log messages | no-more `id`", "$(id)"]:
        for options in [[], ["-tt"]]:
            said = users.ssh("bob", command, options=options, check=False, stdin="id\n!id\n").stdout
            story.expect("uid=" not in said and "gid=" not in said, f"bob got out by '{command}':\n{said}")
    for argv in (["-s", "sftp"],):
        said = users.ssh("bob", argv[1], options=argv[:1], check=False)
        story.expect(said.returncode != 0, "bob: sftp is served")
    environment = users.ssh("bob", "show version", check=False, options=[
        "-o", "SetEnv LC_ALL=../../../../tmp/x LD_PRELOAD=/nonexistent.so PAGER=id EDITOR=id SHELL=/bin/sh"]).stdout
    story.expect("uid=" not in environment and "Millrace" in environment, f"bob: environment:\n{environment}")
    through = users.ssh("bob", options=["-W", "127.0.0.1:22"], check=False).stdout
    story.expect("SSH-2.0" not in through, "bob: ssh forwards connections")
    users.ssh("bob", "show version | save .ssh/authorized_keys", check=False)
    story.step("shells, sftp, scp, variables and forwarding are closed")


def is_recorded(story, users):
    said = users.router.run("cli", "-c", "show log audit").stdout
    for wanted in ["user=alice", "from=192.0.2.10", 'change="set interfaces eth1 description by-alice"',
                   'command="set interfaces eth0 description no" result=denied', "user=bob"]:
        story.expect(wanted in said, f"the record: expected '{wanted}', found\n{said[-3000:]}")
    for secret in [PASSWORD, hash_of(users, "bob")]:
        story.expect(secret not in said, "the record has a password")
    users.says("bob", "show log audit", without=["user=alice"])
    story.step("the record says who did what from where, and is not for everybody")


def comes_and_goes(story, users):
    users.router.run("useradd", "--no-create-home", "byhand")
    session = users.host.spawn(*users.words("bob", options=["-tt"]), stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        story.expect(story.eventually(lambda: users.router.run("pgrep", "-u", "bob", "-x", "cli").stdout),
                     "bob's session does not begin")
        story.configure("r1", ["delete system login user bob"])
        story.expect(story.eventually(lambda: session.poll() is not None, 10), "bob's session goes on without bob")
    finally:
        session.kill()
        session.wait()
    story.expect(not users.known("bob"), "bob is there after he was deleted")
    story.configure("r1", ["rollback 1"])
    users.says("bob", "show version", "Millrace")
    users.router.run("userdel", "--force", "bob")
    users.router.kill()
    users.router.start()
    users.router.wait()
    story.expect(story.eventually(lambda: "Millrace" in users.ssh("bob", "show version", check=False).stdout),
                 "bob cannot log in after a boot")
    story.expect(users.known("byhand"), "an account of somebody else is gone")
    story.step("accounts follow the configuration, a rollback and a boot")


def scenario(story):
    story.reset()
    users = Users(story)
    before = {name: hash_of(users, name) for name in ["root", "admin"]}
    story.configure("r1", ["set system services ssh", f"set interfaces eth0 unit 0 family inet address {ADDRESS}/24", *CLASS,
                           f'set system login user alice authentication ssh-ed25519 "{users.public}"',
                           "set system login user bob authentication plain-text-password", PASSWORD, PASSWORD])
    story.expect(story.eventually(lambda: "Millrace" in users.ssh("alice", "show version", check=False).stdout),
                 "alice cannot log in")
    for part in [logs_in, has_rights, keeps_secrets, has_no_way_out, is_recorded, comes_and_goes]:
        part(story, users)
    story.reset()
    story.expect(not users.known("alice") and not users.known("bob"), "users are there without configuration")
    story.expect(before == {name: hash_of(users, name) for name in before}, "root or admin have another password")
    users.router.run("userdel", "byhand")
