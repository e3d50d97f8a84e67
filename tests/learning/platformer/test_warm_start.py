from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.agents import load
from ludus.agents.checkpoint import read_checkpoint, write_checkpoint
from ludus.agents.platformer.network import forward
from ludus.agents.platformer.policy import Policy
from ludus.errors import AgentError, OptionError
from ludus.games.platformer._native import SIGHT_FIELDS, WIDE_FIELDS
from ludus.learning import train
from ludus.learning.platformer.networks import draw_orthogonal, initial_network
from ludus.learning.platformer.ppo import PpoLearner
from ludus.learning.platformer.practice import BUTTONS
from ludus.learning.platformer.settings import Course, settings_for
from ludus.learning.platformer.warm_start import grow_network, read_network


def fresh_networks(hidden: str, observe: str, seeds: int = 2) -> dict[str, Any]:
    settings = settings_for("ppo", observe, {"hidden": hidden})
    draw = draw_orthogonal(np.random.default_rng(1))
    networks = [initial_network(draw, settings, observe) for _ in range(seeds)]
    return {name: np.stack([network[name] for network in networks]) for name in networks[0]}


def small_policy(path: Path) -> Path:
    drawn = {name: array[0] for name, array in fresh_networks("8,6", "fields").items()}
    drawn["b0"] = drawn["b0"] + 0.25
    Policy(drawn, BUTTONS).save(path)
    return path


def test_a_grown_network_decides_as_the_old_one(tmp_path: Path) -> None:
    old = read_network(small_policy(tmp_path / "small.npz"))
    grown = grow_network(old, fresh_networks("16,9", "wide"))
    rows = np.random.default_rng(0).integers(-127, 128, (20, WIDE_FIELDS)).astype(np.int8)
    expected = forward(old, rows[:, :SIGHT_FIELDS])
    for seed in range(2):
        network = {name: array[seed] for name, array in grown.items()}
        assert network["w0"].shape == (WIDE_FIELDS, 16)
        np.testing.assert_allclose(forward(network, rows), expected, rtol=1e-4, atol=1e-4)
        assert network["w0"][SIGHT_FIELDS:, 8:].any()  # new units see what is new


def test_a_training_begins_with_the_policy(tmp_path: Path) -> None:
    file = small_policy(tmp_path / "small.npz")
    few = {"hidden": "8,6", "games": 2, "slots": 1, "minibatches": 1}
    settings = settings_for("ppo", "wide", few)
    course = Course(benchmark="mario-arena/1-1", observe="wide", start=str(file), settings=settings)
    (first,) = PpoLearner(course).policies
    np.testing.assert_array_equal(first["w0"][:SIGHT_FIELDS], read_network(file)["w0"])
    assert not first["w0"][SIGHT_FIELDS:].any()
    Policy(first, BUTTONS, observe="wide").save(tmp_path / "wide.npz")
    assert load(str(tmp_path / "wide.npz"))


@pytest.mark.parametrize(
    ("hidden", "observe", "told"),
    [
        ("8", "fields", "has b0, b1, head, head_bias, w0, w1, and the training b0, head"),
        ("4,6", "fields", "has b0 of 8, more than 4: give larger layers in hidden"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused_before_anything_is_written(
    tmp_path: Path, hidden: str, observe: str, told: str
) -> None:
    file = small_policy(tmp_path / "small.npz")
    with pytest.raises(OptionError, match=told):
        train(observe=observe, start=file, out=tmp_path / "run", settings={"hidden": hidden})
    assert not (tmp_path / "run").exists()


def test_a_forged_policy_is_refused_in_one_line(tmp_path: Path) -> None:
    file = small_policy(tmp_path / "small.npz")
    kind, arrays = read_checkpoint(file)
    write_checkpoint(file, kind, {**arrays, "b0": arrays["b0"].astype("U4")})
    with pytest.raises(AgentError, match="'b0' holds no numbers"):
        read_network(file)
    write_checkpoint(file, kind, {**arrays, "two\nlines": arrays["b0"]})
    with pytest.raises(OptionError, match="b0, b1, head, head_bias, two lines, w0"):
        grow_network(read_network(file), fresh_networks("8,6", "fields"))


def test_evolution_goes_on_from_no_policy(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="evolution goes on from no policy"):
        train(algorithm="evolution", start="any.npz", out=tmp_path / "run")
