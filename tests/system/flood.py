#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A flood of datagrams from strangers during a match of eight bots: flood.py SERVER BOTS FLOOD [SECONDS]

No stranger takes a slot, the server uses no more memory and sends no more than it gets, and the match continues. The rate of
the flood is printed; it depends on the machine.
"""
import json
import subprocess
import sys
import time

from processes import Bots, LOOPBACK, Server, check

SERVER, BOTS, FLOOD = sys.argv[1:4]
SECONDS = int(sys.argv[4]) if len(sys.argv) > 4 else 3
RATE, PLAYERS = 100000, 8


def main():
    with Server(SERVER) as server:
        bots = Bots(BOTS, f"{LOOPBACK}:{server.port}", PLAYERS, seconds=SECONDS + 5)
        time.sleep(2.5)
        before_kib, joins = server.resident_kib(), server.count(" joins at slot ")
        before_s = server.cpu_s()
        flood = subprocess.run([FLOOD, str(server.port), str(SECONDS), str(RATE)], text=True, capture_output=True, timeout=90)
        after_kib, busy_pct = server.resident_kib(), 100 * (server.cpu_s() - before_s) / (SECONDS + 0.3)
        check(flood.returncode == 0, flood.stderr)
        sent = json.loads(flood.stdout)
        report = bots.report()
        totals = report["totals"]
        during = [row["snapshots_per_s"] for row in report["series"][2:-1]]
        print(f"{sent['sent_per_s']} datagrams/s, {sent['sent_bytes']} bytes, {sent['back_bytes']} bytes back; server "
              f"{before_kib} KiB, then {after_kib}, {busy_pct:.0f} % of a core; snapshots/s of each honest client {totals['snapshots_per_s']:.1f}, in the "
              f"worst second {min(during):.1f}, inputs missed {totals['inputs_missed_pct']:.2f} %")
        check(joins == PLAYERS and server.count(" joins at slot ") == PLAYERS, "only the bots took a slot")
        check(totals["connected"] == PLAYERS and totals["disconnects"] == 0, f"the honest clients stayed: {totals}")
        check(sent["sent"] > 20000 * SECONDS, f"the flood was large enough: {sent}")
        check(sent["back"] > 0 and sent["odd"] == 0, f"strangers got only cookies, denials and resets: {sent}")
        check(sent["back_bytes"] <= sent["sent_bytes"], f"the server sent no more than it got: {sent}")
        check(after_kib - before_kib < 512, f"the server's memory grew from {before_kib} to {after_kib} KiB")
        # Bots that share their processor see fewer snapshots; how few is bounded too.
        least = 45 if report["verdict"]["bottleneck"] else 55
        check(totals["snapshots_per_s"] >= least, f"the match continued at {least} snapshots a second: {totals}")


main()
