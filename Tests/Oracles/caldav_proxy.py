"""A reverse proxy in front of a CalDAV server that breaks what it passes on, for tests."""

from __future__ import annotations

import base64
import hashlib
import http.client
import http.server
import re
import threading
import time


class Fault:
    """What happens to the requests that `matches` accepts."""

    def __init__(self, methods: str = "", path: str = "", body: str = "", times: int = 1_000_000):
        self.methods = methods.split()
        self.path, self.body, self.times = path, body, times

    def matches(self, method: str, path: str, body: bytes) -> bool:
        return (
            self.times > 0 and (not self.methods or method in self.methods) and self.path in path
            and self.body.encode() in body)

    def before(self, request: "Request"):
        """An answer in place of the server's: (status, fields, body); `None` to ask the server."""

    def after(self, request: "Request", status: int, fields: dict, body: bytes):
        return status, fields, body

    # How many bytes of the answer are sent, and how long it takes.
    cut: int | None = None
    delay = 0.0


class Request:
    def __init__(self, method: str, path: str, fields: dict, body: bytes):
        self.method, self.path, self.fields, self.body = method, path, fields, body


class Status(Fault):
    """Answers with a status; with `done` the server has done what was asked."""

    def __init__(self, status: int, *arguments, done: bool = False, answer: bytes = b"", **named):
        super().__init__(*arguments, **named)
        self.status, self.done, self.answer = status, done, answer

    def before(self, request):
        return None if self.done else (self.status, {}, self.answer)

    def after(self, request, status, fields, body):
        return self.status, {}, self.answer


class Cut(Fault):
    def __init__(self, cut: int, *arguments, **named):
        super().__init__(*arguments, **named)
        self.cut = cut


class Late(Fault):
    def __init__(self, delay: float, *arguments, **named):
        super().__init__(*arguments, **named)
        self.delay = delay


class Changed(Fault):
    """Changes requests and answers with functions."""

    def __init__(self, *arguments, request=None, answer=None, **named):
        super().__init__(*arguments, **named)
        self.change_request, self.change_answer = request, answer

    def before(self, request):
        return self.change_request(request) if self.change_request else None

    def after(self, request, status, fields, body):
        return self.change_answer(request, status, fields, body) if self.change_answer else (status, fields, body)


class Proxy:
    def __init__(self, port: int):
        self.target = port
        self.faults: list[Fault] = []
        self.requests: list[str] = []
        self.authorizations: list[str] = []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_): pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                proxy.handle(self, Request(self.command, self.path, dict(self.headers.items()), body))

        for method in "GET HEAD PUT DELETE MOVE PROPFIND REPORT OPTIONS MKCALENDAR".split():
            setattr(Handler, f"do_{method}", Handler.handle_any)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def handle(self, handler, request: Request) -> None:
        self.requests.append(f"{request.method} {request.path}")
        self.authorizations.append(request.fields.get("Authorization", ""))
        faults = [fault for fault in self.faults if fault.matches(request.method, request.path, request.body)]
        for fault in faults:
            fault.times -= 1
        answer = None
        for fault in faults:
            answer = answer or fault.before(request)
        if answer is None:
            answer = self.forward(request)
            for fault in faults:
                answer = fault.after(request, *answer)
        status, fields, body = answer
        for fault in faults:
            time.sleep(fault.delay)
        head = f"HTTP/1.1 {status} Answer\r\n"
        for name, value in fields.items():
            head += f"{name}: {value}\r\n"
        head += f"Content-Length: {len(body)}\r\n\r\n"
        data = head.encode() + body
        cuts = [fault.cut for fault in faults if fault.cut is not None]
        try:
            if cuts:
                handler.wfile.write(data[:cuts[0] % (len(data) + 1)])
                handler.close_connection = True
                handler.connection.close()
            else:
                handler.wfile.write(data)
        except OSError:
            pass

    def forward(self, request: Request):
        connection = http.client.HTTPConnection("127.0.0.1", self.target, timeout=60)
        fields = {
            name: value for name, value in request.fields.items()
            if name.lower() not in ("host", "connection", "accept-encoding", "content-length", "authorization")}
        fields["Host"] = f"127.0.0.1:{self.port}"
        fields["Authorization"] = "Basic " + base64.b64encode(b"ana:secret").decode()
        if request.fields.get("Authorization", "").startswith("Basic "):
            fields["Authorization"] = request.fields["Authorization"]
        elif not request.fields.get("Authorization"):
            del fields["Authorization"]
        connection.request(request.method, request.path, request.body or None, fields)
        answer = connection.getresponse()
        body = answer.read()
        kept = {
            name: value for name, value in answer.getheaders()
            if name.lower() in ("content-type", "etag", "dav", "location", "www-authenticate", "retry-after")}
        connection.close()
        return answer.status, kept, body


class Truncated(Fault):
    """507: each answer of sync-collection has only one object, and a token that continues."""

    def __init__(self):
        super().__init__("REPORT", body="sync-collection")
        self.rest: dict[str, tuple[list[bytes], bytes]] = {}
        self.count = 0

    def before(self, request):
        token = re.search(rb"sync-token>([^<]*)</", request.body).group(1).decode()
        if token in self.rest:
            return self.answer(request.path, *self.rest[token])

    def after(self, request, status, fields, body):
        if status != 207:
            return status, fields, body
        responses = re.findall(rb"<(?:\w+:)?response>.*?</(?:\w+:)?response>", body, re.S)
        token = re.search(rb"sync-token>([^<]*)</", body).group(1)
        return self.answer(request.path, responses, token)

    def answer(self, path, responses, token):
        rest = responses[1:]
        more = b""
        if rest:
            self.count += 1
            name = f"http://cut/{self.count}"
            self.rest[name] = (rest, token)
            token = name.encode()
            more = (b"<response><href>" + path.encode() + b"</href><status>HTTP/1.1 507 Insufficient Storage</status>"
                    b"<error><number-of-matches-within-limits/></error></response>")
        body = (b'<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:D="DAV:">' + b"".join(responses[:1]) + more
                + b"<sync-token>" + token + b"</sync-token></multistatus>")
        return 207, {"Content-Type": "application/xml"}, body


class Digest(Fault):
    """Accepts Digest authentication only (RFC 7616)."""

    def before(self, request):
        value = request.fields.get("Authorization", "")
        if value.startswith("Digest "):
            parts = dict(re.findall(r'(\w+)="?([^",]+)"?', value[7:]))
            one = hashlib.md5(b"ana:calendars:secret").hexdigest()
            two = hashlib.md5(f"{request.method}:{parts['uri']}".encode()).hexdigest()
            text = f"{one}:{parts['nonce']}:{parts['nc']}:{parts['cnonce']}:{parts['qop']}:{two}"
            if parts["response"] == hashlib.md5(text.encode()).hexdigest():
                return None
        return 401, {"WWW-Authenticate": 'Digest realm="calendars", qop="auth", nonce="abc", algorithm=MD5'}, b""


class Bearer(Fault):
    def before(self, request):
        if request.fields.get("Authorization") == "Bearer token-1":
            return None
        return 401, {"WWW-Authenticate": 'Bearer realm="calendars"'}, b""
