#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ratings and names that travel: real servers and real windows. A server vouches for a player after a match, the player's
client keeps that and shows it to a server that trusts the first one, where the rating becomes the player's and the name
theirs. Nobody else can show it, and nobody learns of it who does not trust the server. A server also sends each player
what it has on record about them, which their window keeps.

usage: vouch_test.py DEADFALL DEADFALL-SERVER DEADFALL-BOTS DEADFALL-ADMIN
"""
import contextlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

import processes
from processes import Bots, check, run, wait_for
from window import Game

GAME, SERVER, BOTS, ADMIN = sys.argv[1:5]
VOUCH_BYTES = 165
LIFE_S = 30 * 86400
RECORD = "rank mean deviation matches wins best_kills kills deaths squishes catches shots hits played_s first_seen last_seen"


class Server(processes.Server):
    def __init__(self, folder, name, *arguments):
        super().__init__(SERVER, "--resume", "never", "--admin-socket", os.path.join(folder, name, "admin.sock"), *arguments, folder=os.path.join(folder, name), admin=ADMIN,
                         log_path=os.path.join(folder, name + ".log"))
        self.database = os.path.join(self.folder, "records.db")

    def rows(self, *words):
        return [line for row in self.ask("--json", *words).stdout.splitlines() if row for line in json.loads(row)["answer"]]

    def players(self):
        return {line["name"]: line for line in self.rows("status") if line.get("about") == "player"}

    def names(self):
        return sorted(self.players())

    def record(self, name):
        return next((line for line in self.rows("records", "player", name) if line.get("about") == "record"), None)

    def change(self, what):
        """Changes the record of Ada while no server runs."""
        with contextlib.closing(sqlite3.connect(self.database)) as base, base:
            check(base.execute(f"UPDATE players SET {what} WHERE name = 'Ada'").rowcount == 1, "Ada has a record")


class Player(Game):
    """A window without a screen."""

    def __init__(self, folder, state, server, name="Ada"):
        path = os.path.join(folder, state)
        os.makedirs(path, exist_ok=True)
        super().__init__(GAME, folder, "--connect", server.place, "--name", name, log_path=path + ".log", state=path)
        self.wait("joined as player")

    def vouches(self):
        path = os.path.join(self.state, "vouches")
        return open(path, "rb").read() if os.path.exists(path) else b""

    def records(self):
        """Those that servers have sent, by fingerprint; written when the window ends."""
        path = os.path.join(self.state, "server-records")
        data = open(path, "rb").read() if os.path.exists(path) else b""
        found = {}
        for at in range(0, len(data), 157):
            key, kind, *numbers, name = struct.unpack_from("<32sBIi13I64s", data, at)
            check(kind == 17, data[at:at + 157])
            found[key.decode()] = dict(zip(RECORD.split(), numbers), server=name.rstrip(b"\0").decode())
        return found


def verified_by_openssl(vouch, folder):
    """Another program's opinion of the signature, by PROTOCOL.md."""
    paths = [os.path.join(folder, name) for name in ("key.der", "text", "signature")]
    parts = [bytes.fromhex("302a300506032b6570032100") + vouch[:32], b"deadfall vouch 1" + vouch[:101], vouch[101:]]
    for path, part in zip(paths, parts):
        with open(path, "wb") as file:
            file.write(part)
    return subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", paths[0], "-rawin",
                           "-in", paths[1], "-sigfile", paths[2]], capture_output=True).returncode == 0


def play_until(folder, name, condition, what):
    """Ada and three others play short matches until that."""
    server = Server(folder, name, "--score-limit", "1", "--time-limit", "2s", "--name", "Ada's server")
    ada, bots = Player(folder, "ada", server), Bots(BOTS, server, 3)
    wait_for(lambda: condition(ada), what)
    ada.end()
    bots.end()
    server.end()
    return server, ada


