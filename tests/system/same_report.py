#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A scene that runs again gives the same report, byte for byte: same_report.py SCENE SERVER BOTS [RUNS]

Sixteen clients over a line that delays, loses, doubles and overtakes; a kill -9, and a restart a second later. Runs the scene RUNS
times (3), each from nothing.
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

import stage
from processes import Bots, Server


def play(server_program, bots_program, path):
    stage.line(delay_ms=25, jitter_ms=5, loss=0.02, duplicates=0.005, late=0.01)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(server_program, "--max-players", "32", "--bots", "0", folder=folder)
        bots = Bots(bots_program, server, 16, "--reconnect", "--verify", "4", seconds=20)
        time.sleep(8)
        server.end(9)
        time.sleep(1)
        server = server.again()
        bots.process.wait()
        server.end()
        shutil.copy(bots.path, path)


def main(scene, server, bots, runs="3"):
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        for run in range(int(runs)):
            done = subprocess.run([scene, os.path.abspath(__file__), "play", server, bots, path], text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
            if done.returncode:
                print(done.stdout)
                sys.exit(done.returncode)
            with open(path, "rb") as file:
                report = file.read()
            os.unlink(path)
            found.setdefault(hashlib.sha256(report).hexdigest(), (run, report))
    if len(found) != 1:
        one, other = (report.decode().splitlines() for _, report in list(found.values())[:2])
        different = [f"{a.strip()} / {b.strip()}" for a, b in zip(one, other) if a != b]
        sys.exit(f"FAILED: {len(found)} reports in {runs} runs; {len(different)} lines differ: {different[:20]}")
    print(f"{runs} runs, one report of {len(report)} bytes: sha256 {next(iter(found))}")


play(*sys.argv[2:]) if sys.argv[1] == "play" else main(*sys.argv[1:])
