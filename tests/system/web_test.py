#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a running server answers by HTTP: to monitoring, to scripts, and to bad requests. What a browser makes of it:
live_page_test.py.

  web_test.py DEADFALL_SERVER
"""
import http.client
import json
import os
import re
import signal
import socket
import sys
import time

from processes import LOOPBACK, PATIENCE_S, Server, check, run

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PAGE_S = 0.1  # between two states of the page


def ask(port, path, method="GET"):
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer


def metrics(port):
    status, text, answer = ask(port, "/metrics")
    assert status == 200 and answer.getheader("Content-Type").startswith("text/plain; version=0.0.4")
    found = dict(re.findall(r"^(\S+) (\S+)$", text, re.M))
    for name in ("players", "bots", "ticks_total", "tick_overruns_total", "network_receive_bytes_total",
                 "network_transmit_bytes_total", "network_receive_packets_total", "network_transmit_packets_total",
                 "inputs_late_total", "inputs_missed_total", "desyncs_total", "tick_duration_seconds_count",
                 "client_rtt_seconds_count", "snapshot_size_bytes_sum", 'connections_total{result="joined"}',
                 'datagrams_rejected_total{reason="malformed"}', 'sessions{state="playing"}', "households",
                 'joins_refused_total{reason="household_players"}', "sessions_gave_way_total", "reconnects_total",
                 "stalled_seconds_total", "asleep", "draining", "recovered", 'storage_up{store="journal"}',
                 'storage_up{store="records"}', 'storage_available_bytes{store="journal"}', "records_lost_total"):
        assert "deadfall_" + name in found, name
    assert found["deadfall_bots"] == "6" and float(found["process_resident_memory_bytes"]) > 1e6, found
    assert float(found["process_cpu_seconds_total"]) < 60 < float(found["process_start_time_seconds"])
    assert found["deadfall_tick_duration_seconds_count"] == \
        found['deadfall_tick_duration_seconds_bucket{le="+Inf"}']
    return found


def shipped_queries_find_their_metrics(port):
    """The alert rules and the dashboard ask only for what a server has."""
    text = ask(port, "/metrics")[1]
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../server/hosting/prometheus")
    for name in ("deadfall.rules.yml", "grafana-dashboard.json"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            asked = set(re.findall(r"\b(?:deadfall|process)_\w+", file.read()))
        missing = [metric for metric in asked if not re.search(rf"^{metric}[ {{]", text, re.M)]
        assert len(asked) > 10 and not missing, (name, missing)
    with open(os.path.join(folder, "grafana-dashboard.json"), encoding="utf-8") as file:
        assert len(json.load(file)["panels"]) == 17


def counts_move(port):
    """A minute has 3,600 ticks, and the page is never older than a tenth of a second: its counts belong to one moment."""
    late = []
    for _ in range(20):
        time.sleep(3.07)
        found, now = metrics(port), time.monotonic()
        check(found["deadfall_ticks_total"] == found["deadfall_tick_duration_seconds_count"], "each tick has a duration")
        late.append(round(60 * now - int(found["deadfall_ticks_total"])))
    check(0 < max(late) - min(late) <= 60 * PAGE_S, f"the page is late by these ticks, from when the clock began: {late}")


def status(port, key):
    code, text, _ = ask(port, "/status.json")
    status = json.loads(text)
    assert code == 200 and status["key"] == key and status["name"] == 'The "Forge" <b>'
    assert (status["bots"], status["players_max"], status["match"]["map"], status["match"]["mode"]) == (6, 16, "foundry", "ffa")
    assert len(status["match"]["players"]) == 6 and all(player["bot"] for player in status["match"]["players"])


def other_pages(port):
    for path, method, wanted in (("/healthz", "GET", 200), ("/healthz", "HEAD", 200), ("/", "GET", 200),
                                 ("/live.js", "GET", 200), ("/live.css", "GET", 200), ("/map.json", "GET", 200),
                                 ("/../etc/passwd", "GET", 404), ("/metrics/", "GET", 404), ("/metrics", "POST", 405),
                                 ("/", "DELETE", 405)):
        code, text, answer = ask(port, path, method)
        assert code == wanted, (path, method, code)
        assert "default-src 'none'" in answer.getheader("Content-Security-Policy")
    level = json.loads(ask(port, "/map.json")[1])
    assert len(level["tiles"]) == level["columns"] * level["rows"]
    assert [len(box) for box in level["switches"]] == [5, 5] and level["goals"] == [], level


def frames(port):
    """The stream shows a world that moves."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    assert answer.getheader("Content-Type") == "text/event-stream"
    ticks, chests = [], []
    while len(ticks) < 5 or not chests:  # those that are opened come back after a while
        line = answer.readline().decode()
        if line.startswith("data: "):
            frame = json.loads(line[6:])
            ticks.append(frame["match"]["tick"])
            clock_s, plays = frame["match"]["clock_s"], frame["match"]["phase"] == "playing"
            assert 1 <= clock_s <= 600 if plays else clock_s == 0, frame["match"]
            assert frame["solids"] and len(frame["match"]["players"]) == 6
            assert all(0 <= player["hat"] < 8 for player in frame["match"]["players"]), frame["match"]["players"]
            assert [type(on) for on in frame["switches"]] == [bool, bool], frame["switches"]
            chests += frame["chests"]
            assert all(len(box) == 4 for box in frame["chests"]), frame["chests"]
            assert {row[4] for row in frame["solids"]} == {0, 1, 2}, "machines, planks and crushers"
    assert ticks == sorted(ticks) and ticks[-1] > ticks[0], ticks
    return connection, answer  # left open: the server must still be able to end


