#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A match survives its server, as a scene. The server is killed at random moments with 16 bots and started again with the same
command line; the match continues at the same tick in the same world, and every player is back in their slot.

  crash_recovery_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_REPLAY [KILLS [SEED]]
"""
import json
import os
import random
import shutil
import signal
import sys
import time

from processes import Bots, PAGE, Server, check, run, wait_for

SERVER, BOTS, REPLAY = sys.argv[1:4]
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 10
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(1 << 30)
PLAYERS = 16
JOURNAL_LAG_TICKS = 60  # what is not on the disk yet: a second
RESERVED_S = 30  # a seat of who has not come back


def replay(*arguments):
    return run(REPLAY, *arguments).stdout


def dice_of(path):
    """Returns commitment and secret."""
    with open(path, "rb") as file:
        data, at = file.read(), 8
    while data[at] != 7:
        at += 8 + int.from_bytes(data[at + 1:at + 4], "little")
    return data[at + 4:at + 68]


def names(server):
    return {player["slot"]: player["name"] for player in server.match()["players"]}


def goes_on_at(server):
    return int(server.said(r"the match goes on at tick (\d+)")[1])


def killed_and_back(server, dice):
    """Kills the server at a random moment and starts it again. Returns the new server."""
    old, new = (os.path.join(server.folder, name) for name in ("old.dfr", "new.dfr"))
    time.sleep(dice.uniform(0.3, 3.0))
    seen = server.match()["tick"]
    time.sleep(dice.uniform(0, 0.1))
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "it is killed")
    shutil.copy(os.path.join(server.folder, "journal.dfr"), old)
    stopped = int(json.loads(replay("--info", "--json", old))["last_tick"])
    check(stopped + JOURNAL_LAG_TICKS >= seen, f"more than a second was lost: tick {seen} was seen, and the match continues at {stopped}")
    server = server.again()
    check(goes_on_at(server) == stopped, f"the match goes on where its journal ends: {goes_on_at(server)}, {stopped}")
    time.sleep(1)
    shutil.copy(os.path.join(server.folder, "journal.dfr"), new)
    check(replay("--print-tick", str(stopped), old) == replay("--print-tick", str(stopped), new), f"the world is the same at tick {stopped}")
    check("0 wrong; proven by the secret of the dice" in replay("--verify", old) and dice_of(old) == dice_of(new), "so are the dice")
    return server


def main():
    print(f"seed {SEED}")
    dice = random.Random(SEED)
    with Server(SERVER, "--score-limit", "0", "--time-limit", "0", *PAGE) as server:
        bots = Bots(BOTS, server, PLAYERS, "--verify", "4", "--reconnect")
        wait_for(lambda: len(names(server)) == PLAYERS, "all join")
        before = names(server)
        for number in range(KILLS):
            server = killed_and_back(server, dice)
            wait_for(lambda: server.match()["tick"] > goes_on_at(server) + 60, "time passes again")
            check(names(server) == before, f"everybody is back: {names(server)}, {before}")
            print(f"kill {number + 1}: tick {goes_on_at(server)}, all players are back")
        time.sleep(RESERVED_S + 1)  # from here on, each player in a slot has come back
        check(names(server) == before, f"everybody has come back: {names(server)}, {before}")
        # A normal exit is not a crash, but the match can be continued too.
        stopped = server.match()["tick"]
        check(server.end() == 0, "it ends well")
        server = server.again()
        check(goes_on_at(server) > stopped, "the match goes on after a normal exit")
        server.end()
        totals = bots.end(signal.SIGINT)["totals"]
        check(totals["desyncs"] == 0, f"no world differs: {totals}")


main()
