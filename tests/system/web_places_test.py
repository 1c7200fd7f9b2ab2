#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may have a place for browsers, as a scene: web_places_test.py SERVER BOTS BRIDGE HOARD

16 attackers of four addresses take all places and do not play, while eight honest browsers (BRIDGE) join. And the process
for browsers is a program of this test, which lies: it sends to hosts that never spoke or spoke little, and says that
players of any address are there.
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile

from processes import Bots, LOOPBACK, PAGE, Server, check, run_at_once, wait_for

SERVER, BOTS, BRIDGE, HOARD = sys.argv[1:5]
PLACES, ADDRESSES, EACH, HONEST = 512, 4, 160, 8
HOARD_S = 34  # a household that begins often shares 50 handshakes a second with others of its kind
CHECK_BYTES, FRAMES = 100, 1000
MAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "maps")
WORDS = "these are my last words"

# A process for browsers: frames are kind, length of the address, address, time, length of the payload, payload. It relays
# native clients of its own port as if they were browsers of 198.51.100.0/24.
LIAR = f"""#!{sys.executable}
import os, select, signal, socket, struct, sys, time
READY, PACKET, MESSAGE, OPEN, FRAMES = 2, 3, 4, 6, {FRAMES}
link, front = socket.socket(fileno=0), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
def give(kind, address, payload):
    link.send(struct.pack("<BB22sQH", kind, len(address), address, 0, len(payload)) + payload)
def address(host, port):
    return socket.inet_aton(host) + struct.pack(">H", port)
def stun(size):
    return struct.pack(">HH4s", 0x0101, size - 20, bytes.fromhex("2112a442")) + bytes(size - 8)
def lie_to(who):
    give(OPEN, who, b"")
    for i in range(FRAMES):
        give(PACKET, who, stun(60))
        give(PACKET, who, b"\\x16\\xfe\\xfd" + bytes(997))
        time.sleep(0.02 * (i % 50 == 49)) # the server reads them
link.recv(65536)
give(READY, b"", bytes(range(32)) + b"kept")
front.bind(("{LOOPBACK}", 0))
with open("PLACE/port.new", "w") as file:
    file.write(str(front.getsockname()[1]))
os.rename("PLACE/port.new", "PLACE/port")
while True:
    for file in select.select([link, front], [], [])[0]:
        if file is front:
            payload, (_, port) = front.recvfrom(2000)
            ghost = address("198.51.100." + str(port % 250), port)
            give(OPEN, ghost, b"")
            give(MESSAGE, ghost, payload)
            continue
        batch = link.recv(65536)
        if not batch:
            sys.exit(0)
        while batch:
            kind, _, who, _, size = struct.unpack_from("<BB22sQH", batch)
            payload, batch = batch[34:34 + size], batch[34 + size:]
            if kind == MESSAGE:
                front.sendto(payload, ("{LOOPBACK}", struct.unpack_from(">H", who, 4)[0]))
            elif payload[-1:] == b"!":
                sys.stderr.write("{WORDS}")
                sys.stderr.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            else:
                lie_to(address("127.0.0.9", 9000))
                lie_to(who[:6])
"""


def eight_browsers_join_while_four_addresses_hoard_all_places():
    with Server(SERVER, "--web", "--bots", "4", "--max-players", "32", *PAGE) as server:
        hoard = subprocess.Popen([HOARD, str(server.port), str(ADDRESSES), str(EACH), str(HOARD_S)], stdout=subprocess.PIPE, text=True)
        bridge = subprocess.Popen([BRIDGE, str(server.port)], text=True, stdout=subprocess.PIPE)
        gave_way = lambda: server.status()["refused"]["browsers_gave_way"]
        wait_for(lambda: gave_way() > 0, "all places are taken")
        honest = Bots(BOTS, f"{LOOPBACK}:{bridge.stdout.readline().strip()}", HONEST)
        playing = wait_for(lambda: server.status()["sessions"]["playing"] == HONEST and HONEST, lambda: f"all honest browsers play: {server.status()['sessions']}")
        totals = honest.end()["totals"]
        opened = int(hoard.communicate()[0])
        print(f"{opened} channels of four addresses, {gave_way()} of them gave way: {playing} of {HONEST} honest browsers play")
        check(opened > PLACES, f"they take more than all places: {opened}")
        check(totals["connected"] == HONEST and totals["disconnects"] == 0, f"none of them is lost: {totals}")
        check(gave_way() >= HONEST, f"others give way to them: {gave_way()}")
        server.said(r"\d+ browsers without a session gave way to newer ones; the last one was of 127\.0\.1\.\d")
        check(server.status()["webrtc"]["starts"] == 1, lambda: f"the process for browsers lives: {server.log()}")
        bridge.kill()


def received(host):
    count = 0
    while True:
        try:
            count += len(host.recv(2000))
        except BlockingIOError:
            return count


def open_host(name, port):
    host = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    host.bind((name, port))
    host.setblocking(False)
    host.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    return host


def a_process_that_was_taken_over_reaches_no_stranger_and_invents_no_player():
    with tempfile.TemporaryDirectory() as place:
        own = os.path.join(place, "deadfall-server")
        shutil.copy(SERVER, own)
        with open(os.path.join(place, "deadfall-webrtc"), "w", encoding="utf-8") as file:
            file.write(LIAR.replace("PLACE", place))
            os.fchmod(file.fileno(), 0o700)
        with Server(own, "--web", *PAGE, environment={"DEADFALL_MAP_DIR": MAPS}) as server:
            stranger, little = open_host("127.0.0.9", 9000), open_host("127.0.0.8", 8000)
            wait_for(lambda: os.path.exists(f"{place}/port"), "the process for browsers runs")
            with open(f"{place}/port", encoding="ascii") as file:
                ghosts = Bots(BOTS, f"{LOOPBACK}:{file.read()}", 4)
            check_bytes = bytes.fromhex("000100502112a442") + bytes(CHECK_BYTES - 8)
            little.sendto(check_bytes, (LOOPBACK, server.port))
            wait_for(lambda: server.status()["webrtc"]["refused"] > 3 * FRAMES, "it lies, to the one and then to the other")
            sessions, away, back = server.status()["sessions"], received(stranger), received(little)
            print(f"bytes to a host that never spoke: {away}, to one that sent {CHECK_BYTES}: {back}; sessions: {sessions}")
            check(away == 0, "nothing reaches a host that never spoke")
            check(0 < back <= 3 * CHECK_BYTES, f"a host gets at most three times what it has sent: {back}")
            check(sessions["webrtc"] == sessions["playing"] == 0, f"nobody is there: {sessions}")
            ghosts.process.kill()
            little.sendto(check_bytes[:-1] + b"!", (LOOPBACK, server.port))
            server.said(f"the process for browsers says: {WORDS}")
            server.said("the process for browsers had ended .signal 9.")


run_at_once([eight_browsers_join_while_four_addresses_hoard_all_places,
             a_process_that_was_taken_over_reaches_no_stranger_and_invents_no_player])
