#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults that only real processes have: faults.py SERVER BOTS MUTE

Faults of the network, in virtual time, are in tests/session/faults_test.c.
"""
import os
import signal
import socket
import subprocess
import sys
import threading
import time

from processes import Bots, LOOPBACK, Server, check, run_at_once, wait_for

SERVER, BOTS, MUTE = sys.argv[1:4]
DENY_SILENT = 6  # of PROTOCOL.md
PAGE = ("--metrics", f"{LOOPBACK}:0")


def place(server):
    return f"{LOOPBACK}:{server.port}"


def a_killed_client_frees_its_place_after_3500_ms():
    with Server(SERVER) as server:
        bots = Bots(BOTS, place(server), 1)
        wait_for(lambda: server.count(" joins at slot ") == 1, "the bot joins")
        time.sleep(1)
        bots.process.kill()
        begun = time.monotonic()
        wait_for(lambda: server.count("slot 0 left") == 1, "the slot of a killed client is free", 15)  # ENet's own limit is 30 s
        print(f"killed client: its slot was free after {time.monotonic() - begun:.2f} s")


def a_client_stopped_for_10_s_loses_its_place_and_nobody_else_notices():
    with Server(SERVER) as server:
        others = Bots(BOTS, place(server), 3, "--verify", "1")
        stopped = Bots(BOTS, place(server), 1)
        wait_for(lambda: server.count(" joins at slot ") == 4, "all join")
        time.sleep(1)
        before_kib = server.resident_kib()
        stopped.process.send_signal(signal.SIGSTOP)
        try:
            wait_for(lambda: " left" in server.log(), "the slot of a stopped client is free")
            time.sleep(5)
            check(server.resident_kib() - before_kib < 512, "a client that reads nothing costs the server no memory")
        finally:
            stopped.process.send_signal(signal.SIGCONT)
        totals = others.end()["totals"]
        check(totals["disconnects"] == 0 and totals["desyncs"] == 0 and totals["connected"] == 3, f"the other clients see no fault: {totals}")
        stopped.process.terminate()
        stopped.process.wait(10)


def a_server_stopped_for_250_ms_does_not_spiral():
    with Server(SERVER, *PAGE) as server:
        bots = Bots(BOTS, place(server), 4, "--verify", "2")
        wait_for(lambda: server.count(" joins at slot ") == 4, "all join")
        time.sleep(1.5)
        tick, begun = server.match()["tick"], time.monotonic()
        for _ in range(3):
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(0.25)
            server.process.send_signal(signal.SIGCONT)
            time.sleep(0.75)

        def left_out():
            expected = (time.monotonic() - begun) * 60
            return expected - (server.match()["tick"] - tick)

        # Each stall is 15 ticks long, of which 4 are caught up with. The page is up to 6 ticks old, and older on a busy machine.
        wait_for(lambda: left_out() <= 8, "ticks keep the time over a stall")
        stood = server.status()["ticks_stood_still"]
        check(stood >= 3 * (15 - 4 - 1), f"a match stands still for the ticks that are not caught up with: {stood}")
        print(f"stalled server: the match stood still for {stood} of 45 ticks")
        time.sleep(3)  # two whole seconds without a stall
        report = bots.end()
        totals = report["totals"]
        check(totals["disconnects"] == 0 and totals["desyncs"] == 0 and totals["connected"] == 4, f"no client was lost: {totals}")
        recovery_ms = totals["stall_recovery_ms"]
        check(recovery_ms["count"] >= 3, f"every stall is seen: {recovery_ms}")
        # How long is for the bench of stalls to say: a busy machine adds to some of them, but a spiral makes all longer than a stall.
        check(report["verdict"]["bottleneck"] or recovery_ms["p50"] < 250, f"a stall is over when it is over: {recovery_ms}")
        late = [row["snapshots_per_s"] for row in report["series"][-3:-1]]
        check(report["verdict"]["bottleneck"] or all(rate > 50 for rate in late), f"snapshots come at their rate again: {late}")
        server.process.terminate()
        server.process.wait(10)
        overruns = [line for line in server.log().splitlines() if "overrun" in line]
        check(overruns and " 0 overruns" not in overruns[-1], f"stalls are counted as overruns: {overruns}")


class Relay(threading.Thread):
    """A relay between bots and server that drops what goes in the directions of `blocked` (> and <)."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.blocked, self.backs, self.running = port, "", {}, True
        self.front = self.socket()
        self.place = f"{LOOPBACK}:{self.front.getsockname()[1]}"
        self.kept = []  # some datagrams of clients

    @staticmethod
    def socket():
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.bind((LOOPBACK, 0))
        made.settimeout(0.2)
        return made

    def answer(self, back, address):
        while self.running:
            try:
                datagram = back.recv(65536)
                if "<" not in self.blocked:
                    self.front.sendto(datagram, address)
            except OSError:
                pass

    def run(self):
        while self.running:
            try:
                datagram, address = self.front.recvfrom(65536)
            except OSError:
                continue
            if address not in self.backs:
                self.backs[address] = self.socket()
                threading.Thread(target=self.answer, args=(self.backs[address], address), daemon=True).start()
            if len(self.kept) < 400:
                self.kept.append(datagram)
            if ">" not in self.blocked:
                self.backs[address].sendto(datagram, (LOOPBACK, self.port))


