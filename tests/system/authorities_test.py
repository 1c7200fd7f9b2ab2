#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A window trusts the certificate authorities of its machine, wherever the kind of system keeps their list.

usage: authorities_test.py DEADFALL DEADFALL-SERVER

Watches a live match by https, whose authority nobody else knows. The lists of this machine are hidden, and that authority is in the
place of each kind of system in turn. Needs root, for a root that is this machine's apart from that.
"""
import functools
import glob
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from processes import LOOPBACK, PATIENCE_S, Server, check, wait_for

DEADFALL, SERVER = (os.path.abspath(path) for path in sys.argv[1:3])
PLACES = {"Debian, Ubuntu, SteamOS": "/etc/ssl/certs/ca-certificates.crt", "Fedora": "/etc/pki/tls/certs/ca-bundle.crt",
          "openSUSE": "/etc/ssl/ca-bundle.pem", "Alpine": "/etc/ssl/cert.pem",
          "newer Fedora": "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
          "Arch": "/etc/ca-certificates/extracted/tls-ca-bundle.pem",
          "openSUSE without a writable /etc": "/var/lib/ca-certificates/ca-bundle.pem"}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def make_certificates(folder):
    """Makes an authority that nobody knows, a certificate of it for this machine, and an authority that has signed nothing."""
    script = f"""set -e; cd {folder}
        openssl req -x509 -newkey rsa:2048 -nodes -keyout authority.key -out authority.pem -subj /CN=private -days 2
        openssl req -x509 -newkey rsa:2048 -nodes -keyout stranger.key -out stranger.pem -subj /CN=stranger -days 2
        openssl req -newkey rsa:2048 -nodes -keyout site.key -out site.request -subj /CN={LOOPBACK}
        echo subjectAltName=IP:{LOOPBACK} >names
        openssl x509 -req -in site.request -CA authority.pem -CAkey authority.key -CAcreateserial -out site.pem -days 2 -extfile names"""
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"certificates: {done.stderr}")


def serve(folder, public):
    """Serves a folder by https. Returns the address."""
    site = ThreadingHTTPServer((LOOPBACK, 0), functools.partial(Quiet, directory=public))
    site.handle_error = lambda *_: None # a window that closes the connection
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "site.pem"), os.path.join(folder, "site.key"))
    site.socket = context.wrap_socket(site.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    return f"https://{LOOPBACK}:{site.server_port}/"


def watch(folder, url, files=(), named=None):
    """Watches for a second on a machine that has these files and no other list. Returns what the window says."""
    copies = "".join(f'mkdir -p "root{os.path.dirname(path)}" && cp "{file}" "root{path}"\n' for path, file in files)
    with tempfile.TemporaryDirectory() as work:
        script = f"""set -e
            mount -t tmpfs none {work} && cd {work} && mkdir upper work root
            mount -t overlay none -o lowerdir=/,upperdir=upper,workdir=work root
            rm -rf root/etc/ssl root/etc/pki root/etc/ca-certificates root/var/lib/ca-certificates
            mount -t proc none root/proc && mount --rbind /dev root/dev
            {copies}
            exec chroot root "$@" """
        environment = {"PATH": os.environ["PATH"] + ":/usr/sbin", "HOME": folder, "LC_ALL": "C", "SDL_VIDEODRIVER": "dummy",
                       "SDL_AUDIODRIVER": "dummy", **({"SSL_CERT_FILE": named} if named else {})}
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", DEADFALL, "--log-level",
                               "debug", "--frames", "60", "--watch", url], capture_output=True, text=True, check=False, env=environment,
                              timeout=PATIENCE_S)
    return done.stdout + done.stderr


def main():
    if os.geteuid() != 0 or not shutil.which("openssl"):
        print("only root can hide this machine's lists, and certificates need openssl: not tried")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--publish", os.path.join(folder, "public"), "--run-empty", "--bots", "4"):
        make_certificates(folder)
        authority, stranger = os.path.join(folder, "authority.pem"), os.path.join(folder, "stranger.pem")
        url = serve(folder, os.path.join(folder, "public"))
        wait_for(lambda: glob.glob(folder + "/public/*-1.chunk"), "a live match")
        for system, path in PLACES.items():
            said = watch(folder, url, [(path, authority)])
            check(" from tick " in said, f"{system} keeps its list in {path}\n{said}")
        said = watch(folder, url, [("/mine.pem", authority), (PLACES["Alpine"], stranger)], named="/mine.pem")
        check(" from tick " in said, f"SSL_CERT_FILE comes first\n{said}")
        said = watch(folder, url, [(PLACES["Alpine"], stranger)])
        check(" from tick " not in said and "cannot watch" in said and "no list" not in said, f"others are not trusted\n{said}")
        said = watch(folder, url)
        check(" from tick " not in said and "no list of certificate authorities, install ca-certificates" in said, f"without a list\n{said}")
    print(f"https is trusted by the lists in {len(PLACES)} places and by SSL_CERT_FILE; a missing list is named")


if __name__ == "__main__":
    main()
