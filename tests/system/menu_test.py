#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the real window client under Xvfb with xdotool: from the title by keys and mouse to a match against bots, its
scoreboard, the settings, a key bound again and used, and back; joins a server found on this machine.
--log-level debug shows what happens: "screen NAME", "event ...".

usage: menu_test.py DEADFALL DEADFALL-SERVER menus|lesson|join|forged|live|password|banned|vote|pads|fullscreen [VIRTUAL-PAD]
"""
import functools
import http.server
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from processes import PATIENCE_S, wait_for  # ends all that it starts

ATTEMPTS = 3
# A library that is a gamepad, for the part of pads.
VIRTUAL_PAD = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None


class Fault(Exception):
    pass


class Window:
    """A client in its own X server."""

    def __init__(self, program, folder, *arguments):
        read, write = os.pipe()
        # No repeated keys: on a busy machine a press may last long.
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x640x24", "-fbdir", folder, "-r"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as display:
            number = display.readline().strip()
        self.environment = dict(os.environ, DISPLAY=f":{number}", SDL_VIDEODRIVER="x11", SDL_AUDIODRIVER="dummy")
        if VIRTUAL_PAD:
            path = os.path.join(folder, "pad")
            os.mkfifo(path)
            self.pad_pipe = os.open(path, os.O_RDWR)  # which waits for no reader
            self.environment.update(VIRTUAL_PAD=path, LD_PRELOAD=VIRTUAL_PAD,
                                    SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS="1")
        self.log_path = os.path.join(folder, "client.log")
        self.state = os.path.join(folder, "state")
        with open(self.log_path, "w", encoding="utf-8") as log:
            self.client = subprocess.Popen([program, "--state-dir", self.state, "--log-level", "debug", "--scale", "2",
                                            *arguments], env=self.environment, stderr=log)

    def pad(self, *lines):
        """What a pad does: a name is a press of that button, anything else a line of virtual_pad.c."""
        buttons = {"A": 0, "B": 1, "X": 2, "Y": 3, "Back": 4, "Start": 6, "Up": 11, "Down": 12, "Left": 13, "Right": 14}
        for line in lines:
            steps = [f"down {buttons[line]}", f"up {buttons[line]}"] if line in buttons else [line]
            for step in steps:
                os.write(self.pad_pipe, (step + "\n").encode())
                time.sleep(0.08)

    def close(self):
        for process in (self.client, self.server):
            if process.poll() is None:
                process.terminate()
        self.client.wait(20)
        self.server.wait(20)
        if VIRTUAL_PAD:
            os.close(self.pad_pipe)

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def children(self):
        return subprocess.run(["pgrep", "-P", str(self.client.pid)], capture_output=True, text=True).stdout.split()

    def mark(self):
        return len(self.log())

    def wait(self, pattern, since=0):
        """Until the log has the pattern behind a mark; returns where it ends."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = re.search(pattern, self.log()[since:])
            if found:
                return since + found.end()
            if self.client.poll() is not None:
                break
            time.sleep(0.05)
        raise Fault(f"waited in vain for {pattern!r}:\n{self.log()[since:][:1500]} ... {self.log()[-1500:]}")

    def xdotool(self, *words):
        subprocess.run(["xdotool", *words], env=self.environment, check=True)

    def press(self, *keys):
        for key in keys:
            self.xdotool("keydown", key)
            time.sleep(0.06)
            self.xdotool("keyup", key)
            time.sleep(0.06)

    def leave(self, since):
        """Leaves the match by the menu."""
        self.press("Escape")
        at = self.wait(r"screen pause\n", since)
        self.press("Up", "Return")
        self.wait(r"screen title\n", at)

    def size(self):
        """Its left, top, width and height, px."""
        geometry = subprocess.run(["xdotool", "search", "--name", "^Deadfall$", "getwindowgeometry"],
                                  env=self.environment, capture_output=True, text=True, check=True).stdout
        return tuple(map(int, re.search(r"Position: (-?\d+),(-?\d+)[^G]*Geometry: (\d+)x(\d+)", geometry).groups()))

    def click(self, x, y):
        """At a place of the canvas; the window of 960 x 540 stands in the middle of the screen."""
        left, top, _, _ = self.size()
        self.xdotool("mousemove", str(left + 2 * x), str(top + 2 * y))
        time.sleep(0.1)
        self.xdotool("click", "1")


