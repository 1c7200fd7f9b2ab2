#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts, asks and ends the server as an operator does; each check takes about a second, and some run side by side.

  server_program_test.py DEADFALL_SERVER DEADFALL_ADMIN DEADFALL_BOTS DEADFALL_REPLAY HELD_CLOCK
"""
import concurrent.futures
import csv
import glob
import http.server
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../system"))
from processes import LOOPBACK, OperatedServer, wait_for  # noqa: E402

SERVER, ADMIN, BOTS, REPLAY, HELD_CLOCK = sys.argv[1:6]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_DATA, EXIT_UNAVAILABLE, EXIT_IO, EXIT_CONFIG = 0, 1, 64, 65, 69, 74, 78
MAP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/maps/foundry.tmj")
AT_ONCE = 8  # cases; more of them keep each other from their processors
DRAIN_S = 1.0  # how long a closing server waits for clients that do not answer


def check(condition, what):
    assert condition, what


def start(folder, *arguments, **environment):
    return OperatedServer(SERVER, ADMIN, folder, *arguments, environment=environment)


def run(*arguments, **environment):
    return subprocess.run([SERVER, *arguments], capture_output=True, text=True, timeout=20,
                          env={**os.environ, "XDG_STATE_HOME": "/proc/none", **environment})


def join(server, *arguments, seconds=20):
    """Load-test clients that have joined."""
    clients = subprocess.Popen([BOTS, "--server", server.place, "--count", "1", "--verify", "1", "--duration", f"{seconds}s",
                                *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_for(lambda: "1 players" in server.ask("status").stdout, "a client joins")
    return clients


def seed_of(recording):
    return re.search(r"seed (\d+)", subprocess.run([REPLAY, recording], capture_output=True, text=True, timeout=20).stdout)[1]


def least(attempt, enough=DRAIN_S / 2):
    """The least of up to four attempts: a busy machine delays some, a fault all."""
    results = [attempt()]
    while min(results) >= enough and len(results) < 4:
        results.append(attempt())
    return min(results)


def start_with_a_clock(folder):
    """A server with a clock that hold() stops: it then ends only for another reason than a time."""
    return start(folder, LD_PRELOAD=HELD_CLOCK, DEADFALL_HELD_CLOCK=folder + "/held",
                 ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0")


def hold(folder):
    open(folder + "/held", "w", encoding="ascii").close()


def has_handled(server, how):
    """Whether no signal of this kind waits for the server."""
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return not int(re.search(r"\nShdPnd:\s+(\w+)", status.read())[1], 16) >> (how - 1) & 1


def tick_of(server):
    return int(re.search(r"tick (\d+)", server.ask("status").stdout)[1])


def page_of(server, path):
    port = re.search(r"live page on port (\d+)", server.log())[1]
    with urllib.request.urlopen(f"http://{LOOPBACK}:{port}{path}", timeout=10) as answer:
        return answer.read().decode()


def rules_of(server):
    """What server browsers read: A2S_RULES, after its challenge."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as browser:
        browser.settimeout(10)
        browser.connect((LOOPBACK, int(server.place.rsplit(":", 1)[1])))
        browser.send(b"\xFF\xFF\xFF\xFFV\xFF\xFF\xFF\xFF")
        browser.send(b"\xFF\xFF\xFF\xFFV" + browser.recv(1500)[5:9])
        words = browser.recv(1500)[7:].decode().split("\0")
        return dict(zip(words[::2], words[1::2]))


def cpu_s(server):
    with open(f"/proc/{server.process.pid}/schedstat", encoding="ascii") as stat:
        return int(stat.read().split()[0]) / 1e9


def sleeps_of(server):
    """How often it has slept: a busy machine leaves a loop without sleep little time, but never lets it sleep."""
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
        return int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", status.read())[1])


