"""An exchange for the tests of a bot: docs/python.md."""
from .exchange import Account, Exchange, start_exchange
from .requests import ExchangeError, l2_headers
from .websocket import WebSocket

__all__ = ["Account", "Exchange", "ExchangeError", "WebSocket", "l2_headers", "start_exchange"]
