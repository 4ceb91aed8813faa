import pytest


@pytest.fixture(scope="session")  # that of the setting; leave it out without one
def exchange_options():
    return {"flags": ["--dev-accounts", "4"]}


@pytest.fixture(autouse=True)
def same_start(exchange):
    """Each test finds the exchange as the test before it did, and no faults."""
    start = exchange.make_checkpoint()
    yield
    exchange.restore(start["id"])
    exchange.remove_checkpoint(start["id"])


@pytest.fixture(scope="session")
def token(exchange):
    return exchange.markets()[0]["tokens"][0]["token_id"]