def ends_after_its_duration(folder):
    begun = time.monotonic()
    server = start(folder, "--duration", "1500ms", "--bots", "2", "--record", folder, "--seed", "7", "--log-level", "debug")
    check(server.process.wait(20) == EXIT_OK, "a run with an end ends well")
    check(1.4 < time.monotonic() - begun < 10, "it ends when it is time")
    ticks, = re.findall(r"tick (\d+), 0 players, 2 bots", server.log())  # said once, at the end
    check(30 < int(ticks) <= 91, f"it plays 60 ticks a second: {ticks}")
    recording, = glob.glob(folder + "/*.dfr")
    verified = subprocess.run([REPLAY, recording, "--verify"], capture_output=True, text=True, timeout=20)
    check(verified.returncode == 0, "its recording verifies")
    check("0 wrong; proven by the secret of the dice" in verified.stdout, f"and proves its rolls: {verified.stdout}")
    check(seed_of(recording) == "7", "the match has the seed that was asked for")
    mean, most = re.search(r"ticks of (\d+) us on average.*, most (\d+) us", server.log()).groups()
    check(int(mean) <= int(most) < 10_000_000, f"ticks are as long as they are: {mean} us, {most} us")
    busy = r".* warning: (the match stood still|a tick took|\d+ ticks took).*\n"  # what a busy machine does
    log = re.sub(busy, "", server.log())
    check("error" not in log and "warning" not in log, f"nothing was wrong\n{log}")
    check(not os.path.exists(folder + "/journal.dfr"), "a match that has ended is not restored")


def each_match_has_a_seed_of_its_own(folder):
    seeds = set()
    for _ in range(2):
        server = start(folder, "--bots", "1", "--record", folder, "--resume", "never", "--duration", "100ms")
        check(server.process.wait(20) == EXIT_OK, "it ends")
    for recording in glob.glob(folder + "/*.dfr"):
        seeds.add(seed_of(recording))
    check(len(seeds) == 2 and "0" not in seeds, f"two matches have two seeds: {seeds}")


def a_seed_of_0_is_a_seed(folder):
    server = start(folder, "--bots", "1", "--record", folder, "--seed", "0", "--duration", "100ms")
    check(server.process.wait(20) == EXIT_OK and seed_of(glob.glob(folder + "/*.dfr")[0]) == "0", "seed 0")


def an_empty_server_ends_at_once(folder):
    for how in (signal.SIGTERM, signal.SIGINT):
        server = start_with_a_clock(folder)
        hold(folder)
        check(server.end(how) == EXIT_OK, "there is nobody to wait for")
        os.unlink(folder + "/held")
    check(not os.path.exists(folder + "/admin.sock"), "its socket is gone")
    check(os.path.exists(folder + "/journal.dfr"), "the next server can go on with the match")


def clients_read_that_the_server_closes(folder):
    server = start_with_a_clock(folder)
    client = join(server)
    hold(folder)
    check(server.end() == EXIT_OK, "the server ends as soon as everybody has left")
    check("closing" in client.communicate(timeout=20)[0], "the client reads why")


def a_client_that_hangs_is_not_waited_for(folder):
    server = start(folder)
    client = join(server)
    client.send_signal(signal.SIGSTOP)
    begun, before = time.monotonic(), cpu_s(server)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(DRAIN_S * 0.3)
    sleeps = sleeps_of(server)
    time.sleep(DRAIN_S * 0.4)
    check(cpu_s(server) - before < DRAIN_S * 0.3 and sleeps_of(server) > sleeps + 5, "it sleeps while it waits")
    check(server.process.wait(20) == EXIT_OK and DRAIN_S * 0.9 < time.monotonic() - begun < DRAIN_S * 6, "for a second")
    client.kill()


def a_second_signal_ends_it_at_once(folder):
    server = start_with_a_clock(folder)
    client = join(server)
    client.send_signal(signal.SIGSTOP)
    hold(folder)
    server.process.send_signal(signal.SIGTERM)
    wait_for(lambda: has_handled(server, signal.SIGTERM), "the server has the first signal")
    check(server.end() == EXIT_FAILED, "the second signal is an order")
    client.kill()


def without_its_program_a_server_does_not_restart(folder):
    program = shutil.copy(SERVER, folder + "/server")
    server = OperatedServer(program, ADMIN, folder, "--map", MAP)
    os.unlink(program)
    server.process.send_signal(signal.SIGUSR2)
    wait_for(lambda: "the server goes on" in server.log(), "the log says why")
    check(server.ask("status").returncode == 0 and server.end() == EXIT_OK, "it goes on")


