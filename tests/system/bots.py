#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loads a real server on loopback with real bots and reads the report: bots.py SERVER BOTS

Figures depend on the machine, so their bounds are loose; what must never happen has a bound of zero.
"""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

from processes import LOOPBACK, Server, check

SERVER, BOTS = sys.argv[1:3]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_UNAVAILABLE, EXIT_IO, EXIT_BOTTLENECK, EXIT_OUTAGE, EXIT_THRESHOLD = 0, 1, 64, 69, 74, 75, 98, 99


def bots(*arguments):
    return subprocess.run([BOTS, *arguments], text=True, capture_output=True, timeout=60)


def usage_errors_have_a_sentence_and_64():
    for arguments in (["--count", "0"], ["--server", "here:0"], ["--server", "here:99999"], ["--server", ":5"],
                      ["--threshold", "rtt<5"], ["--threshold", "nonsense"], ["--page", "x"], ["--behaviour", "dance"],
                      ["--scoreboard", "--verify", "0"], ["--behaviour", "play:0"], ["--behaviour", "play:3,"],
                      ["--behaviour", "play:1x"], ["--stages", "10"], ["--stages", "10:5s,"], ["--stages", "0:5s"],
                      ["--stages", "2000:5s"], ["--stages", "-1:5s"], ["--server-metrics", "here:1"],
                      ["--server-metrics", "127.0.0.1"], ["--behaviour", "flood", "--server", "192.0.2.1:27440"],
                      ["--behaviour", "play:99,flood", "--server", "no.such.host.invalid:27440"]):
        run = bots(*arguments)
        check(run.returncode == EXIT_USAGE, f"{arguments}: exit {run.returncode}")
        check(run.stderr.startswith("deadfall-bots: ") and run.stderr.count("\n") == 1, f"{arguments}: {run.stderr!r}")


def nobody_there_is_69():
    run = bots("--server", "127.0.0.1:1", "--count", "1", "--duration", "1s")
    check(run.returncode == EXIT_UNAVAILABLE, f"no server: exit {run.returncode}")
    check("127.0.0.1:1" in run.stderr, f"no server: {run.stderr!r}")
    run = bots("--server", "127.0.0.1:1", "--count", "1", "--duration", "1s", "--threshold", "rtt_p99<50ms")
    check("threshold rtt_p99<50ms: BROKEN (no sample)" in run.stdout, f"a threshold without a sample is broken\n{run.stdout}")


def help_lists_the_metrics(port, folder):
    path = os.path.join(folder, "help.json")
    bots("--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "1s", "--json", path)
    with open(path, encoding="utf-8") as file:
        names = [name for name in json.load(file)["totals"] if not name.endswith(("_by_reason", "_by_kind")) and name != "counts"]
    text = bots("--help").stdout
    check(all(f"  {name}\n" in text for name in names) and "_p99.9" in text, f"--help lists the metrics\n{text}")


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
    check(report["interrupted"] is True and report["passed"] is False, "the JSON says that it was interrupted")


def snapshots_of_a_dead_server_are_lost(server, port, folder):
    path = os.path.join(folder, "dead.json")
    run = subprocess.Popen([BOTS, "--server", f"127.0.0.1:{port}", "--count", "2", "--duration", "4s", "--json", path],
                           text=True, stdout=subprocess.PIPE)
    run.stdout.readline()
    server.kill()
    run.communicate(timeout=30)
    with open(path, encoding="utf-8") as file:
        lost = json.load(file)["totals"]["snapshots_lost_pct"]
    check(50 < lost < 90, f"{lost} % of the snapshots were lost, from a server that was stopped for three of four seconds")


def a_match_is_reported(port, folder):
    path, table = os.path.join(folder, "out.json"), os.path.join(folder, "out.csv")
    run = bots("--server", f"127.0.0.1:{port}", "--count", "8", "--verify", "3", "--duration", "4s", "--seed", "5",
               "--json", path, "--csv", table, "--threshold", "desyncs<1", "--threshold", "connected>=8")
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    totals, verdict = report["totals"], report["verdict"]
    slow = verdict["bottleneck"]
    check(run.returncode == (EXIT_BOTTLENECK if slow else EXIT_OK), f"exit {run.returncode}\n{run.stdout}{run.stderr}")
    check(report["schema"] == "deadfall-bots/2" and report["seed"] == 5, "the JSON has its schema and the seed")
    check(report["interrupted"] is False, "the JSON says that it was not interrupted")
    check(verdict["all_joined"] and verdict["undisturbed"] and verdict["within_thresholds"], f"verdict {verdict}")
    check(totals["connected"] == 8, "all clients joined")
    check(totals["desyncs"] == 0 and totals["disconnects"] == 0, "no client was lost, and no world differed")
    check(totals["prediction_error_px"]["count"] > 300, "full clients predict")
    check(slow or 55 < totals["snapshots_per_s"] < 65, f"snapshots_per_s {totals['snapshots_per_s']}")
    check(slow or totals["least_snapshots_per_s"] > 50, f"least_snapshots_per_s {totals['least_snapshots_per_s']}")
    check(len(report["series"]) >= 3 and len(report["thresholds"]) == 2, "the JSON has its intervals and thresholds")
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == len(report["series"]) and float(rows[0]["desyncs"]) == 0, "the CSV has a row for each interval")
    check(all(float(row["rtt_ms_p99"] or 0) >= 0 for row in rows), "the CSV has the quantiles")


def a_broken_threshold_is_99(port):
    run = bots("--server", f"127.0.0.1:{port}", "--count", "2", "--duration", "2s", "--threshold", "connected>2")
    check(run.returncode in (EXIT_THRESHOLD, EXIT_BOTTLENECK), f"broken threshold: exit {run.returncode}")
    check("threshold connected>2: BROKEN" in run.stdout, "the broken threshold is named")


def the_scoreboard_names_the_players(port):
    run = bots("--server", f"127.0.0.1:{port}", "--count", "2", "--duration", "2s", "--scoreboard", "--name", "Ada")
    check("Ada1" in run.stdout and "Ada2" in run.stdout and "score" in run.stdout, f"scoreboard\n{run.stdout}")
    check("\033" not in run.stdout, "without a terminal there are no escape sequences")


def reported(port, folder, *arguments, code=EXIT_OK):
    """Returns the report of a run that passed, or that was itself too slow."""
    path = os.path.join(folder, "reported.json")
    run = bots("--server", f"127.0.0.1:{port}", "--json", path, *arguments)
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    slow = report["verdict"]["bottleneck"]
    check(run.returncode == (EXIT_BOTTLENECK if slow else code), f"{arguments}: exit {run.returncode}\n{run.stdout}{run.stderr}")
    check(not slow or "the load test itself was the bottleneck" in run.stdout, f"{arguments}: the summary says so\n{run.stdout}")
    return report


def stages_ramp_up_and_down(port, folder):
    report = reported(port, folder, "--stages", "8:2s,8:2s,2:2s", "--verify", "1", "--interval", "500ms")
    crowd = [row["connected"] for row in report["series"]]
    check(report["totals"]["connected"] == 8 and max(crowd) == 8, f"all eight clients joined: {crowd}")
    check(0 < crowd[1] < 8, f"they joined one after the other: {crowd}")
    check(2 <= crowd[-1] <= 3, f"clients above the stage left: {crowd}")
    check(report["totals"]["disconnects"] == 0, "a client that leaves at the end of a stage is not lost")
    check(5.5 < report["seconds"] < 12, f"the run takes the six seconds of its stages: {report['seconds']}")


def churning_bots_leave_and_come_back(port, folder):
    report = reported(port, folder, "--count", "6", "--behaviour", "churn", "--duration", "10s", "--verify", "2")
    totals = report["totals"]
    check(totals["connect_ms"]["count"] > 9, f"there are more joins than clients: {totals['connect_ms']}")
    check(totals["disconnects"] == 0 and totals["desyncs"] == 0, f"churning clients are not lost: {totals}")


def idle_bots_are_measured(port, folder):
    totals = reported(port, folder, "--count", "3", "--behaviour", "idle", "--duration", "2s")["totals"]
    check(totals["snapshots_per_s"] > 30 and totals["inputs_missed_pct"] is not None, f"idle: {totals}")


def burdens_do_not_disturb_the_others(port, folder):
    report = reported(port, folder, "--count", "8", "--behaviour", "play:6,flood:1,slow-reader:1", "--duration", "6s",
                      "--threshold", "flood_messages>1000", "--threshold", "expelled>0")
    totals = report["totals"]
    check(totals["desyncs"] == 0 and totals["disconnects"] == 0, f"the other clients stayed: {totals}")
    check(report["verdict"]["bottleneck"] or totals["snapshots_per_s"] > 50, f"the other clients got their snapshots: {totals}")
    check(totals["flood_messages"] > 1000 and totals["expelled"] > 0, f"the flood was sent, and its client was removed: {totals}")


def a_slow_reader_is_no_honest_client(port, folder):
    report = reported(port, folder, "--count", "3", "--behaviour", "slow-reader:2,play:1", "--verify", "0", "--duration", "5s")
    check(report["totals"]["connected"] == 3, "slow readers join the match")
    check(report["totals"]["rtt_ms"]["count"] <= 30, f"only the third client is measured: {report['totals']['rtt_ms']}")


def the_page_stands_alone(port, metrics, folder):
    page = os.path.join(folder, "out.html")
    report = reported(port, folder, "--count", "4", "--duration", "4s", "--html", page, "--name", "<b>&\"'", "--threshold",
                      "connected>=4", "--threshold", "server_tick_max>0ms", "--server-metrics", f"127.0.0.1:{metrics}")
    totals = report["totals"]
    check(totals["server_tick_ms"]["count"] > 120 and totals["server_rss_mib"] > 1, f"the report has the server's figures: {totals}")
    check(0 < totals["server_cpu_pct"] < 100, f"the server uses CPU time: {totals['server_cpu_pct']}")
    check(any(row["server_tick_ms"]["p50"] for row in report["series"]), "the intervals have the server's figures")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    tree = ElementTree.fromstring(text.replace("<!DOCTYPE html>", "", 1))
    space = "{http://www.w3.org/1999/xhtml}"
    tags = {element.tag for element in tree.iter()}
    check(tags.isdisjoint({space + tag for tag in ("script", "link", "img", "iframe", "object", "a")}), f"tags {tags}")
    outside = [(element.tag, key, value) for element in tree.iter() for key, value in element.attrib.items()
               if key in ("src", "href", "style", "srcset") or key.startswith("on") or "//" in value]
    check(not outside and "url(" not in text and "@import" not in text, f"the page refers to nothing outside: {outside}")
    paths = [element.get("d") for element in tree.iter(space + "path")]
    check(len(paths) >= 15 and max(path.count("L") for path in paths) >= 2, f"the page has the lines of its charts: {len(paths)}")
    check(not any("nan" in path or "inf" in path for path in paths), "of numbers")
    words = " ".join(tree.itertext())
    for wanted in ("connected>=4", "✓ holds", "input_ack_ms", "p99.9", "--html", "<b>&\"'", os.uname().nodename, "seed"):
        check(wanted in words, f"the page says {wanted}")


def a_broken_threshold_shows_on_the_page(port, folder):
    page = os.path.join(folder, "broken.html")
    reported(port, folder, "--count", "1", "--duration", "1s", "--html", page, "--threshold", "connected>1",
             code=EXIT_THRESHOLD)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    check("✗ broken" in text and "a threshold is broken" in text and ">failed<" in text, f"broken\n{text}")


def a_load_test_that_is_held_up_does_not_pass(port, folder):
    """A load test that is stopped again and again is late by far more than a tick."""
    path = os.path.join(folder, "held.json")
    run = subprocess.Popen([BOTS, "--server", f"127.0.0.1:{port}", "--count", "2", "--duration", "3s", "--json", path],
                           text=True, stdout=subprocess.PIPE)
    while run.poll() is None:
        for sign, pause in ((signal.SIGSTOP, 0.06), (signal.SIGCONT, 0.02)):
            run.send_signal(sign)
            time.sleep(pause)
    text = run.communicate()[0]
    check(run.returncode == EXIT_BOTTLENECK and "its figures do not count" in text, f"exit {run.returncode}\n{text}")


def a_file_that_cannot_be_written_is_74(port):
    run = bots("--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "1s", "--json", "/nowhere/out.json")
    check(run.returncode == EXIT_IO and "/nowhere/out.json" in run.stderr and not run.stdout, f"exit {run.returncode} {run.stderr!r}")
    run = bots("--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "1s", "--html", "/dev/full")
    check(run.returncode == EXIT_IO and "/dev/full" in run.stderr, f"a page: exit {run.returncode} {run.stderr!r}")
    with open("/dev/full", "w") as full:
        code = subprocess.run([BOTS, "--server", f"127.0.0.1:{port}", "--count", "1", "--duration", "1s"], stdout=full,
                              stderr=subprocess.DEVNULL, timeout=60).returncode
    check(code == EXIT_IO, f"a summary to a full disk: exit {code}")


def main():
    usage_errors_have_a_sentence_and_64()
    nobody_there_is_69()
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--metrics", f"{LOOPBACK}:0") as server:
        metrics = re.search(r"live page on port (\d+)", server.log())[1]
        a_match_is_reported(server.port, folder)
        a_broken_threshold_is_99(server.port)
        the_scoreboard_names_the_players(server.port)
        a_file_that_cannot_be_written_is_74(server.port)
        help_lists_the_metrics(server.port, folder)
        stages_ramp_up_and_down(server.port, folder)
        churning_bots_leave_and_come_back(server.port, folder)
        idle_bots_are_measured(server.port, folder)
        burdens_do_not_disturb_the_others(server.port, folder)
        a_slow_reader_is_no_honest_client(server.port, folder)
        the_page_stands_alone(server.port, metrics, folder)
        a_broken_threshold_shows_on_the_page(server.port, folder)
        a_load_test_that_is_held_up_does_not_pass(server.port, folder)
        an_interrupted_run_has_not_passed(server.port, folder)
        snapshots_of_a_dead_server_are_lost(server.process, server.port, folder)


main()
