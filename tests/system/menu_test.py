#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the real window client under Xvfb with xdotool, where more takes part than tests/screens has: a directory and
what it lists, or the size of the screen.

usage: menu_test.py DEADFALL DEADFALL-SERVER live|fullscreen
"""
import os
import re
import sys
import urllib.request

from processes import Directory, Server, in_a_folder, need, wait_for
from sites import Site
from window import Window

PROGRAM, SERVER = (os.path.abspath(path) for path in sys.argv[1:3])


def live(folder):
    """A match that a server publishes is found through a directory and watched; Escape leads back to the list. The title shows it, too."""
    public = os.path.join(folder, "public")
    url = Directory(os.path.join(os.path.dirname(SERVER), "deadfall-directory"), os.path.join(folder, "directory")).url
    server = Server(SERVER, "--name", "Smithy", "--bots", "4", "--run-empty", "--publish", public, "--publish-url", Site(public).url + "/",
                    "--announce", url)
    wait_for(lambda: re.search(rb'"Smithy".*"interest": ?[1-9]|"interest": ?[1-9].*"Smithy"',
                               urllib.request.urlopen(url + "/servers.json", timeout=10).read(), re.S),
             "the list has the server, and that its match is worth watching")
    with server, Window(PROGRAM, folder, "--directory", url, "--screen", "live") as window:
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
        window.wait(r"watches \S+ of Smithy from tick", at)


def fullscreen(folder):
    """Without a window manager, too, the window has the whole screen from the start; F11 gives it back, and takes it."""
    with Window(PROGRAM, folder, "--fullscreen") as window:
        def wait_for_size(*size):
            wait_for(lambda: window.size() == size, lambda: f"the window has {window.size()}, not {size}", every_s=0.1)

        window.wait(r"screen title\n")
        wait_for_size(0, 0, 1024, 640)
        window.press("F11")
        wait_for_size(-128, -40, 1280, 720)  # --scale 2, in the middle
        window.press("F11")
        wait_for_size(0, 0, 1024, 640)


need("Xvfb", "xdotool")
in_a_folder({"live": live, "fullscreen": fullscreen}[sys.argv[3]])()