def shutdown_is_an_order(folder):
    server = start(folder, "--bots", "1", "--duration", "1h")
    time.sleep(0.3)
    check(server.ask("shutdown").returncode == 0 and server.process.wait(10) == EXIT_OK, "shutdown")
    check(os.path.exists(folder + "/journal.dfr"), "the next server can go on with the match")


def sighup_reads_the_options_again(folder):
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(folder + "/notify")
    notify.settimeout(10)
    with open(folder + "/live.conf", "w", encoding="utf-8") as file:
        file.write("bots = 2\n")
    server = start(folder, "--config", folder + "/live.conf", "--duration", "1h", NOTIFY_SOCKET=folder + "/notify")
    for text, answer in (("bots = 3\n", "SIGHUP, changed: bots"), ("bots = x\n", "error: SIGHUP, nothing changed")):
        with open(folder + "/live.conf", "w", encoding="utf-8") as file:
            file.write(text)
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: answer in server.log(), answer)
    time.sleep(0.3)
    check(server.log().count("SIGHUP") == 2, "each signal is followed once")
    check("3 bots" in server.ask("status").stdout, "what may change has changed")
    server.end()
    heard = []
    while "STOPPING=1" not in heard:
        words = notify.recv(4096).decode().split("\n")[0]
        heard += [] if words.startswith("STATUS=") else [words]
    check(heard == ["FDSTORE=1", "READY=1", "RELOADING=1", "READY=1", "RELOADING=1", "READY=1", "STOPPING=1"], f"systemd hears {heard}")


def what_an_admin_set_stays_over_a_reload(folder):
    def write(text):
        with open(folder + "/server.conf", "w", encoding="utf-8") as file:
            file.write(text)
    write("bots = 1\nscore-limit = 10\n")
    server = start(folder, "--config", folder + "/server.conf", "--duration", "1h")
    check(server.ask("set", "bots", "3").returncode == 0 and server.ask("set", "score-limit", "20").returncode == 0, "set")
    write("bots = 1\nscore-limit = 30\n")
    answer = server.ask("reload").stdout
    check("kept as set: bots = 3, not 1" in answer and "no longer as set: score-limit = 30, not 20" in answer, f"reload: {answer}")
    wait_for(lambda: "3 bots" in server.ask("status").stdout, "the bots stay")
    server.end()


def a_match_of_bots_goes_on_alone(folder):
    server = start(folder, "--bots", "2", "--run-empty", "--record", folder, "--metrics", f"{LOOPBACK}:0")
    ticks = tick_of(server)
    wait_for(lambda: tick_of(server) > ticks + 60, "ticks pass without a client")
    check(json.loads(page_of(server, "/status.json"))["bots"] == 2, "the live page shows the bots")
    check(server.end() == EXIT_OK, "it ends")
    recording, = glob.glob(folder + "/foundry-*.dfr")
    verified = subprocess.run([REPLAY, recording, "--verify"], capture_output=True, text=True, timeout=20)
    check(verified.returncode == 0 and seed_of(recording), f"its recording verifies: {verified.stdout}")


def an_ipv6_address_has_brackets(folder):
    done = run("--port", "0", "--bind", "::1", "--state-dir", folder, "--duration", "100ms")
    check(re.match(r"ready: udp \[::1\]:\d+ map=", done.stdout), f"the ready line: {done}")


def the_ready_line_says_what_is_played(folder):
    arguments = ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--map", "duel", "--mode", "lms", "--duration", "100ms",
                 "--name", "Ada's", "--max-players", "9"]
    lines = [run(*arguments) for _ in range(2)]
    words = [re.fullmatch(r"ready: udp 127\.0\.0\.1:\d+ map=duel mode=lms key=(\S{16,})\n", done.stdout) for done in lines]
    check(all(words) and words[0][1] == words[1][1], f"a line for programs, with a key that stays: {lines}")
    check(re.search(r"info: Ada's: up to 9 players, socket buffer [1-9]\d* KiB, ready after \d+ ms\n", lines[0].stderr), f"a line for people: {lines[0]}")


