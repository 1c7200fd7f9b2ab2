#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A match survives its server. The server is killed at random moments with 16 bots and started again with the same command
line; the match continues at the same tick in the same world, and every player is back in their slot.

  crash_recovery_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_REPLAY [KILLS [SEED]]
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import processes  # ends every process that it starts

SERVER, BOTS, REPLAY = sys.argv[1:4]
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 3
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(1 << 30)
PLAYERS = 16


class Server:
    def __init__(self, folder, port):
        self.log_path = os.path.join(folder, "log")
        self.log = open(self.log_path, "w")
        self.process = subprocess.Popen([SERVER, "--port", str(port), "--bind", "127.0.0.1", "--state-dir", folder,
                                         "--score-limit", "0", "--time-limit", "0", "--metrics", "127.0.0.1:0"],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        ready = self.process.stdout.readline()
        assert ready.startswith("ready"), open(self.log_path).read()
        self.port = int(re.search(r":(\d+) ", ready).group(1))
        self.web = self.logged(r"live page on port (\d+)")

    def logged(self, pattern):
        found = re.search(pattern, open(self.log_path).read())
        return int(found.group(1)) if found else None

    def status(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.web}/status.json", timeout=10) as answer:
            return json.load(answer)["match"]

    def end(self, how):
        self.process.send_signal(how)
        return self.process.wait(timeout=30)


def replay(*arguments):
    return subprocess.run([REPLAY, *arguments], capture_output=True, text=True, check=True).stdout


def world_at(path, tick):
    """Returns the whole world as text, and its hash, by playing the file."""
    return replay("--print-tick", str(tick), path)


def last_tick(path):
    return int(json.loads(replay("--info", "--json", path))["last_tick"])


def dice_of(path):
    """Returns commitment and secret."""
    data, at = open(path, "rb").read(), 8
    while data[at] != 7:
        at += 8 + int.from_bytes(data[at + 1:at + 4], "little")
    return data[at + 4:at + 68]


def killed_and_back(folder, server, dice):
    """Kills the server at a random moment and starts it again. Returns the new server."""
    time.sleep(dice.uniform(0.3, 3.0))
    seen = server.status()["tick"]
    time.sleep(dice.uniform(0, 0.1))
    assert server.end(signal.SIGKILL) == -signal.SIGKILL
    old = os.path.join(folder, "old.dfr")
    shutil.copy(os.path.join(folder, "journal.dfr"), old)
    stopped = last_tick(old)
    assert stopped + 60 >= seen, f"more than a second was lost: tick {seen} was seen, and the match continues at {stopped}"
    again = Server(folder, server.port)
    resumed = again.logged(r"the match goes on at tick (\d+)")
    assert resumed == stopped, (resumed, stopped)
    time.sleep(1)
    new = os.path.join(folder, "new.dfr")
    shutil.copy(os.path.join(folder, "journal.dfr"), new)
    assert world_at(old, stopped) == world_at(new, stopped), f"seed {SEED}: the world differs at tick {stopped}"
    assert "0 wrong; proven by the secret of the dice" in replay("--verify", old)
    assert dice_of(old) == dice_of(new), "the match goes on with other dice"
    return again


def everybody_is_back(server, before, stepped):
    """Requires that within seconds time passes again and the same names are in the same slots."""
    for _ in range(100):
        match = server.status()
        if match["tick"] > stepped + 60:
            break
        time.sleep(0.1)
    names = {player["slot"]: player["name"] for player in match["players"]}
    assert names == before, (names, before)


def main():
    print(f"seed {SEED}")
    dice = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, 0)
        report = os.path.join(folder, "bots.json")
        bots = subprocess.Popen([BOTS, "--server", f"127.0.0.1:{server.port}", "--count", str(PLAYERS), "--verify", "4",
                                 "--reconnect", "--duration", "600", "--json", report], stdout=subprocess.DEVNULL)
        try:
            while len(server.status()["players"]) < PLAYERS:
                time.sleep(0.1)
            before = {player["slot"]: player["name"] for player in server.status()["players"]}
            for number in range(KILLS):
                server = killed_and_back(folder, server, dice)
                everybody_is_back(server, before, server.logged(r"the match goes on at tick (\d+)"))
                print(f"kill {number + 1}: tick {server.logged(r'the match goes on at tick ([0-9]+)')}, all players are back")
            # After half a minute no seat is reserved any more, so each player in a slot has come back.
            stopped = server.status()["tick"]
            while server.status()["tick"] < stopped + 31 * 60:
                time.sleep(0.5)
            assert {player["slot"]: player["name"] for player in server.status()["players"]} == before
            # A normal exit is not a crash, but the match can be continued too.
            assert server.end(signal.SIGTERM) == 0
            server = Server(folder, server.port)
            assert server.logged(r"the match goes on at tick (\d+)") > stopped
        finally:
            bots.send_signal(signal.SIGINT)
            bots.wait(timeout=30)
            server.process.kill()
            server.process.wait()
        totals = json.load(open(report))
        assert totals["totals"]["desyncs"] == 0, totals["totals"]


main()
