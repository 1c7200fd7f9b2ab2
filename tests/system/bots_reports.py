#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports of the load tester, as a scene: merged, compared, steered, against the line, and over faults of a real server.

  bots_reports.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN

capture.py looks at what tcpdump sees of the same.
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from processes import Bots, LOOK_MS, LOOPBACK, PAGE, Server, TICK_MS, check, fill, on_a_small_disk, read_json, run, run_at_once, wait_for, write
from stage import line

SERVER, BOTS, ADMIN = sys.argv[1:4]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_DATA, EXIT_IO, EXIT_OUTAGE, EXIT_THRESHOLD = 0, 1, 64, 65, 74, 98, 99
RETURN_MS = 100 + 4 * TICK_MS  # until who hears nothing says hello again, and a handshake


def bots(*arguments, code=EXIT_OK):
    return run(BOTS, *arguments, code=code)


def buckets_of(report, metric):
    return {value: count for value, count in report["totals"][metric]["buckets"]}


def each_datagram_is_counted_at_both_ends():
    with Server(SERVER, *PAGE) as server:
        totals = Bots(BOTS, server, 16, seconds=5).report()["totals"]
        for ours, theirs in (("packets_up", "receive"), ("packets_down", "transmit")):
            count = lambda: server.metric(f"deadfall_network_{theirs}_packets_total")
            # Each client says goodbye once it has counted, and is answered.
            wait_for(lambda: count() == totals[ours] + 16, lambda: f"{ours}: {totals[ours]}, and the server's {count()}")


def four_merged_processes_equal_one():
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--max-players", "32") as server:
        paths = [f"{folder}/{i}.json" for i in range(4)]
        common = ["--duration", "10s", "--spawn-rate", "100", "--verify", "0", "--interval", "500ms"]
        begin = ["--start-at", f"{time.time() + 1.5:.3f}"]
        running = [subprocess.Popen([BOTS, "--server", server.place, "--count", "4", "--seed", str(i), "--json", path, *common, *begin],
                                    stdout=subprocess.DEVNULL) for i, path in enumerate(paths)]
        for process in running:
            process.wait()
        parts = [read_json(path) for path in paths]
        check(len({part["started_unix"] for part in parts}) == 1, "they began at once")
        merged_path, table, page = f"{folder}/merged.json", f"{folder}/merged.csv", f"{folder}/merged.html"
        done = bots("merge", *paths, "--json", merged_path, "--csv", table, "--html", page, "--threshold", "connected>=16")
        merged = read_json(merged_path)
        check("threshold connected>=16: holds" in done.stdout, f"merged: {done}")
        check(merged["schema"] == parts[0]["schema"] and len(merged["parts"]) == 4 and os.path.getsize(page) > 10000, "a report of the same schema")
        # Exactly: every count and every bucket is the sum of the parts, so each percentile is that of all samples.
        for name, count in merged["totals"]["counts"].items():
            check(count == sum(part["totals"]["counts"][name] for part in parts), f"{name} adds up")
        for metric in ("rtt_ms", "input_ack_ms", "snapshot_gap_ms", "connect_ms", "own_lag_ms"):
            buckets = {}
            for part in parts:
                for value, count in buckets_of(part, metric).items():
                    buckets[value] = buckets.get(value, 0) + count
            check(buckets_of(merged, metric) == buckets, f"the buckets of {metric} add up")
        rows = merged["series"]
        check(sum(row["counts"]["snapshots"] for row in rows) == merged["totals"]["counts"]["snapshots"], "no row of the series is lost")
        check(max(row["connected"] for row in rows) == 16, f"the series has all clients at a time: {[row['connected'] for row in rows]}")
        with open(table, encoding="utf-8") as file:
            check(len(file.readlines()) == len(rows) + 1, "the CSV has the rows")
        one_path = f"{folder}/one.json"
        bots("--server", server.place, "--count", "16", "--json", one_path, *common)
        one = read_json(one_path)
        check(merged["totals"]["connected"] == one["totals"]["connected"] == 16, "as many clients")
        played = []
        for report in (merged, one):
            counts = report["totals"]["counts"]
            played.append(counts["play_us"] / 1000)
            # Each client plays from a look to another, between two ticks of the server.
            check(0 <= counts["inputs"] - counts["snapshots"] <= 16 and abs(counts["snapshots"] * TICK_MS - played[-1]) < 16 * TICK_MS, f"60 in each second: {counts}")
            check(report["totals"]["snapshot_gap_ms"]["max"] <= TICK_MS + LOOK_MS + 0.001, f"no snapshot is late: {report['totals']}")
        # At 100 a second the sixteenth begins after 150 ms, the fourth of four processes after 30; each then waits for a tick.
        later_ms = 10 * (sum(range(16)) - 4 * sum(range(4)))
        check(abs(played[0] - played[1] - later_ms) <= 16 * TICK_MS, f"all but the beginning is equal: {played}")