def menus(program, _server, folder):
    window = Window(program, folder, "--name", "Ada")
    try:
        at = window.wait(r"screen title\n")
        window.press("Return")  # play now
        at = window.wait(r"screen match\n", at)
        at = window.wait(r"joined as player \d+ of map foundry", at)
        window.press("space")
        window.wait(r"event jump .*\(you\)", at)
        window.xdotool("keydown", "Tab")
        time.sleep(0.5)
        window.xdotool("keyup", "Tab")
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        window.press("Up", "Up", "Return")  # leave, settings
        at = window.wait(r"screen settings\n", at)
        window.press("Down", "Down", "Down", "Return")
        at = window.wait(r"screen keys\n", at)
        window.press("Down", "Down", "Down", "Down", "Return", "g")  # jump
        window.press("Escape")
        at = window.wait(r"screen settings\n", at)
        with open(os.path.join(window.state, "settings"), encoding="utf-8") as kept:
            if "\nkey-jump = 10\n" not in kept.read():
                raise Fault("the key was not kept")
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        window.press("Escape")
        at = window.wait(r"screen match\n", at)
        end = time.monotonic() + PATIENCE_S
        while not re.search(r"event jump .*\(you\)", window.log()[at:]):  # the player may be dead for a moment
            window.press("g")
            if time.monotonic() > end:
                raise Fault(f"G does not jump:\n{window.log()[-2000:]}")
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        window.press("Down", "Return")
        at = window.wait(r"screen change\n", at)
        server = window.children()
        window.press("Left", "Down", "Right", "Right")  # the map before this one; automatic, ffa, lms
        window.press("Down", "Down", "Down", "Down", "Return")
        at = window.wait(r"say /mode lms colosseum\n", at)
        at = window.wait(r"screen match\n", at)
        at = window.wait(r"plays lms on colosseum\n", at)
        if not server or window.children() != server:
            raise Fault("another server was begun, where the same should have gone on")
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        window.press("Up", "Return")
        at = window.wait(r"screen title\n", at)
        window.click(90, 274)  # settings, by the mouse
        at = window.wait(r"screen settings\n", at)
        window.press("Escape")
        at = window.wait(r"screen title\n", at)
        window.press("Up", "Return")  # replays: what was just hosted is the newest
        at = window.wait(r"screen replays\n", at)
        window.press("Down", "Return")  # below the live matches
        at = window.wait(r"screen match\n", at)
        time.sleep(0.5)
        window.press("Escape")
        at = window.wait(r"screen replays\n", at)
        window.press("Escape")
        at = window.wait(r"screen title\n", at)
        window.press("Down", "Down", "Return")  # quit: the focus is where it was, on the replays
        if window.client.wait(20) != 0:
            raise Fault(f"it ended with {window.client.returncode}:\n{window.log()[-2000:]}")
    finally:
        window.close()


def start_server(server, folder, *arguments):
    process = subprocess.Popen([server, "--port", "0", "--state-dir", os.path.join(folder, "server"), "--bots", "2",
                                "--duration", "120", "--log-level", "warning", *arguments],
                               stdout=subprocess.PIPE, text=True)
    ready = process.stdout.readline()
    return process, re.search(r":(\d+) ", ready).group(1)


def join_from_list(window):
    """Joins the server that the list of the local network shows. Returns where the log goes on."""
    at = window.wait(r"screen title\n")
    window.press("Down", "Down", "Return")
    at = window.wait(r"screen join\n", at)
    time.sleep(3)
    window.press(*["Down"] * 8, "Return")  # past the seven items and the titles of the columns
    return at


def join(program, server, folder):
    """A server on this machine is found by its answer to a broadcast and joined. When it ends, the window says so and tries again."""
    running, port = start_server(server, folder, "--name", "Smithy")
    window = Window(program, folder, "--lan-port", port)
    try:
        at = join_from_list(window)
        at = window.wait(r"joined as player \d+", at)
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        window.press("Escape")
        at = window.wait(r"screen match\n", at)
        with open(os.path.join(window.state, "settings"), encoding="utf-8") as kept:
            if not re.search(rf"\nrecent = [^\n]*:{port}", kept.read()):
                raise Fault("the server is not among those that were joined")
        running.terminate()
        at = window.wait(r"The server is closing", at)
        at = window.wait(r"screen disconnected\n", at)
        for _ in range(2):
            window.press("Return")
            at = window.wait(r"No server answers there", at)
            at = window.wait(r"screen error\n", at)
        window.press("Escape")
        window.wait(r"screen title\n", at)
    finally:
        window.close()
        running.terminate()
        running.wait(20)


class Liar(threading.Thread):
    """Claims in the list of servers to be another, and passes everything else on to a server."""

    def __init__(self, port, key):
        super().__init__(daemon=True)
        self.info = b"\xff\xff\xff\xffI\x11Smithy\0duel\0deadfall\0Deadfall\0\0\0\0\x08\0dl\0\x000.1.0\0\x20ffa,key." + key.encode() + b"\0"
        self.front, self.back = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        self.front.bind(("", 0))
        self.back.connect(("127.0.0.1", int(port)))
        self.port = str(self.front.getsockname()[1])
        self.start()

    def run(self):
        client = None
        while True:
            for ready in select.select([self.front, self.back], [], [])[0]:
                if ready is self.back:
                    self.front.sendto(self.back.recv(65536), client)
                    continue
                datagram, sender = self.front.recvfrom(65536)
                if datagram[:4] == b"\xff\xff\xff\xff":
                    self.front.sendto(self.info if len(datagram) > 25 else b"\xff\xff\xff\xffA1234", sender)
                else:
                    client = sender
                    self.back.send(datagram)


