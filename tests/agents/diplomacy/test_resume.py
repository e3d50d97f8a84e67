"""Runs of language models that are killed, paused and resumed, through the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from tests.agents.llm.server import Request, Say, Scripted, play
from tests.boards.making import Here

from ludus.cli import main
from ludus.games.diplomacy.game import replay_table
from ludus.games.diplomacy.scenario import Scenario
from ludus.runs import Store, run
from ludus.runs.verify import verify

FRANCE = "diplomacy/france"
MAIN = "import sys; from ludus.cli import main; sys.exit(main(sys.argv[1:]))"


def told(store: Path) -> list[Any]:
    """Return all that was played in the store's only run, but not how long it took."""
    opened = Store(str(store))
    (found,) = opened.runs()
    games = []
    for one in opened.episodes(found.id):
        scenario = Scenario.from_dict(found.plan.scenarios[one.episode.scenario])
        turns = replay_table(scenario, one.episode.record).history
        story = [(t.phase, t.orders, t.messages, timeless(t.notes)) for t in turns]
        facts = {name: v for name, v in one.episode.facts.items() if name != "call_seconds"}
        games.append((one.episode.number, one.episode.ending, one.episode.steps, facts, story))
    assert verify(found.id, store=opened).good
    opened.close()
    return games


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: timeless(one) for name, one in value.items() if name != "seconds"}
    return [timeless(one) for one in value] if isinstance(value, list | tuple) else value


def words(server: Scripted, store: Path, opponents: str) -> list[str]:
    game = ["--year", "1902", "--rounds", "1", "--against", opponents]
    return ["run", FRANCE, server.spec(), *game, "--games", "2", "--store", str(store)]


def unbroken(server: Scripted, store: Path, opponents: str) -> int:
    """Play the same run here, without a break, and return how much was asked."""
    opened = Store(str(store))
    options = {"year": "1902", "rounds": "1", "against": opponents}
    run(FRANCE, [server.spec()], store=opened, episodes=2, options=options, executor=Here())
    opened.close()
    asked = len(server.requests)
    server.requests.clear()
    return asked


def the_run(store: Path) -> str:
    opened = Store(str(store))
    (found,) = opened.runs()
    opened.close()
    return found.id


def test_killed_games_go_on_and_end_as_if_nothing_had_happened(
    server: Scripted, tmp_path: Path
) -> None:
    opponents = ",".join([server.spec(model="other"), "dumb", "random", "hold", "hold", "hold"])
    in_all = unbroken(server, tmp_path / "whole.db", opponents)
    killed, quarter = threading.Event(), in_all // 4

    def script(request: Request, number: int) -> Say:
        if number >= quarter:  # from here on nobody is answered until the kill
            killed.wait(timeout=600)
        return play(request)

    server.script = script
    store = tmp_path / "killed.db"
    command = [sys.executable, "-c", MAIN, *words(server, store, opponents), "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(server, quarter + 1, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed.set()
    assert settled(server) < in_all // 2  # nobody has played on
    left = sorted((tmp_path / "killed.db.inflight" / the_run(store)).glob("*.json"))
    assert left, "no game had left anything behind"

    server.requests.clear()
    assert main(["resume", the_run(store), "--store", str(store)]) == 0
    assert told(store) == told(tmp_path / "whole.db")
    assert len(server.requests) < in_all  # not from the start
    assert not (tmp_path / "killed.db.inflight").exists()


def wait_until(server: Scripted, count: int, process: subprocess.Popen[bytes]) -> None:
    patience = monotonic() + 120
    while len(server.requests) < count:
        assert process.poll() is None
        assert monotonic() < patience
        sleep(0.01)


def settled(server: Scripted) -> int:
    """Return how many requests have come once no more come."""
    before = -1
    while before != len(server.requests):
        before = len(server.requests)
        sleep(0.5)
    return before


def test_a_spent_budget_pauses_and_a_larger_one_goes_on(
    server: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    budget_is_kept(server, tmp_path, capsys, [])


def budget_is_kept(
    server: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: list[str]
) -> None:
    """Run until a budget is spent, in vain once more, then with a larger one to the end."""
    in_all = unbroken(server, tmp_path / "whole.db", "dumb")
    store = tmp_path / "paused.db"
    small = [*where, "--budget", "12ktokens", "--workers", "1"]
    assert main([*words(server, store, "dumb"), *small]) == 3
    said = capsys.readouterr().err
    assert "budget of 12,000 tokens is spent" in said
    resume = ["resume", the_run(store), "--store", str(store)]
    assert f"ludus resume {the_run(store)}" in said
    asked = len(server.requests)
    assert 0 < asked < in_all
    assert main([*resume, *small]) == 3
    assert len(server.requests) == asked  # what was spent stays spent
    assert main([*resume, *where, "--budget", "10Mtokens"]) == 0
    assert told(store) == told(tmp_path / "whole.db")
    assert len(server.requests) < 2 * in_all
    assert "LUDUS_BUDGET" not in os.environ


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--budget", "much"], "'much' is no budget: try 5usd"),
        (["--budget", "1usd"], "no price is known for 'scripted'"),
        (["--variant", "gentle"], "no prompts 'gentle'"),
        (["--against", "llm:x@http://127.0.0.1:9/v1#aggressive"], "only the tested seat"),
    ],
)
def test_wrong_wishes_are_one_line(
    server: Scripted,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    message: str,
) -> None:
    assert main([*words(server, tmp_path / "none.db", "dumb"), *more]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_wrong_key_pauses(
    server: Scripted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = lambda *_: Say(status=401, error="Incorrect API key")
    assert main(words(server, tmp_path / "key.db", "dumb")) == 3
    said = capsys.readouterr().err
    assert "Incorrect API key" in said
    assert "ludus resume" in said
