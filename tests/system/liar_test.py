#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients that are admitted and then lie, against a real server; a scene: liar_test.py SERVER BOTS LIAR

Each prints what it got for what it sent. A ratio is bytes to an address over bytes from it.
"""
import json
import subprocess
import sys

from processes import Bots, PAGE, Server, TICK_MS, check, run, wait_for

SERVER, BOTS, LIAR = sys.argv[1:4]
BUSY = ("--bots", "12")
SILENCE_MS, UNACKNOWLEDGED_MS = 3500, 7000  # until the server gives up who says nothing, or acknowledges nothing
PING_MS = 495  # until it asks again
PROBE_MS = 150  # between two attempts to reach who does not acknowledge: what is heard last is at most so old
VIOLATIONS = 8  # end a session
GONE_MS = UNACKNOWLEDGED_MS + 3 * TICK_MS  # its beginning, its end and the goodbye each wait for a tick


def lie(server, kind, seconds, sessions=1):
    report = json.loads(run(LIAR, server.port, kind, seconds, sessions).stdout)
    print(f"{kind}, {sessions} session(s): {report['bytes_from']} bytes from the liars, {report['bytes_to']} to "
          f"{report['to']}, ratio {report['ratio']:.2f}, in the worst second {report['worst_second']:.2f}, heard for {report['heard_ms']} ms")
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
                check(kind == "bounce" or report["heard_ms"] <= GONE_MS, f"{kind}: gone within 7 s: {report}")


def liars_are_gone_within_7_s_and_nobody_else_notices():
    with Server(SERVER, *BUSY) as server:
        others = Bots(BOTS, server, 2, "--verify", "1")
        server.joined(2)
        report = lie(server, "honest", 60)
        check(report["heard_ms"] >= 60000 and server.count(" left") == 0, f"a client that does not lie stays: {report}")
        for kind, least_ms, most_ms in (("invent", 0, 2000), ("mute", UNACKNOWLEDGED_MS - PROBE_MS - TICK_MS, GONE_MS), ("silent", SILENCE_MS - PING_MS, SILENCE_MS)):
            report = lie(server, kind, 9)
            check(least_ms <= report["heard_ms"] <= most_ms, f"{kind}: gone after {least_ms} to {most_ms} ms: {report}")
            check(server.count(" joins at slot ") - 2 == server.count(" left"), f"{kind}: the slot is free")
        totals = others.end()["totals"]
        check(totals["connected"] == 2 and totals["disconnects"] == totals["desyncs"] == totals["counts"]["snapshots_lost"] == 0, f"the others see no fault: {totals}")


def enet_is_asked_to_connect_by_nobody():
    with Server(SERVER) as server:
        report = lie(server, "reconnect", 3)
        check(report["connections"] == 0 and report["heard_ms"] <= 2000, f"who asks ENet to connect, and plays, is shut out: {report}")
        report = lie(server, "window", 4)  # asks four times a second
        check(report["connections"] == 0 and report["ratio"] < 1 and report["heard_ms"] <= VIOLATIONS * 250 + 1000, f"and so is who has not joined, for less than they sent: {report}")
        report = lie(server, "idle", 9)
        check(report["heard_ms"] <= GONE_MS, f"who does not join, nor acknowledges, is gone within 7 s: {report}")


def a_hoard_of_messages_keeps_nobody_waiting():
    with Server(SERVER, "--max-players", "16", *PAGE) as server:
        usual_ms = Bots(BOTS, server, 9, seconds=1).report()["totals"]["connect_ms"]["max"]
        hoarders = subprocess.Popen([LIAR, str(server.port), "hoard", "4", "16"], stdout=subprocess.PIPE)
        wait_for(lambda: server.status()["network"]["packets_in"] > 16 * 200, "they hoard")
        check(server.status()["sessions"]["waiting"] == 16, "all of them are still there")
        totals = Bots(BOTS, server, 9, seconds=1).report()["totals"]
        print(f"beside a hoard nine join within {totals['connect_ms']['max']:.0f} ms, else within {usual_ms:.0f} ms")
        check(totals["connected"] == 9 and totals["connect_ms"]["max"] <= usual_ms + TICK_MS, f"nobody waits for them: {totals['connect_ms']}")
        hoarders.communicate()


def main():
    a_victim_gets_at_most_three_times_what_is_sent_in_its_name()
    liars_are_gone_within_7_s_and_nobody_else_notices()
    enet_is_asked_to_connect_by_nobody()
    a_hoard_of_messages_keeps_nobody_waiting()


main()
