#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the ticks that are late because the map changes, with a real server, bots and a client.

  map_changes.py SERVER ADMIN BOTS [--changes 10] [--bots 12] [--disk DIR]

An admin commands the changes, through all six maps. Prints one JSON line: ticks that were late (they began when the next
one was due, too) and stalls, in the changes and as long a time without them, and how long a change took to begin. With
--disk the server keeps its journal and recordings there, so that the disk is part of it.
"""
import argparse
import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from processes import Bots, Server, check, wait_for  # noqa: E402

MAPS = ("duel", "clockwork", "skyline", "breakout", "colosseum", "foundry")
PAUSE_S = 1.5


def counts(server):
    """The counters of late ticks and stalls."""
    return {name: int(server.metric(f"deadfall_{name}_total")) for name in ("ticks_late", "tick_overruns")}


def spent(server, work):
    """What the counters have counted during some work."""
    time.sleep(0.3)  # they are published ten times a second
    before = counts(server)
    work()
    time.sleep(0.3)
    return {name: count - before[name] for name, count in counts(server).items()}


def change(server, number, seconds):
    name, lines = MAPS[number % len(MAPS)], server.log().count("the next match: ")
    begun = time.monotonic()
    check(server.ask("map", name).returncode == 0, f"the map changes to {name}")
    wait_for(lambda: server.log().count("the next match: ") > lines, "the next match")
    seconds.append(time.monotonic() - begun)
    time.sleep(PAUSE_S)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("admin")
    parser.add_argument("load_test")
    parser.add_argument("--changes", type=int, default=10)
    parser.add_argument("--bots", type=int, default=12)
    parser.add_argument("--disk", default="/dev/shm")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.disk) as folder:
        server = Server(arguments.server, "--bots", str(arguments.bots), "--metrics", "127.0.0.1:0", "--record", folder, folder=folder,
                        admin=arguments.admin)
        client = Bots(arguments.load_test, server, 1, "--verify", "1")
        wait_for(lambda: server.told("1 players"), "a client joins")
        seconds = []
        quiet = spent(server, lambda: time.sleep(arguments.changes * PAUSE_S))
        changing = spent(server, lambda: [change(server, number, seconds) for number in range(arguments.changes)])
        client.end()
        check(server.end() == 0, "the server ends")
    print(json.dumps({"bench": "map_changes", "changes": arguments.changes, "bots": arguments.bots,
                      "late": changing["ticks_late"], "stalls": changing["tick_overruns"],
                      "late_without": quiet["ticks_late"], "stalls_without": quiet["tick_overruns"],
                      "longest_change_s": round(max(seconds), 3)}))


main()
