"""Settings that no brain can be built or trained with."""

from __future__ import annotations

from typing import Any

import pytest

from ludus.errors import OptionError
from ludus.learning.worm.loading import load_brain


@pytest.mark.parametrize(
    ("brain", "setting", "value", "told"),
    [
        ("mlp-ppo", "minibatches", "0", "minibatches is 0: give 1 or more"),
        ("mlp-ppo", "epochs", "-1", "epochs is -1: give 1 or more"),
        ("mlp-ppo", "horizon", "-5", "horizon is -5: give 0 or more"),
        ("mlp-ppo", "hidden", "64,0", "hidden is 0: give from 1 to 4096"),
        ("mlp-ppo", "hidden", [64] * 20, "hidden has 20 layers: 16 are the most"),
        ("mlp-ppo", "discount", "7", "discount is 7.0: give from 0 to 1"),
        ("mlp-ppo", "rate", "nan", "rate is 'nan': give something like 0.001"),
        ("minlstm-ppo", "let_in", float("inf"), "let_in is inf: give something like -1.0"),
        ("quantum-echo-ppo", "qubits", "40", "qubits is 40: give from 1 to 12"),
        ("gru-ppo", "chunk", "7", "chunk is 7: give one that divides horizon 256"),
        ("transformer-ppo", "heads", "3", "heads is 3: give one that divides units 64"),
        ("cma-es", "population", "0", "population is 0: give 1 or more"),
    ],
)
def test_settings_out_of_range_are_refused(brain: str, setting: str, value: Any, told: str) -> None:
    with pytest.raises(OptionError, match=f"setting {told}"):
        load_brain(brain, 20.0, {setting: value})


def test_settings_below_zero_are_taken_where_they_mean_something() -> None:
    brain: Any = load_brain("minlstm-ppo", 20.0, {"let_in": "-2.0"})
    assert brain[0].let_in == -2.0
