import pytest


@pytest.fixture(scope="session")  # that of the setting; leave it out without one
def exchange_options():
    return {"flags": ["--dev-accounts", "4"]}


@pytest.fixture(scope="session")
def token(exchange):
    return exchange.markets()[0]["tokens"][0]["token_id"]