def nobody_reads_the_ready_line(folder):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([SERVER, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--duration", "100ms"], stdout=writer,
                          stderr=subprocess.PIPE, text=True, timeout=20, restore_signals=True)
    os.close(writer)
    check(done.returncode == EXIT_IO and "cannot write the ready line: Broken pipe" in done.stderr, f"it plays all the same: {done}")


class Sidecar(http.server.BaseHTTPRequestHandler):
    """What an Agones sidecar hears; it asks for the end once somebody plays."""

    def answer(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, body))
        self.send_response(200)
        self.end_headers()
        if self.path == "/watch/gameserver":
            self.server.ready.wait(10)
            self.wfile.write(b'{"result":{"status":{"state":"Shutdown"}}}\n')
            self.wfile.flush()
            self.server.ended.wait(10)
        else:
            self.wfile.write(b"{}")
        if self.path == "/ready":
            self.server.ready.set()

    do_GET = do_POST = do_PUT = answer

    def log_message(self, *_):
        pass


def a_fleet_begins_and_ends_it(folder):
    sidecar = http.server.ThreadingHTTPServer((LOOPBACK, 0), Sidecar)
    sidecar.heard, sidecar.ready, sidecar.ended = [], threading.Event(), threading.Event()
    threading.Thread(target=sidecar.serve_forever, daemon=True).start()
    server = start(folder, "--bots", "1", "--duration", "1h", AGONES_SDK_HTTP_PORT=str(sidecar.server_address[1]))
    check(server.process.wait(10) == EXIT_OK, "it ends when the fleet asks for it")
    paths = [path for path, _ in sidecar.heard]
    check("/ready" in paths and paths[-1] == "/shutdown", f"the fleet knows: {paths}")
    check("Agones wants this server to end" in server.log(), "and the log says so")
    sidecar.ended.set()
    sidecar.shutdown()


def played_s(server):
    """How long each player has played, by name, from an export of the records."""
    path = server.ask("records", "export").stdout.split()[-1].rstrip(".")
    wait_for(lambda: os.path.exists(path), "an export")
    with open(path, encoding="utf-8", newline="") as file:
        rows = {row["name"]: int(row["played_s"]) for row in csv.DictReader(file)}
    os.unlink(path)
    return rows


def records_are_kept(folder):
    server = start(folder)
    client = join(server, "--name", "Ada", seconds=4)
    client.communicate(timeout=20)
    wait_for(lambda: "0 players" in server.ask("status").stdout, "they have left")
    check(server.end() == EXIT_OK, "it ends")
    server = start(folder)
    wait_for(lambda: "Ada1" in server.ask("records", "player", "Ada1").stdout, "the record outlives the server")
    check(played_s(server)["Ada1"] >= 1, "it counts how long they played")
    client = join(server, "--name", "Bob")
    time.sleep(1.5)
    server.end()
    client.communicate(timeout=20)
    server = start(folder)
    check(played_s(server)["Bob1"] >= 1, "also if they play until the server ends")
    server.end()


def the_next_match_begins_for_the_same_players(folder):
    server = start(folder, "--record", folder + "/replays", "--bots", "2")
    client = join(server, seconds=8)
    check(server.ask("map", "duel").returncode == 0, "map is an order")
    wait_for(lambda: "the next match: map=duel mode=ffa" in server.log(), "the next match")
    wait_for(lambda: "1 players" in server.ask("status").stdout, "the client stays")
    check("recording on, journal on" in server.ask("status").stdout, "recording and journal go on")
    text = client.communicate(timeout=20)[0]
    check(client.returncode in (EXIT_OK, 75) and "desync" in text, f"the client played on\n{text}")
    server.process.kill()  # a crash in the second match
    server.process.wait()
    names = sorted(os.path.basename(path) for path in glob.glob(folder + "/replays/*.dfr"))
    check(len(names) == 2 and any("duel" in name for name in names), f"each match has a recording: {names}")
    server = start(folder, "--bots", "2", "--duration", "1h")
    found = re.search(r"the match goes on at tick (\d+)", server.log())
    check(found and int(found[1]) > 60, f"the match is restored\n{server.log()}")
    check("on duel" in server.ask("status").stdout, "on its own map")
    check(server.ask("restart").returncode == 0, "restart is an order")
    wait_for(lambda: server.log().count("the next match: map=duel") == 2, "it starts again on the map of the match")
    server.end()


