#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Friends in three real windows, a real directory and a real server, on a network of their own: Anna and Bert have added
each other, Carl has added Anna alone. Anna sees where Bert plays and joins him from the list; Carl sees nothing, and
nobody sees him. Nothing that the directory gets has a name, a key or an address in it. A directory that is dead, lies or
is slow changes nothing but that.

usage: friends_test.py DEADFALL DEADFALL-SERVER DEADFALL-DIRECTORY
"""
import os
import re
import sys
import tempfile
import time
import urllib.error
import urllib.request

from namespaces import go_inside
from processes import Directory, Server, check, read_text, run, wait_for
from sites import Quiet, Site
from window import Window

PROGRAM, SERVER, DIRECTORY = (os.path.abspath(path) for path in sys.argv[1:4])
HOST = "203.0.113.5"
LINE = f"""set -e
ip link set lo up
ip link add line type veth peer name other
ip link set other up
ip addr add {HOST}/24 dev line
ip link set line up"""


class Relay(Quiet):
    """What a directory could write down, and how it could fail."""
    target, mode, heard = "", "honest", []

    def do_GET(self):  # noqa: the name that http.server wants
        self.answer(*self.ask(None))

    def do_POST(self):  # noqa
        body = self.body()
        Relay.heard.append(body)
        status, answer = self.ask(body)
        if Relay.mode == "lies":
            answer = b"DFN1" + bytes([len(body) % 64]) + os.urandom(280 * (len(body) % 64))
        if Relay.mode == "slow":
            time.sleep(5)
        self.answer(status, answer)

    def ask(self, body):
        try:
            with urllib.request.urlopen(urllib.request.Request(Relay.target + self.path, data=body), timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


class Player:
    def __init__(self, folder, name, url):
        self.folder, self.name, self.url, self.key = os.path.join(folder, name), name, url, None
        os.makedirs(self.folder)
        self.open("--screen", "friends")
        self.window.wait(r"screen friends\n")
        self.window.press("Return", "Down", "Down", "Return")  # friends see where I play; copy my key
        at = self.window.wait(r"copy deadfall://friend/\w{56}\n")
        self.key = re.findall(r"copy (deadfall://friend/\w{56})\n", self.window.log()[:at])[-1]

    def open(self, *more):
        self.window = Window(PROGRAM, self.folder, "--directory", self.url, "--lan-port", "9", "--scale", "1", "--frame-limit", "30", "--name",
                                       self.name, *more)

    def add(self, other):
        """Types the key of another player into the field."""
        self.window.press("Down", "Return")
        self.window.xdotool("type", "--delay", "20", other.key)
        self.window.press("Return")
        self.window.wait(rf"friend {other.short()} away")

    def short(self):
        return self.key[len("deadfall://friend/"):][:8]

    def settings(self):
        return read_text(os.path.join(self.window.state, "settings"))


def play(folder):
    Relay.target, url = Directory(DIRECTORY, os.path.join(folder, "directory"), listen=(f"{HOST}:0",)).url, Site(handler=Relay, host=HOST).url
    server = Server(SERVER, "--name", "Smithy", "--announce", Relay.target, bind=HOST)
    anna, bert, carl = (Player(folder, name, url) for name in ("Anna", "Bert", "Carl"))
    anna.add(bert)
    bert.add(anna)
    carl.add(anna)
    anna.window.wait(rf"friend {bert.short()} online Bert -")
    bert.window.wait(rf"friend {anna.short()} online Anna -")
    print("two who have added each other see each other")

    at = bert.window.mark()
    bert.window.press("Escape")  # which saves the list
    bert.window.wait(r"screen title\n", at)
    bert.window.end()
    place = f"{HOST}:{server.port}#{server.key}"
    at = anna.window.mark()
    bert.open("--connect", place)
    bert.window.wait(r"joined as player \d+ of map")
    at = anna.window.wait(rf"friend {bert.short()} online Bert {re.escape(place)}\n", at)
    bert.window.wait(rf"friend {anna.short()} online Anna -")
    anna.window.press("Down", "Return")  # the first friend
    anna.window.wait(r"joined as player \d+ of map", at)
    bert.window.wait(rf"friend {anna.short()} online Anna {re.escape(place)}\n")
    print("Anna has joined Bert")

    check("online" not in carl.window.log(), "Carl sees nobody")
    check(carl.short() not in anna.window.log() + bert.window.log(), "nobody sees Carl")
    written = b"".join(Relay.heard)
    for secret in (b"Anna", b"Bert", b"Smithy", HOST.encode(), server.key.encode(), anna.short().encode()):
        check(secret not in written, f"the directory does not learn {secret}")
    check(len(Relay.heard) >= 6 and {len(body) for body in Relay.heard} == {6 + 4 * 280 + 8 * 16},
          "requests with one friend and with four are alike")

    for mode in ("lies", "slow"):
        Relay.mode = mode
        count, since = len(Relay.heard), anna.window.mark()
        wait_for(lambda: len(Relay.heard) >= count + 3, f"requests to a directory that is {mode}")
        check(anna.window.process.poll() is None, "the window goes on")
        anna.window.press("F3", "F3")
        check("Carl" not in anna.window.log()[since:], "and nobody appears")
        print(f"a directory that is {mode} changes nothing")
    Relay.mode = "honest"

    carl.window.end()
    at = anna.window.mark()
    bert.window.end()
    anna.window.wait(rf"friend {bert.short()} away", at)
    print("who leaves is gone")
    anna.window.end()
    check("friends-see = on" in anna.settings() and "=Bert" in anna.settings(), "the list is kept")
    server.end()  # which says goodbye to the directory


go_inside()
run("sh", "-c", LINE)
with tempfile.TemporaryDirectory() as place:
    play(place)
