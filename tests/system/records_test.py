#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records of a real server: they grow over restarts and survive kill -9 during a write, and a bad file never affects the
match.

  records_test.py DEADFALL_SERVER DEADFALL_BOTS [KILLS [SEED]]
"""
import contextlib
import os
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import time

import processes
from processes import Bots, check, run, wait_for

SERVER, BOTS = sys.argv[1:3]
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 8
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
PLAYERS = 4
TAU = 2.5  # RATING_TAU
MATCH_TICKS = 360


class Server(processes.Server):
    """A server with short matches: every few seconds one ends and is written."""

    def __init__(self, folder, *arguments, limit_bytes=None):
        limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))) if limit_bytes else None
        super().__init__(SERVER, "--score-limit", "1", "--time-limit", f"{MATCH_TICKS // 60}s", "--resume", "never", *arguments, folder=folder,
                         preexec_fn=limit, restore_signals=False)  # a file that grows too large causes an error and no signal
        self.database = os.path.join(folder, "records.db")

    def players(self):
        """Returns the rows as another program reads them while the server writes."""
        try:
            return ask(f"file:{self.database}?mode=ro", "SELECT name, matches, kills, deaths, played_ticks, rating FROM players", uri=True)
        except sqlite3.OperationalError:
            return []


def ask(path, words, **options):
    with contextlib.closing(sqlite3.connect(path, timeout=5, **options)) as base:
        return base.execute(words).fetchall()


def check_whole(path):
    check(ask(path, "PRAGMA integrity_check") == [("ok",)] and ask(path, "PRAGMA journal_mode") == [("wal",)], f"{path} is whole")
    return ask(path, "SELECT matches, kills, deaths, played_ticks, rating FROM players")


def witness(path):
    """Notes in the database itself how each match moves each rating: in a match, what all win and lose is 0 if it is
    divided by how unsure each rating was before."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.executescript(f"""CREATE TABLE moves(weighted REAL);
            CREATE TRIGGER note AFTER UPDATE OF rating ON players BEGIN
            INSERT INTO moves VALUES((NEW.rating - OLD.rating) / (OLD.deviation * OLD.deviation + {TAU * TAU})); END""")


def moves(path):
    return ask(path, "SELECT count(*), total(weighted), coalesce(max(weighted), 0) FROM moves")[0]


def leavers_and_matches_are_kept(folder):
    server = Server(folder)
    bots = Bots(BOTS, server, PLAYERS)
    wait_for(lambda: any(row[1] > 0 for row in server.players()), "a match ends and is written")
    bots.end()
    check(server.end() == 0, "the server ends well")
    rows = check_whole(server.database)
    played = sorted(row[3] for row in rows)
    check(len(rows) == PLAYERS and MATCH_TICKS < played[0] and played[-1] - played[0] < PLAYERS, f"who joins a tick later plays one less: {played}")
    witness(server.database)
    again = Server(folder)
    check(again.end() == 0 and check_whole(again.database) == rows, "a restart changes nothing")


def killed_at_any_moment(folder, dice):
    """Rows that were read before a kill are there after it, and the file is whole."""
    largest = 0
    for number in range(KILLS):
        server = Server(folder)
        before = len(server.players())
        bots = Bots(BOTS, server, PLAYERS)  # they create new keys, so these are new players each time
        wait_for(lambda: len(server.players()) > before, "players of a match are written")
        time.sleep(dice.uniform(0, 1.5))
        seen = {(row[0], row[4]) for row in server.players()}
        bots.process.terminate()  # all bots leave: rows are being written
        time.sleep(dice.uniform(0, 0.03))
        server.end(signal.SIGKILL)
        bots.report()
        rows = check_whole(server.database)
        check(len(rows) >= len(seen), f"seed {SEED}: {len(seen)} players were read, and {len(rows)} are left")
        count, total, largest = moves(server.database)
        check(abs(total) < 1e-9, f"seed {SEED}: only a part of a match was written: the moves sum to {total}")
        print(f"kill {number}: {len(rows)} players, {count} moves, whole")
    check(largest > 1e-4, "a match has moved a rating")


def the_match_goes_on(folder, what, *arguments, limit_bytes=None):
    """Whatever is wrong, clients play, the log has one line about it, and the server exits with 0."""
    server = Server(folder, *arguments, limit_bytes=limit_bytes)
    bots = run(BOTS, "--server", server.place, "--count", PLAYERS, "--duration", "8s", "--verify", "2", "--threshold", "desyncs<1")
    check("desyncs<1: holds" in bots.stdout, f"{what}: {bots.stdout}")
    check(server.process.poll() is None and server.end() == 0, f"{what}: {server.log()}")
    lines = [line for line in server.log().splitlines() if "records cannot be kept in" in line]
    check(len(lines) == 1, f"{what}: {server.log()}")
    print(f"{what}: {lines[0]}")


def main():
    print(f"seed {SEED}")
    dice = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        leavers_and_matches_are_kept(folder)
        killed_at_any_moment(folder, dice)
    with tempfile.TemporaryDirectory() as folder:
        base = sqlite3.connect(os.path.join(folder, "records.db"), isolation_level=None)
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("BEGIN EXCLUSIVE")
        the_match_goes_on(folder, "locked")
    with tempfile.TemporaryDirectory() as folder:
        the_match_goes_on(folder, "full disk", limit_bytes=4096)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, "--records", "off")
        check(server.end() == 0 and not os.path.exists(server.database), "without records there is no file")


main()
