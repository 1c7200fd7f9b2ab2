#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether windows show what happened: three real clients play lms against bots over good and bad networks. Their logs are
compared with the events of the server's recording: everything shown as a fact must have happened, and must be shown once.

usage: truth_test.py DEADFALL SERVER REPLAY [SECONDS]
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

from processes import Server, check, write
from window import HEADLESS, Game

LINES = ("", "delay=50ms,jitter=5ms", "delay=100ms,jitter=5ms,loss=2%")
WINDOWS = 3
# A client shows these at once, before the server has confirmed them, if they are its own player's; and these always.
OWN_ACTIONS = {"jump", "land", "dash", "grab", "shoot"}
CRUSHERS = {"fall", "slam"}
EVENT = re.compile(r"event (\w+)(?: by \w+)? subject=(\d+)( \(you\))? other=(\d+) detail=(\d+) x=(-?\d+) y=(-?\d+) tick=(\d+)")
# Events in the last moments of a client may not have been confirmed when it ended.
SETTLED_TICKS = 120


def events_of(text):
    """Returns (kind, subject, other, detail, x, y, tick) and whether the subject is the viewer's player, for each line."""
    found = []
    for match in EVENT.finditer(text):
        numbers = [int(match[i]) for i in (2, 4, 5, 6, 7, 8)]
        found.append(((match[1], *numbers), bool(match[3])))
    return found


def is_fact(event, own):
    return event[0] not in CRUSHERS and not (own and event[0] in OWN_ACTIONS)


def input_script(seed, seconds):
    """A script of somebody who runs, jumps, dashes and shoots at random, in presses as long as a person's."""
    dice, tick, lines = random.Random(seed), 20, []
    while tick < 60 * seconds and len(lines) < 500:
        held = dice.choice(["left", "right", "left up", "right up", "right down", "left", "right", ""])
        press = dice.choice(["jump", "jump", "shoot", "dash", "shoot", ""])
        lines.append(f"{tick} {' '.join(filter(None, (held, press))) or '-'}")
        tick += dice.randrange(4, 9)
        lines.append(f"{tick} {held or '-'}")
        tick += dice.randrange(6, 20)
    return "\n".join(lines) + "\n"


class Match:
    """A server with its windows on one kind of line."""

    def __init__(self, programs, folder, line, seconds):
        self.folder, self.line, self.replay = folder, line, programs["replay"]
        os.mkdir(folder)
        self.server = Server(programs["server"], "--map", "duel", "--mode", "lms", "--max-players", "12", "--bots", "9", "--bot-skill", "hard",
                             "--record", folder, "--seed", "7", folder=folder)
        self.windows = []
        for number in range(WINDOWS):
            script, state = os.path.join(folder, f"script{number}"), os.path.join(folder, f"state{number}")
            os.mkdir(state)
            write(script, input_script(number, seconds))
            self.windows.append(Game(programs["window"], folder, "--connect", self.server.place, "--scale", "1", "--frames", str(60 * seconds),
                                     "--input-script", script, "--name", f"window {number}", *(["--net", line] if line else []), state=state,
                                     log_path=os.path.join(folder, f"window{number}.log"), environment={**HEADLESS, "HOME": state}))

    def end(self):
        for window in self.windows:
            check(window.process.wait(600) == 0, f"a window on '{self.line}' ends well:\n{window.log()[-2000:]}")
        check(self.server.end() == 0, "the server ends well")

    def truth(self):
        truth = []
        for name in sorted(name for name in os.listdir(self.folder) if name.endswith(".dfr")):
            done = subprocess.run([self.replay, "--events", os.path.join(self.folder, name)], capture_output=True, text=True,
                                  timeout=120)
            check(done.returncode == 0, f"the recording is whole: {done.stderr}")
            truth += [event for event, _ in events_of(done.stdout)]
        return truth

    def judge(self):
        """Returns the faults of all windows, and prints how many facts of each kind they showed."""
        truth, faults, shown_kinds = self.truth(), [], collections.Counter()
        all_true = collections.Counter(truth)
        for number in range(WINDOWS):
            shown = events_of(self.windows[number].log())
            check(len(shown) > 100, f"the log of window {number} has events")
            me = next((event[1] for event, own in shown if own), None)
            facts = collections.Counter(event for event, own in shown if is_fact(event, own))
            shown_kinds.update(event[0] for event in facts.elements())
            faults += [f"{self.line or 'no impairment'}, window {number}: {event} was shown {count} times and happened "
                       f"{all_true[event]} times" for event, count in facts.items() if count > all_true[event]]
            first, last = shown[0][0][6] + SETTLED_TICKS, shown[-1][0][6] - SETTLED_TICKS
            faults += [f"{self.line or 'no impairment'}, window {number}: {event} was not shown" for event in all_true
                       if first < event[6] < last and is_fact(event, event[1] == me) and event not in facts]
        kinds = ", ".join(f"{kind} {shown_kinds[kind]}" for kind in ("kill", "round", "pickup", "catch", "shield", "open"))
        print(f"{self.line or 'no impairment'}: {kinds}; {len(faults)} false or missing", flush=True)
        check(shown_kinds["kill"] > 10 and shown_kinds["round"] > 3, "enough has happened")
        return faults


def main():
    programs = dict(zip(("window", "server", "replay"), sys.argv[1:4]))
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 24
    with tempfile.TemporaryDirectory() as folder:
        faults = []
        for i, line in enumerate(LINES):  # one after another: each thread that waits makes all turns dearer
            match = Match(programs, os.path.join(folder, str(i)), line, seconds)
            match.end()
            faults += match.judge()
    check(not faults, "\n".join(faults[:20]))


if __name__ == "__main__":
    main()
