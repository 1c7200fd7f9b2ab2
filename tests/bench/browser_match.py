#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How a match goes in a browser on a bad line: browser_match.py PAGE_FOLDER SERVER [SECONDS [BOTS]]

Chromium joins a server with bots through a relay that delays, reorders by jitter and loses datagrams each way, below DTLS.
What the window logs of its net after the time is printed: snapshots, losses, corrections, desyncs, frames.
"""
import heapq
import os
import random
import re
import select
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from browser import Browser, invitation, site  # noqa: E402
from processes import LOOPBACK, Server, wait_for  # noqa: E402

PAGE, SERVER = sys.argv[1:3]
SECONDS = int(sys.argv[3]) if len(sys.argv) > 3 else 600
BOTS = int(sys.argv[4]) if len(sys.argv) > 4 else 8
DELAY_S, JITTER_S, LOSS = 0.05, 0.01, 0.05


class Relay(threading.Thread):
    """Between peers and a server; each peer has a port of its own there, as behind a router."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind((LOOPBACK, 0))
        self.port = self.front.getsockname()[1]
        self.server = (LOOPBACK, port)
        self.backs = {}  # by peer
        self.peers = {}  # by the socket to the server
        self.held = []
        self.random = random.Random(1)
        self.start()

    def back_of(self, peer):
        if peer not in self.backs:
            back = self.backs[peer] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            back.connect(self.server)
            self.peers[back] = peer
        return self.backs[peer]

    def take(self, source):
        datagram, sender = source.recvfrom(65536)
        send = (self.back_of(sender).send, ()) if source is self.front else (self.front.sendto, (self.peers[source],))
        if self.random.random() >= LOSS:
            due = time.monotonic() + DELAY_S + self.random.uniform(-JITTER_S, JITTER_S)
            heapq.heappush(self.held, (due, self.random.random(), datagram, send))

    def run(self):
        while True:
            rest = max(0, self.held[0][0] - time.monotonic()) if self.held else 1
            for source in select.select([self.front, *self.peers], [], [], rest)[0]:
                self.take(source)
            while self.held and self.held[0][0] <= time.monotonic():
                _, _, datagram, (send, to) = heapq.heappop(self.held)
                send(datagram, *to)


def main():
    pages = site(PAGE)
    options = ("--web", "--run-empty", "--bots", str(BOTS), "--max-players", str(max(BOTS + 1, 16)))
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, *options) as server:
        relay = Relay(int(server.port))
        where = invitation(server, relay.port)
        browser = Browser(folder, f"http://{LOOPBACK}:{pages.server_port}/index.html?name=Ada&log-level=debug#{where}")
        try:
            wait_for(lambda: "joined as player" in browser.log(), 120, "the page joins")
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                browser.press(random.choice(["a", "d", "space", "x", "c"]))
        finally:
            browser.close()
        for line in re.findall(r"net: .*", browser.log())[:1] + re.findall(r"net: .*", browser.log())[-1:]:
            print(line)


main()
