#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page that a server serves itself: page_server_test.py DEADFALL_SERVER

Files come compressed and once, hostile paths find nothing, callers that wait keep nobody out, the live match is beside the page,
and the log has the link that a browser opens. The page is a small one; browser_test.py opens the real one.
"""
import gzip
import http.client
import json
import os
import socket
import sys
import tempfile
import time

from processes import LOOPBACK, PATIENCE_S, Server, check, run, wait_for

SERVER = sys.argv[1]
FILES = {"index.html": b"<!doctype html><title>page</title>", "deadfall.wasm": b"\0asm" + bytes(200_000), "page.js": b"'use strict';"}
CONNECTIONS = 120  # more than there are places
HOSTILE = ("/..", "/../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%2fsecret", "//secret", "/./secret", "/page/../secret",
           "/live/../secret", "/live/%2e%2e/secret", "/live/..%2f..%2fsecret", "/live/", "/live/1.fresh", "/live//index.json",
           "/live/index.json/", "/index.html/", "/index.html%00.js", "/index.html.gz", "/deadfall-server", "/secret", "/.git", "/%",
           "/%zz", "/\\..\\secret", "/" + "a" * 4000, "/live/" + "1" * 4000 + ".head", "/link.js")


def make_page(folder):
    page = os.path.join(folder, "page")
    os.mkdir(page)
    for name, content in FILES.items():
        with open(os.path.join(page, name), "wb") as file:
            file.write(content)
    with gzip.open(os.path.join(page, "deadfall.wasm.gz"), "wb") as file:
        file.write(FILES["deadfall.wasm"])
    for path in (os.path.join(folder, "secret"), os.path.join(page, "deadfall-server"), os.path.join(page, ".git")):
        with open(path, "wb") as file:
            file.write(b"TOP SECRET")
    os.mkfifo(os.path.join(page, "link.js"))  # a read of it would not end
    return page


def port_of(server, line):
    return int(server.said(line + r" on port (\d+)")[1])


def ask(port, path, method="GET", host=None, **headers):
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", host or f"{LOOPBACK}:{port}")
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def files_come_compressed_and_once(port):
    answer, body = ask(port, "/")
    check(answer.status == 200 and body == FILES["index.html"] and answer.headers["Content-Type"] == "text/html; charset=utf-8", "the index")
    check("'wasm-unsafe-eval'" in answer.headers["Content-Security-Policy"] and answer.headers["X-Content-Type-Options"] == "nosniff",
          "it may run its own wasm, and nothing of others")
    answer, body = ask(port, "/deadfall.wasm", Accept_Encoding="gzip, deflate, br")
    check(answer.headers["Content-Type"] == "application/wasm" and answer.headers["Content-Encoding"] == "gzip", "compressed")
    check(gzip.decompress(body) == FILES["deadfall.wasm"] and len(body) < 1000, "the same bytes")
    tag = answer.headers["ETag"]
    answer, body = ask(port, "/deadfall.wasm", Accept_Encoding="gzip", If_None_Match=f'"other", W/{tag}')
    check(answer.status == 304 and not body and answer.headers["ETag"] == tag, f"a known file is not sent again: {answer.status}")
    answer, body = ask(port, "/deadfall.wasm", If_None_Match=tag)
    check(answer.status == 200 and body == FILES["deadfall.wasm"], "in another form it is another file")
    answer, body = ask(port, "/deadfall.wasm", "HEAD")
    check(answer.status == 200 and not body and answer.headers["Content-Length"] == str(len(FILES["deadfall.wasm"])), "only the head")
    check(ask(port, "/", "POST")[0].status == 405 and ask(port, "/", "DELETE")[0].status == 405, "nothing can be changed")


def one_connection_gets_many_files(port):
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
    connection.connect()
    used = connection.sock
    for _ in range(3):
        for name, content in FILES.items():
            connection.request("GET", f"/{name}")
            check(connection.getresponse().read() == content and connection.sock is used, "the connection stays open")
    connection.close()


def hostile_paths_find_nothing(port):
    for path in HOSTILE:
        with socket.create_connection((LOOPBACK, port), timeout=PATIENCE_S) as caller:
            caller.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            text = b""
            while more := caller.recv(65536):
                text += more
        check(b"SECRET" not in text, f"{path} shows what is no page")
        allowed = b"HTTP/1.1 200" if path == "/index.html%00.js" else b"HTTP/1.1 4"
        check(text.startswith((b"HTTP/1.1 4", allowed, b"HTTP/1.0 4")), f"{path}: {text[:200]}")


def callers_that_wait_keep_nobody_out(port):
    waiting = []
    for i in range(CONNECTIONS):
        caller = socket.create_connection((LOOPBACK, port), timeout=PATIENCE_S, source_address=(f"127.0.0.{1 + i % 4}", 0))
        caller.sendall(b"GET /deadfall.wasm HTTP/1.1\r\nHost: localhost\r\n" + (b"\r\n" if i % 2 else b""))  # reads nothing
        waiting.append(caller)
    begun = time.monotonic()
    for _ in range(10):
        check(ask(port, "/")[0].status == 200, "others get the page")
    waited_ms = (time.monotonic() - begun) * 1000
    check(waited_ms < 100, f"at once, when one has given way who may be silent for ten seconds: {waited_ms} ms")
    for caller in waiting:
        caller.close()


def the_live_match_is_beside_the_page(server, port, metrics):
    wait_for(lambda: ask(port, "/live/index.json")[0].status == 200, "the live match")
    answer, body = ask(port, "/live/index.json")
    index = json.loads(body)
    check(index["deadfall"] == "live" and answer.headers["Access-Control-Allow-Origin"] == "*", "any page may read it")
    check(answer.headers["Cache-Control"] == "no-cache", "the index is asked for again")
    wait_for(lambda: ask(port, f"/live/{index['match']}-0.chunk")[0].status == 200, "its first chunk")
    answer, body = ask(port, f"/live/{index['match']}.head")
    check(answer.status == 200 and "immutable" in answer.headers["Cache-Control"] and len(body) > 100, "its head")
    check(ask(metrics, "/play/")[1] == FILES["index.html"], "the live page has the page, too")
    check(ask(metrics, "/play/live/index.json")[0].status == 200 and ask(metrics, "/play")[0].status == 404, "and the match")
    check(ask(metrics, "/play/%2e%2e/%2e%2e/secret")[0].status == 404, "and nothing else")
    check(server.status()["page"] == {"live": True}, "and says so")


def a_page_of_this_machine_has_its_names_only(port):
    check(ask(port, "/", host="evil.example")[0].status == 421, "another site cannot read it by a name of its own")
    check(ask(port, "/", host=f"localhost:{port}")[0].status == 200, "localhost can")


def a_wrong_folder_is_said_at_once(folder):
    for options, words in ((["--page-folder", folder], "has no index.html"), (["--page-folder", folder + "/none"], "No such file"),
                           ([], "say where it is by --page-folder")):
        for check_only in (["--check-config"], []):
            said = run(SERVER, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder + "/state", "--page", f"{LOOPBACK}:0", *options,
                       *check_only, code=74).stderr
            check(words in said, f"{options} {check_only}: {said}")


with tempfile.TemporaryDirectory() as folder:
    a_wrong_folder_is_said_at_once(folder)
    page = make_page(folder)
    options = ("--page", f"{LOOPBACK}:0", "--page-folder", page, "--web", "--publish", os.path.join(folder, "live"), "--run-empty",
               "--metrics", f"{LOOPBACK}:0", "--bots", "2")
    with Server(SERVER, *options) as server:
        port, metrics = port_of(server, "page for browsers"), port_of(server, "live page")
        link = rf"join with http://{LOOPBACK}:{port}/#{LOOPBACK}:{server.port}#[a-z2-7]{{32}}\.[\w-]{{43}}\n"
        server.said(link)
        files_come_compressed_and_once(port)
        one_connection_gets_many_files(port)
        hostile_paths_find_nothing(port)
        the_live_match_is_beside_the_page(server, port, metrics)
        callers_that_wait_keep_nobody_out(port)
        a_page_of_this_machine_has_its_names_only(port)
print("a server serves its page")
