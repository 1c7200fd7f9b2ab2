#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A match through a relay that listens, forges and moves clients to other ports: sealed.py SERVER BOTS

The relay is between real bots and a real server. It keeps every datagram. Before the server can answer a hello or a join, the
relay answers with forgeries. After a client has sent 400 datagrams, it closes the client's source port and uses another, as a
router does that forgets a connection.
"""
import json
import os
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading

import processes  # ends every process that it starts

SERVER, BOTS = sys.argv[1:3]
LOOPBACK = "127.0.0.1"
HELLO, COOKIE, JOIN, ACCEPT, DENY, SEALED, RESET = 1, 2, 3, 4, 5, 6, 7
MOVE_AFTER = 150
# How ENet's CONNECT ends: throttle interval 5000 ms, acceleration 2, deceleration 2.
ENET_CONNECT = struct.pack(">III", 5000, 2, 2)
ENET_NO_PEER = b"\x8f\xff"
NAME = "Wilhelmina"


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def new_socket():
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((LOOPBACK, 0))
    return made


def forgeries(asked):
    """Returns answers that end a join if a client believes them: a cookie of another server, refusals, an accept."""
    nonce = asked[5:13]
    if asked[0] == HELLO:
        return [bytes([COOKIE]) + nonce + os.urandom(113)]
    if asked[0] != JOIN:
        return []
    refusals = [bytes([DENY]) + nonce + bytes([reason]) + os.urandom(rest) for reason in range(1, 5) for rest in (0, 143, 167)]
    return [*refusals, bytes([ACCEPT]) + nonce + os.urandom(100)]


class Relay(threading.Thread):
    def __init__(self, server_port):
        super().__init__(daemon=True)
        self.server = (LOOPBACK, int(server_port))
        self.front = new_socket()
        self.port = self.front.getsockname()[1]
        self.clients = {}  # address: [socket to the server, datagrams sent, source ports used]
        self.datagrams, self.forged = [], 0
        self.running = True

    def run(self):
        while self.running:
            backs = {client[0]: address for address, client in self.clients.items()}
            for ready in select.select([self.front, *backs], [], [], 0.2)[0]:
                if ready is self.front:
                    self.from_client()
                elif ready.fileno() >= 0:  # the client has not just moved
                    datagram = ready.recv(65536)
                    self.datagrams.append(datagram)
                    self.front.sendto(datagram, backs[ready])

    def from_client(self):
        datagram, address = self.front.recvfrom(65536)
        client = self.clients.setdefault(address, [new_socket(), 0, 1])
        for forged in forgeries(datagram):
            self.front.sendto(forged, address)
            self.forged += 1
        client[1] += 1
        if client[1] == MOVE_AFTER:
            old = client[0]
            client[0] = new_socket()
            client[2] += 1
            old.close()
        self.datagrams.append(datagram)
        client[0].sendto(datagram, self.server)


def start_server(folder):
    server = subprocess.Popen([SERVER, "--port", "0", "--bind", LOOPBACK, "--duration", "60", "--state-dir", folder],
                              text=True, stdout=subprocess.PIPE)
    ready = re.match(r"ready: udp \S+:(\d+) .* key=([a-z2-7]{32})$", server.stdout.readline())
    check(ready, "the server prints its port and key")
    return server, ready[1], ready[2]


def play(place, folder, *more):
    path = os.path.join(folder, "out.json")
    run = subprocess.run([BOTS, "--server", place, "--count", "4", "--verify", "2", "--duration", "12s", "--name", NAME,
                          "--json", path, *more], text=True, capture_output=True, timeout=60)
    if not os.path.exists(path):
        return run, None
    with open(path, encoding="utf-8") as file:
        return run, json.load(file)


def nobody_notices_the_move(relay, report, run):
    check(report is not None, f"no report\n{run.stdout}{run.stderr}")
    totals = report["totals"]
    check(relay.forged >= 4 * 14, f"{relay.forged} forged answers ended no join")
    check(len(relay.clients) == 4, f"four clients joined: {len(relay.clients)}")
    check(all(client[2] == 2 and client[1] > MOVE_AFTER + 100 for client in relay.clients.values()),
          "each client continued from another port")
    check(totals["connected"] == 4 and totals["disconnects"] == 0 and totals["desyncs"] == 0, f"no client was lost, and no world differed: {totals}")
    gap_ms = totals["snapshot_gap_ms"]["max"]
    print(f"four clients at other ports: {gap_ms:.0f} ms were the longest without a snapshot")
    late = report["series"][-3:]
    check(all(row["connected"] == 4 and row["snapshots_per_s"] > 30 for row in late), f"snapshots come at their rate to the end: {late}")
    # A client that had to join again would have made a second handshake. A repeated join gets the same accept.
    joins = len({datagram for datagram in relay.datagrams if datagram[0] == ACCEPT})
    check(joins == 4, f"{joins} sessions for 4 clients")


def leaks(datagram):
    return (NAME.encode() in datagram or ENET_CONNECT in datagram or datagram[:2] == ENET_NO_PEER
            or NAME.encode("utf-16-le") in datagram or datagram[0] not in range(HELLO, RESET + 1))


def the_wire_shows_nothing(relay):
    # The check would find ENet without encryption.
    check(leaks(ENET_NO_PEER + b"\0\0\x82\xff\0\1" + bytes(28) + ENET_CONNECT), "the check finds ENet's CONNECT")
    check(leaks(b"\6" + b"..." + NAME.encode()), "the check finds the name")
    check(len(relay.datagrams) > 4 * 2 * MOVE_AFTER, "a whole match was captured")
    for datagram in relay.datagrams:
        check(not leaks(datagram), f"a datagram is not encrypted: {datagram.hex()}")
    sealed = b"".join(datagram[7:] for datagram in relay.datagrams if datagram[0] == SEALED)
    often = max(sealed.count(byte) for byte in range(256))
    check(often < len(sealed) / 256 * 1.5, "all byte values are about equally frequent")
    sizes = {kind: {len(datagram) for datagram in relay.datagrams if datagram[0] == kind} for kind in range(1, 7)}
    check(sizes[HELLO] == {1200} and sizes[COOKIE] == {122} and sizes[JOIN] == {194} and sizes[ACCEPT] == {109}, sizes)


def another_key_is_refused(port, folder):
    os.remove(os.path.join(folder, "out.json"))
    run, _ = play(f"{LOOPBACK}:{port}#" + "a" * 32, folder)
    check(run.returncode != 0, "a client does not join a server with another key")
    check("has the key" in run.stdout + run.stderr, f"the refusal is reported:\n{run.stdout}{run.stderr}")


def be_strange(port, result):
    stranger, sent, received, odd = new_socket(), 0, 0, 0
    stranger.setblocking(False)
    join = bytes([JOIN]) + b"DF02" + bytes(189)
    hello = bytes([HELLO]) + b"DF02" + bytes(1195)
    for i in range(3000):
        for datagram in (hello, join, bytes([SEALED, i % 4, 0]) + bytes(60), b"\x8f\xff\0\0\x82\xff\0\1" + bytes(44), b""):
            sent += stranger.sendto(datagram, (LOOPBACK, int(port)))
        try:
            while True:
                answer = stranger.recv(65536)
                received += len(answer)
                odd += answer[0] not in (COOKIE, RESET)
        except BlockingIOError:
            pass
    result.extend([sent, received, odd])


def strangers_got_less_than_they_sent(result):
    check(len(result) == 3 and result[2] == 0, f"strangers got only cookies and resets: {result}")
    check(0 < result[1] < result[0] / 10, f"{result[0]} bytes were sent, and {result[1]} came back")


def the_key_stays(folder, key):
    server, _, again = start_server(folder)
    server.terminate()
    server.wait(10)
    check(again == key, "a server keeps its key over a restart")
    check(os.stat(os.path.join(folder, "server.key")).st_mode & 0o777 == 0o600, "only the owner can read the key")


def main():
    with tempfile.TemporaryDirectory() as folder:
        server, port, key = start_server(folder)
        try:
            relay = Relay(port)
            relay.start()
            result = []
            flood = threading.Timer(4, be_strange, [port, result])
            flood.start()
            run, report = play(f"{LOOPBACK}:{relay.port}#{key}", folder)
            flood.join()
            relay.running = False
            relay.join()
            nobody_notices_the_move(relay, report, run)
            the_wire_shows_nothing(relay)
            strangers_got_less_than_they_sent(result)
            another_key_is_refused(port, folder)
        finally:
            server.terminate()
            server.wait(10)
        the_key_stays(folder, key)


main()
