"""Quotes with the standard library alone: the order is signed by the sandbox (POST /sign-order),
every request is authenticated by hand.

    export ADDRESS=0x... API_KEY=... SECRET=... PASSPHRASE=... TOKEN_ID=...
    python3 docs/examples/python/quote.py
"""
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.request

URL = os.environ.get("EXCHANGE_URL", "http://127.0.0.1:8080")


def headers_for(method, path, body=""):
    """L2: the HMAC of time, method, path without the query, and the very text of the body."""
    now = str(int(time.time()))
    secret = base64.urlsafe_b64decode(os.environ["SECRET"])
    digest = hmac.new(secret, (now + method + path.split("?")[0] + body).encode(), hashlib.sha256)
    return {
        "POLY_ADDRESS": os.environ["ADDRESS"],
        "POLY_API_KEY": os.environ["API_KEY"],
        "POLY_PASSPHRASE": os.environ["PASSPHRASE"],
        "POLY_TIMESTAMP": now,
        "POLY_SIGNATURE": base64.urlsafe_b64encode(digest.digest()).decode(),
    }


def ask(method, path, body="", headers=None):
    sent = {"content-type": "application/json", **(headers or headers_for(method, path, body))}
    request = urllib.request.Request(URL + path, body.encode() or None, sent, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


quote = {"token": os.environ["TOKEN_ID"], "side": "BUY", "price": "0.01", "size": "10"}
signed = ask("POST", "/sign-order", json.dumps({**quote, "postOnly": True}))
placed = ask("POST", "/order", signed["body"])
print(f"{placed['orderID']} is {placed['status']}")
resting = ask("GET", f"/data/orders?asset_id={quote['token']}")["data"]
print(f"{len(resting)} of my orders rest, at {resting[0]['price']}")
gone = ask("DELETE", "/order", json.dumps({"orderID": placed["orderID"]}))["canceled"]
print(f"{len(gone)} canceled")
