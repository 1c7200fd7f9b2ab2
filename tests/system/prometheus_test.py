#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Alerts: real servers fail in different ways at once, and a real Prometheus with the rules that we ship fires exactly
the right alert for each, and none for a healthy one.

  prometheus_test.py DEADFALL_SERVER DEADFALL_BOTS [SERIES]

SERIES is a file that gets the series of this run, as an input of `promtool test rules`: tests/system/outages.yml. Exit
status 77, so that ctest skips the test: there is no Prometheus, or no mount namespace for a small disk.
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from processes import Bots, LOOPBACK, Server, check, free_port, run, skip, wait_for, write

SERVER, BOTS = sys.argv[1:3]
SERIES = sys.argv[3] if len(sys.argv) > 3 else None
RULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../server/hosting/prometheus/deadfall.rules.yml")
PERIOD_S = 2
HEALTHY_S = 8    # before the outages
SETTLED_S = 20   # after the last alert is there: nothing else may come
EXPECTED = {  # the alerts of each server
    "healthy": set(),
    "crash": {"DeadfallDown"},
    "restarted": {"DeadfallCrashed"},
    "stall": {"DeadfallStalls"},
    "disk": {"DeadfallDiskFull"},
    "journal": {"DeadfallJournalLost"},
}
NAMES = ("up", "process_start_time_seconds", "deadfall_ticks_total", "deadfall_asleep", "deadfall_recovered",
         "deadfall_stalled_seconds_total", "deadfall_storage_up", "deadfall_storage_last_success_timestamp_seconds",
         "deadfall_storage_available_bytes", "deadfall_storage_size_bytes")


class Arena(Server):
    """A server with a client that keeps it awake."""

    def __init__(self, name, folder, program=SERVER, page="0"):
        self.name, self.state = name, os.path.join(folder, "state")
        os.makedirs(self.state, exist_ok=True)
        super().__init__(program, "--bots", "2", "--metrics", f"{LOOPBACK}:{page}", folder=self.state, log_path=os.path.join(folder, "log"))
        self.place_of_page = LOOPBACK + ":" + self.said(r"live page on port (\d+)")[1]
        self.bots = Bots(BOTS, self, 1)


def on_a_small_disk(folder):
    """Returns a program that starts the server with its state on a disk of its own, which is full after some seconds."""
    path = os.path.join(folder, "server")
    state = os.path.join(folder, "state")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nmount -t tmpfs -o size=24m tmpfs '{state}' || exit 1\n"
                   f"(sleep {HEALTHY_S + 5}; cat /dev/zero > '{state}/filler') 2>/dev/null &\nexec '{SERVER}' \"$@\"\n")
    os.chmod(path, 0o755)
    alone = os.path.join(folder, "alone")
    write(alone, f"#!/bin/sh\nexec unshare --mount --map-root-user '{path}' \"$@\"\n", 0o755)
    return alone


def break_journal(arena):
    """The file cannot grow any more, though the disk has room."""
    sizes = [os.path.getsize(os.path.join(arena.state, name)) for name in os.listdir(arena.state)]
    resource.prlimit(arena.process.pid, resource.RLIMIT_FSIZE, (max(sizes), resource.RLIM_INFINITY))


def stall(arena):
    arena.process.send_signal(signal.SIGSTOP)
    time.sleep(4)
    arena.process.send_signal(signal.SIGCONT)


def crash(arena):
    arena.process.kill()
    arena.process.wait()


def start_prometheus(folder, arenas):
    port, config = free_port(), os.path.join(folder, "prometheus.yml")
    with open(config, "w", encoding="utf-8") as file:
        json.dump({"global": {"scrape_interval": f"{PERIOD_S}s", "scrape_timeout": f"{PERIOD_S}s",
                              "evaluation_interval": f"{PERIOD_S}s"},
                   "rule_files": [os.path.abspath(RULES)],
                   "scrape_configs": [{"job_name": "deadfall", "static_configs": [
                       {"targets": [arena.place_of_page], "labels": {"instance": arena.name}}
                       for arena in arenas]}]}, file)
    log = open(os.path.join(folder, "log"), "w", encoding="utf-8")
    subprocess.Popen(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data",
                      f"--web.listen-address={LOOPBACK}:{port}"], stdout=log, stderr=log)
    return f"http://{LOOPBACK}:{port}/api/v1"


def ask(api, path, **arguments):
    try:
        with urllib.request.urlopen(f"{api}/{path}?{urllib.parse.urlencode(arguments)}", timeout=10) as answer:
            return json.load(answer)["data"]
    except OSError:
        return None


def has_stalled(api, instance):
    data = ask(api, "query", query=f'deadfall_stalled_seconds_total{{instance="{instance}"}} > 0')
    return data is not None and bool(data["result"])


