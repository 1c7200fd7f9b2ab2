#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every program is hardened: hardening_test.py BUILD_FOLDER CONFIG PROGRAM...

Looks for each mark in the programs with readelf and objdump, and, for flags that leave none, in the commands that compiled
them. Names each program and what it lacks.
"""
import json
import os
import platform
import re
import subprocess
import sys

import processes  # ends every process that it starts

BUILD, CONFIG, PROGRAMS = sys.argv[1], sys.argv[2], sys.argv[3:]
X86, ARM = platform.machine() == "x86_64", platform.machine() == "aarch64"
# Of which no program shows a trace.
COMMANDS = ["-ftrivial-auto-var-init=zero", "-fstack-clash-protection", "-fstack-protector-strong"] + \
    ["-fcf-protection=full"] * X86 + ["-mbranch-protection=standard"] * ARM + \
    ["-D_FORTIFY_SOURCE=3"] * (CONFIG != "Debug")
ROOMS = ("shared/", "server/", "client/")
# What takes one of them back, and the only rooms that may (docs/security.md).
UNDO = {"-ftrivial-auto-var-init=uninitialized": ("shared/physics/", "shared/game/"),
        "-fno-stack-protector": ("shared/physics/",),
        "-fcf-protection=none": (), "-mbranch-protection=none": (), "-fno-stack-clash-protection": ()}


def tool(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout


def marked_targets(program):
    """Counts the instructions to which an indirect jump may go. The C library's part of a program has up to four."""
    return len(re.findall(r"\t(?:endbr64|bti|paciasp)\b", tool("objdump", "-d", "--no-show-raw-insn", program)))


def lacks(program):
    header, segments, dynamic = tool("readelf", "-hW", program), tool("readelf", "-lW", program), tool("readelf", "-dW", program)
    symbols = set(re.findall(r" UND (\w+)", tool("readelf", "--dyn-syms", "-W", program)))
    stack = re.search(r"GNU_STACK.*?(R\S*)\s+0x", segments)
    marks = {
        "a position that nobody can foresee (PIE)": re.search(r"Type:\s+DYN", header) and "PIE" in dynamic,
        "a read-only table of addresses (RELRO)": "GNU_RELRO" in segments,
        "all addresses bound at the start (BIND_NOW)": "BIND_NOW" in dynamic or re.search(r"Flags:.*\bNOW\b", dynamic),
        "a stack without code": stack and "E" not in stack[1],
        "no segment that can be written and executed": not re.search(r"LOAD.*RWE", segments),
        "canaries on the stack": "__stack_chk_fail" in symbols,
        "checked calls of the C library (FORTIFY)": CONFIG == "Debug" or any(
            re.fullmatch(r"__\w+_chk", name) and name != "__stack_chk_fail" for name in symbols),
        "targets of indirect jumps": not (X86 or ARM) or marked_targets(program) > 20,
        "only libraries that it uses": not re.search(r"^\s+/", subprocess.run(
            ["ldd", "-u", program], capture_output=True, text=True, check=False).stdout, re.M),
    }
    return [mark for mark, found in marks.items() if not found]


def main():
    wrong = [f"{os.path.basename(program)} lacks {mark}" for program in PROGRAMS for mark in lacks(program)]
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    root = os.path.commonpath([row["file"] for row in commands])
    for row in commands:
        name = os.path.relpath(row["file"], root)
        if name.startswith(ROOMS):
            words = row["command"].split()
            wrong += [f"{name} is compiled without {flag}" for flag in COMMANDS if flag not in words]
            wrong += [f"{name} is compiled with {flag}" for flag, rooms in UNDO.items()
                      if flag in words and not name.startswith(rooms)]
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong[:40]))


main()
