#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What many strangers of few addresses can take from others: households_test.py SERVER BOTS HOUSEHOLDS [PART...]

Attackers have addresses of 127.0.1.0/24 and 127.0.3.0/24, the honest client has 127.0.2.1. So the server limits loopback
addresses like others. Two parts have attackers of IPv6, in a network namespace with all of 2001:db8::/32. All parts run at
once, each with its own server: they mostly wait.
"""
import os
import re
import socket
import subprocess
import sys
import threading
import time

from processes import Bots, LOOPBACK, Server, check, run_at_once, wait_for

SERVER, BOTS, HOUSEHOLDS = sys.argv[1:4]
LIMITED = ("--household-lan", "limited", "--metrics", f"{LOOPBACK}:0")
MARK = b"\xff" * 4
LONG_S = 600  # of an attack that is ended
INSIDE = "DEADFALL_TEST_NAMESPACE"
INFO = MARK + b"TSource Engine Query\0"


def attack(server, *words):
    return subprocess.Popen([HOUSEHOLDS, str(server.port), *map(str, words)], stdout=subprocess.PIPE, text=True,
                            env={**os.environ, "HOUSEHOLDS_SERVER": str(server.process.pid)})


def in_a_namespace(part):
    """Runs this test again for one part, as root of a namespace with a loopback that has every address of 2001:db8::/32."""
    setup = "ip link set lo up && ip -6 route add local 2001:db8::/32 dev lo && exec \"$@\""
    return subprocess.run(["unshare", "--net", "--map-root-user", "sh", "-c", setup, "sh", sys.executable, __file__, SERVER, BOTS,
                           HOUSEHOLDS, part], env={**os.environ, INSIDE: "1"}, check=False).returncode


def number(process):
    return int(process.communicate(timeout=500)[0])


def honest_joins(server, count, milliseconds):
    return number(attack(server, "join", count, milliseconds))


def everybody_joins_while_four_addresses_hoard_sessions():
    with Server(SERVER, *LIMITED) as server:
        hoard = attack(server, "hoard", 4, LONG_S)
        time.sleep(3)
        joined = honest_joins(server, 113, 400)
        status = server.status()
        print(f"four addresses hoard sessions: {joined} of 113 honest joins succeeded, {status['sessions']}, "
              f"{status['refused']['sessions_gave_way']} sessions gave way")
        check(status["sessions"]["households"] in (4, 5), f"the status counts households: {status}")
        check(joined >= 100, f"honest clients join: {joined}")
        wait_for(lambda: "without a player" in server.log(), "the log says which address hoards")
        hoard.terminate()
        hoard.wait()


def everybody_joins_while_four_addresses_take_all_seats_that_they_can():
    with Server(SERVER, *LIMITED) as server:
        sit = attack(server, "sit", 4, LONG_S)
        time.sleep(8)
        wait_for(lambda: server.status()["players"] >= 8, "they get seats")
        players = server.status()["players"]
        joined = honest_joins(server, 113, 400)
        print(f"four addresses take seats: they had {players} of 16, {joined} of 113 honest joins succeeded")
        check(8 <= players < 16, f"they get seats, but not all: {players}")
        check(joined >= 100, f"honest clients join: {joined}")
        check("--household-players" in server.log(), "the log says which address has too many players, and what to do")
        sit.terminate()
        sit.wait()


def everybody_joins_while_nine_addresses_forge_joins():
    with Server(SERVER, *LIMITED) as server:
        begun_s, begun = server.cpu_s(), time.monotonic()
        forge = attack(server, "forge", 9, 20)
        time.sleep(5)
        joined = honest_joins(server, 12, 1000)
        busy_pct = 100 * (server.cpu_s() - begun_s) / (time.monotonic() - begun)
        sent = number(forge)
        print(f"{sent / 20:.0f} forged joins a second: {joined} of 12 honest joins succeeded, the server took {busy_pct:.1f} % of a core")
        check(joined >= 11, f"honest clients join: {joined}")


def everybody_gets_an_answer_while_queries_are_forged():
    with Server(SERVER, *LIMITED) as server:
        running, counts = True, [0, 0, 0]  # queries sent, bytes sent, bytes back

        def forge():
            sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(200)]
            for i, sender in enumerate(sockets):
                sender.bind((f"127.0.3.{i + 1}", 0))
                sender.setblocking(False)
            begun = time.monotonic()
            while running:
                while counts[0] < (time.monotonic() - begun) * 5000:
                    query = (INFO, MARK + b"U" + MARK, MARK + b"V" + MARK)[counts[0] % 3]
                    counts[1] += sockets[counts[0] % 200].sendto(query, (LOOPBACK, server.port))
                    counts[0] += 1
                for sender in sockets:
                    try:
                        while True:
                            counts[2] += len(sender.recv(2000))
                    except BlockingIOError:
                        pass
                time.sleep(0.001)

        begun = time.monotonic()
        thread = threading.Thread(target=forge, daemon=True)
        thread.start()
        time.sleep(1)
        honest, answers = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0
        honest.bind(("127.0.2.1", 0))
        honest.connect((LOOPBACK, server.port))
        honest.settimeout(0.5)
        for _ in range(20):
            try:
                honest.send(INFO)
                honest.send(INFO + honest.recv(2000)[5:])
                answers += honest.recv(2000)[4:5] == b"I"
            except TimeoutError:
                pass
            time.sleep(0.1)
        rate = counts[0] / (time.monotonic() - begun)
        running = False
        thread.join()
        print(f"{rate:.0f} forged queries a second: {answers} of 20 honest ones were answered; {counts[1]} bytes sent, {counts[2]} back")
        check(answers >= 18, f"honest queries are answered: {answers}")
        check(0 < counts[2] <= counts[1], f"forged senders get no more bytes than they sent: {counts}")


def four_identities_of_one_address_kick_nobody():
    with Server(SERVER, *LIMITED) as server:
        bots = Bots(BOTS, f"{LOOPBACK}:{server.port}", 1)
        wait_for(lambda: server.count(" joins at slot ") == 1, "the victim joins")
        kick = attack(server, "kick", 1, 75)  # they vote once they have played for a minute, too
        wait_for(lambda: server.count(" joins at slot ") == 5, "the others join")
        check(number(kick) == 4, "they stay")
        log = server.log()
        check("You were removed" not in log, "nobody was kicked")
        check(re.search(r"mute \([a-z2-7]{8}\) of 127\.0\.1\.1 asks for a vote: Kick bot1\?", log), "the log says who asked")
        print(f"four identities of one address asked for {log.count('asks for a vote')} votes to kick and said yes "
              f"{log.count('votes Yes')} times: nobody was kicked")
        check(bots.end()["totals"]["disconnects"] == 0, "the victim stays")


def everybody_joins_while_a_site_hoards_sessions(bits, households):
    """`households` counts the attackers' and the honest client's."""
    part = f"everybody_joins_while_a_{bits}_hoards_sessions"
    if subprocess.run(["unshare", "--net", "--map-root-user", "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print(f"{part}: there is no network namespace here")
        return
    if INSIDE not in os.environ:
        check(in_a_namespace(part) == 0, f"{part} in a namespace of its own")
        return
    os.environ["HOUSEHOLDS_SITE"] = str(bits)
    with Server(SERVER, *LIMITED, "--bind", "::") as server:
        hoard = attack(server, "hoard", 9, LONG_S)
        time.sleep(3)
        joined = honest_joins(server, 50, 600)
        sessions = server.status()["sessions"]
        print(f"nine addresses of a /{bits} hoard sessions: {joined} of 50 honest joins succeeded, {sessions}")
        check(sessions["households"] in households, f"the status counts households: {sessions}")
        check(sessions["accepted"] <= 10, f"all of the /{bits} have no more sessions than one household, and the honest one: {sessions}")
        check(joined >= 45, f"honest clients join: {joined}")
        hoard.terminate()
        hoard.wait()


def everybody_joins_while_a_56_hoards_sessions():
    everybody_joins_while_a_site_hoards_sessions(56, (1, 2))


def everybody_joins_while_a_48_hoards_sessions():
    everybody_joins_while_a_site_hoards_sessions(48, range(1, 11))


PARTS = (everybody_joins_while_four_addresses_hoard_sessions,
         everybody_joins_while_four_addresses_take_all_seats_that_they_can,
         everybody_joins_while_nine_addresses_forge_joins,
         everybody_gets_an_answer_while_queries_are_forged,
         four_identities_of_one_address_kick_nobody,
         everybody_joins_while_a_56_hoards_sessions,
         everybody_joins_while_a_48_hoards_sessions)


def main():
    run_at_once([part for part in PARTS if len(sys.argv) == 4 or part.__name__ in sys.argv[4:]])


main()
