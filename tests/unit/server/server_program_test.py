#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts, asks and ends the server as an operator does, as a scene.

  server_program_test.py DEADFALL_SERVER DEADFALL_ADMIN DEADFALL_BOTS DEADFALL_REPLAY [real]

With `real` it runs those that are played in real time, since on the stage the fork of a server that cannot exec may never go on.
"""
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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../system"))
from processes import LOOPBACK, PAGE, Bots, Server, check, ms_until, run, run_at_once, wait_for, write  # noqa: E402

SERVER, ADMIN, BOTS, REPLAY = sys.argv[1:5]
EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_DATA, EXIT_UNAVAILABLE, EXIT_IO, EXIT_CONFIG = 0, 1, 64, 65, 69, 74, 78
MAP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/maps/foundry.tmj")
TICK_MS = 1000 / 60
DRAIN_MS = 1000  # how long a closing server waits for clients that do not answer


def start(folder, *arguments, **environment):
    return Server(SERVER, *arguments, folder=folder, admin=ADMIN, environment=environment)


def server_run(*arguments, **environment):
    return run(SERVER, *arguments, code=None, env={**os.environ, "XDG_STATE_HOME": "/proc/none", **environment})


def join(server, *arguments):
    """A load-test client that has joined."""
    clients = Bots(BOTS, server, 1, "--verify", "1", *arguments)
    wait_for(lambda: server.told("1 players"), "a client joins")
    return clients


def ended_after_ms(server, how=signal.SIGTERM):
    server.process.send_signal(how)
    return ms_until(lambda: server.process.poll() is not None, "it ends")


def seed_of(recording):
    return re.search(r"seed (\d+)", run(REPLAY, recording).stdout)[1]


def rules_of(server):
    """What server browsers read: A2S_RULES, after its challenge."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as browser:
        browser.connect((LOOPBACK, server.port))
        browser.send(b"\xFF\xFF\xFF\xFFV\xFF\xFF\xFF\xFF")
        browser.send(b"\xFF\xFF\xFF\xFFV" + browser.recv(1500)[5:9])
        words = browser.recv(1500)[7:].decode().split("\0")
        return dict(zip(words[::2], words[1::2]))


def ticks_in(server, seconds):
    """How many ticks pass in a time: an answer comes with a tick."""
    before, begun = server.tick(), time.monotonic()
    time.sleep(seconds)
    ticks, took_s = server.tick() - before, time.monotonic() - begun
    return round(60 * seconds) if abs(ticks - 60 * took_s) < 1 else ticks


def work_s(server):
    """Processor time: in a scene of virtual work, which is counted in calls."""
    return server.metric("process_cpu_seconds_total")


def ends_after_its_duration(folder):
    server = start(folder, "--duration", "1500ms", "--bots", "2", "--record", folder, "--seed", "7", "--log-level", "debug")
    took_ms = ms_until(lambda: server.process.poll() is not None, "it ends")
    check(server.process.returncode == EXIT_OK and 1500 <= took_ms <= 1500 + TICK_MS, f"it ends when it is time: {took_ms} ms")
    ticks, = re.findall(r"tick (\d+), 0 players, 2 bots", server.log())  # said once, at the end
    check(ticks == "89", f"it plays 60 ticks a second, and ends before the ninetieth: {ticks}")
    recording, = glob.glob(folder + "/*.dfr")
    verified = run(REPLAY, recording, "--verify")
    check("0 wrong; proven by the secret of the dice" in verified.stdout, f"its recording verifies, and proves its rolls: {verified.stdout}")
    check(seed_of(recording) == "7", "the match has the seed that was asked for")
    check("error" not in server.log() and "warning" not in server.log(), f"nothing was wrong\n{server.log()}")
    check(not os.path.exists(folder + "/journal.dfr"), "a match that has ended is not restored")


