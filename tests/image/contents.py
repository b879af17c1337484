# SPDX-License-Identifier: GPL-2.0-or-later
"""What is on the ISO: exactly the router root, and no trace of where it was built."""
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

from support import roots
from support.run import Failure, run

ISO_LIMIT = 600 * 1024 * 1024


def describe(tree):
    """Every file below tree: its path and all that makes it what it is, except times."""
    found = {}
    for folder, folders, files in os.walk(tree):
        for name in folders + files:
            path = Path(folder) / name
            state = path.lstat()
            facts = [stat.filemode(state.st_mode), state.st_uid, state.st_gid]
            if stat.S_ISLNK(state.st_mode):
                facts.append(os.readlink(path))
            elif stat.S_ISREG(state.st_mode):
                with path.open("rb") as file:
                    facts.append(hashlib.file_digest(file, "sha256").hexdigest())
                facts.append(sorted((name, os.getxattr(path, name, follow_symlinks=False))
                                    for name in os.listxattr(path, follow_symlinks=False)
                                    if not name.startswith("trusted.overlay")))
            elif stat.S_ISCHR(state.st_mode) or stat.S_ISBLK(state.st_mode):
                facts.append(state.st_rdev)
            found[str(path.relative_to(tree))] = facts
    return found


def packages(tree):
    return run(["dpkg-query", f"--admindir={tree}/var/lib/dpkg", "-W"]).stdout


def differences(ours, theirs, limit=20):
    lines = []
    for path in sorted(ours.keys() | theirs.keys()):
        if ours.get(path) != theirs.get(path):
            lines.append(f"{path}: root {ours.get(path)}, ISO {theirs.get(path)}")
    return lines[:limit] + ([f"and {len(lines) - limit} more"] if len(lines) > limit else [])


def extract(iso, inside, to):
    run(["xorriso", "-osirrox", "on", "-indev", iso, "-extract", inside, to])


def check_size(iso):
    size = Path(iso).stat().st_size
    if size >= ISO_LIMIT:
        raise Failure(f"{iso}: {size} bytes, expected under {ISO_LIMIT}")


def check_same_as_root(iso):
    """Package list, files, modes, owners and contents of the squashfs equal those of the router root."""
    root = Path(os.environ["ROOT"])
    work = Path(tempfile.mkdtemp(prefix="iso.", dir=roots.CACHE))
    try:
        extract(iso, "/boot", work / "boot")
        run(["unsquashfs", "-no-progress", "-quiet", "-dest", work / "tree", work / "boot/filesystem.squashfs"], timeout=300)
        listed = (work / "boot/filesystem.packages").read_text()
        for where, found in (("the squashfs", packages(work / "tree")), ("the ISO's list", listed)):
            if found != packages(root):
                raise Failure(f"packages of {where} are not those of the router root")
        changed = differences(describe(root), describe(work / "tree"))
        if changed:
            raise Failure("the squashfs is not the router root:\n" + "\n".join(changed))
        for kernel in (root / "boot").glob("vmlinuz-*"):
            if kernel.read_bytes() != (work / "boot" / kernel.name).read_bytes():
                raise Failure(f"/boot/{kernel.name} on the ISO is not the root's")
        for initrd in (root / "boot").glob("initrd.img-*"):
            if initrd.read_bytes() != (work / "boot" / initrd.name).read_bytes():
                raise Failure(f"/boot/{initrd.name} on the ISO is not the root's")
    finally:
        shutil.rmtree(work)


def check_no_mirror(iso):
    """Neither the squashfs' configuration nor the medium names the mirror that the packages came from."""
    uris = run(["apt-get", "indextargets", "--format", "$(REPO_URI)"]).stdout.split()
    hosts = {uri.split("/")[2] for uri in uris if "://" in uri and len(uri.split("/")) > 2}
    root = Path(os.environ["ROOT"])
    for host in sorted(hosts):
        hits = subprocess.run(["grep", "-rlF", "--", host, root / "etc", root / "var/lib/apt"], stdout=subprocess.PIPE,
                              text=True, check=False).stdout.split()
        if hits:
            raise Failure(f"the router root names the mirror {host} in {hits}")
        with tempfile.TemporaryDirectory() as work:
            extract(iso, "/.disk", f"{work}/disk")
            extract(iso, "/boot/grub/grub.cfg", f"{work}/grub.cfg")
            texts = [*Path(work).glob("disk/*"), Path(work, "grub.cfg")]
            if any(host in text.read_text() for text in texts):
                raise Failure(f"the medium names the mirror {host}")


CHECKS = [check_size, check_same_as_root, check_no_mirror]
