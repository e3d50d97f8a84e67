from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ludus.agents.llm.budget import Ledger, shared_ledger
from ludus.context import Budget, RunContext
from ludus.errors import OptionError, Paused


@pytest.mark.parametrize(
    ("text", "amount", "unit", "shown"),
    [
        ("5usd", 5, "usd", "5.00 USD"),
        ("0.50usd", 0.5, "usd", "0.50 USD"),
        ("200ktokens", 200_000, "tokens", "200,000 tokens"),
        (" 1.5Mtokens ", 1_500_000, "tokens", "1,500,000 tokens"),
    ],
)
def test_budgets_as_texts(text: str, amount: float, unit: str, shown: str) -> None:
    budget = Budget.parse(text)
    assert (budget.amount, budget.unit, str(budget)) == (amount, unit, shown)


@pytest.mark.parametrize("text", ["", "5", "usd", "-5usd", "5 usd", "5eur", "1e3tokens", "٣usd"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(OptionError, match="is no budget: try 5usd"):
        Budget.parse(text)


def test_a_ledger_without_a_budget_never_stops() -> None:
    ledger = Ledger()
    ledger.spend(10**9, 10**6)
    ledger.check()


@pytest.mark.parametrize("file", [False, True])
@pytest.mark.parametrize("text", ["100tokens", "1usd"])
def test_it_stops_at_the_limit_and_not_before(tmp_path: Path, file: bool, text: str) -> None:
    ledger = Ledger(tmp_path / "spent" if file else None, Budget.parse(text))
    ledger.spend(60, 0.6)
    ledger.check()
    ledger.spend(40, 0.4)
    with pytest.raises(Paused, match=r"100 tokens, 1.00 USD\): resume .* larger --budget"):
        ledger.check()


def test_calls_without_a_price_cost_tokens_alone(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spent", Budget.parse("50tokens"))
    ledger.spend(49, None)
    ledger.check()
    assert (ledger.tokens, ledger.usd) == (49, 0.0)


def test_a_later_process_goes_on_counting(tmp_path: Path) -> None:
    Ledger(tmp_path / "spent").spend(70, 0.0)
    later = Ledger(tmp_path / "spent", Budget.parse("100tokens"))
    later.check()
    later.spend(30, 0.0)
    with pytest.raises(Paused):
        later.check()


def test_many_processes_add_to_one_file(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from ludus.agents.llm.budget import Ledger;"
        "ledger = Ledger(Path(sys.argv[1]));"
        "[ledger.spend(1, 0.5) for _ in range(2000)]"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "spent")]
    started = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait() for process in started] == [0, 0, 0]
    ledger = Ledger(tmp_path / "spent", Budget.parse("1Mtokens"))
    ledger.check()
    assert (ledger.tokens, ledger.usd) == (6000, 3000.0)


def test_agents_of_a_run_share_one(tmp_path: Path) -> None:
    ledger = shared_ledger(RunContext(tmp_path, Budget.parse("3usd")))
    assert ledger is shared_ledger(RunContext(tmp_path, Budget.parse("3usd"), trust=True))
    assert ledger is not shared_ledger(RunContext(tmp_path, Budget.parse("4usd")))
    assert ledger is not shared_ledger(RunContext(None, Budget.parse("3usd")))
    ledger.spend(1, 1.0)
    assert (tmp_path / "spent").read_text() == "1 1.0\n"