def each_match_has_a_seed_of_its_own(folder):
    seeds = set()
    for _ in range(2):
        server = start(folder, "--bots", "1", "--record", folder, "--resume", "never", "--duration", "100ms")
        check(server.process.wait() == EXIT_OK, "it ends")
    for recording in glob.glob(folder + "/*.dfr"):
        seeds.add(seed_of(recording))
    check(len(seeds) == 2 and "0" not in seeds, f"two matches have two seeds: {seeds}")


def a_seed_of_0_is_a_seed(folder):
    server = start(folder, "--bots", "1", "--record", folder, "--seed", "0", "--duration", "100ms")
    check(server.process.wait() == EXIT_OK and seed_of(glob.glob(folder + "/*.dfr")[0]) == "0", "seed 0")


def an_empty_server_ends_at_once(folder):
    for how in (signal.SIGTERM, signal.SIGINT):
        server = start(folder)
        took_ms = ended_after_ms(server, how)
        check(server.process.returncode == EXIT_OK and took_ms <= 1, f"there is nobody to wait for: {took_ms} ms")
    check(not os.path.exists(folder + "/admin.sock"), "its socket is gone")
    check(os.path.exists(folder + "/journal.dfr"), "the next server can go on with the match")


def clients_read_that_the_server_closes(folder):
    server = start(folder)
    client = join(server)
    took_ms = ended_after_ms(server)
    check(server.process.returncode == EXIT_OK and took_ms <= 3 * TICK_MS, f"the server ends as soon as everybody has left: {took_ms} ms")
    client.report()
    check("closing" in client.text, "the client reads why")


def a_client_that_hangs_is_not_waited_for(folder):
    server = start(folder)
    client = join(server)
    client.process.send_signal(signal.SIGSTOP)
    took_ms = ended_after_ms(server)
    check(server.process.returncode == EXIT_OK and DRAIN_MS <= took_ms <= DRAIN_MS + TICK_MS, f"it waits for a second: {took_ms} ms")
    client.process.kill()
    client.process.wait()


def a_second_signal_ends_it_at_once(folder):
    server = start(folder)
    client = join(server)
    client.process.send_signal(signal.SIGSTOP)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    took_ms = ended_after_ms(server)
    check(server.process.returncode == EXIT_FAILED and took_ms <= 1, f"the second signal is an order: {took_ms} ms")
    client.process.kill()
    client.process.wait()


def without_its_program_a_server_does_not_restart(folder):
    program = shutil.copy(SERVER, folder + "/server")
    server = Server(program, "--map", MAP, folder=folder, admin=ADMIN)
    os.unlink(program)
    server.process.send_signal(signal.SIGUSR2)
    server.said("the server goes on")
    server.order("status")
    check(server.end() == EXIT_OK, "it goes on")


def shutdown_is_an_order(folder):
    server = start(folder, "--bots", "1", "--duration", "1h")
    check(server.ask("shutdown").returncode == 0 and server.process.wait() == EXIT_OK, "shutdown")
    check(os.path.exists(folder + "/journal.dfr"), "the next server can go on with the match")


def sighup_reads_the_options_again(folder):
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(folder + "/notify")
    write(folder + "/live.conf", "bots = 2\n")
    server = start(folder, "--config", folder + "/live.conf", "--duration", "1h", NOTIFY_SOCKET=folder + "/notify")
    for text, answer in (("bots = 3\n", "SIGHUP, changed: bots"), ("bots = x\n", "error: SIGHUP, nothing changed")):
        write(folder + "/live.conf", text)
        server.process.send_signal(signal.SIGHUP)
        server.said(answer)
    time.sleep(5)
    check(server.log().count("SIGHUP") == 2, "each signal is followed once")
    check(server.told("3 bots"), "what may change has changed")
    server.end()
    heard = []
    while "STOPPING=1" not in heard:
        words = notify.recv(4096).decode().split("\n")[0]
        heard += [] if words.startswith("STATUS=") else [words]
    check(heard == ["FDSTORE=1", "READY=1", "RELOADING=1", "READY=1", "RELOADING=1", "READY=1", "STOPPING=1"], f"systemd hears {heard}")