def hats_of_the_page():
    """The page draws the hats of the game."""
    def rows(path):
        with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
            return re.findall(r'"([.kHhbls]{14})"', file.read())

    game = rows("client/game/looks/hats.c")
    assert len(game) > 30 and rows("server/program/monitor/page/live.js") == game


def rubbish(port):
    for text in (b"\0" * 5000, b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 5000 + b"\r\n", b"\r\n\r\n\r\n", b"\xff\xfe"):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
            try:
                sock.sendall(text)
                sock.shutdown(socket.SHUT_WR)
                sock.recv(1000)
            except OSError:  # the server may close first, at any of these calls
                pass
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(12)]
    assert ask(port, "/healthz")[0] == 200  # silent connections do not keep others out
    for sock in idle:
        sock.close()


def crowd(port):
    """200 connections that wait, ask slowly, read slowly or stream, from one address and from many, keep nobody out."""
    heads = (b"", b"GET /metr", b"GET /map.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 4,
             b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for addresses in (1, 5, 200):
        for head in heads:
            lasting = []
            for i in range(200):
                connection = socket.socket()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.bind((f"127.1.0.{i % addresses + 1}", 0))
                connection.connect(("127.0.0.1", port))
                connection.sendall(head)
                lasting.append(connection)
            for path in ("/healthz", "/metrics", "/status.json"):
                assert ask(port, path)[0] == 200, (addresses, head, path)
            for connection in lasting:
                connection.close()


def other_names(port):
    """Another site whose name points here does not get the page through a browser."""
    for host, code in (("localhost", 200), (f"127.0.0.1:{port}", 200), ("[::1]", 200), ("evil.example", 421), (f"evil.example:{port}", 421)):
        connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
        connection.request("GET", "/status.json", headers={"Host": host})
        assert connection.getresponse().status == code, host


def refused():
    for place in ("9100", "127.0.0.1", "127.0.0.1:x", "localhost:1", ":9100", "127.0.0.1:70000", "[::1:5", ""):
        said = run(sys.argv[1], "--port", "0", "--duration", "1", "--metrics", place, code=64).stderr
        check("--metrics" in said and said.count("\n") == 1, (place, said))


refused()
with Server(sys.argv[1], "--name", 'The "Forge" <b>', "--bots", "6", "--run-empty", "--metrics", f"{LOOPBACK}:0") as server:
    page = int(server.said(r"live page on port (\d+)")[1])
    counts_move(page)
    shipped_queries_find_their_metrics(page)
    status(page, server.key)
    other_pages(page)
    rubbish(page)
    hats_of_the_page()
    other_names(page)
    watched = frames(page)
    crowd(page)
    check(server.end(signal.SIGTERM) == 0, server.log())
