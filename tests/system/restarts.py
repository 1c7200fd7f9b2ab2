#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Servers that restart under 16 whole clients: restarts.py SERVER BOTS ADMIN REPLAY

Nobody loses their connection, place or score, and nobody waits for long. A bound of time is far above what a restart takes on an
idle machine (see DECISIONS.md), and below what it takes if clients wait for silence.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from processes import Bots, LOOPBACK, OperatedServer, check, run_at_once, wait_for

SERVER, BOTS, ADMIN, REPLAY = sys.argv[1:5]
CLIENTS = 16
AT_ONCE_MS = 2500  # clients that wait for silence take 3,750
OPTIONS = ("--time-limit", "0", "--score-limit", "0", "--max-players", "16", "--household-players", "16")


class Arena:
    """A server with 16 clients, and what restarts it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.records = os.path.join(self.folder.name, "recordings")
        self.options = (*OPTIONS, "--record", self.records)
        self.server = OperatedServer(SERVER, ADMIN, self.folder.name, *self.options)
        self.bots = Bots(BOTS, self.server.place, CLIENTS, "--verify", str(CLIENTS), "--reconnect")
        wait_for(lambda: self.joins() == CLIENTS, "all join")
        time.sleep(2)

    def joins(self):
        return self.server.log().count(" joins at slot ")

    def scores(self):
        """Returns name and score by slot."""
        rows = re.findall(r'^#(\d+) "(.*?)" .* score (-?\d+)', self.server.ask("status").stdout, re.M)
        return {int(slot): (name, int(score)) for slot, name, score in rows}

    def back(self, restarts):
        wait_for(lambda: self.joins() == CLIENTS * (restarts + 1), lambda: f"all are back after restart {restarts}: {self.joins()}")

    def start_again(self):
        """Starts the next server at the same port, as a service manager does."""
        port = self.server.place.split(":")[1]
        self.server = OperatedServer(SERVER, ADMIN, self.folder.name, *self.options, "--port", port)

    def end(self, gap_ms, verify=True):
        """Checks what the clients have seen."""
        time.sleep(1)  # a world that differs would be seen
        report = self.bots.end()
        totals, busy = report["totals"], report["verdict"]["bottleneck"]
        check(totals["connected"] == CLIENTS and totals["disconnects"] == 0, f"nobody is disconnected: {totals}")
        check(totals["desyncs"] == 0, f"no world differs: {totals}")
        longest_ms = totals["snapshot_gap_ms"]["max"]
        check(busy or longest_ms < gap_ms, f"nobody waits for long: {longest_ms} ms")
        self.server.end()
        names = sorted(os.listdir(self.records)) if verify else []
        for name in names:
            run = subprocess.run([REPLAY, "--verify", os.path.join(self.records, name)], capture_output=True, text=True, timeout=60)
            check(run.returncode == 0, f"the recording {name} is good: {run.stdout}{run.stderr}")
        print(f"{longest_ms:.0f} ms were the longest time without a snapshot{' on a busy machine' if busy else ''}, {len(names)} recordings are good")
        self.folder.cleanup()


def same_places(before, after):
    check({slot: name for slot, (name, _) in before.items()} == {slot: name for slot, (name, _) in after.items()},
          f"everybody has their place: {before}, then {after}")
    check(sum(score for _, score in after.values()) >= sum(score for _, score in before.values()) - 2,
          f"everybody has their score: {before}, then {after}")


def a_planned_restart_loses_nobody():
    arena = Arena()
    before = arena.scores()
    check(len(before) == CLIENTS, f"16 play: {before}")
    arena.server.process.send_signal(signal.SIGUSR2)
    arena.back(1)
    time.sleep(1)
    same_places(before, arena.scores())
    before = arena.scores()
    check("Its players stay" in arena.server.ask("restart", "server").stdout, "an admin restarts the server")
    arena.back(2)
    time.sleep(1)
    same_places(before, arena.scores())
    check(arena.server.log().count("the match goes on at tick") == 2, "the match goes on")
    arena.end(AT_ONCE_MS)


def ten_restarts_in_a_row_lose_nobody():
    arena = Arena()
    before = arena.scores()
    for restart in range(1, 11):
        arena.server.process.send_signal(signal.SIGUSR2)
        arena.back(restart)
    time.sleep(1)
    same_places(before, arena.scores())
    arena.end(AT_ONCE_MS)


def a_crash_costs_a_moment():
    arena = Arena()
    before = arena.scores()
    arena.server.end(signal.SIGKILL)
    arena.start_again()
    arena.back(1)
    time.sleep(1)
    same_places(before, arena.scores())
    arena.end(AT_ONCE_MS, verify=False)


def a_crash_costs_as_long_as_the_start_takes():
    arena = Arena()
    arena.server.end(signal.SIGKILL)
    time.sleep(2)
    arena.start_again()
    arena.back(1)
    arena.end(3500, verify=False)


def a_restart_in_a_pause_and_a_change_of_map_loses_nobody():
    arena = Arena()
    arena.server.ask("pause")
    arena.server.process.send_signal(signal.SIGUSR2)
    arena.back(1)
    check("paused" in arena.server.ask("status").stdout, "a pause goes on after a restart")
    arena.server.ask("resume")
    arena.server.ask("map", "duel")
    arena.server.process.send_signal(signal.SIGUSR2)
    arena.back(2)
    arena.server.ask("map", "skyline")
    arena.server.process.kill()
    arena.server.process.wait(10)
    arena.start_again()
    arena.back(3)
    arena.end(AT_ONCE_MS, verify=False)


def an_open_vote_is_decided_after_a_restart_and_a_crash():
    with tempfile.TemporaryDirectory() as folder:
        options = ("--map", "duel", "--rotation", "duel,clockwork", "--score-limit", "1", "--time-limit", "20s", "--max-players", "4")
        server = OperatedServer(SERVER, ADMIN, folder, *options)
        bots = Bots(BOTS, server.place, 3, "--verify", "3", "--reconnect")
        for goes_on, restart in enumerate((lambda: server.process.send_signal(signal.SIGUSR2), lambda: server.end(signal.SIGKILL))):
            wait_for(lambda: "vote: Which map is next?" in server.ask("status").stdout, "the match ends with a vote")
            decided, joins = server.log().count("the vote is over"), server.log().count(" joins at slot ")
            time.sleep(0.3)  # its first bytes are on the disk
            restart()
            if server.process.poll() is not None:
                server = OperatedServer(SERVER, ADMIN, folder, *options, "--port", server.place.split(":")[1])
            wait_for(lambda: server.log().count(" joins at slot ") >= joins + 3, "all are back")
            check("vote: Which map is next?" in server.ask("status").stdout, "the vote is still open")
            check(server.log().count("the vote goes on: Which map is next?") == goes_on + 1, "it is the same vote")
            wait_for(lambda: server.log().count("the vote is over") == decided + 1,
                     lambda: f"the vote is decided: {server.ask('status').stdout}{server.log()[-2000:]}")
        server.end(signal.SIGINT)
        check(bots.end()["totals"]["desyncs"] == 0, "no world differs")


def what_an_admin_has_set_outlives_a_restart_and_a_crash():
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "server.conf")

        def write(bots):
            with open(config, "w", encoding="utf-8") as file:
                file.write(f"bots = {bots}\nduration = 1h\nlog-format = json\nrotation = duel, foundry\n")

        def events(name):
            return [row for row in map(json.loads, server.log().splitlines()) if row.get("event") == name]

        write(1)
        options = ("--config", config, "--run-empty", "--metrics", f"{LOOPBACK}:0")
        server = OperatedServer(SERVER, ADMIN, folder, *options)
        for line in (("bots", "3"), ("set", "score-limit", "77"), ("set", "rotation", "duel,clockwork")):
            check(server.ask(*line).returncode == 0, f"an admin sets {line}")
        time.sleep(1.5)
        server.process.send_signal(signal.SIGUSR2)
        wait_for(lambda: len(events("restored")) == 1, "the server restarts")
        wait_for(lambda: " 3 bots," in server.ask("status").stdout, "the number of bots is as set")
        check(recovered(server) == 0, "a planned restart is no crash")
        time.sleep(1.5)
        write(2)
        server.end(signal.SIGKILL)
        server = OperatedServer(SERVER, ADMIN, folder, *options)
        wait_for(lambda: " 2 bots," in server.ask("status").stdout, "a config that has changed wins")
        check([row["option"] for row in events("option_kept")][-2:] == ["rotation", "score-limit"], f"the rest is kept: {events('option_kept')}")
        check(events("option_lost")[-1]["option"] == "bots", "the log says what is not kept")
        check(recovered(server) == 1, "a crash is one")
        first, second = events("restored")
        check(1000 < first["ran_ms"] <= second["ran_ms"] - 500, f"--duration goes on: {first}, {second}")
        check(second["crashed"] and not first["crashed"] and second["map"] == "foundry", f"the log has fields: {second}")
        check(all(row["ms"] >= 0 for row in events("start")), "the log says how long a start takes")
        server.end(signal.SIGINT)


def recovered(server):
    """Returns the metric of the newest server."""
    page = re.findall(r"live page on port (\d+)", server.log())[-1]
    with urllib.request.urlopen(f"http://{LOOPBACK}:{page}/metrics", timeout=10) as answer:
        return int(re.search(r"^deadfall_recovered (\d)", answer.read().decode(), re.M)[1])


def a_program_that_would_not_start_replaces_nobody():
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "server.conf")

        def write(line):
            with open(config, "w", encoding="utf-8") as file:
                file.write(line)

        write("bots = 2\n")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(os.path.join(folder, "notify"))
            server = OperatedServer(SERVER, ADMIN, folder, "--config", config,
                                    environment={"NOTIFY_SOCKET": os.path.join(folder, "notify")})
            bots = Bots(BOTS, server.place, 1, "--verify", "1", "--reconnect")
            wait_for(lambda: " joins at slot " in server.log(), "a client joins")
            write("bots = 2\nnonsense = 1\n")
            refusal = server.ask("restart", "server")
            check(refusal.returncode != 0 and f"{config}:2" in refusal.stdout, f"the admin reads why: {refusal.stdout}")
            server.process.send_signal(signal.SIGUSR2)
            wait_for(lambda: server.log().count("no restart, the server goes on") == 2, "the log says why")
            check(server.ask("status").returncode == 0, "the server goes on")
            write("bots = 2\n")
            check(server.ask("restart", "server").stdout == "The server restarts. Its players stay.\n", "the server restarts")
            wait_for(lambda: server.log().count(" joins at slot ") == 2, "the client is back")
            write("nonsense = 1\n")
            check(server.end(signal.SIGTERM) == 0, "the server ends, as its manager wants")
            check("no server would follow" in server.log(), "the log says what happens to the players")
            totals = bots.report()["totals"]
            check(totals["disconnects"] == 1, f"a client does not wait for a server that cannot start: {totals}")


def who_leaves_for_good_says_goodbye():
    arena = Arena()
    arena.server.end(signal.SIGINT)
    totals = arena.bots.report()["totals"]
    check(totals["disconnects"] == CLIENTS, f"everybody is told that the server closes: {totals}")


CASES = (what_an_admin_has_set_outlives_a_restart_and_a_crash, a_planned_restart_loses_nobody, ten_restarts_in_a_row_lose_nobody, a_crash_costs_a_moment,
         a_crash_costs_as_long_as_the_start_takes, a_restart_in_a_pause_and_a_change_of_map_loses_nobody,
         an_open_vote_is_decided_after_a_restart_and_a_crash, a_program_that_would_not_start_replaces_nobody, who_leaves_for_good_says_goodbye)


def main():
    """Runs two at once: more would only measure each other."""
    for at in range(0, len(CASES), 2):
        run_at_once(CASES[at:at + 2])


main()
