#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Browsers join a server over WebRTC: web_peer_test.py SERVER BOTS BRIDGE LIAR FOLDER

An independent WebRTC peer, werift from the npm registry, carries native clients through data channels (web_bridge.mjs);
FOLDER keeps it between runs. Where there is a Chromium, it opens a channel as well. The process for browsers is killed
while native clients play, and flooded while they and others in data channels (BRIDGE) do: by strangers, and by browsers that were
admitted and lie (LIAR). DEADFALL_TEST_LONG kills it a hundred times and floods for a minute.
"""
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.parse

from processes import Bots, LOOPBACK, Server, check, end_tree, run_at_once, wait_for

SERVER, BOTS, BRIDGE, LIAR, FOLDER = sys.argv[1:6]
HERE = os.path.dirname(os.path.abspath(__file__))
WERIFT = "werift@0.25.2"
LONG = bool(os.environ.pop("DEADFALL_TEST_LONG", ""))  # the programs would warn of it
KILLS, FLOOD_S, RATE, PLAY_S = (100, 60, 100000, 60) if LONG else (20, 4, 100000, 60)
GROWTH_KIB_MAX = 2048
OPTIONS = ("--web", "--bots", "4", "--max-players", "32", "--metrics", f"{LOOPBACK}:0")


def werift():
    """Returns the path of the package; ends the test if it cannot be had."""
    path = os.path.join(FOLDER, "node_modules", "werift", "lib", "index.mjs")
    if not os.path.exists(path):
        if not shutil.which("npm"):
            skip("there is no npm")
        os.makedirs(FOLDER, exist_ok=True)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", FOLDER, WERIFT], capture_output=True,
                              text=True, timeout=300)
        if done.returncode != 0 or not os.path.exists(path):
            skip(f"npm cannot install {WERIFT}: {done.stderr.strip()[-200:]}")
    return path


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def check_cage(pid):
    """The process for browsers can call little of the system, open no file and start nothing."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        check(re.search(r"Seccomp:\s+2\n", status.read()), "a filter is on its system calls")
    with open(f"/proc/{pid}/limits", encoding="ascii") as limits:
        text = limits.read()
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
        totals = bots.report(PLAY_S + 120)["totals"]
        check(totals["desyncs"] == 0, f"no world differs: {counts(totals)}")
        check(totals["disconnects"] == 0 and totals["connected"] == 2, f"both stay: {counts(totals)}")
        check(server.status()["webrtc"]["starts"] == 1, f"the process for browsers lives: {server.log()}")
        check_cage(server.child())
        bridge.kill()