def blackouts_of_3_s_resume_in_place():
    with Server(SERVER) as server:
        relay = Relay(server.port)
        relay.start()
        bots = Bots(BOTS, relay.place, 3, "--verify", "3")
        wait_for(lambda: server.count(" joins at slot ") == 3, "all join")
        time.sleep(1)
        for blocked in ("<>", "<", ">"):
            relay.blocked = blocked
            time.sleep(3)
            relay.blocked = ""
            time.sleep(2)
        time.sleep(2)  # a whole second without a blackout
        report = bots.end()
        relay.running = False
        totals = report["totals"]
        check(totals["connected"] == 3 and totals["disconnects"] == 0 and totals["desyncs"] == 0, f"every client resumed: {totals}")
        check(server.count(" joins at slot ") == 3, "no client had to join again")
        check(report["series"][-2]["snapshots_per_s"] > 50, f"the match continues: {report['series'][-2]}")
        longest_ms = totals["snapshot_gap_ms"]["max"]
        check(longest_ms < 5000, f"a message is sent again after a quarter of a second, not after the length of the blackout: {longest_ms} ms")
        outage, recover = totals["outage_ms"], totals["recover_ms"]
        check(outage["count"] >= 6 and 2500 < outage["max"] < 5000, f"each of three clients names both blackouts that took its snapshots: {outage}")
        check(recover["count"] == 0 and totals["reconnects"] == 0, f"nobody had to recover a connection: {recover}")
        print(f"blackouts of 3 s: the longest time without a snapshot was {longest_ms:.0f} ms")


def who_never_acknowledges_is_dropped_and_costs_no_memory():
    with Server(SERVER) as server:
        others = Bots(BOTS, place(server), 3, "--verify", "1")
        wait_for(lambda: server.count(" joins at slot ") == 3, "all join")
        mute = subprocess.Popen([MUTE, str(server.port)], text=True, stdout=subprocess.PIPE)
        wait_for(lambda: server.count("mute joins at slot ") == 1, "the mute client joins")
        time.sleep(1)
        before_kib = server.resident_kib()
        words = mute.communicate(timeout=30)[0].split()
        check(mute.returncode == 0 and int(words[0]) == DENY_SILENT, f"the mute client is disconnected for its silence: {words}")
        check(6.5 < float(words[1]) < 15, f"it is disconnected after seven seconds, and not ENet's 30: {words[1]}")
        check(server.resident_kib() - before_kib < 512, "a mute client costs the server no memory")
        print(f"never acknowledged: disconnected after {words[1]} s")
        totals = others.end()["totals"]
        check(totals["connected"] == 3 and totals["disconnects"] == 0 and totals["desyncs"] == 0, f"the other clients see no fault: {totals}")


