#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A match through a relay that listens, forges and moves clients to other ports, as a scene: sealed.py SERVER BOTS

The relay is between real bots and a real server. It keeps every datagram. Before the server can answer a hello or a join, the
relay answers with forgeries. After a client has sent 150 datagrams, it closes the client's source port and uses another, as a
router does that forgets a connection.
"""
import ctypes
import os
import struct
import sys
import threading
import time

from processes import Bots, LOOK_MS, LOOPBACK, Server, TICK_MS, check, run, wait_for
from relay import Relay, udp_socket

SERVER, BOTS = sys.argv[1:3]
HELLO, COOKIE, JOIN, ACCEPT, DENY, SEALED, RESET = 1, 2, 3, 4, 5, 6, 7
MOVE_AFTER = 150
PHASE, WINDOW = 1024, 256  # datagrams under one key, and how late one may come
PAGE_BYTES = 4096
# How ENet's CONNECT ends: throttle interval 5000 ms, acceleration 2, deceleration 2.
ENET_CONNECT = struct.pack(">III", 5000, 2, 2)
SODIUM = ctypes.CDLL("libsodium.so.23")
ENET_NO_PEER = b"\x8f\xff"
NAME = "Wilhelmina"


def forgeries(asked):
    """Returns answers that end a join if a client believes them: a cookie of another server, refusals, an accept."""
    nonce = asked[5:13]
    if asked[0] == HELLO:
        return [bytes([COOKIE]) + nonce + os.urandom(113)]
    if asked[0] != JOIN:
        return []
    refusals = [bytes([DENY]) + nonce + bytes([reason]) + os.urandom(rest) for reason in range(1, 5) for rest in (0, 143, 167)]
    return [*refusals, bytes([ACCEPT]) + nonce + os.urandom(100)]


class Moving(Relay):
    def __init__(self, server):
        self.sent, self.datagrams, self.forged, self.moved = {}, [], 0, 0
        super().__init__(server)

    def up(self, datagram, address):
        for forged in forgeries(datagram):
            self.front.sendto(forged, address)
            self.forged += 1
        self.sent[address] = self.sent.get(address, 0) + 1
        if self.sent[address] == MOVE_AFTER:
            self.backs[address].close()
            self.backs[address] = udp_socket()
            self.moved += 1
        self.datagrams.append(datagram)
        return datagram

    def down(self, datagram):
        self.datagrams.append(datagram)
        return datagram


def nobody_notices_the_move(relay, report):
    totals = report["totals"]
    check(relay.forged >= 4 * 14, f"{relay.forged} forged answers ended no join")
    check(len(relay.sent) == relay.moved == 4 and min(relay.sent.values()) > MOVE_AFTER + 100, "four clients continued from other ports")
    check(totals["connected"] == 4 and totals["disconnects"] == 0 and totals["desyncs"] == 0, f"no client was lost, and no world differed: {totals}")
    gap = totals["snapshot_gap_ms"]
    print(f"four clients at other ports: {gap['max']:.0f} ms were the longest without a snapshot")
    check(gap["max"] <= TICK_MS + LOOK_MS + 0.001 and totals["counts"]["snapshots_lost"] == 0, f"the move costs no snapshot: {gap}")
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


def another_key_is_refused(server):
    done = run(BOTS, "--server", f"{server.place}#" + "a" * 32, "--count", "4", "--duration", "2s", code=None)
    check(done.returncode != 0 and "has the key" in done.stdout + done.stderr, f"a client does not join a server with another key: {done}")


def be_strange(port, result):
    stranger, sent, received, odd = udp_socket(), 0, 0, 0
    stranger.setblocking(False)
    join = bytes([JOIN]) + b"DF02" + bytes(189)
    hello = bytes([HELLO]) + b"DF02" + bytes(1195)
    for i in range(3000):
        for datagram in (hello, join, bytes([SEALED, i % 4, 0]) + bytes(60), b"\x8f\xff\0\0\x82\xff\0\1" + bytes(44), b""):
            sent += stranger.sendto(datagram, (LOOPBACK, port))
        if i % 5 == 4:
            time.sleep(0.001)
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


class Recorder(Relay):
    """Keeps the newest encrypted datagram of each direction."""

    def __init__(self, server):
        self.newest = {}
        super().__init__(server)

    def up(self, datagram, _address):
        return self.keep("up", datagram)

    def down(self, datagram):
        return self.keep("down", datagram)

    def keep(self, direction, datagram):
        if datagram[0] == SEALED:
            self.newest[direction] = datagram
        return datagram


def sequence_of(datagram):
    return int.from_bytes(datagram[5:7], "little")


def memory_of(pid):
    """Returns what a process has written, page by page, each with the beginning of the next one."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            begin, end = (int(number, 16) for number in line.split()[0].split("-"))
            if line.split()[1].startswith("rw"):
                memory.seek(begin)
                piece = memory.read(end - begin)
                yield from (piece[at:at + PAGE_BYTES + 24] for at in range(0, len(piece), PAGE_BYTES) if piece.count(0, at, at + PAGE_BYTES) < PAGE_BYTES)


def opened_by(pids, datagrams):
    """Returns which of the datagrams can be decrypted with a key that lies in the memory of these processes."""
    found, plain = set(), ctypes.create_string_buffer(2048)
    for page in (page for pid in pids for page in memory_of(pid)):
        for at in range(0, len(page) - 31, 8):
            key = page[at:at + 32]
            if key.count(0) > 3:
                continue  # random bytes are so once in 100,000 times
            for datagram in datagrams:
                nonce = bytes(4) + datagram[5:7] + bytes(6)
                if SODIUM.crypto_aead_chacha20poly1305_ietf_decrypt(plain, None, None, datagram[7:], ctypes.c_ulonglong(len(datagram) - 7),
                                                                   datagram[:7], ctypes.c_ulonglong(7), nonce, key) == 0:
                    found.add(datagram)
    return found


def stolen_memory_reads_nothing_of_before(server):
    relay = Recorder(server)
    clients = Bots(BOTS, relay.place, 1)
    pids = (server.process.pid, clients.process.pid)

    def both_after(sequence):
        """Waits until both ends have sent so many, and returns what each has sent last."""
        wait_for(lambda: len(relay.newest) == 2 and min(map(sequence_of, relay.newest.values())) > sequence, "they play")
        return set(relay.newest.values())
    before = both_after(300)
    check(opened_by(pids, before) == before, "a thief who comes at once reads both directions")
    now = both_after(max(map(sequence_of, before)) + PHASE + WINDOW)
    check(opened_by(pids, now | before) == now, "what is stolen later opens nothing that was recorded before")
    clients.end()


def main():
    with Server(SERVER) as server:
        relay, result = Moving(server), []
        flood = threading.Timer(4, be_strange, [server.port, result])
        flood.start()
        report = Bots(BOTS, f"{relay.place}#{server.key}", 4, "--verify", "2", "--name", NAME, seconds=12).report()
        flood.join()
        nobody_notices_the_move(relay, report)
        the_wire_shows_nothing(relay)
        strangers_got_less_than_they_sent(result)
        another_key_is_refused(server)
        stolen_memory_reads_nothing_of_before(server)
        server.end()
        check(server.again().key == server.key, "a server keeps its key over a restart")
        check(os.stat(os.path.join(server.folder, "server.key")).st_mode & 0o777 == 0o600, "only the owner can read the key")


main()
