#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records of a real server: they grow over restarts and survive kill -9 during a write, and a bad file never affects the
match.

  records_test.py DEADFALL_SERVER DEADFALL_BOTS [KILLS [SEED]]
"""
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from processes import wait_for  # ends every process that it starts

SERVER, BOTS = sys.argv[1:3]
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
PLAYERS = 4
TAU = 2.5  # RATING_TAU


class Server:
    """A server with short matches: every few seconds one ends and is written."""

    def __init__(self, folder, *arguments, limit_bytes=None):
        self.log_path = os.path.join(folder, "log")
        self.database = os.path.join(folder, "records.db")
        self.log = open(self.log_path, "w")
        limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))) if limit_bytes else None
        self.process = subprocess.Popen([SERVER, "--port", "0", "--bind", "127.0.0.1", "--state-dir", folder,
                                         "--score-limit", "1", "--time-limit", "6s", "--resume", "never", *arguments],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True, preexec_fn=limit,
                                        restore_signals=False)  # a file that grows too large causes an error and no signal
        ready = self.process.stdout.readline()
        assert ready.startswith("ready"), self.log_text()
        self.port = int(re.search(r":(\d+) ", ready).group(1))

    def log_text(self):
        return open(self.log_path).read()

    def end(self, how):
        self.process.send_signal(how)
        return self.process.wait(timeout=30)

    def players(self):
        """Returns the rows as another program reads them while the server writes."""
        try:
            base = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=5)
            rows = base.execute("SELECT name, matches, kills, deaths, played_ticks, rating FROM players").fetchall()
            base.close()
            return rows
        except sqlite3.OperationalError:
            return []


def check_whole(path):
    base = sqlite3.connect(path)
    assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    rows = base.execute("SELECT matches, kills, deaths, played_ticks, rating FROM players").fetchall()
    base.close()
    return rows


def witness(path):
    """Notes in the database itself how each match moves each rating: in a match, what all win and lose is 0 if it is
    divided by how unsure each rating was before."""
    base = sqlite3.connect(path)
    base.executescript(f"""CREATE TABLE moves(weighted REAL);
        CREATE TRIGGER note AFTER UPDATE OF rating ON players BEGIN
        INSERT INTO moves VALUES((NEW.rating - OLD.rating) / (OLD.deviation * OLD.deviation + {TAU * TAU})); END""")
    base.close()


def moves(path):
    base = sqlite3.connect(path)
    count, total, largest = base.execute("SELECT count(*), sum(weighted), max(weighted) FROM moves").fetchone()
    base.close()
    return count, total or 0, largest or 0


def bots_for(server, seconds, count=PLAYERS):
    """Bots create new keys, so these are new players each time."""
    return subprocess.Popen([BOTS, "--server", f"127.0.0.1:{server.port}", "--count", str(count), "--duration",
                             f"{seconds}s"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def leavers_and_matches_are_kept(folder):
    server = Server(folder)
    bots = bots_for(server, 600)
    wait_for(lambda: any(row[1] > 0 for row in server.players()), "a match ends and is written")
    bots.send_signal(signal.SIGINT)
    bots.wait(30)
    assert server.end(signal.SIGTERM) == 0
    rows = check_whole(server.database)
    assert len(rows) == PLAYERS, rows
    assert sum(row[3] for row in rows) > 60, rows
    witness(server.database)
    again = Server(folder)
    assert again.end(signal.SIGTERM) == 0
    assert check_whole(again.database) == rows, "a restart changes nothing"


def killed_at_any_moment(folder, dice):
    """Rows that were read before a kill are there after it, and the file is whole."""
    largest, number = 0, 0
    while number < KILLS or (largest <= 1e-4 and number < KILLS + 9):  # a match without a kill moves no rating
        server = Server(folder)
        before = len(server.players())
        bots = bots_for(server, 600)
        wait_for(lambda: len(server.players()) > before, "players of a match are written")
        time.sleep(dice.uniform(0, 1.5))
        seen = {(row[0], row[4]) for row in server.players()}
        bots.send_signal(signal.SIGINT)  # all bots leave: rows are being written
        time.sleep(dice.uniform(0, 0.03))
        assert server.end(signal.SIGKILL) == -signal.SIGKILL
        bots.wait(30)
        rows = check_whole(server.database)
        assert len(rows) >= len(seen), f"seed {SEED}: {len(seen)} players were read, and {len(rows)} are left"
        count, total, largest = moves(server.database)
        assert abs(total) < 1e-9, f"seed {SEED}: only a part of a match was written: the moves sum to {total}"
        number += 1
        print(f"kill {number}: {len(rows)} players, {count} moves, whole")
    assert largest > 1e-4, "no match has moved a rating"


def the_match_goes_on(folder, what, *arguments, limit_bytes=None):
    """Whatever is wrong, clients play, the log has one line about it, and the server exits with 0."""
    server = Server(folder, *arguments, limit_bytes=limit_bytes)
    bots = subprocess.run([BOTS, "--server", f"127.0.0.1:{server.port}", "--count", str(PLAYERS), "--duration", "8s",
                           "--verify", "2", "--threshold", "desyncs<1"], capture_output=True, text=True, timeout=60)
    assert "desyncs<1: holds" in bots.stdout, f"{what}: {bots.stdout}"
    assert "not every client could join" not in bots.stdout and "were lost" not in bots.stdout, f"{what}: {bots.stdout}"
    assert server.process.poll() is None, f"{what}: the server has ended"
    assert server.end(signal.SIGTERM) == 0, f"{what}: {server.log_text()}"
    lines = [line for line in server.log_text().splitlines() if "records cannot be kept in" in line]
    assert len(lines) == 1, f"{what}: {server.log_text()}"
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
        assert server.end(signal.SIGTERM) == 0
        assert not os.path.exists(server.database)


main()
