"""Episodes that take long leave something behind, and go on from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import Here
from tests.runs.small import SMALL

from ludus.agents.registry import REGISTERED, RegisteredAgent
from ludus.context import RunContext
from ludus.errors import Paused
from ludus.execution.checking import read_episode
from ludus.execution.episode import EpisodeEnding
from ludus.execution.executor import failed_episode
from ludus.execution.inflight import Checkpoint, Inflight
from ludus.execution.plan import Plan
from ludus.execution.stage import Stage, play_to_json
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.game import find_game
from ludus.runs import Episode, Store, make_plan, resume, run

GUNBOAT = "diplomacy/gunboat"
ID = "1a2b3c4d-5e6f7081"
SHORT = {"year": "1902", "against": "hold"}

PLAYER = '''
"""Stops in the middle as often as a file says, and remembers what it has seen."""
from pathlib import Path
from ludus.agents.registry import REGISTERED, RegisteredAgent
from ludus.context import RunContext
from ludus.errors import Paused

HERE = Path(__file__).parent

class Player:
    name = "player"

    def reset(self, scenario):
        self.seen = []

    def act(self, view):
        stops = HERE / "stops"
        if view.phase in stops.read_text().split():
            stops.write_text(stops.read_text().replace(view.phase, ""))
            raise Paused("time for tea")
        self.seen.append(view.phase)
        with (HERE / "log").open("a") as log:
            print(f"{view.phase} after {len(self.seen)}", file=log)
        return []

    def memory(self):
        return self.seen

    def recall(self, memory):
        self.seen = list(memory)
'''


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An agent of Ludus's own: no other may pause a run."""
    module = f"pausing_player_{tmp_path.name}"
    (tmp_path / f"{module}.py").write_text(PLAYER)
    (tmp_path / "stops").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    registered = RegisteredAgent(module, "Player", "pauses")
    monkeypatch.setitem(REGISTERED["diplomacy"], "pausing-player", registered)
    return "pausing-player"


def test_a_checkpoint_comes_back(tmp_path: Path) -> None:
    inflight = Inflight(tmp_path / "some" / "run")
    assert inflight.read(3) is None
    inflight.write(3, Checkpoint(7, 1.5, b"\x00state"))
    inflight.write(3, Checkpoint(8, 2.5, b"\xffstate"))
    assert inflight.read(3) == Checkpoint(8, 2.5, b"\xffstate")
    assert inflight.read(4) is None
    assert [file.name for file in inflight.folder.iterdir()] == ["3.json"]
    inflight.forget([3])
    inflight.forget([3, 4])
    assert inflight.read(3) is None
    inflight.clear()
    assert not (tmp_path / "some").exists()
    inflight.clear()  # most games leave nothing to clear


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"steps": 1, "seconds": 1, "state": "?"}'])
def test_a_torn_checkpoint_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "0.json").write_text(text)
    assert Inflight(tmp_path).read(0) is None


def test_it_lies_beside_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path / "runs.db"))
    assert store.inflight(ID).folder == tmp_path / "runs.db.inflight" / ID
    store.close()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    memory = Store("sqlite:///:memory:")
    assert memory.inflight(ID).folder == tmp_path / "data" / "ludus" / "inflight" / ID
    memory.close()


def facts(episode: Episode) -> Any:
    return (episode.number, episode.ending, episode.steps, episode.facts, episode.record)


def test_a_paused_run_is_resumed_where_it_was_left(
    store: Store, player: str, tmp_path: Path
) -> None:
    executor = Here()
    whole = run(GUNBOAT, [player], store=store, episodes=1, options=SHORT, executor=executor)
    seen = (tmp_path / "log").read_text()
    (tmp_path / "log").unlink()
    (tmp_path / "stops").write_text("S1902M")
    with pytest.raises(Paused, match="time for tea"):
        run(GUNBOAT, [player], store=store, episodes=1, options=SHORT, executor=executor)
    paused = next(one for one in store.runs() if one.id != whole.id)
    assert paused.played == 0
    assert store.inflight(paused.id).read(0) is not None
    ended = resume(paused.id, store=store, executor=executor)
    assert ended.complete
    assert (tmp_path / "log").read_text() == seen  # no step was played twice or left out
    assert [facts(one.episode) for one in store.episodes(paused.id)] == [
        facts(one.episode) for one in store.episodes(whole.id)
    ]
    assert not store.inflight(paused.id).folder.exists()


