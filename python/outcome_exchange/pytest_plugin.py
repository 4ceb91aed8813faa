"""The fixture `exchange`: an exchange in memory, one for each test unless pytest's setting
`outcome_exchange_scope` says `class`, `module`, `package` or `session`."""
from __future__ import annotations

import sys

import pytest

from .exchange import start_exchange

_SCOPE = "outcome_exchange_scope"


def pytest_addoption(parser):
    parser.addini(_SCOPE, "What each has an exchange of its own", default="function")


def _scope(fixture_name, config):
    return config.getini(_SCOPE)


@pytest.fixture(scope=_scope)
def exchange_options():
    """The arguments of start_exchange. Override it to change them."""
    return {}


@pytest.fixture(scope=_scope)
def exchange(exchange_options):
    # pytest shows what is printed with the tests that fail.
    log = {"on_log": lambda line: print(line, file=sys.stderr)}
    with start_exchange(**{**log, **exchange_options}) as running:
        yield running
