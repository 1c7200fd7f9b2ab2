#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs for Windows, built on Debian and run by Wine: windows_test.py SOURCE_FOLDER SERVER BOTS REPLAY [CMAKE_OPTION]...

They replay the golden matches, keep a server's state in a folder with umlauts, play with programs of Linux in both directions,
host a match from the menus, follow links, obey deadfall-admin, stop when they are asked, and need no DLL that Windows does not have. It is a kind of
its own (tests/kinds).
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from processes import Bots, LOOPBACK, PATIENCE_S, Server, check, need, read_text, skip, wait_for, write
from window import close_window, press, x_server

SOURCE, SERVER, BOTS, REPLAY = sys.argv[1:5]
LIBRARIES = os.path.join(SOURCE, "build/portable")
EX_UNAVAILABLE = 69
TREE = ""  # the unpacked archive
SECONDS = 6
FRAMES = 3600  # a minute
LINKS, LINKS_OF_ALL = (rf"{root}\Software\Classes\deadfall" for root in ("HKCU", "HKLM"))
ARCHIVE_BYTES_MAX = 4_000_000
# What every Windows 10 has.
SYSTEM_DLLS = set("""advapi32 bcrypt crypt32 gdi32 imm32 iphlpapi kernel32 msvcrt ole32 oleaut32 psapi setupapi shell32 user32 version winmm
    ws2_32""".split())


def run(*words, timeout=1800, **more):
    done = subprocess.run(words, text=True, errors="replace", capture_output=True, timeout=timeout, check=False, **more)
    return done.returncode, done.stdout + done.stderr


def build():
    """Builds the programs and returns the folder that the archive holds, unpacked elsewhere."""
    need("x86_64-w64-mingw32-gcc-posix", "wine", "Xvfb", "xdotool", kind="windows")
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


