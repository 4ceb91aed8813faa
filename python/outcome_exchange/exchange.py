"""A running exchange of one's own, and its remote control. What a method takes and returns is the
JSON of its route: docs/sandbox.md, and /docs of the exchange."""
from __future__ import annotations

import dataclasses
import secrets
from types import SimpleNamespace

from .process import Process
from .requests import json_text, l2_headers, send
from .websocket import WebSocket

_CHAIN_ID = 137
_SIGNED_BY_KEY = 0


@dataclasses.dataclass(frozen=True)
class Account:
    """An account with play money, whose API credentials are ready for use. Its key is public."""

    address: str
    private_key: str
    api_key: str
    secret: str
    passphrase: str


def start_exchange(
    *, data_dir=None, port=0, admin_port=0, crowd="off", flags=(), timeout=300, on_log=None
) -> Exchange:
    """Starts an exchange and returns when it is ready. Raises RuntimeError with the end of its log
    if it does not start within `timeout` seconds.

    Without `data_dir` all data is in memory. A port of 0 is any free one. `crowd` is `off`, `still`
    or `live`; `flags` are more flags of `outcome-exchange --help`; `on_log` gets each line of the
    log, in another thread.
    """
    data = ["--memory"] if data_dir is None else ["--data", str(data_dir)]
    ports = ["--port", str(port), "--admin-port", str(admin_port)]
    token = secrets.token_hex()
    words = [*data, *ports, "--crowd", crowd, *flags]
    return Exchange(Process(words, {"ADMIN_TOKEN": token}, timeout, on_log), token)


class Exchange:
    """Every method raises ExchangeError if the exchange refuses."""

    def __init__(self, process: Process, admin_token: str):
        ready = process.ready
        self._process = process
        self.pid = ready["pid"]
        self.url = ready["url"]
        self.admin_url = f"http://127.0.0.1:{ready['adminPort']}"
        self.admin_token = admin_token
        self.accounts = [
            Account(
                address=one["address"],
                private_key=one["privateKey"],
                api_key=one["apiKey"],
                secret=one["secret"],
                passphrase=one["passphrase"],
            )
            for one in ready["devAccounts"]
        ]

    def stop(self) -> None:
        """Returns when it has ended. It ends by itself with the process that started it."""
        self._process.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def request(self, method: str, path: str, body=None, account=None):
        """Any request to the public API, authenticated as an account if one is given."""
        text = json_text(body)
        headers = {} if account is None else l2_headers(account, method, path, text)
        return send(self.url + path, method, text, headers)

    def operator(self, method: str, path: str, body=None):
        """Any request to the operator's API."""
        authorization = {"authorization": f"Bearer {self.admin_token}"}
        return send(self.admin_url + path, method, body, authorization)

    def websocket(self, channel: str = "market", timeout: float = 30) -> WebSocket:
        """An open socket of the channel `market`, `user` or `live`."""
        return WebSocket(f"ws{self.url[4:]}/ws/{channel}", timeout)

    def markets(self) -> list:
        """Markets that accept orders, each with its `condition_id` and two `tokens`."""
        return self.request("GET", "/sampling-simplified-markets")["data"]

    def sign_order(self, **order) -> dict:
        """The request that places an order of a dev account; `account` is its number."""
        return self.request("POST", "/sign-order", order)

    def place_order(self, **order) -> dict:
        signed = self.sign_order(**order)
        return send(self.url + signed["path"], signed["method"], signed["body"], signed["headers"])

    def faucet(self, address: str, amount: str, **more) -> dict:
        """Gives play money to an account, in units of collateral, such as '100.5'."""
        return self.request("POST", "/faucet", {"address": address, "amount": amount, **more})

    def add_fault(self, kind: str, **more) -> dict:
        return self.operator("POST", "/faults", {"kind": kind, **more})

    def faults(self) -> list:
        return self.operator("GET", "/faults")["data"]

    def remove_fault(self, fault_id: str) -> dict:
        return self.operator("DELETE", f"/faults/{fault_id}")

    def clear_faults(self) -> list:
        return self.operator("DELETE", "/faults")["data"]

    def now(self) -> int:
        """The exchange's time in milliseconds since the epoch."""
        return self.operator("GET", "/time")["time_ms"]

    def advance(self, seconds: float) -> int:
        """Moves the clock forward. Returns the new time."""
        return self.operator("POST", "/time", {"seconds": seconds})["time_ms"]

    def make_checkpoint(self, name: str = "") -> dict:
        return self.operator("POST", "/checkpoints", {"name": name})

    def checkpoints(self) -> list:
        return self.operator("GET", "/checkpoints")["data"]

    def restore(self, checkpoint_id: str) -> dict:
        return self.operator("POST", f"/checkpoints/{checkpoint_id}/restore")

    def remove_checkpoint(self, checkpoint_id: str) -> dict:
        return self.operator("DELETE", f"/checkpoints/{checkpoint_id}")

    def clob_client(self, account: Account) -> dict:
        """The arguments of ClobClient of py-clob-client and of py-clob-client-v2."""
        return {
            "host": self.url,
            "chain_id": _CHAIN_ID,
            "key": account.private_key,
            "signature_type": _SIGNED_BY_KEY,
            "funder": account.address,
            # What both clients read of their own ApiCreds.
            "creds": SimpleNamespace(
                api_key=account.api_key,
                api_secret=account.secret,
                api_passphrase=account.passphrase,
            ),
        }

    def unified_client(self, account: Account) -> dict:
        """The arguments of SecureClient.create of polymarket-client, which must be installed: it
        makes its environments itself, so this one is its own with other addresses."""
        from polymarket._internal.environment import get_environment_config, with_environment_config
        from polymarket.environments import PRODUCTION

        sockets = f"ws{self.url[4:]}/ws"
        config = dataclasses.replace(
            get_environment_config(PRODUCTION),
            **dict.fromkeys(["clob_url", "gamma_url", "data_url", "relayer_url"], self.url),
            clob_market_ws_url=f"{sockets}/market",
            clob_user_ws_url=f"{sockets}/user",
            rtds_ws_url=f"{sockets}/live",
            rpc_url=f"{self.url}/rpc",
        )
        environment = with_environment_config(PRODUCTION, config=config)
        key = {"private_key": account.private_key, "wallet": account.address}
        return {**key, "environment": environment}
