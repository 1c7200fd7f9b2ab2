#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the real window client under Xvfb with xdotool, where more takes part than tests/screens has: a directory and
what it lists, or the size of the screen. --log-level debug shows what happens: "screen NAME", "event ...".

usage: menu_test.py DEADFALL DEADFALL-SERVER live|fullscreen
"""
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from processes import PATIENCE_S, wait_for  # ends all that it starts

ATTEMPTS = 3


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
        self.log_path = os.path.join(folder, "client.log")
        self.state = os.path.join(folder, "state")
        with open(self.log_path, "w", encoding="utf-8") as log:
            self.client = subprocess.Popen([program, "--state-dir", self.state, "--log-level", "debug", "--scale", "2",
                                            "--frame-limit", "30", *arguments], env=self.environment, stderr=log)

    def close(self):
        for process in (self.client, self.server):
            if process.poll() is None:
                process.terminate()
        self.client.wait(20)
        self.server.wait(20)

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


def start_server(server, folder, *arguments):
    process = subprocess.Popen([server, "--port", "0", "--state-dir", os.path.join(folder, "server"), "--bots", "2",
                                "--duration", "120", "--log-level", "warning", *arguments],
                               stdout=subprocess.PIPE, text=True)
    ready = process.stdout.readline()
    return process, re.search(r":(\d+) ", ready).group(1)


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
    sys.exit(run_part({"live": live, "fullscreen": fullscreen}))
