from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.agents import load
from ludus.agents.checkpoint import write_checkpoint
from ludus.agents.platformer.network import cut_patches, cut_squares, forward, probabilities
from ludus.agents.platformer.policy import Policy
from ludus.errors import AgentError, OptionError
from ludus.games.platformer import World
from ludus.games.platformer._native import SIGHT_FIELDS, SIGHT_SIDE, sight_fields
from ludus.games.platformer.arena.game import ArenaMatch
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

ACTIONS = np.array((0, 2, 10, 26), np.uint8)


def dense(seed: int = 0) -> dict[str, NDArray[np.float32]]:
    draw = np.random.default_rng(seed).normal
    return {
        "w0": (draw(size=(SIGHT_FIELDS, 16)) / 8).astype(np.float32),
        "b0": np.zeros(16, np.float32),
        "head": draw(size=(16, 5)).astype(np.float32),
        "head_bias": np.zeros(5, np.float32),
    }


def convolving(seed: int = 0) -> dict[str, NDArray[np.float32]]:
    draw = np.random.default_rng(seed).normal
    return {
        "c0": draw(size=(16 * 2, 3)).astype(np.float32),
        "cb0": np.zeros(3, np.float32),
        "head": draw(size=(16 * 16 * 3, 5)).astype(np.float32),
        "head_bias": np.zeros(5, np.float32),
    }


def always(action: int) -> Policy:
    """Return a player that is sure of one of its actions."""
    arrays = {name: np.zeros_like(one) for name, one in dense().items()}
    arrays["head_bias"][list(ACTIONS).index(action)] = 100
    return Policy(arrays, ACTIONS)


def decisions(player: Policy, scenario: ArenaScenario) -> bytes:
    match = ArenaMatch(scenario)
    player.reset(scenario)
    for _ in range(40):
        if match.over:
            break
        match.step(player.act(match.observation))
    return match.record()


@pytest.mark.parametrize("half", [False, True])
def test_a_checkpoint_plays_as_the_policy_did(tmp_path: Path, half: bool) -> None:
    policy = Policy(dense(), ACTIONS)
    policy.save(tmp_path / "mine.npz", half=half)
    read: Any = load(str(tmp_path / "mine.npz"))
    seen = np.stack([sight_fields(World(bundled_level(f"sprint-0{k}"))) for k in (1, 2, 3)])
    ours, theirs = policy.preferences(seen), read.preferences(seen)
    np.testing.assert_allclose(theirs, ours, rtol=0, atol=0.05 if half else 0)
    assert read.name == "mine"
    scenario = ArenaScenario("", ("1-1",), 5)
    if not half:
        assert decisions(read, scenario) == decisions(policy, scenario)


def test_a_policy_of_pixels_sees_the_picture_before(tmp_path: Path) -> None:
    policy = Policy(convolving(), ACTIONS, observe="pixels", strides=(4,))
    policy.save(tmp_path / "eyes.npz")
    read: Any = load(str(tmp_path / "eyes.npz"))
    scenario = ArenaScenario("", ("2-4",), 9)
    played = decisions(policy, scenario)
    assert decisions(read, scenario) == played
    assert decisions(policy, scenario) == played  # reset forgets the picture before


def test_an_episode_depends_on_its_seed_alone() -> None:
    policy = Policy(dense(), ACTIONS)
    one, other = (ArenaScenario("", ("1-1",), seed) for seed in (1, 2))
    first = decisions(policy, one)
    assert len(set(first)) > 1
    assert decisions(policy, other) != first
    assert decisions(policy, one) == first


def test_scenario_and_variant_say_how_to_choose() -> None:
    sampled, surest = Policy(dense(), ACTIONS), Policy(dense(), ACTIONS, variant="argmax")
    asked = ArenaScenario("", ("1-1",), 3, policy="argmax")
    assert decisions(sampled, asked) == decisions(surest, asked)
    assert decisions(surest, ArenaScenario("", ("1-1",), 3)) == decisions(surest, asked)
    assert decisions(sampled, ArenaScenario("", ("1-1",), 3)) != decisions(surest, asked)
    with pytest.raises(OptionError, match="no variant 'best'"):
        Policy(dense(), ACTIONS, variant="best")


def test_a_decision_is_held_where_the_game_does_not_hold_it() -> None:
    world = World(bundled_level("sprint-01"))
    policy, view = Policy(dense(), ACTIONS), View(world)
    policy.reset(Scenario("", bundled_level("sprint-01")))
    buttons = []
    for _ in range(40):
        buttons.append(policy.act(view))
        world.step(buttons[-1])
    held = np.array(buttons).reshape(-1, 4)
    assert (held == held[:, :1]).all()
    assert len(set(held[:, 0].tolist())) > 1


def test_it_plays_what_it_prefers() -> None:
    assert set(decisions(always(10), ArenaScenario("", ("1-1",), 0))) == {10}
    assert set(decisions(always(26), ArenaScenario("", ("1-1",), 0))) == {26}


@pytest.mark.parametrize("lacking", ["actions", "observe", "strides", "head", "head_bias", "b0"])
def test_a_checkpoint_that_lacks_something_is_refused(tmp_path: Path, lacking: str) -> None:
    file = tmp_path / "part.npz"
    Policy(dense(), ACTIONS).save(file)
    with np.load(file) as whole:
        arrays = {name: whole[name] for name in whole.files if name not in (lacking, "agent")}
    write_checkpoint(file, "policy", arrays)
    with pytest.raises(AgentError, match=lacking):
        load(str(file))


def test_networks_that_do_not_fit_are_refused() -> None:
    with pytest.raises(AgentError, match="5 columns"):
        Policy(dense(), ACTIONS[:3])
    with pytest.raises(AgentError, match="does not fit"):
        Policy(dense() | {"w0": np.zeros((7, 16), np.float32)}, ACTIONS)
    with pytest.raises(OptionError, match="'sound' cannot be seen"):
        Policy(dense(), ACTIONS, observe="sound")


def test_squares_are_those_of_the_picture() -> None:
    images = np.random.default_rng(0).normal(size=(2, 9, 9, 3))
    np.testing.assert_array_equal(cut_squares(images, 4)[1, 0, 1], images[1, :4, 4:8].reshape(-1))


def test_patches_are_those_of_a_convolution() -> None:
    draw = np.random.default_rng(0).normal
    images, kernel = draw(size=(2, 11, 11, 3)), draw(size=(4, 4, 3, 5))
    cut = cut_patches(images, 2)
    assert cut.shape == (2, 4, 4, 48)
    blocks = kernel.reshape(2, 2, 2, 2, 3, 5).transpose(0, 2, 1, 3, 4, 5).reshape(48, 5)
    for row, column in ((0, 0), (1, 2), (3, 3)):
        window = images[1, 2 * row : 2 * row + 4, 2 * column : 2 * column + 4]
        expected = np.tensordot(window, kernel, 3)
        np.testing.assert_allclose(cut[1, row, column] @ blocks, expected)


def test_numpy_and_jax_agree() -> None:
    jnp = pytest.importorskip("jax.numpy")
    draw = np.random.default_rng(1).integers
    rows = draw(-127, 128, (9, SIGHT_FIELDS)).astype(np.int8)
    pictures = draw(0, 256, (9, 2, SIGHT_SIDE, SIGHT_SIDE)).astype(np.uint8)
    for arrays, seen, strides in ((dense(), rows, ()), (convolving(), pictures, (4,))):
        ours = forward(arrays, seen, strides)
        theirs = forward(arrays, jnp.asarray(seen), strides, jnp)
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(probabilities(ours[:, :-1]).sum(1), 1, rtol=1e-5)
