# SPDX-License-Identifier: GPL-2.0-or-later
"""The router as a machine: logs as they come, logins over ssh and how long they take, a reboot, zeroize.

A person at a terminal types what ends the machine's work; the answer `no` and a class without the
right end nothing. After `zeroize` the router is what it was before anybody configured it.
"""
import statistics
import time

from ..terminal import Terminal
from .users import ADDRESS, BY_KEY, OPTIONS, Users

LOGIN = """
set system services ssh
set system login announcement "maintenance at noon"
set system login message "authorised users only"
set system login class watcher permissions [ trace view ]
set system login class watcher idle-timeout 1
set system login user alice class watcher
""".strip().splitlines()
BEYOND_SSH = 0.150  # seconds from the end of ssh's own work to the prompt
TRIES = 9


def says_hello(story, users):
    loud = ["LogLevel=INFO" if option == "LogLevel=ERROR" else option for option in OPTIONS]
    argv = ["sh", "-c", BY_KEY, "sh", users.private, *loud, f"alice@{ADDRESS}", "show version"]
    done = users.host.run(*argv, check=False)
    said = done.stdout + (done.stderr or "")
    story.expect("authorised users only" in said, f"alice's login shows\n{said}")


def follows_logs(story, users):
    terminal = Terminal(users.host.argv(*users.words("alice", options=["-tt"])))
    try:
        said = terminal.see("> ")
        story.expect("maintenance at noon" in said, f"alice's login shows\n{said}")
        terminal.type("monitor start messages\n")
        terminal.see("> ")
        users.router.run("logger", "-t", "lab", "a message \x1b[2Jto follow")
        said = terminal.see("to follow", 20)
        story.expect("\x1b[2J" not in said[-60:], "a message moves the cursor")
        terminal.type("monitor list\n")
        terminal.see('monitor start "messages"')
        terminal.type("monitor stop\n")
        terminal.type("show log lab.log\n")
        users.router.run("sh", "-c", "echo line-of-a-file >/var/log/lab.log; chmod 600 /var/log/lab.log")
        terminal.type("show log lab.log\n")
        terminal.see("line-of-a-file")
        for line in ["show log ../shadow", "show log private", "clear log lab.log", "request system reboot",
                     "request system zeroize", "show log audit"]:
            terminal.type(f"{line}\n")
            said = terminal.see("> ")
            story.expect("[yes,no]" not in said and "alice:" not in said, f"alice: {line}: found\n{said}")
            terminal.type("\x15")
    finally:
        terminal.close()
    story.step("a session shows a log as it grows, and a class without the right stops and clears nothing")


def time_of(run):
    began = time.monotonic()
    run()
    return time.monotonic() - began


def logs_in_fast(story, users):
    """To the prompt as alice, and as root to a shell that only prints: the difference is ours."""
    def prompt():
        terminal = Terminal(users.host.argv(*users.words("alice", options=["-tt"])))
        terminal.see("> ")
        terminal.type("exit\n")
        return terminal

    def shell():
        argv = ["sh", "-c", BY_KEY, "sh", users.private, *OPTIONS, "-tt", f"root@{ADDRESS}", "printf '> '; cat"]
        terminal = Terminal(users.host.argv(*argv))
        terminal.see("> ")
        return terminal

    times = {}
    for name, function in [("prompt", prompt), ("shell", shell)]:
        opened, found = [], []
        for _ in range(TRIES):
            found.append(time_of(lambda: opened.append(function())))
        for terminal in opened:
            terminal.close()
        times[name] = statistics.median(found)
    beyond = times["prompt"] - times["shell"]
    story.step(f"login to the prompt in {times['prompt'] * 1000:.0f} ms, {beyond * 1000:.0f} ms of them beyond ssh "
               f"with a shell ({times['shell'] * 1000:.0f} ms), median of {TRIES}")
    story.expect(beyond < BEYOND_SSH, f"login takes {beyond * 1000:.0f} ms beyond ssh, expected less than "
                 f"{BEYOND_SSH * 1000:.0f} ms")


def answers(story, command, answer):
    """`command` at a terminal of r1 as root."""
    terminal = Terminal(story.lab["r1"].argv("cli"))
    terminal.see("> ")
    terminal.type(f"{command}\n")
    terminal.see("[yes,no] (no) ")
    terminal.type(f"{answer}\n")
    return terminal


def restarts(story, router):
    story.expect(story.eventually(lambda: router.group.leader(router.name) is None, 90), "r1 does not go down")
    router.kill()  # its interfaces are made anew, as a start of the machine would find them
    router.start()
    router.wait()


def reboots(story, router):
    before = story.running("r1")
    terminal = answers(story, "request system reboot", "")
    terminal.see("> ")
    terminal.close()
    story.expect(router.answers(), "the answer no stops r1")
    router.cli("request system power-off in 60 message later\nyes")
    said = router.run("cli", "-c", "show system reboot").stdout
    story.expect("poweroff at" in said, f"show system reboot: found\n{said}")
    router.cli("clear system reboot")
    said = router.run("cli", "-c", "show system reboot").stdout
    story.expect("No shutdown" in said, f"show system reboot: found\n{said}")
    terminal = answers(story, "request system reboot message bye", "yes")
    restarts(story, router)
    terminal.close()
    story.expect_equal(story.running("r1"), before, "the configuration after a reboot")
    story.step("a reboot asks, can wait and be cancelled, and brings the configuration back")


def erases(story, users):
    router = users.router
    router.run("sh", "-c", "echo private >/home/alice/notes; echo trace >/var/log/lab.log")
    terminal = answers(story, "request system zeroize", "yes")
    restarts(story, router)
    terminal.close()
    story.expect(not story.running("r1"), "there is configuration after zeroize")
    story.expect(not users.known("alice"), "there is a user after zeroize")
    found = router.run("sh", "-c", "cat /home/*/notes /var/log/lab.log; ls /etc/ssh/ssh_host_* /var/lib/millrace/zeroize",
                       check=False).stdout
    story.expect("private" not in found and "trace" not in found and not any(
        line.startswith("/") for line in found.splitlines()), f"left after zeroize:\n{found}")
    said = router.run("cli", "-c", "show log audit").stdout
    story.expect("alice" not in said, f"the record of before is there after zeroize:\n{said[-1000:]}")
    story.step("zeroize leaves no configuration, user, home, log or host key")


def scenario(story):
    story.reset()
    users = Users(story)
    story.configure("r1", [*LOGIN, f"set interfaces eth0 unit 0 family inet address {ADDRESS}/24",
                           f'set system login user alice authentication ssh-ed25519 "{users.public}"',
                           "set system services ssh root-login allow",
                           f'set system root-authentication ssh-ed25519 "{users.public}"'])
    story.expect(story.eventually(lambda: "Millrace" in users.ssh("alice", "show version", check=False).stdout),
                 "alice cannot log in")
    says_hello(story, users)
    follows_logs(story, users)
    logs_in_fast(story, users)
    reboots(story, users.router)
    erases(story, users)
    story.reset()
