#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Browsers join a server over WebRTC: web_peer_test.py SERVER BOTS FOLDER

An independent WebRTC peer, werift from the npm registry, carries native clients through data channels (web_bridge.mjs);
FOLDER keeps it between runs. Where there is a Chromium, it opens a channel as well. The process for browsers is killed
and flooded while native clients play.
"""
import http.server
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.parse

from processes import Bots, LOOPBACK, Server, check, run_at_once, wait_for

SERVER, BOTS, FOLDER = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
WERIFT = "werift@0.25.2"
KILLS, FLOOD_DATAGRAMS, PLAY_S = 20, 100000, 60
OPTIONS = ("--web", "--bots", "4", "--max-players", "32", "--metrics", f"{LOOPBACK}:0")
MAGIC = b"\x21\x12\xa4\x42"


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


def certificate(server):
    return server.status()["webrtc"]["certificate"]


def child_of(server):
    """Returns the id of the process for browsers; None while there is none."""
    with open(f"/proc/{server.process.pid}/task/{server.process.pid}/children", encoding="ascii") as file:
        children = file.read().split()
    return int(children[0]) if children else None


def clients_play_through_data_channels():
    with Server(SERVER, *OPTIONS) as server:
        with open(os.path.join(server.folder.name, "bridge.log"), "w", encoding="utf-8") as log:
            bridge = subprocess.Popen(["node", os.path.join(HERE, "web_bridge.mjs"), werift(), str(server.port), certificate(server)],
                                      text=True, stdout=subprocess.PIPE, stderr=log)
        place = f"{LOOPBACK}:{bridge.stdout.readline().strip()}"
        bots = Bots(BOTS, place, 2, PLAY_S)
        wait_for(lambda: server.status()["sessions"]["webrtc"] == 2, 60, "two sessions of browsers")
        totals = bots.report(PLAY_S + 120)["totals"]
        check(totals["desyncs"] == 0, f"no world differs: {counts(totals)}")
        check(totals["disconnects"] == 0 and totals["connected"] == 2, f"both stay: {counts(totals)}")
        check(server.status()["webrtc"]["starts"] == 1, f"the process for browsers lives: {server.log()}")
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
        with open(os.path.join(server.folder.name, "browser.log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen([browser, "--headless=new", "--no-sandbox", "--disable-gpu",
                                        f"--user-data-dir={server.folder.name}/browser", address], stdout=log, stderr=log)
        wait_for(lambda: any(line.startswith("answer ffffffff") for line in told), 120, f"an answer to the browser: {told}")
        process.kill()
        process.wait(20)


def native_clients_do_not_notice_kills():
    with Server(SERVER, *OPTIONS) as server:
        bots = Bots(BOTS, f"{LOOPBACK}:{server.port}", 4, 40)
        wait_for(lambda: server.status()["sessions"]["playing"] == 4, 60, "four native clients")
        before = certificate(server)
        for i in range(KILLS):
            wait_for(lambda: child_of(server), 30, "a process for browsers")
            os.kill(child_of(server), signal.SIGKILL)
            wait_for(lambda: server.status()["webrtc"]["starts"] == i + 2, 30, "another process for browsers")
        totals = bots.report(160)["totals"]
        check(totals["desyncs"] == 0 and totals["disconnects"] == 0, f"nobody leaves: {counts(totals)}")
        stood_still = server.status()["ticks_stood_still"]  # of a busy machine: such a tick has no snapshot
        most = 4 * stood_still + totals["counts"]["snapshots"] / 100
        check(totals["counts"]["snapshots_lost"] <= most, f"no snapshot is lost to kills: {counts(totals)}, {stood_still}")
        check(certificate(server) == before, "the certificate stays")


def counts(totals):
    return {name: totals["counts"][name] for name in ("snapshots", "snapshots_lost", "desyncs", "reconnects")}


def rubbish(seed):
    """Yields STUN and DTLS, whole and broken."""
    chance = random.Random(seed)
    password = b"deadfalldeadfalldeadfall"
    name = password + b":" + b"abcd"
    fields = struct.pack(">HH", 6, len(name)) + name + bytes(-len(name) % 4) + struct.pack(">HH", 8, 20) + bytes(20)
    stun = struct.pack(">HH", 1, len(fields)) + MAGIC + bytes(12) + fields
    hello = bytes([1]) + (60).to_bytes(3, "big") + bytes(5) + (60).to_bytes(3, "big") + b"\xfe\xfd" + bytes(58)
    dtls = b"\x16\xfe\xfd" + bytes(8) + len(hello).to_bytes(2, "big") + hello
    for i in range(FLOOD_DATAGRAMS):
        bytes_ = bytearray((stun, dtls)[i % 2])
        for _ in range(chance.randrange(4)):
            bytes_[chance.randrange(len(bytes_))] = chance.randrange(256)
        yield bytes_ if chance.random() < 0.9 else bytes_[: chance.randrange(1, len(bytes_))]


def floods_do_not_move_native_clients():
    with Server(SERVER, *OPTIONS) as server:
        bots = Bots(BOTS, f"{LOOPBACK}:{server.port}", 4, 30)
        wait_for(lambda: server.status()["sessions"]["playing"] == 4, 60, "four native clients")
        sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(16)]
        for i, datagram in enumerate(rubbish(7)):
            sockets[i % 16].sendto(datagram, (LOOPBACK, server.port))
        totals = bots.report(160)["totals"]
        check(totals["desyncs"] == 0 and totals["disconnects"] == 0, f"nobody leaves: {counts(totals)}")
        check(server.status()["webrtc"]["starts"] == 1, f"the process for browsers lives: {server.log()}")


def without_the_option_browsers_get_nothing():
    with Server(SERVER, "--metrics", f"{LOOPBACK}:0") as server:
        check(certificate(server) == "" and child_of(server) is None, "no process, no certificate")


if __name__ == "__main__":
    werift()
    run_at_once([clients_play_through_data_channels, a_browser_opens_a_channel, native_clients_do_not_notice_kills,
                 floods_do_not_move_native_clients, without_the_option_browsers_get_nothing])
