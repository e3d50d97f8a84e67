"""Memory probes: what is shown, what is asked, and that only a memory can answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludus.agents.worm.brains.mlp import Mlp
from ludus.agents.worm.brains.recurrent import Recurrent
from ludus.errors import OptionError
from ludus.learning.worm.memory_probes import (
    PROBES,
    SHOWN,
    check_probe,
    make_associative_trials,
    make_bit_trials,
    probe_memory,
)
from ludus.stats import rate_interval


def test_a_bit_is_shown_and_asked_for_after_the_delay() -> None:
    trials = make_bit_trials(np.random.default_rng(0), 50, 3)
    assert trials.features.shape == (50, SHOWN + 3 + 1, 2)
    assert set(trials.answers) == {0, 1}
    for sensed, answer in zip(trials.features, trials.answers, strict=True):
        assert sensed[:, 0].tolist() == [2 * answer - 1] * SHOWN + [0] * 4
        assert sensed[:, 1].tolist() == [0] * 5 + [1]


def test_the_value_that_a_cue_was_last_shown_with_is_right() -> None:
    trials = make_associative_trials(np.random.default_rng(1), 200, 2)
    assert trials.features.shape == (200, 3 * SHOWN + 2 + 1, 4)
    reversals = 0
    for sensed, answer in zip(trials.features, trials.answers, strict=True):
        asked = int(sensed[-1, 1])
        assert sensed[-1].tolist() == [1 - asked, asked, 0, 1]
        shown = [value for a, b, value, _ in sensed[:-1] if (a, b)[asked]]
        assert len(shown) in (SHOWN, 2 * SHOWN)
        assert shown[-1] == 2 * answer - 1
        again = sensed[2 * SHOWN : 3 * SHOWN].any()
        reversals += int(again)
        if len(shown) == 2 * SHOWN:
            assert shown[0] == -shown[-1]
    assert 70 < reversals < 130  # half of 200
    assert 70 < trials.answers.sum() < 130


@pytest.mark.parametrize("probe", PROBES)
def test_what_is_sensed_when_asked_tells_nothing(probe: str) -> None:
    trials = PROBES[probe](np.random.default_rng(2), 400, 1)
    for question in np.unique(trials.features[:, -1], axis=0):
        same = (trials.features[:, -1] == question).all(1)
        assert 0.35 < trials.answers[same].mean() < 0.65


def test_a_memory_answers_and_a_brain_without_one_guesses() -> None:
    sizes: Any = {"trainings": 2, "updates": 60, "batch": 16, "trials": 100}
    small = Recurrent("small", "gru", units=8, actor=(8,), critic=(4,))
    score = probe_memory(small, "bit", 2, rate=2e-2, **sizes)
    assert score.trials == 100
    assert min(score.right) > 95
    guess = probe_memory(Mlp("none", (8,), critic=False), "bit", 2, **sizes)
    rate = rate_interval(sum(guess.right), 200, method="wilson")
    assert rate.low < 0.5 < rate.high


@pytest.mark.parametrize(
    ("probe", "delay", "told"),
    [
        ("smell", 3, "no memory probe 'smell'; there are bit, associative"),
        ("bit", -1, "a delay of -1 steps: give from 0 to 1,000"),
        ("bit", 1_001, "a delay of 1001 steps"),
    ],
)
def test_other_probes_are_refused(probe: str, delay: int, told: str) -> None:
    with pytest.raises(OptionError, match=told):
        check_probe(probe, delay)
