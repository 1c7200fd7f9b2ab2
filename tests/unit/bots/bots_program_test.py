#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the load tester beside a real server, as a scene: exit codes, signals, and what it leaves behind.

  bots_program_test.py DEADFALL_BOTS DEADFALL_SERVER
"""
import datetime
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../system"))
from processes import LOOPBACK, Server, check, read_json, run  # noqa: E402

BOTS, SERVER = sys.argv[1:3]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_UNAVAILABLE, EXIT_IO, EXIT_THRESHOLD = 0, 1, 64, 69, 74, 99


def bots(*arguments, code=EXIT_OK):
    return run(BOTS, *arguments, code=code)


def wrong_options_are_refused():
    done = bots("--count", "0", code=EXIT_USAGE)
    check(done.stderr.startswith("deadfall-bots: ") and done.stdout == "", f"{done}")
    done = bots("--help")
    check(done.stdout.startswith("Usage: deadfall-bots") and done.stderr == "", f"{done}")


def a_server_that_is_not_there_is_unavailable():
    done = bots("--server", f"{LOOPBACK}:1", "--count", "1", "--duration", "1s", code=EXIT_UNAVAILABLE)
    check(f"{LOOPBACK}:1" in done.stderr, f"{done}")


def a_file_that_cannot_be_written_ends_it_at_once(server):
    begun = time.monotonic()
    done = bots("--server", server.place, "--count", "1", "--duration", "20s", "--json", "/proc/none/out.json", code=EXIT_IO)
    check("/proc/none/out.json" in done.stderr and time.monotonic() == begun, f"{time.monotonic() - begun} s: {done}")


def a_run_passes_or_misses_a_threshold(server):
    path, begun = os.path.join(server.folder, "out.json"), time.time()
    arguments = ["--server", server.place, "--count", "2", "--verify", "2", "--duration", "1s", "--spawn-rate", "200"]
    done = bots(*arguments, "--json", path)
    check("connected" in done.stdout, f"{done}")
    report = read_json(path)
    check(report["totals"]["connected"] == 2 and report["totals"]["desyncs"] == 0, f"{report['totals']}")
    check(not report["interrupted"] and report["seconds"] == 1, f"{report['seconds']} s")
    check(0 < report["totals"]["own_cpu_pct"] < 100, "its own share of the processor")
    started = datetime.datetime.fromisoformat(report["started"].replace("Z", "+00:00")).timestamp()
    check(started == int(begun), f"when it began: {started}, {begun}")
    check("BROKEN" in bots(*arguments, "--threshold", "connected>2", code=EXIT_THRESHOLD).stdout, "a threshold is missed")


def a_signal_ends_the_run_with_its_report(server, how):
    path = os.path.join(server.folder, f"{how.name}.json")
    running = subprocess.Popen([BOTS, "--server", server.place, "--count", "1", "--duration", "60s", "--interval", "200ms", "--json", path],
                               stdout=subprocess.PIPE, text=True)
    for _ in range(3):
        running.stdout.readline()
    running.send_signal(how)
    text = running.communicate()[0]
    check(running.returncode == EXIT_FAILED and "interrupted" in text, f"{how.name}: {running.returncode}\n{text}")
    check(read_json(path)["interrupted"], "the report says so")


def main():
    wrong_options_are_refused()
    a_server_that_is_not_there_is_unavailable()
    with Server(SERVER) as server:
        a_file_that_cannot_be_written_ends_it_at_once(server)
        a_run_passes_or_misses_a_threshold(server)
        for how in (signal.SIGINT, signal.SIGTERM):
            a_signal_ends_the_run_with_its_report(server, how)


main()
