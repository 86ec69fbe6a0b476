"""Receives events with Python alone: TRASTIENDA_WEBHOOK_SECRET=whsec_… python3 receiver.py 127.0.0.1:9000

In production it stands behind a proxy that speaks TLS.
"""

import hashlib
import hmac
import json
import os
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The second is there while a rotated secret is still valid: a receiver that tries both misses nothing,
# whichever of the two secrets it has. `service` is the service's setting `brand`.
SIGNATURES = ("x-service-signature-256", "x-service-signature-256-previous")
BODY_BYTES_MAX = 1024 * 1024
SECRET = os.environ.get("TRASTIENDA_WEBHOOK_SECRET", "").encode()
if not SECRET:
    sys.exit("TRASTIENDA_WEBHOOK_SECRET must be the secret of the webhook")

# The events that came before. A real receiver keeps them in its database, where they outlive a restart: one
# table whose primary key is the event's id, and the row is committed before the answer is sent.
seen = set()
seen_lock = threading.Lock()
inbox = queue.Queue()


def is_genuine(body, headers):
    expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest().encode()
    given = (headers.get(name, "").encode() for name in SIGNATURES)
    return any(hmac.compare_digest(signature, expected) for signature in given)


def work():
    while True:
        event = inbox.get()
        # The work: an e-mail, an entry in the books, a label for the parcel.
        print("processed", event["event"], event["id"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 5  # seconds without a byte

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > BODY_BYTES_MAX:
            return self.answer(413)
        body = self.rfile.read(int(length))
        # The raw bytes are verified before anything in them is trusted.
        if not is_genuine(body, self.headers):
            return self.answer(401)
        event = json.loads(body)
        with seen_lock:
            is_new = event["id"] not in seen
            seen.add(event["id"])
        if is_new:
            inbox.put(event)
        else:
            print("repeated", event["event"], event["id"], flush=True)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer.request_queue_size = 64  # the service sends many events at a time
    host, port = (sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:9000").split(":")
    server = ThreadingHTTPServer((host, int(port)), Receiver)
    threading.Thread(target=work, daemon=True).start()
    print(f"listening on http://{host}:{server.server_port}", flush=True)
    server.serve_forever()
