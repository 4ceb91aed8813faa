"""The exchange of the package: its methods, its start and its end."""
import os
import signal
import subprocess
import sys
import time
import types
from dataclasses import asdict, make_dataclass
from pathlib import Path

import pytest
from outcome_exchange import ExchangeError, WebSocket, process, start_exchange

ROOT = Path(__file__).resolve().parents[2]


def balance(exchange, account):
    return exchange.operator("GET", f"/accounts/{account.address}")["balance"]


def test_methods_do_what_their_routes_do(exchange):
    account = exchange.accounts[0]
    assert len(exchange.accounts) == 4
    before, early = balance(exchange, account), exchange.now()
    checkpoint = exchange.make_checkpoint("empty")
    assert exchange.faucet(account.address, "12.5", key="once")["amount"] == "12.5"
    assert balance(exchange, account) != before
    assert exchange.advance(3600) >= early + 3_600_000
    exchange.restore(checkpoint["id"])
    assert balance(exchange, account) == before
    assert exchange.now() < early + 3_600_000
    assert [one["name"] for one in exchange.checkpoints()] == ["", "empty"]
    exchange.remove_checkpoint(checkpoint["id"])
    assert [one["name"] for one in exchange.checkpoints()] == [""]


def test_a_fault_fires_once_and_is_told(exchange):
    fault = exchange.add_fault("unavailable", match={"path": "/ok"}, count=1)
    with pytest.raises(ExchangeError) as refusal:
        exchange.request("GET", "/ok")
    assert refusal.value.status == 503
    exchange.request("GET", "/ok")
    assert exchange.faults()[0]["hits"][0]["path"] == "/ok"
    assert exchange.remove_fault(fault["id"])["fired"] == 1
    assert exchange.clear_faults() == []


def test_a_refusal_names_code_field_limit_and_value(exchange):
    with pytest.raises(ExchangeError, match=r"\(400 invalid_payload\)") as refusal:
        exchange.add_fault("earthquake")
    assert (refusal.value.status, refusal.value.code) == (400, "invalid_payload")
    assert refusal.value.body["field"] == "kind"
    exchange.add_fault("edge_page", match={"path": "/ok"}, count=1)
    with pytest.raises(ExchangeError) as page:
        exchange.request("GET", "/ok")
    assert page.value.code == "" and page.value.body.startswith("<")


def test_orders_of_two_accounts_match(exchange, token):
    maker, taker = exchange.accounts[1:3]
    order = {"token": token, "price": "0.4", "size": 10}
    assert exchange.place_order(**order, side="BUY", account=1)["status"] == "live"
    market = exchange.markets()[0]["condition_id"]
    exchange.faucet(taker.address, "10", market=market)
    assert exchange.place_order(**order, side="SELL", account=2)["status"] == "matched"
    trades = exchange.request("GET", f"/data/trades?asset_id={token}", account=maker)["data"]
    assert [trade["size"] for trade in trades] == ["10"]
    with pytest.raises(ExchangeError) as refusal:
        exchange.sign_order(**order, side="BUY", account=4)
    assert refusal.value.body["field"] == "account"


def test_the_socket_says_what_happened_and_why_it_was_closed(exchange, token):
    with exchange.websocket() as book:
        book.send('{"assets_ids": ["%s"]}' % token)
        assert '"event_type":"book"' in book.receive()
        exchange.add_fault("closed_socket", count=1)
        with pytest.raises(ConnectionError, match="closed with 1"):
            while True:
                book.receive()
    with pytest.raises(ConnectionError, match="no socket was opened: HTTP/1.1 404"):
        WebSocket(f"ws{exchange.url[4:]}/ws/nothing")


