#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A disk that takes 1.5 s for every call holds up no tick: slow_disk_test.py SERVER BOTS ADMIN SLOW_DISK

Whatever an operator does meanwhile, the match never stands still for as long as one call takes.
"""
import os
import re
import signal
import sys
import tempfile
import time
import urllib.request

from processes import Bots, LOOPBACK, OperatedServer, check, wait_for

SERVER, BOTS, ADMIN, SLOW_DISK = sys.argv[1:5]
DELAY_S = 1.5


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o600)


def stalled_s(server):
    """How long the match stood still so far, and the ticks so far."""
    port = re.search(r"live page on port (\d+)", server.log())[1]
    with urllib.request.urlopen(f"http://{LOOPBACK}:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return float(re.search(r"^deadfall_stalled_seconds_total (\S+)", text, re.M)[1])


def main():
    with tempfile.TemporaryDirectory() as folder:
        flag = os.path.join(folder, "slow")
        config = os.path.join(folder, "server.conf")
        write(config, "score-limit = 40\n")
        server = OperatedServer(SERVER, ADMIN, folder, "--config", config, "--bots", "12", "--metrics", f"{LOOPBACK}:0",
                                "--record", os.path.join(folder, "recordings"), "--record-keep", "3", "--run-empty",
                                environment={"LD_PRELOAD": SLOW_DISK, "DEADFALL_SLOW_DISK": flag, "DEADFALL_SLOW_DISK_MS": "1500"})
        bots = Bots(BOTS, server.place, 4, "--verify", "2")
        wait_for(lambda: "4 players" in server.ask("status").stdout, "all join")
        time.sleep(1)
        with open(flag, "w", encoding="utf-8"):
            pass
        faults = []

        def audit():
            with open(os.path.join(folder, "audit.log"), encoding="utf-8") as lines:
                return lines.read()

        def holds_up_no_tick(what, act, outcome=None):
            before = stalled_s(server)
            act()
            time.sleep(DELAY_S + 0.5)
            wait_for(outcome or (lambda: True), f"the outcome of {what}")
            stood_s = stalled_s(server) - before
            print(f"{what}: the match stood still for {stood_s:.2f} s")
            if stood_s > DELAY_S - 0.5:
                faults.append(what)

        for words in (("map", "duel"), ("restart", "match"), ("record", "off"), ("record", "on"), ("say", "hello"), ("map", "foundry")):
            holds_up_no_tick(" ".join(words), lambda words=words: server.ask(*words))
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
        os.unlink(flag)
        bots.process.terminate()
        check(not faults, f"nothing holds up a tick: {faults}\n{server.log()}")
        server.end()


main()
