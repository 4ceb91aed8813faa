"""Buys once, however often the answer is lost. The order is signed once, and that same signed order
is sent until there is an answer: an order is known by its hash, so it can't be filled twice.

    TOKEN_ID=... python3 docs/examples/python/lost_answer.py
"""
import http.client
import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ.get("EXCHANGE_URL", "http://127.0.0.1:8080")
FIRST_WAIT_SECONDS = float(os.environ.get("FIRST_WAIT_SECONDS", "0.5"))
ATTEMPTS = 8


def post(path, body, headers=None):
    sent = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(URL + path, body.encode(), sent)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def send(signed):
    """Sends a signed order until there is an answer. Raises a refusal."""
    for attempt in range(ATTEMPTS):
        try:
            return post(signed["path"], signed["body"], signed["headers"])
        except (OSError, http.client.HTTPException) as failure:
            # Without a status there was no answer, and after a 5xx too the order may be placed.
            status = failure.code if isinstance(failure, urllib.error.HTTPError) else None
            if (status is not None and status < 500) or attempt == ATTEMPTS - 1:
                raise
            print(f"no answer ({status or failure}); sending the same order again")
            time.sleep(FIRST_WAIT_SECONDS * 2**attempt)


order = {"token": os.environ["TOKEN_ID"], "side": "BUY", "price": "0.99", "size": "10"}
# Not a new signature for each attempt: each would be a new order, and each of them may be filled.
signed = post("/sign-order", json.dumps(order))
placed = send(signed)
print(f"{placed['orderID']} is {placed['status']}")
