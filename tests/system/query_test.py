#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Queries of server browsers to a running server: by hand after the A2S description, by Debian's quakestat; or by gamedig.

  query_test.py DEADFALL_SERVER [GAMEDIG]
"""
import json
import re
import shutil
import socket
import struct
import sys
import time

from processes import LOOPBACK, PATIENCE_S, Server, run, wait_for

SERVER = sys.argv[1]
PAGE = ("--metrics", f"{LOOPBACK}:0")
MARK = b"\xff" * 4
INFO = MARK + b"TSource Engine Query\0"
NO_CHALLENGE = b"\xff" * 4


class Reader:
    """Reads little-endian numbers and texts from an answer; raises where it is too short."""

    def __init__(self, data):
        self.data = data

    def number(self, form):
        (value,) = struct.unpack_from("<" + form, self.data)
        self.data = self.data[struct.calcsize("<" + form):]
        return value

    def text(self):
        text, self.data = self.data.split(b"\0", 1)
        return text.decode()


def ask(sock, head):
    """Sends a query, then its challenge. Returns the answer from its letter on."""
    sock.send(head if head == INFO else head + NO_CHALLENGE)
    challenge = sock.recv(2000)
    assert challenge[:5] == MARK + b"A" and len(challenge) == 9, challenge
    sock.send(head + challenge[5:])
    answer = sock.recv(2000)
    assert answer[:4] == MARK and len(answer) <= 1400, answer
    return Reader(answer[4:])


def by_hand(port):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.settimeout(PATIENCE_S)
    sock.connect((LOOPBACK, port))
    info = ask(sock, INFO)
    assert (info.number("B"), info.number("B")) == (0x49, 17)
    assert [info.text() for _ in range(4)] == ["Forge & Söhne", "foundry", "deadfall", "Deadfall"]
    assert [info.number(form) for form in "HBBB"] == [0, 5, 12, 5]
    assert [info.number("B") for _ in range(4)] == [ord("d"), ord("l"), 0, 0]
    assert re.fullmatch(r"\d+\.\d+\.\d+", info.text())
    assert (info.number("B"), info.number("H")) == (0xA0, port)
    assert re.fullmatch(r"ffa,protocol\d+,key\.[a-z2-7]{32}", info.text()) and info.data == b""
    players = ask(sock, MARK + b"U")
    assert (players.number("B"), players.number("B")) == (0x44, 5)
    for _ in range(5):
        assert players.number("B") == 0 and players.text()
        players.number("i")
        assert players.number("f") == -1.0
    rules = ask(sock, MARK + b"V")
    assert rules.number("B") == 0x45
    table = {rules.text(): rules.text() for _ in range(rules.number("H"))}
    assert table["mode"] == "ffa" and rules.data == b"", table


def by_quakestat(port):
    answer = json.loads(run("quakestat", "-json", "-P", "-R", "-a2s", f"{LOOPBACK}:{port}").stdout)[0]
    assert (answer["status"], answer["map"], answer["numplayers"], answer["maxplayers"]) == ("online", "foundry", 5, 12)
    assert len(answer["players"]) == 5 and answer["rules"]["mode"] == "ffa", answer


def by_gamedig(program, port):
    answer = json.loads(run(program, "--type", "protocol-valve", "--givenPortOnly", f"{LOOPBACK}:{port}").stdout)
    assert (answer["name"], answer["map"], answer["maxplayers"]) == ("Forge & Söhne", "foundry", 12), answer
    assert len(answer["bots"]) == 5 and not answer["players"], answer


with Server(SERVER, "--name", "Forge & Söhne", "--max-players", "12", "--bots", "5", "--run-empty", *PAGE) as server:
    wait_for(lambda: len(server.match()["players"]) == 5, "the bots join")
    time.sleep(1)  # answers are renewed each second
    if len(sys.argv) > 2:
        by_gamedig(sys.argv[2], server.port)
    else:
        by_hand(server.port)
        if shutil.which("quakestat"):
            by_quakestat(server.port)
