from __future__ import annotations

import json
from contextlib import nullcontext
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.games.guest.corridors import (
    CLOCK,
    DIE,
    FLAG,
    LEFT,
    LEVELS,
    RIGHT,
    SPEED,
    STAY,
    Corridor,
    Modern,
    Old,
)

from ludus.agents import load
from ludus.errors import ActionError, OptionError
from ludus.games.game import Facts, find_game
from ludus.games.guest import GuestGame, GuestMatch, GuestScenario, check_spec, guest_scenario
from ludus.games.guest.environment import GuestEnv, _plain_values
from ludus.games.guest.loading import find_origin
from ludus.games.platformer.levels.campaign import STAGES
from ludus.games.sticky_actions import StickyActions

HERE = "tests.games.guest.corridors"
FILE = str(Path(__file__).with_name("corridors.py"))
GAME = GuestGame(GuestEnv)  # in this process: these environments are ours
CALM = StickyActions(sticky=0.0, no_ops=0)
SINGLE = {"full_game": 0}


def guest(name: str, terms: StickyActions = CALM, seed: int = 0) -> GuestScenario:
    scenario = guest_scenario("1-1 #1", f"{HERE}:{name}", seed, terms, stages=("1-1",))
    return GAME.parse_scenario(scenario.to_dict())


def play(scenario: GuestScenario, *actions: int) -> tuple[GuestMatch, Facts]:
    match = GAME.begin(scenario)
    for action in actions:
        match.step(action)
    return match, match.facts()


# ---- both interfaces


def test_the_game_is_known_by_its_name() -> None:
    assert find_game("guest").agent_family == "guest"


