from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.platformer.learning_plays import GAPS, learn_level, play_once

from ludus.agents import find, load
from ludus.agents.checkpoint import write_checkpoint
from ludus.agents.platformer import genetic_programming as programs
from ludus.agents.platformer.cuckoo_search import CuckooSearch, CuckooSettings
from ludus.agents.platformer.genetic_programming import GeneticProgramming, GeneticSettings
from ludus.agents.platformer.imitation import FEATURES, Imitation, ImitationSettings, name_move
from ludus.agents.platformer.imitation import MOVES as SHOWN
from ludus.agents.platformer.neuro_evolution import NeuroEvolution, NeuroSettings, forward_jumping
from ludus.agents.platformer.q_learning import NUMBERS, QLearning, QSettings, describe_state
from ludus.contract import Learns
from ludus.errors import AgentError, OptionError
from ludus.games.platformer import Level, World
from ludus.games.platformer.view import View
from ludus.testing import check_agent

LEARNERS: tuple[Any, ...] = (QLearning, NeuroEvolution, GeneticProgramming, CuckooSearch)
PLAYERS: tuple[Any, ...] = (*LEARNERS, Imitation)
PLAYS = 60
SMALL = 50_000  # bytes


def beginner(kind: Any) -> Any:
    """Return a player that has learned nothing."""
    return kind(kind.search(None, 0, kind.learning_settings()).champion())


# ---- what comes with Ludus


@pytest.mark.parametrize("kind", PLAYERS)
def test_players_keep_the_contract_and_come_trained(kind: Any) -> None:
    check_agent(kind.name, "platformer/bundled", episodes=1)
    file = files("ludus.agents.platformer").joinpath("policies", f"{kind.name}.npz")
    assert len(file.read_bytes()) <= SMALL
    assert isinstance(load(kind.name, "platformer"), Learns) == (kind is not Imitation)


@pytest.mark.parametrize("kind", PLAYERS)
def test_players_see_no_forward_model_and_play_alike(kind: Any) -> None:
    player = load(kind.name, "platformer")
    first = play_once(player, GAPS)
    assert play_once(player, GAPS) == first
    assert first.distance > 32


def test_fingerprints_tell_trained_players_apart(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    write_checkpoint(file, "neuro-evolution", NeuroEvolution.write_arrays(forward_jumping(3)))
    assert find(str(file)).name == "net"
    assert find(str(file)).fingerprint != find("neuro-evolution").fingerprint


# ---- learning by playing


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEARNERS)
def test_a_learner_improves_and_shows_its_best(kind: Any) -> None:
    scores = learn_level(beginner(kind), GAPS, PLAYS)
    usual = play_once(load("forward-jumping", "platformer"), GAPS).weighted_fitness
    assert scores[-1] > 2 * usual
    without_chance = scores[:-1:4] if kind is QLearning else scores[:-1]
    assert scores[-1] == max(without_chance)


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEARNERS)
def test_equal_seeds_learn_alike_and_play_one_begins_anew(kind: Any) -> None:
    player = beginner(kind)
    first = learn_level(player, GAPS, 25)
    assert learn_level(player, GAPS, 25) == first
    assert learn_level(beginner(kind), GAPS, 25) == first


def test_a_learner_without_training_plays_shows_its_champion() -> None:
    player = beginner(NeuroEvolution)
    assert play_once(player, GAPS, 1, 1) == play_once(player, GAPS)


# ---- files


def trained(kind: Any) -> dict[str, Any]:
    settings = ImitationSettings() if kind is Imitation else kind.learning_settings()
    search = kind.search(None, 0, settings)
    return dict(kind.write_arrays(search.champion()))


@pytest.mark.parametrize("kind", PLAYERS)
def test_a_player_from_a_file_plays_as_before(kind: Any, tmp_path: Path) -> None:
    arrays = kind.write_arrays(load(kind.name, "platformer")._champion)  # type: ignore[attr-defined]
    write_checkpoint(tmp_path / "player.npz", kind.name, arrays)
    again = load(str(tmp_path / "player.npz"), "platformer")
    assert play_once(again, GAPS) == play_once(load(kind.name, "platformer"), GAPS)


