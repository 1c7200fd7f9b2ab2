#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stage from outside: stage_test.py SCENE WAITS STATIC

Runs small scenes and looks at what they print, how long they took in virtual time and what the stage says of them. WAITS
(waits_test.c) has each way to wait of a C program, STATIC is one that cannot load the stage.
"""
import os
import re
import subprocess
import sys

SCENE, WAITS, STATIC = map(os.path.abspath, sys.argv[1:4])
SYSTEM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../system")

LINE = f"""
import socket, sys, time
sys.path.insert(0, {SYSTEM!r})
import stage
begun = time.monotonic()
ms = lambda: round(1000 * (time.monotonic() - begun), 6)
def bound(family, address):
    made = socket.socket(family, socket.SOCK_DGRAM)
    made.bind((address, 0))
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    return made
"""


def run(*command, code=0, **environment):
    """Returns what a scene prints, and the virtual seconds that it took."""
    done = subprocess.run([SCENE, *command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}"
    found = re.search(r"^scene: ([\d.]+) virtual s", done.stdout, re.M)
    return done.stdout, float(found[1]) if found else None


def python(script, *options, code=0, **environment):
    return run(*options, sys.executable, "-c", script, code=code, **environment)


def prints(script, expected):
    text = python(LINE + script, "--twice")[0]
    lines = text.splitlines()
    assert lines[:len(expected)] == expected, f"{lines[:len(expected)]}, not {expected}"


def every_way_to_wait_takes_its_time():
    text, _ = run("--twice", WAITS)
    chances = re.findall(r"^chance: .*", text, re.M)
    assert len(chances) == 2 and chances[0] == chances[1], chances
    other = re.findall(r"^chance: .*", run("--seed", "2", WAITS)[0], re.M)
    assert other != chances[:1], "another seed has other numbers"


def time_costs_nothing():
    assert run("sleep", "1000000")[1] == 1000000
    assert run("sh", "-c", "(sleep 3; echo late) | (read x; test $x = late); sleep 2")[1] == 5
    assert run("timeout", "7", "sleep", "100", code=124)[1] == 7


def a_static_program_is_outside():
    text, virtual_s = run("sh", "-c", f"(sleep 3; printf x) | {STATIC}; echo; sleep 2")
    assert virtual_s == 5 and "x" in text, text


def who_waits_for_nothing_fails():
    text = run("sh", "-c", "mkfifo $TMPDIR/never; read x <>$TMPDIR/never", code=137)[0]
    assert "everybody waits, and nothing can come" in text and "sh, process" in text, text


def a_scene_passes_its_code_on():
    run("sh", "-c", "exit 3", code=3)
    run("sh", "-c", "kill -9 $$", code=137)
    run("/no/such/program", code=127)


def processes_of_a_scene_end_with_it():
    """They are in a process namespace of their own: what they hold open is closed when the scene is over."""
    read, write = os.pipe()
    os.set_inheritable(write, True)
    process = subprocess.Popen([SCENE, "sh", "-c", "sleep 1000000 & sleep 1000000 & exit 0"], pass_fds=[write], stdout=subprocess.DEVNULL)
    os.close(write)
    assert process.wait() == 0 and os.read(read, 1) == b"", "nobody holds the pipe any more"


def the_line_delays_both_ways():
    prints("""
stage.line(delay_ms=40)
for family, address in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"):
    a, b = bound(family, address), bound(family, address)
    begun = time.monotonic()
    a.sendto(b"there", b.getsockname())
    text, origin = b.recvfrom(100)
    print(text, origin == a.getsockname(), ms())
    b.sendto(b"back", origin)
    print(a.recv(100), ms())
stage.line()
a.sendto(b"at once", b.getsockname())
print(b.recv(100), ms())
""", ["b'there' True 40.0", "b'back' 80.0", "b'there' True 40.0", "b'back' 80.0", "b'at once' 80.0"])


def the_line_loses_doubles_and_overtakes():
    prints("""
a, b = bound(socket.AF_INET, "127.0.0.1"), bound(socket.AF_INET, "127.0.0.1")
b.settimeout(1)
def send_1000(**faults):
    stage.line(delay_ms=1, **faults)
    for i in range(1000):
        a.sendto(b"%d" % i, b.getsockname())
        time.sleep(0.001)
    got = []
    try:
        while True:
            got.append(int(b.recv(100)))
    except TimeoutError:
        return got