def forged(program, server, folder):
    """A server that answers the broadcast with the key of another gets nobody's join."""
    running, port = start_server(server, folder)
    window = Window(program, folder, "--lan-port", Liar(port, "abcdefghijklmnopqrstuvwxyz234567").port)
    try:
        at = join_from_list(window)
        at = window.wait(r"has the key [a-z2-7]{32}, but you asked for abcdefghijklmnopqrstuvwxyz234567|joined as player", at)
        if "joined as player" in window.log():
            raise Fault("a server was joined in the name of another")
    finally:
        window.close()
        running.terminate()
        running.wait(20)


class Page(http.server.SimpleHTTPRequestHandler):
    """The files of a live stream."""

    def log_message(self, *_):
        pass


def live(program, server, folder):
    """A match that a server publishes is found through a directory and watched; Escape leads back to the list. The title shows it, too."""
    public = os.path.join(folder, "public")
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Page, directory=public))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    directory = subprocess.Popen([os.path.join(os.path.dirname(server), "deadfall-directory"), "--listen", "127.0.0.1:0",
                                  "--state-dir", os.path.join(folder, "directory")], stdout=subprocess.PIPE, text=True)
    url = "http://127.0.0.1:" + re.match(r"ready: http (\d+) ", directory.stdout.readline())[1]
    running, _ = start_server(server, folder, "--name", "Smithy", "--bots", "4", "--run-empty", "--publish", public, "--publish-url",
                              f"http://127.0.0.1:{site.server_address[1]}/", "--announce", url)
    wait_for(lambda: re.search(rb'"Smithy".*"interest": ?[1-9]|"interest": ?[1-9].*"Smithy"',
                               urllib.request.urlopen(url + "/servers.json", timeout=10).read(), re.S),
             "the list has the server, and that its match is worth watching")
    window = Window(program, folder, "--directory", url, "--screen", "live")
    try:
        at = window.wait(r"screen live\n")
        at = window.wait(r"list \S+ has 1 servers", at)
        window.press("Up", "Return")  # above the address
        at = window.wait(r"watches \S+ of Smithy from tick", at)
        at = window.wait(r"shows tick \d+", at)
        window.press("Escape")
        at = window.wait(r"screen live\n", at)
        window.press("Escape", "Escape")
        at = window.wait(r"screen title\n", at)
        window.press("Up", "Return")  # from the first item to the last, the best live match
        at = window.wait(r"watches \S+ of Smithy from tick", at)
    finally:
        window.close()
        site.shutdown()
        for process in running, directory:
            process.terminate()
            process.wait(20)


def password(program, server, folder):
    """For a server with a password, the window asks for one and joins with it; Escape leads back."""
    secret = os.path.join(folder, "secret")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("slag\n")
    os.chmod(secret, 0o600)
    running, port = start_server(server, folder, "--password-file", secret)
    window = Window(program, folder, "--connect", f"127.0.0.1:{port}")
    try:
        at = window.wait(r"screen password\n")
        window.press("Return", "w", "r", "Return")
        at = window.wait(r"asks for a password", at)
        at = window.wait(r"screen password\n", at)
        window.press("Return", "BackSpace", "BackSpace", "s", "l", "a", "g", "Return")
        at = window.wait(r"joined as player \d+", at)
        window.leave(at)
    finally:
        window.close()
        running.terminate()
        running.wait(20)


def banned(program, server, folder):
    """A ban with the word password in its reason is shown as a ban: the window asks for no password."""
    os.mkdir(os.path.join(folder, "server"))
    with open(os.path.join(folder, "server", "bans"), "w", encoding="utf-8") as file:
        file.write("127.0.0.0/8 never gave the password away\n")
    running, port = start_server(server, folder)
    window = Window(program, folder, "--connect", f"127.0.0.1:{port}")
    try:
        at = window.wait(r"gave the password away")
        window.wait(r"screen error\n", at)
    finally:
        window.close()
        running.terminate()
        running.wait(20)


