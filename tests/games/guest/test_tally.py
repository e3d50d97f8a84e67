from __future__ import annotations

from typing import Any

from ludus.games.guest.tally import Tally
from ludus.games.platformer.levels.campaign import STAGES

START = {"x_pos": 40, "world": 1, "stage": 1, "coins": 0, "time": 400, "flag_get": 0, "life": 2}


def told(*frames: dict[str, Any], stages: tuple[str, ...] = ("1-1",)) -> Tally:
    tally = Tally(stages)
    now = dict(START)
    for frame in ({}, *frames):
        now |= frame
        tally.add_frame(now)
    return tally


def facts(tally: Tally, *, ended: bool = False) -> dict[str, Any]:
    return tally.facts(ended=ended)


def test_x_that_falls_in_a_bonus_room_is_no_way_back() -> None:
    tally = told({"x_pos": 900}, {"x_pos": 30}, {"x_pos": 200}, {"x_pos": 880})
    assert facts(tally)["max_x_pos"] == 900


def test_x_that_cannot_be_is_not_counted() -> None:
    assert facts(told({"x_pos": 70_000}, {"x_pos": -5}))["max_x_pos"] == 40


def test_coins_are_counted_beyond_the_counter() -> None:
    tally = told({"coins": 97}, {"coins": 99}, {"coins": 0}, {"coins": 1})
    assert facts(tally)["coins"] == 4  # the leap to 97 was a counter set anew


def test_no_more_than_99_coins_count_in_a_level() -> None:
    tally = told(*({"coins": number % 100} for number in range(130)))
    assert facts(tally)["coins"] == 99


def test_the_flag_completes_the_level_with_the_clock_of_that_frame() -> None:
    tally = told({"x_pos": 3161, "time": 331, "flag_get": 1})
    assert tally.over
    found = facts(tally)
    assert (found["completed"], found["time_remaining"], found["max_x_pos"]) == (1, 331, 3161)
    assert found["deaths"] == 0


def test_the_next_level_completes_this_one() -> None:
    tally = told({"x_pos": 3000, "time": 300}, {"stage": 2, "x_pos": 3000, "time": 299})
    assert tally.over
    found = facts(tally)
    assert (found["world"], found["stage"], found["completed"]) == (1, 1, 1)
    assert (found["max_x_pos"], found["time_remaining"]) == (3000, 300)


def test_a_lost_life_ends_a_level() -> None:
    tally = told({"x_pos": 500}, {"life": 1, "x_pos": 40})
    assert tally.over
    found = facts(tally)
    assert (found["completed"], found["deaths"], found["lives"]) == (0, 1, 1)
    assert found["max_x_pos"] == 500


def test_lives_below_zero_are_none() -> None:
    found = facts(told({"life": 0}, {"life": 255}))
    assert (found["lives"], found["deaths"]) == (0, 3)


def test_a_life_more_is_no_death() -> None:
    assert facts(told({"life": 3}))["deaths"] == 0
    assert not told({"life": 3}).over


def test_an_end_without_the_flag_is_a_death() -> None:
    assert facts(told({"x_pos": 300}), ended=True)["deaths"] == 1
    assert facts(told({"x_pos": 300}), ended=False)["deaths"] == 0


def test_power_is_told_by_the_status_unless_dead() -> None:
    assert facts(told({"status": "fireball"}))["power"] == 2
    assert facts(told({"status": "tall"}), ended=True)["power"] == 0


def test_what_is_not_told_is_as_it_was() -> None:
    tally = Tally(("1-1",))
    for info in ({}, {"x_pos": 100}, {}):
        tally.add_frame(info)
    found = facts(tally)
    assert (found["world"], found["stage"], found["max_x_pos"]) == (1, 1, 100)
    assert (found["coins"], found["time_remaining"], found["lives"], found["deaths"]) == (0,) * 4


def test_levels_that_there_are_not_are_not_gone_to() -> None:
    found = facts(told({"world": 37, "stage": 0}, stages=STAGES))
    assert (found["world"], found["stage"]) == (1, 1)


# ---- the whole game


def test_every_level_has_its_figures() -> None:
    tally = Tally(STAGES)
    tally.add_frame(START)
    tally.count_decision()
    tally.add_frame({**START, "x_pos": 3161, "coins": 3, "time": 350, "flag_get": 1})
    tally.add_frame(
        {**START, "x_pos": 3161, "coins": 3, "time": 0, "flag_get": 1}
    )  # the clock pays out
    tally.add_frame(
        {**START, "stage": 2, "x_pos": 3161, "coins": 3, "time": 400}
    )  # still the old x
    tally.count_decision()
    tally.count_decision()
    tally.add_frame({**START, "stage": 2, "x_pos": 60, "coins": 4, "time": 390})
    tally.add_frame({**START, "stage": 2, "x_pos": 50, "coins": 4, "time": 380, "life": 1})
    assert not tally.over
    found = facts(tally)
    assert (found["world"], found["stage"], found["max_x_pos"]) == (1, 2, 60)
    assert (found["steps"], found["coins"], found["deaths"]) == (3, 4, 1)
    assert found["levels_completed"] == 1
    assert [found[f"1-1.{name}"] for name in ("completed", "max_x_pos", "steps", "coins")] == [
        1, 3161, 1, 3,
    ]  # fmt: skip
    assert found["1-1.time_remaining"] == 350
    assert [found[f"1-2.{name}"] for name in ("completed", "max_x_pos", "steps", "deaths")] == [
        0, 60, 2, 1,
    ]  # fmt: skip


def test_warps_are_told_apart() -> None:
    tally = told(
        {"stage": 2, "x_pos": 3000}, {"x_pos": 50}, {"world": 4, "stage": 1, "x_pos": 10},
        stages=STAGES,
    )  # fmt: skip
    found = facts(tally)
    assert (found["warps"], found["levels_completed"]) == (1, 1)
    assert (found["world"], found["stage"]) == (4, 1)


def test_the_last_flag_completes_the_game() -> None:
    tally = told({"world": 8, "stage": 4, "x_pos": 5}, {"flag_get": 1}, stages=STAGES)
    assert tally.over
    assert facts(tally)["completed"] == 1
