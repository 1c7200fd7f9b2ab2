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
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from processes import Server, free_port, wait_for, write  # noqa: E402

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


def cpu_s(pid):
    """Of all threads."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
        write(os.path.join(folder, "nginx.conf"), ("" if os.getuid() else "user root; ") + NGINX.format(folder=folder, port=port))
        always = "--run-empty", "--bots", str(arguments.bots), "--seed", "7"
        live, plain = Server(arguments.server, *always, "--publish", public), Server(arguments.server, *always)
        wait_for(lambda: os.path.exists(os.path.join(public, "index.json")), "the live match")
        nginx = subprocess.Popen(["nginx", "-c", os.path.join(folder, "nginx.conf")])
        wait_for(lambda: os.path.exists(os.path.join(folder, "nginx.pid")), "nginx")
        pids = live.process.pid, plain.process.pid
        before = [cpu_s(pid) for pid in pids]
        done = subprocess.run([arguments.viewers_program, str(port), public, str(arguments.viewers), str(arguments.seconds)],
                              capture_output=True, text=True, check=False)
        used = [cpu_s(pid) - then for pid, then in zip(pids, before)]
        print(done.stdout, end="", flush=True)
        print(json.dumps({"core_with_stream": round(used[0] / arguments.seconds, 4),
                          "core_without": round(used[1] / arguments.seconds, 4)}))
        live.end()
        plain.end()
        nginx.terminate()
        nginx.wait(20)
    sys.exit(done.returncode)


main()
