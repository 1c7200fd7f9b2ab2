#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From a link to the same match: a window hosts and invites; the link is on its clipboard, in its code and in its log. Two
others click the link, as a desktop opens it, and are in the match; nobody types an address. One of them has a window open
already, which follows the link, and asks first in a match. The host is asked before their window closes.

usage: invitation_test.py DEADFALL DESKTOP-FILE
"""
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from processes import PATIENCE_S, check, need, read_text, wait_for, write
from window import close_window, press, x_server

PROGRAM, DESKTOP = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
TOOLS = ("Xvfb", "xdotool", "xclip", "zbarimg", "ffmpeg", "xdg-mime", "xdg-open", "gio", "update-desktop-database")


class Person:
    """Somebody with a home folder, a runtime folder and a desktop that opens links with the game."""

    def __init__(self, folder, name, display):
        self.home = os.path.join(folder, name)
        self.log_path = os.path.join(self.home, "log")
        for path in ("run", "data/applications", "config", "state", "bin"):
            os.makedirs(os.path.join(self.home, path), mode=0o700)
        bin_folder = os.path.join(self.home, "bin")
        write(os.path.join(bin_folder, "deadfall"), f'#!/bin/sh\nexec {PROGRAM} --state-dir {self.home}/state --name {name} --scale 2 '
              f'--log-level debug "$@" 2>>{self.log_path}\n', 0o755)  # what the desktop entry starts
        shutil.copy(DESKTOP, os.path.join(self.home, "data/applications"))
        self.environment = {**os.environ, "HOME": self.home, "DISPLAY": display, "SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy",
                            "XDG_RUNTIME_DIR": os.path.join(self.home, "run"), "XDG_DATA_HOME": os.path.join(self.home, "data"),
                            "XDG_CONFIG_HOME": os.path.join(self.home, "config"), "PATH": f"{bin_folder}:{os.environ['PATH']}"}
        for word in ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP"):
            self.environment.pop(word, None)
        write(self.log_path, "")

    def run(self, *words, **how):
        return subprocess.run(words, env=self.environment, text=True, capture_output=True, timeout=60, check=False, **how)

    def start(self, *words):
        return subprocess.Popen(words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def log(self):
        return read_text(self.log_path)

    def wait(self, pattern, since=0):
        return wait_for(lambda: re.search(pattern, self.log()[since:]), lambda: f"{pattern!r} in:\n{self.log()[since:][-2500:]}")

    def windows(self):
        return self.run("xdotool", "search", "--onlyvisible", "--name", "^Deadfall$").stdout

    def close_window(self):
        close_window(self.windows(), self.environment["DISPLAY"])

    def press(self, *keys):
        press(self.environment, *keys)


def install(person):
    """Makes the game the one that opens such links, as an installation does; the desktop's own tools agree."""
    checked = person.run("desktop-file-validate", DESKTOP)
    check(checked.returncode == 0 and not checked.stdout, f"the desktop entry is valid: {checked.stdout}")
    person.run("update-desktop-database", os.path.join(person.home, "data/applications"))
    found = person.run("xdg-mime", "query", "default", "x-scheme-handler/deadfall").stdout.strip()
    check(found == os.path.basename(DESKTOP), f"xdg-mime finds the game: {found!r}")
    known = person.run("gio", "mime", "x-scheme-handler/deadfall").stdout
    check(os.path.basename(DESKTOP) in known, f"gio finds it: {known}")


