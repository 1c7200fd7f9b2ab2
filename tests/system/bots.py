#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loads a real server with real bots and reads the report, as a scene: bots.py SERVER BOTS"""
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from processes import LOOK_MS, PAGE, Server, TICK_MS, check, read_json, read_text, run

SERVER, BOTS = sys.argv[1:3]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_UNAVAILABLE, EXIT_IO, EXIT_BOTTLENECK, EXIT_OUTAGE, EXIT_THRESHOLD = 0, 1, 64, 69, 74, 75, 98, 99


def bots(*arguments, code=EXIT_OK):
    return run(BOTS, *arguments, code=code)


def start(place, *arguments):
    return subprocess.Popen([BOTS, "--server", place, *arguments], text=True, stdout=subprocess.PIPE)


def usage_errors_have_a_sentence_and_64():
    for arguments in (["--count", "0"], ["--server", "here:0"], ["--server", "here:99999"], ["--server", ":5"],
                      ["--threshold", "rtt<5"], ["--threshold", "nonsense"], ["--page", "x"], ["--behaviour", "dance"],
                      ["--scoreboard", "--verify", "0"], ["--behaviour", "play:0"], ["--behaviour", "play:3,"],
                      ["--behaviour", "play:1x"], ["--stages", "10"], ["--stages", "10:5s,"], ["--stages", "0:5s"],
                      ["--stages", "2000:5s"], ["--stages", "-1:5s"], ["--server-metrics", "here:1"],
                      ["--server-metrics", "127.0.0.1"], ["--behaviour", "flood", "--server", "192.0.2.1:27440"],
                      ["--behaviour", "play:99,flood", "--server", "no.such.host.invalid:27440"]):
        done = bots(*arguments, code=EXIT_USAGE)
        check(done.stderr.startswith("deadfall-bots: ") and done.stderr.count("\n") == 1, f"{arguments}: {done.stderr!r}")


def nobody_there_is_69():
    done = bots("--server", "127.0.0.1:1", "--count", "1", "--duration", "1s", code=EXIT_UNAVAILABLE)
    check("127.0.0.1:1" in done.stderr, f"no server: {done.stderr!r}")
    done = bots("--server", "127.0.0.1:1", "--count", "1", "--duration", "1s", "--threshold", "rtt_p99<50ms", code=EXIT_UNAVAILABLE)
    check("threshold rtt_p99<50ms: BROKEN (no sample)" in done.stdout, f"a threshold without a sample is broken\n{done.stdout}")


def help_lists_the_metrics(place, folder):
    path = os.path.join(folder, "help.json")
    bots("--server", place, "--count", "1", "--duration", "1s", "--json", path)
    names = [name for name in read_json(path)["totals"] if not name.endswith(("_by_reason", "_by_kind")) and name != "counts"]
    text = bots("--help").stdout
    check(all(f"  {name}\n" in text for name in names) and "_p99.9" in text, f"--help lists the metrics\n{text}")


def an_interrupted_run_has_not_passed(place, folder):
    path = os.path.join(folder, "interrupted.json")
    done = start(place, "--count", "1", "--duration", "60s", "--json", path)
    lines = [done.stdout.readline() for _ in range(2)]
    done.send_signal(signal.SIGINT)
    lines += done.communicate()[0]
    text = "".join(lines)
    check(done.returncode == EXIT_FAILED, f"interrupted: exit {done.returncode}")
    check("interrupted after 2 s" in text and "passed" not in text, f"interrupted\n{text}")
    report = read_json(path)
    check(report["interrupted"] is True and report["passed"] is False, "the JSON says that it was interrupted")


def snapshots_of_a_dead_server_are_lost(server, folder):
    path = os.path.join(folder, "dead.json")
    done = start(server.place, "--count", "2", "--duration", "4s", "--json", path)
    done.stdout.readline()
    server.end(signal.SIGKILL)
    done.communicate()
    counts = read_json(path)["totals"]["counts"]
    unseen = counts["play_us"] / 1000 / TICK_MS - counts["snapshots"] - counts["snapshots_lost"]  # each began to play at a look
    check(counts["snapshots_lost"] == 2 * 60 * 3 and 0 <= unseen <= 1.01 + 2 * LOOK_MS / TICK_MS, f"of a server that is dead for three of four seconds, all are lost: {counts}")


def comes_each_tick(totals):
    """Every snapshot of every client has come with its tick, and every input has gone with its tick."""
    counts, gap, ack = totals["counts"], totals["snapshot_gap_ms"], totals["input_ack_ms"]
    check(counts["snapshots_lost"] == counts["inputs_missed"] == 0, f"no snapshot is lost, no input missed: {counts}")
    check(gap["max"] <= TICK_MS + LOOK_MS + 0.001 and ack["max"] <= 2 * TICK_MS + 0.001, f"nothing is a tick late: {gap}, {ack}")
    check(totals["own_lag_ms"]["max"] == 0, f"the load tester is in time: {totals['own_lag_ms']}")


