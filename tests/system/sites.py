# SPDX-License-Identifier: MIT
"""Web servers of tests, which run until the test ends, and certificates for them."""
import functools
import http.server
import os
import ssl
import threading

from processes import LOOPBACK, run, write


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder, and says nothing."""

    def log_message(self, *_):
        pass

    def body(self):
        return self.rfile.read(int(self.headers["Content-Length"]))

    def answer(self, status, body, *headers):
        try:
            self.send_response(status)
            for header in headers:
                self.send_header(*header)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass  # nobody wants so much, or waits any more


class Site(http.server.ThreadingHTTPServer):
    """A web server for a folder, or whatever its handler makes of it; by https with the certificate of a folder, and unless it is for
    all, only for clients with a certificate of the same authority."""
    daemon_threads = True

    def __init__(self, folder=None, handler=Quiet, host=LOOPBACK, certificates=None, is_for_all=True):
        super().__init__((host, 0), functools.partial(handler, directory=folder))
        self.url = f"{'https' if certificates else 'http'}://{host}:{self.server_port}"
        if certificates:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(os.path.join(certificates, "tls.crt"), os.path.join(certificates, "tls.key"))
            if not is_for_all:
                context.load_verify_locations(os.path.join(certificates, "ca.crt"))
                context.verify_mode = ssl.CERT_REQUIRED
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass  # a handshake that is refused, or a window that closes the connection


def make_certificates(home, host=LOOPBACK):
    """A folder as Kubernetes mounts it: an authority, and a certificate for both sides. Returns it."""
    os.mkdir(home)
    file = functools.partial(os.path.join, home)
    write(file("names"), f"subjectAltName=IP:{host}\n")
    for words in (["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={os.path.basename(home)}", "-keyout",
                   file("ca.key"), "-out", file("ca.crt")],
                  ["req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={host}", "-keyout", file("tls.key"), "-out", file("tls.csr")],
                  ["x509", "-req", "-in", file("tls.csr"), "-CA", file("ca.crt"), "-CAkey", file("ca.key"), "-CAcreateserial", "-days", "2",
                   "-extfile", file("names"), "-out", file("tls.crt")]):
        run("openssl", *words)
    return home
