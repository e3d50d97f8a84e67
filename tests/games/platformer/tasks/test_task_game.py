"""The game ``mario-ai``: what is recorded, replayed, counted and refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.agents import load
from ludus.errors import ActionError, OptionError
from ludus.games.game import find_game, scenario_for_agent
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.tasks.game import TaskGame
from ludus.games.platformer.tasks.match import TaskMatch
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import Noise, Task
from ludus.games.platformer.view import View

GAME = TaskGame()
NOISY = Task(noise=Noise(0.1, 0.1, 5), reward=True, forward_model=False)
SCENARIOS = {
    "2009": TaskScenario("old", generate("notch-2009", seed=5, difficulty=3), seed=5),
    "2010": TaskScenario.from_options("-ld 2 -le g,rk -ls 7 -tl 60 -fc on"),
    "framework": TaskScenario("new", generate("ludus", seed=2, length=60), time_limit=60),
    "ludus": TaskScenario("own", generate("ludus", seed=2, length=80, keys=60), time_limit=60),
    "text": TaskScenario("text", Level.parse("M---g---F\nXXXXXXXXX"), time_limit=20),
}


def play(scenario: TaskScenario, agent: str = "forward-jumping") -> TaskMatch:
    player, match = load(agent, "platformer"), GAME.begin(scenario)
    player.reset(scenario_for_agent(scenario))
    while not match.over:
        match.step(player.act(match.observation))
    return match


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_record_replays_to_the_same_facts(name: str) -> None:
    scenario = SCENARIOS[name]
    match = play(scenario)
    again = GAME.parse_scenario(json.loads(json.dumps(scenario.to_dict())))
    assert again == scenario
    outcome = GAME.replay_outcome(again, match.record())
    assert outcome.facts == match.facts()
    assert outcome.over
    assert outcome.steps == len(match.record())
    with pytest.raises(OptionError, match="the game was over after"):
        GAME.replay(again, match.record() + b"\0")


def test_competitions_ask_once_more_after_the_last_tick() -> None:
    old = play(SCENARIOS["2009"])
    assert len(old.record()) == len(old.ticks) + 1 == old.facts()["ticks"]
    new = play(SCENARIOS["framework"])
    assert new.record() == new.ticks
    assert not GAME.replay_outcome(SCENARIOS["2009"], old.ticks).over


def test_what_is_generated_is_described_by_its_recipe() -> None:
    description = SCENARIOS["2009"].to_dict()
    assert description["level"]["recipe"]["options"]["seed"] == 5
    assert len(json.dumps(description)) < 500
    assert SCENARIOS["text"].to_dict()["level"]["text"].startswith("M---g")


def test_noise_changes_what_is_seen_and_not_the_replay() -> None:
    plain = SCENARIOS["2010"]
    noisy = replace(plain, task=NOISY)
    record = play(plain).record()
    facts = dict(GAME.replay(noisy, record))
    assert facts == GAME.replay(plain, record)
    shown, seen = GAME.begin(plain).observation, GAME.begin(noisy).observation
    assert not np.array_equal(shown.scene, seen.scene)


def test_facts_have_what_scores_need() -> None:
    facts = play(SCENARIOS["2009"]).facts()
    assert facts["difficulty"] == 3
    assert facts["exit_x"] == 16 * SCENARIOS["2009"].level.exit[0]  # type: ignore[union-attr]
    assert facts["fitness"] == facts["distance"]
    assert isinstance(facts["state"], str)
    assert facts["mode_switches"] == 2
    assert GAME.replay(SCENARIOS["2009"], b"")["mode_switches"] == 0
    json.dumps(facts, allow_nan=False)


def test_rules_name_the_game_and_its_levels() -> None:
    both = [SCENARIOS[name].to_dict() for name in ("2009", "2010")]
    assert GAME.rules(both) == "2009@1+2010@1+mario-ai@1"
    assert find_game("mario-ai").agent_family == "platformer"


def test_an_action_that_is_none_plays_nothing() -> None:
    match = GAME.begin(SCENARIOS["2009"])
    with pytest.raises(ActionError):
        match.step("jump")
    assert match.record() == b""


def forge(**changes: Any) -> dict[str, Any]:
    return {**SCENARIOS["2010"].to_dict(), **changes}


RECIPE = SCENARIOS["2010"].to_dict()["level"]["recipe"]


@pytest.mark.parametrize(
    "description",
    [
        {},
        forge(mode=7),
        forge(time_limit=-1),
        forge(name=3),
        forge(task={"kinds": ["sound"]}),
        forge(rules="2009"),
        forge(level={}),
        forge(level=3),
        forge(level={"recipe": 3}),
        forge(level={"recipe": {**RECIPE, "version": 9}}),
        forge(level={"recipe": {**RECIPE, "generator": "evil.py:make"}}),
        forge(level={"recipe": {**RECIPE, "options": {"seed": -1}}}),
        forge(level={"recipe": {**RECIPE, "options": [1]}}),
        forge(level={"recipe": RECIPE, "options": "-mgr heavy"}),
    ],
)
def test_a_forged_scenario_is_refused_in_one_line(description: Any) -> None:
    with pytest.raises(OptionError) as refused:
        GAME.parse_scenario(description)
    assert "\n" not in str(refused.value)


def test_a_scenario_cannot_name_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil.py").write_text("open('ran', 'w')\ndef make(**_): return 'M-F'\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError, match=r"no generator 'evil\.py:make' of Ludus"):
        GAME.parse_scenario(forge(level={"recipe": {**RECIPE, "generator": "evil.py:make"}}))
    assert not (tmp_path / "ran").exists()


def test_a_level_of_somebody_elses_generator_is_written_whole(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def make(**_): return 'M----F\\nXXXXXX'\n")
    level = generate(f"{tmp_path / 'mine.py'}:make")
    scenario = TaskScenario("mine", level)
    assert "recipe" not in scenario.to_dict()["level"]
    assert GAME.parse_scenario(scenario.to_dict()) == scenario


def test_an_agent_of_a_hiding_task_is_told_no_level() -> None:
    whole, hidden = SCENARIOS["2010"], replace(SCENARIOS["2010"], task=NOISY)
    assert scenario_for_agent(whole).level == whole.level
    assert scenario_for_agent(whole).level.recipe is None
    assert scenario_for_agent(hidden).level is None
    assert scenario_for_agent(hidden).rules == "2010"
    assert scenario_for_agent(hidden).seed != hidden.seed
    with pytest.raises(OptionError, match="cannot be played"):
        GAME.begin(scenario_for_agent(hidden))


def test_a_whole_game_is_a_view_with_reward_and_picture() -> None:
    match = GAME.begin(replace(SCENARIOS["2010"], task=Task(reward=True)))
    view = match.observation
    assert isinstance(view, View)
    assert (view.reward, view.picture().shape) == (0, (240, 320, 3))
    unpaid = GAME.begin(SCENARIOS["2010"]).observation
    with pytest.raises(ActionError, match="pays no intermediate reward"):
        _ = unpaid.reward


@pytest.mark.parametrize("task", [Task(reward=True), NOISY])
def test_rewards_add_up(task: Task) -> None:
    scenario = replace(SCENARIOS["2010"], task=task)
    agent, match, paid = load("forward-jumping", "platformer"), GAME.begin(scenario), 0
    agent.reset(scenario_for_agent(scenario))
    while not match.over:
        action = agent.act(match.observation)
        paid += match.observation.reward
        match.step(action)
    assert paid == match.facts()["reward"] + 1  # type: ignore[operator]


def test_films_show_the_ticks(tmp_path: Path) -> None:
    scenario = SCENARIOS["text"]
    record = play(scenario).record()
    for name in ("way.png", "film.gif"):
        GAME.write_film(scenario, record, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 500
    GAME.write_preview(scenario, record, tmp_path / "small.gif")
    assert (tmp_path / "small.gif").stat().st_size > 500