@pytest.mark.parametrize("name", ["Modern", "Old", "Corridor-1-1-v0", "CorridorRegistered-v0"])
def test_both_interfaces_play_alike(name: str) -> None:
    needed = -(-(FLAG - 40) // (4 * SPEED))
    match, facts = play(guest(name), *[RIGHT] * needed)
    assert match.over
    assert (facts["completed"], facts["max_x_pos"], facts["steps"]) == (1, 121, needed)
    assert facts["ticks"] == (FLAG - 40) // SPEED + 1
    assert facts["time_remaining"] == CLOCK - int(facts["ticks"] or 0)
    assert facts["power"] == 1
    assert GAME.replay(guest(name), match.record()) == facts


@pytest.mark.parametrize("name", ["Modern", "Old"])
def test_both_interfaces_die_alike(name: str) -> None:
    match, facts = play(guest(name), RIGHT, LEFT, DIE)
    assert match.over
    assert (facts["completed"], facts["deaths"], facts["lives"]) == (0, 1, 0)
    assert (facts["max_x_pos"], facts["ticks"], facts["power"]) == (52, 9, 0)


def test_the_clock_and_the_step_cap_end_an_episode() -> None:
    match, facts = play(guest("Modern"), *[STAY] * (CLOCK // 4))
    assert match.over
    assert (facts["deaths"], facts["completed"]) == (1, 0)
    capped, facts = play(guest("Modern", StickyActions(step_cap=3)), STAY, STAY, STAY)
    assert capped.over
    assert facts["deaths"] == 0


def test_agents_are_shown_what_the_environment_shows() -> None:
    assert GAME.begin(guest("Old")).observation == 40
    match, _ = play(guest("Old"), RIGHT)
    assert match.observation == 52
    assert GAME.begin(guest("Modern")).observation.shape == (8, 130, 3)


def test_no_ops_and_stickiness_come_from_the_seed() -> None:
    waits = {
        GAME.begin(guest("Old", StickyActions(), seed)).facts()["ticks"] for seed in range(200)
    }
    assert waits == set(range(31))
    scenarios = [guest("Old", StickyActions(no_ops=0), seed) for seed in range(9)]
    ways = {play(scenario, *[RIGHT, LEFT] * 4)[1]["state"] for scenario in scenarios}
    assert len(ways) > 4


def test_a_whole_game_goes_on_until_the_last_flag() -> None:
    terms = StickyActions(sticky=0.0, no_ops=0, lives=3, step_cap=100_000)
    scenario = guest_scenario("game", f"{HERE}:whole_game", 0, terms, stages=STAGES)
    match = GAME.begin(scenario)
    match.step(DIE)
    while not match.over:
        match.step(RIGHT)
    facts = match.facts()
    assert (facts["completed"], facts["levels_completed"], facts["warps"]) == (1, 32, 0)
    assert (facts["world"], facts["stage"]) == (8, 4)
    assert (facts["1-1.deaths"], facts["deaths"], facts["lives"]) == (4, 4, 1)
    assert [name for name in facts if name.endswith(".steps")] == [f"{s}.steps" for s in LEVELS]
    assert GAME.replay(scenario, match.record()) == facts


# ---- actions and records


@pytest.mark.parametrize("action", [-1, 5, 1.5, None])
def test_what_is_no_action_is_refused(action: object) -> None:
    match = GAME.begin(guest("Old"))
    with pytest.raises(ActionError, match="is not an action from 0 to 4"):
        match.step(action)
    assert match.record() == b""


def test_records_that_are_none() -> None:
    with pytest.raises(OptionError, match="3 bytes"):
        GAME.replay(guest("Old"), b"\x00\x00\x00")
    with pytest.raises(OptionError, match="over after 1 decisions"):
        GAME.replay(guest("Old"), b"\x03\x00\x00\x00")
    with pytest.raises(ActionError):
        GAME.replay(guest("Old"), b"\x00\x01")


def test_a_seed_reaches_environments_of_old() -> None:
    scenarios = [guest("Seeded", seed=seed) for seed in (1, 1, 2)]
    states = [play(scenario, *[RIGHT] * 5)[1]["state"] for scenario in scenarios]
    assert states[0] == states[1] != states[2]


def test_a_fickle_environment_is_told_from_a_forged_record() -> None:
    scenario = guest("Fickle")
    match, _ = play(scenario, *[RIGHT] * 8)
    with pytest.raises(OptionError, match="is not deterministic"):
        GAME.replay(scenario, match.record())
    assert GAME.replay(scenario, b"")["steps"] == 0


# ---- by name


def test_files_and_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(FILE).parent)
    assert check_spec("corridors.py:Modern") == f"{FILE}:Modern"
    assert check_spec(f"{HERE}:Modern") == f"{HERE}:Modern"
    assert find_origin(f"{FILE}:Modern").startswith("sha256:")
    assert find_origin("gymnasium.envs:CartPole-v1").startswith("gymnasium 1")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("corridors", "is not of the form MODULE:ID"),
        (":x", "is not of the form MODULE:ID"),
        ("x:", "is not of the form MODULE:ID"),
        ("no_such_file.py:x", "there is no file"),
    ],
)
def test_names_of_nothing(spec: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        check_spec(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no_such_module:x", "cannot be imported: ModuleNotFoundError"),
        ("json:Nothing", "json neither has nor registers 'Nothing'"),
        ("gym_super_mario_bros.none:SuperMarioBros-v0", "; try ludus.guests.smb:1-1$"),
        ("retro:SuperMarioBros-Nes-v0", "; try ludus.guests.retro:1-1$"),
    ],
)
def test_modules_without_an_environment(spec: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        GuestEnv(check_spec(spec))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 / 0")
    spec = check_spec(f"{tmp_path / 'broken.py'}:make")  # runs nothing
    with pytest.raises(OptionError, match="cannot be read: ZeroDivisionError"):
        GuestEnv(spec)


def test_a_game_without_environments_reads_and_plays_nothing() -> None:
    game = GuestGame()
    scenario = game.parse_scenario(guest("Old").to_dict())
    assert game.split_record(scenario, b"\1\0\2\0") == [b"\1\0", b"\2\0"]
    with pytest.raises(OptionError, match="needs a process"):
        game.begin(scenario)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Continuous", "has no numbered actions but Box"),
        ("Silent", "tells no 'x_pos' in its info, but score"),
        ("NoSuchId-v0", "cannot be made: KeyError"),
        ("whole_game", None),
    ],
)
def test_guests_that_cannot_be_played(name: str, message: str | None) -> None:
    if message is None:
        assert guest(name).actions == 5
        return
    with pytest.raises(OptionError, match=message):
        guest(name)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "step() returned None: return 5, or 4 as the older interface does"),
        ((0, 0.0, True), "step() returned 3 values: return 5"),
        ((0, 0.0, False, False, {}, {}), "step() returned 6 values: return 5"),
        ((0, 0.0, False, False, None), "the info of step() is None: return a dict"),
        ((0, 0.0, False, "info"), "the info of step() is 'info': return a dict"),
    ],
)
def test_a_guest_s_answers_have_to_be_those_of_an_interface(
    answer: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Old, "step", lambda env, action: answer)
    assert GuestEnv(f"{HERE}:Old").step([STAY]).fault.startswith(f"ValueError: {message}")


def test_what_makes_no_environment_is_named(tmp_path: Path) -> None:
    (tmp_path / "five.py").write_text("def make(): return 5\n")
    with pytest.raises(OptionError, match="is 5, without an action_space"):
        GuestEnv(f"{tmp_path / 'five.py'}:make")


def test_levels_of_floats_are_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    info = Corridor.info
    monkeypatch.setattr(
        Corridor,
        "info",
        lambda corridor: {name: np.float32(value) for name, value in info(corridor).items()},
    )
    level = guest_scenario("1-1 #1", f"{HERE}:Modern", 0, StickyActions(), stages=("1-1",))
    GAME.try_environments([level.to_dict()])


