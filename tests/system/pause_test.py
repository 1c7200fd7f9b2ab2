#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the match stands still while a menu is open: a real window under Xvfb, and
/status.json of the server that it starts. Escape, a lost focus and an unplugged gamepad pause a match against bots; with another human
nobody waits.

usage: pause_test.py DEADFALL DEADFALL-SERVER menu|focus|gamepad|others [VIRTUAL-PAD]
"""
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

from menu_test import Fault, Window, run_part
from processes import PATIENCE_S


class Arena:
    """A window and the reports of its own server."""

    def __init__(self, program, folder, *arguments):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        os.environ["DEADFALL_METRICS"] = f"127.0.0.1:{port}"  # read by the server alone
        self.url = f"http://127.0.0.1:{port}/status.json"
        self.window = Window(program, folder, "--name", "Ada", "--bots", "4", *arguments)
        del os.environ["DEADFALL_METRICS"]

    def match(self):
        with urllib.request.urlopen(self.url, timeout=5) as answer:
            return json.load(answer)["match"]

    def places(self):
        return [(player["name"], *player["box"][:2]) for player in self.match()["players"]]

    def wait_phase(self, pauses):
        """Returns how long it took, s."""
        begin = time.monotonic()
        while time.monotonic() < begin + PATIENCE_S:
            if (self.match()["phase"] == "paused") == pauses:
                return time.monotonic() - begin
            time.sleep(0.02)
        raise Fault(f"the match is {self.match()['phase']}:\n{self.window.log()[-2000:]}")

    def stands(self, what):
        """The clock and all players stand still for two seconds, and then go on."""
        took = self.wait_phase(True)
        time.sleep(1.2)  # the server renews its status once a second
        before, clock = self.places(), self.match()["clock_s"]
        time.sleep(2)
        if self.places() != before or self.match()["clock_s"] != clock:
            raise Fault(f"{what}: the match says that it is paused, and moves")
        print(f"{what}: stood still {took:.2f} s later", flush=True)

    def moves(self, what):
        took = self.wait_phase(False)
        before = self.places()
        time.sleep(2.5)
        if self.places() == before:
            raise Fault(f"{what}: nobody moves")
        print(f"{what}: went on {took:.2f} s later", flush=True)


def menu(program, _server, folder):
    arena = Arena(program, folder, "--host")
    window = arena.window
    try:
        at = window.wait(r"joined as player \d+ of map foundry")
        arena.moves("begin")
        for _ in range(2):
            window.press("Escape")
            at = window.wait(r"screen pause\n", at)
            arena.stands("Escape")
            window.press("Up", "Up", "Return")  # deeper in the menus as well
            at = window.wait(r"screen settings\n", at)
            arena.stands("Settings")
            window.press("Escape")
            at = window.wait(r"screen pause\n", at)
            window.press("Escape")
            at = window.wait(r"screen match\n", at)
            arena.moves("Resume")
        window.press("Escape", "Escape", "Escape", "Escape")  # faster than the server answers
        arena.moves("Escape four times")
    finally:
        window.close()


def root_of(window):
    text = subprocess.run(["xdpyinfo"], env=window.environment, capture_output=True, text=True, check=True).stdout
    return re.search(r"root window id:\s+(0x[0-9a-f]+)", text).group(1)


def focus(program, _server, folder):
    arena = Arena(program, folder)
    window = arena.window
    try:
        at = window.wait(r"screen title\n")
        window.press("Return")  # play now
        at = window.wait(r"joined as player \d+ of map foundry", at)
        arena.moves("begin")
        window.xdotool("windowfocus", root_of(window))
        at = window.wait(r"screen pause\n", at)
        arena.stands("lost focus")
        window.xdotool("search", "--name", "^Deadfall$", "windowfocus")
        time.sleep(0.5)
        arena.stands("focus again")  # until the player is ready
        window.press("Escape")
        at = window.wait(r"screen match\n", at)
        arena.moves("Resume")
    finally:
        window.close()


def gamepad(program, _server, folder):
    arena = Arena(program, folder, "--host")
    window = arena.window
    try:
        at = window.wait(r"joined as player \d+ of map foundry")
        window.pad("plug", "A", "A")
        arena.moves("begin")
        window.pad("unplug")
        at = window.wait(r"The gamepad was disconnected", at)
        at = window.wait(r"screen pause\n", at)
        arena.stands("unplugged gamepad")
        window.pad("plug", "B")
        at = window.wait(r"screen match\n", at)
        arena.moves("Resume")
    finally:
        window.close()


def others(program, _server, folder):
    """A second human: the open menu stops pausing, and another menu pauses nobody."""
    arena = Arena(program, folder, "--host")
    window = arena.window
    second = None
    try:
        at = window.wait(r"joined as player \d+ of map foundry")
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        arena.stands("Escape")
        with urllib.request.urlopen(arena.url, timeout=5) as answer:
            status = json.load(answer)
        other = os.path.join(folder, "other")
        os.mkdir(other)
        second = Window(program, other, "--connect", f"127.0.0.1:{status['port']}", "--name", "Bo")
        second.wait(r"joined as player \d+ of map foundry")
        arena.moves("a second human")
        window.press("Escape")
        at = window.wait(r"screen match\n", at)
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        time.sleep(1.5)
        arena.moves("the menu of one of two")
        second.close()
        arena.stands("alone again")
    finally:
        window.close()
        if second:
            second.close()


if __name__ == "__main__":
    sys.exit(run_part({"menu": menu, "focus": focus, "gamepad": gamepad, "others": others}, "xdpyinfo"))