FORGED: list[tuple[Any, dict[str, Any]]] = [
    (NeuroEvolution, {"hidden": np.zeros((10, 22))}),
    (NeuroEvolution, {"hidden": np.zeros(210)}),
    (NeuroEvolution, {"output": np.zeros((5, 11))}),
    (NeuroEvolution, {"hidden": np.array("text")}),
    (NeuroEvolution, {"hidden": np.full((10, 53), np.nan)}),
    (QLearning, {"moves": np.array([12], np.uint8), "states": np.zeros((1, NUMBERS), np.uint8)}),
    (QLearning, {"states": np.zeros((1, 3), np.uint8)}),
    (QLearning, {"moves": np.array(1, np.uint8)}),
    (QLearning, {"states": np.zeros((0, NUMBERS))}),
    (CuckooSearch, {"moves": np.array([16], np.uint8), "states": np.zeros(1, np.uint64)}),
    (CuckooSearch, {"moves": np.zeros(2, np.uint8)}),
    (CuckooSearch, {"field": np.array(10**6)}),
    (CuckooSearch, {"field": np.array(8)}),
    (CuckooSearch, {"field": np.array([3, 3])}),
    (GeneticProgramming, {"program": np.array([], np.int16)}),
    (GeneticProgramming, {"program": np.array([0, 4, 6], np.int16)}),
    (GeneticProgramming, {"program": np.array([6, 6], np.int16)}),
    (GeneticProgramming, {"program": np.array([4], np.int16)}),
    (GeneticProgramming, {"program": np.array([30_000], np.int16)}),
    (GeneticProgramming, {"program": np.array([-1], np.int16)}),
    (GeneticProgramming, {"program": np.ones(100_000, np.int16)}),
    (GeneticProgramming, {"program": np.array([0.5])}),
    (Imitation, {"weights": np.zeros((8, FEATURES + 1))}),
    (Imitation, {"weights": np.zeros((10**3, 10**3), np.int8)}),
]


@pytest.mark.parametrize(("kind", "change"), FORGED)
def test_a_forged_file_is_refused(kind: Any, change: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "forged.npz"
    write_checkpoint(file, kind.name, {**trained(kind), **change})
    with pytest.raises(AgentError, match="forged"):
        load(str(file), "platformer")
    for missing in change:
        left = {name: array for name, array in trained(kind).items() if name != missing}
        write_checkpoint(file, kind.name, left)
        with pytest.raises(AgentError, match=f"holds no {kind.name}: '{missing}'"):
            load(str(file), "platformer")


# ---- settings


@pytest.mark.parametrize(
    ("kind", "settings", "told"),
    [
        (NeuroEvolution, NeuroSettings(size="huge"), "no size 'huge': there are small, medium"),
        (NeuroEvolution, NeuroSettings(candidates=1), "1 candidates are too few"),
        (GeneticProgramming, GeneticSettings(elite=400), "400 of 400 candidates cannot live on"),
        (QLearning, QSettings(discount=1.0), "discount 1.0: give"),
        (CuckooSearch, CuckooSettings(field=20), "field 20 is no odd number from 1 to 19"),
        (CuckooSearch, CuckooSettings(nests=0), "0 nests"),
        (Imitation, ImitationSettings(players=0), "0 players are too few"),
    ],
)
def test_settings_out_of_range_are_refused(kind: Any, settings: Any, told: str) -> None:
    with pytest.raises((OptionError, AgentError), match=told):
        kind.search(None, 0, settings)


# ---- programs


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_programs_stay_programs(seed: int, depth: int) -> None:
    chance = np.random.default_rng(seed)
    program, other = programs.grow(chance, depth), programs.grow(chance, depth)
    for _ in range(20):
        for change in (programs.vary, programs.change_node):
            program = change(program, chance)
        program = programs.cross(program, other, chance)
        programs.check_program(program)
        assert len(program) <= programs.ROOM
        assert programs.end_of_part(program, 0) == len(program)


def test_a_program_is_followed() -> None:
    ahead = programs.FIRST_BLOCK + (programs.SIDE // 2 + 1) * programs.SIDE + programs.SIDE // 2
    player = GeneticProgramming((programs.IF, ahead, programs.LEAP, programs.RUN))
    free, walled = ("M-----F\nXXXXXXX", "MX----F\nXXXXXXX")
    assert player.act(View(World(Level.parse(free)))) == 2
    assert player.act(View(World(Level.parse(walled)))) == 2 | 8 | 16


# ---- what is seen


def test_the_numbers_of_a_state() -> None:
    level = Level.parse("-----------F\nM--X--------\nXXXXXXX--XXX")
    view = View(World(level))
    view_mario = view.mario
    state = describe_state(view, view_mario, None)
    assert len(state) == NUMBERS
    height, distance = state[9:11]
    assert (height, distance) == (1, 3)
    assert state[11:13] == bytes((0, 0)), "the gap is too far away"
    assert state[6:9] == bytes(3), "nobody is near"


def test_moves_of_an_expert_are_named() -> None:
    assert SHOWN[name_move(2 | 8 | 16, "framework")] == "right jump speed"
    assert SHOWN[name_move(2 | 8, "2009")] == "right jump"
    assert SHOWN[name_move(4, "2009")] == "right", "what is not known is the nearest"
