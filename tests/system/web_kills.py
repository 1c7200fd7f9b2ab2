#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Native clients beside the process for browsers, as a scene: web_kills.py SERVER BOTS BRIDGE LIAR [KILLS [FLOOD_S]]

The process is killed while native clients play, and flooded while they and others in data channels (BRIDGE) do: by
strangers, and by browsers that were admitted and lie (LIAR). They lose nothing.
"""
import json
import os
import signal
import subprocess
import sys
import time

from processes import Bots, LOOPBACK, PAGE, Server, check, resident_kib, run, run_at_once, wait_for

SERVER, BOTS, BRIDGE, LIAR = sys.argv[1:5]
KILLS = int(sys.argv[5]) if len(sys.argv) > 5 else 20
FLOOD_S = int(sys.argv[6]) if len(sys.argv) > 6 else 4
RATE = 5000
GROWTH_KIB_MAX = 2048
with open(SERVER, "rb") as program:
    SANITIZED = b"__asan_" in program.read()  # which keeps what was freed
OPTIONS = ("--web", "--bots", "4", "--max-players", "32", *PAGE)


def certificate(server):
    return server.status()["webrtc"]["certificate"]


def nothing_is_lost(bots, where):
    totals = bots.end()["totals"]
    seen = {name: totals["counts"][name] for name in ("snapshots", "snapshots_lost", "inputs_missed", "desyncs", "reconnects")}
    print(f"{where}: {seen}")
    check(totals["connected"] == 4 and totals["disconnects"] == 0, f"{where}, nobody leaves: {totals}")
    check([seen[name] for name in ("snapshots_lost", "inputs_missed", "desyncs", "reconnects")] == [0, 0, 0, 0], f"{where}, nothing is lost: {seen}")


def native_clients_do_not_notice_kills():
    with Server(SERVER, *OPTIONS) as server:
        bots = Bots(BOTS, server, 4)
        wait_for(lambda: server.status()["sessions"]["playing"] == 4, "four native clients")
        before = certificate(server)
        for i in range(KILLS):
            wait_for(server.child, "a process for browsers")
            os.kill(server.child(), (signal.SIGKILL, signal.SIGSEGV)[i % 2])
            wait_for(lambda: server.status()["webrtc"]["starts"] == i + 2, "another process for browsers")
        check(server.status()["ticks_stood_still"] == 0, "no tick waits")
        nothing_is_lost(bots, f"{KILLS} kills")
        check(certificate(server) == before, "the certificate stays")


def held_by(pid):
    """Returns the KiB and the descriptors of a process."""
    return resident_kib(pid), len(os.listdir(f"/proc/{pid}/fd"))


def floods_and_lies_do_not_move_honest_clients():
    with Server(SERVER, *OPTIONS) as server:
        bridge = subprocess.Popen([BRIDGE, str(server.port)], text=True, stdout=subprocess.PIPE)
        places = server.place, f"{LOOPBACK}:{bridge.stdout.readline().strip()}"
        honest = [Bots(BOTS, place, 4, "--verify", "4") for place in places]
        wait_for(lambda: server.status()["sessions"]["playing"] == 8, "eight clients, four of them in data channels")
        members = server.process.pid, server.child()
        before = [held_by(pid) for pid in members]
        done = json.loads(run(LIAR, server.port, FLOOD_S, RATE).stdout)
        after = [held_by(pid) for pid in members]
        print(f"{done}; server {before[0]}, then {after[0]}; process for browsers {before[1]}, then {after[1]} (KiB, descriptors)")
        check(done["channels"] >= 4 and done["lies"] > 100, f"liars were admitted and lied: {done}")
        check(done["back_bytes"] <= done["sent_bytes"], f"strangers get no more than they send: {done}")
        for (kib, files), (kib_after, files_after) in zip(before, after):
            check((SANITIZED or kib_after - kib < GROWTH_KIB_MAX) and files_after < files + 8, f"memory and descriptors stay: {before}, {after}")
        time.sleep(5)
        for bots, where in zip(honest, ("native", "in data channels")):
            nothing_is_lost(bots, where)
        check(server.status()["webrtc"]["starts"] == 1, f"the process for browsers lives: {server.log()}")
        bridge.kill()


def without_the_option_browsers_get_nothing():
    with Server(SERVER, *PAGE) as server:
        check(certificate(server) == "" and server.child() is None, "no process, no certificate")


run_at_once([native_clients_do_not_notice_kills, floods_and_lies_do_not_move_honest_clients, without_the_option_browsers_get_nothing])
