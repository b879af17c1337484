# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a script as root under the router root's own kernel, in a QEMU guest (emulation is enough).

Each layer of the router root becomes a squashfs once, stored and not compressed because unpacking is
what costs in emulation; the guest mounts them as the lower folders of an overlay on tmpfs. The kernel
is unpacked beforehand (its PVH entry boots an ELF image), and the initramfs is busybox with the four
modules that the disk and the overlay need. Input rides as a second cpio behind the initramfs; output
and exit status come back through two virtio ports. So there is no network, no 9p and no live-boot:
five seconds from nothing to the end of a trivial script.
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import roots
from support.run import Failure, run

HERE = Path(__file__).parent
MODULES = ["virtio_blk", "overlay", "squashfs"]
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
KERNEL_ARGUMENTS = ("console=ttyS0 panic=-1 quiet mitigations=off no_timer_check tsc=reliable nokaslr audit=0 "
                    "apparmor=0 cryptomgr.notests random.trust_cpu=on 8250.nr_uarts=1 nmi_watchdog=0")
# Not needed by any script, and large.
LEFT_OUT = ["boot/*", "proc/*", "sys/*", "dev/*", "tmp/*", "var/cache/apt/*", "var/lib/apt/lists/*"]


class Guest:
    def __init__(self, layers):
        """layers: as overlayfs' lowerdir= wants them. Makes what the cache does not hold yet."""
        self.layers = [Path(layer) for layer in layers.split(":")]
        self.images = [_cached("layer", _state_of(layer), _make_image, layer) for layer in self.layers]
        base = next((layer for layer in self.layers if list(layer.glob("boot/vmlinuz-*"))), None)
        if base is None:
            raise Failure(f"{layers}: expected a kernel (boot/vmlinuz-*) in one of the layers")
        recipe = Path(__file__).read_text() + (HERE / "init").read_text()
        self.boot = _cached("boot", _state_of(base) + recipe, _make_boot, base)

    def run(self, script, arguments=(), folders=(), seconds=300, memory=768, cpus=1, extra=(), output=None):
        """Returns the script's exit status. Everything it prints goes to output, line by line.

        The script runs in /job, which holds copies of the folders' contents.
        Failure: the guest died or did not end in time; the message has the console's tail.
        """
        work = Path(tempfile.mkdtemp(prefix="millrace-guest."))
        try:
            return self._run(work, script, arguments, folders, seconds,
                             [*self._machine(memory, cpus), *extra], output or sys.stdout.write)
        finally:
            shutil.rmtree(work)

    def _run(self, work, script, arguments, folders, seconds, argv, output):
        job = work / "cpio/job"
        for folder in folders:
            shutil.copytree(folder, job, dirs_exist_ok=True, symlinks=True)
        job.mkdir(parents=True, exist_ok=True)
        shutil.copy(script, job / ".script")
        (job / ".script").chmod(0o755)
        shutil.copy(HERE / "job-init", job / ".job-init")
        (job / ".arguments").write_text("".join(f"{argument}\0" for argument in arguments))
        (work / "initrd").write_bytes(_aligned((self.boot / "initrd").read_bytes()) + _cpio(work / "cpio"))
        ours, theirs = os.pipe()
        argv += ["-kernel", self.boot / "kernel", "-initrd", work / "initrd", "-serial", f"file:{work}/console",
                 "-device", "virtio-serial-pci",
                 "-chardev", f"file,id=out,path=/dev/fd/{theirs}", "-device", "virtserialport,chardev=out,name=out,nr=1",
                 "-chardev", f"file,id=end,path={work}/end", "-device", "virtserialport,chardev=end,name=end,nr=2"]
        argv = ["timeout", "--kill-after=5", seconds, "qemu-system-x86_64", *argv]
        guest = subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL, pass_fds=[theirs])
        os.close(theirs)
        with open(ours, encoding="utf-8", errors="replace") as said:
            for line in said:
                output(line)
        status = guest.wait()
        end = (work / "end").read_text() if (work / "end").exists() else ""
        if end.startswith("status "):
            return int(end.split()[1])
        console = (work / "console").read_text(errors="replace") if (work / "console").exists() else ""
        why = f"no end after {seconds} s" if status in (124, 137) else f"the guest died, QEMU's status is {status}"
        raise Failure(f"{why}; its console ends:\n" + "\n".join(console.splitlines()[-30:]))

    def _machine(self, memory, cpus):
        # Emulation unless told otherwise: where /dev/kvm exists but is itself nested, guests can just stop.
        if os.environ.get("MILLRACE_ACCEL", "tcg") == "kvm":
            accel, cpu = "kvm", "host"
        else:
            accel, cpu = "tcg,thread=multi,tb-size=512", "max"
        argv = ["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
                "-machine", "q35,usb=off,vmport=off,smm=off", "-accel", accel, "-cpu", cpu, "-smp", cpus,
                "-m", memory, "-append", KERNEL_ARGUMENTS, "-device", "virtio-rng-pci"]
        for number, image in enumerate(self.images):  # the guest sees them as vda, vdb … in this order
            argv += ["-drive", f"file={image}/image,if=none,id=l{number},format=raw,readonly=on",
                     "-device", f"virtio-blk-pci,drive=l{number}"]
        return argv


