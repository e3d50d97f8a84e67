"""A level is learned: the plays are counted, told, recorded, replayed and gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import pytest
from tests.games.platformer.tasks.learning.making import FLAT, RUN, Waiter, flat_scenario

from ludus.agents import load
from ludus.errors import ActionError, OptionError
from ludus.execution.episode import EpisodeEnding
from ludus.games.game import find_game
from ludus.games.platformer.tasks.learning import LearningScenario, Play
from ludus.games.platformer.tasks.learning.game import LearningGame
from ludus.games.platformer.tasks.learning.match import LearningMatch
from ludus.games.platformer.tasks.learning.record import read_record
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import Task
from ludus.runs import play_match

GAME = LearningGame()


def play(agent: Any, scenario: LearningScenario) -> LearningMatch:
    """Let an agent play a scenario to its end, and check that its record tells the same."""
    match = GAME.begin(scenario)
    ending, reason, _ = play_match(agent, scenario, match)
    assert (ending, reason) == (EpisodeEnding.FINISHED, "")
    outcome = GAME.replay_outcome(scenario, match.record())
    assert outcome.facts == match.facts()
    assert outcome.over
    return match


def test_a_training_by_hand() -> None:
    agent = Waiter(pause=60)
    match = play(agent, flat_scenario(plays=3))
    told = [call for call in agent.calls if isinstance(call, dict)]
    assert [call for call in agent.calls if isinstance(call, tuple)] == [
        (1, 4), (2, 4), (3, 4), (4, 4),
    ]  # fmt: skip
    # Running takes 79 ticks after pauses of 50, 40 and 30; the clock has 10 seconds of 15 ticks.
    assert [one["ticks"] - told[2]["ticks"] for one in told] == [20, 10, 0]
    for one in told:
        assert one["status"] == 1
        assert one["score"] == 480 + 1024 + 2 * 32 + 8 * one["time_left"]
    facts = match.facts()
    assert facts["training_plays"] == 3
    assert facts["first_score"] == told[0]["score"]
    assert facts["best_score"] == facts["fitness"] == max(one["score"] for one in told)
    assert facts["curve_best"] == " ".join(str(one["score"]) for one in told)
    assert facts["curve_mean"] == " ".join(f"{one['score']}.0" for one in told)


def test_who_does_not_learn_plays_once() -> None:
    scenario = flat_scenario(plays=10_000)
    match = play(load("run-right"), scenario)
    assert (match.facts()["training_plays"], match.facts()["first_score"]) == (0, None)
    record = read_record(match.record(), 10_000)
    assert record.skipped
    assert GAME.replay_outcome(scenario, match.record()).steps == len(record.buttons)


@pytest.mark.slow
def test_there_are_exactly_ten_thousand_training_plays() -> None:
    class Counter(Waiter):
        learned = 0

        def reset(self, scenario: Any) -> None:
            self.play = scenario.play

        def act(self, view: Any) -> int:
            return 0

        def learn(self, outcome: Mapping[str, Any]) -> None:
            self.learned += 1
            assert outcome["play"] == self.play == self.learned

    agent = Counter()
    match = play(agent, flat_scenario(plays=10_000, options="-lf on -ll 20 -tl 1"))
    assert (agent.learned, agent.play) == (10_000, 10_001)
    assert match.facts()["curve_mean"] == " ".join(["96.0"] * 100)  # 32 pixels and fire


def test_an_action_after_the_end_is_refused() -> None:
    match = play(Waiter(), flat_scenario(plays=1))
    record = match.record()
    with pytest.raises(ActionError, match="no action comes after it"):
        match.step(RUN)
    assert match.record() == record


def test_nothing_tells_the_level_or_the_time() -> None:
    seen: list[Any] = []

    class Looker(Waiter):
        def reset(self, scenario: Any) -> None:
            seen.append(scenario)
            super().reset(scenario)

        def act(self, view: Any) -> int:
            for hidden in ("level_size", "exit"):
                with pytest.raises(ActionError):
                    getattr(view, hidden)
            with pytest.raises(ActionError, match="forward model"):
                view.forward_model()
            return super().act(view)

        def learn(self, outcome: Mapping[str, Any]) -> None:
            seen.append(outcome)

    scenario = flat_scenario(plays=1)
    scenario = replace(scenario, scenario=replace(scenario.scenario, seed=77))
    play(Looker(), scenario)
    told = [one for one in seen if isinstance(one, Play)]
    assert [field.name for field in fields(Play)] == [
        "name", "task", "rules", "mode", "time_limit", "seed", "play", "plays", "level",
    ]  # fmt: skip
    assert all(one.level is None and one.seed != 77 for one in told)
    assert len({one.seed for one in told}) == 1
    outcome = next(one for one in seen if isinstance(one, dict))
    assert not outcome.keys() & {"length", "exit_x", "state", "seed", "total_coins", "difficulty"}


def test_a_killed_match_goes_on_from_its_last_checkpoint() -> None:
    scenario = flat_scenario(plays=40)
    whole = play(load("hill-climber"), scenario)
    saved: list[bytes] = []
    agent: Any = load("hill-climber")
    match = GAME.begin(scenario)

    class Killed(Exception):
        pass

    def save(steps: int) -> None:
        if match.checkpoint_due:
            saved.append(match.checkpoint(agent.memory()))
            if len(saved) == 17:
                raise Killed

    ending, reason, _ = play_match(agent, scenario, match, after_step=save)
    assert "Killed" in reason
    restored = GAME.restore(scenario, saved[-1])
    ending, reason, _ = play_match(load("hill-climber"), scenario, restored)
    assert ending is EpisodeEnding.FINISHED
    assert restored.record() == whole.record()


@pytest.mark.parametrize(
    "checkpoint", [b"", b"{}", b"[]", b'{"curve": 3, "memory": 1}', b'{"curve": {}, "memory": 1}']
)
def test_a_broken_checkpoint_is_refused(checkpoint: bytes) -> None:
    with pytest.raises(OptionError):
        GAME.restore(flat_scenario(plays=4), checkpoint)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (b"\x12\x12", "does not begin with a learning curve"),
        (b"[]\n", "does not begin with a learning curve"),
        (b'{"skipped":1}\n', "holds more than"),
        (b'{"skipped": true}\n', "holds more than"),
        (b'{"best":[],"first":null,"more":1,"plays":0,"totals":[]}\n', "holds more than"),
        (b'{"best":[],"first":null,"plays":0,"totals":[]}\n\x12', "buttons after 0 of 4"),
        (b'{"best":[9],"first":9,"plays":1,"totals":[9]}\n\x12', "buttons after 1 of 4"),
        (b'{"skipped":true}\n' + bytes(400), "the game was over after"),
    ],
)
def test_forged_records_are_refused(record: bytes, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        GAME.replay(flat_scenario(plays=4), record)


def test_an_unfinished_training_is_not_over() -> None:
    scenario = flat_scenario(plays=4)
    for record in (b"", b'{"best":[9],"first":9,"plays":1,"totals":[9]}\n', b'{"skipped":true}\n'):
        outcome = GAME.replay_outcome(scenario, record)
        assert not outcome.over
        assert outcome.facts["distance"] == 32


def test_curves_are_compared_with_the_buttons() -> None:
    scenario = flat_scenario(plays=2)
    record = play(Waiter(), scenario).record()
    parts = GAME.split_record(scenario, record)
    assert parts[:2] == read_record(record, 2).curve.parts
    assert bytes(parts[2:]) == read_record(record, 2).buttons


def test_scenarios_come_back_from_plain_values() -> None:
    scenario = flat_scenario(plays=7)
    game = find_game("mario-ai-learning")
    assert game.parse_scenario(scenario.to_dict()) == scenario
    assert game.rules([scenario.to_dict()]) == "2010@1+mario-ai-learning@1+mario-ai@1"
    with pytest.raises(OptionError, match="it has no 'training_plays'"):
        game.parse_scenario(scenario.scenario.to_dict())


@pytest.mark.parametrize(
    ("change", "plays", "message"),
    [
        ({}, 0, "0 training plays"),
        ({"task": Task()}, 1, "without a forward model"),
        ({"task": Task(forward_model=False)}, 1, "weighted fitness"),
        ({"time_limit": 0}, 1, "against its clock"),
    ],
)
def test_what_cannot_be_learned_is_refused(
    change: dict[str, Any], plays: int, message: str
) -> None:
    scenario = replace(flat_scenario(plays=1).scenario, **change)
    with pytest.raises(OptionError, match=message):
        LearningScenario(scenario, plays)


def test_options_name_nothing_of_the_level() -> None:
    named = LearningScenario(TaskScenario.from_options(FLAT, flat_scenario(1).scenario.task, "x"))
    assert FLAT not in repr(named.for_agent())
