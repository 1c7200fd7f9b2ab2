#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the statistics of the window are true: a real match in a real window under Xvfb, and an independent count of
what the recording of its server says. A second run of the window adds to the figures.

usage: statistics_test.py DEADFALL DEADFALL-REPLAY
"""
import glob
import json
import os
import re
import signal
import sys
import time

from processes import check, in_a_folder, need, read_text, run, write
from window import Window

PROGRAM, REPLAY = (os.path.abspath(path) for path in sys.argv[1:3])
PLAYING, MATCH_OVER = 2, 4  # detail of a round event
STALL_TICKS, CAUGHT_UP_TICKS = 30, 4
CAUSES = ["arrow", "stomp", "squish", "hazard", "fall", "ball", "bomb"]
SCRIPT = """1 right
40 right jump
60 right shoot
70 left
100 left shoot
130 left jump
160 right shoot up
175 right dash
200 right
230 left jump shoot
260 left dash
290 right shoot
330 left shoot
380 right jump
420 right shoot
480 left shoot jump
520 left
600 right shoot
660 left dash
700 right shoot
"""


def replay(path, *arguments):
    return [json.loads(line) for line in run(REPLAY, "--json", *arguments, path).stdout.splitlines() if line]


def stood_still(path, since, until):
    """For how many of these ticks nothing moved: a server that was late stands still for what it missed."""
    heads = [replay(path, "--print-tick", str(tick))[0]["head"][0] for tick in (since, until)]
    return heads[1].get("round.paused_ticks", 0) - heads[0].get("round.paused_ticks", 0)


def count(path, slot):
    """What happened to a player, by the events of the recording and by the last world."""
    found = {f"deaths-by-{cause}": 0 for cause in CAUSES}
    found.update({"matches": 0, "matches-won": 0, "played-ticks": 0, "streak-best": 0, "kills": 0, "deaths": 0})
    phase, since, streak, last = 0, 0, 0, 0
    for event in replay(path, "--events"):
        if event["event"] == "round":
            if phase == PLAYING:
                stalled = stood_still(path, since, event["tick"])
                found["played-ticks"] += event["tick"] - since - stalled
                found["stalled"] = found.get("stalled", 0) + stalled
            phase, since, last = event["detail"], event["tick"], event["tick"]
            if phase == MATCH_OVER:
                found["matches"] += 1
                found["matches-won"] += event["subject"] == slot
        elif event["event"] == "kill" and phase == PLAYING:
            if event["subject"] == slot:
                found["deaths"] += 1
                found[f"deaths-by-{event['cause']}"] += 1
                streak = 0
            elif event["other"] == slot:
                found["kills"] += 1
                streak += 1
                found["streak-best"] = max(found["streak-best"], streak)
    world = replay(path, "--print-tick", str(last))[0]
    player = next(player for player in world["player"] if player["slot"] == slot)
    for name in ("kills", "deaths", "squishes", "catches", "shots", "hits"):
        found[name] = player.get(name, 0)
    return found


def kept(window):
    lines = re.findall(r"^([a-z-]+) = (.*)$", read_text(os.path.join(window.state, "statistics")), re.M)
    return {name: int(value) if value.isdigit() else value for name, value in lines}


def stall(window):
    """The server is stopped in the midst of a round."""
    time.sleep(1)
    for child in window.children():
        os.kill(int(child), signal.SIGSTOP)
    time.sleep(STALL_TICKS / 60)
    for child in window.children():
        os.kill(int(child), signal.SIGCONT)


def play(folder, script):
    """Plays a match to its end, and leaves. Returns the window, closed, and the player's slot."""
    os.environ["DEADFALL_SCORE_LIMIT"] = "4"  # read by the server alone
    os.environ["DEADFALL_TIME_LIMIT"] = "40s"
    window = Window(PROGRAM, folder, "--name", "Ada", "--host", "--bots", "4", "--map", "duel", "--input-script", script)
    del os.environ["DEADFALL_SCORE_LIMIT"], os.environ["DEADFALL_TIME_LIMIT"]
    at = window.wait(r"joined as player \d+ of map duel")
    window.wait(rf"event round .*detail={PLAYING} ", at)
    stall(window)
    slot = int(re.search(r"joined as player (\d+) of map duel", window.log()).group(1))
    window.leave(window.wait(rf"event round .*detail={MATCH_OVER} ", at))
    window.end()
    return window, slot


def match(folder):
    script = os.path.join(folder, "script")
    write(script, SCRIPT)
    wanted = {}
    for turn in range(2):
        if turn:  # the second match is against players who stand still
            write(os.path.join(window.state, "settings"), "bot-skill = idle\n")
        window, slot = play(folder, script)
        path = max(glob.glob(os.path.join(window.state, "replays", "*.dfr")), key=os.path.getmtime)
        counted = count(path, slot)
        stalled = counted.pop("stalled", 0)
        check(stalled == STALL_TICKS - CAUGHT_UP_TICKS, f"turn {turn}: the server was stopped for {STALL_TICKS} ticks, and the match stood still for {stalled}")
        for name, value in counted.items():
            wanted[name] = max(wanted.get(name, 0), value) if name == "streak-best" else wanted.get(name, 0) + value
        found = kept(window)
        wrong = {name: (value, found.get(name)) for name, value in wanted.items() if found.get(name, 0) != value}
        check(not wrong, f"turn {turn}, the recording and the window: {wrong}")
        check(found["maps"] == f"duel:{turn + 1}" and found["shots"] and found["played-ticks"], f"turn {turn}: {found}")
        print(f"turn {turn}: {wanted}", flush=True)


need("Xvfb", "xdotool")
in_a_folder(match)()
