#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what a server needs for 16 to 256 playing clients, and how many it can serve with short ticks.

  capacity.py SERVER BOTS [--clients 16,64,128,256] [--seconds 15] [--repeat 3] [--slots 256] [--web BRIDGE]

The server runs on core 0, the load test on core 1: light clients, which walk, jump and shoot at random, and one full client
that compares every world. Each row is for one number of clients: the server's CPU time (user and system, in per cent of a
core) after all have joined, its memory, bytes per client, gaps between snapshots, and durations of ticks (upper edges of
the buckets of the server's metrics). Of several runs it shows the one with the least CPU time, because other load can only
add to it, and the CPU time of that other load. The last line is the largest number of clients at which 99.9 % of the ticks
took less than 8 ms.

With --web BRIDGE (build/release/tests/web_bridge), each row is followed by one of as many clients that join as browsers do.
Its CPU time is that of the server and of its process for browsers together, and the second figure how often it is the first one's.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

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


def classes(web):
    """The number of ticks up to each edge in ms."""
    with urllib.request.urlopen(f"http://127.0.0.1:{web}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return [(float(edge) * 1000, int(count))
            for edge, count in re.findall(r'tick_duration_seconds_bucket\{le="([^"]+)"\} (\d+)', text)]


def edge_of(before, after, share):
    counts = [(edge, now - then) for (edge, now), (_, then) in zip(after, before)]
    return next(edge for edge, count in counts if count >= share * counts[-1][1])


def measure(arguments, clients, folder, bridge=None):
    pin = ["taskset", "-c", "0"], ["taskset", "-c", "1"]
    log_path, report_path = os.path.join(folder, "log"), os.path.join(folder, "out.json")
    with open(log_path, "w", encoding="utf-8") as log:
        server = subprocess.Popen([*pin[0], arguments.server, "--port", "0", "--bind", "127.0.0.1", "--state-dir", folder,
                                   "--max-players", str(arguments.slots), "--metrics", "127.0.0.1:0", "--resume", "never",
                                   "--time-limit", "0", "--score-limit", "0", *(["--web"] if bridge else []), *arguments.option],
                                  stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        port = re.search(r":(\d+) ", server.stdout.readline())[1]
        with open(log_path, encoding="utf-8") as log:
            web = re.search(r"live page on port (\d+)", log.read())[1]
        if bridge:
            bridge = subprocess.Popen([*pin[1], bridge, port], stdout=subprocess.PIPE, text=True)
            port = bridge.stdout.readline().strip()
        joining = 2 + clients / 30  # a server lets in 32 a second from one address
        bots = subprocess.Popen([*pin[1], arguments.bots, "--server", f"127.0.0.1:{port}", "--count", str(clients), "--verify",
                                 "1", "--spawn-rate", "30", "--duration", f"{joining + arguments.seconds + 1:.0f}s", "--json",
                                 report_path], stdout=subprocess.DEVNULL)
        time.sleep(joining)
        begun, used, others, before = time.monotonic(), cpu_s(server.pid), busy_s(0), classes(web)
        time.sleep(arguments.seconds)
        seconds, used, others, after = (time.monotonic() - begun, cpu_s(server.pid) - used, busy_s(0) - others, classes(web))
        with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
            rss_mib = int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024
        bots.wait(60)
        with open(report_path, encoding="utf-8") as file:
            report = json.load(file)
    finally:
        if bridge:
            bridge.kill()
        server.terminate()
        server.wait(10)
    totals = report["totals"]
    if totals["connected"] != clients or totals["disconnects"] or totals["desyncs"]:
        sys.exit(f"capacity.py: {clients} clients: {totals['connected']:.0f} joined, {totals['disconnects_by_reason']}, "
                 f"{totals['desyncs']:.0f} desyncs")
    settled = [row for row in report["series"] if joining <= row["second"] and row["snapshot_gap_ms"]["count"] > 0]
    mean = lambda name: sum(row[name] for row in settled) / len(settled)
    return {"clients": clients, "cpu_pct": 100 * used / seconds, "rss_mib": rss_mib, "down": mean("bytes_down_per_client_s"),
            "up": mean("bytes_up_per_client_s"), "gap_p99_ms": max(row["snapshot_gap_ms"]["p99"] for row in settled),
            "tick_ms": [edge_of(before, after, share) for share in (0.5, 0.99, 0.999, 1)],
            "others_pct": 100 * max(0, others - used) / seconds, "slow": report["verdict"]["bottleneck"]}


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
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    rows, within = [], 0
    print(HEAD, flush=True)
    for clients in map(int, arguments.clients.split(",")):
        with tempfile.TemporaryDirectory() as folder:  # alternately, so that other load is the same for both
            runs = [[measure(arguments, clients, folder, bridge) for bridge in ([None, arguments.web] if arguments.web else [None])]
                    for _ in range(arguments.repeat)]
        best = best_of([run[0] for run in runs])
        rows.append(best)
        tell(best)
        if arguments.web:
            browsers = best_of([run[1] for run in runs])
            best["browsers"] = {**browsers, "times": browsers["cpu_pct"] / best["cpu_pct"]}
            tell(browsers)
            print(f"{best['browsers']['times']:14.2f} times as much for browsers", flush=True)
        within = clients if best["tick_ms"][2] <= TICK_MS_MAX else within
    print(f"{within} clients with 99.9 % of the ticks within {TICK_MS_MAX} ms")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows, "clients": within}, file, indent=1)


main()
