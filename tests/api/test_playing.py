from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import Runner
from tests.runs.small import SMALL

import ludus
from ludus.api import RunResult
from ludus.benchmarks import Benchmark
from ludus.errors import AgentError, BenchmarkError, LudusError, OptionError, RunError
from ludus.runs import Run, ScoredEpisode, Store

pytestmark = pytest.mark.usefixtures("store")


class Unmade:
    name = ""  # then tables call it by its class

    def __init__(self, speed: int) -> None:
        self.speed = speed

    def reset(self, scenario: Any) -> None: ...

    def act(self, view: Any) -> int:
        return self.speed


class Crashing(Runner):
    name = "crashing"

    def act(self, view: Any) -> int:
        return int(1 // (5 - view.tick))


def test_a_race_takes_specs_classes_and_instances() -> None:
    result = ludus.race(SMALL.id, ["idle", Runner, Unmade(2)], episodes=2, workers=1)
    rows = {row["agent"]: row for row in result.to_dicts()}
    assert set(rows) == {"idle", "runner", "Unmade"}
    assert rows["runner"]["headline"]["value"] > rows["idle"]["headline"]["value"]
    assert result.leader == result.to_dicts()[0]["agent"]
    assert result.run.complete
    assert (len(result.episodes), result.played_now) == (6, 6)


def test_the_result_is_that_of_the_store() -> None:
    result = ludus.run(SMALL.id, ["idle", "random"], workers=1)
    assert list(result.episodes) == Store().episodes(result.id)
    assert Store().runs()[0].id == result.id


def test_specs_and_objects_of_one_class_play_the_same() -> None:
    by_class = ludus.run(SMALL.id, Runner, episodes=2, workers=1)
    by_object = ludus.run(SMALL.id, Runner(), episodes=2)
    assert by_class.run.plan.agents[0].spec == "tests.api.conftest:Runner"
    assert by_object.run.plan.agents[0].spec == "object:Runner"
    facts = [[scored.episode.facts for scored in r.episodes] for r in (by_class, by_object)]
    assert facts[0] == facts[1]


def test_agents_of_one_name_are_numbered() -> None:
    result = ludus.race(SMALL.id, [Runner(), Runner(), "idle"], episodes=1, workers=1)
    assert {row["agent"] for row in result.to_dicts()} == {"runner", "runner-2", "idle"}


def test_an_agent_that_crashes_ends_its_episodes_and_is_named() -> None:
    result = ludus.race(SMALL.id, [Crashing(), "idle"], episodes=2, workers=1)
    assert "crashing: crashed in episodes 0, 2: ZeroDivisionError" in str(result)
    faults = {row["agent"]: row["faults"] for row in result.to_dicts()}
    assert faults == {"crashing": 2, "idle": 0}


def test_options_are_those_of_the_benchmark() -> None:
    result = ludus.run(SMALL.id, "idle", episodes=1, options={"clock": 3}, workers=1)
    assert result.run.plan.options == {"clock": "3"}


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (BenchmarkError, "no benchmark 'nowhere'", lambda: ludus.run("nowhere", "idle")),
        (OptionError, "no agent was named", lambda: ludus.run(SMALL.id, [])),
        (OptionError, "no agent was named", lambda: ludus.race(SMALL.id, [])),
        (OptionError, "'idle' has nobody to race", lambda: ludus.race(SMALL.id, ["idle"])),
        (AgentError, "no agent 'nobody'", lambda: ludus.run(SMALL.id, "nobody")),
        (AgentError, "cannot be made", lambda: ludus.run(SMALL.id, Unmade)),
        (AgentError, "has no", lambda: ludus.run(SMALL.id, 42)),  # type: ignore[arg-type]
        (OptionError, "0 episodes are too few", lambda: ludus.run(SMALL.id, "idle", episodes=0)),
        (OptionError, "no option 'size'", lambda: ludus.run(SMALL.id, "idle", options={"size": 1})),
        (
            OptionError,
            "cannot play in variants",
            lambda: ludus.run(SMALL.id, Runner(), variants="a"),
        ),
        (OptionError, "0 workers", lambda: ludus.run(SMALL.id, "idle", workers=0)),
        (OptionError, "nothing is called 'moon'", lambda: ludus.run(SMALL.id, "idle", on="moon")),
        (OptionError, "is no budget", lambda: ludus.run(SMALL.id, "idle", budget="much")),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_stored(
    error: type[LudusError], message: str, call: Any
) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert Store().runs() == []


def test_a_race_for_the_board_is_played_to_its_end() -> None:
    with pytest.raises(OptionError, match="takes whole runs only"):
        ludus.race(SMALL.id, ["idle", "random"], accept=True, stop_when_clear=True)


def test_a_result_can_be_put_on_the_board() -> None:
    result = ludus.run(SMALL.id, "idle", accept=True, workers=1)
    assert [decision.outcome for decision in result.decisions] == ["new"]
    assert [row["agent"] for row in ludus.board(SMALL.id).to_dicts()] == ["idle"]


def test_a_race_can_stop_when_it_is_clear() -> None:
    result = ludus.race(SMALL.id, ["idle", Runner], episodes=400, stop_when_clear=True, workers=1)
    assert result.stop is not None
    assert result.stop.winner == "runner"
    assert not result.run.complete


def test_a_run_is_watched() -> None:
    seen: list[object] = []

    @contextmanager
    def watch(run: Run, benchmark: Benchmark, played: Sequence[ScoredEpisode]) -> Iterator[Any]:
        seen.append((run.id, benchmark.id, len(played)))
        yield seen.append
        seen.append("end")

    result = ludus.run(SMALL.id, "idle", episodes=2, workers=1, watch=watch)
    assert seen == [(result.id, SMALL.id, 0), *result.episodes, "end"]


def test_a_run_is_resumed() -> None:
    result = ludus.run(SMALL.id, "idle", workers=1)
    with Store().transaction() as connection:
        connection.exec_driver_sql("DELETE FROM episodes WHERE number > 1")
    again = ludus.resume(result.id[:6], workers=1)
    assert (again.played_now, len(again.episodes)) == (4, 6)
    assert ludus.resume(result).played_now == 0
    assert again.to_dicts()[0]["scores"] == result.to_dicts()[0]["scores"]


def test_why_a_run_of_objects_cannot_be_resumed() -> None:
    result = ludus.run(SMALL.id, Runner(), episodes=2)
    with Store().transaction() as connection:
        connection.exec_driver_sql("DELETE FROM episodes WHERE number > 0")
    with pytest.raises(AgentError, match="Runner was a Python object of a session that is gone"):
        ludus.resume(result.id)
    with pytest.raises(RunError, match="no run 'nothing'"):
        ludus.resume("nothing")


SCRIPT = """
import os
import ludus

class Mine:
    name = "mine"
    def reset(self, scenario): pass
    def act(self, view): return 10

{race}
"""
RACE = 'print(ludus.race("platformer/bundled", ["idle", Mine], episodes=1, workers=1).leader)'


@pytest.mark.parametrize(
    ("race", "spec"),
    [
        (RACE, "object:Mine"),
        (f'if __name__ == "__main__":\n    {RACE}', "mine.py:Mine"),
    ],
)
def test_a_script_plays_with_and_without_a_guard(race: str, spec: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SCRIPT.format(race=race))
    done = subprocess.run(
        [sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("mine\n", "")
    assert Store().runs()[0].plan.agents[1].spec.endswith(spec)


def test_an_open_store_stays_open(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "other.db"))
    result = ludus.run(SMALL.id, "idle", episodes=1, workers=1, store=store)
    assert store.run(result.id).complete
    store.close()


def test_objects_play_in_this_process() -> None:
    class Here(Runner):
        process = 0

        def reset(self, scenario: Any) -> None:
            Here.process = os.getpid()

    ludus.run(SMALL.id, Here, episodes=1)
    assert Here.process == os.getpid()


def test_a_result_is_a_run_result() -> None:
    assert isinstance(ludus.run(SMALL.id, "idle", episodes=1, workers=1), RunResult)
