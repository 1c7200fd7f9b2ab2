#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the load tester beside a real server: exit codes, signals, and what it leaves behind; in about three seconds.

  bots_program_test.py DEADFALL_BOTS DEADFALL_SERVER
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../system"))
from processes import LOOPBACK, Server, check  # noqa: E402

BOTS, SERVER = sys.argv[1:3]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_UNAVAILABLE, EXIT_IO, EXIT_TOO_SLOW, EXIT_THRESHOLD = 0, 1, 64, 69, 74, 75, 99


def run(*arguments):
    return subprocess.run([BOTS, *arguments], capture_output=True, text=True, timeout=30)


def wrong_options_are_refused():
    done = run("--count", "0")
    check(done.returncode == EXIT_USAGE and done.stderr.startswith("deadfall-bots: ") and done.stdout == "", f"{done}")
    done = run("--help")
    check(done.returncode == EXIT_OK and done.stdout.startswith("Usage: deadfall-bots") and done.stderr == "", f"{done}")


def a_server_that_is_not_there_is_unavailable():
    done = run("--server", f"{LOOPBACK}:1", "--count", "1", "--duration", "1s")
    check(done.returncode == EXIT_UNAVAILABLE and f"{LOOPBACK}:1" in done.stderr, f"{done}")


def a_file_that_cannot_be_written_ends_it_at_once(place):
    done = run("--server", place, "--count", "1", "--duration", "20s", "--json", "/proc/none/out.json")
    check(done.returncode == EXIT_IO and "/proc/none/out.json" in done.stderr, f"{done}")


def a_run_passes_or_misses_a_threshold(place, folder):
    path = os.path.join(folder, "out.json")
    arguments = ["--server", place, "--count", "2", "--verify", "2", "--duration", "1s", "--spawn-rate", "200"]
    done = run(*arguments, "--json", path)
    check(done.returncode in (EXIT_OK, EXIT_TOO_SLOW) and "connected" in done.stdout, f"{done}")
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    check(report["totals"]["connected"] == 2 and report["totals"]["desyncs"] == 0, f"{report['totals']}")
    check(not report["interrupted"] and 0.9 < report["seconds"] < 5, f"{report['seconds']} s")
    check(0 < report["totals"]["own_cpu_pct"] < 100, "its own share of the processor")
    check(abs(time.time() - report_begun(report)) < 60, "when it began")
    done = run(*arguments, "--threshold", "connected>2")
    check(done.returncode in (EXIT_THRESHOLD, EXIT_TOO_SLOW) and "BROKEN" in done.stdout, f"{done}")


def report_begun(report):
    return time.mktime(time.strptime(report["started"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone


def a_signal_ends_the_run_with_its_report(place, folder, how):
    path = os.path.join(folder, f"{how.name}.json")
    running = subprocess.Popen([BOTS, "--server", place, "--count", "1", "--duration", "60s", "--interval", "200ms", "--json", path],
                               stdout=subprocess.PIPE, text=True)
    for _ in range(3):
        running.stdout.readline()
    running.send_signal(how)
    text = running.communicate(timeout=20)[0]
    check(running.returncode == EXIT_FAILED and "interrupted" in text, f"{how.name}: {running.returncode}\n{text}")
    with open(path, encoding="utf-8") as file:
        check(json.load(file)["interrupted"], "the report says so")


def main():
    wrong_options_are_refused()
    a_server_that_is_not_there_is_unavailable()
    with tempfile.TemporaryDirectory() as folder, Server(SERVER) as server:
        place = f"{LOOPBACK}:{server.port}"
        a_file_that_cannot_be_written_ends_it_at_once(place)
        a_run_passes_or_misses_a_threshold(place, folder)
        for how in (signal.SIGINT, signal.SIGTERM):
            a_signal_ends_the_run_with_its_report(place, folder, how)


main()
