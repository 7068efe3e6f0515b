"""What a tool's server needs of Adviserly: copy this file. It depends on nothing but Python's standard library. The calls are
described at /api/docs; all are made by the tool's server, never by the browser, since they carry the tool's secret."""

import base64
import hashlib
import hmac
import http.client
import json
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass


class NotAnswered(Exception):
    """Adviserly could not be asked, or refused the call itself. What is sent under an id can safely be sent again."""


@dataclass(frozen=True)
class Adviserly:
    api_url: str
    tool_id: str
    secret: str
    signing_secret: str = ""

    def exchange(self, auth_token):
        """Who opened the tool (RFC 7662), once, within five minutes; None where the token is not accepted."""
        if not 0 < len(auth_token) <= 500:
            return None
        form = urllib.parse.urlencode({"token": auth_token}).encode()
        answer = self._post("/api/tools/introspect", form, "application/x-www-form-urlencoded")
        return answer if answer["active"] else None

    def report(self, event_id, session_id, duration_seconds, **figures):
        """Reports what was done. Returns why it was refused, None when it was taken now or before, and whether the session may
        go on. An event_id counts once, so send a report again whenever you are not sure."""
        event = {"event_id": event_id, "session_id": session_id, "duration_seconds": duration_seconds, **figures}
        answer = self._post("/api/tools/usage", json.dumps({"events": [event]}).encode(), "application/json")
        first = answer["events"][0]
        refused = None if first["accepted"] else f"{first['reason']}: {first.get('message', '')}"
        return refused, first["access"] is not False

    ENDINGS = ("access.ended", "member.removed", "account.closed", "person.erase")

    def may_go_on(self, session_id):
        """Whether the adviser may still use the tool; end the session where not."""
        return self._call(f"/api/tools/sessions/{urllib.parse.quote(session_id)}")["access"]

    def read_event(self, headers, body):
        """The event of a request, its body as bytes, where Adviserly signed it within five minutes (Standard Webhooks); else None."""
        names = ("webhook-id", "webhook-timestamp", "webhook-signature")
        event_id, timestamp, signatures = (headers.get(name, "") for name in names)
        if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
            return None
        key = base64.b64decode(self.signing_secret.removeprefix("whsec_"))
        signed = hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
        ours = "v1," + base64.b64encode(signed).decode()
        # There are two signatures while two secrets are live.
        is_ours = any(hmac.compare_digest(one.encode(), ours.encode()) for one in signatures.split(" "))
        return json.loads(body) if is_ours else None

    def confirm_erasure(self, erasure_id):
        """Says that the person is erased here, as person.erase asked."""
        self._post(f"/api/tools/erasures/{urllib.parse.quote(erasure_id)}", b"{}", "application/json")

    def _post(self, path, body, content_type):
        return self._call(path, body, {"content-type": content_type})

    def _call(self, path, body=None, headers=None):
        basic = base64.b64encode(f"{self.tool_id}:{self.secret}".encode()).decode()
        request = urllib.request.Request(self.api_url + path, body, {**(headers or {}), "authorization": f"Basic {basic}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NotAnswered(str(error)) from error
