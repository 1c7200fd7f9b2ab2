#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What players at a real window see when a real server restarts, crashes, stays away, drains or closes, and that both players of
one window come back to their places.

usage: away_test.py DEADFALL DEADFALL-SERVER DEADFALL-ADMIN
"""
import os
import re
import signal
import struct
import sys
import tempfile
import time

from processes import Server, check, need, run_at_once, wait_for
from window import Window

DEADFALL, SERVER, ADMIN = (os.path.abspath(path) for path in sys.argv[1:4])
RESTARTING = r"The server is restarting\.\n"
JOINED = r"joined as player 0"


class Evening:
    """Two players at one window, on a server."""

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory()
        self.options = ("--bots", "0", "--time-limit", "0", "--score-limit", "0", "--log-level", "debug", *options)
        os.mkdir(os.path.join(self.folder.name, "server"))
        self.server = Server(SERVER, *self.options, folder=os.path.join(self.folder.name, "server"), admin=ADMIN)
        self.window = Window(DEADFALL, self.folder.name, "--connect", self.server.place, "--name", "Ada", "--screen", "players")
        at = self.window.wait(r"screen players\n")
        self.window.press("space", "Shift_R", "Shift_R")  # the second one joins, and is ready
        at = self.window.wait(r"joined as player 1 of", at)
        self.window.press("Escape", "Escape")
        self.at = self.window.wait(r"screen match\n", at)
        time.sleep(1)

    def places(self):
        """Returns the names by slot of those who play."""
        rows = re.findall(r'^#(\d+) "(Ada.*?)"', self.server.ask("status").stdout, re.M)
        return {int(slot): name for slot, name in rows}

    def wait(self, pattern):
        self.at = self.window.wait(pattern, self.at)

    def both_are_back(self, before):
        wait_for(lambda: self.places() == before, lambda: f"both have their places again: {before}, then {self.places()}")
        mark = self.window.mark()
        for key, event in (("space", r"event jump subject=0 \(you\)"), ("Shift_R", r"event jump subject=1 ")):
            def jumps():
                self.window.press(key)
                return re.search(event, self.window.log()[mark:])

            wait_for(jumps, f"{key} jumps")  # they may be dead for a moment

    def picture(self, rows=320):
        """Returns the uppermost rows of the screen: half of them, where no message stands."""
        with open(os.path.join(self.folder.name, "Xvfb_screen0"), "rb") as file:
            header = struct.unpack(">25I", file.read(100))
            file.seek(header[0] + 12 * header[19])
            return file.read(header[12] * rows)

    def end(self):
        self.window.end()
        if self.server.process.poll() is None:
            self.server.end(signal.SIGKILL)
        self.folder.cleanup()


def evening(*options):
    """Makes a test of a function of an evening."""
    def decorate(function):
        def run():
            one = Evening(*options)
            function(one)
            one.end()
        run.__name__ = function.__name__
        return run
    return decorate


@evening()
def a_restart_holds_the_picture(one):
    before = one.places()
    one.server.process.send_signal(signal.SIGUSR2)
    one.wait(RESTARTING)
    one.server.process.send_signal(signal.SIGSTOP)  # so that it takes longer
    mark = one.at
    time.sleep(0.2)
    first = one.picture()
    for _ in range(30):
        check(one.picture() == first, "the picture moves")
        time.sleep(0.02)
    one.window.press("Escape")
    one.wait(r"screen pause\n")
    time.sleep(0.5)
    beside_menu = one.picture(80)
    time.sleep(0.5)
    check(one.picture(80) == beside_menu, "the picture below the menu becomes darker")
    one.window.press("Up", "Up", "Return")
    one.wait(r"screen settings\n")
    one.window.press("Escape", "Escape")
    one.wait(r"screen match\n")
    time.sleep(0.2)
    check(one.picture() == first, "the menu leaves traces in the picture")
    check(JOINED not in one.window.log()[mark:], "the server was stopped too late")
    one.server.process.send_signal(signal.SIGCONT)
    one.wait(JOINED)
    one.both_are_back(before)


@evening()
def a_crash_is_over_when_the_server_is_back(one):
    before = one.places()
    for pause_s in (0, 2):
        one.server.end(signal.SIGKILL)
        time.sleep(pause_s)
        one.server = one.server.again()
        one.wait(RESTARTING)
        one.wait(JOINED)
        one.both_are_back(before)


@evening()
def a_server_that_stays_away_for_long_is_found_again(one):
    before = one.places()
    one.server.end(signal.SIGKILL)
    one.wait(r"The connection to the server was lost\. Trying to connect again\.")
    time.sleep(5)
    one.server = one.server.again()
    one.wait(JOINED)
    one.both_are_back(before)


@evening()
def a_server_that_closes_says_goodbye(one):
    one.server.end(signal.SIGINT)
    one.wait(r"The server is closing: choose another one or try again later\.")
    one.wait(r"screen disconnected\n")
    one.window.press("Down", "Return")
    one.wait(r"screen title\n")


CASES = (a_restart_holds_the_picture, a_crash_is_over_when_the_server_is_back, a_server_that_stays_away_for_long_is_found_again,
         a_server_that_closes_says_goodbye)


need("Xvfb", "xdotool")
run_at_once(CASES)
