"""docs/python.md and the programs in Python, run as they stand there."""
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/python.md").read_text()
EXAMPLES = ROOT / "docs/examples/python"


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.S)


def test_these_tests_run_with_the_settings_of_the_page():
    here = Path(__file__).parent
    assert (here / "pytest.ini").read_text() == blocks("ini")[0]
    assert (here / "conftest.py").read_text().startswith(blocks("python")[1])


def test_the_first_test_passes_and_a_naive_bot_fails_with_the_log(tmp_path):
    first = blocks("python")[0]
    # A bot that signs a new order after the failure has two. It has an exchange of its own.
    [sign] = re.findall(r"\n    signed = .*", first)
    naive = first.replace("\n    exchange.request(", sign + "\n    exchange.request(")
    (tmp_path / "test_bot.py").write_text(first)
    (tmp_path / "test_naive.py").write_text(naive)
    words = ["-p", "no:cacheprovider", "-p", "outcome_exchange.pytest_plugin"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done.stdout
    assert "assert 2 == 1" in done.stdout and '"msg":"ready"' in done.stdout, done.stdout


def test_the_program_of_the_page_runs_and_the_page_names_every_method():
    subprocess.run([sys.executable, "-c", blocks("python")[2]], check=True)
    source = (ROOT / "python/outcome_exchange/exchange.py").read_text()
    names = re.findall(r"^    def ([a-z]\w+)", source, re.M)
    assert len(names) > 15
    assert [name for name in names if f"{name}(" not in PAGE] == []


LONGEST_SECONDS = 60


class Example:
    """A program of the documents. It is ended after LONGEST_SECONDS."""

    def __init__(self, name, exchange, token, number, **more):
        account = exchange.accounts[number]
        self.process = subprocess.Popen(
            [sys.executable, str(EXAMPLES / name)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                **os.environ,
                "EXCHANGE_URL": exchange.url,
                "TOKEN_ID": token,
                "ADDRESS": account.address,
                "API_KEY": account.api_key,
                "SECRET": account.secret,
                "PASSPHRASE": account.passphrase,
                **more,
            },
        )
        late = threading.Timer(LONGEST_SECONDS, self.process.kill)
        late.daemon = True
        late.start()

    def output(self):
        shown = self.process.communicate()[0]
        assert self.process.returncode == 0, shown
        return shown

    def prints(self, pattern):
        seen = []
        for line in self.process.stdout:
            seen.append(line)
            if re.match(pattern, line):
                return
        pytest.fail(f"it never printed {pattern}: {''.join(seen)}")


def test_a_quote_with_headers_made_by_hand(exchange, token):
    shown = Example("quote.py", exchange, token, 0).output()
    expected = r"0x\w{64} is live\n1 of my orders rest, at 0.01\n1 canceled\n"
    assert re.fullmatch(expected, shown), shown


def test_an_order_whose_answer_is_lost_is_bought_once(exchange, token):
    for kind in ["lost_acknowledgement", "not_executed"]:
        exchange.add_fault(kind, match={"path": "/order"}, count=1)
    shown = Example("lost_answer.py", exchange, token, 0, FIRST_WAIT_SECONDS="0.01").output()
    assert shown.count("sending the same order again") == 2, shown
    owner = exchange.accounts[0]
    orders = exchange.request("GET", f"/data/orders?asset_id={token}", account=owner)["data"]
    assert [order["price"] for order in orders] == ["0.99"]


def test_the_watched_book_is_right_after_changes_and_lost_connections(exchange, token):
    order = {"token": token, "side": "BUY", "size": 10, "account": 3}
    watch = Example("watch_book.py", exchange, token, 3, RECONNECT_SECONDS="0.01")
    try:
        watch.prints(r"book \d+: ")
        exchange.place_order(**order, price="0.31")
        watch.prints(r"price_change \d+: 0.31 / -")
        exchange.add_fault("closed_socket", count=1)
        watch.prints(r"closed with \d+ .*; connecting again")
        exchange.place_order(**order, price="0.32")
        watch.prints(r"resumed \d+: ")
        watch.prints(r"price_change \d+: 0.32 / -")
        exchange.add_fault("sequence_gap", count=1)
        exchange.place_order(**order, price="0.33")
        exchange.place_order(**order, price="0.34")
        watch.prints("a message is missing; connecting again")
        watch.prints(r"price_change \d+: 0.34 / -")
    finally:
        watch.process.send_signal(signal.SIGKILL)
        watch.process.communicate()
