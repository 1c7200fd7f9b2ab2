#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ratings and names that travel: real servers and real windows. A server vouches for a player after a match, the player's
client keeps that and shows it to a server that trusts the first one, where the rating becomes the player's and the name
theirs. Nobody else can show it, and nobody learns of it who does not trust the server. A server also sends each player
what it has on record about them, which their window keeps.

usage: vouch_test.py DEADFALL DEADFALL-SERVER DEADFALL-BOTS DEADFALL-ADMIN
"""
import json
import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from processes import wait_for  # ends all that it starts

GAME, SERVER, BOTS, ADMIN = sys.argv[1:5]
VOUCH_BYTES = 165
RECORD = "rank mean deviation matches wins best_kills kills deaths squishes catches shots hits played_s first_seen last_seen"


class Server:
    def __init__(self, folder, name, *arguments):
        self.state = os.path.join(folder, name)
        self.log_path = os.path.join(folder, name + ".log")
        os.makedirs(self.state, exist_ok=True)
        self.process = subprocess.Popen([SERVER, "--port", "0", "--bind", "127.0.0.1", "--state-dir", self.state,
                                         "--resume", "never", "--admin-socket", os.path.join(self.state, "admin.sock"),
                                         *arguments],
                                        stdout=subprocess.PIPE, stderr=open(self.log_path, "w"), text=True)
        ready = self.process.stdout.readline()
        assert ready.startswith("ready"), self.log()
        self.port, self.key = re.search(r":(\d+) .* key=(\w+)", ready).groups()

    def log(self):
        return open(self.log_path).read()

    def admin(self, *words):
        answer = subprocess.run([ADMIN, "--json", os.path.join(self.state, "admin.sock"), *words],
                                capture_output=True, text=True, timeout=20)
        return [line for row in answer.stdout.splitlines() if row for line in json.loads(row)["answer"]]

    def names(self):
        return sorted(line["name"] for line in self.admin("status") if line.get("about") == "player")

    def record(self, name):
        return next((line for line in self.admin("records", "player", name) if line.get("about") == "record"), None)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(30) == 0, self.log()


class Player:
    """A window without a screen."""

    def __init__(self, folder, state, server, name="Ada"):
        self.state = os.path.join(folder, state)
        self.log_path = os.path.join(folder, state + ".log")
        os.makedirs(self.state, exist_ok=True)
        environment = dict(os.environ, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
        self.process = subprocess.Popen([GAME, "--state-dir", self.state, "--connect", f"127.0.0.1:{server.port}",
                                         "--log-level", "info", "--name", name], env=environment, stderr=open(self.log_path, "w"))
        wait_for(lambda: "joined as player" in self.log(), f"{state} joins")

    def log(self):
        return open(self.log_path).read()

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
            assert kind == 17, data[at:at + 157]
            found[key.decode()] = dict(zip(RECORD.split(), numbers), server=name.rstrip(b"\0").decode())
        return found

    def leave(self):
        self.process.terminate()
        self.process.wait(20)


def verified_by_openssl(vouch, folder):
    """Another program's opinion of the signature, by PROTOCOL.md."""
    paths = [os.path.join(folder, name) for name in ("key.der", "text", "signature")]
    parts = [bytes.fromhex("302a300506032b6570032100") + vouch[:32], b"deadfall vouch 1" + vouch[:101], vouch[101:]]
    for path, part in zip(paths, parts):
        with open(path, "wb") as file:
            file.write(part)
    return subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", paths[0], "-rawin",
                           "-in", paths[1], "-sigfile", paths[2]], capture_output=True).returncode == 0


