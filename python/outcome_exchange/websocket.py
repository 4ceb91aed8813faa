"""A client of the exchange's sockets (RFC 6455): text messages in both directions.

Bounds: FRAME_BYTES for a message, and the timeout of the socket for each wait.
"""
from __future__ import annotations

import base64
import hashlib
import os
import socket
import ssl
from urllib.parse import urlsplit

FRAME_BYTES = 2**26
_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUATION, _TEXT, _CLOSE, _PING, _PONG = 0, 1, 8, 9, 10


class WebSocket:
    """An open socket. Every method raises OSError: TimeoutError (socket.timeout before Python 3.10)
    after `timeout` seconds of silence, ConnectionError with the code when the socket is closed."""

    def __init__(self, url: str, timeout: float = 30):
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "wss" else 80)
        self._socket = socket.create_connection((parts.hostname, port), timeout)
        if parts.scheme == "wss":
            context = ssl.create_default_context()
            self._socket = context.wrap_socket(self._socket, server_hostname=parts.hostname)
        self._file = self._socket.makefile("rb")
        try:
            self._shake_hands(parts)
        except BaseException:
            self.close()
            raise

    def _shake_hands(self, parts) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        query = f"?{parts.query}" if parts.query else ""
        self._socket.sendall(
            f"GET {parts.path or '/'}{query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nUser-Agent: outcome-exchange-python\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        status = self._file.readline(FRAME_BYTES).decode(errors="replace").strip()
        headers = {}
        for line in iter(lambda: self._file.readline(FRAME_BYTES).decode().strip(), ""):
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        accept = base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode()
        if " 101 " not in f"{status} " or headers.get("sec-websocket-accept") != accept:
            raise ConnectionError(f"no socket was opened: {status or 'no answer'}")

    def send(self, text: str) -> None:
        self._send(_TEXT, text.encode())

    def _send(self, kind: int, data: bytes) -> None:
        mask = os.urandom(4)
        size = len(data)
        head = bytes([0x80 | kind])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            wide = size >= 2**16
            head += bytes([0x80 | (127 if wide else 126)]) + size.to_bytes(8 if wide else 2, "big")
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))
        self._socket.sendall(head + mask + masked)

    def receive(self) -> str:
        """The next message. Answers pings meanwhile."""
        message = b""
        while True:
            first, second = self._read(2)
            kind, size = first & 0x0F, second & 0x7F
            if size >= 126:
                size = int.from_bytes(self._read(8 if size == 127 else 2), "big")
            if second & 0x80 or size + len(message) > FRAME_BYTES:
                raise ConnectionError(f"a masked frame, or one of more than {FRAME_BYTES} bytes")
            data = self._read(size)
            if kind == _CLOSE:
                code = int.from_bytes(data[:2], "big") if data else 1005
                raise ConnectionError(f"closed with {code} {data[2:].decode(errors='replace')}")
            if kind == _PING:
                self._send(_PONG, data)
            elif kind in (_TEXT, _CONTINUATION):
                message += data
                if first & 0x80:
                    return message.decode()

    def _read(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) < size:
            raise ConnectionError("closed with 1006 without a close frame")
        return data

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
