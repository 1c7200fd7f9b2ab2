#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults planted into the stage are found by its tests: planted_test.py COMPILER SCENE WAITS STATIC

Each row changes one line of a copy, which is built and judged by waits_test and stage_test.py.
"""
import os
import shutil
import subprocess
import sys
import tempfile

COMPILER, SCENE, WAITS, STATIC = sys.argv[1:5]
HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-std=c17", "-D_GNU_SOURCE", "-O1", "-fPIC", "-U_FORTIFY_SOURCE", "-w"]
FAULTS = (
    ("a jump goes too far", "turns.c", "    stage->now_ns = next->deadline_ns;\n", "    stage->now_ns = next->deadline_ns + 5000000;\n"),
    ("a stopped process has a deadline", "turns.c", "slot->state == SLOT_WAITS && !slot->stopped && slot->deadline_ns", "slot->state == SLOT_WAITS && slot->deadline_ns"),
    ("a deadline comes a millisecond late", "clock.c", "after_ns(timespec_ns(time))", "after_ns(timespec_ns(time) + 1000000)"),
    ("who came last for a condition goes on first", "threads.c", "w->ticket < first->ticket", "w->ticket > first->ticket"),
    ("a condition's deadline is forgotten", "threads.c", "await_wake(condition, deadline_ns,", "await_wake(condition, NEVER_NS,"),
    ("a thread behind the stage joins in", "turns.c", "    own_end = (int)syscall(SYS_gettid) != own_pid;\n", ""),
    ("who waits outside is not woken", "threads.c", "return wake(condition, 1) ? 0 : REAL(pthread_cond_signal)(condition);", "wake(condition, 1); return 0;"),
    ("SO_RCVTIMEO is forgotten", "files.c", "socket_deadline_ns(file, SO_RCVTIMEO)", "NEVER_NS"),
    ("who only sends does not give way", "files.c", "++sends % SEND_BURST == 0", "0"),
    ("a blocking write gives up", "files.c", 'if (await_event(file, POLLOUT, NEVER_NS, "write"))', "if (1)"),
    ("streams are not asked before", "stdio.c", "return stream->_IO_read_ptr >= stream->_IO_read_end;", "return false;"),
    ("kill does not wait for the death", "signals.c", "            kernel_await_death(slot->pid);\n", ""),
    ("a handler does not end a wait", "signals.c", "    own_signals++;\n", ""),
    ("a periodic timer goes off once", "timers.c", "timer->period_ns ? timer->due_ns + timer->period_ns : NEVER_NS", "NEVER_NS"),
    ("arrival is the time of reading", "files.c", "if (stage->jump[(last - 1 - k) % JUMPS].real_ns <= real_ns)", "if (k == 0)"),
    ("chance is the kernel's", "chance.c", "    if (!acts())\n        return REAL(getrandom)", "    if (true)\n        return REAL(getrandom)"),
    ("a static program holds the token", "children.c", "    bool leaves = is_static(path) && access(path, X_OK) == 0;\n", "    bool leaves = false;\n"),
    ("a child that shares memory acts for its parent", "turns.c", "own_end || own_vforks)", "own_end)"),
    ("the line keeps no order", "line.c", "x->due_ns != y->due_ns ? x->due_ns < y->due_ns : x->number < y->number", "x->number > y->number"),
    ("what is lost arrives", "line.c", "draw(line, PPM) < line->loss_ppm", "false"),
    ("the disk is never late", "disk.c", "stage->disk.delay_ns && acts()", "false && acts()"),
    ("a seizure is not counted", "turns.c", "        stage->seizures++;\n", ""),
)


def build(folder, sources):
    objects = []
    for name in sorted(sources):
        target = os.path.join(folder, name + ".o")
        subprocess.run([COMPILER, *FLAGS, "-c", os.path.join(folder, name), "-o", target], check=True)
        objects.append(target)
    return objects


def link(objects, folder):
    subprocess.run([COMPILER, "-shared", *objects, "-o", os.path.join(folder, "stage.so"), "-ldl"], check=True)


def is_found(folder):
    """Whether a test of the stage fails, or does not end, with the library in the folder."""
    scene = os.path.join(folder, "scene")
    for command in ([scene, "--twice", WAITS], [os.path.join(HERE, "stage_test.py"), scene, WAITS, STATIC]):
        done = subprocess.run(["timeout", "-k", "1", "30", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if done.returncode:
            return True
    return False


def main():
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        sources = [name for name in os.listdir(HERE) if name.endswith(".c") and name not in ("scene.c", "waits_test.c", "static_reader.c")]
        for name in [*sources, "stage.h"]:
            shutil.copy(os.path.join(HERE, name), folder)
        shutil.copy(SCENE, os.path.join(folder, "scene"))
        good = build(folder, sources)
        for what, name, old, new in FAULTS:
            with open(os.path.join(HERE, name), encoding="utf-8") as file:
                text = file.read()
            if text.count(old) != 1:
                sys.exit(f"FAILED: {what}: {name} has its line {text.count(old)} times")
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
            link([*build(folder, [name]), *(one for one in good if one != os.path.join(folder, name + ".o"))], folder)
            found = is_found(folder)
            print(f"{'found' if found else 'MISSED'}: {what}", flush=True)
            missed += [] if found else [what]
            shutil.copy(os.path.join(HERE, name), folder)
            build(folder, [name])
    if missed:
        sys.exit(f"FAILED: {len(missed)} of {len(FAULTS)} planted faults were missed")


main()
