#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ENet inside the programs has no socket: enet_built_in_test.py SOURCE_FOLDER BUILD_FOLDER SERVER BOTS

Builds the programs without a window, and reads from the objects of ENet all that they want of the system. Then such
programs play with those that have the packaged ENet. Skipped where the sources of ENet cannot be had.
"""
import os
import re
import subprocess
import sys

from processes import Bots, LOOPBACK, Server, check, skip

SOURCE, BUILD, SERVER, BOTS = sys.argv[1:5]
OPTIONS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DDEADFALL_ENET=built-in", "-DDEADFALL_WINDOW=OFF", "-DBUILD_TESTING=OFF",
           "-DCMAKE_C_FLAGS_RELEASE=-O3"]
MEMORY = {"malloc", "free", "abort", "memcpy", "memset", "memmove"}  # abort: only if a host names no other


def built():
    commands = ["cmake", "-S", SOURCE, "-B", BUILD, *OPTIONS], ["cmake", "--build", BUILD, "-j2"]
    for command in commands:
        run = subprocess.run(command, text=True, capture_output=True, check=False)
        if run.returncode != 0 and "download" in run.stderr.lower():
            skip("the sources of ENet cannot be downloaded")
        check(run.returncode == 0, f"{' '.join(command)}\n{run.stdout[-4000:]}{run.stderr[-2000:]}")


def tool(*words):
    return subprocess.run(words, text=True, capture_output=True, check=True).stdout


def enet_wants_nothing_but_memory_and_the_adapter():
    library = os.path.join(BUILD, "shared/engine/net/libdeadfall_enet.a")
    wanted = set(re.findall(r" U (\w+)", tool("nm", "-u", library)))
    odd = {name for name in wanted - MEMORY if not re.match(r"enet_|__\w+_chk$|__stack_chk_fail$", name)}
    check("enet_socket_send" in wanted and not odd, f"ENet calls the system: {sorted(odd)}")
    has = set(re.findall(r" T (enet_(?:socket|time|host_random_seed|initialize|address)\w*)", tool("nm", library)))
    check(not has - {"enet_initialize_with_callbacks"}, f"ENet has a system of its own: {sorted(has)}")


def programs_need_no_shared_enet():
    for name in ("deadfall-server", "deadfall-bots"):
        program = os.path.join(BUILD, "bin", name)
        check("libenet" not in tool("readelf", "-d", program), f"{name} has ENet inside")
        check(not re.search(r" U dlsym", tool("nm", "-D", program)), f"{name} does not search for symbols")


def both_kinds_play_together():
    inside = [os.path.join(BUILD, "bin", name) for name in ("deadfall-server", "deadfall-bots")]
    for server, bots in ((inside[0], BOTS), (SERVER, inside[1])):
        with Server(server, "--map", "foundry") as running:
            totals = Bots(bots, f"{LOOPBACK}:{running.port}", 4, "--verify", "2", seconds=4).report()["totals"]
            check(totals["connected"] == 4 and totals["desyncs"] == 0 and totals["disconnects"] == 0, f"they play: {totals}")
            print(f"{os.path.relpath(server, BUILD)} and {os.path.relpath(bots, BUILD)}: {totals['connected']} clients, no desync")


if __name__ == "__main__":
    built()
    enet_wants_nothing_but_memory_and_the_adapter()
    programs_need_no_shared_enet()
    both_kinds_play_together()
