#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server that drains before it closes, as players, admins, monitoring, browsers and the service manager see it; a scene.

  drain_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN
"""
import collections
import os
import pathlib
import re
import signal
import socket
import sys
import urllib.error

from processes import LOOPBACK, PAGE, TICK_MS, Bots, Server, check, in_a_folder, ms_until, run_at_once, wait_for

SERVER, BOTS, ADMIN = sys.argv[1:4]
INFO = b"\xff\xff\xff\xffTSource Engine Query\0"
IDLE_MS = 250  # between two looks of a server without clients


def reasons(report):
    """Returns why clients were disconnected, each reason as often as it was given."""
    given = collections.Counter()
    for second in report["series"]:
        given.update(second["disconnects_by_reason"])
    return +given


class Drained:
    """A server with two clients, and everybody who looks at it."""

    def __init__(self, folder, *arguments, environment=None):
        self.server = Server(SERVER, *PAGE, *arguments, folder=folder, admin=ADMIN, environment=environment)
        self.clients = Bots(BOTS, self.server, 2, "--reconnect")
        self.plays()

    def plays(self):
        wait_for(lambda: self.server.told("2 playing"), "both play")

    def code(self, path):
        try:
            return self.server.page(path) and 200
        except urllib.error.HTTPError as error:
            return error.code

    def keywords(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as browser:
            browser.connect((LOOPBACK, self.server.port))
            browser.send(INFO)
            browser.send(INFO + browser.recv(2000)[5:])
            return re.search(rb"ffa,protocol[^\0]*", browser.recv(2000))[0].decode().split(",")

    def sees(self, drains):
        seen = (self.code("/healthz"), self.code("/readyz"), "closing" in self.keywords(), self.server.metric("deadfall_draining"),
                self.server.status()["drains"], self.server.told("drains: nobody new may join"))
        return seen == (200, 503 if drains else 200, drains, drains, drains, drains)

    def joins(self):
        """Returns why a client that joins now is disconnected."""
        return reasons(Bots(BOTS, self.server, 1, seconds=2).report())

    def ends(self, how, after_ms):
        """Both read why, and the server ends as soon as they have left: within the ticks of a goodbye and its answer."""
        how()
        took_ms = ms_until(lambda: self.server.process.poll() is not None, "the server ends")
        check(self.server.process.returncode == 0 and after_ms <= took_ms <= after_ms + 3 * TICK_MS, f"after {took_ms} ms\n{self.server.log()}")
        why = reasons(self.clients.report())
        check(why == {"closing": 2}, f"players read why: {why}")

    def ends_after_a_second(self):
        self.ends(lambda: self.server.order("drain", "1s"), 1000)


def an_admin_drains_and_changes_their_mind(folder):
    drained = Drained(folder)
    check(drained.sees(False), "nobody sees a drain")
    drained.server.order("drain", "5m")
    wait_for(lambda: drained.sees(True), "everybody sees the drain")
    check("closing" in drained.joins(), "nobody new may join")
    drained.server.order("drain", "off")
    wait_for(lambda: drained.sees(False), "everybody sees its end")
    check(not drained.joins(), "everybody may join again")
    drained.ends_after_a_second()


def a_drain_lasts_as_long_as_it_was_told(folder):
    drained = Drained(folder, "--time-limit", "0", "--score-limit", "0")
    drained.ends(lambda: drained.server.order("drain", "1m"), 60000)


def a_signal_drains_and_the_next_does_not_wait(folder):
    notify = os.path.join(folder, "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(notify)
        drained = Drained(folder, "--drain", "5m", environment={"NOTIFY_SOCKET": notify})
        drained.server.process.send_signal(signal.SIGUSR1)  # no other server follows
        drained.server.process.send_signal(signal.SIGTERM)
        while (words := manager.recv(4096).decode()) != "EXTEND_TIMEOUT_USEC=345000000":
            check(not words.startswith("STOPPING"), "the manager waits for the drain")
        wait_for(lambda: drained.sees(True), "everybody sees the drain")
        drained.ends(lambda: drained.server.process.send_signal(signal.SIGTERM), 0)


def a_restart_does_not_wait_for_a_drain(folder):
    """A service manager that has not sent SIGUSR1 starts the next server: players keep their seats, so nothing drains."""
    notify = os.path.join(folder, "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(notify)
        drained = Drained(folder, "--drain", "5m", environment={"NOTIFY_SOCKET": notify})
        check(drained.server.end() == 0 and "drains" not in drained.server.log(), drained.server.log())
        check("closing" not in reasons(drained.clients.end()), "players wait for the next server")


def a_drain_outlives_a_restart(folder):
    drained = Drained(folder)
    drained.server.order("drain", "5m")
    drained.server.order("restart", "server")
    wait_for(lambda: drained.server.count("drains for up to") == 2, "the next server drains as well")
    drained.plays()
    check("closing" in drained.joins(), "nobody new may join")
    drained.ends_after_a_second()


def a_drain_outlives_a_crash(folder):
    drained = Drained(folder)
    drained.server.order("drain", "5m")
    wait_for(lambda: b"drain " in (pathlib.Path(folder) / "journal.dfr").read_bytes(), "the journal has it")
    drained.server.end(signal.SIGKILL)
    drained.server = drained.server.again()
    drained.plays()
    check(drained.server.count("drains for up to") == 2 and "closing" in drained.joins(), "nobody new may join")
    drained.ends_after_a_second()


def an_empty_server_ends_at_once(folder):
    server = Server(SERVER, "--drain", "5m", "--bots", "3", folder=folder)
    server.process.send_signal(signal.SIGTERM)
    took_ms = ms_until(lambda: server.process.poll() is not None, "it ends")
    check(took_ms <= IDLE_MS + 1 and server.process.returncode == 0, f"{took_ms} ms\n{server.log()}")


run_at_once(map(in_a_folder, (an_admin_drains_and_changes_their_mind, a_drain_lasts_as_long_as_it_was_told,
                              a_signal_drains_and_the_next_does_not_wait, a_restart_does_not_wait_for_a_drain, a_drain_outlives_a_restart,
                              a_drain_outlives_a_crash, an_empty_server_ends_at_once)))