def earn_a_vouch(folder):
    """Plays two matches; in between, the server's records say that the player has played many."""
    limits = ["--score-limit", "1", "--time-limit", "2s", "--name", "Ada's server"]
    server = Server(folder, "home", *limits)
    ada = Player(folder, "ada", server)
    bots = subprocess.Popen([BOTS, "--server", f"127.0.0.1:{server.port}", "--count", "3", "--duration", "600s"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: len(ada.vouches()) == VOUCH_BYTES, "the first vouch comes after a match")
    ada.leave()
    bots.send_signal(signal.SIGINT)
    bots.wait(30)
    server.end()
    base = sqlite3.connect(os.path.join(server.state, "records.db"))
    changed = base.execute("UPDATE players SET matches = 40, rating = 1700, deviation = 60 WHERE name = 'Ada'").rowcount
    base.commit()
    base.close()
    assert changed == 1
    server = Server(folder, "home", *limits)
    ada = Player(folder, "ada", server)
    bots = subprocess.Popen([BOTS, "--server", f"127.0.0.1:{server.port}", "--count", "3", "--duration", "600s"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: struct.unpack_from("<I", ada.vouches(), 89)[0] > 40, "the next match renews it")
    ada.leave()
    bots.send_signal(signal.SIGINT)
    bots.wait(30)
    server.end()
    vouch = ada.vouches()
    mean, deviation, matches, made, expires = struct.unpack_from("<iIIII", vouch, 81)
    assert len(vouch) == VOUCH_BYTES, "one for each server"
    assert vouch[64] == 0 and vouch[65:81] == b"Ada".ljust(16, b"\0"), vouch
    assert 150000 < mean < 190000 and deviation < 7000 and made < expires <= made + 30 * 86400, (mean, deviation)
    told = ada.records()[server.key]
    assert told["server"] == "Ada's server" and told["matches"] == matches and told["mean"] == mean, told
    assert verified_by_openssl(vouch, folder), "the signature is that of PROTOCOL.md"
    print(f"vouched: {mean / 100:.0f}, deviation {deviation / 100:.0f}, {matches} matches")
    return server.key, mean / 100


def the_rating_and_the_name_arrive(folder, key, mean):
    server = Server(folder, "away", "--trust", key)
    squatter = Player(folder, "squatter", server)
    assert server.names() == ["Ada"]
    ada = Player(folder, "ada", server)
    wait_for(lambda: f"{key} vouches for Ada" in server.log(), "the vouch is noted")
    wait_for(lambda: server.names() == ["Ada", "Ada 3"], "the squatter has another name than both had")
    record = wait_for(lambda: server.record("Ada"), "there is a record")
    assert abs(record["rating"] - mean) < 1 and record["deviation"] == 100 and record["matches"] == 0, record
    owner = next(line for line in server.admin("status") if line.get("about") == "player" and line["name"] == "Ada")
    assert owner["key"] == record["key"], "the name is with its owner"
    squatter.leave()
    ada.leave()
    server.end()
    server = Server(folder, "away", "--trust", key)
    squatter = Player(folder, "squatter", server, "ADA")
    assert server.names() == ["ADA 2"], "names are kept over a restart, and without their owners"
    squatter.leave()
    server.end()
    server = Server(folder, "away")
    squatter = Player(folder, "squatter", server)
    assert server.names() == ["Ada"], "who is not trusted any more keeps no names"
    squatter.leave()
    server.end()


def who_joins_gets_their_own_record(folder):
    """Before any match ends. A newcomer gets none: neither their own, nor that of another."""
    base = sqlite3.connect(os.path.join(folder, "home", "records.db"))
    base.execute("UPDATE players SET kills = 4321, best_kills = 77 WHERE name = 'Ada'")
    base.commit()
    base.close()
    server = Server(folder, "home", "--name", "Another name")
    newcomer = Player(folder, "newcomer", server, "Bob")
    for attempt in range(20):  # a window may end before the record has come
        ada = Player(folder, "ada", server)
        time.sleep(0.2 * attempt)
        ada.leave()
        if ada.records()[server.key]["server"] == "Another name":
            break
    newcomer.leave()
    told = ada.records()[server.key]
    assert (told["server"], told["kills"], told["best_kills"], told["rank"]) == ("Another name", 4321, 77, 1), told
    assert newcomer.records() == {}, newcomer.records()
    server.end()


def nobody_else_can_show_it(folder, key):
    """A thief has the file of the player, but not the key."""
    server = Server(folder, "robbed", "--trust", key)
    os.makedirs(os.path.join(folder, "thief"))
    shutil.copy(os.path.join(folder, "ada", "vouches"), os.path.join(folder, "thief", "vouches"))
    thief = Player(folder, "thief", server)
    ada = Player(folder, "ada", server)  # their vouch is judged after that of the thief
    wait_for(lambda: "vouches for Ada" in server.log(), "the owner's counts")
    assert server.log().count("vouches for Ada") == 1, server.log()
    thief.leave()
    ada.leave()
    server.end()


def who_hides_it_brings_nothing(folder, key):
    with open(os.path.join(folder, "ada", "settings"), "a") as settings:
        settings.write("show-rating = off\n")
    server = Server(folder, "hidden", "--trust", key)
    ada, other = Player(folder, "ada", server), Player(folder, "other", server, "Bob")
    wait_for(lambda: server.names() == ["Ada", "Bob"], "both play")
    time.sleep(1)
    assert "vouches for" not in server.log(), server.log()
    ada.leave()
    other.leave()
    server.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        key, mean = earn_a_vouch(folder)
        who_joins_gets_their_own_record(folder)
        the_rating_and_the_name_arrive(folder, key, mean)
        nobody_else_can_show_it(folder, key)
        who_hides_it_brings_nothing(folder, key)
    for arguments in (["--trust", "nonsense"], ["--trust", key, "--records", "off"]):
        refused = subprocess.run([SERVER, "--port", "0", *arguments], capture_output=True, text=True, timeout=20)
        assert refused.returncode == 64 and "--trust" in refused.stderr, refused


main()