def a_browser_opens_a_channel():
    browser = shutil.which("chromium")
    if not browser:
        print("without Chromium: no browser opens a channel")
        return
    told = []

    class Page(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=HERE)

        def do_GET(self):
            if not self.path.startswith("/tell?"):
                return super().do_GET()
            told.append(urllib.parse.unquote(self.path[6:]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    page = http.server.ThreadingHTTPServer((LOOPBACK, 0), Page)
    threading.Thread(target=page.serve_forever, daemon=True).start()
    with Server(SERVER, *OPTIONS) as server:
        address = f"http://{LOOPBACK}:{page.server_port}/web_browser.html#{server.port}.{certificate(server)}"
        with open(os.path.join(server.folder, "browser.log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen([browser, "--headless=new", "--no-sandbox", "--disable-gpu",
                                        f"--user-data-dir={server.folder}/browser", address], stdout=log, stderr=log)
        wait_for(lambda: any(line.startswith("answer ffffffff") for line in told), f"an answer to the browser: {told}", 120)
        end_tree(process, signal.SIGKILL)


def native_clients_do_not_notice_kills():
    """Two servers at once, so that a busy machine disturbs both; one of them loses its process for browsers again and again."""
    play_s = 10 + KILLS * 1.2
    with Server(SERVER, *OPTIONS) as server, Server(SERVER, *OPTIONS) as other:
        bots, unharmed = (Bots(BOTS, f"{LOOPBACK}:{one.port}", 4, seconds=int(play_s)) for one in (server, other))
        wait_for(lambda: server.status()["sessions"]["playing"] == 4, "four native clients")
        before = certificate(server)
        for i in range(KILLS):
            wait_for(lambda: server.child(), "a process for browsers")
            os.kill(server.child(), (signal.SIGKILL, signal.SIGSEGV)[i % 2])
            wait_for(lambda: server.status()["webrtc"]["starts"] == i + 2, "another process for browsers")
        totals, others = (one.report(play_s + 120)["totals"] for one in (bots, unharmed))
        check(totals["desyncs"] == 0 and totals["disconnects"] == 0, f"nobody leaves: {counts(totals)}")
        stood_still = server.status()["ticks_stood_still"]  # of a busy machine: such a tick has no snapshot
        print(f"{KILLS} kills: {counts(totals)}, {stood_still} ticks stood still; without them {counts(others)}")
        most = 4 * stood_still + others["counts"]["snapshots_lost"] + totals["counts"]["snapshots"] / 1000
        check(totals["counts"]["snapshots_lost"] <= most, f"no snapshot is lost to kills: {counts(totals)}, {stood_still}")
        check(certificate(server) == before, "the certificate stays")


def counts(totals):
    return {name: totals["counts"][name] for name in ("snapshots", "snapshots_lost", "desyncs", "reconnects")}


def held_by(pid):
    """Returns the KiB and the descriptors of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"RssAnon:\s+(\d+)", status.read())[1]), len(os.listdir(f"/proc/{pid}/fd"))


def floods_and_lies_do_not_move_honest_clients():
    with Server(SERVER, *OPTIONS) as server:
        bridge = subprocess.Popen([BRIDGE, str(server.port)], text=True, stdout=subprocess.PIPE)
        places = f"{LOOPBACK}:{server.port}", f"{LOOPBACK}:{bridge.stdout.readline().strip()}"
        honest = [Bots(BOTS, place, 4, "--verify", "4", seconds=FLOOD_S + 20) for place in places]
        wait_for(lambda: server.status()["sessions"]["playing"] == 8, "eight clients, four of them in data channels")
        members = server.process.pid, server.child()
        before = [held_by(pid) for pid in members]
        liars = subprocess.run([LIAR, str(server.port), str(FLOOD_S), str(RATE)], text=True, capture_output=True, timeout=FLOOD_S + 60)
        check(liars.returncode == 0, liars.stderr)
        done, after = json.loads(liars.stdout), [held_by(pid) for pid in members]
        print(f"{done}; server {before[0]}, then {after[0]}; process for browsers {before[1]}, then {after[1]} (KiB, descriptors)")
        check(done["channels"] >= 4 and done["lies"] > 100, f"liars were admitted and lied: {done}")
        check(done["back_bytes"] <= done["sent_bytes"], f"strangers get no more than they send: {done}")
        for (kib, files), (kib_after, files_after) in zip(before, after):
            check(kib_after - kib < GROWTH_KIB_MAX and files_after < files + 8, f"memory and descriptors stay: {before}, {after}")
        for bots, where in zip(honest, ("native", "in data channels")):
            totals = bots.report(FLOOD_S + 140)["totals"]
            print(f"{where}: {counts(totals)}, {totals['snapshots_per_s']:.1f} snapshots/s")
            check(totals["connected"] == 4 and totals["desyncs"] == 0 and totals["disconnects"] == 0, f"{where}, nobody leaves: {counts(totals)}")
        check(server.status()["webrtc"]["starts"] == 1, f"the process for browsers lives: {server.log()}")
        bridge.kill()


def without_the_option_browsers_get_nothing():
    with Server(SERVER, "--metrics", f"{LOOPBACK}:0") as server:
        check(certificate(server) == "" and server.child() is None, "no process, no certificate")


if __name__ == "__main__":
    werift()
    run_at_once([clients_play_through_data_channels, a_browser_opens_a_channel, native_clients_do_not_notice_kills,
                 floods_and_lies_do_not_move_honest_clients, without_the_option_browsers_get_nothing])
