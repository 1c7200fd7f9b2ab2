#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The server's package on a Debian with a real systemd: installed, hosting, upgraded, removed, purged.

  installed_test.py FOLDER_OF_PACKAGES [FOLDER_OF_A_DEBIAN]

Five arenas of the template unit, each with players, are upgraded like the service itself. Ends with 77 where a test may not
start systemd; machine.py has what it needs.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from machine import INSIDE, Machine, why_not
from processes import check, read_json, read_text, skip, wait_for, write

PACKAGES, FILES = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "/"
ARENAS = {f"arena{n}": 27440 + n for n in range(1, 6)}
UNITS = ["deadfall-server"] + [f"deadfall-server@{name}" for name in ARENAS]
CLIENTS = 16  # of each arena
SERVER_CONF = "/etc/deadfall/server.conf"


def package(name, folder=PACKAGES):
    found = glob.glob(os.path.join(folder, f"{name}_*.deb"))
    check(len(found) == 1, f"one package {name} in {folder}: {found}")
    return found[0]


def next_version(path, folder):
    """Makes the package that an upgrade brings: a higher version, another program, another default config."""
    tree = os.path.join(folder, "next")
    subprocess.run(["dpkg-deb", "-R", path, tree], check=True)
    for file, words in (("DEBIAN/control", None), ("etc/deadfall/server.conf", "# Of the next version.\n"),
                        ("usr/games/deadfall-server", "next")):
        file = os.path.join(tree, file)
        with open(file, "rb") as old:
            data = old.read()
        data = data + words.encode() if words else re.sub(rb"(?m)^Version: .*$", b"Version: 99.0-1", data)
        with open(file, "wb") as new:
            new.write(data)
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, os.path.join(folder, "next_1.deb")], check=True,
                   stdout=subprocess.DEVNULL)


def install(machine, *paths):
    for path in paths:
        machine.copy(path, "/packages")
    return machine.text("dpkg", "--force-confold", "-i", *(f"/packages/{os.path.basename(path)}" for path in paths))


def active(machine):
    """Returns the units of the package that run."""
    lines = machine.text("systemctl", "list-units", "--no-legend", "--plain", "--state=active", "deadfall-server*")
    return [line.split()[0].removesuffix(".service") for line in lines.split("\n") if line.endswith(".service") or ".service " in line]


def is_active(machine, unit):
    return machine.run("systemctl", "is-active", unit, check=False).returncode == 0


def program(machine, unit):
    """Returns which file the process of a unit executes; if that has been replaced, it is "(deleted)"."""
    pid = machine.text("systemctl", "show", "-P", "MainPID", unit)
    return machine.text("readlink", f"/proc/{pid}/exe") if pid != "0" else "none"


def append(machine, name, line):
    """Appends to the config of a server."""
    with open(machine.path(f"/etc/deadfall/{name}.conf"), "a", encoding="utf-8") as conf:
        conf.write(line)


def it_installs_and_runs(machine):
    install(machine, *(package(name) for name in ("deadfall-data", "deadfall-server", "deadfall-tools")))
    check(active(machine) == ["deadfall-server"], f"the service runs: {active(machine)}")
    check(machine.text("systemctl", "is-enabled", "deadfall-server") == "enabled", "the service is enabled")


def a_directory_has_a_package_of_its_own(machine):
    install(machine, package("deadfall-directory"))
    check(not is_active(machine, "deadfall-directory"), "nobody needs a directory")
    machine.run("systemctl", "enable", "--now", "deadfall-directory")
    check(is_active(machine, "deadfall-directory"), "who wants one has one")
    machine.run("dpkg", "-r", "deadfall-directory")
    check(not is_active(machine, "deadfall-directory"), "a removal stops it")
    key = "/var/lib/private/deadfall-directory/directory.key"
    check(os.path.exists(machine.path(key)), "and keeps its key")
    machine.run("dpkg", "-P", "deadfall-directory")
    check(not os.path.exists(machine.path(key)), "until the purge")


def it_hosts_five_arenas(machine):
    for name, port in ARENAS.items():
        write(machine.path(f"/etc/deadfall/{name}.conf"), f"name = {name}\nport = {port}\nmap = foundry\nmax-players = {CLIENTS}\nscore-limit = 0\n", 0o644)
        machine.run("systemctl", "enable", "--now", f"deadfall-server@{name}")
    check(active(machine) == UNITS, f"all arenas run: {active(machine)}")


