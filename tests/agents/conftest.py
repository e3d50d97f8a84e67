from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.agents.llm.server import Scripted

from ludus.agents.llm import budget, endpoint


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test meets endpoints that nobody has asked yet, with no key, budget or prices about."""
    for name in (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "LUDUS_BUDGET",
        "LUDUS_RUN_FOLDER",
        "LUDUS_PRICES",
        "LUDUS_LLM_CONCURRENCY",
        "LUDUS_LLM_LOG",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # a proxy that is never asked
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setattr(endpoint, "_CAPABILITIES", {})
    monkeypatch.setattr(budget, "_LEDGERS", {})


@pytest.fixture
def server() -> Iterator[Scripted]:
    with Scripted() as running:
        yield running
