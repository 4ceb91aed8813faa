"""Requests to a running exchange over HTTP, by the standard library alone.

Bound: REQUEST_SECONDS without a byte of the answer.
"""
from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.request

REQUEST_SECONDS = 60
# The exchange is on this machine: no proxy of the environment may stand between.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ExchangeError(Exception):
    """A refusal of the exchange.

    `status` is that of HTTP; `code` is stable, such as `invalid_payload`, and '' if the answer was
    not JSON; `body` is the whole answer, with the field, the limit and the actual value.
    """

    def __init__(self, status, body):
        fields = body if isinstance(body, dict) else {}
        self.status, self.body, self.code = status, body, str(fields.get("code", ""))
        sentence = fields.get("error", "the request was refused")
        super().__init__(f"{sentence} ({' '.join([str(status), self.code]).strip()}): {body}")


def json_text(body) -> str:
    """The text of a body; a text is left as it is, and None is none."""
    if isinstance(body, str):
        return body
    return "" if body is None else json.dumps(body, separators=(",", ":"))


def send(url: str, method: str = "GET", body=None, headers=None):
    """The JSON of the answer; raises ExchangeError for a refusal, and OSError without an answer."""
    data = json_text(body).encode()
    sent = {**({"content-type": "application/json"} if data else {}), **(headers or {})}
    request = urllib.request.Request(url, data or None, sent, method=method)
    try:
        with _OPENER.open(request, timeout=REQUEST_SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as answer:
        with answer:
            text = answer.read().decode(errors="replace")
        is_json = answer.headers.get_content_type() == "application/json"
        refusal = ExchangeError(answer.code, json.loads(text) if is_json else text)
    raise refusal


def l2_headers(account, method: str, path: str, body: str = "", at=None) -> dict:
    """The headers that authenticate a request as an account (wire 2.4).

    `path` may have a query, which is not signed; `body` is the text that is sent; `at` is in
    seconds since the epoch, by default now.
    """
    timestamp = str(int(time.time() if at is None else at))
    signed = timestamp + method + path.partition("?")[0] + body
    digest = hmac.new(base64.urlsafe_b64decode(account.secret), signed.encode(), hashlib.sha256)
    return {
        "POLY_ADDRESS": account.address,
        "POLY_API_KEY": account.api_key,
        "POLY_PASSPHRASE": account.passphrase,
        "POLY_TIMESTAMP": timestamp,
        "POLY_SIGNATURE": base64.urlsafe_b64encode(digest.digest()).decode(),
    }
