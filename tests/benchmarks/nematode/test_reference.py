from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.nematode.published import published

from ludus.benchmarks.nematode.reference import find_convergence, find_plateau, score_session
from ludus.benchmarks.nematode.scoring import WEIGHTS
from ludus.errors import OptionError

SAME = {
    "composite": "composite_published",
    "composite_seed_weights": "composite_seed_weights",
    "success_rate": "success_rate",
    "distance_efficiency": "avg_distance_efficiency",
    "convergence_run": "convergence_run",
    "learning_speed": "learning_speed",
    "learning_speed_episodes": "learning_speed_episodes",
    "stability": "stability",
    "post_success_rate": "post_success_rate",
    "post_variance": "post_variance",
    "post_distance_efficiency": "post_distance_efficiency",
    "post_survival": "post_survival",
    "post_thermal_comfort": "post_thermal_comfort",
}


def scored(session: dict[str, Any], **more: Any) -> Any:
    flags = [sign == "1" for sign in session["success"]]
    health, warmth = session.get("survival_score"), session.get("temperature_comfort_score")
    return score_session(flags, session["distance_efficiency"], health, warmth, **more)


@pytest.mark.parametrize("session", published(), ids=lambda session: session["session"])
def test_published_figures_come_out(session: dict[str, Any]) -> None:
    made = scored(session)
    for ours, theirs in SAME.items():
        said = session["expected"][theirs]
        assert getattr(made, ours) == (said if said is None else pytest.approx(said, abs=1e-9))


@pytest.mark.parametrize("session", published(), ids=lambda session: session["session"])
def test_figures_of_the_later_detector_come_out(session: dict[str, Any]) -> None:
    made, said = scored(session, detector=find_plateau), session["expected"]
    assert made.composite == pytest.approx(said["composite_plateau_detector"], abs=1e-9)
    assert made.convergence_run == said["plateau_convergence_run"]


def test_all_kinds_of_sessions_are_among_them() -> None:
    made = [scored(session) for session in published()]
    assert {one.weights for one in made} == {"seed", "health", "thermal"}
    assert any(one.convergence_run is None for one in made)
    assert any(one.post_distance_efficiency is None for one in made)
    assert any(one.learning_speed_episodes is None for one in made)


def test_the_columns_are_not_what_is_summed() -> None:
    made = scored(published()[0])
    columns = (made.success_rate, made.distance_efficiency, made.learning_speed, made.stability)
    sum_ = sum(w * v for w, v in zip(WEIGHTS.values(), columns, strict=True))
    assert sum_ != pytest.approx(made.composite, abs=1e-3)


def flags(text: str) -> list[bool]:
    return [sign == "1" for sign in text]


def test_convergence_is_ten_in_a_row() -> None:
    assert find_convergence(flags("0" * 15 + "1" * 15)) == 16
    assert find_convergence(flags("0" * 15 + "1" * 9 + "0" + "1" * 9)) is None
    assert find_convergence(flags("1" * 29)) is None  # 30 episodes at least
    assert find_convergence(flags("1" * 30)) == 1


def test_the_plateau_asks_for_no_height() -> None:
    assert find_plateau(flags("0" * 30)) == 1
    assert find_plateau(flags("0" * 29)) is None
    assert find_plateau(flags("0" * 30 + "1" * 10)) is None  # still rising
    assert find_plateau(flags("0" * 20 + "1" * 40)) == 20  # nine successes of ten are near enough
    assert find_plateau(flags("00" + "1" * 38)) == 2  # only the very first ten are too low
    assert find_plateau(flags("1" * 40 + "1111100000" * 2)) is None


def test_survival_changes_the_weights() -> None:
    wins, straight = [True] * 30, [0.5] * 30
    assert score_session(wins, straight).composite == pytest.approx(0.4 + 0.15 + 0.2 + 0.1)
    healthy = score_session(wins, straight, [0.8] * 30)
    assert healthy.composite == pytest.approx(0.5 + 0.16 + 0.1 + 0.1)
    warm = score_session(wins, straight, [0.8] * 30, [0.6] * 30)
    assert warm.composite == pytest.approx(0.5 + 0.12 + 0.06 + 0.075 + 0.1)
    dead = score_session(wins, straight, [0.05] * 30)
    assert dead.composite == pytest.approx(0.3)
    assert (healthy.weights, warm.weights, dead.weights) == ("health", "thermal", "health")


def test_a_session_too_short_to_converge_is_scored_over_its_last_ten_episodes() -> None:
    assert score_session(flags("0" * 10 + "1" * 5), [0.5] * 15).post_success_rate == 0.5
    assert score_session(flags("01111"), [0.5] * 5).post_success_rate == 0.8


def test_a_single_episode_shows_no_spread() -> None:
    assert score_session([False], [0.0]).stability == 1
    assert score_session(flags("00"), [0.0, 0.0]).stability == 0


def test_columns_must_be_of_one_length() -> None:
    with pytest.raises(OptionError, match="2 episodes have 1 values"):
        score_session([True, False], [0.5])
    with pytest.raises(OptionError, match="without episodes"):
        score_session([], [])


@given(st.lists(st.booleans(), min_size=1, max_size=80), st.floats(0, 1), st.floats(0, 1))
def test_no_figure_leaves_its_range(own: list[bool], efficiency: float, health: float) -> None:
    for survival in (None, [health] * len(own)):
        for detector in (find_convergence, find_plateau):
            made = score_session(own, [efficiency] * len(own), survival, detector=detector)
            for value in (made.composite, made.learning_speed, made.stability, made.success_rate):
                assert 0 <= value <= 1 + 1e-12