def a_match_leaves_no_file_open(folder):
    server = start(folder, "--bots", "2", "--duration", "1h", "--record", folder)
    counts = []
    for number in range(1, 5):
        check(server.ask("restart").returncode == 0, "restart is an order")
        wait_for(lambda: server.log().count("the next match") == number, "the next match")
        server.ask("status")
        counts.append(len(os.listdir(f"/proc/{server.process.pid}/fd")))
    check(counts[-1] <= counts[0] + 1, f"open files after each match: {counts}")  # one may be of the last question
    server.end()


def start_on_a_small_disk(folder, *arguments):
    """Records a match on what is like a disk with room for its first moments."""
    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    always = ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--resume", "never", "--records", "off", "--bots", "16",
              "--bot-skill", "hard"]
    check(run(*always, "--record", folder + "/short", "--duration", "50ms").returncode == EXIT_OK, "a short match")
    size = os.path.getsize(glob.glob(folder + "/short/*.dfr")[0]) + 200
    return subprocess.Popen([SERVER, *always, "--record", folder + "/long", *arguments], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, preexec_fn=limited)


def a_recording_that_cannot_be_written_is_an_error(folder):
    server = start_on_a_small_disk(folder, "--duration", "3s")
    log = server.communicate(timeout=20)[1]
    check(server.returncode == EXIT_IO and "error: " in log and ".dfr" in log, f"it says so: {log}")


def the_log_shows_every_ten_seconds_how_it_is(folder):
    server, lines = start_on_a_small_disk(folder, "--duration", "1h", "--log-level", "debug"), []
    for line in server.stderr:
        lines.append(line)
        if re.search(r"debug: tick \d+, 0 players, 16 bots; ticks of ", line):
            break
    server.terminate()
    server.communicate(timeout=20)
    faults = [line for line in lines if "the recording ends here" in line]
    check(len(faults) == 1 and "ticks of" in lines[-1], f"the operator reads of the full disk at once, and of the load: {lines}")


def a_restored_match_goes_on(folder):
    server = start(folder, "--bots", "3", "--duration", "1h")
    time.sleep(1)
    server.process.kill()
    server.process.wait()
    server = start(folder, "--bots", "3", "--duration", "1h", "--score-limit", "17")
    goes_on = int(re.search(r"the match goes on at tick (\d+)", server.log())[1])
    check(30 < goes_on and tick_of(server) >= goes_on, f"at tick {goes_on}")
    wait_for(lambda: rules_of(server)["score_limit"] == "17", "with the limits of now")
    server.end()
    server = start(folder, "--bots", "3", "--map", "duel", "--duration", "1h")
    check(server.log().count("goes on") == 1 and "another map or mode" in server.log(), "only on the map of the options")
    server.end()


def a_match_that_followed_another_is_restored(folder):
    arguments = ["--bots", "2", "--run-empty", "--record", folder + "/replays"]
    server = start(folder, *arguments)
    for name in ("skyline", "duel", "duel"):
        answer = server.ask("map", name)
        check("The next match begins." in answer.stdout, f"the map changes to {name}: {answer}")
    check("there is no map" in server.ask("map", "atlantis").stdout and server.ask("map", "atlantis").returncode == 1, "no such map")
    wait_for(lambda: os.path.exists(folder + "/journal.dfr") and not os.path.exists(folder + "/journal.dfr.new"), "a journal")
    ticks = tick_of(server)
    wait_for(lambda: tick_of(server) > ticks + 60, "ticks of the journal are on the disk")
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "it is killed")
    server = start(folder, *arguments)
    check("the match goes on at tick" in server.log() and " on duel, " in server.ask("status").stdout, f"restored: {server.log()}")
    check(server.end() == EXIT_OK, "it ends")
    for recording in glob.glob(folder + "/replays/*.dfr"):
        verified = subprocess.run([REPLAY, recording, "--info"], capture_output=True, text=True, timeout=20)
        check(verified.returncode == 0, f"a recording: {verified}")


def time_stands_still_without_clients(folder):
    server = start(folder)
    time.sleep(0.4)
    first, before, sleeps = tick_of(server), cpu_s(server), sleeps_of(server)
    time.sleep(1)
    check(cpu_s(server) - before < 0.3 and sleeps_of(server) > sleeps + 1, "it sleeps")
    check(tick_of(server) - first < 10, "no time passes, and commands are answered all the same")
    client = join(server)
    wait_for(lambda: tick_of(server) > first + 10, "time passes with a client")
    client.kill()
    server.end()


