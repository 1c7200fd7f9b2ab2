#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs for any Linux, built and run: portable_test.py KIND SOURCE_FOLDER BUILD_FOLDER SERVER [CMAKE_OPTION]...

glibc: a window, played in bare roots of Debian and Ubuntu, from a folder that cannot be written, from one with odd letters, and
in a real window under Xvfb. musl: static programs in a root that holds nothing else. arm64, armhf: bots and replays under qemu.
Needs a Debian mirror, root for the roots, and minutes: it is a kind of its own (tests/kinds).
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from processes import Bots, LOOPBACK, Server, check, skip, write
from window import x_server

KIND, SOURCE, BUILD, SERVER = sys.argv[1:5]
OLDEST_GLIBC = (2, 34)
MIRRORS = {"debian": "http://deb.debian.org/debian", "ubuntu": "http://archive.ubuntu.com/ubuntu"}
ROOTS = {"ubuntu-22.04": "jammy", "debian-12": "bookworm", "debian-13": "trixie", "ubuntu-24.04": "noble"}
# The packages that are tried as they are, and the last one that has the keys of its archive.
UBUNTU_KEYS = "ubuntu-keyring_2021.03.26_all.deb", "0d0e7ed6b112f5d03eabf3c7eb01ebdacf9c57714b279e90495cfc58c8c4520f"
EMULATORS = {"arm64": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"], "armhf": ["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"]}
MATCH = ["--host", "--frames", "300"]
EX_UNAVAILABLE = 69


def run(*words, environment=None, timeout=120):
    done = subprocess.run(words, text=True, capture_output=True, timeout=timeout, check=False, env=environment)
    return done.returncode, done.stdout + done.stderr


def passes(what, *words, **more):
    code, output = run(*words, **more)
    check(code == 0, f"{what}: exit {code}\n{output[-3000:]}")
    return output


def built():
    """Builds the programs and returns the folder that the archive holds, unpacked elsewhere."""
    code, output = run(os.path.join(SOURCE, "shared/packages/portable/build.sh"), KIND, BUILD, *sys.argv[5:], timeout=3600)
    if code == EX_UNAVAILABLE or "Failed to fetch" in output and code != 0:
        skip(f"no sources, or no tools: {output[-500:]}")
    check(code == 0, output[-4000:])
    archive = re.search(r"\S+\.tar\.gz", output.splitlines()[-1])[0]
    print(f"{os.path.basename(archive)}: {os.path.getsize(archive)} bytes")
    folder = tempfile.mkdtemp()
    passes("unpack", "tar", "-xf", archive, "-C", folder)
    return os.path.join(folder, os.path.basename(archive).removesuffix(".tar.gz"))


def programs(tree):
    return sorted(glob.glob(os.path.join(tree, "bin", "*")) + glob.glob(os.path.join(tree, "libexec", "*", "*")))


def nothing_names_the_build(tree):
    names = [os.path.realpath(path).encode() for path in (SOURCE, BUILD)] + [os.path.expanduser("~").encode() + b"/."]
    for folder, _, files in os.walk(tree):
        for file in files:
            with open(os.path.join(folder, file), "rb") as opened:
                content = opened.read()
            found = [name for name in names if len(name) > 7 and name in content]
            check(not found, f"{folder}/{file} names {found}")


def programs_need_only_the_c_library(tree):
    newest = (0, 0)
    for program in programs(tree):
        needed = re.findall(r"NEEDED.*\[(.*)\]", passes("readelf", "readelf", "-dW", program))
        odd = [name for name in needed if not re.match(r"lib[cm]\.so\.6$|ld-linux", name)]
        check(not odd, f"{os.path.basename(program)} needs {odd}")
        symbols = passes("readelf", "readelf", "-VW", program)
        newest = max([newest] + [tuple(map(int, name.split("."))) for name in re.findall(r"GLIBC_([\d.]+)", symbols)])
    check(newest <= OLDEST_GLIBC, f"the programs need glibc {newest}")
    print(f"{len(programs(tree))} programs need glibc {'.'.join(map(str, newest))} and nothing else")


def playing(folder):
    """Returns an environment for a window without a screen, which knows nothing of this one."""
    return {"PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C", "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}


# --- bare roots

def ubuntu_keys():
    """Returns the keys of Ubuntu's archive, from this machine or from its package."""
    path = "/usr/share/keyrings/ubuntu-archive-keyring.gpg"
    if os.path.exists(path):
        return path
    name, wanted = UBUNTU_KEYS
    folder = os.path.join(BUILD, "roots")
    package = os.path.join(folder, name)
    passes("keys", "curl", "-sSf", "-o", package, f"{MIRRORS['ubuntu']}/pool/main/u/ubuntu-keyring/{name}")
    check(passes("sum", "sha256sum", package).split()[0] == wanted, f"{name} is another file than it was")
    passes("unpack", "dpkg", "-x", package, folder)
    return folder + path


def root_of(name):
    """Returns a bare root, which is kept for the next time; None if its mirror cannot be reached."""
    root = os.path.join(BUILD, "roots", name)
    if os.path.isdir(root):
        return root
    os.makedirs(os.path.dirname(root), exist_ok=True)
    mirror = MIRRORS[name.split("-")[0]]
    if run("curl", "-sSf", "-m", "20", "-o", "/dev/null", f"{mirror}/dists/{ROOTS[name]}/Release")[0] != 0:
        print(f"{name}: {mirror} cannot be reached, not tried")
        return None
    shutil.rmtree(root + ".new", ignore_errors=True)
    ubuntu = name.startswith("ubuntu")
    keys = ubuntu_keys() if ubuntu else "/usr/share/keyrings/debian-archive-keyring.gpg"
    script = f"/usr/share/debootstrap/scripts/{'gutsy' if ubuntu else 'sid'}"
    passes(f"debootstrap {name}", "debootstrap", "--variant=minbase", f"--keyring={keys}", ROOTS[name], root + ".new", mirror, script,
           timeout=1800)
    os.rename(root + ".new", root)
    return root


def within(root, environment, *words):
    """Runs words in a root, as processes of their own. Returns the exit code and what they print."""
    return run("unshare", "--mount", "--pid", "--fork", "--kill-child", f"--root={root}", "--mount-proc=/proc", *words,
               environment=environment)


def plays_in_bare_roots(tree):
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        return print("only root with debootstrap can make a bare root: not tried")
    for name in ROOTS:
        root = root_of(name)
        if not root:
            continue
        there = os.path.join(root, "opt/deadfall")
        shutil.rmtree(there, ignore_errors=True)
        shutil.copytree(tree, there)
        try:
            code, output = within(root, playing("/tmp"), "/opt/deadfall/bin/deadfall", *MATCH)
            check(code == 0, f"a match in {name}: exit {code}\n{output}")
            print(f"{name}: {' '.join(MATCH)} exits with 0")
        finally:
            shutil.rmtree(there)


# --- folders and a real window

def plays_from_odd_folders(tree):
    with tempfile.TemporaryDirectory(prefix="Bärenhöhle und Spiele ") as folder:
        there = os.path.join(folder, "dead fall ß")
        shutil.copytree(tree, there)
        passes("a folder with spaces and umlauts", os.path.join(there, "bin/deadfall"), *MATCH, environment=playing(folder))
        print("a folder with spaces and umlauts: played")
    with tempfile.TemporaryDirectory() as home:
        program = os.path.join(tree, "bin/deadfall")
        if os.geteuid() == 0:
            script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && ! touch "$1/x" 2>/dev/null && shift && exec "$@"'
            words = ["unshare", "--mount", "sh", "-c", script, "sh", tree, program]
        else:
            passes("chmod", "chmod", "-R", "a-w", tree)
            words = [program]
        passes("a read-only folder", *words, *MATCH, environment=playing(home))
        print("a read-only folder: played")


def plays_in_a_window(tree):
    if not shutil.which("Xvfb"):
        return print("Xvfb is missing: no real window")
    screen, display = x_server()
    with tempfile.TemporaryDirectory() as home:
        environment = {**playing(home), "SDL_VIDEODRIVER": "x11", "DISPLAY": display}
        passes("a window", os.path.join(tree, "bin/deadfall"), *MATCH, environment=environment)
    screen.terminate()
    screen.wait()
    print("a real window: played")


# --- static programs

def static_programs_run_where_nothing_else_is(tree):
    for program in programs(tree):
        check("INTERP" not in passes("readelf", "readelf", "-lW", program), f"{os.path.basename(program)} is static")
        check("DYN" in passes("readelf", "readelf", "-hW", program), f"{os.path.basename(program)} can lie anywhere")
    if os.geteuid() != 0:
        return print("only root can enter an empty root: not tried")
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, "proc"))
        shutil.copytree(tree, os.path.join(root, "deadfall"))
        shutil.copytree(os.path.join(SOURCE, "tests/golden"), os.path.join(root, "golden"), ignore=lambda _, names: [
            name for name in names if not name.endswith(".dfr")])
        goldens = sorted(os.listdir(os.path.join(root, "golden")))
        for golden in goldens:
            code, output = within(root, {}, "/deadfall/bin/deadfall-replay", "--verify", f"/golden/{golden}")
            check(code == 0, f"{golden}: exit {code}\n{output}")
        code, output = within(root, {}, "/deadfall/bin/deadfall-server", "--port", "0", "--bind", LOOPBACK, "--bots", "4",
                              "--run-empty", "--duration", "2s", "--state-dir", "/state")
        check(code == 0 and "ready: udp " in output, f"a server: exit {code}\n{output}")
        print(f"in an empty root: {len(goldens)} golden matches verified, a server ran")


