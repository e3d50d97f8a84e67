"""Every field of the player's record, worked out by hand on tiny levels."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.platformer.recordings.scripts import count, cut, make_scenario, record_play

from ludus.errors import OptionError
from ludus.games.platformer.recordings import ALIASES, PROFILES, PlayerRecord, Recording
from ludus.games.platformer.recordings.recording import play_life

RULES = ("2009", "2010", "framework", "ludus")
COMPETITIONS = ("2009", "2010")
FRAMEWORKS = ("framework", "ludus")


def rows(*texts: str) -> str:
    """Return a level of 24 columns: rows filled with air, the last one with ground."""
    *air, ground = texts
    return "\n".join([*(text.ljust(24, "-") for text in air), ground.ljust(24, "X")])


FLAT = rows("--M", "XX")
GOOMBA, KOOPA = rows("--M------g", "XX"), rows("--M------k", "XX")
PIPE = rows("-----Tt", "--M--tt", "XX")


@pytest.mark.parametrize("rules", RULES)
def test_times_are_mario_seconds_rounded_up(rules: str) -> None:
    """45 ticks right are 3 s, 16 left 2 s, 15 running 1 s, 75 in all 5 s."""
    record = count(FLAT, "R30 RS15 L16 -14", rules=rules)
    assert (record.time_right, record.time_left) == (3, 2)
    assert (record.time_running, record.run_presses) == (1, 1)
    assert (record.completion_time, record.total_time, record.time_small) == (5, 5, 5)


@pytest.mark.parametrize("rules", RULES)
def test_completion_is_of_the_last_life_and_all_else_of_all_lives(rules: str) -> None:
    gap = rows("--M", "XXXXX---")
    record = count(gap, "R200", "S1 -1 S30", rules=rules)
    assert record.deaths_by_gap == record.deaths == 1
    assert record.completion_time == 3  # 32 ticks
    assert record.total_time > 3
    assert (record.run_presses, record.lives, record.wins, record.mode_periods) == (2, 2, 0, 2)


@pytest.mark.parametrize("rules", RULES)
def test_jumps_from_the_ground_count(rules: str) -> None:
    record = count(FLAT, "-30 J10 -30 J10 -20", rules=rules)
    assert (record.jumps, record.aimless_jumps, record.stomps) == (2, 2, 0)


def test_jumps_off_walls_do_not_count() -> None:
    wall = rows(*["------------#"] * 10, "--M---------#", "XX")
    recording = record_play(wall, "-30 RS18 RSJ9 RS9 RJ1 -10")
    events = [
        event.kind for tick in play_life(recording, recording.lives[0]) for event in tick.events
    ]
    assert events.count(6) == 2
    assert PlayerRecord.of(recording).jumps == 1


@pytest.mark.parametrize("rules", RULES)
def test_ducks(rules: str) -> None:
    record = count(FLAT, "-30 D20 -5 D10", rules=rules, mode=1)
    assert (record.ducks, record.time_ducking, record.time_large) == (2, 2, 5)
    assert record.mode_at_start == 1


@pytest.mark.parametrize("rules", RULES)
def test_free_coins(rules: str) -> None:
    record = count(rows("--M---ooo----------o", "XX"), "-30 R40", rules=rules)
    assert (record.coins_collected, record.coins_total) == (3, 4)


@pytest.mark.parametrize("rules", RULES)
def test_a_coin_on_a_block_that_is_bumped(rules: str) -> None:
    record = count(rows("----o", "----Q", "-", "-", "-", "--M", "XX"), "-16 R8 J9 -20", rules=rules)
    assert (record.coins_collected, record.coin_blocks_destroyed) == (1, 1)
    assert (record.coin_blocks_share, record.blocks_share) == (1.0, 1.0)
    assert record.aimless_jumps == 0  # one jump, one block


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("sign", "sort"), [("S", "empty"), ("Q", "coin"), ("?", "power"), ("U", "power"), ("2", "coin")]
)
def test_blocks(sign: str, sort: str, rules: str) -> None:
    level = rows(f"----{sign}--------S", "-", "-", "-", "--M", "XX")
    record = count(level, "-30 R7 -15 J9 -20", rules=rules, mode=1)
    totals = {"empty": 1, "coin": 0, "power": 0}
    totals[sort] += 1
    for name, total in totals.items():
        assert record[f"{name}_blocks_total"] == total
        assert record[f"{name}_blocks_destroyed"] == (name == sort)
        assert record[f"{name}_blocks_share"] == (1 / total if name == sort else 0)
    assert record.blocks_share == 0.5


def test_a_block_of_two_lives_is_one_of_the_share() -> None:
    """Counts run over lives and the share over blocks: it never exceeds 1."""
    level = rows("----Q", "-", "-", "-", "--M", "XXXXXXXX----")
    record = count(level, "-16 R8 J9 -20 R200", "-16 R8 J9 -20")
    assert (record.coin_blocks_destroyed, record.coin_blocks_share) == (2, 1.0)


@pytest.mark.parametrize("rules", RULES)
def test_stomps_and_kills(rules: str) -> None:
    script = "-20 RSJ6 -20" if rules in COMPETITIONS else "-20 RJ9 -20"
    record = count(GOOMBA, script, rules=rules)
    assert (record.stomps, record.goombas_killed, record.kills) == (1, 1, 1)
    assert (record.jumps, record.aimless_jumps, record.enemies_total) == (1, 0, 1)


@pytest.mark.parametrize("rules", RULES)
def test_fire(rules: str) -> None:
    record = count(rows("--M----g", "XX"), "-30 S1 -20", rules=rules, mode=2)
    assert (record.kills_by_fire, record.goombas_killed, record.stomps) == (1, 1, 0)
    assert (record.time_fire, record.run_presses, record.time_running) == (4, 1, 1)
    record = count(PIPE, "-30 RJ4 RS7 -20", rules=rules, mode=2)
    assert (record.kills_by_fire, record.jump_flowers_killed) == (1, 1)
    assert record.chomp_flowers_killed == 0


@pytest.mark.parametrize(
    ("rules", "script"),
    [
        ("2010", "-16 RSJ8 R7 LJ9 -20"),
        ("framework", "-30 RJ4 J3 R11 L8 -20"),
        ("ludus", "-30 RJ4 J3 R11 L8 -20"),
    ],
)
def test_kicked_shells(rules: str, script: str) -> None:
    record = count(KOOPA, script, rules=rules)
    assert (record.shells_kicked, record.stomps, record.green_turtles_killed) == (1, 1, 1)


@pytest.mark.parametrize("rules", COMPETITIONS)
def test_thrown_shells_kill(rules: str) -> None:
    """He stomps the koopa, picks its shell up with SPEED and throws it at two goombas."""
    level = rows("--M------k---gg", "XX")
    recording = record_play(level, "-16 R9 RJ4 -9 S10 -20", rules=rules)
    assert any(tick.after.carrying for tick in play_life(recording, recording.lives[0]))
    record = PlayerRecord.of(recording)
    assert (record.shells_kicked, record.kills_by_shell) == (1, 2)
    assert (record.green_turtles_killed, record.goombas_killed, record.stomps) == (1, 2, 1)


@pytest.mark.parametrize("rules", FRAMEWORKS)
def test_kicked_shells_kill(rules: str) -> None:
    record = count(rows("--M------k---gg", "XX"), "-16 RS6 RJ3 L14 RSJ14 -20", rules=rules)
    assert (record.shells_kicked, record.kills_by_shell, record.goombas_killed) == (1, 2, 2)


@pytest.mark.parametrize("rules", RULES)
def test_creatures_that_fall_are_killed(rules: str) -> None:
    record = count(rows("--M----------g", "XXXXX---"), "-200", rules=rules)
    assert (record.goombas_killed, record.stomps, record.deaths) == (1, 0, 0)


@pytest.mark.parametrize("rules", COMPETITIONS)
def test_creatures_on_bumped_blocks_are_killed(rules: str) -> None:
    level = rows("-----#--#", "-----#g-#", "-----SSSS", "-", "-", "-", "--M", "XX")
    record = count(level, "-20 RS12 SJ9 -21", rules=rules)
    assert (record.goombas_killed, record.stomps, record.jumps) == (1, 0, 1)


@pytest.mark.parametrize("rules", COMPETITIONS)
def test_stomped_bills(rules: str) -> None:
    level = rows("----------------*", "--M-------------*", "XX")
    record = count(level, "-27 R12 RSJ8 -20", rules=rules)
    assert (record.cannon_balls_killed, record.stomps) == (1, 1)


@pytest.mark.parametrize("rules", RULES)
def test_mode_periods(rules: str) -> None:
    """The goomba turns fire into large; the times are those of the engine's modes."""
    recording = record_play(rows("--M-------g", "XX"), "-90", rules=rules, mode=2)
    modes = [tick.after.mode for tick in play_life(recording, recording.lives[0])]
    record = PlayerRecord.of(recording)
    assert record.mode_periods == 2
    assert record.time_fire == -(-modes.count(2) // 15) > 0
    assert record.time_large == -(-modes.count(1) // 15) > 0
    assert record.deaths == 0


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("sign", "cause"),
    [("g", "goomba"), ("k", "green_turtle"), ("r", "red_turtle"), ("y", "armored_turtle")],
)
def test_deaths_by_walkers(sign: str, cause: str, rules: str) -> None:
    record = count(rows(f"--M-------{sign}", "XX"), "-200", "-200", rules=rules)
    assert record[f"deaths_by_{cause}"] == record.deaths == 2
    assert record.kills == 0


@pytest.mark.parametrize("rules", RULES)
def test_other_deaths(rules: str) -> None:
    assert count(rows("--M", "XXXXX---"), "R200", rules=rules).deaths_by_gap == 1
    assert count(FLAT, "-900", rules=rules, time_limit=2).deaths_by_time == 1
    assert count(rows("--M-------------*", "XX"), "-300", rules=rules).deaths_by_cannon_ball == 1
    flower = count(PIPE, "-30 RSJ7 -20", rules=rules)
    assert (flower.deaths_by_jump_flower, flower.deaths_by_chomp_flower, flower.deaths) == (1, 0, 1)
    shell = "-30 RJ9 R3 S8 J6 L9 -20" if rules in COMPETITIONS else "-20 RJ12 S7 SJ7 R2 -20"
    record = count(rows("--M------k-----##", "XX"), shell, rules=rules)
    assert (record.deaths_by_shell, record.deaths, record.stomps) == (1, 1, 1)


@pytest.mark.parametrize("rules", RULES)
def test_a_win(rules: str) -> None:
    record = count(rows("--M-----F", "XX"), "-20 R90", rules=rules)
    assert (record.wins, record.deaths, record.lives) == (1, 0, 1)


def test_there_are_45_fields_with_an_alias() -> None:
    record = PROFILES["expert"]
    assert len(ALIASES) == len(set(ALIASES.values())) == 45
    old = record.to_dict(aliases=True)
    assert len(old) == 45
    assert all(record[alias] == record[name] == old[alias] for name, alias in ALIASES.items())
    assert set(record.to_dict()) - set(ALIASES) == {
        "stomps",
        "deaths_by_time",
        "deaths_by_shell",
        "deaths_by_other",
        "lives",
        "wins",
        "mode_at_start",
    }


@given(st.builds(PlayerRecord, jumps=st.integers(0, 10**9), blocks_share=st.floats(0, 1)))
def test_records_are_read_as_they_were_written(record: PlayerRecord) -> None:
    assert PlayerRecord.parse(record.to_json()) == record
    assert PlayerRecord.from_dict(record.to_dict()) == record


@pytest.mark.parametrize(
    "values",
    [
        {"jumps": -1},
        {"jumps": 1.5},
        {"jumps": True},
        {"jumps": "3"},
        {"jumps": 10**10},
        {"blocks_share": 1.5},
        {"blocks_share": float("nan")},
        {"jumpz": 1},
        {"jumps": 1, "jumpsNumber": 1},
        [1],
        None,
    ],
)
def test_what_is_no_record_is_refused(values: Any) -> None:
    with pytest.raises(OptionError) as caught:
        PlayerRecord.from_dict(values)
    assert "\n" not in str(caught.value)


@given(st.lists(st.integers(0, 31), max_size=120))
@settings(max_examples=40)
def test_counts_hold_together(actions: list[int]) -> None:
    """Whatever is pressed: modes add up to the time, shares are shares, one death at most."""
    text = rows("----Q-S?-", "-", "-", "-", "--M--o---g-k", "XXXXXXXXXXXXXXX--")
    scenario = make_scenario(text)
    recording = Recording(scenario, (cut(scenario, bytes(actions)),))
    record = PlayerRecord.of(recording)
    assert record.time_small <= record.total_time <= record.time_small + record.time_large + 1
    assert record.deaths <= record.lives == 1
    assert record.kills <= record.enemies_total
    assert record.coins_collected <= record.coins_total
    assert record.total_time == record.completion_time == -(-recording.ticks // 15)


def test_forged_recordings_are_refused() -> None:
    good = record_play(rows("--M-----F", "XX"), "-20 R90")
    values = good.to_dict()
    assert Recording.from_dict(values) == good
    life = values["lives"][0]
    for change, words in (
        ({"lives": [life + "00"]}, "life 0 is over after"),
        ({"lives": [life, life]}, "was not lost, yet another follows"),
        ({"lives": []}, "0 lives"),
        ({"lives": ["zz"]}, "no recording"),
        ({"lives": ["ff"]}, "holds a button"),
        ({"lives": [3]}, "no recording"),
        ({"lives": None}, "no recording"),
        ({"more": 1}, "no field 'more'"),
        ({"scenario": {}}, "not a platformer scenario"),
    ):
        with pytest.raises(OptionError, match=words):
            Recording.from_dict({**values, **change})
