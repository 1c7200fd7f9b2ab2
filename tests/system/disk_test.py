#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server on a full disk, and one that is killed: the match continues, and what was stored stays whole; a scene.

  disk_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN [KILLS [SEED]]

The disk is a small tmpfs in a separate mount namespace, so nothing else sees it.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from processes import Bots, Server, check, fill, on_a_small_disk, read_text, run, wait_for

SERVER, BOTS, ADMIN = sys.argv[1:4]
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 5
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(1 << 30)


def start(state, log, *arguments):
    return Server(SERVER, *arguments, folder=state, admin=ADMIN, log_path=os.path.join(log, "log"))


def full_disk(state):
    with tempfile.TemporaryDirectory() as log:
        ban_on_a_full_disk(state, log)
    print("full disk: good")


def ban_on_a_full_disk(state, log):
    server = start(state, log, "--score-limit", "2", "--time-limit", "3s")
    bots = Bots(BOTS, server, 3, "--verify", "2")
    server.order("ban", "192.0.2.1")  # stored while there is room
    kept = read_text(os.path.join(state, "bans"))
    wait_for(lambda: server.told("3 players"), "the bots have joined")
    filler = fill(state)
    answer = server.ask("ban", "192.0.2.2").stdout
    check("lasts only until this server ends: No space left on device" in answer, f"a ban that cannot be stored is reported: {answer}")
    check("192.0.2.2" in server.ask("bans").stdout, "a ban that cannot be stored is still enforced")
    check(read_text(os.path.join(state, "bans")) == kept, "earlier bans are not lost")
    run(ADMIN, server.path, input="bots 0\n" * 100, code=None)  # beyond its page
    for words in ("audit.log cannot be written: No space left on device", "records cannot be kept in"):
        server.said(words)
    report = bots.end()["totals"]
    check(report["desyncs"] + report["disconnects"] + report["counts"]["snapshots_lost"] == 0, f"no client lost a snapshot or its world: {report}")
    check(server.log().count("records cannot be kept in") == 1 and server.log().count("the audit log") == 1, f"once\n{server.log()}")
    os.unlink(filler)
    check("lasts only" not in server.ask("ban", "192.0.2.3").stdout, "with room again, bans are stored")
    server.said("records are written again")
    check(server.end() == 0, f"the server exits with 0\n{server.log()}")
    server = start(state, log)
    listed = server.ask("bans").stdout
    check(all(f"192.0.2.{n} " in listed for n in (1, 2, 3)), f"all three bans survive the server\n{listed}")
    check(server.end() == 0, "it ends")


def killed_while_it_stores(state, log, dice):
    """Every confirmed ban survives a kill at any moment, and the file is whole."""
    confirmed = set()
    for number in range(KILLS):
        server = start(state, log)
        listed = server.ask("bans").stdout
        missing = [ban for ban in confirmed if f"{ban} " not in listed]
        check(not missing and "this line does not begin" not in server.log(), f"seed {SEED}: these bans are lost: {missing}\n{server.log()}")
        line = subprocess.Popen([ADMIN, server.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True)
        asked = [f"10.{number}.{n // 250}.{n % 250}" for n in range(400)]
        killed_at = time.monotonic() + dice.uniform(0.05, 1.0)
        try:
            for ban in asked:
                line.stdin.write(f"ban {ban} 1d\n")
                line.stdin.flush()
                if line.stdout.readline().startswith(f"{ban} is banned"):
                    confirmed.add(ban)
                if time.monotonic() > killed_at:
                    break
            line.stdin.write("".join(f"ban 10.99.{number}.{n} 1d\n" for n in range(50)))  # being stored when the server is killed
            line.stdin.flush()
            time.sleep(dice.uniform(0, 0.05))
        except BrokenPipeError:
            pass
        check(server.end(signal.SIGKILL) == -signal.SIGKILL, "killed")
        try:
            line.communicate()
        except BrokenPipeError:
            pass
        print(f"kill {number + 1}: {len(confirmed)} bans confirmed")
    check(confirmed, "bans were confirmed")


on_a_full_disk = on_a_small_disk(full_disk, "6m")
print(f"seed {SEED}")
with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as logs:
    killed_while_it_stores(folder, logs, random.Random(SEED))
on_a_full_disk()
