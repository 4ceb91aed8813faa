"""The WebSocket client, against a server that sends any bytes."""
import base64
import hashlib
import io
import socket
import threading

import pytest
from outcome_exchange import WebSocket, websocket

HEAD = b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: KEY\r\n\r\n"
PING = b"\x89\x02hi"


class Server:
    """Takes one connection and sends it `answer` with the right key in it; then ends its side,
    unless it is silent. `join` returns all that it has got."""

    def __init__(self, answer, silent=False):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"ws://127.0.0.1:{self.server.getsockname()[1]}/"
        self.heard = b""
        self.thread = threading.Thread(target=self.run, args=[answer, silent], daemon=True)
        self.thread.start()

    def run(self, answer, silent):
        client, _ = self.server.accept()
        with self.server, client, client.makefile("rb") as file:
            lines = [line.decode().strip() for line in iter(file.readline, b"\r\n")]
            [key] = [line[19:] for line in lines if line.startswith("Sec-WebSocket-Key: ")]
            digest = hashlib.sha1((key + websocket._GUID).encode()).digest()
            client.sendall(answer.replace(b"KEY", base64.b64encode(digest)))
            if not silent:
                client.shutdown(socket.SHUT_WR)
            self.heard = file.read()

    def join(self):
        self.thread.join()
        return self.heard


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        (b"\x81\x02hi", "hi"),
        (b"\x81\x7e\x01\x00" + b"x" * 256, "x" * 256),
        (b"\x81\x7f" + (70_000).to_bytes(8, "big") + b"x" * 70_000, "x" * 70_000),
        (b"\x01\x02h\xc3" + PING + b"\x80\x01\xa9", "hé"),
        (b"\x8a\x00" + PING + b"\x81\x00", ""),
    ],
)
def test_a_message_is_read_in_every_form(frames, message):
    server = Server(HEAD + frames)
    with WebSocket(server.url) as client:
        assert client.receive() == message
        with pytest.raises(ConnectionError, match="1006"):
            client.receive()
    assert bool(server.join()) == (PING in frames)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (HEAD + b"\x88\x00", "closed with 1005"),
        (HEAD + b"\x88\x05\x0f\xa8bye", "closed with 4008 bye"),
        (HEAD + b"\x81", "1006"),
        (HEAD + b"\x81\x05hi", "1006"),
        (HEAD + b"\x81\x82maskhi", "masked"),
        (HEAD + b"\x81\x7f\x00\x00\x00\x00\x10\x00\x00\x00", "more than 67108864 bytes"),
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", "no socket was opened: HTTP/1.1 403"),
        (HEAD.replace(b"KEY", b"x"), "no socket was opened: HTTP/1.1 101"),
        (b"", "no socket was opened: no answer"),
    ],
)
def test_each_end_says_why(answer, reason):
    server = Server(answer)
    with pytest.raises(ConnectionError, match=reason):
        with WebSocket(server.url) as client:
            client.receive()
    server.join()


def masked_frames(data):
    """The texts and pongs that a client has sent."""
    file = io.BytesIO(data)
    for head in iter(lambda: file.read(2), b""):
        size = head[1] & 0x7F
        assert head[1] & 0x80, "a client masks"
        if size >= 126:
            size = int.from_bytes(file.read(2 if size == 126 else 8), "big")
        mask = file.read(4)
        content = bytes(byte ^ mask[at % 4] for at, byte in enumerate(file.read(size)))
        yield head[0] & 0x0F, content


def test_what_is_sent_is_masked_and_silence_ends():
    server = Server(HEAD + PING + b"\x81\x00", silent=True)
    texts = ["y" * size for size in (125, 126, 65_535, 65_536)]
    with WebSocket(server.url) as client:
        assert client.receive() == ""
        for text in texts:
            client.send(text)
        client._socket.settimeout(0.01)
        with pytest.raises(OSError, match="timed out"):
            client.receive()
    sent = [(1, text.encode()) for text in texts]
    assert list(masked_frames(server.join())) == [(10, b"hi"), *sent]
