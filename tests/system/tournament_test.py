#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A tournament of five on a real server, as its organiser and its players see it, over a crash of the server.

  tournament_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN DEADFALL_REPLAY README.md

The commands of the page's "A tournament" are run as they stand there, with the names of these players.

What was played is judged by the recordings: who took part in each match, and who won it.
"""
import glob
import json
import os
import re
import shlex
import signal
import sys
import tempfile
import time

from processes import Bots, Server, check, run, wait_for

SERVER, BOTS, ADMIN, REPLAY, PAGE = sys.argv[1:6]
PLAYERS = 5
SEED = 4711


class Organiser(Server):
    def rows(self, *words):
        done = self.ask("--json", *words)
        return json.loads(done.stdout)["answer"] if done.returncode == 0 else []

    def names(self):
        """Returns the names of the players by slot."""
        return {row["slot"]: row["name"] for row in self.rows("status") if row.get("about") == "player"}

    def pairings(self):
        return [row for row in self.rows("bracket") if row.get("about") == "pairing"]

    def decided(self):
        return [row for row in self.pairings() if row["winner"]]


def replay(path, *arguments):
    return [json.loads(line) for line in run(REPLAY, *arguments, "--json", path).stdout.splitlines()]


def fighters(path):
    """Returns the slots of those who killed or were killed in a recording."""
    return {slot for event in replay(path, "--events") if event["event"] == "kill" for slot in (event["subject"], event["other"])
            if slot < PLAYERS}


def page_commands():
    """Returns the words of each command of the page, and of those in its text."""
    with open(PAGE, encoding="utf-8") as file:
        text = re.search(r"^## A tournament\n(.*?)^## ", file.read(), re.M | re.S)[1]
    lines = [shlex.split(line) for line in re.search(r"^```\n(.*?)^```$", text, re.M | re.S)[1].splitlines()]
    check(all(line[:2] == ["deadfall-admin", "server"] for line in lines), lines)
    return [line[2:] for line in lines], [said.split() for said in re.findall(r"`(tournament [^`]*)`", text)]


def run_page(organiser, names):
    lines, said = page_commands()
    players = next(line[2:] for line in lines if line[:2] == ["tournament", "start"])
    own = dict(zip(players, names))
    for words in lines:
        shown = organiser.order(*[own.get(word, word) for word in words])
    check(len(players) == 4 and all(name in shown for name in own.values()), f"bracket shows them: {shown}")
    check([row["round"] for row in organiser.pairings()] == ["Semi-final", "Semi-final", "Final"], organiser.pairings())
    # The strongest meets the weakest, by the order of the page.
    check({organiser.pairings()[0][side] for side in ("first", "second")} == {names[0], names[3]}, organiser.pairings())
    check([words[:2] for words in said] == [["tournament", "win"], ["tournament", "end"]], said)
    for words in said:
        organiser.order(*[own.get(word, word) for word in words])
    check(not organiser.pairings(), "it has ended")
    organiser.order("set", "seed", str(SEED))


def main():
    with tempfile.TemporaryDirectory() as folder:
        records = os.path.join(folder, "recordings")
        organiser = Organiser(SERVER, "--map", "duel", "--mode", "lms", "--score-limit", "1", "--max-players", "8", "--seed", str(SEED),
                              "--household-players", "8", "--record", records, folder=folder, admin=ADMIN)
        bots = Bots(BOTS, organiser, PLAYERS, "--verify", str(PLAYERS), "--skill", "hard", "--reconnect")
        wait_for(lambda: len(organiser.names()) == PLAYERS, "all join")
        slots = organiser.names()
        names = sorted(slots.values())

        print("there is no tournament yet, and wrong orders are refused with a reason")
        check("There is no tournament" in organiser.order("bracket"), "bracket says so")
        for words, reason in ((("start",), "at least two"), (("start", names[0]), "at least two"), (("start", "Nobody", names[0]), "no player"),
                              (("start", names[0], names[0]), "twice"), (("win", names[0]), "no tournament"), (("end",), "no tournament"),
                              ((), "Say tournament")):
            check(reason in organiser.order("tournament", *words, code=1), f"tournament {words}: {reason}")

        print("the commands of the page do what it says")
        run_page(organiser, names)

        print("five players meet in four matches")
        before = set(glob.glob(os.path.join(records, "*")))
        organiser.order("tournament", "start", *names)
        rows = organiser.pairings()
        check([row["round"] for row in rows] == ["Quarter-final", "Semi-final", "Semi-final", "Final"], rows)
        check({rows[0]["first"], rows[0]["second"]} == {names[3], names[4]} and rows[0]["now"], rows)
        wait_for(lambda: organiser.decided(), "the first match is decided")

        print("the tournament outlives a crash")
        time.sleep(2)  # a crash takes the last ticks with it
        decided = organiser.decided()
        organiser.end(signal.SIGKILL)
        organiser = organiser.again()
        check(organiser.decided() == decided, "the first result is kept")
        wait_for(lambda: len(organiser.decided()) >= 2, "the second match is decided")

        print("an organiser decides a match that cannot be played")
        present = [row for row in organiser.pairings() if row["now"]][0]
        organiser.order("tournament", "win", "Nobody", code=1)
        organiser.order("tournament", "win", present["second"])
        check([row for row in organiser.decided() if row["winner"] == present["second"] and row["round"] == present["round"]],
              organiser.pairings())
        wait_for(lambda: len(organiser.decided()) == 4, "the final is decided")
        final = organiser.pairings()[-1]
        check(final["round"] == "Final" and final["winner"] in names, final)

        print("the recordings say the same")
        played = [row for row in organiser.decided() if (row["first"], row["second"]) != (present["first"], present["second"])]
        check(len(played) == 3, played)
        organiser.order("tournament", "end")
        check(organiser.end() == 0, "the server ends well")
        seen = []
        for path in sorted(set(glob.glob(os.path.join(records, "*"))) - before):
            seed = replay(path, "--info")[0]["seed"]
            check(seed == SEED, f"{path}: each match has the same seed, {seed}")
            who = fighters(path)
            check(len(who) <= 2, f"{path}: only two fight: {who}")
            seen.append({slots[slot] for slot in who})
        for row in played:
            pair = {row["first"], row["second"]}  # one may have died without the other's help
            check(any(who and who <= pair for who in seen), f"{row} was played: {seen}")
        check(bots.end()["totals"]["desyncs"] == 0, "what players saw is what happened")


main()
print("ok")