def root_reaches_each_by_its_name(machine):
    for name in ["server", *ARENAS]:
        check("on foundry" in machine.text("deadfall-admin", name, "status"), f"deadfall-admin {name} status")


def the_units_are_hardened(machine):
    """systemd-analyze finds no fault, and an exposure of at most 1.5; every command of the units exists."""
    for unit in ("deadfall-server.service", "deadfall-server@arena1.service"):
        done = machine.run("systemd-analyze", "verify", "--man=no", unit, check=False)
        faults = [line for line in done.stderr.split("\n") if "deadfall" in line]
        check(not faults, faults)
        machine.run("systemd-analyze", "security", "--threshold=15", unit)


def a_reload_reads_the_config(machine):
    append(machine, "arena1", "log-level = debug\n")
    machine.run("systemctl", "reload", "deadfall-server@arena1")
    wait_for(lambda: "log-level" in machine.text("journalctl", "-u", "deadfall-server@arena1"), "the journal has the reload")


class Players:
    """Clients in an arena. report() waits until they end."""

    def __init__(self, machine, name):
        self.machine, self.name, self.path = machine, name, f"/tmp/{name}.json"
        self.process = subprocess.Popen(
            machine.command("deadfall-bots", "--server", f"127.0.0.1:{ARENAS[name]}", "--count", str(CLIENTS), "--duration", "40s",
                            "--json", self.path, "--reconnect"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=INSIDE)

    def are_in(self):
        return f"{CLIENTS} players" in self.machine.text("deadfall-admin", f"/var/lib/deadfall-arenas/{self.name}/admin.sock", "status")

    def report(self):
        text = self.process.communicate(timeout=120)[0]
        check(os.path.exists(self.machine.path(self.path)), text)
        return read_json(self.machine.path(self.path))


def a_password_comes_as_a_credential(machine):
    """As the README of hosting says: the file is root's, and systemd hands it to a server that has a user of its own."""
    unit, password = "deadfall-server@arena3", "/etc/deadfall/password"
    more = machine.path(f"/etc/systemd/system/{unit}.service.d")

    def join(*options):
        return machine.run("deadfall-bots", "--server", f"127.0.0.1:{ARENAS['arena3']}", "--count", "1", "--duration", "2s",
                           *options, check=False)

    write(machine.path(password), "open sesame\n")
    os.makedirs(more)
    write(os.path.join(more, "override.conf"), "[Service]\nLoadCredential=password:/etc/deadfall/password\n"
                                               "Environment=DEADFALL_PASSWORD_FILE=%d/password\n")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", unit)
    without = join()
    check(without.returncode == 69 and "password" in without.stdout + without.stderr, f"nobody joins without it: {without}")
    check(join("--password-file", password).returncode in (0, 75), "with it they do")  # 75: the machine is busy
    write(machine.path(password), "another\n")
    machine.run("systemctl", "restart", unit)
    check(join("--password-file", password).returncode == 0, "a restart takes a new one")
    os.unlink(machine.path(password))
    shutil.rmtree(more)
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", unit)
    check(join().returncode == 0, "without a password everybody may join again")


def the_journal_has_priorities(machine):
    append(machine, "arena1", "nonsense = 1\n")
    machine.run("systemctl", "reload", "deadfall-server@arena1")
    wait_for(lambda: "nothing changed" in machine.text("journalctl", "-u", "deadfall-server@arena1", "-p", "3..3"),
             "a reload that fails is an error of the journal")
    machine.run("sed", "-i", "/nonsense/d", "/etc/deadfall/arena1.conf")


def a_stop_says_goodbye_and_a_restart_does_not(machine):
    """Players of a server that stops read that it closes; nobody waits for another one."""
    players = Players(machine, "arena5")
    wait_for(players.are_in, f"{CLIENTS} players are in arena5")
    machine.run("systemctl", "restart", "deadfall-server@arena5")
    wait_for(players.are_in, "all are back")
    machine.run("systemctl", "stop", "deadfall-server", "deadfall-server@arena5")
    given = players.report()["totals"]["disconnects_by_reason"]
    check({reason for reason in given if given[reason]} == {"closing"} and given["closing"] == CLIENTS, f"all read why: {given}")
    for unit, restarts in (("deadfall-server", 0), ("deadfall-server@arena5", 1)):
        log = machine.text("journalctl", "-u", unit)
        check("Cannot store more fds" not in log, f"systemd keeps the sockets of each server once:\n{log}")
        check(log.count("the server restarts") == restarts, f"{unit} announces {restarts} restarts:\n{log}")
        check(machine.text("systemctl", "show", "-P", "Result", unit) == "success", f"{unit} ends well")


def an_upgrade_restarts_all_without_losing_a_player_or_the_config(machine):
    """What the host has stopped stays so. A drain, set or configured, does not keep dpkg waiting."""
    append(machine, "server", "# ours\n")
    append(machine, "arena2", "drain = 10m\n")
    machine.run("systemctl", "restart", "deadfall-server@arena2")
    arenas = [Players(machine, name) for name in list(ARENAS)[:-1]]
    for players in arenas:
        wait_for(players.are_in, f"{CLIENTS} players are in {players.name}")
    wait_for(lambda: ", playing," in machine.text("deadfall-admin", "arena1", "status"), "a round is played: a drain waits for its end")
    machine.run("deadfall-admin", "arena1", "drain", "10m")
    with tempfile.TemporaryDirectory() as folder:
        next_version(package("deadfall-server"), folder)
        install(machine, os.path.join(folder, "next_1.deb"))
    run = {unit: program(machine, unit) for unit in UNITS}
    check(set(run.values()) == {"/usr/games/deadfall-server", "none"}, f"all that run execute the new program: {run}")
    check([unit for unit in UNITS if run[unit] == "none"] == ["deadfall-server", "deadfall-server@arena5"], f"who was stopped stays so: {run}")
    check(["drains" in machine.text("deadfall-admin", name, "status") for name in ("arena1", "arena2")] == [True, False],
          "the drain of an admin goes on, and an upgrade begins none")
    check("# ours" in read_text(machine.path(SERVER_CONF)), "the config is ours")
    for players in arenas:
        totals = players.report()["totals"]
        check(totals["connected"] == CLIENTS and totals["disconnects"] == 0, f"{players.name}: nobody is sent away: {totals}")
        check(totals["snapshot_gap_ms"]["max"] < 2000, f"{players.name}: nobody waits for a lost session: {totals}")
        print(f"{players.name}: {totals['connected']} of {CLIENTS} connected, {totals['disconnects']} disconnects, "
              f"longest gap {totals['snapshot_gap_ms']['max']:.0f} ms")


def a_removal_stops_all_and_keeps_config_and_state(machine):
    machine.run("dpkg", "-r", "deadfall-server")
    check(active(machine) == [], f"nothing runs: {active(machine)}")
    for path in (SERVER_CONF, "/var/lib/private/deadfall/server.key", "/var/lib/private/deadfall-arenas/arena1/server.key"):
        check(os.path.exists(machine.path(path)), f"{path} is kept")


def a_purge_removes_all_but_what_the_host_has_written(machine):
    said = machine.text("dpkg", "-P", "deadfall-server", "deadfall-tools", "deadfall-data")
    left = machine.text("find", "/etc", "/usr", "/var", "-xdev", "-path", "*deadfall*", "-not", "-path", "/var/cache/*")
    wanted = {"/etc/deadfall"} | {f"/etc/deadfall/{name}.conf" for name in ARENAS}
    check(set(left.split("\n")) == wanted, f"left behind:\n{left[:2000]}")
    check("arena1.conf" in said, f"the purge says what it keeps:\n{said}")


def main():
    if reason := why_not(FILES):
        skip(reason)
    with Machine(FILES) as machine:
        for part in (it_installs_and_runs, a_directory_has_a_package_of_its_own, it_hosts_five_arenas, root_reaches_each_by_its_name, the_units_are_hardened,
                     a_reload_reads_the_config, a_password_comes_as_a_credential, the_journal_has_priorities, a_stop_says_goodbye_and_a_restart_does_not, an_upgrade_restarts_all_without_losing_a_player_or_the_config,
                     a_removal_stops_all_and_keeps_config_and_state, a_purge_removes_all_but_what_the_host_has_written):
            part(machine)
            print(part.__name__.replace("_", " "), flush=True)


main()