def test_a_guest_begins_at_the_level_that_is_asked_for() -> None:
    scenario = guest_scenario("2-1 #1", f"{HERE}:Old", 0, StickyActions(), stages=("2-1",))
    with pytest.raises(OptionError, match="begins at level 1-1, not at 2-1"):
        GAME.try_environments([scenario.to_dict()])


@pytest.mark.parametrize(("more", "plays"), [({}, True), ({"full_game": 1}, True), (SINGLE, False)])
def test_a_single_level_is_not_the_full_game(
    more: dict[str, int], plays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = Corridor.info
    monkeypatch.setattr(Corridor, "info", lambda corridor: {**info(corridor), **more})
    game, terms = GuestGame(GuestEnv), StickyActions()
    level = guest_scenario("1-1 #1", f"{HERE}:Modern", 0, terms, stages=("1-1",))
    game.try_environments([level.to_dict()])
    whole = guest_scenario("game", f"{HERE}:Modern", 0, terms, stages=("1-1", "1-2"))
    with nullcontext() if plays else pytest.raises(OptionError, match="plays one level alone"):
        game.try_environments([whole.to_dict()])


def test_scenarios_travel_as_plain_values() -> None:
    scenario = guest("Old", StickyActions(), 5)
    assert GAME.parse_scenario(json.loads(json.dumps(scenario.to_dict()))) == scenario
    with pytest.raises(OptionError, match="not a scenario for a guest"):
        GAME.parse_scenario({"name": "x"})


# ---- players and films


def test_random_plays_any_guest_the_same_way_again() -> None:
    agent, scenario = load("random", "guest"), guest("Modern", StickyActions(), 3)
    records = []
    for _ in range(2):
        match = GAME.begin(scenario)
        agent.reset(scenario)
        while not match.over:
            match.step(agent.act(match.observation))
        records.append(match.record())
    assert records[0] == records[1] != b""


@pytest.mark.parametrize("name", ["Modern", "CorridorRegistered-v0"])
def test_films_of_guests(name: str, tmp_path: Path) -> None:
    match, facts = play(guest(name), RIGHT, RIGHT)
    GAME.write_film(guest(name), match.record(), tmp_path / "film.gif")
    with Image.open(tmp_path / "film.gif") as image:
        assert getattr(image, "n_frames", 0) == int(facts["ticks"] or 0) // 2 + 1
    GAME.write_film(guest(name), match.record(), tmp_path / "film.png")
    with Image.open(tmp_path / "film.png") as image:
        assert image.size[0] > image.size[1]
    with pytest.raises(OptionError, match="ends in none of"):
        GAME.write_film(guest(name), match.record(), tmp_path / "film.txt")


def film_seconds(record: bytes, path: Path) -> float:
    GAME.write_film(guest("Modern"), record, path)
    seconds = 0.0
    with Image.open(path) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            seconds += image.info["duration"] / 1000
    return seconds


@pytest.mark.parametrize(
    ("metadata", "frame_rate"),
    [
        ({"render_fps": 60}, 60),
        ({"video.frames_per_second": np.float64(20)}, 20),
        ({"render_fps": 0}, 30),
        ({"render_fps": float("nan")}, 30),
        ({"render_fps": "60"}, 30),
        (None, 30),
    ],
)
def test_a_film_goes_at_the_speed_of_the_guest(
    metadata: Any, frame_rate: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Modern, "metadata", metadata)
    assert GuestEnv(f"{HERE}:Modern").frame_rate == frame_rate
    match, facts = play(guest("Modern"), *[RIGHT] * 5)
    seconds = film_seconds(match.record(), tmp_path / "film.gif")
    assert seconds == pytest.approx(int(facts["ticks"] or 0) / frame_rate, abs=0.1)


def test_a_guest_that_draws_nothing_cannot_be_filmed(tmp_path: Path) -> None:
    match, _ = play(guest("Old"), RIGHT)
    with pytest.raises(OptionError, match="draws no pictures"):
        GAME.write_film(guest("Old"), match.record(), tmp_path / "film.gif")


@pytest.mark.parametrize(
    "number", [np.float32(7), np.float64(7), Fraction(7), Decimal(7), np.array(7), np.array(7.0)]
)
def test_any_real_number_is_a_number(number: Any) -> None:
    assert _plain_values({"x_pos": number, "ram": np.zeros(3)}) == {"x_pos": 7}


@pytest.mark.parametrize("value", [float("nan"), np.float32("inf"), Decimal("nan")])
def test_what_is_counted_must_be_finite(value: Any) -> None:
    assert "other" in _plain_values({"other": value})
    with pytest.raises(ValueError, match=r"'x_pos' in its info is (nan|inf), which is no number"):
        _plain_values({"x_pos": value})


def test_what_is_counted_is_no_text() -> None:
    assert _plain_values({"x_pos": None, "status": "tall"}) == {"status": "tall"}
    with pytest.raises(ValueError, match="'x_pos' in its info is 'far', which is no number"):
        _plain_values({"x_pos": "far"})
