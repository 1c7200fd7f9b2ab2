#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A disk that takes 1.5 s for every call holds up no tick, as a scene: slow_disk_test.py SERVER BOTS ADMIN

Whatever an operator does meanwhile, the match does not stand still for a single tick more.
"""
import os
import signal
import sys
import tempfile
import time

from processes import Bots, PAGE, Server, check, read_text, wait_for, write
from stage import disk

SERVER, BOTS, ADMIN = sys.argv[1:4]
DELAY_S = 1.5


def main():
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "server.conf")
        write(config, "score-limit = 40\n")
        server = Server(SERVER, "--config", config, "--bots", "12", *PAGE, "--record", os.path.join(folder, "recordings"),
                        "--record-keep", "3", "--run-empty", folder=folder, admin=ADMIN)
        bots = Bots(BOTS, server, 4, "--verify", "2")
        wait_for(lambda: server.told("4 players"), "all join")
        time.sleep(1)
        disk(folder, DELAY_S * 1000)
        faults = []

        def audit():
            return read_text(os.path.join(folder, "audit.log"))

        def holds_up_no_tick(what, act, outcome=lambda: True):
            before = server.status()["ticks_stood_still"]
            act()
            time.sleep(DELAY_S + 0.5)
            wait_for(outcome, f"the outcome of {what}")
            stood = server.status()["ticks_stood_still"] - before
            print(f"{what}: the match stood still for {stood} ticks")
            faults.extend([what] if stood else [])

        for line in ("map duel", "restart match", "record off", "record on", "say hello", "map foundry"):
            holds_up_no_tick(line, lambda line=line: server.ask(*line.split()))
        write(os.path.join(folder, "password"), "open sesame\n")
        write(config, f"score-limit = 50\npassword-file = {folder}/password\n")
        for line, outcome in (("set rotation duel,foundry,skyline", "done: {} -> changed: rotation;"),
                              ("set rotation duel,nowhere", "refused: {} -> there is no map \"nowhere\""),
                              ("reload", "done: {} -> changed: password-file, score-limit;"),
                              ("ban 192.0.2.1 7d", "done: {} -> 192.0.2.1 is banned until"),
                              ("unban 192.0.2.1", "done: {} -> 192.0.2.1 may join again.")):
            holds_up_no_tick(line, lambda line=line: server.ask(*line.split()),
                             lambda line=line, outcome=outcome: outcome.format(line) in audit())
        write(config, "score-limit = 60\n")
        holds_up_no_tick("SIGHUP", lambda: server.process.send_signal(signal.SIGHUP),
                         lambda: "SIGHUP, changed: password-file, score-limit" in server.log())
        disk(folder, 0)
        totals = bots.end()["totals"]
        check(not faults, f"nothing holds up a tick: {faults}\n{server.log()}")
        seen = [totals["counts"][name] for name in ("snapshots_lost", "inputs_missed", "desyncs")]
        check(seen == [0, 0, 0], f"no client misses anything: {totals['counts']}")
        server.end()


main()
