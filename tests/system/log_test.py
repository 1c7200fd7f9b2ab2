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
import time

from processes import PAGE, Server, check, in_a_folder

SERVER, ADMIN = sys.argv[1:3]
STALL_MS = 500


def events(server):
    """Returns the lines of a JSON log that have an event."""
    return [line for line in map(json.loads, server.log().splitlines()) if "event" in line]


def stalls(server):
    return [line for line in events(server) if line["event"] == "stall"]


def a_program_reads_the_log(folder):
    server = Server(SERVER, "--log-format", "json", "--run-empty", *PAGE, "--bots", "1", folder=folder, admin=ADMIN)
    found = {line["event"]: line for line in events(server)}
    check({"start", "admin_socket", "http"} <= found.keys(), f"a start is in the log: {found}")
    check(server.place.endswith(f":{found['start']['port']}") and len(found["start"]["key"]) == 32, found["start"])
    time.sleep(1.202)  # the stall is compared with the moment before it; and just behind a tick
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(STALL_MS / 1000)
    server.process.send_signal(signal.SIGCONT)
    time.sleep(1)  # the log looks each second
    check([(line["level"], line["count"], line["ms"]) for line in stalls(server)] == [("warning", 1, STALL_MS)], stalls(server))
    time.sleep(60)
    check(len(stalls(server)) == 1, f"nothing else has stood still: {stalls(server)}")
    server.order("drain", "1s")
    check(server.process.wait() == 0, server.log())
    check("drain" in [line["event"] for line in events(server)], server.log())


def the_journal_gets_priorities(folder):
    path = os.path.join(folder, "log")
    open(path, "w", encoding="utf-8").close()
    facts = os.stat(path)
    server = Server(SERVER, "--resume", "auto", folder=folder, environment={
        "JOURNAL_STREAM": f"{facts.st_dev}:{facts.st_ino}", "DEADFALL_NONSENSE": "1"})
    check(server.end(signal.SIGINT) == 0, server.log())
    lines = server.log().splitlines()
    check(all(re.match(r"<[3467]>[^0-9]", line) for line in lines), f"each line has a priority and no time: {lines}")
    check("<4>DEADFALL_NONSENSE is not an option of deadfall-server" in lines, f"a warning is one: {lines}")


for part in (a_program_reads_the_log, the_journal_gets_priorities):
    in_a_folder(part)()
