#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dots as two programs over UDP; a scene: dots_test.py DOTS_SERVER DOTS_CLIENT"""
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from processes import LOOPBACK, check, run  # noqa: E402

SERVER, CLIENT = sys.argv[1:3]
SECONDS = 20


def join(port, seconds):
    return subprocess.Popen([CLIENT, LOOPBACK, str(port), str(seconds)], text=True, stdout=subprocess.PIPE)


with subprocess.Popen([SERVER, "0"], text=True, stdout=subprocess.PIPE) as server:
    port = re.fullmatch(r"ready: port (\d+), key [a-z2-7]{32}\n", server.stdout.readline())[1]
    check(f"cannot open UDP port {port}" in run(SERVER, port, code=1).stderr, "a port that is taken is refused")
    players = [join(port, SECONDS) for _ in range(3)]
    for player in players:
        said = player.communicate()[0]
        tick, coins, snapshots, desyncs = map(int, re.findall(r"\d+", said))
        check(player.returncode == 0 and desyncs == 0, said)
        check(tick >= (SECONDS - 1) * 60 and snapshots >= (SECONDS - 1) * 60 and coins > 0, said)
    last = join(port, 3600)
    time.sleep(SECONDS)
    server.send_signal(signal.SIGTERM)
    check(server.wait() == 0, "the server ends")
    said = last.communicate()[0]
    check(last.returncode == 0 and said == "The server is closing: choose another one or try again later.\n", said)
