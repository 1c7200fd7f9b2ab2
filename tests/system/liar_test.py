#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients that are admitted and then lie, against a real server: liar_test.py SERVER BOTS LIAR

Each prints what it got for what it sent. A ratio is bytes to an address over bytes from it.
"""
import json
import subprocess
import sys

from processes import Bots, LOOPBACK, Server, check, wait_for

SERVER, BOTS, LIAR = sys.argv[1:4]
BUSY = ("--bots", "12")
GONE_S = 8


def lie(server, kind, seconds, sessions=1):
    run = subprocess.run([LIAR, str(server.port), kind, str(seconds), str(sessions)], text=True, capture_output=True, timeout=60)
    check(run.returncode == 0, f"{kind}: {run.stderr}")
    report = json.loads(run.stdout)
    print(f"{kind}, {sessions} session(s): {report['bytes_from']} bytes from the liars, {report['bytes_to']} to "
          f"{report['to']}, ratio {report['ratio']:.2f}, in the worst second {report['worst_second']:.2f}, heard for {report['heard_s']:.1f} s")
    return report


def a_victim_gets_at_most_three_times_what_is_sent_in_its_name():
    rows = [("roam", 10, 1), ("roam", 10, 8), ("bounce", 3, 1), ("bounce", 3, 8)]
    for place, more in (("foundry", [("creep", 10, 1), ("guess", 4, 8)]), ("colosseum", [])):
        with Server(SERVER, "--map", place, *BUSY, "--max-players", "32") as server:
            print(f"{place}:")
            for kind, seconds, sessions in rows + more:
                report = lie(server, kind, seconds, sessions)
                check(report["bytes_to"] > 0, f"{kind}: the session moved to the victim at first")
                check(report["ratio"] <= 3 and report["worst_second"] <= 3, f"{kind}: {report}")
                check(kind == "bounce" or report["heard_s"] <= GONE_S, f"{kind}: gone within 8 s: {report}")


def liars_are_gone_within_8_s_and_nobody_else_notices():
    with Server(SERVER, *BUSY) as server:
        others = Bots(BOTS, f"{LOOPBACK}:{server.port}", 2, "--verify", "1")
        wait_for(lambda: server.count(" joins at slot ") == 2, "the others join")
        report = lie(server, "honest", 3)
        check(report["heard_s"] >= 3 and server.count(" left") == 0, f"a client that does not lie stays: {report}")
        for kind, gone_s in (("invent", 2), ("mute", GONE_S), ("silent", 4)):
            report = lie(server, kind, 9)
            check(report["heard_s"] <= gone_s, f"{kind}: gone within {gone_s} s: {report}")
            check(server.count(" joins at slot ") - 2 == server.count(" left"), f"{kind}: the slot is free")
        totals = others.end()["totals"]
        check(totals["connected"] == 2 and totals["disconnects"] == 0 and totals["desyncs"] == 0, f"the others see no fault: {totals}")


def enet_connects_once_and_only_as_ours_does():
    with Server(SERVER) as server:
        report = lie(server, "reconnect", 3)
        check(report["connections"] == 0 and report["heard_s"] <= 2, f"no second connection in a session: {report}")
        report = lie(server, "window", 3)
        check(report["heard_s"] == 0 and report["ratio"] < 1 and report["connections"] == 0, f"only resets answer another window: {report}")
        report = lie(server, "idle", 3)
        check(report["connections"] == 0, f"a session that does not connect is over after 2 s: {report}")


def main():
    a_victim_gets_at_most_three_times_what_is_sent_in_its_name()
    liars_are_gone_within_8_s_and_nobody_else_notices()
    enet_connects_once_and_only_as_ours_does()


main()
