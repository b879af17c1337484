# SPDX-License-Identifier: GPL-2.0-or-later
"""Running programs: one function, one error that carries everything the reader needs."""
import shlex
import subprocess


class Failure(Exception):
    """Something the user has to know; the message is the whole story."""


def run(argv, *, stdin=None, check=True, timeout=120, **kwargs):
    """Runs argv to its end and returns it with .returncode and .stdout, stderr mixed in.

    A non-zero exit status raises Failure unless check is false; a time-out always does.
    """
    argv = [str(word) for word in argv]
    given = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=timeout, **given, **kwargs)
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout
        raise Failure(f"no end after {timeout} s: {shlex.join(argv)}\n{said or ''}") from None
    except FileNotFoundError:
        raise Failure(f"{argv[0]}: not found on this machine") from None
    if check and done.returncode != 0:
        raise Failure(f"exit status {done.returncode}: {shlex.join(argv)}\n{done.stdout.rstrip()}")
    return done