def a_sleep_is_no_overrun(folder):
    def overruns():
        server = start(folder)
        time.sleep(0.4)
        client = join(server)
        count = int(re.search(r"(\d+) overruns", server.ask("status").stdout)[1])
        client.kill()
        server.end()
        return count
    check(least(overruns) == 0, "the clock starts again when a client wakes the server")


def a_server_that_was_stopped_keeps_the_time(folder):
    server = start(folder, "--bots", "1", "--duration", "1h")
    time.sleep(0.2)
    first, begun = tick_of(server), time.monotonic()
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(0.5)
    server.process.send_signal(signal.SIGCONT)
    wait_for(lambda: (time.monotonic() - begun) * 60 - (tick_of(server) - first) < 10, "ticks have the numbers of their time")
    stood = int(re.search(r"stood still for (\d+) ticks", server.ask("status").stdout)[1])
    check(stood >= 25, f"the match stood still for all but four of 30 ticks: {stood}")
    server.end()


def a_running_match_leaves_the_machine_alone(folder):
    server = start(folder, "--bots", "1", "--duration", "1h")
    time.sleep(0.2)
    first, before, sleeps = tick_of(server), cpu_s(server), sleeps_of(server)
    time.sleep(1)
    slept = sleeps_of(server) - sleeps
    check(cpu_s(server) - before < 0.5 and slept > 20, "it sleeps between ticks")
    ticks = tick_of(server) - first
    check(30 < ticks < 120, "60 ticks a second")
    check(slept < 2 * ticks, f"it wakes once a tick: {slept} times in {ticks}")
    server.end()


def monitors_see_the_match(folder):
    server = start(folder, "--bots", "2", "--duration", "1h", "--metrics", f"{LOOPBACK}:0", "--name", "Ada's")
    wait_for(lambda: json.loads(page_of(server, "/status.json"))["match"]["tick"] > 5, "the page follows the match")
    check("deadfall_" in page_of(server, "/metrics"), "metrics")
    port = server.place.rsplit(":", 1)[1]
    well = run("--healthcheck", "--port", port)
    check(well.returncode == 0 and "Ada's plays foundry" in well.stdout, f"--healthcheck: {well}")
    check("up to 16 players, socket buffer" in server.log(), "how large it is")
    server.end()
    check(run("--healthcheck", "--port", port).returncode == 1, "--healthcheck of a server that has ended")


