#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a server for hours under the load of a public one, and looks for faults that only hours show.

  soak.py SERVER BOTS [TIME] [--seed N] [--phase SECONDS] [--maps A,B,..] [--html FOLDER]      TIME: 90s, 20m, 8h (20m)

All phases use one state folder, and the map keeps changing. In each phase load-test clients join, leave and play over a
random network; two of them are full clients that compare every world. Phases end in turn with a SIGTERM, after which
another game begins, or with a SIGKILL in the middle of a match, which must then continue at the tick where its journal
ends, with everybody back. Prints a line a minute. Exits with 0 only if no world ever differed, nobody was lost, no memory
and no descriptor leaked, every SIGTERM ended with 0 and every killed match continued.
"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from processes import Server, read_json  # noqa: E402

LINES = ["", "delay=20ms,jitter=5ms", "delay=50ms,jitter=10ms,loss=2%", "delay=80ms,jitter=20ms,loss=5%,dup=2%,reorder=2%"]
BEHAVIOURS = ["play", "play:8,churn:2", "play:5,churn:3,idle:2", "play:12,churn:2,slow-reader:1,flood:1"]
MODES = ["ffa", "lms", "teams"]
RSS_GROWTH_KIB = 2048  # after a process has played on three maps: it holds two at a time
PLAYERS = 16


