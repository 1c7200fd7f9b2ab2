#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A flood of datagrams from strangers during a match of eight bots, as a scene: flood.py SERVER BOTS FLOOD [SECONDS [RATE]]

No stranger takes a slot, the server uses no more memory and sends no more than it gets, and the match continues as if nothing were.
"""
import json
import sys
import time

from processes import Bots, Server, check, run

SERVER, BOTS, FLOOD = sys.argv[1:4]
SECONDS = int(sys.argv[4]) if len(sys.argv) > 4 else 3
RATE = int(sys.argv[5]) if len(sys.argv) > 5 else 20000
PLAYERS = 8


def main():
    with Server(SERVER) as server:
        bots = Bots(BOTS, server, PLAYERS)
        server.joined(PLAYERS)
        time.sleep(2)
        before_kib = server.resident_kib()
        sent = json.loads(run(FLOOD, server.port, SECONDS, RATE).stdout)
        time.sleep(1)
        after_kib, totals = server.resident_kib(), bots.end()["totals"]
        print(f"{sent}; server {before_kib} KiB, then {after_kib}")
        check(server.count(" joins at slot ") == PLAYERS, "only the bots took a slot")
        check(totals["connected"] == PLAYERS and totals["disconnects"] == 0, f"the honest clients stayed: {totals}")
        check(sent["sent"] >= RATE * SECONDS, f"the flood was as large as asked for: {sent}")
        check(sent["back"] > 0 and sent["odd"] == 0, f"strangers got only cookies, denials and resets: {sent}")
        check(sent["back_bytes"] <= sent["sent_bytes"], f"the server sent no more than it got: {sent}")
        check(after_kib - before_kib < 512, f"the server's memory grew from {before_kib} to {after_kib} KiB")
        check(totals["counts"]["snapshots_lost"] == totals["counts"]["inputs_missed"] == 0, f"no honest client lost a datagram: {totals['counts']}")


main()
