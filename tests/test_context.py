"""Trust, budget and folder reach agents as a parameter, in whatever process they play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.boards.making import Here

import ludus
from ludus.agents import load
from ludus.context import (
    DEFAULT_CONTEXT,
    SECRET_SETTINGS,
    USER_SETTINGS,
    Budget,
    RunContext,
    settings_for_workers,
)
from ludus.errors import OptionError
from ludus.execution.executor import Executor
from ludus.execution.local import LocalExecutor
from ludus.limits import Limits
from ludus.runs import Store, run

ROOT = Path(ludus.__file__).parent

CURIOUS = '''
from pathlib import Path

class Curious:
    """Writes down the context that it was given."""

    name = "curious"

    def __init__(self, *, context):
        (Path(__file__).parent / "context.txt").write_text(repr(context))

    def reset(self, scenario):
        pass

    def act(self, view):
        return 0
'''


@pytest.fixture
def curious(tmp_path: Path) -> str:
    (tmp_path / "curious.py").write_text(CURIOUS)
    return f"{tmp_path / 'curious.py'}:Curious"


@pytest.mark.parametrize("executor", [Here(), LocalExecutor(1)])
def test_a_run_hands_its_context_to_agents(
    curious: str, tmp_path: Path, executor: Executor
) -> None:
    store = Store(str(tmp_path / "runs.db"))
    context = RunContext(budget=Budget(5.0, "usd"), trust=True)
    limits = Limits(seconds=60, steps=2)
    done = run(
        "platformer/bundled",
        [curious],
        store=store,
        episodes=1,
        limits=limits,
        executor=executor,
        context=context,
    )
    folder = store.inflight(done.id).folder
    expected = RunContext(folder, Budget(5.0, "usd"), trust=True, limits=limits, own_process=True)
    assert (tmp_path / "context.txt").read_text() == repr(expected)


def test_an_agent_loaded_by_hand_gets_the_default(curious: str, tmp_path: Path) -> None:
    load(curious)
    assert (tmp_path / "context.txt").read_text() == repr(DEFAULT_CONTEXT)
    assert RunContext(None, None, trust=False, limits=None) == DEFAULT_CONTEXT


def test_a_parameter_that_only_looks_like_it_is_the_agents_own(tmp_path: Path) -> None:
    (tmp_path / "window.py").write_text(
        CURIOUS.replace("self, *, context", "self, context=64").replace("Curious", "Window")
    )
    load(f"{tmp_path / 'window.py'}:Window")
    assert (tmp_path / "context.txt").read_text() == "64"


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"seconds": -1.0}, {"steps": -1}])
def test_limits_that_are_none(limits: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="limit of"):
        Limits(**limits)  # type: ignore[arg-type]


def test_only_listed_settings_are_read() -> None:
    named = {
        name: path
        for path in ROOT.rglob("*.py")
        for name in re.findall(r"\bLUDUS_[A-Z_]+", path.read_text())
    }
    assert named.keys() == USER_SETTINGS.keys(), named


def test_workers_elsewhere_get_every_setting_but_the_token_of_an_entry() -> None:
    variables = dict.fromkeys([*USER_SETTINGS, "HOME"], "x")
    assert USER_SETTINGS.keys() - settings_for_workers(variables).keys() == SECRET_SETTINGS
    assert settings_for_workers(variables).keys() < USER_SETTINGS.keys()


def test_below_the_cli_nobody_reads_what_the_context_holds() -> None:
    for path in ROOT.rglob("*.py"):
        if path.parent.name != "cli" and path.name != "context.py":
            assert not re.search("LUDUS_(TRUST|BUDGET|RUN_FOLDER)", path.read_text()), path
