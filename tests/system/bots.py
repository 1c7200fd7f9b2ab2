#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loads a real server on loopback with real bots and reads the report: bots.py SERVER BOTS

Figures depend on the machine, so they are held to loose bounds; what must not happen is held to none at all.
"""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

SERVER, BOTS = sys.argv[1:3]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_UNAVAILABLE, EXIT_IO, EXIT_THRESHOLD = 0, 1, 64, 69, 74, 99


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def bots(*arguments):
    return subprocess.run([BOTS, *arguments], text=True, capture_output=True, timeout=60)


def usage_errors_have_a_sentence_and_64():
    for arguments in (["--count", "0"], ["--server", "here:0"], ["--server", "here:99999"], ["--server", ":5"],
                      ["--threshold", "rtt<5"], ["--threshold", "nonsense"], ["--html", "x"], ["--behaviour", "dance"],
                      ["--scoreboard", "--verify", "0"]):
        run = bots(*arguments)
        check(run.returncode == EXIT_USAGE, f"{arguments}: exit {run.returncode}")
        check(run.stderr.startswith("deadfall-bots: ") and run.stderr.count("\n") == 1, f"{arguments}: {run.stderr!r}")


def nobody_there_is_69():
    run = bots("--server", "127.0.0.1:1", "--count", "1", "--duration", "1s")
    check(run.returncode == EXIT_UNAVAILABLE, f"no server: exit {run.returncode}")
    check("127.0.0.1:1" in run.stderr, f"no server: {run.stderr!r}")
    run = bots("--server", "127.0.0.1:1", "--count", "1", "--duration", "1s", "--threshold", "rtt_p99<50ms")
    check("threshold rtt_p99<50ms: BROKEN (no sample)" in run.stdout, f"no sample\n{run.stdout}")


def help_lists_the_metrics(port, folder):
    path = os.path.join(folder, "help.json")
    bots("--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "1s", "--json", path)
    with open(path, encoding="utf-8") as file:
        names = [name for name in json.load(file)["totals"] if name != "disconnects_by_reason"]
    text = bots("--help").stdout
    check(all(f"  {name}\n" in text for name in names) and "_p99.9" in text, f"metrics in --help\n{text}")


def an_interrupted_run_has_not_passed(port, folder):
    path = os.path.join(folder, "interrupted.json")
    run = subprocess.Popen([BOTS, "--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "60s", "--json", path],
                           text=True, stdout=subprocess.PIPE)
    lines = [run.stdout.readline() for _ in range(2)]
    run.send_signal(signal.SIGINT)
    lines += run.communicate(timeout=30)[0]
    text = "".join(lines)
    check(run.returncode == EXIT_FAILED, f"interrupted: exit {run.returncode}")
    check("interrupted after 2 s" in text and "passed" not in text, f"interrupted\n{text}")
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    check(report["interrupted"] is True and report["passed"] is False, "interrupted in JSON")


def snapshots_of_a_dead_server_are_lost(server, port, folder):
    path = os.path.join(folder, "dead.json")
    run = subprocess.Popen([BOTS, "--server", f"127.0.0.1:{port}", "--count", "2", "--duration", "4s", "--json", path],
                           text=True, stdout=subprocess.PIPE)
    run.stdout.readline()
    server.kill()
    run.communicate(timeout=30)
    with open(path, encoding="utf-8") as file:
        lost = json.load(file)["totals"]["snapshots_lost_pct"]
    check(50 < lost < 90, f"{lost} % of the snapshots lost, of a server that was dead for three of four seconds")


def a_match_is_reported(port, folder):
    path, table = os.path.join(folder, "out.json"), os.path.join(folder, "out.csv")
    run = bots("--server", f"127.0.0.1:{port}", "--count", "8", "--verify", "3", "--duration", "4s", "--seed", "5",
               "--json", path, "--csv", table, "--threshold", "desyncs<1", "--threshold", "connected>=8")
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    totals, verdict = report["totals"], report["verdict"]
    slow = verdict["bottleneck"]
    check(run.returncode == (EXIT_FAILED if slow else EXIT_OK), f"exit {run.returncode}\n{run.stdout}{run.stderr}")
    check(report["schema"] == "deadfall-bots/1" and report["seed"] == 5, "schema and seed")
    check(report["interrupted"] is False, "not interrupted")
    check(verdict["all_joined"] and verdict["undisturbed"] and verdict["within_thresholds"], f"verdict {verdict}")
    check(totals["connected"] == 8, "all connected")
    check(totals["desyncs"] == 0 and totals["disconnects"] == 0, "no desync, nobody lost")
    check(totals["prediction_error_px"]["count"] > 300, "whole clients predict")
    check(slow or 55 < totals["snapshots_per_s"] < 65, f"snapshots_per_s {totals['snapshots_per_s']}")
    check(slow or totals["least_snapshots_per_s"] > 50, f"least_snapshots_per_s {totals['least_snapshots_per_s']}")
    check(len(report["series"]) >= 3 and len(report["thresholds"]) == 2, "series and thresholds")
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == len(report["series"]) and float(rows[0]["desyncs"]) == 0, "CSV has the series")
    check(all(float(row["rtt_ms_p99"] or 0) >= 0 for row in rows), "CSV has the quantiles")


def a_broken_threshold_is_99(port):
    run = bots("--server", f"127.0.0.1:{port}", "--count", "2", "--duration", "2s", "--threshold", "connected>2")
    check(run.returncode in (EXIT_THRESHOLD, EXIT_FAILED), f"broken threshold: exit {run.returncode}")
    check("threshold connected>2: BROKEN" in run.stdout, "the broken threshold is named")


def the_scoreboard_names_the_players(port):
    run = bots("--server", f"127.0.0.1:{port}", "--count", "2", "--duration", "2s", "--scoreboard", "--name", "Ada")
    check("Ada1" in run.stdout and "Ada2" in run.stdout and "score" in run.stdout, f"scoreboard\n{run.stdout}")
    check("\033" not in run.stdout, "no escapes where there is no terminal")


def a_file_that_cannot_be_written_is_74(port):
    run = bots("--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "1s", "--json", "/nowhere/out.json")
    check(run.returncode == EXIT_IO and "/nowhere/out.json" in run.stderr, f"exit {run.returncode} {run.stderr!r}")
    with open("/dev/full", "w") as full:
        code = subprocess.run([BOTS, "--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "1s"], stdout=full,
                              stderr=subprocess.DEVNULL, timeout=60).returncode
    check(code == EXIT_IO, f"a summary to a full disk: exit {code}")


def main():
    usage_errors_have_a_sentence_and_64()
    nobody_there_is_69()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([SERVER, "--port", "0", "--bind", "127.0.0.1", "--duration", "60"], text=True,
                                  stdout=subprocess.PIPE, env={**os.environ, "XDG_STATE_HOME": folder})
        try:
            ready = re.match(r"ready: udp \S+:(\d+) ", server.stdout.readline())
            check(ready, "the server tells its port")
            a_match_is_reported(ready[1], folder)
            a_broken_threshold_is_99(ready[1])
            the_scoreboard_names_the_players(ready[1])
            a_file_that_cannot_be_written_is_74(ready[1])
            help_lists_the_metrics(ready[1], folder)
            an_interrupted_run_has_not_passed(ready[1], folder)
            snapshots_of_a_dead_server_are_lost(server, ready[1], folder)
        finally:
            server.terminate()
            server.wait(10)


main()