def a_match_of_bots_goes_on_alone(folder):
    server = start(folder, "--bots", "2", "--run-empty", "--record", folder, *PAGE)
    ticks = ticks_in(server, 10)
    check(ticks == 600, f"60 ticks in each second pass without a client: {ticks}")
    check(server.status()["bots"] == 2, "the live page shows the bots")
    check(server.end() == EXIT_OK, "it ends")
    recording, = glob.glob(folder + "/foundry-*.dfr")
    verified = run(REPLAY, recording, "--verify")
    check(verified.returncode == 0 and seed_of(recording), f"its recording verifies: {verified.stdout}")


def an_ipv6_address_has_brackets(folder):
    done = server_run("--port", "0", "--bind", "::1", "--state-dir", folder, "--duration", "100ms")
    check(re.match(r"ready: udp \[::1\]:\d+ map=", done.stdout), f"the ready line: {done}")


def the_ready_line_says_what_is_played(folder):
    arguments = ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--map", "duel", "--mode", "lms", "--duration", "100ms",
                 "--name", "Ada's", "--max-players", "9"]
    lines = [server_run(*arguments) for _ in range(2)]
    words = [re.fullmatch(r"ready: udp 127\.0\.0\.1:\d+ map=duel mode=lms key=(\S{16,})\n", done.stdout) for done in lines]
    check(all(words) and words[0][1] == words[1][1], f"a line for programs, with a key that stays: {lines}")
    check(re.search(r"info: Ada's: up to 9 players, socket buffer [1-9]\d* KiB, ready after \d+ ms\n", lines[0].stderr), f"a line for people: {lines[0]}")


def nobody_reads_the_ready_line(folder):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([SERVER, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--duration", "100ms"], stdout=writer,
                          stderr=subprocess.PIPE, text=True, timeout=600, restore_signals=True)
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
    check(server.process.wait() == EXIT_OK, "it ends when the fleet asks for it")
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
    client = join(server, "--name", "Ada")
    time.sleep(10)
    client.end()
    wait_for(lambda: server.told("0 players"), "they have left")
    check(server.end() == EXIT_OK, "it ends")
    server = start(folder)
    wait_for(lambda: "Ada1" in server.ask("records", "player", "Ada1").stdout, "the record outlives the server")
    check(played_s(server)["Ada1"] == 10, f"it counts how long they played: {played_s(server)}")
    client = join(server, "--name", "Bob")
    time.sleep(20)
    server.end()
    client.report()
    server = start(folder)
    check(played_s(server)["Bob1"] == 20, f"also if they play until the server ends: {played_s(server)}")
    server.end()


def the_next_match_begins_for_the_same_players(folder):
    server = start(folder, "--record", folder + "/replays", "--bots", "2")
    client = join(server)
    server.order("map", "duel")
    wait_for(lambda: "the next match: map=duel mode=ffa" in server.log(), "the next match")
    wait_for(lambda: server.told("1 players"), "the client stays")
    check(server.told("recording on, journal on"), "recording and journal go on")
    time.sleep(10)
    totals = client.end()["totals"]
    check(totals["connected"] == 1 and totals["desyncs"] == totals["disconnects"] == totals["counts"]["snapshots_lost"] == 0, f"the client plays on: {totals}")
    server.end(signal.SIGKILL)  # a crash in the second match
    names = sorted(os.path.basename(path) for path in glob.glob(folder + "/replays/*.dfr"))
    check(len(names) == 2 and any("duel" in name for name in names), f"each match has a recording: {names}")
    server = start(folder, "--bots", "2", "--duration", "1h")
    found = re.search(r"the match goes on at tick (\d+)", server.log())
    check(found and 540 < int(found[1]) <= 610, f"the match is restored\n{server.log()}")
    check(server.told("on duel"), "on its own map")
    server.order("restart")
    wait_for(lambda: server.log().count("the next match: map=duel") == 2, "it starts again on the map of the match")
    server.end()


def a_match_leaves_no_file_open(folder):
    server = start(folder, "--bots", "2", "--duration", "1h", "--record", folder)
    counts = []
    for number in range(1, 5):
        server.order("restart")
        wait_for(lambda: server.count("the next match") == number, "the next match")
        server.order("status")
        counts.append(len(os.listdir(f"/proc/{server.process.pid}/fd")))
    check(len(set(counts)) == 1, f"open files after each match: {counts}")
    server.end()


def start_on_a_small_disk(folder, *arguments):
    """Records a match on what is like a disk with room for its first moments."""
    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    always = ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--resume", "never", "--records", "off", "--bots", "16",
              "--bot-skill", "hard"]
    check(server_run(*always, "--record", folder + "/short", "--duration", "50ms").returncode == EXIT_OK, "a short match")
    size = os.path.getsize(glob.glob(folder + "/short/*.dfr")[0]) + 200
    return subprocess.Popen([SERVER, *always, "--record", folder + "/long", *arguments], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, preexec_fn=limited)


