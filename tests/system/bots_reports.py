#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports of the load tester: merged, compared, steered, against tcpdump, and over faults of a real server.

  bots_reports.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN

Figures depend on the machine. Where it is too busy, so that the load tester was the bottleneck or saw an outage that
nobody caused, only what holds all the same is checked.
"""
import heapq
import json
import os
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

from processes import LOOPBACK, OperatedServer, check, run_at_once, wait_for

SERVER, BOTS, ADMIN = sys.argv[1:4]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_DATA, EXIT_IO, EXIT_BOTTLENECK, EXIT_OUTAGE, EXIT_THRESHOLD = 0, 1, 64, 65, 74, 75, 98, 99
INSIDE = "DEADFALL_TEST_DISK"
PING_BYTES, ACKNOWLEDGEMENT_BYTES = 31, 33  # of datagrams that hold nothing else


def bots(*arguments):
    return subprocess.run([BOTS, *arguments], text=True, capture_output=True, timeout=120)


def start(place, *arguments):
    return subprocess.Popen([BOTS, "--server", place, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def is_calm(report):
    """Whether the machine had time for everybody: nearly all of 60 snapshots a second have come."""
    counts = report["totals"]["counts"]
    return not report["verdict"]["bottleneck"] and not report["outages"] and counts["snapshots"] > 59.7 * counts["play_us"] / 1e6


def buckets_of(report, metric):
    return {value: count for value, count in report["totals"][metric]["buckets"]}


def four_merged_processes_equal_one():
    with tempfile.TemporaryDirectory() as folder:
        server = OperatedServer(SERVER, ADMIN, folder, "--max-players", "32", log_folder=folder)
        paths = [f"{folder}/{i}.json" for i in range(4)]
        common = ["--duration", "10s", "--spawn-rate", "100", "--verify", "0", "--interval", "500ms"]
        begin = ["--start-at", f"{time.time() + 1.5:.3f}"]
        running = [start(server.place, "--count", "4", "--seed", str(i), "--json", path, *common, *begin) for i, path in enumerate(paths)]
        for process in running:
            process.communicate(timeout=60)
        parts = [load(path) for path in paths]
        check(max(part["started_unix"] for part in parts) - min(part["started_unix"] for part in parts) < 0.5, "they began at once")
        merged_path, table, page = f"{folder}/merged.json", f"{folder}/merged.csv", f"{folder}/merged.html"
        done = bots("merge", *paths, "--json", merged_path, "--csv", table, "--html", page, "--threshold", "connected>=16")
        merged = load(merged_path)
        check(done.returncode == (EXIT_OK if all(part["passed"] for part in parts) else done.returncode) and "threshold connected>=16: holds" in done.stdout,
              f"merged: exit {done.returncode}\n{done.stdout}{done.stderr}")
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
        start(server.place, "--count", "16", "--json", one_path, *common).communicate(timeout=60)
        one = load(one_path)
        check(merged["totals"]["connected"] == one["totals"]["connected"] == 16, "as many clients")
        if is_calm(merged) and is_calm(one):
            for name in ("snapshots", "inputs", "play_us"):
                a, b = merged["totals"]["counts"][name], one["totals"]["counts"][name]
                check(abs(a - b) <= 0.01 * b, f"{name}: {a} merged, {b} of one process")
            gap, gap_of_one = merged["totals"]["snapshot_gap_ms"]["mean"], one["totals"]["snapshot_gap_ms"]["mean"]
            check(abs(gap - gap_of_one) <= 0.01 * gap_of_one, f"snapshot gap: {gap} ms merged, {gap_of_one} ms of one process")
            print(f"merged / one: {[(name, merged['totals']['counts'][name], one['totals']['counts'][name]) for name in ('snapshots', 'inputs')]}")
        else:
            print("too busy to compare with one process")
        server.end()


def files_that_are_no_reports_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/odd.json"
        for text in ("", "{", "[]", "{}", '{"schema":"deadfall-bots/1"}', '{"schema":"deadfall-bots/2","totals":{},"series":[],"verdict":{}}',
                     '{"schema":"deadfall-bots/2","totals":{},"series":[],"verdict":{},"started_unix":1,"seconds":1,"interval":1}',
                     '{"schema":"deadfall-bots/2","totals":{},"series":[{"second":1e300}],"verdict":{},"started_unix":1,"seconds":1,"interval":1}',
                     '{"schema":"deadfall-bots/2","totals":{},"series":[],"verdict":{},"started_unix":1,"seconds":1e9,"interval":1}', "\0" * 9):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for command in (["merge", path], ["merge", path, path], ["compare", path, path]):
                done = bots(*command)
                check(done.returncode == EXIT_DATA and done.stderr.startswith(f"deadfall-bots: {path}") and done.stderr.count("\n") == 1,
                      f"{text[:60]!r}: {command[0]}: exit {done.returncode} {done.stderr!r}")
        check(bots("merge", f"{folder}/none").returncode == EXIT_IO, "a file that is not there")
        for arguments in (["merge"], ["compare", path], ["compare"], ["divide", path], ["--start-at", "soon"], ["--start-at", "2026-13-01T00:00:00Z"]):
            done = bots(*arguments)
            check(done.returncode == EXIT_USAGE and done.stderr.count("\n") == 1, f"{arguments}: exit {done.returncode} {done.stderr!r}")


def compared_reports_have_a_verdict():
    with tempfile.TemporaryDirectory() as folder:
        server = OperatedServer(SERVER, ADMIN, folder, log_folder=folder)
        near, far = f"{folder}/near.json", f"{folder}/far.json"
        bots("--server", server.place, "--count", "4", "--duration", "8s", "--json", near)
        bots("--server", server.place, "--count", "4", "--duration", "8s", "--json", far, "--net", "delay=80ms")
        server.end()
        calm = not load(near)["verdict"]["bottleneck"] and not load(far)["verdict"]["bottleneck"]
        same = bots("compare", near, near)
        check(same.returncode == (EXIT_BOTTLENECK if load(near)["verdict"]["bottleneck"] else EXIT_OK) and "nothing is worse" in same.stdout,
              f"with itself: exit {same.returncode}\n{same.stdout}")
        verdict = f"{folder}/verdict.json"
        worse = bots("compare", near, far, "--tolerance", "10", "--json", verdict)
        figures = {row["metric"]: row["finding"] for row in load(verdict)["figures"]}
        check(worse.returncode == (EXIT_THRESHOLD if calm else EXIT_BOTTLENECK), f"with 160 ms more: exit {worse.returncode}\n{worse.stdout}")
        check(figures["rtt_ms_p50"] == "worse" and figures["input_ack_ms_p50"] == "worse", f"{figures}")
        better = {row["metric"]: row["finding"] for row in (bots("compare", far, near, "--json", verdict), load(verdict))[1]["figures"]}
        check(better["rtt_ms_p50"] == "better", f"{better}")


def a_control_socket_steers_the_run():
    with tempfile.TemporaryDirectory() as folder:
        server = OperatedServer(SERVER, ADMIN, folder, log_folder=folder)
        path, sock = f"{folder}/out.json", f"{folder}/control"
        run = start(server.place, "--count", "2", "--duration", "60s", "--interval", "200ms", "--control", sock, "--json", path)
        wait_for(lambda: "2 players" in server.ask("status").stdout, "two join")

        def say(*words):
            return subprocess.run([ADMIN, sock, *words], capture_output=True, text=True, timeout=20)

        check(os.stat(sock).st_mode & 0o777 == 0o600, "only the owner may open it")
        check(say("count", "5").returncode == 0, "count")
        wait_for(lambda: "5 players" in server.ask("status").stdout, "five are there")
        check(say("behaviour", "idle").returncode == 0 and say("mark", "now it is <quiet>").returncode == 0, "behaviour, mark")
        for words in (["count", "1x"], ["count", "2000"], ["count"], ["behaviour", "dance"], ["mark"], ["jump"], ["stop", "it"]):
            check(say(*words).returncode == EXIT_FAILED, f"{words} is refused")
        with socket.socket(socket.AF_UNIX) as rude:
            rude.connect(sock)
            rude.sendall(b"x" * 5000)
            try:
                check(rude.recv(100) == b"", "a line without an end ends the connection")
            except ConnectionResetError:
                pass
        check(say("count", "3").returncode == 0, "fewer")
        wait_for(lambda: "3 players" in server.ask("status").stdout, "two leave")
        check(say("stop").returncode == 0, "stop")
        text = run.communicate(timeout=20)[0]
        report = load(path)
        server.end()
        check([mark["text"] for mark in report["marks"]] == ["count 5", "behaviour idle", "now it is <quiet>", "count 3", "stop"], f"{report['marks']}")
        check(report["totals"]["connected"] == 5 and report["verdict"]["all_joined"] and not report["interrupted"], f"five joined\n{text}")
        check(run.returncode in (EXIT_OK, EXIT_BOTTLENECK, EXIT_OUTAGE) and not os.path.exists(sock), f"exit {run.returncode}\n{text}")


class DelayingRelay(threading.Thread):
    """A relay that delivers each datagram some time later, in both directions."""

    def __init__(self, port, delay_s):
        super().__init__(daemon=True)
        self.server, self.delay_s, self.running, self.backs, self.late = (LOOPBACK, port), delay_s, True, {}, []
        self.front = self.open()

    @staticmethod
    def open():
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.bind((LOOPBACK, 0))
        made.setblocking(False)
        return made

    def take(self, source, number):
        try:
            while True:
                datagram, address = source.recvfrom(65536)
                if source is self.front:
                    back = self.backs.setdefault(address, None) or self.backs.update({address: self.open()}) or self.backs[address]
                    target = (back, self.server)
                else:
                    target = (self.front, next(client for client, back in self.backs.items() if back is source))
                heapq.heappush(self.late, (time.monotonic() + self.delay_s, next(number), datagram, target))
        except BlockingIOError:
            pass

    def run(self):
        number = iter(range(1 << 40))
        while self.running:
            for source in (self.front, *self.backs.values()):
                self.take(source, number)
            while self.late and self.late[0][0] <= time.monotonic():
                _, _, datagram, (by, to) = heapq.heappop(self.late)
                by.sendto(datagram, to)
            time.sleep(0.0005)


def captured(path):
    """Returns the UDP datagrams of a pcap file of loopback: time, ports, payload."""
    with open(path, "rb") as file:
        data = file.read()
    at, found = 24, []
    while at + 16 <= len(data):
        seconds, fraction, size = struct.unpack_from("<III", data, at)
        udp = data[at + 16 + 14 + 20:at + 16 + size]  # after Ethernet and IPv4 without options
        at += 16 + size
        if len(udp) >= 8:
            source, target = struct.unpack_from(">HH", udp)
            found.append((seconds + fraction / 1e6, source, target, udp[8:]))
    return found


def figures_equal_those_of_tcpdump():
    tool = shutil.which("tcpdump") or "/usr/sbin/tcpdump"
    if not os.path.exists(tool):
        print("left out: no tcpdump here")
        return
    with tempfile.TemporaryDirectory() as folder:
        server = OperatedServer(SERVER, ADMIN, folder, log_folder=folder)
        port = int(server.place.split(":")[1])
        relay = DelayingRelay(port, 0.1)
        front = relay.front.getsockname()[1]
        capture = f"{folder}/lo.pcap"
        dump = subprocess.Popen([tool, "-i", "lo", "-U", "-B", "65536", "-w", capture, f"udp port {port} or udp port {front}"], text=True,
                                stderr=subprocess.PIPE)
        line = dump.stderr.readline()
        while line and "listening on" not in line:
            line = dump.stderr.readline()
        if not line:
            print("left out: tcpdump may not capture here")
            server.end()
            return
        relay.start()
        path = f"{folder}/out.json"
        start(f"{LOOPBACK}:{front}", "--count", "4", "--duration", "12s", "--json", path).communicate(timeout=60)
        time.sleep(1.5)  # the kernel hands over what it has captured once a second
        dump.terminate()
        dump.communicate(timeout=10)
        relay.running = False
        server.end()
        found, totals = captured(capture), load(path)["totals"]
        up = [datagram for datagram in found if datagram[2] == front]
        down = [datagram for datagram in found if datagram[1] == front and datagram[0] <= up[-1][0]]  # until all have left
        for name, count in (("packets_up", len(up)), ("packets_down", len(down)), ("bytes_up", sum(len(one[3]) for one in up)),
                            ("bytes_down", sum(len(one[3]) for one in down))):
            check(abs(totals[name] - count) <= 0.02 * count, f"{name}: {totals[name]}, of tcpdump {count}")
            print(f"{name}: {totals[name]:.0f}, of tcpdump {count}")
        trips = []  # from a ping, which ENet sends four times a second, to its acknowledgement
        for client in {datagram[1] for datagram in up}:
            answers = [when for when, _, target, payload in down if target == client and len(payload) == ACKNOWLEDGEMENT_BYTES]
            for asked in (when for when, source, _, payload in up if source == client and len(payload) == PING_BYTES):
                trips += [1000 * (when - asked) for when in answers if when > asked][:1]
        check(len(trips) > 40, f"tcpdump sees pings: {len(trips)}")
        mean_ms = statistics.mean(trips)
        print(f"round trip: {totals['rtt_ms']['mean']:.2f} ms, of tcpdump {mean_ms:.2f} ms")
        check(abs(totals["rtt_ms"]["mean"] - mean_ms) <= 0.02 * mean_ms, f"round trip: {totals['rtt_ms']} ms, of tcpdump {mean_ms} ms")


def a_stopped_server_is_named():
    with tempfile.TemporaryDirectory() as folder:
        server = OperatedServer(SERVER, ADMIN, folder, log_folder=folder)
        path = f"{folder}/out.json"
        run = start(server.place, "--count", "4", "--duration", "6s", "--json", path)
        wait_for(lambda: "4 players" in server.ask("status").stdout, "all join")
        time.sleep(1)
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(0.22)
        server.process.send_signal(signal.SIGCONT)
        text = run.communicate(timeout=30)[0]
        report = load(path)
        server.end()
        check(run.returncode in (EXIT_OUTAGE, EXIT_BOTTLENECK) and "FAILED: " in text and "got no snapshots" in text, f"exit {run.returncode}\n{text}")
        check(any(outage["clients"] == 4 and 0.19 < outage["seconds"] < 3 for outage in report["outages"]), f"{report['outages']}")
        check(not report["verdict"]["without_outage"] and report["totals"]["reconnects"] == 0, "nobody lost the connection")


def a_killed_server_is_named():
    with tempfile.TemporaryDirectory() as folder:
        server = OperatedServer(SERVER, ADMIN, folder, "--metrics", f"{LOOPBACK}:0", log_folder=folder)
        port, page = server.place.split(":")[1], server.log().rsplit("live page on port ", 1)[1].split()[0]
        path = f"{folder}/out.json"
        run = start(server.place, "--count", "4", "--duration", "14s", "--reconnect", "--json", path, "--server-metrics", f"{LOOPBACK}:{page}")
        wait_for(lambda: "4 players" in server.ask("status").stdout, "all join")
        time.sleep(1.5)
        server.end(signal.SIGKILL)
        time.sleep(1)
        again = OperatedServer(SERVER, ADMIN, folder, "--port", port, "--metrics", f"{LOOPBACK}:{page}", log_folder=folder)
        text = run.communicate(timeout=60)[0]
        report = load(path)
        again.end()
        check(run.returncode in (EXIT_OUTAGE, EXIT_BOTTLENECK), f"exit {run.returncode}\n{text}")
        check("got no snapshots" in text and "warning: the server was restarted during the run" in text, text)
        check(any(mark["text"] == "the server has restarted" for mark in report["marks"]), f"{report['marks']}")
        check(report["totals"]["reconnects"] >= 4 and report["totals"]["recover_ms"]["count"] >= 4, f"{report['totals']['reconnects']} came back")
        print(f"kill -9, a second later a new server: recovered after {report['totals']['recover_ms']['p50']:.0f} ms (p50)")


def a_full_disk_is_named():
    with tempfile.TemporaryDirectory() as folder:
        alone = ["unshare", "--mount", "--map-root-user"]
        if subprocess.run([*alone, "mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False).returncode != 0:
            print("left out: no mount namespace here")
            return
        done = subprocess.run([*alone, sys.executable, *sys.argv], env={**os.environ, INSIDE: folder}, check=False)
        check(done.returncode == 0, "a full disk is named")


def on_a_full_disk(folder):
    check(subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], check=False).returncode == 0, "a small disk")
    with tempfile.TemporaryDirectory() as logs:
        server = OperatedServer(SERVER, ADMIN, folder, "--metrics", f"{LOOPBACK}:0", log_folder=logs)
        page, path = server.log().rsplit("live page on port ", 1)[1].split()[0], f"{logs}/out.json"
        run = start(server.place, "--count", "4", "--duration", "10s", "--json", path, "--server-metrics", f"{LOOPBACK}:{page}")
        wait_for(lambda: "4 players" in server.ask("status").stdout, "all join")
        with open(f"{folder}/filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        text = run.communicate(timeout=30)[0]
        report = load(path)
        server.end()
        check(run.returncode in (EXIT_OUTAGE, EXIT_BOTTLENECK) and "FAILED: the server could not write" in text, f"exit {run.returncode}\n{text}")
        check(not report["verdict"]["server_keeps"] and any("could not write its journal" in warning for warning in report["warnings"]), f"{report['warnings']}")


def metrics_that_do_not_answer_are_a_warning():
    with tempfile.TemporaryDirectory() as folder:
        server = OperatedServer(SERVER, ADMIN, folder, log_folder=folder)
        done = bots("--server", server.place, "--count", "1", "--duration", "3s", "--server-metrics", f"{LOOPBACK}:1")
        server.end()
        check(f"deadfall-bots: warning: the server's metrics at {LOOPBACK}:1 do not answer" in done.stderr, done.stderr)
        check("did not answer in" in done.stdout and done.returncode in (EXIT_OK, EXIT_BOTTLENECK, EXIT_OUTAGE), done.stdout)


ALONE = (four_merged_processes_equal_one, figures_equal_those_of_tcpdump)
AT_ONCE = (files_that_are_no_reports_are_refused, compared_reports_have_a_verdict, a_control_socket_steers_the_run, a_stopped_server_is_named,
           a_killed_server_is_named, a_full_disk_is_named, metrics_that_do_not_answer_are_a_warning)

if os.environ.get(INSIDE):
    on_a_full_disk(os.environ[INSIDE])
else:
    for test in ALONE:
        test()
    run_at_once(AT_ONCE)
