#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The server's log: values for programs, priorities for systemd's journal, and why a match stood still.

  log_test.py DEADFALL_SERVER DEADFALL_ADMIN
"""
import json
import os
import re
import signal
import sys
import tempfile
import time

from processes import OperatedServer, check, wait_for

SERVER, ADMIN = sys.argv[1:3]


def events(server):
    """Returns the lines of a JSON log that have an event."""
    return [line for line in map(json.loads, server.log().splitlines()) if "event" in line]


def stalls(server):
    return [line for line in events(server) if line["event"] == "stall"]


def a_program_reads_the_log(folder):
    server = OperatedServer(SERVER, ADMIN, folder, "--log-format", "json", "--run-empty", "--metrics", "127.0.0.1:0", "--bots", "1")
    found = {line["event"]: line for line in events(server)}
    check({"start", "admin_socket", "http"} <= found.keys(), f"a start is in the log: {found}")
    check(server.place.endswith(f":{found['start']['port']}") and len(found["start"]["key"]) == 32, found["start"])
    time.sleep(1.2)  # the stall is compared with the moment before it
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(0.5)
    server.process.send_signal(signal.SIGCONT)
    # A busy machine stalls the server as well: then there are other causes, and the next line comes ten seconds later.
    wait_for(lambda: sum(line["ms"] for line in stalls(server)) >= 300, "the time of the stall is in the log")
    check(all(line["level"] == "warning" and line["count"] > 0 and line["cause"] for line in stalls(server)), stalls(server))
    check(server.ask("drain", "1s").returncode == 0 and server.process.wait(10) == 0, server.log())
    check("drain" in [line["event"] for line in events(server)], server.log())


def the_journal_gets_priorities(folder):
    path = os.path.join(folder, "log")
    open(path, "w", encoding="utf-8").close()
    facts = os.stat(path)
    server = OperatedServer(SERVER, ADMIN, folder, "--resume", "auto", environment={
        "JOURNAL_STREAM": f"{facts.st_dev}:{facts.st_ino}", "DEADFALL_NONSENSE": "1"})
    check(server.end(signal.SIGINT) == 0, server.log())
    lines = server.log().splitlines()
    check(all(re.match(r"<[3467]>[^0-9]", line) for line in lines), f"each line has a priority and no time: {lines}")
    check("<4>DEADFALL_NONSENSE is not an option of deadfall-server" in lines, f"a warning is one: {lines}")


for part in (a_program_reads_the_log, the_journal_gets_priorities):
    with tempfile.TemporaryDirectory() as temporary:
        part(temporary)
    print(part.__name__.replace("_", " "))
