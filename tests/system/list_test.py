#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The list of servers in the real window, by keys alone: a server that a real directory lists is found, joined and kept
when the directory is dead; a list that is forged is refused with a sentence; servers of honest directories are found among
directories that lie, are slow, empty or dead; of 2,000 servers eight a second are asked.

usage: list_test.py DEADFALL DEADFALL-SERVER DEADFALL-DIRECTORY FAKE_LIST
"""
import os
import socket
import subprocess
import sys
import threading
import time

from processes import Directory, Server, check, free_port, in_a_folder, read_text, wait_for
from sites import Quiet, Site
from window import Window

PROGRAM, SERVER, DIRECTORY, FAKE_LIST = (os.path.abspath(path) for path in sys.argv[1:5])


class Slow(Quiet):
    """Promises a list, and sends a byte of it now and then."""

    def do_GET(self):  # noqa
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" ")
                time.sleep(0.5)
        except OSError:
            pass  # the window has given up


def serve(list_of_servers):
    """A web server that has this, whatever is asked for. Returns its address."""
    return Site(handler=type("Of", (Quiet,), {"do_GET": lambda self: self.answer(200, list_of_servers)})).url


def fake_list(seed, count, *more):
    return subprocess.run([FAKE_LIST, str(seed), str(count), *more], capture_output=True, check=True).stdout


def forged_list():
    return fake_list(3, 5)[:-20] + b"a" + fake_list(3, 5)[-19:]


def start(folder, name="directory"):
    """A directory, and a server in its list."""
    directory = Directory(DIRECTORY, os.path.join(folder, name))
    server = Server(SERVER, "--name", f"Smithy {name}", "--announce", directory.url, bind="0.0.0.0")
    wait_for(lambda: directory.lists(server.key), "the server is listed")
    return directory, server


def open_join(window, since=0):
    at = window.wait(r"screen title\n", since)
    window.press("Down", "Down", "Return")
    return window.wait(r"screen join\n", at)


def search(window, text, erased, since):
    """From Join to Filters, where a text takes the place of another, and back. Only what has the text is shown then."""
    window.press("Home", *["Down"] * 5, "Return")
    at = window.wait(r"screen filters\n", since)
    window.press("Return", *["BackSpace"] * erased)
    window.xdotool("type", "--delay", "90", text)
    window.press("Return", "Escape")
    return window.wait(r"screen join\n", at)


def a_listed_server_is_joined_and_outlives_its_directory(folder):
    directory, server = start(folder)
    for run in range(2):
        with Window(PROGRAM, folder, "--directory", directory.url, "--lan-port", "9") as window:
            at = open_join(window)
            window.wait(r"list \S+ has 1 servers" if run == 0 else r"The list \S+ is not renewed")  # the title may have asked already
            time.sleep(1)
            window.press("Return")  # quick match
            at = window.wait(r"joined as player \d+ of map", at)
            check(f":{server.port}#{server.key}" in read_text(os.path.join(window.state, "settings")), "it was joined by its key")
        if run == 0:
            directory.end()
    server.end()


def a_forged_list_is_not_used(folder):
    with Window(PROGRAM, folder, "--directory", serve(forged_list()), "--lan-port", "9") as window:
        open_join(window)
        window.wait(r"The list \S+ is not renewed: ")
        check(not os.path.exists(os.path.join(window.state, "lists")), "nothing is kept")


def honest_directories_count_among_others(folder):
    """Two have a server each, of which both are in the list; a third says newly that one of them is elsewhere, and the others
    have a fault of each kind."""
    (one, server_of_one), (two, server_of_two) = start(folder, "one"), start(folder, "two")
    urls = {"one": one.url, "two": two.url}
    urls.update(dead=f"http://127.0.0.1:{free_port()}",
                liar=serve(fake_list(6, 1, "9", server_of_one.key)), forged=serve(forged_list()), other=serve(fake_list(4, 5)),
                slow=Site(handler=Slow).url, empty=serve(fake_list(5, 0)))
    arguments = [word for name, url in urls.items() for word in ("--directory", url + ("#" + "a" * 32) * (name == "other"))]
    with Window(PROGRAM, folder, *arguments, "--lan-port", "9") as window:
        at = open_join(window)
        for name, count in (("one", 1), ("two", 1), ("liar", 1), ("empty", 0)):
            window.wait(rf"list {urls[name]}/servers.json has {count} servers")
        for name in "forged", "other", "dead":
            window.wait(rf"list {urls[name]}/servers.json is not renewed: ")
        check(f"{urls['slow']}/servers.json is not" not in window.log(), "and nobody waits for the slow one")
        time.sleep(1)
        for name, erased in ("smithy one", 0), ("smithy two", 10):
            at = search(window, name, erased, at)
            window.press("End", "Return")
            at = window.wait(r"joined as player \d+ of map", at)
            window.leave(at)
            at = open_join(window, at)
        recent = read_text(os.path.join(window.state, "settings"))
        check(all(f":{server.port}#{server.key}" in recent for server in (server_of_one, server_of_two)), f"both were joined by their keys: {recent}")
        window.wait(rf"list {urls['slow']}/servers.json is not renewed: ")
    for each in (server_of_one, server_of_two, one, two):
        each.end()


def of_many_servers_a_few_a_second_are_asked(folder):
    """All of them are this socket, which says nothing: what comes is counted."""
    sink, heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), []
    sink.bind(("0.0.0.0", 0))

    def listen():
        while True:
            heard.append(sink.recv(2000))

    threading.Thread(target=listen, daemon=True).start()
    url = serve(fake_list(3, 2000, str(sink.getsockname()[1])))

    def some_are_asked():
        """A busy machine takes longer, but may not ask faster. Returns how many a second."""
        before, begun = len(heard), time.monotonic()
        wait_for(lambda: time.monotonic() - begun > 5 and len(heard) >= before + 10, "servers are asked")
        count, took_s = len(heard) - before, time.monotonic() - begun
        check(count <= 8 * took_s + 5, f"eight a second: {count} in {took_s:.1f} s")
        return count / took_s

    with Window(PROGRAM, folder, "--directory", url, "--lan-port", "9") as window:
        at = open_join(window)
        window.wait(r"list \S+ has 2000 servers")
        per_s = some_are_asked()
        window.press("Up", *["Prior"] * 3)
        some_are_asked()
        window.press("Escape")
        window.wait(r"screen title\n", at)
        time.sleep(1)
        before = len(heard)
        time.sleep(3)
        check(len(heard) == before, f"nothing while nobody looks: {len(heard) - before}")
        print(f"{per_s:.1f} servers a second")


for part in (a_listed_server_is_joined_and_outlives_its_directory, a_forged_list_is_not_used, honest_directories_count_among_others,
             of_many_servers_a_few_a_second_are_asked):
    in_a_folder(part)()