def a_match_is_reported(place, folder):
    path, table = os.path.join(folder, "out.json"), os.path.join(folder, "out.csv")
    bots("--server", place, "--count", "8", "--verify", "3", "--duration", "4s", "--seed", "5",
               "--json", path, "--csv", table, "--threshold", "desyncs<1", "--threshold", "connected>=8")
    report = read_json(path)
    totals, verdict = report["totals"], report["verdict"]
    check(report["schema"] == "deadfall-bots/2" and report["seed"] == 5, "the JSON has its schema and the seed")
    check(report["interrupted"] is False, "the JSON says that it was not interrupted")
    check(verdict["all_joined"] and verdict["undisturbed"] and verdict["within_thresholds"], f"verdict {verdict}")
    check(totals["connected"] == 8, "all clients joined")
    check(totals["desyncs"] == 0 and totals["disconnects"] == 0, "no client was lost, and no world differed")
    check(totals["prediction_error_px"]["count"] > 300, "full clients predict")
    check([row["snapshots_per_s"] for row in report["series"][1:]] == [60] * 3, f"60 snapshots in each second: {report['series']}")
    first = report["series"][0]["counts"]  # each client begins to play at a look, and the server's ticks come when they come
    check(-0.01 <= first["play_us"] / 1000 - first["snapshots"] * TICK_MS <= 8 * LOOK_MS + 0.01, f"and in the first: {first}")
    comes_each_tick(totals)
    check(len(report["thresholds"]) == 2, "the JSON has its thresholds")
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == len(report["series"]) and float(rows[0]["desyncs"]) == 0, "the CSV has a row for each interval")
    check(all(float(row["rtt_ms_p99"] or 0) >= 0 for row in rows), "the CSV has the quantiles")


def a_broken_threshold_is_99(place):
    done = bots("--server", place, "--count", "2", "--duration", "2s", "--threshold", "connected>2", code=EXIT_THRESHOLD)
    check("threshold connected>2: BROKEN" in done.stdout, "the broken threshold is named")


def the_scoreboard_names_the_players(place):
    done = bots("--server", place, "--count", "2", "--duration", "2s", "--scoreboard", "--name", "Ada")
    check("Ada1" in done.stdout and "Ada2" in done.stdout and "score" in done.stdout, f"scoreboard\n{done.stdout}")
    check("\033" not in done.stdout, "without a terminal there are no escape sequences")


def reported(place, folder, *arguments, code=EXIT_OK):
    path = os.path.join(folder, "reported.json")
    bots("--server", place, "--json", path, *arguments, code=code)
    return read_json(path)


def stages_ramp_up_and_down(place, folder):
    report = reported(place, folder, "--stages", "8:2s,8:2s,2:2s", "--verify", "1", "--interval", "500ms")
    crowd = [row["connected"] for row in report["series"]]
    check(crowd == [2, 4, 6, 8, 8, 8, 8, 8, 7, 5, 4, 2], f"as many as between two stages, rounded up: {crowd}")
    check([row["snapshots_per_s"] for row in report["series"][4:8]] == [60] * 4, f"60 snapshots in each second: {report['series']}")
    comes_each_tick(report["totals"])
    check(report["totals"]["disconnects"] == 0, "a client that leaves at the end of a stage is not lost")
    check(report["seconds"] == 6, f"the run takes the six seconds of its stages: {report['seconds']}")


def churning_bots_leave_and_come_back(place, folder):
    report = reported(place, folder, "--count", "6", "--behaviour", "churn", "--duration", "10s", "--verify", "2")
    totals = report["totals"]
    check(totals["connect_ms"]["count"] > 9, f"there are more joins than clients: {totals['connect_ms']}")
    check(totals["disconnects"] == 0 and totals["desyncs"] == 0, f"churning clients are not lost: {totals}")


def idle_bots_are_measured(place, folder):
    comes_each_tick(reported(place, folder, "--count", "3", "--behaviour", "idle", "--duration", "20s")["totals"])


def burdens_do_not_disturb_the_others(place, folder):
    report = reported(place, folder, "--count", "8", "--behaviour", "play:6,flood:1,slow-reader:1", "--duration", "6s",
                      "--threshold", "flood_messages>1000", "--threshold", "expelled>0")
    totals = report["totals"]
    check(totals["desyncs"] == 0 and totals["disconnects"] == 0, f"the other clients stayed: {totals}")
    comes_each_tick(totals)
    # It comes again, and is removed again once enough of its nonsense has come through its rate.
    check(totals["flood_messages"] > 1000 and totals["expelled"] >= 1, f"the flood was sent, and its client was removed: {totals}")


