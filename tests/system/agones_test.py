#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Servers in a fleet, with a stand-in for Agones: helpful, absent, refusing, stalling, truncating, lying. Skipped without
python3-yaml.

  agones_test.py DEADFALL_SERVER DEADFALL_BOTS FOLDER_OF_MANIFESTS
"""
import json
import os
import re
import signal
import sys
import tempfile
import time

import processes
from processes import Bots, TICK_MS, check, in_a_folder, ms_until, read_text, run, run_at_once, skip
from sidecar import PREFIX, STATE_S, Sidecar, allocate, answer

try:
    import yaml
except ImportError:
    skip("python3-yaml is not here: nobody can be allocated")

SERVER, BOTS, MANIFESTS = sys.argv[1:4]
# What the rules of servers in a fleet take, in milliseconds.
VISIT_MS = 60000    # GAME_SERVER_VISIT_MS: that an allocated server waits for its first player
ADDRESS_MS = 5000   # that the first Ready waits for the address
HEALTH_MS = 2000    # half of the sidecar's period
DRAIN_MS = 8000     # that a server here drains
SLICE_MS = 200      # between two looks at the match
ADD, REMOVE = "POST /v1beta1/lists/players:addValue", "POST /v1beta1/lists/players:removeValue"


class Server(processes.Server):
    """A server in the fleet of a sidecar."""

    def __init__(self, folder, sidecar, *arguments):
        super().__init__(SERVER, "--resume", "never", "--log-level", "debug", *arguments, folder=tempfile.mkdtemp(dir=folder),
                         environment={"AGONES_SDK_HTTP_PORT": str(getattr(sidecar, "port", sidecar))})

    def play(self, count):
        return Bots(BOTS, self, count)

    def ends(self):
        """Waits for the end. No tick has waited for a call."""
        check(self.process.wait(processes.PATIENCE_S) == 0, self.log())
        check(self.count("stood still for 0 ticks") == 1, f"ticks do not wait\n{self.log()}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.ends()


def manifest(name, **changes):
    text = read_text(os.path.join(MANIFESTS, f"{name}.yaml"))
    for old, new in changes.items():
        text = text.replace(old, new)
    return yaml.safe_load(text)


def reserve(sidecars, name):
    """A matchmaker sends a player."""
    return allocate(sidecars, manifest("allocation", PLAYER=name))


def slots(count):
    return [f"slot-{slot}" for slot in range(count)]


def is_found(sidecar, fingerprint):
    """Whether a matchmaker finds where the server is, with which key, what is played, and that it has room."""
    wanted = {PREFIX + "key": fingerprint, PREFIX + "address": "203.0.113.7:7123",
              PREFIX + "invitation": f"deadfall://203.0.113.7:7123#{fingerprint}"}
    return (wanted.items() <= sidecar.annotations.items() and sidecar.lists["players"]["capacity"] == 6 and
            {PREFIX + "map": "foundry", PREFIX + "mode": "ffa", PREFIX + "open": "true"}.items() <= sidecar.labels.items())


def fingerprint_of(sidecar):
    return sidecar.annotations[PREFIX + "key"]


def is_after(ms, wanted_ms):
    """Whether that is so long, and at most a look at the match longer."""
    return wanted_ms <= ms <= wanted_ms + SLICE_MS


def health_periods(sidecar):
    times = [round(1000 * when) for when, call, _ in sidecar.calls if call == "POST /health"]
    return [after - before for before, after in zip(times, times[1:])]


def a_whole_life(folder):
    sidecar = Sidecar(address="")
    with Server(folder, sidecar, "--bots", "2", "--max-players", "6") as server:
        sidecar.wait_for("PUT /metadata/annotation")
        time.sleep((ADDRESS_MS - SLICE_MS) / 1000)
        check(sidecar.count("POST /ready") == 0, "a server that nobody can find is not ready")
        sidecar.address = "203.0.113.7"
        sidecar.changed()
        sidecar.wait_for(lambda: sidecar.state == "Ready")
        sidecar.wait_for(lambda: is_found(sidecar, fingerprint_of(sidecar)))
        check(re.fullmatch(r"[a-z2-7]{32}", fingerprint_of(sidecar)), "the key is a fingerprint")
        calls = [call for _, call, _ in sidecar.calls]
        check(calls.index("POST /ready") > max(i for i, call in enumerate(calls) if call == "PUT /metadata/annotation"),
              "a matchmaker knows all of it before the server is ready")
        check(sidecar.count("POST /allocate") == 0, "nobody plays yet")
        clients = server.play(3)
        sidecar.wait_for(lambda: sidecar.state == "Allocated" and len(sidecar.players()) == 3)  # two in the seats of bots
        clients.end()
        sidecar.wait_for(lambda: sidecar.count("POST /ready") == 2 and sidecar.players() == [])
        allocated, ready = [when for when, call, _ in sidecar.calls if call in ("POST /allocate", "POST /ready")][-2:]
        ready_ms = round(1000 * (ready - allocated - STATE_S))
        check(is_after(ready_ms, VISIT_MS), f"an arena that all have left is ready when a visit is over: {ready_ms} ms")
        periods_ms = health_periods(sidecar)
        check(len(periods_ms) > 28 and all(is_after(ms, HEALTH_MS) for ms in periods_ms), f"health comes twice a period: {periods_ms}")
        server.stop()
    check(sidecar.count("POST /shutdown") == 1 and sidecar.state != "Unhealthy", "the fleet knows of the end")
    sidecar.close()


def every_second_call_is_refused(folder):
    sidecar = Sidecar(fault=lambda number, call: 500 if number % 2 else None)
    with Server(folder, sidecar, "--max-players", "6") as server:
        sidecar.wait_for(lambda: sidecar.state == "Ready" and is_found(sidecar, fingerprint_of(sidecar)))
        clients = server.play(4)
        sidecar.wait_for(lambda: sidecar.state == "Allocated" and sidecar.players() == slots(4))
        clients.end()
        sidecar.wait_for(lambda: sidecar.players() == [])
        time.sleep(10)
        periods_ms = health_periods(sidecar)
        check(0 in periods_ms and all(ms == 0 or is_after(ms, HEALTH_MS) for ms in periods_ms),
              f"a refused health is repeated at once: {periods_ms}")
        server.stop()
    sidecar.wait_for(lambda: sidecar.state == "Shutdown")
    sidecar.close()


def a_sidecar_that_comes_late_and_restarts(folder):
    probe = Sidecar()
    port = probe.port
    probe.close()
    with Server(folder, port, "--max-players", "6") as server:
        time.sleep(1.5)  # the server is there first
        sidecar = Sidecar(port)
        sidecar.wait_for(lambda: sidecar.state == "Ready")
        clients = server.play(2)
        sidecar.wait_for(lambda: sidecar.state == "Allocated" and sidecar.players() == slots(2))
        sidecar.hang_up()  # only the streams
        with sidecar.lock:
            sidecar.lists["players"]["values"] = ["slot-1", "slot-5"]  # one is lost, one is false
        sidecar.wait_for(lambda: sidecar.players() == slots(2))
        fingerprint = fingerprint_of(sidecar)
        sidecar.close()
        time.sleep(1)
        sidecar = Sidecar(port, state="Allocated")  # another one, which knows less
        sidecar.lists["players"]["values"] = ["slot-0", "slot-3"]
        sidecar.wait_for(lambda: sidecar.players() == slots(2) and is_found(sidecar, fingerprint))
        check(sidecar.count("POST /ready") == 0, "an arena with players stays allocated")
        clients.end()
        server.stop()
        sidecar.close()


def an_allocation_without_a_visit(folder):
    sidecar = Sidecar()
    with Server(folder, sidecar) as server:
        sidecar.wait_for(lambda: PREFIX + "open" in sidecar.labels and sidecar.state == "Ready")
        check(reserve([sidecar], "ann") is sidecar and sidecar.players() == ["ann"], "the manifest finds the arena")
        given_up_ms = ms_until(lambda: sidecar.count("POST /ready") == 2, "it waits for its player", VISIT_MS - 1)
        check(is_after(given_up_ms, VISIT_MS), f"for the time of a visit: {given_up_ms} ms")
        sidecar.wait_for(lambda: sidecar.state == "Ready" and sidecar.players() == [])
        check(reserve([sidecar], "bob") is sidecar, "and can be allocated again")
        server.stop()
    sidecar.close()


def allocations_in_bursts(folder):
    sidecars = [Sidecar() for _ in range(3)]
    servers = [Server(folder, sidecar, "--max-players", "2") for sidecar in sidecars]
    for sidecar in sidecars:
        sidecar.wait_for(lambda: sidecar.state == "Ready" and sidecar.lists["players"]["capacity"] == 2 and  # noqa: B023
                         PREFIX + "open" in sidecar.labels)  # noqa: B023
    given = [reserve(sidecars, f"player-{number}") for number in range(7)]
    check(given[6] is None and all(given.count(sidecar) == 2 for sidecar in sidecars), "no arena gets more than it has seats")
    check([given[0], given[2], given[4]] == [given[1], given[3], given[5]], "one arena is filled after the other")
    clients = [server.play(2) for server in servers]
    for sidecar in sidecars:
        sidecar.wait_for(lambda: sidecar.players() == slots(2))  # noqa: B023
    check(reserve(sidecars, "late") is None, "players take up the reservations")
    for each in clients:
        each.end()
    sidecars[0].wait_for(lambda: sidecars[0].players() == [])
    check(reserve(sidecars[:1], "late") is sidecars[0], "who leaves makes room")
    for server, sidecar in zip(servers, sidecars):
        server.stop()
        sidecar.close()


def a_shutdown_with_players(folder):
    sidecar = Sidecar()
    with Server(folder, sidecar, "--drain", f"{DRAIN_MS}ms", "--max-players", "6") as server:
        clients = server.play(2)
        sidecar.wait_for(lambda: sidecar.state == "Allocated" and sidecar.players() == slots(2))
        check(reserve([sidecar], "ann") is sidecar, "there is room")
        sidecar.watchers[0].sendall(b"garbage\n{\"result\":5}\n")
        sidecar.set_state("Shutdown")
        sidecar.changed()
        ordered = time.monotonic()
        sidecar.wait_for(lambda: sidecar.labels[PREFIX + "open"] == "false" and sidecar.lists["players"]["capacity"] == 2)
        check(sidecar.players() == slots(2) and server.process.poll() is None, "those who play go on")
        sidecar.state = "Allocated"
        check(reserve([sidecar], "bob") is None, "nobody is sent to an arena that closes")
        server.process.send_signal(signal.SIGTERM)  # Kubernetes ends the pod; that is no second order
        time.sleep(2)
        check(server.process.poll() is None, "the drain goes on")
        server.ends()
        drained_ms = (time.monotonic() - ordered) * 1000
        check(DRAIN_MS <= drained_ms <= DRAIN_MS + SLICE_MS + TICK_MS, f"it ends with its time: {drained_ms} ms")
    check("closing" in json.dumps(clients.report()["series"]), "players read why")
    check(sidecar.count("POST /shutdown") == 1, "the fleet knows of the end")
    sidecar.close()


def stall(connection):
    time.sleep(30)
    connection.close()


def drip(connection):
    for letter in answer({"status": {"state": "Ready"}}):
        connection.sendall(bytes([letter]))
        time.sleep(0.1)


def a_sidecar_that_misbehaves(folder):
    whole = answer({"status": {"state": "Ready"}})
    scripts = {"refuses": answer({"code": 2}, "500 Internal Server Error"), "stalls": stall, "drips": drip,
               "says nothing": b"", "is cut short": whole[:-20], "is no HTTP": b"\0\xff" * 2000,
               "is huge": answer(b"x" * (1 << 20)), "nests": answer(b"[" * 60000),
               "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
               "lies": answer({"spec": {"health": {"period_seconds": "soon"}}, "status": {"state": 7, "address": "a b",
                               "ports": [1, {"name": "game", "port": -1}], "lists": []}, "capacity": "x", "values": [1, {}]})}
    for name, script in scripts.items():
        calls = ("GET /gameserver", "GET /watch/gameserver", "POST /ready", "POST /health", "POST /shutdown",
                 "GET /v1beta1/lists/players")
        sidecar = Sidecar(script=dict.fromkeys(calls, script))
        with Server(folder, sidecar, "--bots", "4") as server:
            sidecar.wait_for("GET /gameserver")
            time.sleep(1)
            server.stop()
        print("a sidecar that", name)
        sidecar.close()


def a_bad_port(folder):
    for port in ("0", "x", "70000"):
        done = run(SERVER, "--port", "0", "--state-dir", folder, "--duration", "1", code=78, env={**os.environ, "AGONES_SDK_HTTP_PORT": port})
        check("AGONES_SDK_HTTP_PORT" in done.stderr, (port, done))


CASES = (a_whole_life, every_second_call_is_refused, a_sidecar_that_comes_late_and_restarts, an_allocation_without_a_visit,
         allocations_in_bursts, a_shutdown_with_players, a_sidecar_that_misbehaves, a_bad_port)
run_at_once([in_a_folder(case) for case in CASES if len(sys.argv) < 5 or case.__name__ in sys.argv[4:]])
