#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs for Windows, built on Debian and run by Wine: windows_test.py SOURCE_FOLDER SERVER BOTS REPLAY [CMAKE_OPTION]...

They replay the golden matches, keep a server's state in a folder with umlauts, play with programs of Linux in both directions,
host a match in a window, stop when they are asked, and need no DLL that Windows does not have. The first time takes minutes, for the libraries, so it runs only with
DEADFALL_TEST_LONG set; later, whenever they are there.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from processes import Bots, LOOPBACK, Server, check

SOURCE, SERVER, BOTS, REPLAY = sys.argv[1:5]
LIBRARIES = os.path.join(SOURCE, "build/portable")
EX_UNAVAILABLE = 69
TREE = ""  # the unpacked archive
SECONDS = 6
ARCHIVE_BYTES_MAX = 4_000_000
# What every Windows 10 has.
SYSTEM_DLLS = set("""advapi32 bcrypt crypt32 gdi32 imm32 iphlpapi kernel32 msvcrt ole32 oleaut32 psapi setupapi shell32 user32 version winmm
    ws2_32""".split())


def skip(sentence):
    print(sentence)
    sys.exit(77)


def run(*words, timeout=1800, **more):
    done = subprocess.run(words, text=True, capture_output=True, timeout=timeout, check=False, **more)
    return done.returncode, done.stdout + done.stderr


def build():
    """Builds the programs and returns the folder that the archive holds, unpacked elsewhere."""
    for tool in ("x86_64-w64-mingw32-gcc-posix", "wine", "Xvfb"):
        if not shutil.which(tool):
            skip(f"{tool} is missing; tests/tools/install.sh names the packages")
    # The recipe of the last library leaves its stamp last.
    if not os.environ.get("DEADFALL_TEST_LONG") and not glob.glob(os.path.join(LIBRARIES, "windows/.curl-*")):
        skip("the libraries for Windows are not built yet, which takes minutes: set DEADFALL_TEST_LONG to do that")
    os.environ.pop("DEADFALL_TEST_LONG", None)  # the programs would warn of it
    code, output = run(os.path.join(SOURCE, "shared/packages/windows/build.sh"), LIBRARIES, *sys.argv[5:])
    if code == EX_UNAVAILABLE or code != 0 and "Failed to fetch" in output:
        skip(f"no sources, or no tools: {output[-500:]}")
    check(code == 0, output[-4000:])
    archive = re.search(r"\S+\.zip", output.splitlines()[-1])[0]
    print(f"{os.path.basename(archive)}: {os.path.getsize(archive)} bytes")
    check(os.path.getsize(archive) <= ARCHIVE_BYTES_MAX, "the archive is larger than it should be")
    folder = tempfile.mkdtemp(prefix="Spiele für Bärbel ")
    shutil.unpack_archive(archive, folder)
    return os.path.join(folder, os.path.basename(archive).removesuffix(".zip"))


def program(name):
    return os.path.join(TREE, f"{name}.exe")


def needs_only_the_dlls_of_windows():
    for path in sorted(glob.glob(os.path.join(TREE, "*.exe"))):
        code, output = run("x86_64-w64-mingw32-objdump", "-p", path)
        needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)\.dll", output, re.I)}
        check(code == 0 and needed and needed <= SYSTEM_DLLS, f"{os.path.basename(path)} needs {needed - SYSTEM_DLLS}")
        with open(path, "rb") as opened:
            check(os.path.realpath(SOURCE).encode() not in opened.read(), f"{path} names the folder of the build")


def golden_matches_are_equal():
    goldens = sorted(glob.glob(os.path.join(SOURCE, "tests/golden/*.dfr")))
    ticks = 0
    for path in goldens:
        code, output = run("wine", program("deadfall-replay"), "--verify", path)
        found = re.match(r"(\d+) ticks, \d+ hashes, \d+ keyframes, 0 differences\n", output)
        check(code == 0 and found, f"{os.path.basename(path)}: exit {code}\n{output}")
        ticks += int(found[1])
    with tempfile.TemporaryDirectory() as folder:
        damaged = os.path.join(folder, "damaged.dfr")
        with open(goldens[0], "rb") as whole, open(damaged, "wb") as half:
            half.write(whole.read()[:-1000])
        check(run("wine", program("deadfall-replay"), "--verify", damaged)[0] != 0, "a damaged recording fails")
    print(f"{len(goldens)} golden matches, {ticks} ticks: all hashes are equal")