def files_that_are_no_reports_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/odd.json"
        for text in ("", "{", "[]", "{}", '{"schema":"deadfall-bots/1"}', '{"schema":"deadfall-bots/2","totals":{},"series":[],"verdict":{}}',
                     '{"schema":"deadfall-bots/2","totals":{},"series":[],"verdict":{},"started_unix":1,"seconds":1,"interval":1}',
                     '{"schema":"deadfall-bots/2","totals":{},"series":[{"second":1e300}],"verdict":{},"started_unix":1,"seconds":1,"interval":1}',
                     '{"schema":"deadfall-bots/2","totals":{},"series":[],"verdict":{},"started_unix":1,"seconds":1e9,"interval":1}', "\0" * 9):
            write(path, text)
            for command in (["merge", path], ["merge", path, path], ["compare", path, path]):
                done = bots(*command, code=EXIT_DATA)
                check(done.stderr.startswith(f"deadfall-bots: {path}") and done.stderr.count("\n") == 1, f"{text[:60]!r}: {done}")
        bots("merge", f"{folder}/none", code=EXIT_IO)
        for arguments in (["merge"], ["compare", path], ["compare"], ["divide", path], ["--start-at", "soon"], ["--start-at", "2026-13-01T00:00:00Z"]):
            check(bots(*arguments, code=EXIT_USAGE).stderr.count("\n") == 1, f"{arguments}: a sentence")


def takes(report, line_ms):
    """Every round trip takes as long as the line, and until the server's next tick and the client's next look."""
    trips = report["totals"]["rtt_ms"]
    least_ms = min(us for us, _ in trips["buckets"]) / 1000
    check(trips["count"] > 40 and least_ms >= line_ms and trips["max"] <= line_ms + TICK_MS + 2 * LOOK_MS, f"{line_ms} ms: {trips}")


def compared_reports_have_a_verdict():
    with tempfile.TemporaryDirectory() as folder:
        near, far, verdict = (f"{folder}/{name}.json" for name in ("near", "far", "verdict"))
        with Server(SERVER) as server:
            bots("--server", server.place, "--count", "4", "--duration", "8s", "--json", near)
            bots("--server", server.place, "--count", "4", "--duration", "8s", "--json", far, "--net", "delay=80ms")
        check("nothing is worse" in bots("compare", near, near).stdout, "with itself")

        def findings(*files, code):
            bots("compare", *files, "--tolerance", "10", "--json", verdict, code=code)
            return {row["metric"]: row["finding"] for row in read_json(verdict)["figures"]}

        worse = findings(near, far, code=EXIT_THRESHOLD)
        check(worse["rtt_ms_p50"] == worse["input_ack_ms_p50"] == "worse", f"with 160 ms more: {worse}")
        check(findings(far, near, code=None)["rtt_ms_p50"] == "better", "and the other way round")
        takes(read_json(near), 0)
        takes(read_json(far), 160)


def a_control_socket_steers_the_run():
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, admin=ADMIN) as server:
        sock = f"{folder}/control"
        clients = Bots(BOTS, server, 2, "--interval", "200ms", "--control", sock, seconds=60)
        wait_for(lambda: server.told("2 players"), "two join")

        def say(*words, code=EXIT_OK):
            run(ADMIN, sock, *words, code=code)

        check(os.stat(sock).st_mode & 0o777 == 0o600, "only the owner may open it")
        say("count", "5")
        wait_for(lambda: server.told("5 players"), "five are there")
        say("behaviour", "idle")
        say("mark", "now it is <quiet>")
        for words in (["count", "1x"], ["count", "2000"], ["count"], ["behaviour", "dance"], ["mark"], ["jump"], ["stop", "it"]):
            say(*words, code=EXIT_FAILED)
        with socket.socket(socket.AF_UNIX) as rude:
            rude.connect(sock)
            rude.sendall(b"x" * 5000)
            try:
                check(rude.recv(100) == b"", "a line without an end ends the connection")
            except ConnectionResetError:
                pass
        say("count", "3")
        wait_for(lambda: server.told("3 players"), "two leave")
        say("stop")
        report = clients.report()
        check([mark["text"] for mark in report["marks"]] == ["count 5", "behaviour idle", "now it is <quiet>", "count 3", "stop"], f"{report['marks']}")
        check(report["totals"]["connected"] == 5 and report["verdict"]["all_joined"] and not report["interrupted"], f"five joined\n{clients.text}")
        check(clients.process.returncode == EXIT_OK and not os.path.exists(sock), f"exit {clients.process.returncode}\n{clients.text}")