def seconds_of(text):
    found = re.fullmatch(r"(\d+)([smh]?)", text)
    if not found:
        sys.exit(f"soak.py: '{text}': write a time as 90s, 20m or 8h")
    return int(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


class Sampled(Server):
    """A server's process; its log stays in the folder."""

    def __init__(self, program, folder, port, rotation, game, number):
        super().__init__(program, "--max-players", "32", "--bots", "4", "--time-limit", "20s", "--rotation", rotation, *game, folder=folder,
                         port=port, log_path=os.path.join(folder, f"server.{number}.log"))
        self.rss_kib, self.files = [], []

    def sample(self):
        """The memory and descriptors of the process now."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            self.rss_kib.append((self.maps(), int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])))
        self.files.append(len(os.listdir(f"/proc/{self.process.pid}/fd")))

    def maps(self):
        return 1 + self.log().count("the next match: ")

    def growth_kib(self):
        settled = [kib for maps, kib in self.rss_kib if maps >= 3]
        return settled[-1] - settled[0] if len(settled) > 1 else 0


class Soak:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.dice = random.Random(arguments.seed)
        self.failures, self.sums = [], {"phases": 0, "terms": 0, "kills": 0, "snapshots": 0.0, "corrections": 0.0, "joins": 0,
                                        "desyncs": 0, "lost": 0, "slow": 0, "matches": 0, "growth_kib": 0,
                                        "peak_kib": 0, "files": []}
        self.server, self.game, self.ended = None, [], time.monotonic() + seconds_of(arguments.time)
        self.begun = self.reported = time.monotonic()

    def fail(self, what):
        self.failures.append(f"phase {self.sums['phases']}: {what}")
        print(f"FAILED {self.failures[-1]}", flush=True)

    def tell(self):
        now, sums = time.monotonic(), self.sums
        if now - self.reported < 60:
            return
        self.reported = now
        rss = self.server.rss_kib[-1][1] if self.server.rss_kib else 0
        print(f"{(now - self.begun) / 60:5.1f} min  phase {sums['phases']}  {' '.join(self.game)}  server {rss} KiB, "
              f"{self.server.files[-1] if self.server.files else 0} files; so far {sums['terms']} SIGTERM, {sums['kills']} kill -9, "
              f"{sums['joins']} joins, {sums['desyncs']} desyncs, {sums['lost']} lost, {len(self.failures)} failures", flush=True)

    def start(self, game, port=0):
        self.game = game
        self.server = Sampled(self.arguments.server, self.folder, port, self.arguments.maps, game, self.sums["phases"])

    def new_game(self):
        return ["--map", self.dice.choice(self.arguments.maps.split(",")), "--mode", self.dice.choice(MODES)]

    def bots(self, seconds):
        self.report = os.path.join(self.folder, "bots.json")
        extra = []
        if self.arguments.html:
            extra = ["--html", os.path.join(self.arguments.html, f"phase{self.sums['phases']}.html")]
        return subprocess.Popen([self.arguments.bots, "--server", f"127.0.0.1:{self.server.port}", "--count", str(PLAYERS),
                                 "--verify", "2", "--duration", f"{seconds}s", "--reconnect", "--net", self.dice.choice(LINES),
                                 "--behaviour", self.dice.choice(BEHAVIOURS), "--seed", str(self.dice.randrange(1 << 31)),
                                 "--json", self.report, *extra], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def take_report(self):
        report = read_json(self.report)
        totals, sums = report["totals"], self.sums
        sums["joins"] += totals["connect_ms"]["count"]
        sums["desyncs"] += int(totals["desyncs"])
        sums["lost"] += int(totals["disconnects"])
        sums["snapshots"] += (totals["snapshots_per_s"] or 0) * report["seconds"]
        sums["slow"] += report["verdict"]["bottleneck"]
        if totals["desyncs"] or totals["disconnects"] or totals["connected"] < PLAYERS:
            self.fail(f"{totals['desyncs']:.0f} desyncs, {totals['disconnects_by_reason']}, {totals['connected']:.0f} joined")

    def watch(self, bots, until):
        while bots.poll() is None and time.monotonic() < until:
            if self.server.process.poll() is not None:
                self.fail(f"the server ended by itself with {self.server.process.returncode}\n{self.server.log()[-2000:]}")
                return
            self.server.sample()
            self.tell()
            time.sleep(1)

    def close_books(self):
        """Checks a server's process before it ends."""
        growth, sums = self.server.growth_kib(), self.sums
        sums["matches"] += self.server.maps() - 1
        sums["growth_kib"] = max(sums["growth_kib"], growth)
        sums["peak_kib"] = max([sums["peak_kib"], *(kib for _, kib in self.server.rss_kib)])
        steady = self.server.files[2:]
        sums["files"] += steady
        if growth > RSS_GROWTH_KIB:
            self.fail(f"memory grew by {growth} KiB")
        if steady and max(steady) - min(steady) > 2:
            self.fail(f"between {min(steady)} and {max(steady)} descriptors")

    def kill_and_resume(self):
        """Kills the server in the middle of the match, while the clients play."""
        self.close_books()
        port = self.server.port
        self.server.end(signal.SIGKILL)
        self.sums["kills"] += 1
        self.sums["phases"] += 1
        self.start(self.game, port)
        if not re.search(r"the match goes on at tick \d+", self.server.log()):
            self.fail(f"a killed match did not go on\n{self.server.log()[-1000:]}")

    def phase(self):
        self.sums["phases"] += 1
        length = min(self.arguments.phase, max(15, int(self.ended - time.monotonic())))
        kills = self.sums["kills"] < self.sums["terms"]
        bots = self.bots(length)
        begun = time.monotonic()
        if kills:
            self.watch(bots, begun + length * self.dice.uniform(0.3, 0.6))
            self.kill_and_resume()
        self.watch(bots, begun + length + 60)
        bots.wait(30)
        self.take_report()
        if not kills:
            self.close_books()
            code = self.server.end(signal.SIGTERM)
            self.sums["terms"] += 1
            if code != 0:
                self.fail(f"SIGTERM ended in {code}\n{self.server.log()[-1000:]}")
            self.start(self.new_game())

    def run(self):
        self.start(self.new_game())
        while time.monotonic() < self.ended and len(self.failures) < 20:
            self.phase()
        self.close_books()
        if self.server.end(signal.SIGTERM) != 0:
            self.fail("the last SIGTERM did not end in 0")
        sums = self.sums
        print(f"\n{(time.monotonic() - self.begun) / 60:.1f} min, seed {self.arguments.seed}: {sums['phases']} phases, {sums['terms']} SIGTERM, "
              f"{sums['kills']} kill -9 and resumed, {sums['matches']} changes of the map in between; {sums['joins']} joins, "
              f"{PLAYERS} clients got {sums['snapshots']:.0f} snapshots each, "
              f"{sums['desyncs']} desyncs, {sums['lost']} lost\nserver: at most {sums['peak_kib']} KiB, grew by at most "
              f"{sums['growth_kib']} KiB after a process's second change; {min(sums['files'])} to {max(sums['files'])} descriptors; "
              f"{sums['slow']} phases in which the load test was too slow")
        print("passed" if not self.failures else f"FAILED: {len(self.failures)} failures")
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("bots")
    parser.add_argument("time", nargs="?", default="20m")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--phase", type=int, default=150, metavar="SECONDS", help="time of play between two ends of a server")
    parser.add_argument("--maps", default="foundry,duel,clockwork,skyline")
    parser.add_argument("--html", metavar="FOLDER", help="keep each phase's page there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(Soak(arguments, folder).run())


main()