def bots_report(words, place, arguments=()):
    """Runs four bots, two of them full clients."""
    totals = Bots(words, place, 4, SECONDS, "--verify", "2", *arguments).report()["totals"]
    check(totals["connected"] == 4 and totals["desyncs"] == 0 and totals["disconnects"] == 0, f"{words} play: {totals}")


def script(folder, name):
    """Returns a script that runs a program by Wine, for what takes one path."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec wine "{program(name)}" "$@"\n')
    os.chmod(path, 0o755)
    return path


def a_server_keeps_its_state_in_a_folder_with_umlauts():
    with tempfile.TemporaryDirectory(prefix="Bärenhöhle ß ") as folder:
        recordings = os.path.join(folder, "äußerst", "x" * 100)
        os.makedirs(recordings)
        words = ["wine", program("deadfall-server"), "--port", "0", "--bind", LOOPBACK, "--map", "foundry", "--run-empty",
                 "--duration", f"{SECONDS + 4}s", "--state-dir", os.path.join(folder, "Zustand"), "--record", recordings]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            line = process.stdout.readline().decode()
            ready = re.fullmatch(r"ready: udp \S+:(\d+) map=foundry mode=ffa key=([a-z2-7]+)\n", line)
            check(ready, f"the server is ready: {line!r}")
            bots_report(BOTS, f"{LOOPBACK}:{ready[1]}")
            log = process.communicate(timeout=120)[1].decode()
        check(process.returncode == 0, f"the server exits with {process.returncode}\n{log}")
        found = glob.glob(os.path.join(recordings, "foundry-*.dfr"))
        check(len(found) == 1 and os.path.exists(os.path.join(folder, "Zustand", "server.key")), f"its files: {found}\n{log}")
        code, output = run(REPLAY, "--verify", found[0])
        check(code == 0 and " 0 differences" in output, f"its recording on Linux: exit {code}\n{output}")
    print("a server of Windows: 4 bots of Linux played, no desync; its recording is right")


def bots_play_on_a_server_of_linux():
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--map", "foundry") as running:
        bots_report(script(folder, "deadfall-bots"), f"{LOOPBACK}:{running.port}")
    print("bots of Windows on a server of Linux: no desync")


def maps_are_checked():
    code, output = run("wine", program("deadfall-map"), "check", os.path.join(SOURCE, "shared/maps/foundry.tmj"))
    check(code == 0, f"a map: exit {code}\n{output}")


def a_server_that_is_asked_to_stop_says_goodbye():
    with tempfile.TemporaryDirectory() as folder:
        stopper = os.path.join(LIBRARIES, "windows.build/bin/stop_child.exe")
        code, output = run("wine", stopper, program("deadfall-server"), "--port", "0", "--bind", LOOPBACK, "--state-dir", folder)
        check(code == 0 and ", 0 overruns, " in output, f"a server that is stopped: exit {code}\n{output}")
    print("a server that is asked to stop exits with 0")


def a_window_hosts_and_joins():
    screen = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x720x24"], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL)
    environment = {**os.environ, "DISPLAY": f":{screen.stdout.readline().strip()}"}
    with tempfile.TemporaryDirectory(prefix="Höhle ") as folder, Server(SERVER, "--map", "foundry") as running:
        state = ["--state-dir", os.path.join(folder, "Zustand")]
        picture = os.path.join(folder, "Bild.png")
        for words in (["--host", "--bots", "4"], ["--connect", f"{LOOPBACK}:{running.port}"]):
            code, output = run("wine", program("deadfall"), *words, "--frames", "300", "--screenshot", picture, *state,
                               env=environment, timeout=300)
            check(code == 0 and os.path.getsize(picture) > 1000, f"{words}: exit {code}\n{output[-2000:]}")
            os.remove(picture)
        check(running.count("joins at slot") == 1, running.log())
        check(os.path.exists(os.path.join(folder, "Zustand/player.key")), "the window keeps its key where it should")
    screen.terminate()
    screen.wait()
    print("a window of Windows played its own match, and joined a server of Linux")


def main():
    global TREE
    TREE = build()
    os.environ.update(WINEPREFIX=os.path.join(LIBRARIES, "wine"), WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=")
    try:
        needs_only_the_dlls_of_windows()
        golden_matches_are_equal()
        maps_are_checked()
        a_server_keeps_its_state_in_a_folder_with_umlauts()
        bots_play_on_a_server_of_linux()
        a_server_that_is_asked_to_stop_says_goodbye()
        a_window_hosts_and_joins()
    finally:
        run("wineserver", "-k")
        shutil.rmtree(os.path.dirname(TREE))


if __name__ == "__main__":
    main()