def earn_a_vouch(folder):
    """Plays two matches; in between, the server's records say that the player has played many."""
    server, _ = play_until(folder, "home", lambda ada: len(ada.vouches()) == VOUCH_BYTES, "the first vouch comes after a match")
    server.change("matches = 40, rating = 1700, deviation = 60")
    matches_of = lambda ada: struct.unpack_from("<I", ada.vouches(), 89)[0]  # noqa: E731
    server, ada = play_until(folder, "home", lambda ada: matches_of(ada) > 40, "the next match renews it")
    vouch = ada.vouches()
    mean, deviation, matches, made, expires = struct.unpack_from("<iIIII", vouch, 81)
    check(len(vouch) == VOUCH_BYTES and matches == 41, f"one for each server, after one more match: {matches}")
    check(vouch[64] == 0 and vouch[65:81] == b"Ada".ljust(16, b"\0"), vouch)
    check(150000 < mean < 190000 and deviation < 7000, (mean, deviation))
    check(expires - made == LIFE_S and 0 <= time.time() - made, f"it is good for {expires - made} s")
    told = ada.records()[server.key]
    check(told["server"] == "Ada's server" and told["matches"] == matches and told["mean"] == mean, told)
    check(verified_by_openssl(vouch, folder), "the signature is that of PROTOCOL.md")
    print(f"vouched: {mean / 100:.0f}, deviation {deviation / 100:.0f}, {matches} matches")
    return server.key, mean / 100


def the_rating_and_the_name_arrive(folder, key, mean):
    server = Server(folder, "away", "--trust", key)
    squatter = Player(folder, "squatter", server)
    check(server.names() == ["Ada"], f"the squatter has the name: {server.names()}")
    ada = Player(folder, "ada", server)
    wait_for(lambda: f"{key} vouches for Ada" in server.log(), "the vouch is noted")
    wait_for(lambda: server.names() == ["Ada", "Ada 3"], "the squatter has another name than both had")
    record = wait_for(lambda: server.record("Ada"), "there is a record")
    check(abs(record["rating"] - mean) < 1 and record["deviation"] == 100 and record["matches"] == 0, record)
    check(server.players()["Ada"]["key"] == record["key"], "the name is with its owner")
    squatter.end()
    ada.end()
    server.end()
    server = Server(folder, "away", "--trust", key)
    squatter = Player(folder, "squatter", server, "ADA")
    check(server.names() == ["ADA 2"], "names are kept over a restart, and without their owners")
    squatter.end()
    server.end()
    server = Server(folder, "away")
    squatter = Player(folder, "squatter", server)
    check(server.names() == ["Ada"], "who is not trusted any more keeps no names")
    squatter.end()
    server.end()


def who_joins_gets_their_own_record(folder):
    """Before any match ends. A newcomer gets none: neither their own, nor that of another."""
    server = Server(folder, "home", "--name", "Another name")
    server.end()
    server.change("kills = 4321, best_kills = 77")
    server = server.again()
    newcomer, ada = Player(folder, "newcomer", server, "Bob"), Player(folder, "ada", server)
    time.sleep(1)  # the record comes, and a window keeps what it has when it ends
    ada.end()
    newcomer.end()
    told = ada.records()[server.key]
    check((told["server"], told["kills"], told["best_kills"], told["rank"]) == ("Another name", 4321, 77, 1), told)
    check(newcomer.records() == {}, newcomer.records())
    server.end()


def nobody_else_can_show_it(folder, key):
    """A thief has the file of the player, but not the key."""
    server = Server(folder, "robbed", "--trust", key)
    os.makedirs(os.path.join(folder, "thief"))
    shutil.copy(os.path.join(folder, "ada", "vouches"), os.path.join(folder, "thief", "vouches"))
    thief = Player(folder, "thief", server)
    ada = Player(folder, "ada", server)  # their vouch is judged after that of the thief
    wait_for(lambda: "vouches for Ada" in server.log(), "the owner's counts")
    check(server.log().count("vouches for Ada") == 1, server.log())
    thief.end()
    ada.end()
    server.end()


def who_hides_it_brings_nothing(folder, key):
    with open(os.path.join(folder, "ada", "settings"), "a") as settings:
        settings.write("show-rating = off\n")
    server = Server(folder, "hidden", "--trust", key)
    ada, other = Player(folder, "ada", server), Player(folder, "other", server, "Bob")
    wait_for(lambda: server.names() == ["Ada", "Bob"], "both play")
    time.sleep(1)
    check("vouches for" not in server.log(), server.log())
    ada.end()
    other.end()
    server.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        key, mean = earn_a_vouch(folder)
        who_joins_gets_their_own_record(folder)
        the_rating_and_the_name_arrive(folder, key, mean)
        nobody_else_can_show_it(folder, key)
        who_hides_it_brings_nothing(folder, key)
    for arguments in (["--trust", "nonsense"], ["--trust", key, "--records", "off"]):
        check("--trust" in run(SERVER, "--port", "0", *arguments, code=64).stderr, f"{arguments} are refused")


main()