def after_a_blackout_of_8_s_all_come_back_to_place_and_score():
    def scores():
        return {player["slot"]: (player["name"], player["score"]) for player in server.match()["players"]}

    def distance(some, others):
        """How many points lie between two states; a score below 0 is one that can be lost, too."""
        return sum(abs(score - others.get(slot, ("", 0))[1]) for slot, (_, score) in some.items())

    # On the smallest map people meet all the time, so they score soon.
    with Server(SERVER, *PAGE, "--map", "duel", "--time-limit", "0", "--score-limit", "0") as server:
        relay = Relay(server.port)
        relay.start()
        bots = Bots(BOTS, relay.place, 3, "--verify", "3", "--reconnect")
        wait_for(lambda: distance(scores(), {}) >= 6, "players have scored", 120)
        relay.blocked, begun = "<>", time.monotonic()
        time.sleep(1)  # who is in the middle of it stands still
        before = scores()
        check(distance(before, {}) >= 5, f"there are scores that can be lost: {before}")
        time.sleep(7)
        check(server.count(" left") == 3, "all slots are free")
        relay.blocked = ""
        wait_for(lambda: server.count(" joins at slot ") == 6 and len(scores()) == 3, "all are back")
        away_s = time.monotonic() - begun
        after = scores()
        check({slot: name for slot, (name, _) in after.items()} == {slot: name for slot, (name, _) in before.items()},
              f"each player is back in their slot: {before}, then {after}")
        check(distance(before, after) <= 2, f"each player has their score, but for what has happened since: {before}, then {after}")
        print(f"blackout of 8 s: all were back {away_s:.1f} s after its begin, {before}, then {after}")
        totals = bots.end()["totals"]
        relay.running = False
        outage, recover = totals["outage_ms"], totals["recover_ms"]
        check(totals["reconnects"] == 3 and recover["count"] == 3, f"each client says once that it has recovered: {recover}")
        check(8000 < recover["max"] < 1000 * (away_s + 3), f"from the last snapshot to the first: {recover}")
        check(outage["count"] >= 3 and outage["max"] <= recover["max"], f"the blackout is an outage of each client: {outage}")


def malformed_replayed_truncated_oversized_and_port_0_datagrams_change_nothing():
    with Server(SERVER) as server:
        relay = Relay(server.port)
        relay.start()
        bots = Bots(BOTS, relay.place, 3, "--verify", "3")
        wait_for(lambda: server.count(" joins at slot ") == 3 and len(relay.kept) >= 400, "all join")
        before_kib, stranger = server.resident_kib(), Relay.socket()
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        for number, datagram in enumerate(relay.kept * 5):
            at = number % max(len(datagram), 1)
            for changed in (datagram, datagram[:at], datagram + bytes(1300), bytes(60000) if number % 50 == 0 else b"",
                            datagram[:at] + bytes([datagram[at] ^ 1 << number % 8]) + datagram[at + 1:]):
                stranger.sendto(changed, (LOOPBACK, server.port))
        if os.geteuid() == 0:
            raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
            for datagram in relay.kept[:50]:
                size = 8 + len(datagram)
                head = (0).to_bytes(2, "big") + server.port.to_bytes(2, "big") + size.to_bytes(2, "big") + bytes(2)
                raw.sendto(head + datagram, (LOOPBACK, 0))
        time.sleep(1)  # a desync would be seen
        totals = bots.end()["totals"]
        relay.running = False
        check(totals["connected"] == 3 and totals["disconnects"] == 0 and totals["desyncs"] == 0, f"the honest clients stayed: {totals}")
        check(server.count(" joins at slot ") == 3, "no other client joined")
        check(server.resident_kib() - before_kib < 512, "the server uses no more memory")


FAULTS = (a_killed_client_frees_its_place_after_3500_ms,
          a_client_stopped_for_10_s_loses_its_place_and_nobody_else_notices,
          a_server_stopped_for_250_ms_does_not_spiral,
          blackouts_of_3_s_resume_in_place,
          after_a_blackout_of_8_s_all_come_back_to_place_and_score,
          who_never_acknowledges_is_dropped_and_costs_no_memory,
          malformed_replayed_truncated_oversized_and_port_0_datagrams_change_nothing)


def main():
    """Runs all tests at once, each with its own server: they mostly wait."""
    run_at_once(FAULTS)


main()