def programs_say_what_they_are():
    """Their icon is that of desktops; the manifest and the version are inside."""
    code, output = run(sys.executable, os.path.join(SOURCE, "tests/tools/windows_icon.py"),
                       os.path.join(SOURCE, "client/app/desktop/net.deadfall.Deadfall.svg"),
                       os.path.join(SOURCE, "shared/packages/windows/deadfall.ico"), "--check")
    check(code == 0, output)
    for path in sorted(glob.glob(os.path.join(TREE, "*.exe"))):
        name = os.path.basename(path).removesuffix(".exe")
        with open(path, "rb") as opened:
            content = opened.read()
        words = content.decode("utf-16-le", "ignore") + content[1:].decode("utf-16-le", "ignore")
        check(re.search(rf"FileDescription\0+{name}: .*OriginalFilename\0+{name}\.exe\0", words, re.S), f"{name} has no version")
        pictures = 7 if name in ("deadfall", "deadfall-server") else 0
        check(b"activeCodePage" in content and content.count(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") == pictures, f"{name} has its manifest, and icon")
    with open(os.path.join(TREE, "README.txt"), "rb") as opened:
        prose = opened.read()
    check(prose.count(b"\n") == prose.count(b"\r\n") and b"VERSION" not in prose and b"SmartScreen" in prose, prose.decode())
    carried = {"SDL2": "libsdl2", "curl": "curl", "enet": "enet", "miniupnpc": "miniupnpc", "libsodium": "libsodium"}
    for file in carried.values():
        check(os.path.getsize(os.path.join(TREE, "licences", file)) > 500, f"the licence of {file} is there")


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
    totals = Bots(words, place, 4, "--verify", "2", *arguments, seconds=SECONDS).report()["totals"]
    check(totals["connected"] == 4 and totals["desyncs"] == 0 and totals["disconnects"] == 0, f"{words} play: {totals}")


def script(folder, name):
    """Returns a script that runs a program by Wine, for what takes one path."""
    path = os.path.join(folder, name)
    write(path, f'#!/bin/sh\nexec wine "{program(name)}" "$@"\n', 0o755)
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


class Screen:
    """A display for a while, with what a person does at it."""

    def __enter__(self):
        self.server, display = x_server()
        self.environment = {**os.environ, "DISPLAY": display}
        return self

    def __exit__(self, *_):
        run("wineserver", "-k")  # its windows are on that display
        self.server.terminate()
        self.server.wait()

    def press(self, *keys):
        press(self.environment, *keys, held_s=0.08)

    def close_window(self):
        found = run("xdotool", "search", "--onlyvisible", "--name", "^Deadfall$", env=self.environment, timeout=60)[1]
        close_window(found, self.environment["DISPLAY"])


class Window:
    """The game, started on a screen, with its log."""

    def __init__(self, screen, folder, *words):
        self.log_path = os.path.join(folder, "log")
        with open(self.log_path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(["wine", program("deadfall"), "--log-level", "debug", "--scale", "1", *words],
                                            env=screen.environment, stdout=subprocess.DEVNULL, stderr=log)

    def log(self):
        return read_text(self.log_path)

    def wait(self, pattern, since=0):
        def found():
            check(self.process.poll() in (None, 0), f"the window runs until {pattern!r}:\n{self.log()[since:][-2500:]}")
            return re.search(pattern, self.log()[since:])
        return wait_for(found, lambda: f"{pattern!r} in:\n{self.log()[since:][-2500:]}")

    def end(self):
        check(self.process.wait(PATIENCE_S) == 0, f"the window ends well:\n{self.log()[-2500:]}")


def windows_processes(name):
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0].decode("utf-8", "replace").replace("\\", "/").removesuffix(".exe").endswith(f"{TREE}/{name}"):
            found.append(path)
    return found


def a_window_joins_for_a_minute():
    with tempfile.TemporaryDirectory(prefix="Höhle ") as folder, Server(SERVER, "--map", "foundry", "--bots", "4") as running, Screen() as screen:
        picture = os.path.join(folder, "Bild.png")
        window = Window(screen, folder, "--connect", f"{LOOPBACK}:{running.port}", "--frames", str(FRAMES), "--screenshot", picture,
                        "--state-dir", os.path.join(folder, "Zustand"))
        check(window.process.wait(900) == 0 and os.path.getsize(picture) > 1000, window.log()[-2500:])
        counts = list(re.finditer(r"net: (\d+) snapshots, \d+ lost, \d+ corrections, (\d+) desyncs", window.log()))[-1]
        check(running.count("joins at slot") == 1 and int(counts[1]) > FRAMES / 2 and int(counts[2]) == 0, counts[0])
        check(os.path.exists(os.path.join(folder, "Zustand/player.key")), "the window keeps its key where it should")
    print(f"a window of Windows on a server of Linux, a minute: {counts[0]}")


def the_menus_host_a_match():
    """By the keyboard: Host, a server of its own, a choice that is kept; with the window the server ends."""
    with tempfile.TemporaryDirectory(prefix="Höhle ") as folder, Screen() as screen:
        state = os.path.join(folder, "Zustand äöü")
        window = Window(screen, folder, "--state-dir", state)
        window.wait(r"screen title\n")
        screen.press("Down", "Down", "Down", "Return")
        window.wait(r"screen host\n")
        screen.press("Down", "Right", "Up", "Return")
        window.wait(r"joined as player \d+ of map")
        window.wait(r"invitation deadfall://\S+:\d+#[a-z2-7]{32} ")
        check(len(windows_processes("deadfall-server")) == 1, "the window has started a server")
        mark = len(window.log())
        screen.press("Escape")
        window.wait(r"screen pause\n", mark)
        screen.close_window()
        window.end()
        wait_for(lambda: not windows_processes("deadfall-server"), "its server has ended")
        check(os.path.exists(os.path.join(state, "settings")), f"the settings are kept: {os.listdir(state)}")
    print("the menus hosted a match, and its server ended with the window")


def links_are_followed():
    """What is registered opens a link; the window that is open follows it, and asks first in a match."""
    code, output = run("wine", program("deadfall"), "--links", "register")
    check(code == 0 and "opens deadfall:// links" in output, f"exit {code}: {output}")
    command = run("wine", "reg", "query", LINKS + r"\shell\open\command")[1]
    check(re.search(r'REG_SZ\s+"[A-Z]:\\.*\\deadfall.exe" -- "%1"', command), f"what opens links: {command}")
    check("URL Protocol" in run("wine", "reg", "query", LINKS)[1], "it is a scheme")
    code, output = run("wine", program("deadfall"), "--", 'deadfall://192.0.2.7:1', "--host")  # a link with a quote in it
    check(code == 64, f"options in a link: exit {code}: {output}")
    check(run("wine", "reg", "copy", LINKS, LINKS_OF_ALL, "/s", "/f")[0] == 0, "Wine looks there alone")
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--map", "foundry") as running, Screen() as screen:
        window = Window(screen, folder)
        window.wait(r"screen title\n")
        for first in (True, False):
            mark = len(window.log())
            code, output = run("wine", "start", f"deadfall://{LOOPBACK}:{running.port}", env=screen.environment)
            check(code == 0, f"a link: exit {code}: {output}")
            if not first:
                window.wait(r"screen follow\n", mark)
                screen.press("Down", "Return")
            window.wait(r"joined as player \d+ of map", mark)
        check(len(windows_processes("deadfall")) == 1, "one window is open")
        screen.close_window()
        window.end()
    run("wine", "reg", "delete", LINKS_OF_ALL, "/f")
    code, output = run("wine", program("deadfall"), "--links", "remove")
    check(code == 0 and run("wine", "reg", "query", LINKS)[0] != 0, f"no links any more: exit {code}: {output}")
    print("a link was followed by the window that was open")


def a_server_obeys_its_admin():
    with tempfile.TemporaryDirectory(prefix="Bärenhöhle ") as folder:
        words = ["wine", program("deadfall-server"), "--port", "0", "--bind", LOOPBACK, "--bots", "4", "--state-dir", folder]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            check(process.stdout.readline().startswith("ready: "), "the server is ready")
            arena = os.path.join(folder, "admin.sock")
            admin = ["wine", program("deadfall-admin")]
            code, output = run(*admin, arena, "status")
            check(code == 0 and "foundry" in output, f"status: exit {code}: {output}")
            code, output = run(*admin, "--json", arena, "say", "Grüße")
            check(code == 0 and '"done":true' in output, f"say: exit {code}: {output}")
            check(run(*admin, arena, "kick", "Nobody")[0] == 1, "what is refused exits with 1")
            code, output = run(*admin, arena, input="help\n\nstatus\n")
            check(code == 0 and "tournament" in output and "foundry" in output, f"two commands: exit {code}: {output}")
            code, output = run(*words)  # it has the folder, and so the socket
            check(code != 0, f"a second server: exit {code}: {output}")
            check(run(*admin, arena, "shutdown")[0] == 0, "it is asked to end")
            log = process.communicate(timeout=PATIENCE_S)[1]
        check(process.returncode == 0, f"the server exits with {process.returncode}: {log}")
        code, output = run(*admin, arena, "status")
        check(code == 69, f"nobody answers any more: exit {code}: {output}")
    print("a server obeys deadfall-admin")


def routers_forward_its_port():
    """As port_mapping_test.py has it, by NAT-PMP and by UPnP, with a server of Windows in the home."""
    with tempfile.TemporaryDirectory() as folder:
        server = os.path.join(folder, "server")
        with open(server, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/bash
# A server of Windows in this network, with a Wine of its own. It ends as one of Linux does, by SIGTERM.
for word; do [ "$before" != --state-dir ] || state=$word; before=$word; done
wineserver -k -w
wine '{program("deadfall-server")}' "$@" &
trap "wine '{program("deadfall-admin")}' '$state/admin.sock' shutdown >/dev/null" TERM
wait $!
code=$?
[ $code -le 128 ] || {{ wait $!; code=$?; }}
exit $code
""")
        os.chmod(server, 0o755)
        code, output = run(sys.executable, os.path.join(SOURCE, "tests/system/port_mapping_test.py"),
                           os.path.join(os.path.dirname(SERVER), "deadfall-directory"), server, BOTS, "mapped_by_natpmp", "mapped_by_upnp")
        check(code in (0, 77), f"a server asks routers: exit {code}: {output[-4000:]}")
    print("no network namespaces here: no router was asked" if code else "a server had routers forward its port, by NAT-PMP and UPnP")


def main():
    global TREE
    TREE = build()
    os.environ.update(WINEPREFIX=os.path.join(LIBRARIES, "wine"), WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=")
    try:
        needs_only_the_dlls_of_windows()
        programs_say_what_they_are()
        golden_matches_are_equal()
        maps_are_checked()
        a_server_keeps_its_state_in_a_folder_with_umlauts()
        bots_play_on_a_server_of_linux()
        a_server_that_is_asked_to_stop_says_goodbye()
        a_server_obeys_its_admin()
        the_menus_host_a_match()
        links_are_followed()
        a_window_joins_for_a_minute()
        routers_forward_its_port()
    finally:
        run("wineserver", "-k")
        shutil.rmtree(os.path.dirname(TREE))


if __name__ == "__main__":
    main()
