#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults that only real processes have, as a scene: faults.py SERVER BOTS ADMIN MUTE

Faults of the network alone are in tests/session/faults_test.c.
"""
import signal
import socket
import subprocess
import sys
import time

from processes import Bots, LOOK_MS, LOOPBACK, PAGE, Server, TICK_MS, check, ms_until, run_at_once, wait_for
from relay import Relay, udp_socket

SERVER, BOTS, ADMIN, MUTE = sys.argv[1:5]
DENY_SILENT = 6  # of PROTOCOL.md
SILENCE_MS, UNACKNOWLEDGED_MS = 3500, 7000  # until the server gives up who says nothing, or acknowledges nothing
HELD_TICKS = 3  # between two inputs of who changes nothing
EARLIEST_MS = SILENCE_MS - HELD_TICKS * TICK_MS - LOOK_MS - 1  # after the last input, a look before it; the server counts whole ms
LATEST_MS = SILENCE_MS + TICK_MS  # or it waits for the server's next tick
CATCH_UP_TICKS = 4  # of a stall
FULL_AGAIN_MS = 500  # until who acknowledges nothing is sent another full snapshot
HELLO_AGAIN_MS = 100  # until a client that hears nothing asks again


def all_join(server, count):
    server.joined(count)
    time.sleep(1)


def unharmed(bots, count, snapshots_lost=0):
    """Ends clients that must have seen no fault. Returns their report."""
    report = bots.end()
    totals = report["totals"]
    seen = {name: totals[name] for name in ("connected", "disconnects", "reconnects", "desyncs")}
    check(seen == {"connected": count, "disconnects": 0, "reconnects": 0, "desyncs": 0}, f"no client sees a fault: {totals}")
    check(snapshots_lost is None or totals["counts"]["snapshots_lost"] == snapshots_lost, f"{snapshots_lost} snapshots are lost: {totals['counts']}")
    return report


def a_killed_client_frees_its_place_after_3500_ms():
    for phase in range(3):  # of the kill in a tick: the last input was heard before it
        with Server(SERVER) as server:
            bots = Bots(BOTS, server, 1)
            all_join(server, 1)
            time.sleep(phase * TICK_MS / 3000)
            bots.process.kill()
            free_ms = ms_until(lambda: server.count("slot 0 left"), "the slot of a killed client is free", EARLIEST_MS - 1)
            check(EARLIEST_MS < free_ms <= LATEST_MS, f"its slot is free 3,500 ms after its last input: {free_ms}")


def a_client_stopped_for_a_minute_loses_its_place_and_nobody_else_notices():
    with Server(SERVER) as server:
        others, stopped = Bots(BOTS, server, 3, "--verify", "1"), Bots(BOTS, server, 1)
        all_join(server, 4)
        before_kib = server.resident_kib()
        stopped.process.send_signal(signal.SIGSTOP)
        free_ms = ms_until(lambda: server.count(" left"), "the slot of a stopped client is free", EARLIEST_MS - 1)
        check(EARLIEST_MS < free_ms <= LATEST_MS, f"its slot is free 3,500 ms after its last input: {free_ms}")
        time.sleep(60)
        check(server.resident_kib() - before_kib < 512, "a client that reads nothing costs the server no memory")
        unharmed(others, 3)
        stopped.process.send_signal(signal.SIGCONT)
        check(stopped.end()["totals"]["reconnects"] == 0, "it was not asked to come back")


def a_server_stopped_for_250_ms_does_not_spiral():
    with Server(SERVER, *PAGE, admin=ADMIN) as server:
        bots = Bots(BOTS, server, 4, "--verify", "2")
        all_join(server, 4)
        stalls, lost = 10, 15 - CATCH_UP_TICKS  # ticks of each: the match stands still for those that are not caught up with
        before, begun = server.tick(), time.monotonic()
        for _ in range(stalls):
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(0.25)
            server.process.send_signal(signal.SIGCONT)
            time.sleep(0.75)
        ticks, passed = server.tick() - before, (time.monotonic() - begun) * 60
        check(abs(ticks - passed) < 1, f"ticks keep the time over stalls: {ticks} in {passed}")
        check(server.status()["ticks_stood_still"] == stalls * lost, f"a match stands still for {lost} ticks of each stall: {server.status()}")
        check(server.metric("deadfall_tick_overruns_total") == stalls, "each stall is one overrun")
        time.sleep(3)
        report = unharmed(bots, 4, None)
        rates = [row["snapshots_per_s"] for row in report["series"][1:-1]]
        check(rates == [60 - lost] * (len(rates) - 3) + [60] * 3, f"60 snapshots in each second, but for what stalls take: {rates}")
        totals = report["totals"]
        recovery, outage = totals["stall_recovery_ms"], totals["outage_ms"]
        check((recovery["count"], recovery["max"]) == (4 * stalls, 0), f"with the first input after a stall all is as before: {recovery}")
        check(outage["count"] == 4 * stalls and round(outage["max"]) == round(250 + LOOK_MS), f"each client misses what the stall takes, and no more: {outage}")


def blackouts_of_3_s_resume_in_place():
    with Server(SERVER) as server:
        relay = Relay(server)
        bots = Bots(BOTS, relay, 3, "--verify", "3")
        all_join(server, 3)
        for blocked in ("<>", "<", ">"):
            relay.blocked = blocked
            time.sleep(3)
            relay.blocked = ""
            time.sleep(2)
        time.sleep(2)
        report = unharmed(bots, 3, None)
        totals = report["totals"]
        check(server.count(" joins at slot ") == 3, "no client had to join again")
        check([row["snapshots_per_s"] for row in report["series"][-3:-1]] == [60, 60], "the match continues at its rate")
        gaps = totals["outage_ms"]["buckets"]
        # Who was away too long for a difference gets the next full snapshot; meanwhile a client that is not heard gets those, too.
        lost, unheard = (sum(count for ms, count in gaps if (ms > 3e6) == long) for long in (True, False))
        check(lost == 6 and 3000 < totals["outage_ms"]["max"] <= 3000 + FULL_AGAIN_MS, f"each client names both blackouts: {gaps}")
        check(unheard == 3 * (3000 // FULL_AGAIN_MS - 2) and all(ms < 1000 * (FULL_AGAIN_MS + 2 * LOOK_MS) or ms > 3e6 for ms, _ in gaps), f"{gaps}")
        check(totals["recover_ms"]["count"] == 0, "nobody had to recover a connection")


def who_never_acknowledges_is_dropped_and_costs_no_memory():
    with Server(SERVER) as server:
        others = Bots(BOTS, server, 3, "--verify", "1")
        all_join(server, 3)
        mute = subprocess.Popen([MUTE, str(server.port)], text=True, stdout=subprocess.PIPE)
        wait_for(lambda: server.count("mute joins at slot ") == 1, "the mute client joins")
        before_kib = server.resident_kib()
        reason, after_ms = map(int, mute.communicate()[0].split())
        check(mute.returncode == 0 and reason == DENY_SILENT, f"the mute client is disconnected for its silence: {reason}")
        # Its READY, the end of its time and the goodbye each wait for somebody's tick.
        check(UNACKNOWLEDGED_MS < after_ms <= UNACKNOWLEDGED_MS + 3 * TICK_MS, f"after seven seconds: {after_ms} ms")
        check(server.resident_kib() - before_kib < 512, "a mute client costs the server no memory")
        unharmed(others, 3)


def after_a_blackout_of_8_s_all_come_back_to_place_and_score():
    def scores():
        return {player["slot"]: (player["name"], player["score"]) for player in server.match()["players"]}

    # On the smallest map people meet all the time, so they score soon.
    with Server(SERVER, *PAGE, "--map", "duel", "--time-limit", "0", "--score-limit", "0") as server:
        relay = Relay(server)
        bots = Bots(BOTS, relay, 3, "--verify", "3", "--reconnect")
        wait_for(lambda: sum(abs(score) for _, score in scores().values()) >= 6, "players have scored")
        relay.blocked = "<>"
        time.sleep(1)  # who is in the middle of it stands still
        before = scores()
        check(sum(abs(score) for _, score in before.values()) >= 5, f"there are scores that can be lost: {before}")
        time.sleep(7)
        check(server.count(" left") == 3, "all slots are free")
        relay.blocked = ""
        wait_for(lambda: server.count(" joins at slot ") == 6 and len(scores()) == 3, "all are back")
        after = scores()
        check(after == before, f"each player is back in their slot with their score: {before}, then {after}")
        totals = bots.end()["totals"]
        outage, recover = totals["outage_ms"], totals["recover_ms"]
        check(totals["reconnects"] == 3 and recover["count"] == 3, f"each client says once that it has recovered: {recover}")
        # The next hello, two answers that come at ticks, and the first snapshot, which is full.
        check(outage["count"] == 3 and 8000 < outage["max"] <= recover["max"] <= 8000 + HELLO_AGAIN_MS + 2 * TICK_MS, f"{outage}, {recover}")


def malformed_replayed_truncated_oversized_and_port_0_datagrams_change_nothing():
    class Listening(Relay):
        kept = []

        def up(self, datagram, address):
            self.kept += [datagram] if len(self.kept) < 400 else []
            return datagram

    with Server(SERVER) as server:
        relay = Listening(server)
        bots = Bots(BOTS, relay, 3, "--verify", "3")
        wait_for(lambda: server.count(" joins at slot ") == 3 and len(relay.kept) == 400, "all join")
        before_kib, stranger = server.resident_kib(), udp_socket()
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        for number, datagram in enumerate(relay.kept * 5):
            at = number % max(len(datagram), 1)
            for changed in (datagram, datagram[:at], datagram + bytes(1300), bytes(60000) if number % 50 == 0 else b"",
                            datagram[:at] + bytes([datagram[at] ^ 1 << number % 8]) + datagram[at + 1:]):
                stranger.sendto(changed, (LOOPBACK, server.port))
            if number % 20 == 0:
                time.sleep(TICK_MS / 1000)  # as much as its socket holds
        raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
        for datagram in relay.kept[:50]:
            size = 8 + len(datagram)
            head = (0).to_bytes(2, "big") + server.port.to_bytes(2, "big") + size.to_bytes(2, "big") + bytes(2)
            raw.sendto(head + datagram, (LOOPBACK, 0))
        time.sleep(5)  # a desync would be seen
        unharmed(bots, 3)
        check(server.count(" joins at slot ") == 3, "no other client joined")
        check(server.resident_kib() - before_kib < 512, "the server uses no more memory")


run_at_once((a_killed_client_frees_its_place_after_3500_ms,
             a_client_stopped_for_a_minute_loses_its_place_and_nobody_else_notices,
             a_server_stopped_for_250_ms_does_not_spiral,
             blackouts_of_3_s_resume_in_place,
             after_a_blackout_of_8_s_all_come_back_to_place_and_score,
             who_never_acknowledges_is_dropped_and_costs_no_memory,
             malformed_replayed_truncated_oversized_and_port_0_datagrams_change_nothing))
