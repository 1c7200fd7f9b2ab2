#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that is called wrongly says so in one sentence and exits with 64: every program, option and subcommand.

  usage_errors_test.py PROGRAM...
"""
import os
import re
import subprocess
import sys
import tempfile

EXIT_USAGE = 64
NOBODY = "/nowhere/socket"
# By program: calls with wrong operands; none of them reaches a file or a server.
OPERANDS = {
    "deadfall": [["one", "two"], ["--seed", "4294967296"], ["--connect", "host:0"]],
    "deadfall-server": [["one-too-many"], ["--bots", "2", "--max-players", "1"]],
    "deadfall-admin": [[], [NOBODY, "say", "x" * 600], [NOBODY, "say", "two\nlines"]],
    "deadfall-bots": [["one-too-many"]],
    "deadfall-map": [[], ["check"], ["compile", "one"], ["paint", "one"], ["show", "one", "two"], ["check", "one", "two", "three"]],
    "deadfall-replay": [[], ["one", "two"], ["one", "--info", "--verify"]],
    "deadfall-scenario": [[]],
}


def run(program, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        words = ["timeout", "-s", "KILL", "10", program, *arguments]  # a program that starts is ended, and has failed
        return subprocess.run(words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env={**os.environ, "XDG_STATE_HOME": folder, "SDL_VIDEODRIVER": "dummy",
                                   "ASAN_OPTIONS": "detect_leaks=0"})  # the search takes longer than the program


def options(program):
    """The options of --help, each with its value: None if it takes none."""
    return re.findall(r"^  --([a-z-]+)(?: (\S+))?", run(program, "--help").stdout, re.M)


def wrong_calls(program):
    yield from (["--nonsense"], ["-x"], ["--help=1"])
    yield from OPERANDS[os.path.basename(program)]
    for name, value in options(program):
        if value:
            yield [f"--{name}"]  # without its value
        if value in ("N", "R", "TIME") or "|" in value and value.islower():
            yield [f"--{name}", "~"]
        elif not value and name not in ("help", "version", "print-config", "check-config"):
            yield [f"--{name}=~"]


def main():
    faults = calls = 0
    for program in sys.argv[1:]:
        for arguments in wrong_calls(program):
            calls += 1
            done = run(program, *arguments)
            if done.returncode != EXIT_USAGE or done.stderr.count("\n") != 1 or done.stdout:
                faults += 1
                print(f"FAILED: {os.path.basename(program)} {arguments}: {done}")
    print(f"{calls} wrong calls, {faults} that are not answered with {EXIT_USAGE} and one sentence")
    sys.exit(faults > 0 or calls < 100)


main()