def a_recording_that_cannot_be_written_is_an_error(folder):
    server = start_on_a_small_disk(folder, "--duration", "3s")
    log = server.communicate(timeout=600)[1]
    check(server.returncode == EXIT_IO and "error: " in log and ".dfr" in log, f"it says so: {log}")


def the_log_shows_every_ten_seconds_how_it_is(folder):
    server, lines = start_on_a_small_disk(folder, "--duration", "1h", "--log-level", "debug"), []
    for line in server.stderr:
        lines.append(line)
        if re.search(r"debug: tick \d+, 0 players, 16 bots; ticks of ", line):
            break
    server.terminate()
    server.communicate(timeout=600)
    faults = [line for line in lines if "the recording ends here" in line]
    check(len(faults) == 1 and "ticks of" in lines[-1], f"the operator reads of the full disk at once, and of the load: {lines}")


def a_restored_match_goes_on(folder):
    server = start(folder, "--bots", "3", "--duration", "1h")
    time.sleep(3)
    server.end(signal.SIGKILL)
    server = start(folder, "--bots", "3", "--duration", "1h", "--score-limit", "17")
    goes_on = int(re.search(r"the match goes on at tick (\d+)", server.log())[1])
    check(120 < goes_on <= 180 and server.tick() >= goes_on, f"at tick {goes_on}")
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
    time.sleep(2)  # ticks of the journal are on the disk
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "it is killed")
    server = start(folder, *arguments)
    check("the match goes on at tick" in server.log() and " on duel, " in server.ask("status").stdout, f"restored: {server.log()}")
    check(server.end() == EXIT_OK, "it ends")
    for recording in glob.glob(folder + "/replays/*.dfr"):
        run(REPLAY, recording, "--info")


def time_stands_still_without_clients(folder):
    server = start(folder, *PAGE)
    first, before_s = server.tick(), work_s(server)
    time.sleep(100)
    worked_s = work_s(server) - before_s
    check(worked_s < 0.5 and server.tick() == first, f"no time passes, it sleeps, and commands are answered: {worked_s} s of work")
    client = join(server)
    check(ticks_in(server, 10) == 600, "time passes with a client")
    check("0 overruns, stood still for 0 ticks" in server.order("status"), "the clock starts again when a client wakes the server")
    client.end()
    server.end()


def a_server_that_was_stopped_keeps_the_time(folder):
    server = start(folder, "--bots", "1", "--duration", "1h")
    time.sleep(0.2)
    first, begun = server.tick(), time.monotonic()
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(0.5)
    server.process.send_signal(signal.SIGCONT)
    time.sleep(1)
    ticks, passed = server.tick() - first, (time.monotonic() - begun) * 60
    check(abs(ticks - passed) < 1, f"ticks have the numbers of their time: {ticks} in {passed}")
    check("1 overruns, stood still for 26 ticks" in server.order("status"), f"four of 30 ticks are caught up with: {server.order('status')}")
    server.end()


def a_running_match_leaves_the_machine_alone(folder):
    server = start(folder, "--bots", "1", "--duration", "1h", *PAGE)
    before_s = work_s(server)
    check(ticks_in(server, 100) == 6000, "60 ticks a second")
    worked_s = work_s(server) - before_s
    check(0 < worked_s < 1, f"it sleeps between ticks: {worked_s} s of work in 100 s")
    server.end()


