#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures loopback during a match of 16 bots and looks for what must not be readable: capture.py SERVER BOTS [FILE]

It must show no player's name, no chat line and no header of ENet, and all that the load tester has counted. FILE keeps the capture.
In real time, since tcpdump listens to the kernel. Exits with 77 (skipped) where tcpdump is missing or may not capture.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from processes import Bots, LOOPBACK, Server, check, skip, wait_for
from relay import udp_socket

SERVER, BOTS = sys.argv[1:3]
NAME, LINE = "Wilhelmina", "meet me at the anvil"
PLAYERS, DATAGRAMS = 16, 5000
# How ENet's CONNECT ends (throttle interval 5000 ms, acceleration 2, deceleration 2), and a header without a peer.
FAREWELL = b"\6and that was all"  # nobody's session
ENET_CONNECT, ENET_NO_PEER = struct.pack(">III", 5000, 2, 2), b"\x8f\xff"


def payloads(path, port):
    """Returns the UDP payloads in a pcap file of loopback, and whether each goes to the port or comes from it."""
    with open(path, "rb") as file:
        data = file.read()
    check(data[:4] == b"\xd4\xc3\xb2\xa1", "the capture is a pcap file of this machine")
    at, found = 24, []
    while at + 16 <= len(data):
        size = struct.unpack_from("<I", data, at + 8)[0]
        udp = data[at + 16 + 14 + 20:at + 16 + size]  # after Ethernet and IPv4 without options
        at += 16 + size
        if len(udp) >= 8 and port in (ends := struct.unpack_from(">HH", udp)):
            found.append((ends[1] == port, udp[8:]))
    return found


def leaks(payload):
    return (any(text.encode(code) in payload for text in (NAME, LINE) for code in ("utf-8", "utf-16-le")) or ENET_CONNECT in payload
            or payload[:2] == ENET_NO_PEER or not payload or not 1 <= payload[0] <= 6)


def capture(port, path):
    tool = shutil.which("tcpdump") or "/usr/sbin/tcpdump"
    if not os.path.exists(tool):
        skip("tcpdump is not installed")
    run = subprocess.Popen([tool, "-i", "lo", "-U", "-B", "16384", "-w", path, "udp", "port", str(port)], text=True,
                           stderr=subprocess.PIPE)
    line = run.stderr.readline()
    while line and "listening on" not in line:
        if "permission" in line or "Operation not permitted" in line or "No such device" in line:
            run.wait()
            skip(f"tcpdump may not capture here: {line.strip()}")
        line = run.stderr.readline()
    check(line, "tcpdump listens")
    return run


def main():
    check(leaks(b"\6..." + NAME.encode()) and leaks(b"\6" + LINE.encode() + b".") and leaks(ENET_NO_PEER + bytes(20)) and leaks(b"\6" + ENET_CONNECT), "the check would find a leak")
    with tempfile.TemporaryDirectory() as folder, Server(SERVER) as server:
        path = sys.argv[3] if len(sys.argv) > 3 else os.path.join(folder, "match.pcap")
        tool = capture(server.port, path)
        clients = Bots(BOTS, server, PLAYERS, "--name", NAME, "--say", LINE)
        server.joined(PLAYERS)
        wait_for(lambda: server.count(f"{NAME}1: {LINE}") == 1, "the bot says the line")
        wait_for(lambda: len(payloads(path, server.port)) > DATAGRAMS, "they play")
        report = clients.end()
        farewell = udp_socket()
        farewell.sendto(FAREWELL, (LOOPBACK, server.port))  # once tcpdump has written it, it has written all
        wait_for(lambda: (True, FAREWELL) in payloads(path, server.port), "tcpdump writes what it sees")
        tool.terminate()
        tool.communicate()
        check(server.count(f"{NAME}1 joins at slot ") == 1, "the bot joins under the name")
        found = payloads(path, server.port)
        found.remove((True, FAREWELL))
        up, down = ([payload for is_up, payload in found if is_up == to] for to in (True, False))
        for name, count in (("packets_up", len(up)), ("packets_down", len(down)), ("bytes_up", sum(map(len, up))), ("bytes_down", sum(map(len, down)))):
            print(f"{name}: {report['totals'][name]:.0f}, of tcpdump {count}")
            # Clients say goodbye once they have counted, and a busy machine ends them with datagrams unread. In bots_reports.py time
            # waits for all of them, and both ends count as many.
            check(0 < report["totals"][name] <= count, f"{name} were on the line")
        for payload in up + down:
            check(not leaks(payload), f"a datagram is not encrypted: {payload.hex()}")
        print(f"{len(up) + len(down)} datagrams of {PLAYERS} players show no name, no chat line and no header of ENet")


main()
