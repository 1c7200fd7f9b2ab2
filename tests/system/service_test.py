#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server under a service manager: its messages on $NOTIFY_SOCKET, its health check, and the units.

  service_test.py DEADFALL_SERVER FOLDER_OF_UNITS [SYSTEMD_ANALYZE]
"""
import os
import re
import signal
import socket
import subprocess
import sys
import time

from processes import PATIENCE_S, in_a_folder, read_text, write  # ends every process that it starts

SERVER, UNITS = sys.argv[1:3]
ANALYZE = sys.argv[3] if len(sys.argv) > 3 else None
PERIOD_S = 0.4
CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../server/hosting/server.conf")


class Manager:
    """A service manager that listens as systemd does and starts the server."""

    def __init__(self, folder):
        self.words = []
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(os.path.join(folder, "notify"))
        self.process = subprocess.Popen(
            [SERVER, "--port", "0", "--bind", "127.0.0.1", "--duration", "600s", "--state-dir", folder],
            stdout=subprocess.PIPE, text=True,
            env=os.environ | {"NOTIFY_SOCKET": os.path.join(folder, "notify"),
                              "WATCHDOG_USEC": str(int(PERIOD_S * 1e6))})

    def hear(self, seconds):
        """Returns all words of the next seconds."""
        heard, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                heard.append(self.socket.recv(4096).decode())
            except TimeoutError:
                break
        return heard

    def wait_for(self, word):
        """Returns all words until this one has come."""
        heard = []
        self.socket.settimeout(PATIENCE_S)
        while not any(each.startswith(word) for each in heard):
            heard.append(self.socket.recv(4096).decode())
        return heard


def a_manager_hears_of_each_phase(folder):
    manager = Manager(folder)
    process = manager.process
    assert manager.wait_for("READY=1")[:2] == ["FDSTORE=1\nFDNAME=game\nFDPOLL=0", "READY=1"], "READY=1 comes when the socket is kept"
    ready = process.stdout.readline()
    assert ready.startswith("ready: udp 127.0.0.1:"), ready
    count = manager.hear(100 * PERIOD_S).count("WATCHDOG=1")
    assert count == 200, f"the watchdog is answered twice a period: {count} times in 100"
    process.send_signal(signal.SIGHUP)
    heard = manager.wait_for("RELOADING=1")
    heard += manager.wait_for("READY=1") if "READY=1" not in heard else []
    process.send_signal(signal.SIGSTOP)  # a server that hangs
    manager.hear(0)
    assert manager.hear(100 * PERIOD_S) == [], "a server that hangs does not answer the watchdog"
    process.send_signal(signal.SIGCONT)
    manager.wait_for("WATCHDOG=1")
    health(re.match(r"ready: udp [^:]*:(\d+) ", ready).group(1), folder)
    manager.hear(0.1)  # read what came meanwhile: a full queue would lose the next word
    process.send_signal(signal.SIGTERM)
    manager.wait_for("STOPPING=1")
    assert process.wait(10) == 0


def the_next_server_gets_the_socket_of_a_killed_one(folder):
    """As systemd does it: the manager keeps what FDSTORE=1 brings, and hands it to the next process from file 3 on."""
    manager = Manager(folder)
    process = manager.process
    manager.socket.settimeout(10)
    words, (stored,), _, _ = socket.recv_fds(manager.socket, 4096, 4)
    assert words.decode().split("\n") == ["FDSTORE=1", "FDNAME=game", "FDPOLL=0"], words
    port = int(re.match(r"ready: udp [^:]*:(\d+) ", process.stdout.readline())[1])
    process.kill()
    process.wait(10)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(10)
        client.sendto(b"\xff\xff\xff\xffTSource Engine Query\0", ("127.0.0.1", port))  # while no server runs
        start = ("import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ['LISTEN_PID'] = str(os.getpid()); "
                 "os.execv(sys.argv[2], sys.argv[2:])")
        process = subprocess.Popen([sys.executable, "-c", start, str(stored), SERVER, "--port", "0", "--bind", "127.0.0.1", "--state-dir",
                                    folder], stdout=subprocess.PIPE, text=True, pass_fds=(stored,),
                                   env=os.environ | {"LISTEN_FDS": "1", "LISTEN_FDNAMES": "game"})
        assert f":{port} " in process.stdout.readline(), "the next server has the same port"
        assert client.recv(4096)[4:5] == b"A", "and answers what came while there was none"
    process.kill()
    process.wait()


def health(port, folder):
    """--healthcheck of a running server, then of a port without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        rows = [
            (["--port", port], {}, 0, "well: Deadfall plays foundry\n", ""),
            ([], {"DEADFALL_PORT": port}, 0, "well: Deadfall plays foundry\n", ""),
            (["--port", str(silent.getsockname()[1])], {}, 1, "", "no server answers at 127.0.0.1:"),
            (["--port", port, "--bind", "127.0.0.2"], {}, 1, "", "no server answers at 127.0.0.2:"),
            (["--port", "0"], {}, 64, "", "needs the --port of the server"),
        ]
        for number, (arguments, environment, code, out, err) in enumerate(rows):
            done = subprocess.run([SERVER, "--healthcheck"] + arguments, capture_output=True, text=True, timeout=20,
                                  env=os.environ | {"XDG_STATE_HOME": folder} | environment)
            assert (done.returncode, done.stdout) == (code, out) and err in done.stderr, (number, done)
    done = subprocess.run([SERVER, "--port", port], capture_output=True, text=True, timeout=20,
                          env=os.environ | {"DEADFALL_HEALTHCHECK": "on"})
    assert done.returncode == 78 and "only on the command line" in done.stderr, done


def the_shipped_config_is_sound(folder):
    done = subprocess.run([SERVER, "--config", CONFIG, "--check-config", "--state-dir", folder], capture_output=True,
                          text=True, timeout=20)
    assert (done.returncode, done.stderr) == (0, ""), done


def the_units_verify_and_are_hardened(folder):
    """systemd-analyze finds no fault, and an exposure of at most 1.5."""
    if not ANALYZE:
        print("systemd-analyze is missing: the units were not checked")
        return
    for name, instance in [("deadfall-server", "deadfall-server"), ("deadfall-server@", "deadfall-server@lava"),
                           ("deadfall-directory", "deadfall-directory")]:
        text = read_text(os.path.join(UNITS, name + ".service"))
        text = re.sub(r"^ExecStart=\S+", "ExecStart=" + os.path.abspath(SERVER), text, flags=re.M)
        text = re.sub(r"^Documentation=.*\n", "", text, flags=re.M)  # the page need not be installed here
        path = os.path.join(folder, instance + ".service")
        write(path, text)
        done = subprocess.run([ANALYZE, "verify", path], capture_output=True, text=True, timeout=60)
        about = [line for line in done.stderr.split("\n") if "deadfall" in line]
        assert not about, about
        done = subprocess.run([ANALYZE, "security", "--offline=true", "--threshold=15", path], capture_output=True,
                              text=True, timeout=60)
        level = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
        assert level and float(level.group(1)) <= 1.5 and done.returncode == 0, done.stdout + done.stderr
        print(f"{instance}: exposure {level.group(1)}")


for part in [a_manager_hears_of_each_phase, the_next_server_gets_the_socket_of_a_killed_one, the_shipped_config_is_sound, the_units_verify_and_are_hardened]:
    in_a_folder(part)()
