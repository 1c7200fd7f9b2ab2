#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how long a server with 16 players takes from its start to its ready line, by the length of the match that it
continues (0: a new match), as one JSON line each.

  restored_start.py DEADFALL_SERVER BENCH_JOURNAL FOUNDRY.tmj [--minutes 0,10,60] [--starts 5]
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time


def start_ms(server, folder):
    """Returns how long a start takes. The server is killed then."""
    begun = time.monotonic()
    process = subprocess.Popen([server, "--port", "0", "--bind", "127.0.0.1", "--state-dir", folder, "--map", "foundry"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ready = process.stdout.readline()
    took_ms = (time.monotonic() - begun) * 1e3
    process.kill()
    log = process.communicate()[1]
    assert ready.startswith("ready:"), log
    return took_ms, "the match goes on at tick" in log


def measure(arguments, minutes):
    with tempfile.TemporaryDirectory() as folder:
        kept, journal = os.path.join(folder, "kept"), os.path.join(folder, "journal.dfr")
        if minutes:
            subprocess.run([arguments.journal, arguments.map, str(minutes), kept], check=True, stdout=subprocess.DEVNULL)
        took = []
        for _ in range(arguments.starts):
            if minutes:
                shutil.copy(kept, journal)
                with open(os.path.join(folder, "journal.for"), "w", encoding="utf-8") as line:
                    line.write("map=foundry mode=ffa")
            elif os.path.exists(journal):
                os.unlink(journal)
            start, restored = start_ms(arguments.server, folder)
            assert restored == bool(minutes), "the match goes on"
            took.append(start)
        print(json.dumps({"minutes": minutes, "start_ms": round(statistics.median(took), 1), "least_ms": round(min(took), 1)}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("journal")
    parser.add_argument("map")
    parser.add_argument("--minutes", default="0,10,60")
    parser.add_argument("--starts", type=int, default=5)
    arguments = parser.parse_args()
    for minutes in arguments.minutes.split(","):
        measure(arguments, int(minutes))


main()
