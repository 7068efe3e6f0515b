import base64, hashlib, hmac, json, os, time
from urllib.parse import urlencode
from urllib.request import Request, urlopen

env = os.environ
credentials = base64.b64encode(f"{env['TOOL_ID']}:{env['TOOL_SECRET']}".encode()).decode()

def post(path, body, type):
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": type}
    with urlopen(Request(env["ADVISERLY"] + path, body.encode(), headers), timeout=10) as answer:
        return json.load(answer)

def exchange(token):
    """Who opened the tool; None where nobody may."""
    who = post("/api/tools/introspect", urlencode({"token": token}), "application/x-www-form-urlencoded")
    return who if who["active"] else None

def report(event):
    return post("/api/tools/usage", json.dumps({"events": [event]}), "application/json")

def is_ours(headers, body):
    """Whether an event is ours; body is the bytes that came."""
    id, at, signatures = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not at.isdecimal() or abs(time.time() - int(at)) > 300:
        return False
    key = base64.b64decode(env["TOOL_SIGNING_SECRET"].removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    right = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(one.encode(), right) for one in signatures.split(" "))