def bots_play(bots, server):
    with Server(server, "--map", "foundry") as running:
        totals = Bots(bots, f"{LOOPBACK}:{running.port}", 4, "--verify", "2", seconds=6).report()["totals"]
    check(totals["connected"] == 4 and totals["desyncs"] == 0 and totals["disconnects"] == 0, f"bots of {KIND} play: {totals}")
    print(f"{KIND}: 4 bots played, 2 of them full clients, no desync")


def plays_under_qemu(tree):
    emulator = EMULATORS[KIND]
    if not shutil.which(emulator[0]):
        skip(f"{emulator[0]} is missing")
    for golden in ("lms.dfr", "breakout.dfr"):
        passes(golden, *emulator, os.path.join(tree, "bin/deadfall-replay"), "--verify", os.path.join(SOURCE, "tests/golden", golden))
    with tempfile.TemporaryDirectory() as folder:
        bots = os.path.join(folder, "bots")
        write(bots, f'#!/bin/sh\nexec {" ".join(emulator)} {tree}/bin/deadfall-bots "$@"\n', 0o755)
        bots_play(bots, SERVER)


def main():
    tree = built()
    nothing_names_the_build(tree)
    if KIND == "musl":
        static_programs_run_where_nothing_else_is(tree)
        bots_play(os.path.join(tree, "bin/deadfall-bots"), SERVER)
        bots_play(os.path.join(os.path.dirname(SERVER), "deadfall-bots"), os.path.join(tree, "bin/deadfall-server"))
        return
    programs_need_only_the_c_library(tree)
    if KIND != "glibc":
        plays_under_qemu(tree)
        return
    plays_in_bare_roots(tree)
    plays_from_odd_folders(tree)
    plays_in_a_window(tree)


if __name__ == "__main__":
    main()
