#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Servers that restart under 16 whole clients, as a scene: restarts.py SERVER BOTS ADMIN REPLAY

Nobody loses their connection, place or score. How long they wait follows from the handshake, and from nobody's silence.
"""
import json
import os
import re
import signal
import socket
import sys
import tempfile
import time

from processes import Bots, PAGE, Server, TICK_MS, check, run, run_at_once, wait_for, write

SERVER, BOTS, ADMIN, REPLAY = sys.argv[1:5]
CLIENTS = 16
# A reset, a cookie, an accept and the first snapshot each come with a tick of the server; clients look four times as often.
HANDSHAKE_MS = 4 * TICK_MS
HELLO_AGAIN_MS = 100  # until a client asks again, if nobody has heard its first hello
OPTIONS = ("--time-limit", "0", "--score-limit", "0", "--max-players", "16", "--household-players", "16")


class Arena:
    """A server with 16 clients, and what restarts it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.records = os.path.join(self.folder.name, "recordings")
        self.server = Server(SERVER, *OPTIONS, "--record", self.records, folder=self.folder.name, admin=ADMIN)
        self.bots = Bots(BOTS, self.server, CLIENTS, "--verify", str(CLIENTS), "--reconnect")
        self.restarts = -1
        self.back()
        time.sleep(2)

    def scores(self):
        """Returns name and score by slot."""
        rows = re.findall(r'^#(\d+) "(.*?)" .* score (-?\d+)', self.server.order("status"), re.M)
        return {int(slot): (name, int(score)) for slot, name, score in rows}

    def back(self):
        self.restarts += 1
        self.server.joined(CLIENTS * (self.restarts + 1))

    def restart(self):
        self.server.process.send_signal(signal.SIGUSR2)
        self.back()

    def crash(self, away_s=0):
        self.server.end(signal.SIGKILL)
        time.sleep(away_s)
        self.server = self.server.again()
        self.back()

    def keeps_places(self, act):
        before = self.scores()
        check(len(before) == CLIENTS, f"16 play: {before}")
        act()
        after = self.scores()
        check({slot: name for slot, (name, _) in before.items()} == {slot: name for slot, (name, _) in after.items()}
              and sum(score for _, score in after.values()) >= sum(score for _, score in before.values()) - 2,  # they play on
              f"everybody has their place and score: {before}, then {after}")

    def end(self, gap_ms, verify=True, in_a_row=False):
        """Checks what the clients have seen: after restarts in a row not each of them."""
        time.sleep(5)  # a world that differs would be seen
        totals = self.bots.end()["totals"]
        seen = [totals[name] for name in ("connected", "disconnects", "desyncs")]
        check(seen == [CLIENTS, 0, 0], f"nobody is disconnected, and no world differs: {totals}")
        check(in_a_row or totals["reconnects"] == CLIENTS * self.restarts, f"all came back each time: {totals}")
        longest_ms = totals["snapshot_gap_ms"]["max"]
        check(longest_ms <= gap_ms, f"nobody waits for longer than {gap_ms} ms: {totals['snapshot_gap_ms']}")
        self.server.end()
        names = sorted(os.listdir(self.records)) if verify else []
        for name in names:
            run(REPLAY, "--verify", os.path.join(self.records, name))
        print(f"{longest_ms:.0f} ms were the longest time without a snapshot, {len(names)} recordings are good")
        self.folder.cleanup()
        return totals


def a_planned_restart_loses_nobody_and_no_tick():
    arena = Arena()

    def by_an_admin():
        check("Its players stay" in arena.server.order("restart", "server"), "an admin restarts the server")
        arena.back()

    for restart, how in enumerate((arena.restart, by_an_admin), 1):
        stopped = arena.server.tick()
        arena.keeps_places(how)
        goes_on = int(arena.server.said(r"the match goes on at tick (\d+)")[1])
        check(goes_on - stopped in (1, 2), f"the match goes on at the tick after its last: {stopped}, {goes_on}")  # an order takes one
        check(arena.server.count("the match goes on at tick") == restart, "the match goes on")
        time.sleep(1)
    totals = arena.end(HANDSHAKE_MS)
    lost = totals["counts"]["snapshots_lost"], totals["inputs_missed_pct"], totals["outage_ms"]["count"]
    check(lost == (0, 0, 0), f"no snapshot and no input is lost, and nobody sees an outage: {totals}")


def ten_restarts_in_a_row_lose_nobody():
    arena = Arena()
    arena.keeps_places(lambda: [arena.restart() for _ in range(10)])
    arena.end(10 * HANDSHAKE_MS, in_a_row=True)  # the next one may begin before the first snapshot of the last


def a_crash_costs_a_moment():
    arena = Arena()
    arena.keeps_places(arena.crash)
    arena.end(HELLO_AGAIN_MS + HANDSHAKE_MS, verify=False)


def a_crash_costs_as_long_as_the_start_takes():
    arena = Arena()
    arena.keeps_places(lambda: arena.crash(2))
    arena.end(2000 + HELLO_AGAIN_MS + HANDSHAKE_MS, verify=False)


def a_restart_in_a_pause_and_a_change_of_map_loses_nobody():
    arena = Arena()
    arena.server.order("pause")
    arena.restart()
    check(arena.server.told("paused"), "a pause goes on after a restart")
    time.sleep(1)
    arena.server.order("resume")
    arena.server.order("map", "duel")
    arena.restart()
    time.sleep(1)
    arena.server.order("map", "skyline")
    arena.crash()
    arena.end(2 * (HELLO_AGAIN_MS + HANDSHAKE_MS), verify=False)