plain, lossy, double, late = send_1000(), send_1000(loss=0.2), send_1000(duplicates=0.2), send_1000(late=0.1, late_ms=3)
print(plain == list(range(1000)))
print(150 < 1000 - len(lossy) < 250 and len(set(lossy)) == len(lossy))
print(150 < len(double) - 1000 < 250 and set(double) == set(range(1000)))
print(sorted(late) == list(range(1000)), 50 < sum(x > y for x, y in zip(late, late[1:])) < 150)
stage.line(delay_ms=1, loss=1, port=b.getsockname()[1])
a.sendto(b"lost", b.getsockname())
b.sendto(b"too", a.getsockname())
c = bound(socket.AF_INET, "127.0.0.1")
c.sendto(b"of others", a.getsockname())
print(a.recv(100))
""", ["True", "True", "True", "True True", "b'of others'"])


def the_line_keeps_the_order_of_a_burst():
    prints("""
a, b = bound(socket.AF_INET, "127.0.0.1"), bound(socket.AF_INET, "127.0.0.1")
stage.line(delay_ms=40)
for i in range(100):
    a.sendto(b"%d" % i, b.getsockname())
print([int(b.recv(100)) for i in range(100)] == list(range(100)), ms())
""", ["True 40.0"])


def what_a_dead_process_sent_arrives():
    prints("""
import subprocess
b = bound(socket.AF_INET, "127.0.0.1")
stage.line(delay_ms=500)
subprocess.run([sys.executable, "-c", "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'bye', ('127.0.0.1', %d))"
                % b.getsockname()[1]], check=True)
print(ms(), b.recv(100), ms())
""", ["0.0 b'bye' 500.0"])


def a_late_disk_takes_its_time():
    prints("""
import os, tempfile
folder = tempfile.mkdtemp()
stage.disk(folder, 1500)
file = open(folder + "/a", "w"); print(ms())
os.fsync(file.fileno()); print(ms())
os.rename(folder + "/a", folder + "/b"); print(ms())
os.unlink(folder + "/b"); print(ms())
open("/dev/null").close(); stage.disk(folder, 0); open(folder + "/c", "w").close(); print(ms())
""", ["1500.0", "3000.0", "4500.0", "6000.0", "6000.0"])


def a_call_that_the_stage_does_not_know_fails_the_scene():
    """A pipe that is read by the kernel's number: no wait that the stage takes over."""
    script = """
import ctypes, os, threading, time
ends = os.pipe()
threading.Timer(5, lambda: os.write(ends[1], b"x")).start()
room = ctypes.create_string_buffer(1)
print(ctypes.CDLL(None).syscall(0, ends[0], room, 1))
"""
    text = python(script, code=70, STAGE_TELLS="1")[0]
    assert "1 seizures" in text and "somebody blocks in a call that the stage does not know" in text and "python" in text, text


def who_holds_time_up_is_named():
    scene = subprocess.Popen([SCENE, "sh", "-c", "sleep 1 & while :; do :; done"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = ""
    while not re.search(r"\* sh, process \d+", said):
        said += (line := scene.stdout.readline())
        assert line, said
    scene.terminate()
    scene.wait()
    assert "nothing has moved for five real seconds" in said, said


def runs_that_differ_are_found():
    """A scene that asks the real world goes another way each time."""
    script = "import time; open('/proc/uptime').read(); time.sleep(int(open('/proc/uptime').read().replace('.', '').split()[0]) / 1000)"
    text = python(script, "--twice", code=70)[0]
    assert "two runs went different ways" in text and ("differs" in text or "the same turns took" in text), text


for test in (every_way_to_wait_takes_its_time, time_costs_nothing, a_static_program_is_outside, a_scene_passes_its_code_on, processes_of_a_scene_end_with_it,
             the_line_delays_both_ways, the_line_loses_doubles_and_overtakes, the_line_keeps_the_order_of_a_burst,
             what_a_dead_process_sent_arrives, a_late_disk_takes_its_time,
             a_call_that_the_stage_does_not_know_fails_the_scene, runs_that_differ_are_found, who_waits_for_nothing_fails, who_holds_time_up_is_named):
    test()
    print(test.__name__.replace("_", " "), flush=True)