def invite(ada, folder):
    """Ada hosts, opens the invitation and copies the link. Returns it as the clipboard has it, and compares with the code."""
    ada.window = ada.start("deadfall")
    ada.wait(r"screen title\n")
    ada.press("Down", "Down", "Down", "Return")
    ada.wait(r"screen host\n")
    ada.press("Return")
    ada.wait(r"joined as player \d+")
    link = ada.wait(r"invitation (deadfall://\S+) (\w+)\n")
    check(link[2] in ("waiting", "silent", "refused", "public", "carrier", "router"), f"the verdict is {link[2]}")
    mark = len(ada.log())
    ada.press("Escape")
    ada.wait(r"screen pause\n", mark)
    ada.press("Up", "Up", "Up", "Return")  # from Resume over Leave and Settings
    ada.wait(r"screen invite\n", mark)
    ada.press("Return")
    ada.wait(r"copy deadfall://", mark)
    copied = ada.run("xclip", "-selection", "clipboard", "-o").stdout
    check(re.fullmatch(r"deadfall://[\d.:\[\]a-f]+:\d+#[a-z2-7]{32}", copied), f"the clipboard has {copied!r}")
    picture = os.path.join(folder, "screen.png")
    time.sleep(0.5)
    ada.run("ffmpeg", "-v", "error", "-y", "-f", "x11grab", "-i", ada.environment["DISPLAY"], "-frames:v", "1", picture)
    read = ada.run("zbarimg", "--raw", "-q", picture).stdout.strip()
    check(read == copied, f"the code says {read!r}, the clipboard {copied!r}")
    return copied


def follow_in_a_match(person, link):
    """A link that comes in a match is asked about; its program has ended well, and no second window opens."""
    for keys, then in ((("Escape",), r"screen match\n"), (("Down", "Return"), r"joined as player \d+ of map")):
        mark = len(person.log())
        check(person.run("deadfall", link).returncode == 0, "the second program ends well")
        person.wait(r"screen follow\n", mark)
        check("joined as player" not in person.log()[mark:], "nobody leaves a match unasked")
        person.press(*keys)
        person.wait(then, mark)
    check(len(person.windows().split()) == 1, "there is one window")


def close_as_host(ada):
    """The window of a match with guests asks before it closes, and closes when it is told again."""
    mark = len(ada.log())
    ada.close_window()
    ada.wait(r"screen leave\n", mark)
    check(ada.window.poll() is None, "the window waits for an answer")
    ada.close_window()
    check(ada.window.wait(PATIENCE_S) == 0, "the window has ended well")


def strangers_bytes(person):
    """Whatever else comes by the socket is refused and changes nothing; only the player may open it."""
    path = os.path.join(person.home, "state/window.sock")
    check(os.stat(path).st_mode & 0o777 == 0o600, "the socket is the player's alone")
    mark = len(person.log())
    for line in (b"deadfall://", b"http://192.0.2.7:27440", b"deadfall://192.0.2.7:27440/../x", b"deadfall://\xff\xfe:1",
                 b"deadfall://192.0.2.7:99999", b"deadfall://a b:27440", b"deadfall://" + b"a" * 480 + b":27440", b""):
        with socket.socket(socket.AF_UNIX) as talk:
            talk.settimeout(PATIENCE_S)
            talk.connect(path)
            talk.sendall(line + b"\n")
            check(talk.recv(1000).endswith(b"refused\n"), f"{line!r} is refused")
    for line in (os.urandom(4000).replace(b"\n", b""), b"deadfall://192.0.2.7:27440"):  # too long; not ended
        with socket.socket(socket.AF_UNIX) as talk:
            talk.connect(path)
            talk.sendall(line)
    check(person.run("deadfall", "deadfall://192.0.2.7:27440#" + "a" * 32).returncode == 0, "a link is taken after all that")
    person.wait(r"screen follow\n", mark)
    check(person.log()[mark:].count("screen ") == 1, f"nothing else has changed a screen:\n{person.log()[mark:]}")


def main():
    need(*TOOLS)
    with tempfile.TemporaryDirectory() as folder:
        ada, ben, eva = (Person(folder, name, x_server("1440x900")[1]) for name in ("Ada", "Ben", "Eva"))
        for person in (ada, ben, eva):
            install(person)
        link = invite(ada, folder)
        eva.start("deadfall")  # who has the title open already
        eva.wait(r"screen title\n")
        for person, opener in ((ben, ["xdg-open"]), (eva, ["gio", "open"])):
            person.start(*opener, link)
            person.wait(r"joined as player \d+ of map")
            print(f"{opener[0]}: from the link to the match")
        check(len(eva.windows().split()) == 1, "the window that was open has followed the link")
        follow_in_a_match(eva, link)
        strangers_bytes(eva)
        close_as_host(ada)

main()
