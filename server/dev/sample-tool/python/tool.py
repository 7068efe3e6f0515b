"""A whole tool: `ADVISERLY_URL=http://localhost:3000 TOOL_ID=file-note-ai TOOL_SECRET=… TOOL_SIGNING_SECRET=… PORT=8000 python3 tool.py`.
Its address for events is /events."""

import html
import os
import secrets
import sys
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from adviserly import Adviserly, NotAnswered

settings = ("ADVISERLY_URL", "TOOL_ID", "TOOL_SECRET", "TOOL_SIGNING_SECRET")
adviserly = Adviserly(*(os.environ.get(name, "") for name in settings))
# In memory, which will do for a sample. A real tool keeps its sessions with its other data.
sessions = {}

VERSION = "1.0"
# Seconds of a working day.
LONGEST = 8 * 3600

PAGE = """<!doctype html><html lang="en-AU"><meta charset="utf-8"><title>Notes</title>
<h1>Welcome{greeted}</h1><p>{signed_in}</p><p>{opened_for}</p>
<form method="post" action="/finish"><label>Minutes worked <input name="minutes" type="number" min="0" max="1440" value="5"></label>
<label>Client file number (optional) <input name="reference" maxlength="40" placeholder="F-10234" value="{reference}"></label>
<button>Finish session</button></form>"""
CLOSED = "<!doctype html><title>Notes</title><h1>Notes are not open</h1><p>Please open them from your Adviserly dashboard.</p>"


class Tool(BaseHTTPRequestHandler):
    def do_GET(self):
        self.unless_not_answered(self.show)

    def do_POST(self):
        self.unless_not_answered(self.take)

    def unless_not_answered(self, work):
        try:
            work()
        except NotAnswered as error:
            print(f"Adviserly: {error}", file=sys.stderr)
            self.answer(502, "<p>Adviserly did not answer. Nothing was lost: please reload this page.</p>")

    def show(self):
        token = parse_qs(urlsplit(self.path).query, keep_blank_values=True).get("auth_token")
        if token is not None:
            return self.arrive(token[0])
        session = self.session()
        if session is None:
            return self.answer(403, CLOSED)
        # The launch has the name and the address only if the tool asked for them when it was registered.
        greeted = f", {session['given_name']}" if "given_name" in session else ""
        known = [session[field] for field in ("name", "email") if field in session]
        signed_in = f"Signed in as {', '.join(known)}" if known else ""
        # The file that the adviser opened the tool for is filled in; they may correct it.
        reference = html.escape(session["client_reference"] or "")
        opened_for = f"Client’s file: {reference}" if reference else ""
        shown = {"greeted": html.escape(greeted), "signed_in": html.escape(signed_in), "opened_for": opened_for}
        self.answer(200, PAGE.format(**shown, reference=reference))

    def take(self):
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), 10_000))
        if self.path == "/events":
            return self.take_event(body)
        form = parse_qs(body.decode(errors="replace"))
        session = self.session()
        own = self.headers.get("sec-fetch-site", "same-origin") == "same-origin"
        if session is None or not own:
            return self.answer(403, CLOSED)
        minutes = form.get("minutes", [""])[0]
        if not minutes.isdecimal() or int(minutes) > 1440:
            return self.answer(400, "<p>Please enter whole minutes of one day.</p>")
        # One event id for the session's one report: a second press, or another try after a failure, counts once.
        # For the record of AI use: the version used, the purpose, and the client's file number, never a name.
        told = {"version": VERSION, "purpose": session["purpose"] or "file_note"}
        reference = form.get("reference", [""])[0].strip()
        if reference:
            told["client_reference"] = reference
        refused, may_go_on = adviserly.report(f"{session['session_id']}:finished", session["session_id"], int(minutes) * 60, **told)
        if not may_go_on:
            session["ends_at"] = 0
        if refused is not None:
            return self.answer(400, f"<p>{html.escape(refused)}</p>")
        self.redirect("/")

    def arrive(self, token):
        launch = adviserly.exchange(token)
        if launch is None:
            return self.answer(403, CLOSED)
        key = secrets.token_urlsafe(32)
        sessions[key] = {**launch, "ends_at": time.monotonic() + LONGEST}
        # A real tool, served over https, adds Secure.
        self.redirect("/", f"notes={key}; Path=/; HttpOnly; SameSite=Lax")

    def take_event(self, body):
        """Sessions are all that a sample knows of anybody, so that a person is erased when theirs have ended."""
        event = adviserly.read_event(self.headers, body)
        if event is None:
            return self.answer(401, "")
        ends = event["type"] in adviserly.ENDINGS
        for key in [key for key, session in sessions.items() if ends and session["sub"] == event["data"]["sub"]]:
            sessions.pop(key, None)
        if event["type"] == "person.erase":
            adviserly.confirm_erasure(event["data"]["erasure_id"])
        self.answer(200, "")

    def session(self):
        cookie = SimpleCookie(self.headers.get("cookie", "")).get("notes")
        session = sessions.get(cookie.value) if cookie else None
        return session if session and session["ends_at"] > time.monotonic() else None

    def redirect(self, to, cookie=None):
        self.send_response(303)
        self.send_header("location", to)
        self.send_header("cache-control", "no-store")
        if cookie:
            self.send_header("set-cookie", cookie)
        self.send_header("content-length", "0")
        self.end_headers()

    def answer(self, status, page):
        body = page.encode()
        self.send_response(status)
        for name, value in {
            "content-type": "text/html; charset=utf-8",
            "content-length": str(len(body)),
            "cache-control": "no-store",
            "referrer-policy": "no-referrer",
            "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args):
        """Addresses may hold a token: they are not logged."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Tool)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
