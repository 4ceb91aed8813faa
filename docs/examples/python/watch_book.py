"""Follows the book of a token, proves after each change that no byte of it is wrong, and resumes
after a lost connection with the messages that it missed.

    EXCHANGE_URL=http://127.0.0.1:8080 TOKEN_ID=... python3 docs/examples/python/watch_book.py
"""
import hashlib
import json
import os
import time

from outcome_exchange import WebSocket

URL = os.environ.get("EXCHANGE_URL", "http://127.0.0.1:8080")
TOKEN_ID = os.environ["TOKEN_ID"]
# A quiet market has a heartbeat every ten seconds.
SILENCE_SECONDS = float(os.environ.get("SILENCE_SECONDS", "15"))
RECONNECT_SECONDS = float(os.environ.get("RECONNECT_SECONDS", "0.5"))

book = {}  # the fields of the last `book`, kept up to date
levels = {"bids": {}, "asks": {}}  # size by price
last = None  # the sequence of the last message, and the stream that counted it


def book_hash():
    """As http/streams/streams.md defines it: levels worst first, keys in this order."""
    shown = {key: book[key] for key in ("market", "asset_id", "timestamp")}
    shown["hash"] = ""
    for side in ("bids", "asks"):
        prices = sorted(levels[side], key=float, reverse=side == "asks")
        shown[side] = [{"price": price, "size": levels[side][price]} for price in prices]
    for key in ("min_order_size", "tick_size", "neg_risk", "last_trade_price"):
        shown[key] = book[key]
    text = json.dumps(shown, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha1(text.encode()).hexdigest()


def follows(message):
    """Whether no message is missing before this one. A book is a whole state and always fits."""
    kind, sequence = message["event_type"], message["sequence"]
    if last is None or kind in ("book", "snapshot_required"):
        return True
    step = kind not in ("heartbeat", "resumed")
    return sequence == last["sequence"] or (step and sequence == last["sequence"] + 1)


def read(message):
    kind = message["event_type"]
    expected = None
    if kind == "book" and message["asset_id"] == TOKEN_ID:
        book.update(message)
        for side in levels:
            levels[side] = {level["price"]: level["size"] for level in message[side]}
        expected = message["hash"]
    elif kind == "price_change":
        book["timestamp"] = message["timestamp"]
        for change in message["price_changes"]:
            if change["asset_id"] != TOKEN_ID:
                continue
            side = levels["bids" if change["side"] == "BUY" else "asks"]
            side[change["price"]] = change["size"]
            if change["size"] == "0":
                del side[change["price"]]
            expected = change["hash"]
    elif kind == "last_trade_price" and message["asset_id"] == TOKEN_ID:
        book["last_trade_price"] = message["price"]
    elif kind == "tick_size_change" and message["asset_id"] == TOKEN_ID:
        book["tick_size"] = message["new_tick_size"]
    if expected not in (None, book_hash()):
        raise SystemExit(f"the book is wrong after {message['sequence']}")
    bid = max(levels["bids"], key=float, default="-")
    ask = min(levels["asks"], key=float, default="-")
    print(f"{kind} {message['sequence']}: {bid} / {ask}", flush=True)


def listen():
    """Returns when the connection is lost, silent or has skipped a message."""
    global last
    with WebSocket(f"ws{URL[4:]}/ws/market", SILENCE_SECONDS) as socket:
        resume = {"operation": "resume", **last} if last else {}
        socket.send(json.dumps({"type": "market", "assets_ids": [TOKEN_ID], **resume}))
        while True:
            message = json.loads(socket.receive())
            if not follows(message):
                raise ConnectionError("a message is missing")
            last = {key: message[key] for key in ("sequence", "stream_id")}
            read(message)


while True:
    try:
        listen()
    except OSError as reason:
        print(f"{reason}; connecting again", flush=True)
        time.sleep(RECONNECT_SECONDS)
