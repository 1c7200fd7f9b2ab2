#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A window trusts the certificate authorities of its machine, wherever the kind of system keeps their list.

usage: authorities_test.py DEADFALL DEADFALL-SERVER

Watches a live match by https, whose authority nobody else knows. The lists of this machine are hidden, and that authority is in the
place of each kind of system in turn. Needs root, for a root that is this machine's apart from that.
"""
import glob
import os
import subprocess
import sys
import tempfile

from processes import PATIENCE_S, Server, check, need, skip, wait_for
from sites import Site, make_certificates

DEADFALL, SERVER = (os.path.abspath(path) for path in sys.argv[1:3])
PLACES = {"Debian, Ubuntu, SteamOS": "/etc/ssl/certs/ca-certificates.crt", "Fedora": "/etc/pki/tls/certs/ca-bundle.crt",
          "openSUSE": "/etc/ssl/ca-bundle.pem", "Alpine": "/etc/ssl/cert.pem",
          "newer Fedora": "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
          "Arch": "/etc/ca-certificates/extracted/tls-ca-bundle.pem",
          "openSUSE without a writable /etc": "/var/lib/ca-certificates/ca-bundle.pem"}


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
    need("openssl")
    if os.geteuid() != 0:
        skip("only root can hide this machine's lists")
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--publish", os.path.join(folder, "public"), "--run-empty", "--bots", "4"):
        homes = [make_certificates(os.path.join(folder, name)) for name in ("private", "stranger")]
        authority, stranger = (os.path.join(home, "ca.crt") for home in homes)
        url = Site(os.path.join(folder, "public"), certificates=homes[0]).url + "/"
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