def a_password_is_asked_for(folder):
    path = folder + "/password"
    with open(path, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write("open sesame\n")
    server = start(folder, "--password-file", path)
    refused = subprocess.run([BOTS, "--server", server.place, "--count", "1", "--duration", "1s"], capture_output=True, text=True,
                             timeout=20)
    check("password" in refused.stdout + refused.stderr, f"nobody joins without it: {refused}")
    client = join(server, "--password-file", path)
    client.kill()
    server.end()


def what_is_wrong_ends_it_with_a_sentence(folder):
    with open(folder + "/open", "w", encoding="utf-8") as file:
        file.write("open sesame\n")
    os.chmod(folder + "/open", 0o644)
    with open(folder + "/good.conf", "w", encoding="utf-8") as file:
        file.write("bots = 3\n")
    with open(folder + "/bad.conf", "w", encoding="utf-8") as file:
        file.write("bots = 3\nbots = 4\n")
    first = start(folder)
    port = first.place.rsplit(":", 1)[1]
    own = ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder + "/own"]
    for name, file, text in (("own", None, None), ("torn", "server.key", "x"), ("banned", "bans", "nobody for ever\n")):
        os.mkdir(f"{folder}/{name}")
        if file:
            with open(f"{folder}/{name}/{file}", "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as made:
                made.write(text)
    rows = [
        (["--colour", "red"], EXIT_USAGE, "--colour"),
        (["--bots", "17"], EXIT_USAGE, "more than --max-players"),
        (["--bots", "17", "--check-config"], EXIT_USAGE, "more than --max-players"),
        (["--config", folder + "/bad.conf"], EXIT_CONFIG, "bots is set twice"),
        ([*own, "--map", "atlantis"], EXIT_DATA, "atlantis"),
        ([*own, "--map", "atlantis", "--check-config"], EXIT_DATA, "atlantis"),
        ([*own, "--rotation", "duel,atlantis"], EXIT_DATA, "atlantis"),
        ([*own, "--rotation", "duel,atlantis", "--check-config"], EXIT_DATA, "atlantis"),
        ([*own, "--mode", "breakout", "--map", "duel"], EXIT_DATA, "duel"),
        (["--port", "0", "--state-dir", "/proc/none"], EXIT_UNAVAILABLE, "/proc/none"),
        ([*own, "--record", "/proc/none"], EXIT_IO, "/proc/none"),
        ([*own, "--record", "/proc/none", "--check-config"], EXIT_IO, "/proc/none"),
        ([*own, "--record", "off", "--check-config"], EXIT_OK, None),
        ([*own, "--password-file", folder + "/nowhere", "--check-config"], EXIT_CONFIG, "/nowhere"),
        ([*own, "--state-dir", folder + "/torn", "--check-config"], EXIT_IO, "server.key"),
        ([*own, "--state-dir", folder + "/banned", "--check-config"], EXIT_DATA, "bans"),
        ([*own, "--record", folder, "--check-config"], EXIT_OK, None),
        ([*own, "--config", folder + "/good.conf", "--check-config"], EXIT_OK, None),
        ([*own, "--password-file", folder + "/open"], EXIT_CONFIG, folder + "/open"),
        ([*own, "--password-file", folder + "/none"], EXIT_CONFIG, folder + "/none"),
        (["--bind", LOOPBACK, "--port", port, "--state-dir", folder + "/own"], EXIT_UNAVAILABLE, "in use"),
        (["--bind", LOOPBACK, "--port", "0", "--state-dir", folder], EXIT_UNAVAILABLE, "another server"),
        ([*own, "--admin-socket", "/proc/none/sock"], EXIT_UNAVAILABLE, "/proc/none/sock"),
        ([*own, "--metrics", f"{LOOPBACK}:1", "--bind", "192.0.2.1"], EXIT_UNAVAILABLE, ""),
        (["--help"], EXIT_OK, None),
        (["--version"], EXIT_OK, None),
    ]
    for arguments, code, words in rows:
        done = run(*arguments)
        check(done.returncode == code, f"{arguments} ends with {code}: {done}")
        check(words is None or (words in done.stderr and done.stdout == ""), f"{arguments} says why: {done}")
        check(words is not None or done.stderr == "", f"{arguments} is well: {done}")
    done = run(*own, "--check-config", HOME="/proc/none", XDG_STATE_HOME="", STATE_DIRECTORY="")
    check(done.returncode == EXIT_OK, f"a state directory that is given: {done}")
    done = run("--port", "0", "--check-config", HOME="", XDG_STATE_HOME="", STATE_DIRECTORY="")
    check(done.returncode == EXIT_IO and "set --state-dir or HOME" in done.stderr, f"no folder for the key: {done}")
    done = run("--port", "0", "--bind", LOOPBACK, HOME="", XDG_STATE_HOME="", STATE_DIRECTORY="")
    check(done.returncode == EXIT_IO and "set --state-dir or HOME" in done.stderr, f"a start without one: {done}")
    done = run(*own, "--check-config", DEADFALL_BOT="5")
    check(done.returncode == EXIT_OK and "DEADFALL_BOT is not an option" in done.stderr, f"an unknown variable: {done}")
    check(first.process.poll() is None and first.end() == EXIT_OK, "the first server was not disturbed")


def a_full_disk_is_reported(folder):
    for arguments in (["--help"], ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--duration", "100ms"]):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([SERVER, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=20)
        check(done.returncode == EXIT_IO, f"{arguments} with nowhere to write: {done}")
    check("cannot write the ready line" in done.stderr, f"the server says so: {done}")


CASES = [value for value in list(globals().values()) if getattr(value, "__code__", None) and
         value.__code__.co_varnames[:1] == ("folder",) and not value.__name__.startswith("start")]


def passes(case):
    with tempfile.TemporaryDirectory() as folder:
        try:
            case(folder)
            return True
        except BaseException:  # of a thread, SystemExit too
            print(f"FAILED: {case.__name__}")
            traceback.print_exc()
            return False


if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(passes, CASES))
    print(f"{sum(results)} of {len(results)} checks passed")
    sys.exit(0 if all(results) else 1)
