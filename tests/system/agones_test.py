#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server in a fleet, with a scripted sidecar: helpful, absent, stalling, truncating, lying.

  agones_test.py DEADFALL_SERVER DEADFALL_BOTS
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import processes  # ends every process that it starts

SERVER, BOTS = sys.argv[1:3]
GAMESERVER = {"object_meta": {"name": "g"}, "spec": {"health": {"period_seconds": 4, "failure_threshold": 3}},
              "status": {"state": "Ready", "address": "127.0.0.1", "ports": []}}


def answer(body, status="200 OK", version="1.0"):
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (f"HTTP/{version} {status}\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
            .encode() + text)


class Sidecar:
    """Listens on loopback; `script` maps a call to what it answers: bytes, or a function of the connection."""

    def __init__(self, script, port=0):
        self.script, self.calls, self.watchers = script, [], []
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.meet, args=(connection,), daemon=True).start()

    def meet(self, connection):
        text = b""
        try:
            while b"\r\n\r\n" not in text:
                text += connection.recv(4096)
            head, body = text.split(b"\r\n\r\n", 1)
            length = int(re.search(rb"content-length: (\d+)", head.lower()).group(1))
            while len(body) < length:
                body += connection.recv(4096)
            call = b" ".join(head.split(b" ")[:2]).decode()
            self.calls.append((time.monotonic(), call, body.decode()))
            made = self.script.get(call, answer({}))
            if call == "GET /watch/gameserver" and call not in self.script:
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + json.dumps({"result": GAMESERVER}).encode() + b"\n")
                self.watchers.append(connection)
                return
            if callable(made):
                made(connection)
            else:
                connection.sendall(made)
        except OSError:
            pass
        connection.close()

    def count(self, call):
        return sum(made == call for _, made, _ in self.calls)

    def bodies(self, call):
        return [body for _, made, body in self.calls if made == call]

    def wait_for(self, call, count=1, seconds=20):
        end = time.monotonic() + seconds
        while self.count(call) < count:
            assert time.monotonic() < end, f"{call} was not called: {[made for _, made, _ in self.calls]}"
            time.sleep(0.05)

    def close(self):
        self.listener.close()


HELPFUL = {"GET /gameserver": answer(GAMESERVER)}


class Server:
    def __init__(self, folder, port, *arguments):
        self.log = os.path.join(folder, f"log{time.monotonic()}")
        self.process = subprocess.Popen([SERVER, "--port", "0", "--bind", "127.0.0.1", "--state-dir", folder, "--resume",
                                         "never", *arguments], stdout=subprocess.PIPE, stderr=open(self.log, "w"),
                                        text=True, env={**os.environ, "AGONES_SDK_HTTP_PORT": str(port)})
        self.port = int(re.search(r":(\d+) ", self.process.stdout.readline()).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ticks_missed(self):
        """Returns the overruns in the last line of the log."""
        return int(re.search(r"(\d+) overruns", open(self.log).read()).group(1))

    def drain(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=20) == 0, open(self.log).read()


def a_whole_life(folder):
    sidecar = Sidecar(HELPFUL)
    with Server(folder, sidecar.port, "--bots", "2") as server:
        sidecar.wait_for("POST /ready")
        sidecar.wait_for("PUT /metadata/label", 2)
        labels = [json.loads(body) for body in sidecar.bodies("PUT /metadata/label")]
        assert {"key": "map", "value": "foundry"} in labels and {"key": "mode", "value": "ffa"} in labels
        assert sidecar.count("POST /allocate") == 0
        subprocess.run([BOTS, "--server", f"127.0.0.1:{server.port}", "--count", "3", "--duration", "2s"], check=True,
                       capture_output=True)
        sidecar.wait_for("POST /allocate")
        sidecar.wait_for("POST /ready", 2)  # empty again
        sidecar.wait_for("POST /v1beta1/lists/players:removeValue", 3)
        added = sidecar.bodies("POST /v1beta1/lists/players:addValue")
        assert sorted(added) == sorted(sidecar.bodies("POST /v1beta1/lists/players:removeValue")) and len(set(added)) == 3
        sidecar.wait_for("POST /health", 3)
        times = [when for when, call, _ in sidecar.calls if call == "POST /health"]
        assert all(b - a < 4 for a, b in zip(times, times[1:])), times  # the sidecar's period, and we use half
        server.drain()
    assert sidecar.count("POST /shutdown") == 1
    sidecar.close()


def an_order_to_end(folder):
    sidecar = Sidecar(HELPFUL)
    with Server(folder, sidecar.port) as server:
        sidecar.wait_for("GET /watch/gameserver")
        while not sidecar.watchers:
            time.sleep(0.05)
        sidecar.watchers[0].sendall(b"garbage\n{\"result\":5}\n" + json.dumps(
            {"result": {**GAMESERVER, "status": {"state": "Shutdown"}}}).encode() + b"\n")
        assert server.process.wait(timeout=20) == 0
    sidecar.close()


def a_sidecar_that_comes_late_and_goes(folder):
    probe = Sidecar(HELPFUL)
    port = probe.port
    probe.close()
    with Server(folder, port, "--bots", "2") as server:
        time.sleep(1.5)
        sidecar = Sidecar(HELPFUL, port)
        sidecar.wait_for("POST /ready")
        sidecar.close()
        time.sleep(1)
        server.drain()
        assert server.ticks_missed() == 0


def stall(connection):
    time.sleep(30)


def drip(connection):
    for letter in answer(GAMESERVER):
        connection.sendall(bytes([letter]))
        time.sleep(0.1)


def a_sidecar_that_misbehaves(folder):
    scripts = {"refuses": answer({"code": 2}, "500 Internal Server Error"), "stalls": stall, "drips": drip,
               "says nothing": b"", "is cut short": answer(GAMESERVER)[:-20], "is no HTTP": b"\0\xff" * 2000,
               "is huge": answer(b"x" * (1 << 20)), "nests": answer(b"[" * 60000),
               "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
               "lies": answer({"spec": {"health": {"period_seconds": "soon"}}})}
    for name, script in scripts.items():
        sidecar = Sidecar({"GET /gameserver": script, "GET /watch/gameserver": script, "POST /ready": script,
                           "POST /health": script, "POST /shutdown": script})
        with Server(folder, sidecar.port, "--bots", "4") as server:
            sidecar.wait_for("GET /gameserver")
            time.sleep(1)
            server.drain()
            assert server.ticks_missed() == 0, name
        sidecar.close()


def a_bad_port(folder):
    for port in ("0", "x", "70000"):
        run = subprocess.run([SERVER, "--port", "0", "--state-dir", folder, "--duration", "1"], capture_output=True,
                             text=True, timeout=20, env={**os.environ, "AGONES_SDK_HTTP_PORT": port})
        assert run.returncode == 78 and "AGONES_SDK_HTTP_PORT" in run.stderr, (port, run)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for case in (a_whole_life, an_order_to_end, a_sidecar_that_comes_late_and_goes, a_sidecar_that_misbehaves,
                     a_bad_port):
            case(folder)
            print(case.__name__.replace("_", " "))


main()
