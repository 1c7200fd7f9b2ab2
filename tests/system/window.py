# SPDX-License-Identifier: MIT
"""Real windows: X servers, the game in them or without a screen, and what its log says. --log-level debug shows what happens:
"screen NAME", "event ..."."""
import ctypes
import os
import re
import subprocess
import time

from processes import PATIENCE_S, check, read_text, wait_for

HEADLESS = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "SDL_RENDER_DRIVER": "software"}


def x_server(size="1280x720", *options):
    """Starts an X server. Returns its process and the name of its display."""
    process = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", f"{size}x24", "-noreset", *options], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    return process, f":{process.stdout.readline().strip()}"


def press(environment, *keys, held_s=0.06):
    """Presses keys of a display, each for a while, and as long until the next."""
    for key in keys:
        for word in ("keydown", "keyup"):
            subprocess.run(["xdotool", word, key], env=environment, check=True)
            time.sleep(held_s)


def close_window(found, display_name):
    """Closes the first of the windows that xdotool has found, as the button of a window manager does."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    window, display = int(found.split()[0]), ctypes.c_void_p(x11.XOpenDisplay(display_name.encode()))
    protocols, delete = (x11.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    event = (ctypes.c_long * 24)(33, 0, 0, 0, window, protocols, 32, delete)  # XClientMessageEvent, with longs as its data
    x11.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), event)
    x11.XCloseDisplay(display)


class Game:
    """The game with its log. Without an environment, it has no screen."""

    def __init__(self, program, folder, *arguments, environment=HEADLESS, log_path=None, state=None):
        self.log_path, self.state = log_path or os.path.join(folder, "client.log"), state or os.path.join(folder, "state")
        self.environment = {**os.environ, **environment}
        with open(self.log_path, "w", encoding="utf-8") as log:
            words = [program] if isinstance(program, str) else program
            self.process = subprocess.Popen([*words, "--state-dir", self.state, "--log-level", "debug", *arguments], env=self.environment,
                                            stderr=log)

    def log(self):
        return read_text(self.log_path)

    def mark(self):
        return len(self.log())

    def wait(self, pattern, since=0):
        """Until the log has the pattern behind a mark. Returns where it ends."""
        def found():
            ended = self.process.poll() is not None
            match = re.search(pattern, self.log()[since:])
            check(match or not ended, lambda: f"the window goes on until {pattern!r}:\n{self.log()[since:][-2500:]}")
            return match
        return since + wait_for(found, lambda: f"{pattern!r} in:\n{self.log()[since:][:1500]} ... {self.log()[-1500:]}").end()

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    def press(self, *keys):
        press(self.environment, *keys)

    def leave(self, since):
        """Leaves the match by the menu."""
        self.press("Escape")
        at = self.wait(r"screen pause\n", since)
        self.press("Up", "Return")
        self.wait(r"screen title\n", at)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE_S)


class Window(Game):
    """The game in an X server of its own, with its picture as a file in the folder."""

    def __init__(self, program, folder, *arguments):
        # No repeated keys: on a busy machine a press may last long.
        self.server, display = x_server("1024x640", "-fbdir", folder, "-r")
        super().__init__(program, folder, "--scale", "2", "--frame-limit", "30", *arguments,
                         environment={"DISPLAY": display, "SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy"})

    def children(self):
        return subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()

    def size(self):
        """Its left, top, width and height, px."""
        geometry = self.xdotool("search", "--name", "^Deadfall$", "getwindowgeometry")
        return tuple(map(int, re.search(r"Position: (-?\d+),(-?\d+)[^G]*Geometry: (\d+)x(\d+)", geometry).groups()))

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.server.terminate()  # at once: a window waits for answers of its X server, which a scene cannot see
        self.process.wait(PATIENCE_S)
        self.server.wait(PATIENCE_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
