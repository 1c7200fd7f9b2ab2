#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The lobby of a real window under Xvfb: from the title to the first round with two players at one keyboard, by the
keycaps that the screens show; keys and gamepads mixed; a gamepad that is unplugged.

usage: lobby_test.py DEADFALL DEADFALL-SERVER keys|pads|teams|framing [VIRTUAL-PAD]
"""
import os
import re
import sys
import time

import processes  # ends all that it starts
from menu_test import Fault, Window, run_part
from pause_test import Arena

PRESSES_MAX = 12  # from the title to a round of two players


class Counted:
    """A window, and how many keys were pressed in it."""

    def __init__(self, window):
        self.window, self.count = window, 0

    def press(self, *keys):
        self.count += len(keys)
        self.window.press(*keys)


def kept(window, row):
    with open(os.path.join(window.state, "settings"), encoding="utf-8") as settings:
        found = re.search(rf"^{row} = (.*)$", settings.read(), re.MULTILINE)
    return found.group(1) if found else None


def keys(program, _server, folder):
    window = Window(program, folder, "--bots", "0", "--name", "Ada")
    counted = Counted(window)
    try:
        at = window.wait(r"screen title\n")
        begin = time.monotonic()
        counted.press("Down", "Return")
        at = window.wait(r"screen players\n", at)
        counted.press("space", "Shift_R")  # both stand there
        counted.press("d", "Down", "Down")  # a colour for the first, a hat for the second
        counted.press("space", "Shift_R")  # both are ready
        window.wait(r"plays lms on", at)
        window.wait(r"joined as player 0 of map", at)
        at = window.wait(r"joined as player 1 of map", at)
        window.wait(r"event round .* detail=2 ", at)  # the first round is being played
        print(f"{counted.count} presses and {time.monotonic() - begin:.1f} s from the title to the first round", flush=True)
        if counted.count > PRESSES_MAX:
            raise Fault(f"it took {counted.count} presses")
        window.press("Shift_R")
        window.wait(r"event jump subject=1 other", at)
        window.press("space")
        window.wait(r"event jump subject=0 \(you\)", at)
        window.press("Escape")
        at = window.wait(r"screen pause\n", at)
        window.press("Up", "Return")  # leave
        at = window.wait(r"screen title\n", at)
        if kept(window, "hat-second") != "top-hat":
            raise Fault(f"the hat of the second player was not kept: {kept(window, 'hat-second')}")
        window.press("Down", "Return")
        at = window.wait(r"screen players\n", at)
        window.press("m", "n")  # the mode after this one, which suits the map, and the next map that suits it
        window.xdotool("keydown", "Return")  # both still stand there: start is held
        at = window.wait(r"screen match\n", at)
        window.xdotool("keyup", "Return")
        window.wait(r"plays teams on clockwork", at)
    finally:
        window.close()


PLAYSTATION, SWITCH = "plug 0x054C 0x0CE6", "plug 0x057E 0x2009"


def pads(program, _server, folder):
    """Keys and two pads in one match; one pad is pulled out, is named, and gives its player back. Deaths are felt."""
    window = Window(program, folder, "--bots", "6", "--name", "Ada")
    try:
        at = window.wait(r"screen title\n")
        window.pad("pad 0", PLAYSTATION, "pad 1", SWITCH)
        window.pad("Down", "A")  # the menus take any pad
        at = window.wait(r"screen players\n", at)
        window.pad("A", "Right")
        window.press("space", "w")
        window.pad("pad 0", "A", "Up", "A", "pad 1", "A")
        window.press("space")
        window.wait(r"joined as player \d+ of map", at)
        for _ in range(3):
            at = window.wait(r"joined as player \d+ of map", at)
        at = window.wait(r"virtual pad \d: rumble [1-9]\d* \d+\n", at)  # bots are about
        window.pad("pad 0", "unplug")
        at = window.wait(r"The gamepad of player 3 was disconnected", at)
        at = window.wait(r"screen players\n", at)
        window.pad("pad 1", "unplug", "pad 0", PLAYSTATION)
        window.wait(r"The gamepad of player 1 was disconnected", at)
        window.pad("A")
        time.sleep(2)
        if "screen match" in window.log()[at:]:
            raise Fault("the match went on without the gamepad of player 1")
        window.pad("pad 1", SWITCH, "A")  # all are ready again
        window.wait(r"screen match\n", at)
    finally:
        window.close()


MAPS = "foundry", "clockwork", "skyline", "breakout", "duel", "colosseum"
FRAMED_TICKS = 1800  # of the four together, on each map


def framing(program, _server, folder):
    """Two sets of keys and two pads run and jump apart on every map; nobody is ever outside the picture."""
    for name in MAPS:
        place = os.path.join(folder, name)
        os.mkdir(place)
        window = Window(program, place, "--bots", "0", "--name", "Ada", "--map", name)
        try:
            at = window.wait(r"screen title\n")
            window.pad("pad 0", PLAYSTATION, "pad 1", SWITCH)
            window.press("Down", "Return")
            at = window.wait(r"screen players\n", at)
            window.press("space", "Shift_R")
            window.pad("pad 0", "A", "A", "pad 1", "A", "A")
            window.press("space", "Shift_R")
            for _ in range(4):
                at = window.wait(r"joined as player \d+ of map", at)
            end = time.monotonic() + 60
            ways, ticks, outside = ("a", "d"), 0, 0
            while ticks < FRAMED_TICKS:
                if time.monotonic() > end:
                    raise Fault(f"only {ticks} ticks were framed on {name}")
                ways = ways[::-1]
                window.pad("pad 0", f"axis 0 {-32000 if ways[0] == 'a' else 32000}", "A", "pad 1",
                           f"axis 0 {32000 if ways[0] == 'a' else -32000}", "A")
                window.xdotool("keydown", ways[0], "keydown", "Left" if ways[0] == "d" else "Right")
                window.press("space", "Shift_R", "space", "Shift_R")
                window.xdotool("keyup", ways[0], "keyup", "Left" if ways[0] == "d" else "Right")
                found = re.findall(r"framing: (\d+) ticks of players here, (\d+) of them", window.log())
                if found:
                    ticks, outside = map(int, found[-1])
            print(f"{name}: {outside} of {ticks} ticks of local players were outside the picture", flush=True)
            if outside:
                raise Fault(f"players were outside the picture of {name}: {outside} of {ticks} ticks")
        finally:
            window.close()


def teams(program, _server, folder):
    """Both choose the blue team in the lobby, and the server has them there, match after match."""
    arena = Arena(program, folder)
    window = arena.window
    try:
        at = window.wait(r"screen title\n")
        window.press("Down", "Return")
        at = window.wait(r"screen players\n", at)
        window.press("space", "Shift_R", "m")  # teams are the mode after the rounds with one life
        window.press("x", "d", "s", "slash", "Right", "space", "Shift_R")
        window.wait(r"plays teams on", at)
        end = time.monotonic() + 20
        while True:
            found = {player["name"]: player["team"] for player in arena.match()["players"]}
            if found.get("Ada") == found.get("Ada 2") == 1:
                break
            if time.monotonic() > end:
                raise Fault(f"the teams are {found}")
            time.sleep(0.5)
    finally:
        window.close()


if __name__ == "__main__":
    sys.exit(run_part({"keys": keys, "pads": pads, "teams": teams, "framing": framing}))
