from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

from ludus.agents import load
from ludus.errors import ActionError, OptionError
from ludus.games.game import find_game
from ludus.games.media.film_options import FilmOptions
from ludus.games.platformer.arena.film import name_attempts
from ludus.games.platformer.arena.game import ArenaGame, ArenaMatch
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.levels.campaign import STAGES, campaign_proof
from ludus.games.platformer.pictures.rows import RED, WIDEST
from ludus.games.platformer.view import View
from ludus.games.sticky_actions import StickyActions

RUN_AND_JUMP = 2 | 8 | 16
GAME = ArenaGame()


def played(scenario: ArenaScenario, agent: str) -> ArenaMatch:
    match, player = GAME.begin(scenario), load(agent)
    player.reset(scenario)
    while not match.over:
        match.step(player.act(match.observation))
    return match


def level(stage: str = "1-2", seed: int = 0, **terms: float) -> ArenaScenario:
    return ArenaScenario(f"{stage} #1", (stage,), seed, StickyActions(**terms))  # type: ignore[arg-type]


def whole_game(seed: int = 0, **terms: float) -> ArenaScenario:
    game = {"lives": 3, "step_cap": 100_000, **terms}
    return replace(level("1-1", seed, **game), stages=STAGES)


# ---- one level


def test_the_game_is_known_by_its_name_and_played_by_the_platformers_agents() -> None:
    game = find_game("arena")
    assert (game.name, game.agent_family) == ("arena", "platformer")
    levels = [level("1-1").to_dict(), level("3-3").to_dict()]
    assert game.rules(levels[:1]) == "arena@1+framework@1"
    assert game.rules(levels) == "arena@1+framework@1+ludus@1"


@pytest.mark.parametrize("agent", ["random", "forward-jumping", "rule-based", "astar"])
def test_replay_is_play(agent: str) -> None:
    for seed in range(3):
        scenario = level(seed=seed)
        match = played(scenario, agent)
        assert GAME.replay(scenario, match.record()) == match.facts()
        assert played(scenario, agent).record() == match.record()


def test_a_decision_is_held_for_four_ticks() -> None:
    match = GAME.begin(level("1-1", sticky=0.0, no_ops=0))
    for number in range(1, 6):
        match.step(0)
        assert match.facts()["ticks"] == 4 * number
        assert match.facts()["steps"] == number


def test_proofs_still_finish_where_nothing_is_held_or_left_to_chance() -> None:
    for stage in ("1-1", "3-3", "8-4"):
        scenario = level(stage, sticky=0.0, no_ops=0, frame_skip=1)
        facts = GAME.replay(scenario, campaign_proof(stage))
        assert facts["completed"] == 1
        assert facts["steps"] == len(campaign_proof(stage))
        assert facts["lives"] == 1
        assert facts["deaths"] == 0


def test_no_ops_come_before_the_first_decision_and_differ() -> None:
    waits = set()
    for seed in range(200):
        match = GAME.begin(level("1-1", seed))
        assert isinstance(match.observation, View)
        waits.add(match.facts()["ticks"])
        assert match.facts()["steps"] == 0
    assert waits == set(range(31))


def test_chance_comes_from_the_seed_alone() -> None:
    decisions = bytes([RUN_AND_JUMP, 2, 0, RUN_AND_JUMP] * 4)
    states = {
        seed: GAME.replay(level("1-2", seed, no_ops=0), decisions)["state"] for seed in range(8)
    }
    assert len(set(states.values())) > 4
    again = {
        seed: GAME.replay(level("1-2", seed, no_ops=0), decisions)["state"] for seed in range(8)
    }
    assert again == states


def test_the_furthest_x_counts_not_the_last() -> None:
    match = GAME.begin(level("1-1", sticky=0.0, no_ops=0))
    for _ in range(8):
        match.step(2)
    furthest = match.facts()["max_x_pos"]
    for _ in range(8):
        match.step(1)
    assert match.facts()["max_x_pos"] == pytest.approx(furthest, abs=16)
    assert match.observation.mario.x < float(furthest or 0) - 20


def test_a_level_ends_with_the_life() -> None:
    facts = played(level("1-1"), "forward-jumping").facts()
    assert (facts["completed"], facts["deaths"], facts["lives"]) == (0, 1, 0)
    assert facts["power"] == 0
    assert (facts["world"], facts["stage"]) == (1, 1)