def an_open_vote_is_decided_after_a_restart_and_a_crash():
    with Server(SERVER, "--map", "duel", "--rotation", "duel,clockwork", "--score-limit", "1", "--time-limit", "20s", "--max-players", "4",
                admin=ADMIN) as server:
        bots = Bots(BOTS, server, 3, "--verify", "3", "--reconnect")
        for goes_on, how in enumerate((signal.SIGUSR2, signal.SIGKILL), 1):
            wait_for(lambda: server.told("vote: Which map is next?"), "the match ends with a vote")
            decided, joins = server.count("the vote is over"), server.count(" joins at slot ")
            time.sleep(0.3)  # its first bytes are on the disk
            server.process.send_signal(how)
            if how == signal.SIGKILL:
                server.process.wait()
                server = server.again()
            wait_for(lambda: server.count(" joins at slot ") >= joins + 3, "all are back")
            check(server.told("vote: Which map is next?"), "the vote is still open")
            check(server.count("the vote goes on: Which map is next?") == goes_on, "it is the same vote")
            wait_for(lambda: server.count("the vote is over") == decided + 1, lambda: f"the vote is decided: {server.log()[-2000:]}")
        server.end(signal.SIGINT)
        check(bots.end()["totals"]["desyncs"] == 0, "no world differs")


def what_an_admin_has_set_outlives_a_restart_and_a_crash():
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "server.conf")

        def events(name):
            return [row for row in map(json.loads, server.log().splitlines()) if row.get("event") == name]

        always = "duration = 1h\nlog-format = json\nrotation = duel, foundry\n"
        write(config, "bots = 1\n" + always)
        server = Server(SERVER, "--config", config, "--run-empty", *PAGE, folder=folder, admin=ADMIN)
        for line in (("bots", "3"), ("set", "score-limit", "77"), ("set", "rotation", "duel,clockwork")):
            server.order(*line)
        time.sleep(1.5)
        server.process.send_signal(signal.SIGUSR2)
        wait_for(lambda: len(events("restored")) == 1, "the server restarts")
        wait_for(lambda: server.told(" 3 bots,"), "the number of bots is as set")
        check(server.metric("deadfall_recovered") == 0, "a planned restart is no crash")
        time.sleep(1.5)
        write(config, "bots = 2\n" + always)
        server.end(signal.SIGKILL)
        server = server.again()
        wait_for(lambda: server.told(" 2 bots,"), "a config that has changed wins")
        check([row["option"] for row in events("option_kept")][-2:] == ["rotation", "score-limit"], f"the rest is kept: {events('option_kept')}")
        check(events("option_lost")[-1]["option"] == "bots", "the log says what is not kept")
        check(server.metric("deadfall_recovered") == 1, "a crash is one")
        first, second = events("restored")
        check(1500 <= first["ran_ms"] < 1600 and 1400 < second["ran_ms"] - first["ran_ms"] < 1600, f"--duration goes on: {first}, {second}")
        check(second["crashed"] and not first["crashed"] and second["map"] == "foundry", f"the log has fields: {second}")
        check([row["ms"] for row in events("start")] == [0, 0, 0], "the log says how long a start takes: no virtual time")
        server.end(signal.SIGINT)


def a_program_that_would_not_start_replaces_nobody():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        config, notify = os.path.join(folder, "server.conf"), os.path.join(folder, "notify")
        write(config, "bots = 2\n")
        manager.bind(notify)
        server = Server(SERVER, "--config", config, folder=folder, admin=ADMIN, environment={"NOTIFY_SOCKET": notify})
        bots = Bots(BOTS, server, 1, "--verify", "1", "--reconnect")
        server.said(" joins at slot ")
        write(config, "bots = 2\nnonsense = 1\n")
        refusal = server.ask("restart", "server")
        check(refusal.returncode != 0 and f"{config}:2" in refusal.stdout, f"the admin reads why: {refusal.stdout}")
        server.process.send_signal(signal.SIGUSR2)
        wait_for(lambda: server.count("no restart, the server goes on") == 2, "the log says why")
        server.order("status")
        write(config, "bots = 2\n")
        check(server.order("restart", "server") == "The server restarts. Its players stay.\n", "the server restarts")
        wait_for(lambda: server.count(" joins at slot ") == 2, "the client is back")
        write(config, "nonsense = 1\n")
        check(server.end(signal.SIGTERM) == 0, "the server ends, as its manager wants")
        server.said("no server would follow")
        totals = bots.report()["totals"]
        check(totals["disconnects"] == 1, f"a client does not wait for a server that cannot start: {totals}")


def who_leaves_for_good_says_goodbye():
    arena = Arena()
    arena.server.end(signal.SIGINT)
    totals = arena.bots.report()["totals"]
    check(totals["disconnects"] == CLIENTS, f"everybody is told that the server closes: {totals}")


run_at_once((what_an_admin_has_set_outlives_a_restart_and_a_crash, a_planned_restart_loses_nobody_and_no_tick, ten_restarts_in_a_row_lose_nobody,
             a_crash_costs_a_moment, a_crash_costs_as_long_as_the_start_takes, a_restart_in_a_pause_and_a_change_of_map_loses_nobody,
             an_open_vote_is_decided_after_a_restart_and_a_crash, a_program_that_would_not_start_replaces_nobody,
             who_leaves_for_good_says_goodbye))
