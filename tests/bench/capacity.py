#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what a server needs for 16 to 256 playing clients, and how many it can serve with short ticks.

  capacity.py SERVER BOTS [--clients 16,64,128,256] [--seconds 15] [--repeat 3] [--slots 256] [--web BRIDGE]
              [--beside SERVER BOTS]

The server runs on core 0, the load test on core 1: light clients, which walk, jump and shoot at random, and one full client
that compares every world. Each row is for one number of clients: the server's CPU time (user and system, in per cent of a
core) after all have joined, its memory, bytes per client, gaps between snapshots, and durations of ticks (upper edges of
the buckets of the server's metrics). Of several runs it shows the one with the least CPU time, because other load can only
add to it, and the CPU time of that other load. The last line is the largest number of clients at which 99.9 % of the ticks
took less than 8 ms.

With --web BRIDGE (build/release/tests/web_bridge), each row is followed by one of as many clients that join as browsers do.
Its CPU time is that of the server and of its process for browsers together, and the second figure how often it is the first one's.

With --beside SERVER BOTS, another build serves as many clients at the same time on the same cores, in a row below, and the next
figure is the CPU time of the first build for each second of the other one's: a machine that is sometimes slower is so for both.
"""
import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from processes import LOOPBACK, PAGE, Server, read_json  # noqa: E402

TICK_MS_MAX = 8
HEAD = f"{'clients':>7} {'CPU %':>6} {'RSS MiB':>8} {'down B/s':>9} {'up B/s':>7} {'gap p99':>8} {'tick p50':>9} {'p99':>6} {'p99.9':>6} {'max':>6} {'others %':>9}"


def cpu_s(pid):
    """User and system time of a process and its children."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        family = [pid, *file.read().split()]
    used = 0
    for member in family:
        with open(f"/proc/{member}/schedstat", encoding="ascii") as stat:
            used += int(stat.read().split()[0]) / 1e9
    return used


def busy_s(core):
    """Time that a core was not idle."""
    with open("/proc/stat", encoding="ascii") as stat:
        fields = next(line for line in stat if line.startswith(f"cpu{core} ")).split()[1:]
    return (sum(map(int, fields)) - int(fields[3]) - int(fields[4])) / os.sysconf("SC_CLK_TCK")


def classes(server):
    """The number of ticks up to each edge in ms."""
    return [(float(edge) * 1000, int(count))
            for edge, count in re.findall(r'tick_duration_seconds_bucket\{le="([^"]+)"\} (\d+)', server.page("/metrics"))]


def edge_of(before, after, share):
    counts = [(edge, now - then) for (edge, now), (_, then) in zip(after, before)]
    return next(edge for edge, count in counts if count >= share * counts[-1][1])


class Match:
    """A server with its load test."""

    def __init__(self, programs, arguments, clients, folder, bridge=None):
        pin = ["taskset", "-c", "0"], ["taskset", "-c", "1"]
        self.report_path = os.path.join(folder, "out.json")
        self.clients, self.joining = clients, 2 + clients / 30  # a server lets in 32 a second from one address
        self.bridge = self.bots = None
        self.server = Server(programs[0], "--max-players", str(arguments.slots), *PAGE, "--resume", "never", "--time-limit", "0",
                             "--score-limit", "0", *(["--web"] if bridge else []), *arguments.option, folder=folder, prefix=pin[0])
        self.pid, place = self.server.process.pid, self.server.place
        if bridge:
            self.bridge = subprocess.Popen([*pin[1], bridge, str(self.server.port)], stdout=subprocess.PIPE, text=True)
            place = f"{LOOPBACK}:{self.bridge.stdout.readline().strip()}"
        self.bots = subprocess.Popen([*pin[1], programs[1], "--server", place, "--count", str(clients), "--verify",
                                      "1", "--spawn-rate", "30", "--duration", f"{self.joining + arguments.seconds + 1:.0f}s",
                                      "--json", self.report_path], stdout=subprocess.DEVNULL)

    def close(self):
        if self.bridge:
            self.bridge.terminate()
            self.bridge.wait(10)
        self.server.end()

    def begin(self):
        self.begun, self.used, self.others, self.before = time.monotonic(), cpu_s(self.pid), busy_s(0), classes(self.server)

    def end(self):
        seconds, used = time.monotonic() - self.begun, cpu_s(self.pid) - self.used
        others, after = busy_s(0) - self.others, classes(self.server)
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            rss_mib = int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024
        self.row = {"clients": self.clients, "cpu_pct": 100 * used / seconds, "rss_mib": rss_mib,
                    "tick_ms": [edge_of(self.before, after, share) for share in (0.5, 0.99, 0.999, 1)],
                    "others_pct": 100 * max(0, others - used) / seconds}

    def report(self):
        self.bots.wait(60)
        report = read_json(self.report_path)
        totals = report["totals"]
        if totals["connected"] != self.clients or totals["disconnects"] or totals["desyncs"]:
            sys.exit(f"capacity.py: {self.clients} clients: {totals['connected']:.0f} joined, {totals['disconnects_by_reason']}, "
                     f"{totals['desyncs']:.0f} desyncs")
        settled = [row for row in report["series"] if self.joining <= row["second"] and row["snapshot_gap_ms"]["count"] > 0]
        mean = lambda name: sum(row[name] for row in settled) / len(settled)
        return {**self.row, "down": mean("bytes_down_per_client_s"), "up": mean("bytes_up_per_client_s"),
                "gap_p99_ms": max(row["snapshot_gap_ms"]["p99"] for row in settled), "slow": report["verdict"]["bottleneck"]}


def measure(arguments, clients, programs, bridge=None):
    """Rows of the builds in a list, measured at the same time."""
    matches = []
    with contextlib.ExitStack() as stack:
        for pair in programs:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            matches.append(Match(pair, arguments, clients, folder, bridge))
            stack.callback(matches[-1].close)
        time.sleep(matches[-1].joining)
        for match in matches:
            match.begin()
        time.sleep(arguments.seconds)
        for match in matches:
            match.end()
        return [match.report() for match in matches]


def best_of(runs):
    best = min(runs, key=lambda row: row["cpu_pct"])
    best["tick_ms"] = [min(row["tick_ms"][i] for row in runs) for i in range(4)]
    best["gap_p99_ms"] = min(row["gap_p99_ms"] for row in runs)
    return best


def tell(row):
    p50, p99, p999, most = row["tick_ms"]
    print(f"{row['clients']:7} {row['cpu_pct']:6.2f} {row['rss_mib']:8.1f} {row['down']:9.0f} {row['up']:7.0f} "
          f"{row['gap_p99_ms']:8.1f} {p50:9.2f} {p99:6.2f} {p999:6.2f} {most:6.2f} {row['others_pct']:9.1f}"
          f"{'  (the load test was too slow)' if row['slow'] else ''}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("bots")
    parser.add_argument("--clients", default="16,64,128,256")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--slots", type=int, default=256)
    parser.add_argument("--option", action="append", default=[], help="for the server, as in --option=--snapshot-rate=30")
    parser.add_argument("--web", metavar="BRIDGE", help="measure as many browsers as well")
    parser.add_argument("--beside", nargs=2, metavar=("SERVER", "BOTS"), help="measure another build at the same time")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    programs, rows, within = [(arguments.server, arguments.bots)], [], 0
    beside = [tuple(arguments.beside)] if arguments.beside else []
    print(HEAD, flush=True)
    for clients in map(int, arguments.clients.split(",")):
        runs = [[*measure(arguments, clients, programs + beside),  # alternately, so that other load is the same for both
                 *(measure(arguments, clients, programs, arguments.web) if arguments.web else [])] for _ in range(arguments.repeat)]
        best, *others = map(best_of, zip(*runs))
        rows.append(best)
        tell(best)
        if beside:
            tell(others[0])
            best["share"] = sum(run[0]["cpu_pct"] for run in runs) / sum(run[1]["cpu_pct"] for run in runs)
            print(f"{best['share']:14.2f} of the CPU time beside it", flush=True)
        if arguments.web:
            best["browsers"] = {**others[-1], "times": others[-1]["cpu_pct"] / best["cpu_pct"]}
            tell(others[-1])
            print(f"{best['browsers']['times']:14.2f} times as much for browsers", flush=True)
        within = clients if best["tick_ms"][2] <= TICK_MS_MAX else within
    print(f"{within} clients with 99.9 % of the ticks within {TICK_MS_MAX} ms")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows, "clients": within}, file, indent=1)


main()