def test_who_waits_runs_out_of_time() -> None:
    facts = played(level("1-1"), "idle").facts()
    assert (facts["completed"], facts["deaths"], facts["time_remaining"]) == (0, 1, 0)
    assert 200 * 1000 / 30 - 4 < float(facts["ticks"] or 0) < 200 * 1000 / 30 + 4


def test_the_step_cap_ends_an_episode_without_a_death() -> None:
    facts = played(level("1-1", step_cap=7), "idle").facts()
    assert (facts["steps"], facts["deaths"], facts["lives"]) == (7, 0, 1)


def test_what_is_completed_has_its_figures() -> None:
    facts = played(level("1-2"), "astar").facts()
    assert (facts["completed"], facts["levels_completed"], facts["lives"]) == (1, 1, 1)
    assert facts["max_x_pos"] == 2256
    assert float(facts["time_remaining"] or 0) > 180
    ways = [facts[f"kills_by_{way}"] for way in ("stomp", "fire", "shell")]
    assert facts["kills"] == sum(int(way or 0) for way in ways)
    assert 0 <= int(facts["variety"] or 0) <= 8


@pytest.mark.parametrize("action", [-1, 32, 1.0, "2", None])
def test_what_is_no_action_is_refused_and_not_played(action: object) -> None:
    match = GAME.begin(level())
    before = match.facts()
    with pytest.raises(ActionError, match="is not a number of buttons from 0 to 31"):
        match.step(action)
    assert match.facts() == before


def test_numbers_of_numpy_are_actions() -> None:
    match = GAME.begin(level())
    match.step(np.int64(2))
    assert match.record() == b"\x02"


def test_a_record_longer_than_its_episode_is_none() -> None:
    scenario = level()
    record = played(scenario, "forward-jumping").record()
    with pytest.raises(OptionError, match=f"over after {len(record)} of {len(record) + 1}"):
        GAME.replay(scenario, record + b"\x00")


# ---- scenarios


def test_scenarios_travel_as_plain_values() -> None:
    for scenario in (level("8-4", 9), whole_game(3)):
        travelled = json.loads(json.dumps(scenario.to_dict()))
        assert GAME.parse_scenario(travelled) == scenario


def test_a_scenario_shows_agents_what_platformer_scenarios_do() -> None:
    scenario = level("2-3", seed=5)
    assert (scenario.name, scenario.seed, scenario.mode) == ("2-3 #1", 5, 0)
    assert (scenario.level.width, scenario.time_limit) == (160, 200)


@pytest.mark.parametrize(
    "wrong",
    [
        {"levels": "0" * 16},
        {"campaign": "campaign-v9"},
        {"stages": ["9-9"]},
        {"stages": []},
        {"terms": {"frame_skip": 4, "wings": 2}},
        {"terms": None},
    ],
)
def test_descriptions_of_something_else_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        GAME.parse_scenario({**level().to_dict(), **wrong})


# ---- the whole game


def test_a_whole_game_goes_through_the_levels_and_carries_over() -> None:
    scenario = replace(whole_game(1), mode=2)
    match = played(scenario, "ppo-all")
    facts = match.facts()
    assert GAME.replay(scenario, match.record()) == facts
    completed = int(facts["levels_completed"] or 0)
    reached = STAGES[: completed + 1]
    assert len(reached) > 2
    assert f"{facts['world']}-{facts['stage']}" == reached[-1]
    for number, stage in enumerate(reached):
        assert facts[f"{stage}.completed"] == (number < completed)
    for name in ("steps", "coins", "deaths"):
        assert facts[name] == sum(int(facts[f"{stage}.{name}"] or 0) for stage in reached)
    assert facts["max_x_pos"] == facts[f"{reached[-1]}.max_x_pos"]
    assert not any(f"{stage}.steps" in facts for stage in STAGES[len(reached) :])
    for before, after in zip(match.attempts, match.attempts[1:], strict=False):
        assert after.mode == (before.world.mario.mode if before.won else 0)
    assert any(attempt.mode for attempt in match.attempts[1:])