def pads(program, _server, folder):
    """From the title to a match, its pause and back by a pad alone; it is pulled out, plugged in, and plays on."""
    window = Window(program, folder, "--name", "Ada")
    try:
        at = window.wait(r"screen title\n")
        window.pad("plug", "Down", "Down", "Down", "A")
        at = window.wait(r"screen host\n", at)
        window.pad("B")
        at = window.wait(r"screen title\n", at)
        window.pad(*["axis 1 -32768", "axis 1 0"] * 3, "A")  # the stick goes up to the first
        at = window.wait(r"joined as player \d+ of map foundry", at)
        for press, event in (("A", "jump"), ("B", "dash"), ("X", "shoot")):
            end = time.monotonic() + PATIENCE_S
            while not re.search(rf"event {event} .*\(you\)", window.log()[at:]):  # the player may be dead for a moment
                window.pad(press)
                if time.monotonic() > end:
                    raise Fault(f"{press} does not {event}:\n{window.log()[-2000:]}")
        window.pad("Start")
        at = window.wait(r"screen pause\n", at)
        window.pad("B")
        at = window.wait(r"screen match\n", at)
        window.pad("unplug")
        at = window.wait(r"screen pause\n", at)
        window.pad("plug")
        window.pad("Up", "A")  # leave
        at = window.wait(r"screen title\n", at)
        window.pad("Up", "A")  # quit
        if window.client.wait(20) != 0:
            raise Fault(f"it ended with {window.client.returncode}:\n{window.log()[-2000:]}")
    finally:
        window.close()


def vote(program, server, folder):
    """The match ends, a map is chosen by the key on its plate, and all players play it."""
    running, port = start_server(server, folder, "--map", "duel", "--rotation", "duel,foundry,clockwork",
                                 "--time-limit", "2s")
    window = Window(program, folder, "--connect", f"127.0.0.1:{port}")
    try:
        at = window.wait(r"plays ffa on duel\n")
        at = window.wait(r"vote: Which map is next\? foundry, clockwork, duel\n", at)
        window.press("2")
        at = window.wait(r"say /vote 2\n", at)
        window.wait(r"plays ffa on clockwork\n", at)
    finally:
        window.close()
        running.terminate()
        running.wait(20)


def lesson(program, _server, folder):
    """From the title to a lesson, which a script plays, on to the next, and back; then the list says what was learned."""
    course = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../shared/maps/trials/lesson-drop.txt")
    window = Window(program, folder, "--name", "Ada", "--input-script", course)
    try:
        at = window.wait(r"screen title\n")
        window.press("Down", "Down", "Down", "Down", "Return")
        at = window.wait(r"screen alone\n", at)
        window.press("Return")
        at = window.wait(r"screen lessons\n", at)
        window.press("Down", "Down", "Down", "Return")
        at = window.wait(r"course lesson-drop\n", at)
        at = window.wait(r"course lesson-drop done in \d+ ticks\n", at)
        if not os.path.exists(os.path.join(window.state, "trials", "lesson-drop.dfr")):
            raise Fault("the lesson left no record")
        window.press("r")
        at = window.wait(r"course lesson-drop done in \d+ ticks\n", at)
        end = time.monotonic() + PATIENCE_S
        while "course lesson-wall-jump\n" not in window.log()[at:] and time.monotonic() < end:
            window.press("space")  # the next one, once the result has been seen
        at = window.wait(r"course lesson-wall-jump\n", at)
        window.press("Escape")
        at = window.wait(r"screen trial\n", at)
        window.press("Down", "Down", "Return")
        at = window.wait(r"screen lessons\n", at)
        window.press("Escape", "Escape")
        window.wait(r"screen title\n", at)
    finally:
        window.close()


def fullscreen(program, _server, folder):
    """Without a window manager, too, the window has the whole screen from the start; F11 gives it back, and takes it."""
    window = Window(program, folder, "--fullscreen")

    def wait_for_size(*sizes):
        end = time.monotonic() + PATIENCE_S
        while (size := window.size()) not in sizes:
            if time.monotonic() > end:
                raise Fault(f"the window has {size}, not {sizes}")
            time.sleep(0.1)

    try:
        window.wait(r"screen title\n")
        wait_for_size((0, 0, 1024, 640))
        window.press("F11")
        wait_for_size((-128, -40, 1280, 720))  # --scale 2, in the middle
        window.press("F11")
        wait_for_size((0, 0, 1024, 640))
    finally:
        window.close()


def run_part(parts, *more_tools):
    """Runs the part that the command line names, on some failures again; returns what the program exits with."""
    for tool in ("Xvfb", "xdotool", *more_tools):
        if not shutil.which(tool):
            print(f"{tool} is missing: skipped")
            return 77
    program, server = (os.path.abspath(path) for path in sys.argv[1:3])
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with tempfile.TemporaryDirectory() as folder:
                parts[sys.argv[3]](program, server, folder)
            return 0
        except Fault as fault:
            print(f"attempt {attempt}: {fault}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(run_part({"menus": menus, "lesson": lesson, "join": join, "forged": forged, "live": live, "password": password, "banned": banned,
                       "vote": vote, "pads": pads, "fullscreen": fullscreen}))