def a_slow_reader_is_no_honest_client(place, folder):
    report = reported(place, folder, "--count", "3", "--behaviour", "slow-reader:2,play:1", "--verify", "0", "--duration", "5s")
    check(report["totals"]["connected"] == 3, "slow readers join the match")
    counts = report["totals"]["counts"]
    check(counts["play_us"] < 5000000 and counts["snapshots"] == counts["play_us"] * 60 // 1000000, f"only the third client is measured: {counts}")
    comes_each_tick(report["totals"])


def the_page_stands_alone(place, metrics, folder):
    page = os.path.join(folder, "out.html")
    report = reported(place, folder, "--count", "4", "--duration", "4s", "--html", page, "--name", "<b>&\"'", "--threshold",
                      "connected>=4", "--threshold", "server_tick_max>0ms", "--server-metrics", f"127.0.0.1:{metrics}")
    totals = report["totals"]
    check(totals["server_tick_ms"]["count"] == 4 * 60 and totals["server_rss_mib"] > 1, f"the report has the server's figures: {totals}")
    check(0 < totals["server_cpu_pct"] < 100, f"the server uses CPU time: {totals['server_cpu_pct']}")
    check(any(row["server_tick_ms"]["p50"] for row in report["series"]), "the intervals have the server's figures")
    embedded = report_in(page)
    check(embedded == report, "the page has the report")
    check(embedded["thresholds"][0]["holds"] and "<b>&\"'" in embedded["arguments"] and embedded["host"]["name"] == os.uname().nodename, "and the run")


def report_in(page):
    """The report in a page, which is else the static one (report_page_test.js asks what that makes of it)."""
    text = read_text(page)
    with open(os.path.join(os.path.dirname(__file__), "../../client/engine/load/report.html"), encoding="utf-8") as file:
        head, tail = file.read().split("@REPORT@")
    check(text.startswith(head) and text.endswith(tail), "the page is static but for the report")
    content = text[len(head):-len(tail)]
    check("<" not in content and "nan" not in content.lower(), "no markup, and numbers")
    return json.loads(content)


def a_broken_threshold_shows_on_the_page(place, folder):
    page = os.path.join(folder, "broken.html")
    reported(place, folder, "--count", "1", "--duration", "1s", "--html", page, "--threshold", "connected>1",
             code=EXIT_THRESHOLD)
    report = report_in(page)
    check(not report["passed"] and not report["thresholds"][0]["holds"] and "a threshold is broken" in report["verdict"]["sentences"][0], f"broken: {report['verdict']}")


def a_load_test_that_is_held_up_does_not_pass(place, folder):
    """A load test that is stopped again and again is late by far more than a tick."""
    path = os.path.join(folder, "held.json")
    done = start(place, "--count", "2", "--duration", "3s", "--json", path)
    while done.poll() is None:
        for sign, pause in ((signal.SIGSTOP, 0.06), (signal.SIGCONT, 0.02)):
            done.send_signal(sign)
            time.sleep(pause)
    text = done.communicate()[0]
    check(done.returncode == EXIT_BOTTLENECK and "its figures do not count" in text, f"exit {done.returncode}\n{text}")


def a_file_that_cannot_be_written_is_74(place):
    always = "--server", place, "--count", "1", "--duration", "1s"
    done = bots(*always, "--json", "/nowhere/out.json", code=EXIT_IO)
    check("/nowhere/out.json" in done.stderr and not done.stdout, f"{done}")
    check("/dev/full" in bots(*always, "--html", "/dev/full", code=EXIT_IO).stderr, "a page")
    with open("/dev/full", "w", encoding="ascii") as full:
        run(BOTS, *always, code=EXIT_IO, capture_output=False, stdout=full, stderr=subprocess.DEVNULL)


def main():
    usage_errors_have_a_sentence_and_64()
    nobody_there_is_69()
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, *PAGE) as server:
        place = server.place
        a_match_is_reported(place, folder)
        a_broken_threshold_is_99(place)
        the_scoreboard_names_the_players(place)
        a_file_that_cannot_be_written_is_74(place)
        help_lists_the_metrics(place, folder)
        stages_ramp_up_and_down(place, folder)
        churning_bots_leave_and_come_back(place, folder)
        idle_bots_are_measured(place, folder)
        burdens_do_not_disturb_the_others(place, folder)
        a_slow_reader_is_no_honest_client(place, folder)
        the_page_stands_alone(place, server.said(r"live page on port (\d+)")[1], folder)
        a_broken_threshold_shows_on_the_page(place, folder)
        a_load_test_that_is_held_up_does_not_pass(place, folder)
        an_interrupted_run_has_not_passed(place, folder)
        snapshots_of_a_dead_server_are_lost(server, folder)


main()