def test_a_game_is_over_with_its_last_life() -> None:
    facts = played(whole_game(), "rule-based").facts()
    found = int(facts["coins"] or 0) // 100
    assert (facts["lives"], facts["completed"]) == (0, 0)
    assert int(facts["deaths"] or 0) >= 3 + found


def test_whoever_completes_every_level_completes_the_game() -> None:
    scenario = whole_game(sticky=0.0, no_ops=0, frame_skip=1)
    match = GAME.begin(scenario)
    for stage in STAGES:
        for buttons in campaign_proof(stage):
            match.step(buttons)
        facts = match.facts()
        found = int(facts["coins"] or 0) // 100
        assert (facts["deaths"], facts["lives"]) == (0, 3 + found)  # a hundred coins are a life
    assert match.over
    assert (facts["completed"], facts["levels_completed"]) == (1, 32)
    assert (facts["world"], facts["stage"]) == (8, 4)
    assert found > 0


def test_any_decisions_can_be_replayed() -> None:
    chance = Random(4)
    for seed in range(5):
        scenario = whole_game(seed)
        match = GAME.begin(scenario)
        while not match.over:
            match.step(chance.choice([2, 10, 26, 26, 18, 0, 1, 12]))
        assert GAME.replay(scenario, match.record()) == match.facts()


# ---- pictures


def test_pictures_and_films(tmp_path: Path) -> None:
    scenario = level("1-1", step_cap=5, no_ops=2)
    match = played(scenario, "rule-based")
    picture, film = tmp_path / "way.png", tmp_path / "film.gif"
    GAME.write_film(scenario, match.record(), picture)
    GAME.write_film(scenario, match.record(), film)
    with Image.open(picture) as image:
        rows = -(-16 * scenario.level.width // WIDEST)
        assert image.size[0] <= WIDEST
        assert image.size[1] > rows * 16 * scenario.level.height
    with Image.open(film) as image:
        ticks = len(match.attempts[0].ticks)
        frames = getattr(image, "n_frames", 0)  # every other one; those alike are joined
        assert ticks // 2 - 2 <= frames <= ticks // 2 + 1
    with pytest.raises(OptionError, match="ends in none of"):
        GAME.write_film(scenario, match.record(), tmp_path / "way.bmp")


def test_a_gif_of_a_long_game_goes_faster_unless_its_speed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = level("1-1", step_cap=30, no_ops=2)
    match = played(scenario, "rule-based")
    monkeypatch.setattr("ludus.games.platformer.arena.film.LONGEST_GIF", 24)
    sizes = {}
    for name, speed in (("usual", None), ("named", 1.0)):
        film = tmp_path / f"{name}.gif"
        GAME.write_film(scenario, match.record(), film, FilmOptions(speed=speed))
        with Image.open(film) as image:
            sizes[name] = getattr(image, "n_frames", 0)
    assert 8 <= sizes["usual"] <= 14
    assert sizes["named"] > 3 * sizes["usual"]


def test_every_life_has_its_picture(tmp_path: Path) -> None:
    scenario = replace(level("1-1"), stages=("1-1", "1-2"), terms=StickyActions(lives=2))
    match = played(scenario, "forward-jumping")
    assert [attempt.won for attempt in match.attempts] == [False, True, True]
    assert name_attempts(match.attempts) == ["1-1 LIFE 1", "1-1 LIFE 2", "1-2 LIFE 2"]
    assert name_attempts(match.attempts[:1]) == ["1-1"]
    GAME.write_film(scenario, match.record(), tmp_path / "way.png")
    with Image.open(tmp_path / "way.png") as image:
        assert image.size[1] > 2 * 256 * len(match.attempts)
        crosses = [colour for colour in image.get_flattened_data() if colour == RED]
    assert len(crosses) > 20 * sum(not attempt.won for attempt in match.attempts)


def test_rows_are_wider_where_a_sheet_would_be_too_tall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = replace(level("1-1"), stages=("1-1", "1-2"), terms=StickyActions(lives=2))
    match = played(scenario, "forward-jumping")
    monkeypatch.setattr("ludus.games.platformer.arena.film.TALLEST", 1000)
    GAME.write_film(scenario, match.record(), tmp_path / "way.png")
    with Image.open(tmp_path / "way.png") as image:
        assert image.size[1] <= 1000
        assert image.size[0] > WIDEST
