#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what a live match costs that many watch: a server of bots publishes it, nginx serves the folder on loopback, and
bench_live_viewers asks as that many windows would. Prints one JSON line for the viewers, and one for the processor time
of a server with a live stream and of one without.

  live_viewers.py DEADFALL_SERVER BENCH_LIVE_VIEWERS [--viewers 10000] [--seconds 30] [--bots 6]
"""
import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

NGINX = """daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 256; }}
http {{ access_log off; server_tokens off; etag off; max_ranges 0; add_header Last-Modified ""; default_type application/octet-stream; sendfile on; tcp_nodelay on;
gzip on; gzip_types application/octet-stream; gzip_min_length 256; gzip_comp_level 1;
keepalive_requests 100000000; open_file_cache max=2000 inactive=60s; open_file_cache_valid 1s;
client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
server {{ listen 127.0.0.1:{port}; root {folder}/public;
location = /index.json {{ open_file_cache off; add_header Last-Modified ""; add_header Cache-Control "max-age=1"; }} }} }}
"""


def start_server(program, folder, bots, *arguments):
    os.makedirs(folder, exist_ok=True)
    process = subprocess.Popen([program, "--port", "0", "--bind", "127.0.0.1", "--state-dir", folder, "--run-empty", "--bots",
                                str(bots), "--seed", "7", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout.readline().startswith("ready:")
    return process


def cpu_s(process):
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(path):
    end = time.monotonic() + 30
    while not os.path.exists(path):
        assert time.monotonic() < end, path
        time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("viewers_program")
    parser.add_argument("--viewers", type=int, default=10000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--bots", type=int, default=6)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        public, port = os.path.join(folder, "public"), free_port()
        with open(os.path.join(folder, "nginx.conf"), "w", encoding="utf-8") as file:
            file.write(("" if os.getuid() else "user root; ") + NGINX.format(folder=folder, port=port))
        live = start_server(arguments.server, os.path.join(folder, "live"), arguments.bots, "--publish", public)
        plain = start_server(arguments.server, os.path.join(folder, "plain"), arguments.bots)
        wait_for(os.path.join(public, "index.json"))
        nginx = subprocess.Popen(["nginx", "-c", os.path.join(folder, "nginx.conf")])
        wait_for(os.path.join(folder, "nginx.pid"))
        before = [cpu_s(live), cpu_s(plain)]
        done = subprocess.run([arguments.viewers_program, str(port), public, str(arguments.viewers), str(arguments.seconds)],
                              capture_output=True, text=True, check=False)
        used = [cpu_s(live) - before[0], cpu_s(plain) - before[1]]
        print(done.stdout, end="", flush=True)
        print(json.dumps({"core_with_stream": round(used[0] / arguments.seconds, 4),
                          "core_without": round(used[1] / arguments.seconds, 4)}))
        for process in live, plain, nginx:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    sys.exit(done.returncode)


main()
