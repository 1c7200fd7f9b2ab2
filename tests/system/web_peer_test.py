#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Strangers' browsers join a server over WebRTC, in real time: web_peer_test.py SERVER BOTS FOLDER

An independent WebRTC peer, werift from the npm registry, carries native clients through data channels (web_bridge.mjs);
FOLDER keeps it between runs. Where there is a Chromium, it opens a channel as well. web_kills.py plays the rest as a scene.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.parse

from processes import Bots, LOOPBACK, PAGE, PATIENCE_S, Server, check, end_tree, need, read_text, run_at_once, skip, wait_for
from sites import Quiet, Site

SERVER, BOTS, FOLDER = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
WERIFT = "werift@0.25.2"
PLAY_S = 10
OPTIONS = ("--web", "--bots", "4", "--max-players", "32", *PAGE)


def werift():
    """Returns the path of the package; ends the test if it cannot be had."""
    path = os.path.join(FOLDER, "node_modules", "werift", "lib", "index.mjs")
    if not os.path.exists(path):
        need("npm")
        os.makedirs(FOLDER, exist_ok=True)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", FOLDER, WERIFT], capture_output=True,
                              text=True, timeout=PATIENCE_S)
        if done.returncode != 0 or not os.path.exists(path):
            skip(f"npm cannot install {WERIFT}: {done.stderr.strip()[-200:]}")
    return path


def check_cage(pid):
    """The process for browsers can call little of the system, open no file and start nothing."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        check(re.search(r"Seccomp:\s+2\n", status.read()), "a filter is on its system calls")
    text = read_text(f"/proc/{pid}/limits")
    for limit in ("open files +1", "processes +0", "file size +0", "core file size +0"):
        check(re.search(f"Max {limit} +{limit[-1]} ", text), f"its limits: {text}")


def certificate(server):
    return server.status()["webrtc"]["certificate"]


def clients_play_through_data_channels():
    with Server(SERVER, *OPTIONS) as server:
        with open(os.path.join(server.folder, "bridge.log"), "w", encoding="utf-8") as log:
            bridge = subprocess.Popen(["node", os.path.join(HERE, "web_bridge.mjs"), werift(), str(server.port), certificate(server)],
                                      text=True, stdout=subprocess.PIPE, stderr=log)
        place = f"{LOOPBACK}:{bridge.stdout.readline().strip()}"
        bots = Bots(BOTS, place, 2, seconds=PLAY_S)
        wait_for(lambda: server.status()["sessions"]["webrtc"] == 2, "two sessions of browsers")
        totals = bots.report()["totals"]
        check(totals["desyncs"] == 0, f"no world differs: {totals['counts']}")
        check(totals["disconnects"] == 0 and totals["connected"] == 2, f"both stay: {totals['counts']}")
        check(server.status()["webrtc"]["starts"] == 1, f"the process for browsers lives: {server.log()}")
        check_cage(server.child())
        bridge.kill()


def a_browser_opens_a_channel():
    browser = shutil.which("chromium")
    if not browser:
        print("without Chromium: no browser opens a channel")
        return
    told = []

    class Told(Quiet):
        def do_GET(self):
            if not self.path.startswith("/tell?"):
                return super().do_GET()
            told.append(urllib.parse.unquote(self.path[6:]))
            self.answer(200, b"")

    page = Site(HERE, Told)
    with Server(SERVER, *OPTIONS) as server:
        address = f"{page.url}/web_browser.html#{server.port}.{certificate(server)}"
        with open(os.path.join(server.folder, "browser.log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen([browser, "--headless=new", "--no-sandbox", "--disable-gpu",
                                        f"--user-data-dir={server.folder}/browser", address], stdout=log, stderr=log)
        wait_for(lambda: any(line.startswith("answer ffffffff") for line in told), lambda: f"an answer to the browser: {told}")
        end_tree(process, signal.SIGKILL)


if __name__ == "__main__":
    werift()
    run_at_once([clients_play_through_data_channels, a_browser_opens_a_channel])
