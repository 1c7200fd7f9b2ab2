#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How a match goes in a browser on a bad line: browser_match.py PAGE_FOLDER SERVER [SECONDS [BOTS]]

Chromium joins a server with bots through a relay that delays, reorders by jitter and loses datagrams each way, below DTLS.
Printed are what the page logs of its net after a second and at the end, and how long its main thread was busy for a frame, with all
that it does there: network, prediction, drawing, sound. The main thread of the page has core 1 for itself, as on a machine that
draws with its graphics card; all else, which draws in software, has core 0.
"""
import contextlib
import glob
import heapq
import json
import os
import random
import select
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from browser import DRAWN_IN_SOFTWARE, Files, HeadlessBrowser, invitation  # noqa: E402
from processes import LOOPBACK, Server  # noqa: E402
from sites import Site  # noqa: E402

PAGE, SERVER = sys.argv[1:3]
SECONDS = int(sys.argv[3]) if len(sys.argv) > 3 else 600
BOTS = int(sys.argv[4]) if len(sys.argv) > 4 else 8
WARM_UP_S = 5  # until the browser has compiled what runs often
DELAY_S, JITTER_S, LOSS = 0.05, 0.01, 0.05
KEYS = {"KeyA": 65, "KeyD": 68, "Space": 32, "KeyX": 88, "KeyC": 67}
# The console of a browser costs a millisecond a line, so lines stay in the page.
PROBE = """
  window.said = [];
  console.log = (line) => said.push(line);
  window.busy_ms = [];
  const ask = requestAnimationFrame;
  requestAnimationFrame = (step) => ask((time) => {
    const begin = performance.now();
    step(time);
    busy_ms.push(performance.now() - begin);
  });
"""


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


def give_core(process):
    """Gives core 1 to the main threads of a browser's pages."""
    children = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as stat:
            children.setdefault(int(stat.read().rsplit(")", 1)[1].split()[1]), []).append(int(path.split("/")[2]))
    family = [process]
    for pid in family:
        family += children.get(pid, [])
        with open(f"/proc/{pid}/cmdline", "rb") as words:
            if b"--type=renderer" in words.read():
                os.sched_setaffinity(pid, {1})


def main():
    os.sched_setaffinity(0, {0})
    pages = Site(PAGE, Files)
    options = ("--web", "--run-empty", "--bots", str(BOTS), "--max-players", str(max(BOTS + 1, 16)))
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, *options) as server:
        relay = Relay(int(server.port))
        where = invitation(server, relay.port)
        browser = HeadlessBrowser(folder, *DRAWN_IN_SOFTWARE, "--window-size=1280,720")
        try:
            browser.ask("Page.addScriptToEvaluateOnNewDocument", source=PROBE)
            browser.ask("Page.navigate", url=f"{pages.url}/index.html?name=Ada&log-level=debug#{where}")
            browser.wait_until("said.some((line) => line.includes('joined as player'))", "the page joins")
            give_core(browser.process.pid)
            browser.watch(WARM_UP_S)
            browser.value("busy_ms.length = 0")
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                code = random.choice(list(KEYS))
                for kind in ("keyDown", "keyUp"):
                    browser.ask("Input.dispatchKeyEvent", type=kind, code=code, key=code[-1].lower(), windowsVirtualKeyCode=KEYS[code])
                    browser.watch(0.3)
            lines = [line for line in json.loads(browser.value("JSON.stringify(said)")) if "net: " in line]
            busy_ms = sorted(json.loads(browser.value("JSON.stringify(busy_ms)")))
        finally:
            browser.close()
        print(lines[0], lines[-1], sep="\n")
        print(f"busy for a frame: mean {sum(busy_ms) / len(busy_ms):.1f} ms, p99 {busy_ms[len(busy_ms) * 99 // 100]:.1f} ms, "
              f"{len(busy_ms)} frames in {SECONDS} s")


main()