def test_deleting_a_run_deletes_what_it_left(store: Store, player: str, tmp_path: Path) -> None:
    (tmp_path / "stops").write_text("F1901M")
    with pytest.raises(Paused):
        run(GUNBOAT, [player], store=store, episodes=1, options=SHORT, executor=Here())
    (paused,) = store.runs()
    assert store.inflight(paused.id).folder.exists()
    store.delete(paused.id)
    assert not store.inflight(paused.id).folder.exists()


def test_what_cannot_be_restored_is_begun_anew(store: Store, player: str, tmp_path: Path) -> None:
    (tmp_path / "stops").write_text("S1902M")
    with pytest.raises(Paused):
        run(GUNBOAT, [player], store=store, episodes=1, options=SHORT, executor=Here())
    (paused,) = store.runs()
    store.inflight(paused.id).write(0, Checkpoint(5, 1.0, b"of another world"))
    (tmp_path / "log").unlink()
    assert resume(paused.id, store=store, executor=Here()).complete
    assert (tmp_path / "log").read_text().startswith("S1901M after 1\n")


def plan_of(*agents: str) -> Plan:
    return make_plan(GUNBOAT, agents, episodes=1, options=SHORT)


def test_nobody_with_a_memory_leaves_nothing(tmp_path: Path) -> None:
    stage = Stage(plan_of("dumb"), RunContext(tmp_path / "run"))
    stage.play(stage._plan.episodes[0])
    assert not (tmp_path / "run").exists()


def test_short_games_leave_nothing(tmp_path: Path) -> None:
    plan = make_plan(SMALL.id, ["random"], episodes=1)
    Stage(plan, RunContext(tmp_path / "run")).play(plan.episodes[0])
    assert not (tmp_path / "run").exists()


def test_what_is_stopped_is_told_as_far_as_it_went(player: str, tmp_path: Path) -> None:
    plan, folder = plan_of(player), tmp_path / "run"
    task = plan.episodes[0]
    (tmp_path / "stops").write_text("S1902M")
    with pytest.raises(Paused):
        Stage(plan, RunContext(folder)).play(task)
    late = failed_episode(
        plan, task, EpisodeEnding.DISQUALIFIED, "too late", 9.0, RunContext(folder)
    )
    game = find_game(plan.game)
    scenario = game.parse_scenario(plan.scenarios[0])
    assert late.steps == len((tmp_path / "log").read_text().splitlines()) > 0
    assert late.facts == game.replay(scenario, late.record)
    assert late.facts != game.replay(scenario, b"")
    elsewhere = RunContext(tmp_path / "elsewhere")
    nothing = failed_episode(plan, task, EpisodeEnding.DISQUALIFIED, "too late", 9.0, elsewhere)
    assert (nothing.record, nothing.steps) == (b"", 0)


def test_episodes_and_pauses_are_told_apart(player: str, tmp_path: Path) -> None:
    plan = plan_of(player)
    task = plan.episodes[0]
    episode = read_episode(play_to_json(Stage(plan), task).encode(), task)
    assert facts(episode) == facts(Stage(plan).play(task))
    (tmp_path / "stops").write_text("S1901M")
    text = play_to_json(Stage(plan), task)
    assert json.loads(text) == {"paused": "time for tea"}
    with pytest.raises(Paused, match="time for tea"):
        read_episode(text.encode(), task)


def test_a_match_that_cannot_begin_pauses(tmp_path: Path, player: str) -> None:
    plan = plan_of(player)
    values = json.loads(plan.to_json())
    values["scenarios"] = [Scenario(opponents=("nobody-at-all",) * 6).to_dict()]
    broken = Plan.from_json(json.dumps(values))
    with pytest.raises(Paused, match=r"no match can begin: .*nobody-at-all"):
        Stage(broken).play(broken.episodes[0])
