#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the physics library beside other ways to do its work, in one run on one core, in the world of bench_actors:
the article's algorithm with a plain grid and literally, which compute the same, and Box2D 2.4 and Chipmunk 7, which do
not. Prints one JSON line for each and each size: nanoseconds (the least of three turns) and instructions per actor and
tick, and both as multiples of ours. Counts instructions with callgrind in the first ticks, without the setup.

    engines.py BENCH_ACTORS [--ticks N] [--counted N] [--core N] [--engines FOLDER]

Needs valgrind, and Debian's libbox2d-dev and libchipmunk-dev, installed or unpacked (dpkg -x) into a folder.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import callgrind

SIZES = ((16, 16), (128, 64), (1000, 200))
CANDIDATES = (("Deadfall", "fast"), ("plain grid", "grid"), ("literal", "literal"), ("Box2D 2.4", "box2d"),
              ("Chipmunk 7", "chipmunk"))
TURNS = 3


def build(program, root):
    """Builds the other engines' program."""
    machine = subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True, check=True).stdout.strip()
    libraries = f"{root}/usr/lib/{machine.replace('-pc-', '-')}"
    source = pathlib.Path(__file__).with_name("engines.cc")
    subprocess.run(["g++", "-std=c++17", "-O3", "-o", program, source, "-idirafter", f"{root}/usr/include",
                    f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lbox2d", "-lchipmunk"], check=True)


def command(bench, program, name, ticks, actors, solids):
    if name in ("fast", "grid", "literal"):
        ticks = max(2, ticks * 2 // actors) if name == "literal" else ticks
        return [bench, str(ticks), "1", str(actors), str(solids), name], ticks
    return [program, name, str(ticks), str(actors), str(solids)], ticks


def nanoseconds(arguments, core):
    found = subprocess.run(["taskset", "-c", str(core), *arguments], capture_output=True, text=True, check=True)
    return json.loads(found.stdout.splitlines()[-1])["ns_per_actor_tick"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench_actors")
    parser.add_argument("--ticks", type=int, default=600, help="timed")
    parser.add_argument("--counted", type=int, default=60, help="ticks of which instructions are counted")
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--engines", default=os.environ.get("ENGINES", ""), metavar="FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "engines")
        build(program, options.engines)
        for actors, solids in SIZES:
            least = {name: float("inf") for _, name in CANDIDATES}
            for _ in range(TURNS):
                for _, name in CANDIDATES:
                    timed, _ = command(options.bench_actors, program, name, options.ticks, actors, solids)
                    least[name] = min(least[name], nanoseconds(timed, options.core))
            counts = {}
            for title, name in CANDIDATES:
                counted, ticks = command(options.bench_actors, program, name, options.counted, actors, solids)
                counts[name] = callgrind.instructions(counted, "run_ticks") / ticks / actors
                print(json.dumps({"bench": "engines", "engine": title, "actors": actors, "solids": solids,
                                  "ns_per_actor_tick": least[name], "ns_ratio": round(least[name] / least["fast"], 2),
                                  "instructions_per_actor_tick": round(counts[name]),
                                  "instructions_ratio": round(counts[name] / counts["fast"], 2)}), flush=True)


main()