def firing(api):
    """The alerts of each server; None: Prometheus does not answer. On a busy machine a server may really have stood still."""
    data = ask(api, "alerts")
    if data is None:
        return None
    found = {name: set() for name in EXPECTED}
    for alert in data["alerts"]:
        name, instance = alert["labels"]["alertname"], alert["labels"]["instance"]
        is_right = name == "DeadfallStalls" and name not in EXPECTED[instance] and has_stalled(api, instance)
        if alert["state"] == "firing" and not is_right:
            found[instance].add(name)
    return found


def targets_up(api, count):
    data = ask(api, "query", query='sum(up{job="deadfall"})')
    return data is not None and data["result"] and data["result"][0]["value"][1] == str(count)


def run_lengths(values):
    """Values in the notation of promtool: "_" is a gap, and 7+0x3 is 7 four times."""
    words, at = [], 0
    while at < len(values):
        same = 1
        while at + same < len(values) and values[at + same] == values[at]:
            same += 1
        value = values[at]
        words.append(f"_x{same}" if value is None else f"{value}" if same == 1 else f"{value}+0x{same - 1}")
        at += same
    return " ".join(words)


def write_series(api, begun, path):
    """Every outage is a test for promtool: its series since the beginning, at which time is 0, and what fires at the end."""
    step, end = 5, time.time()
    lines = ["# SPDX-License-Identifier: MIT",
             "# Made by tests/system/prometheus_test.py, with this file as its SERIES, from real servers that failed.",
             "rule_files: [../../server/hosting/prometheus/deadfall.rules.yml]", "evaluation_interval: 5s", "tests:"]
    count = int((end - begun) / step)
    for name, alerts in EXPECTED.items():
        lines += [f"  - name: {name}", "    interval: 5s", "    input_series:"]
        data = ask(api, "query_range", query=f'{{instance="{name}",__name__=~"{"|".join(NAMES)}"}}', start=begun,
                   end=begun + step * count, step=step)
        for series in sorted(data["result"], key=lambda each: sorted(each["metric"].items())):
            labels = series["metric"]
            metric = labels.pop("__name__")
            shift = begun if metric.endswith(("time_seconds", "timestamp_seconds")) else 0
            values = [None] * (count + 1)
            for at, value in series["values"]:
                values[round((at - begun) / step)] = round(float(value) - shift, 2) if shift else float(f"{float(value):.10g}")
            values = [int(value) if value is not None and value == int(value) else value for value in values]
            pairs = ",".join(f'{key}="{value}"' for key, value in sorted(labels.items()))
            lines += [f"      - series: '{metric}{{{pairs}}}'", f"        values: '{run_lengths(values)}'"]
        lines += ["    promql_expr_test:", "      - expr: count by (alertname) (ALERTS{alertstate=\"firing\"})",
                  f"        eval_time: {step * count}s",
                  "        exp_samples: [" + ", ".join(f"{{labels: '{{alertname=\"{alert}\"}}', value: 1}}" for alert in sorted(alerts))
                  + "]"]
    write(path, "\n".join(lines) + "\n")


def outages(folder):
    arenas = {}
    for name in EXPECTED:
        place = os.path.join(folder, name)
        os.mkdir(place)
        arenas[name] = Arena(name, place, on_a_small_disk(place) if name == "disk" else SERVER)
    begun = time.time()
    api = start_prometheus(folder, arenas.values())
    wait_for(lambda: targets_up(api, len(arenas)), "Prometheus reads every server")
    run("promtool", "check", "metrics", input=arenas["healthy"].page("/metrics"))
    time.sleep(HEALTHY_S)
    crash(arenas["crash"])
    crash(arenas["restarted"])
    arenas["restarted"] = arenas["restarted"].again("--metrics", arenas["restarted"].place_of_page)
    arenas["restarted"].bots = Bots(BOTS, arenas["restarted"], 1)
    break_journal(arenas["journal"])
    stall(arenas["stall"])
    seen = [None]

    def every_alert_is_there():
        seen[0] = firing(api) or seen[0]
        extra = {name: alerts - EXPECTED[name] for name, alerts in (seen[0] or {}).items() if alerts - EXPECTED[name]}
        check(not extra, f"no other alert fires: {extra}")
        return seen[0] == EXPECTED

    wait_for(every_alert_is_there, f"every alert fires, and no other\n{EXPECTED}\n")
    end = time.monotonic() + SETTLED_S
    while time.monotonic() < end:
        check(every_alert_is_there(), f"nothing else fires: {seen[0]}")
        time.sleep(PERIOD_S)
    if SERIES:
        write_series(api, begun, SERIES)
    print(f"{len(EXPECTED)} servers, each with its alerts: {seen[0]}")


def may_mount(folder):
    return subprocess.run(["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "tmpfs", folder],
                          capture_output=True, check=False).returncode == 0


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as top:
    if not shutil.which("prometheus") or not may_mount(top):
        skip("it needs prometheus, and a mount namespace")
    outages(top)
