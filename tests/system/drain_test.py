#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server that drains before it closes, as players, admins, monitoring, browsers and the service manager see it.

  drain_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN
"""
import collections
import json
import os
import pathlib
import re
import signal
import socket
import sys
import tempfile
import urllib.error
import urllib.request

from processes import LOOPBACK, Bots, OperatedServer, check, run_at_once, wait_for

SERVER, BOTS, ADMIN = sys.argv[1:4]
INFO = b"\xff\xff\xff\xffTSource Engine Query\0"


def reasons(report):
    """Returns why clients were disconnected, each reason as often as it was given."""
    given = collections.Counter()
    for second in report["series"]:
        given.update(second["disconnects_by_reason"])
    return {reason: count for reason, count in given.items() if count}


class Drained:
    """A server with two clients, and everybody who looks at it."""

    def __init__(self, folder, *arguments, environment=None):
        self.server = OperatedServer(SERVER, ADMIN, folder, "--metrics", "127.0.0.1:0", *arguments, environment=environment)
        self.page = re.search(r"live page on port (\d+)", self.server.log())[1]
        self.clients = Bots(BOTS, self.server.place, 2, "--reconnect")
        wait_for(lambda: "2 players" in self.server.ask("status").stdout, "both join")

    def code(self, path):
        try:
            with urllib.request.urlopen(f"http://{LOOPBACK}:{self.page}{path}", timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def keywords(self):
        host, port = self.server.place.split(":")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as browser:
            browser.settimeout(5)
            browser.connect((host, int(port)))
            browser.send(INFO)
            browser.send(INFO + browser.recv(2000)[5:])
            return re.search(rb"ffa,protocol[^\0]*", browser.recv(2000))[0].decode().split(",")

    def sees(self, drains):
        with urllib.request.urlopen(f"http://{LOOPBACK}:{self.page}/metrics", timeout=10) as answer:
            metric = re.search(r"^deadfall_draining (\d)$", answer.read().decode(), re.M)[1]
        with urllib.request.urlopen(f"http://{LOOPBACK}:{self.page}/status.json", timeout=10) as answer:
            status = json.load(answer)["drains"]
        seen = (self.code("/healthz"), self.code("/readyz"), "closing" in self.keywords(), metric == "1", status,
                "drains: nobody new may join" in self.server.ask("status").stdout)
        return seen == (200, 503 if drains else 200, drains, drains, drains, drains)

    def joins(self):
        """Returns why a client that joins now is disconnected."""
        return reasons(Bots(BOTS, self.server.place, 1, seconds=2).report())

    def ends(self):
        check(self.server.process.wait(20) == 0, self.server.log())
        why = reasons(self.clients.report())
        check(why.get("closing") == 2, f"players read why: {why}")


def an_admin_drains_and_changes_their_mind(folder):
    drained = Drained(folder)
    check(drained.sees(False), "nobody sees a drain")
    check(drained.server.ask("drain", "5m").returncode == 0, "drain is a command")
    wait_for(lambda: drained.sees(True), "everybody sees the drain")
    check("closing" in drained.joins(), "nobody new may join")
    check(drained.server.ask("drain", "off").returncode == 0, "drain off is a command")
    wait_for(lambda: drained.sees(False), "everybody sees its end")
    check(not drained.joins(), "everybody may join again")
    drained.server.ask("drain", "1s")
    drained.ends()


def a_signal_drains_and_the_next_does_not_wait(folder):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(os.path.join(folder, "notify"))
        manager.settimeout(10)
        drained = Drained(folder, "--drain", "5m", environment={"NOTIFY_SOCKET": os.path.join(folder, "notify")})
        drained.server.process.send_signal(signal.SIGUSR1)  # no other server follows
        drained.server.process.send_signal(signal.SIGTERM)
        while (words := manager.recv(4096).decode()) != "EXTEND_TIMEOUT_USEC=345000000":
            check(not words.startswith("STOPPING"), "the manager waits for the drain")
        wait_for(lambda: drained.sees(True), "everybody sees the drain")
        drained.server.process.send_signal(signal.SIGTERM)
        drained.ends()


def a_restart_does_not_wait_for_a_drain(folder):
    """A service manager that has not sent SIGUSR1 starts the next server: players keep their seats, so nothing drains."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(os.path.join(folder, "notify"))
        server = OperatedServer(SERVER, ADMIN, folder, "--drain", "5m", environment={"NOTIFY_SOCKET": os.path.join(folder, "notify")})
        clients = Bots(BOTS, server.place, 2, seconds=5)
        wait_for(lambda: "2 players" in server.ask("status").stdout, "both join")
        check(server.end(signal.SIGTERM) == 0 and "drains" not in server.log(), server.log())
        check("closing" not in reasons(clients.report()), "players wait for the next server")


def a_drain_outlives_a_restart(folder):
    drained = Drained(folder)
    wait_for(lambda: "2 playing" in drained.server.ask("status").stdout, "both play")
    check(drained.server.ask("drain", "5m").returncode == 0, "drain is a command")
    check(drained.server.ask("restart", "server").returncode == 0, "and so is restart server")
    wait_for(lambda: drained.server.log().count("drains for up to") == 2, "the next server drains as well")
    wait_for(lambda: "2 playing" in drained.server.ask("status").stdout, "both are back")
    check("closing" in drained.joins(), "nobody new may join")
    drained.server.ask("drain", "1s")
    drained.ends()


def a_drain_outlives_a_crash(folder):
    drained = Drained(folder)
    wait_for(lambda: "2 playing" in drained.server.ask("status").stdout, "both play")
    check(drained.server.ask("drain", "5m").returncode == 0, "drain is a command")
    wait_for(lambda: b"drain " in (pathlib.Path(folder) / "journal.dfr").read_bytes(), "the journal has it")
    drained.server.end(signal.SIGKILL)
    port = drained.server.place.split(":")[1]
    drained.server = OperatedServer(SERVER, ADMIN, folder, "--port", port)
    wait_for(lambda: "2 playing" in drained.server.ask("status").stdout, "both are back")
    check(drained.server.log().count("drains for up to") == 2 and "closing" in drained.joins(), "nobody new may join")
    drained.server.ask("drain", "1s")
    drained.ends()


def an_empty_server_ends_at_once(folder):
    server = OperatedServer(SERVER, ADMIN, folder, "--drain", "5m", "--bots", "3")
    check(server.end(signal.SIGTERM) == 0, server.log())


def part(case):
    def run():
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    run.__name__ = case.__name__
    return run


run_at_once([part(case) for case in (an_admin_drains_and_changes_their_mind, a_signal_drains_and_the_next_does_not_wait,
                                     a_restart_does_not_wait_for_a_drain, a_drain_outlives_a_restart, a_drain_outlives_a_crash,
                                     an_empty_server_ends_at_once)])
print("the server drains")