def _state_of(layer):
    """Names a layer's contents: the cache's never change, any other folder is looked at."""
    if layer.is_relative_to(roots.CACHE):
        return str(layer)
    files = sorted(layer.rglob("*"))
    return f"{layer}" + "".join(f"{f.relative_to(layer)} {s.st_size} {s.st_mtime_ns} {s.st_mode}\n"
                                for f in files if (s := f.lstat()))


def _cached(kind, state, make, source):
    folder = roots.CACHE / "guest" / f"{kind}-{hashlib.sha256(state.encode()).hexdigest()[:16]}"
    if not folder.exists():
        _forget_unused(folder.parent)
        new = folder.with_name(f"{folder.name}.{os.getpid()}.new")
        new.mkdir(parents=True)
        try:
            make(source, new)
            new.rename(folder)
        except OSError:
            if not folder.exists():  # else another run was quicker
                raise
        finally:
            shutil.rmtree(new, ignore_errors=True)
    os.utime(folder)
    return folder


def _forget_unused(cache, days=30):
    for old in cache.glob("*"):
        if time.time() - old.stat().st_mtime > days * 86400:
            shutil.rmtree(old, ignore_errors=True)


def _make_image(layer, new):
    run(["mksquashfs", layer, new / "image", "-noI", "-noD", "-noF", "-noX", "-noappend", "-quiet", "-no-progress",
         "-wildcards", "-e", *LEFT_OUT], timeout=300)


def _make_boot(base, new):
    kernel = sorted(base.glob("boot/vmlinuz-*"))[-1]
    version = kernel.name.removeprefix("vmlinuz-")
    (new / "kernel").write_bytes(_unpacked(kernel.read_bytes()))
    tree = new / "tree"
    for folder in ("bin", "m", "dev", "proc", "sys", "job", "lower", "rw", "new"):
        (tree / folder).mkdir(parents=True)
    shutil.copy(shutil.which("busybox") or "busybox", tree / "bin/busybox")
    (tree / "bin/sh").symlink_to("busybox")
    shutil.copy(HERE / "init", tree / "init")
    order = []
    for module in MODULES:
        shown = run(["modprobe", "-d", base, "-S", version, "--show-depends", module]).stdout
        for path in (Path(line.split()[1]) for line in shown.splitlines() if line.startswith("insmod ")):
            name = path.name.split(".ko")[0] + ".ko"
            if name not in order:
                order.append(name)
                _unpack_module(path, tree / "m" / name)
    (tree / "m/order").write_text("\n".join(order) + "\n")
    (new / "initrd").write_bytes(_cpio(tree))
    shutil.rmtree(tree)


def _unpack_module(path, target):
    unpack = {".xz": ["xz", "-dc"], ".zst": ["zstd", "-dqc"]}.get(path.suffix, ["cat"])
    target.write_bytes(subprocess.run([*unpack, path], stdout=subprocess.PIPE, check=True).stdout)


def _unpacked(image):
    """The ELF kernel in a bzImage with a zstd payload; the image itself when there is none."""
    at = image.find(ZSTD_MAGIC)
    while at >= 0:
        # the payload is followed by the size of what it holds, so zstd complains after unpacking it
        out = subprocess.run(["zstd", "-dqc"], input=image[at:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             check=False).stdout
        if out.startswith(b"\x7fELF"):
            return out
        at = image.find(ZSTD_MAGIC, at + 1)
    return image


def _cpio(tree):
    names = "\0".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*"))).encode()
    return subprocess.run(["cpio", "--null", "--create", "--format=newc", "--quiet"], input=names, cwd=tree,
                          stdout=subprocess.PIPE, check=True).stdout


def _aligned(archive):
    """Padded so that the kernel finds a second archive behind it."""
    return archive + b"\0" * (-len(archive) % 4)