def test_arguments_of_the_public_clients(exchange, monkeypatch):
    account = exchange.accounts[0]

    # Their parameters, as the sources of both versions have them.
    def ClobClient(host, chain_id=None, key=None, creds=None, signature_type=None, funder=None):
        return host, chain_id, key, creds, signature_type, funder

    host, chain_id, key, creds, kind, funder = ClobClient(**exchange.clob_client(account))
    assert (host, chain_id, key, kind) == (exchange.url, 137, account.private_key, 0)
    assert funder == account.address
    assert (creds.api_key, creds.api_secret) == (account.api_key, account.secret)
    assert creds.api_passphrase == account.passphrase

    names = "clob gamma data relayer rpc clob_market_ws clob_user_ws rtds_ws"
    names = [f"{name}_url" for name in names.split()]
    config = make_dataclass("Config", names)(**dict.fromkeys(names, "https://elsewhere"))
    modules = {"environments": {"PRODUCTION": "production"}, "_internal": {}}
    modules["_internal.environment"] = {
        "get_environment_config": {"production": config}.get,
        "with_environment_config": lambda environment, config: (environment, config),
    }
    for name, members in {"": {}, **modules}.items():
        module = types.ModuleType(f"polymarket.{name}".rstrip("."))
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    made = exchange.unified_client(account)
    assert (made["private_key"], made["wallet"]) == (account.private_key, account.address)
    environment, own = made["environment"]
    assert environment == "production"
    assert all(exchange.url[4:] in address for address in asdict(own).values())


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_exchange_ends_with_the_process_that_started_it():
    code = "import outcome_exchange as o; e = o.start_exchange(); print(e.pid, flush=True); input()"
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    pid = int(child.stdout.readline())
    assert is_alive(pid)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    for _ in range(12_000):
        if not is_alive(pid):
            return
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("it is still there")


def test_a_start_that_fails_says_why(monkeypatch):
    with pytest.raises(RuntimeError, match=r"ended with code 2 .*:\n.*--no-such-flag"):
        start_exchange(flags=["--no-such-flag"])
    with pytest.raises(RuntimeError, match="was not ready within 0.01 s"):
        start_exchange(timeout=0.01)
    monkeypatch.setenv("OUTCOME_EXCHANGE", "/nowhere/outcome-exchange")
    with pytest.raises(FileNotFoundError, match="'/nowhere/outcome-exchange', no file"):
        start_exchange()


def program_in(folder, text=""):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "outcome-exchange"
    file.write_text(text)
    file.chmod(0o755)
    return file


def test_the_program_is_looked_for_in_four_places(monkeypatch, tmp_path):
    project, path = tmp_path / "project", tmp_path / "path"
    (project / "tests").mkdir(parents=True)
    monkeypatch.chdir(project / "tests")
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.delenv("OUTCOME_EXCHANGE", raising=False)
    assert process.find_program() == ROOT / "outcome-exchange"
    monkeypatch.setattr(process, "_HERE", tmp_path / "a/b/c.py")
    with pytest.raises(FileNotFoundError, match="pip install -e python"):
        process.find_program()
    for folder in [path, project / "node_modules/.bin"]:
        program = program_in(folder)
        assert process.find_program() == program.resolve()
    named = program_in(tmp_path / "named")
    monkeypatch.setenv("OUTCOME_EXCHANGE", str(named))
    assert process.find_program() == named.resolve()


@pytest.mark.parametrize(
    ("node", "npm", "found"),
    [
        (None, True, "there is no node on the PATH"),
        ("v18.20.4", True, "node on the PATH is v18.20.4"),
        ("", True, "node on the PATH is broken"),
        ("v20.0.0", False, "there is no npm on the PATH"),
        ("v20.0.0", True, None),
        ("v22.1.0", True, None),
    ],
)
def test_a_node_that_is_too_old_or_missing_is_named(monkeypatch, tmp_path, node, npm, found):
    monkeypatch.setenv("PATH", str(tmp_path))
    scripts = {"node": None if node is None else f"echo {node}", "npm": "" if npm else None}
    for name, text in scripts.items():
        if text is not None:
            (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
            (tmp_path / name).chmod(0o755)
    program = program_in(tmp_path / "clone")
    if found is None:
        process.check_node(program)
    else:
        with pytest.raises(RuntimeError, match=f"Node 20 or later .*\nfirst start, and {found}"):
            process.check_node(program)
    own = program.parent / "node_modules/node/bin/node"
    own.parent.mkdir(parents=True)
    own.touch()
    process.check_node(program)