def monitors_see_the_match(folder):
    server = start(folder, "--bots", "2", "--duration", "1h", *PAGE, "--name", "Ada's")
    wait_for(lambda: server.status()["match"]["tick"] > 5, "the page follows the match")
    check("deadfall_" in server.page("/metrics"), "metrics")
    port = str(server.port)
    well = server_run("--healthcheck", "--port", port)
    check(well.returncode == 0 and "Ada's plays foundry" in well.stdout, f"--healthcheck: {well}")
    check("up to 16 players, socket buffer" in server.log(), "how large it is")
    server.end()
    check(server_run("--healthcheck", "--port", port).returncode == 1, "--healthcheck of a server that has ended")


def a_password_is_asked_for(folder):
    path = folder + "/password"
    write(path, "open sesame\n")
    server = start(folder, "--password-file", path)
    refused = run(BOTS, "--server", server.place, "--count", "1", "--duration", "1s", code=None)
    check("password" in refused.stdout + refused.stderr, f"nobody joins without it: {refused}")
    join(server, "--password-file", path).end()
    server.end()


def what_is_wrong_ends_it_with_a_sentence(folder):
    write(folder + "/open", "open sesame\n", 0o644)
    write(folder + "/good.conf", "bots = 3\n")
    write(folder + "/bad.conf", "bots = 3\nbots = 4\n")
    first = start(folder)
    port = str(first.port)
    own = ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder + "/own"]
    for name, file, text in (("own", None, None), ("torn", "server.key", "x"), ("banned", "bans", "nobody for ever\n")):
        os.mkdir(f"{folder}/{name}")
        if file:
            write(f"{folder}/{name}/{file}", text)
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
        done = server_run(*arguments)
        check(done.returncode == code, f"{arguments} ends with {code}: {done}")
        check(words is None or (words in done.stderr and done.stdout == ""), f"{arguments} says why: {done}")
        check(words is not None or done.stderr == "", f"{arguments} is well: {done}")
    done = server_run(*own, "--check-config", HOME="/proc/none", XDG_STATE_HOME="", STATE_DIRECTORY="")
    check(done.returncode == EXIT_OK, f"a state directory that is given: {done}")
    done = server_run("--port", "0", "--check-config", HOME="", XDG_STATE_HOME="", STATE_DIRECTORY="")
    check(done.returncode == EXIT_IO and "set --state-dir or HOME" in done.stderr, f"no folder for the key: {done}")
    done = server_run("--port", "0", "--bind", LOOPBACK, HOME="", XDG_STATE_HOME="", STATE_DIRECTORY="")
    check(done.returncode == EXIT_IO and "set --state-dir or HOME" in done.stderr, f"a start without one: {done}")
    done = server_run(*own, "--check-config", DEADFALL_BOT="5")
    check(done.returncode == EXIT_OK and "DEADFALL_BOT is not an option" in done.stderr, f"an unknown variable: {done}")
    check(first.process.poll() is None and first.end() == EXIT_OK, "the first server was not disturbed")


def a_full_disk_is_reported(folder):
    for arguments in (["--help"], ["--port", "0", "--bind", LOOPBACK, "--state-dir", folder, "--duration", "100ms"]):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([SERVER, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=600)
        check(done.returncode == EXIT_IO, f"{arguments} with nowhere to write: {done}")
    check("cannot write the ready line" in done.stderr, f"the server says so: {done}")


CASES = [value for value in list(globals().values()) if getattr(value, "__code__", None) and
         value.__code__.co_varnames[:1] == ("folder",) and not value.__name__.startswith("start")]


def in_a_folder(case):
    def passes():
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    passes.__name__ = case.__name__
    return passes


REAL = (without_its_program_a_server_does_not_restart,)
run_at_once([in_a_folder(case) for case in CASES if (case in REAL) == (sys.argv[5:] == ["real"])])
