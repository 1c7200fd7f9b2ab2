#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What many strangers of few addresses can take from others, as a scene: households_test.py SERVER BOTS HOUSEHOLDS [PART...]

Attackers have addresses of 127.0.1.0/24 and 127.0.3.0/24, the honest client has 127.0.2.1. So the server limits loopback
addresses like others. Two parts have attackers of IPv6: the scene's network gets all of 2001:db8::/32. All parts run at
once, each with its own server.
"""
import os
import re
import socket
import subprocess
import sys
import time

from processes import Bots, LOOPBACK, PAGE, Server, check, run, run_at_once, wait_for

SERVER, BOTS, HOUSEHOLDS = sys.argv[1:4]
LIMITED = ("--household-lan", "limited", *PAGE)
JOINS, EACH_MS = 16, 400  # of an honest client
MARK = b"\xff" * 4
FORGED_PER_S = 660
LONG_S = 600  # of an attack that is ended
INFO = MARK + b"TSource Engine Query\0"


def attack(server, *words):
    return subprocess.Popen([HOUSEHOLDS, str(server.port), *map(str, words)], stdout=subprocess.PIPE, text=True)


def number(process):
    return int(process.communicate()[0])


def honest_clients_join(server, count=JOINS, each_ms=EACH_MS):
    joined = number(attack(server, "join", count, each_ms))
    check(joined == count, f"every honest join succeeds: {joined} of {count}")


def everybody_joins_while_four_addresses_hoard_sessions():
    with Server(SERVER, *LIMITED) as server:
        hoard = attack(server, "hoard", 4, LONG_S)
        time.sleep(3)
        honest_clients_join(server)
        status = server.status()
        print(f"four addresses hoard sessions: {status['sessions']}, {status['refused']['sessions_gave_way']} gave way")
        check(status["sessions"]["households"] in (4, 5), f"the status counts households: {status}")
        server.said("without a player")
        hoard.terminate()
        hoard.wait()


def everybody_joins_while_four_addresses_take_all_seats_that_they_can():
    with Server(SERVER, *LIMITED) as server:
        sit = attack(server, "sit", 4, LONG_S)
        time.sleep(8)
        wait_for(lambda: server.status()["players"] >= 8, "they get seats")
        players = server.status()["players"]
        check(8 <= players < 16, f"they get seats, but not all: {players}")
        honest_clients_join(server)
        check("--household-players" in server.log(), "the log says which address has too many players, and what to do")
        sit.terminate()
        sit.wait()


def everybody_joins_while_nine_addresses_forge_joins():
    with Server(SERVER, *LIMITED) as server:
        forge = attack(server, "forge", 9, 10)
        time.sleep(4)
        honest_clients_join(server, 5, 1000)
        check(number(forge) > 0.99 * 10 * FORGED_PER_S, "joins are forged all the time")


def everybody_gets_an_answer_while_queries_are_forged():
    with Server(SERVER, *LIMITED) as server:
        sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(200)]
        for i, sender in enumerate(sockets):
            sender.bind((f"127.0.3.{i + 1}", 0))
            sender.setblocking(False)
        honest, queries, sent, back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0, 0, 0
        honest.bind(("127.0.2.1", 0))
        honest.connect((LOOPBACK, server.port))
        honest.settimeout(0.1)
        for ms in range(3000):
            for _ in range(5):
                queries += 1
                sent += sockets[queries % 200].sendto((INFO, MARK + b"U" + MARK, MARK + b"V" + MARK)[queries % 3], (LOOPBACK, server.port))
            if ms >= 1000 and ms % 100 == 0:
                honest.send(INFO)
                honest.send(INFO + honest.recv(2000)[5:])
                check(honest.recv(2000)[4:5] == b"I", "an honest query is answered")
            for sender in sockets if ms % 20 == 19 else ():
                try:
                    while True:
                        back += len(sender.recv(2000))
                except BlockingIOError:
                    pass
            time.sleep(0.001)
        print(f"{queries} forged queries: {sent} bytes sent, {back} back")
        check(0 < back <= sent, f"forged senders get no more bytes than they sent: {sent}, {back}")


def four_kick_nobody(households, who, address):
    """Four players of so many households of one address or site want to kick somebody else; `address` is a pattern."""
    with Server(SERVER, *LIMITED, bind="0.0.0.0") as server:
        bots = Bots(BOTS, server, 1)
        server.joined(1)
        kick = attack(server, "kick", households, 65)  # they vote once they have played for a minute, too
        server.joined(5)
        check(number(kick) == 4, "they stay")
        log = server.log()
        check("You were removed" not in log, "nobody was kicked")
        check(re.search(rf"mute \([a-z2-7]{{8}}\) of {address} asks for a vote: Kick bot1\?", log), "the log says who asked")
        print(f"{who} asked for {log.count('asks for a vote')} votes to kick and said yes {log.count('votes Yes')} times: nobody was kicked")
        check(bots.end()["totals"]["disconnects"] == 0, "the victim stays")


def four_identities_of_one_address_kick_nobody():
    four_kick_nobody(1, "four identities of one address", r"127\.0\.1\.1")


def four_households_of_a_48_kick_nobody():
    os.environ["HOUSEHOLDS_SITE"] = "48"
    four_kick_nobody(4, "four households of a /48", r"2001:db8:\S*/56")


def everybody_joins_while_a_site_hoards_sessions(bits, households):
    """`households` counts the attackers' and the honest client's."""
    os.environ["HOUSEHOLDS_SITE"] = str(bits)
    with Server(SERVER, *LIMITED, "--bind", "::") as server:
        hoard = attack(server, "hoard", 9, LONG_S)
        time.sleep(3)
        honest_clients_join(server, 12, 600)
        sessions = server.status()["sessions"]
        print(f"nine addresses of a /{bits} hoard sessions: {sessions}")
        check(sessions["households"] in households, f"the status counts households: {sessions}")
        check(sessions["accepted"] <= 10, f"all of the /{bits} have no more sessions than one household, and the honest one: {sessions}")
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
         four_households_of_a_48_kick_nobody,
         everybody_joins_while_a_56_hoards_sessions,
         everybody_joins_while_a_48_hoards_sessions)


def main():
    run("ip", "-6", "route", "add", "local", "2001:db8::/32", "dev", "lo")
    run_at_once([part for part in PARTS if len(sys.argv) == 4 or part.__name__ in sys.argv[4:]])


main()