def a_line_is_measured():
    with Server(SERVER) as server:
        line(delay_ms=100, port=server.port)
        report = Bots(BOTS, server, 4, seconds=60).report()
        line()
        takes(report, 200)


def a_stopped_server_is_named():
    with Server(SERVER, admin=ADMIN) as server:
        clients = Bots(BOTS, server, 4, seconds=6)
        wait_for(lambda: server.told("4 players"), "all join")
        time.sleep(1)
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(0.22)
        server.process.send_signal(signal.SIGCONT)
        report, text = clients.report(), clients.text
        check(clients.process.returncode == EXIT_OUTAGE and "FAILED: " in text and "got no snapshots" in text, f"{clients.process}\n{text}")
        outage, = report["outages"]
        check(outage["clients"] == 4 and abs(1000 * outage["seconds"] - 220) < TICK_MS, f"it is as long as the stop, to the next tick: {outage}")
        check(not report["verdict"]["without_outage"] and report["totals"]["reconnects"] == 0, "nobody lost the connection")


def a_killed_server_is_named():
    with Server(SERVER, *PAGE, admin=ADMIN) as server:
        page = LOOPBACK + ":" + server.said(r"live page on port (\d+)")[1]
        clients = Bots(BOTS, server, 4, "--reconnect", "--server-metrics", page, seconds=14)
        wait_for(lambda: server.told("4 players"), "all join")
        time.sleep(1.5)
        server.end(signal.SIGKILL)
        time.sleep(1)
        with server.again("--metrics", page):
            report, text = clients.report(), clients.text
        check(clients.process.returncode == EXIT_OUTAGE, f"{clients.process}\n{text}")
        check("got no snapshots" in text and "warning: the server was restarted during the run" in text, text)
        check(any(mark["text"] == "the server has restarted" for mark in report["marks"]), f"{report['marks']}")
        recover = report["totals"]["recover_ms"]
        check(report["totals"]["reconnects"] == recover["count"] == 4 and 1000 < recover["max"] <= 1000 + RETURN_MS, f"each came back once: {recover}")


def a_full_disk_is_named(folder):
    with tempfile.TemporaryDirectory() as logs:
        server = Server(SERVER, *PAGE, folder=folder, admin=ADMIN, log_path=f"{logs}/log")
        page = server.said(r"live page on port (\d+)")[1]
        clients = Bots(BOTS, server, 4, "--server-metrics", f"{LOOPBACK}:{page}", seconds=10)
        wait_for(lambda: server.told("4 players"), "all join")
        fill(folder)
        report, text = clients.report(), clients.text
        server.end()
        check(clients.process.returncode == EXIT_OUTAGE and "FAILED: the server could not write" in text, f"{clients.process}\n{text}")
        check(not report["verdict"]["server_keeps"] and any("could not write its journal" in warning for warning in report["warnings"]), f"{report['warnings']}")


def metrics_that_do_not_answer_are_a_warning():
    with Server(SERVER) as server:
        done = bots("--server", server.place, "--count", "1", "--duration", "3s", "--server-metrics", f"{LOOPBACK}:1")
        check(f"deadfall-bots: warning: the server's metrics at {LOOPBACK}:1 do not answer" in done.stderr, done.stderr)
        check("did not answer in" in done.stdout, done.stdout)


on_a_full_disk = on_a_small_disk(a_full_disk_is_named, "4m")
run_at_once((each_datagram_is_counted_at_both_ends, four_merged_processes_equal_one, a_line_is_measured,
             files_that_are_no_reports_are_refused, compared_reports_have_a_verdict, a_control_socket_steers_the_run,
             a_stopped_server_is_named, a_killed_server_is_named, on_a_full_disk, metrics_that_do_not_answer_are_a_warning))
