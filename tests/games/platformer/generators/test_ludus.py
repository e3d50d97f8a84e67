"""The generator ``ludus``: legal levels for all options, and every knob does what it says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from itertools import groupby
from statistics import mean, pstdev
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludus.agents import load as load_agent
from ludus.errors import OptionError
from ludus.games.platformer import Level, World
from ludus.games.platformer.codes import Kind
from ludus.games.platformer.generators import generate, generate_from, load
from ludus.games.platformer.generators.reach import find_reach
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

SEEDS = range(40)
FIELDS = load("ludus").options.model_fields
TERRAIN, ELEMENTS = "X#%|tTBb", "lhijHIJnpzNPZ()_=.v:"
WALKERS = "gkryGKRY"
LEGAL = set("-MFo?!SCUL12" + TERRAIN + ELEMENTS + WALKERS)

PLAIN: dict[str, Any] = dict.fromkeys(
    (
        *("gaps", "stairs", "tubes", "cannons", "hills", "platforms", "dead_ends"),
        *("blocks", "hidden_blocks", "coins", "creatures"),
    ),
    0,
)
"""Nothing but ground."""


def ludus(seed: int, **options: Any) -> Level:
    return generate("ludus", seed=seed, **options)


# ---- any options --------------------------------------------------------------------------------

PERCENT = st.integers(0, 100)
COUNT = st.none() | st.integers(0, 30)
ANY: dict[str, st.SearchStrategy[Any]] = {
    **{name: PERCENT for name, field in FIELDS.items() if field.annotation is int},
    "seed": st.integers(0, 2**64 - 1),
    "difficulty": st.integers(0, 20),
    "type": st.sampled_from(["overground", "underground", "castle"]),
    "length": st.integers(50, 400) | st.integers(50, 4096),
    "height": st.integers(16, 64),
    "time_limit": st.integers(0, 1000),
    "start_column": st.integers(0, 14),
    "exit_column": st.none() | st.integers(40, 49),
    "exit_row": st.none() | st.integers(2, 14),
    "ceiling": st.none() | st.booleans(),
    "flat": st.booleans(),
    "gap_width": st.integers(2, 32),
    "dead_end_depth": st.integers(10, 64),
    "power_ups": st.integers(0, 25),
    "coin_blocks": st.integers(0, 30),
    "one_ups": st.integers(0, 25),
    **dict.fromkeys(("goomba_count", "green_koopa_count", "red_koopa_count", "spiky_count"), COUNT),
    "gravity": st.floats(0.1, 4),
    "creature_gravity": st.floats(0, 4),
    "jump_power": st.floats(0, 30),
    "ice": st.floats(0, 0.05),
    "wind": st.floats(-0.05, 0.05),
    "impossible": st.booleans(),
}


def test_every_option_is_tried() -> None:
    assert set(ANY) == set(FIELDS)


def test_every_option_has_a_line_of_help_and_a_default() -> None:
    for name, field in FIELDS.items():
        assert field.description, name
        assert not field.is_required(), name


def solid(level: Level, column: int, row: int) -> bool:
    return level.text.split("\n")[row][column] in "X#"


TIGHT = {"impossible": True, "exit_row": 14, "start_column": 7, "length": 50}
STEEP = {"impossible": True, "exit_row": 2, "start_column": 7, "exit_column": 40, "seed": 1}


@settings(max_examples=300, deadline=None)
@example(TIGHT)
@example(STEEP)
@given(st.fixed_dictionaries({}, optional=ANY))
def test_any_options_make_a_sane_level(options: dict[str, Any]) -> None:
    level = generate("ludus", **options)
    rows = level.text.split("\n")
    length, height = options.get("length", 200), options.get("height", 16)
    assert [len(row) for row in rows] == [length] * height
    assert set(level.text) - {"\n"} <= LEGAL
    assert level.text.count("M") == level.text.count("F") == 1
    start, exit_column = options.get("start_column", 3), options.get("exit_column")
    assert level.start[0] == start
    assert level.exit[0] == (length - 9 if exit_column is None else exit_column)
    assert options.get("exit_row") in (None, level.exit[1])
    floor = level.start[1] + 1
    run_in = range(start + 10)
    assert all(solid(level, column, floor) for column in run_in)
    assert all(rows[floor - 1][column] in "-M" for column in run_in)
    assert all(column >= start + 10 for column, _, _ in level.templates)
    run_out = columns(level)[level.exit[0] - 5 : level.exit[0] + 1]
    assert len({len(column.rstrip("X")) for column in run_out}) == 1
    assert level.recipe is not None
    assert generate_from(level.recipe) == level


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries({}, optional=ANY))
def test_nobody_is_lost_at_the_start(options: dict[str, Any]) -> None:
    world = World(generate("ludus", **options), time_limit=0)
    for _ in range(25):
        world.step(0)
    assert world.status == 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"type": "moon"}, "'overground' or 'underground' or 'castle'"),
        ({"start_column": 166}, "0 to 165"),
        ({"exit_column": 20}, "29 to 199"),
        ({"exit_row": 15}, "2 to 14"),
        ({"power_ups": 90}, "at most 100"),
        ({"ice": 0.08, "wind": 0.05}, "at most 0.1"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match=re.escape(complaint)):
        generate("ludus", **options)


# ---- every knob ---------------------------------------------------------------------------------


def count(characters: str) -> Callable[[Level], float]:
    return lambda level: sum(level.text.count(c) for c in characters)


def columns(level: Level) -> list[str]:
    return ["".join(column) for column in zip(*level.text.split("\n"), strict=True)]


def gaps(level: Level) -> list[int]:
    pits = ["X" not in column[-1] and "t" not in column[-1] for column in columns(level)]
    return [len(list(run)) for pit, run in groupby(pits) if pit]


def widest(level: Level) -> int:
    return max(gaps(level), default=0)


def ground(level: Level) -> list[int]:
    """The first row of the ground in every column that has any."""
    return [len(c.rstrip("X")) for c in columns(level) if c.endswith("X")]


def share(some: str, others: str) -> Callable[[Level], float]:
    return lambda level: count(some)(level) / max(1, count(some + others)(level))


class Fork:
    """A slab with a way above and a way below it, and the wall at its end."""

    def __init__(self, grid: list[str], first: int, last: int) -> None:
        column = grid[first]
        below = len(column.rstrip("X"))
        self.top = len(column[:below].rstrip("-").rstrip("X"))
        self.slab_end = len(column[:below].rstrip("-"))
        self.corridor = below - self.slab_end
        self.fork, self.wall = first, last + 1
        wall = grid[self.wall]
        self.lower_blocked = "-" not in wall[self.slab_end : below]
        self.wall_rows = len(wall[: self.top]) - len(wall[: self.top].rstrip("X"))
        self.upper_blocked = self.wall_rows > 0


def forks(level: Level) -> list[Fork]:
    """The forks of a level with nothing but ground and forks in it."""
    grid = [c.replace("%", "-").replace("l", "-") for c in columns(level)]
    marks = [bool(re.fullmatch(r"-{5,}X{1,2}-{3,}X+", column)) for column in grid]
    runs, x = [], 0
    for marked, run in groupby(marks):
        n = len(list(run))
        if marked:
            runs.append((x, x + n - 1))
        x += n
    return [Fork(grid, first, last) for first, last in runs]


def forked(seed: int, **options: Any) -> list[Fork]:
    level = ludus(seed, **{**PLAIN, "dead_ends": 100, "difficulty": 0, **options})
    return forks(level)


GAPS = {**PLAIN, "gaps": 100}
KNOBS: dict[str, tuple[dict[str, Any], dict[str, Any], Callable[[Level], float]]] = {
    "difficulty": ({"difficulty": 0}, {"difficulty": 20}, count(WALKERS + "BT")),
    "relief": ({"relief": 10}, {"relief": 100}, lambda level: pstdev(ground(level))),
    "gaps": (
        {"gaps": 5, "platforms": 0},
        {"gaps": 60, "platforms": 0},
        lambda level: sum(gaps(level)),
    ),
    "gap_width": ({**GAPS, "gap_width": 3}, {**GAPS, "gap_width": 12}, widest),
    "stairs": ({"stairs": 5}, {"stairs": 80}, count("#")),
    "tubes": ({"tubes": 5}, {"tubes": 80}, count("tT")),
    "piranhas": ({"piranhas": 10}, {"piranhas": 90}, count("T")),
    "cannons": ({"cannons": 5}, {"cannons": 90}, count("B")),
    "hills": ({"hills": 5}, {"hills": 80}, count("|")),
    "platforms": ({"platforms": 5}, {"platforms": 80}, lambda level: sum(gaps(level))),
    "dead_ends": (
        {**PLAIN, "dead_ends": 5},
        {**PLAIN, "dead_ends": 100},
        lambda level: len(forks(level)),
    ),
    "dead_end_depth": (
        {**PLAIN, "dead_ends": 100, "dead_end_depth": 10},
        {**PLAIN, "dead_ends": 100, "dead_end_depth": 30},
        lambda level: max((fork.wall - fork.fork for fork in forks(level)), default=0),
    ),
    "blocks": ({"blocks": 10}, {"blocks": 100}, count("?!SCUL")),
    "power_ups": ({"power_ups": 2}, {"power_ups": 40}, count("?U")),
    "coin_blocks": ({"coin_blocks": 5}, {"coin_blocks": 80}, count("!C")),
    "one_ups": ({"one_ups": 0}, {"one_ups": 30}, count("L")),
    "hidden_blocks": ({"hidden_blocks": 2}, {"hidden_blocks": 80}, count("12")),
    "coins": ({"coins": 10}, {"coins": 90}, count("o")),
    "creatures": ({"creatures": 10}, {"creatures": 90}, count(WALKERS)),
    "goombas": ({"goombas": 1}, {"goombas": 90}, share("gG", "krykKRY")),
    "green_koopas": ({"green_koopas": 1}, {"green_koopas": 90}, share("kK", "gryGRY")),
    "red_koopas": ({"red_koopas": 1}, {"red_koopas": 90}, share("rR", "gkyGKY")),
    "spikies": ({"spikies": 1}, {"spikies": 90}, share("yY", "gkrGKR")),
    "winged": ({"winged": 5}, {"winged": 80}, share("GKRY", "gkry")),
    "gravity": ({**GAPS, "gravity": 2.0}, {**GAPS, "gravity": 1.0}, widest),
    "jump_power": ({**GAPS, "jump_power": 3}, {**GAPS, "jump_power": 7}, widest),
    "ice": (
        {**GAPS, "difficulty": 20, "gap_width": 32},
        {**GAPS, "difficulty": 20, "gap_width": 32, "ice": 0.08},
        widest,
    ),
    "wind": (
        {**GAPS, "difficulty": 20, "wind": -0.1},
        {**GAPS, "difficulty": 20, "wind": 0.1},
        widest,
    ),
    "ladders": ({"ladders": 2}, {"ladders": 80}, count("l")),
    "moving_platforms": (
        {"moving_platforms": 2},
        {"moving_platforms": 80},
        lambda level: len(level.platforms),
    ),
    "switches": ({"switches": 2}, {"switches": 80}, count("npz")),
    "keys": ({"keys": 2}, {"keys": 80}, count("hij")),
    "puzzles": ({"puzzles": 0}, {"puzzles": 80}, count("hijnpz")),
}
"""Knob → options with less and with more of it, and what there is to be more of."""

DIRECT = {
    *("seed", "type", "length", "height", "time_limit", "start_column", "exit_column", "exit_row"),
    *("ceiling", "flat", "impossible", "creature_gravity"),
    *("goomba_count", "green_koopa_count", "red_koopa_count", "spiky_count"),
}
"""Knobs whose effect is sure, and tested below."""


def test_the_effect_of_every_knob_is_tested() -> None:
    assert {*KNOBS, *DIRECT} == set(FIELDS)


@pytest.mark.parametrize("knob", KNOBS)
def test_more_of_a_knob_gives_more_of_what_it_stands_for(knob: str) -> None:
    less, more, measure = KNOBS[knob]
    few = [measure(ludus(seed, **{"difficulty": 5, **less})) for seed in SEEDS]
    many = [measure(ludus(seed, **{"difficulty": 5, **more})) for seed in SEEDS]
    assert mean(many) > 1.25 * mean(few)


@pytest.mark.parametrize(
    ("knob", "characters"),
    {
        "gaps": "",
        "stairs": "#",
        "tubes": "tT",
        "cannons": "Bb",
        "hills": "|",
        "blocks": "?!SCUL",
        "hidden_blocks": "12",
        "coins": "o",
        "creatures": WALKERS,
    }.items(),
)
def test_at_0_there_is_none(knob: str, characters: str) -> None:
    others = {"gaps": 0, "stairs": 0, "platforms": 0, "dead_ends": 0, "cannons": 0}
    for seed in SEEDS:
        level = ludus(seed, difficulty=8, exit_column=199, **{**others, knob: 0})
        assert count(characters)(level) == 0
        assert gaps(level) == [] or knob != "gaps"


def test_seeds_make_different_levels() -> None:
    assert len({ludus(seed).text for seed in SEEDS}) == len(SEEDS)


def test_harder_levels_have_wider_gaps_and_more_creatures() -> None:
    jumps = [max(widest(ludus(s, **GAPS, difficulty=d)) for s in SEEDS) for d in (0, 5, 10, 20)]
    assert jumps == [3, 5, 7, 9]
    crowds = [mean(count(WALKERS)(ludus(s, difficulty=d)) for s in SEEDS) for d in (0, 5, 10, 20)]
    assert crowds == sorted(crowds)


def test_the_type_is_a_label_and_brings_a_ceiling() -> None:
    for kind, has_ceiling in (("overground", False), ("underground", True), ("castle", True)):
        level = ludus(3, type=kind)
        assert kind in level.labels
        top = level.text.split("\n")[0]
        assert (set(top) == {"X"}) == has_ceiling


@pytest.mark.parametrize("ceiling", [False, True])
def test_a_ceiling_can_be_asked_for_or_left_out(ceiling: bool) -> None:
    for kind in ("overground", "castle"):
        top = ludus(3, type=kind, ceiling=ceiling).text.split("\n")[0]
        assert (set(top) == {"X"}) == ceiling


def test_length_height_time_limit_and_ends_are_as_asked() -> None:
    ends = {"start_column": 9, "exit_column": 300, "exit_row": 5}
    level = ludus(1, length=321, height=20, time_limit=77, **ends)
    assert (level.width, level.height, level.time_limit) == (321, 20, 77)
    assert (level.start[0], level.exit) == (9, (300, 5))
    assert solid(level, 300, 6)


def test_flat_ground_is_even_and_still_furnished() -> None:
    for seed in SEEDS:
        level = ludus(seed, flat=True, difficulty=10, puzzles=50, exit_column=199)
        assert gaps(level) == []
        assert len(set(ground(level))) == 1
        assert count("#%tTBb" + ELEMENTS)(level) == 0
    assert count("o")(level) > 0
    assert count(WALKERS)(level) > 0


def test_physics_travels_with_the_level() -> None:
    assert ludus(0).physics is None
    level = ludus(0, gravity=0.5, creature_gravity=2, jump_power=9, ice=0.02, wind=-0.03)
    assert level.physics == Physics(
        gravity=0.5, creature_gravity=2, jump_power=9, ice=0.02, wind=-0.03
    )
    assert World(level).physics == level.physics


def test_creatures_can_be_counted() -> None:
    counts = {"goomba_count": 7, "green_koopa_count": 0, "red_koopa_count": 4, "spiky_count": 2}
    for seed in SEEDS:
        level = ludus(seed, creatures=0, **counts)
        assert [count(kind)(level) for kind in ("gG", "kK", "rR", "yY")] == [7, 0, 4, 2]


def test_a_kind_that_has_no_weight_does_not_come() -> None:
    for seed in SEEDS:
        level = ludus(seed, difficulty=10, goombas=0, red_koopas=0, spikies=0, piranhas=0)
        assert {kind for _, _, kind in level.templates} <= {
            Kind.GREEN_KOOPA,
            Kind.GREEN_KOOPA_WINGED,
        }


def test_items_and_creatures_leave_the_terrain_as_it_is() -> None:
    others = {"blocks": 0, "coins": 90, "hidden_blocks": 60, "creatures": 100, "winged": 50}
    pattern = re.compile(r"[^X#%|tB\n]")
    for seed in SEEDS:
        plain, other = (
            pattern.sub("-", ludus(seed, piranhas=0, difficulty=6, **o).text) for o in ({}, others)
        )
        assert plain == other


# ---- dead ends ----------------------------------------------------------------------------------

HALF_A_SCREEN = 8


@pytest.mark.parametrize("depth", [10, 16, 40])
def test_a_dead_end_is_a_fork_whose_blocked_end_is_out_of_sight(depth: int) -> None:
    found = [fork for seed in SEEDS for fork in forked(seed, dead_end_depth=depth)]
    assert len(found) > len(SEEDS)
    for fork in found:
        assert HALF_A_SCREEN < fork.wall - fork.fork <= depth
        assert fork.corridor >= 3
        assert fork.top >= 5
        assert fork.upper_blocked != fork.lower_blocked
        assert not fork.upper_blocked or fork.wall_rows >= find_reach(Physics(), 16).up + 3
    assert 0.2 < mean(fork.upper_blocked for fork in found) < 0.8


def test_whoever_runs_into_a_dead_end_stays_there_until_he_comes_back() -> None:
    stopped = 0
    for seed in range(12):
        level = ludus(seed, **{**PLAIN, "dead_ends": 100, "difficulty": 0, "relief": 0})
        first = forks(level)[0]
        if first.upper_blocked:
            continue
        world = World(level)
        for _ in range(600):
            world.step(2 | 8)
        assert world.status == 0
        assert first.fork < world.mario.x / 16 < first.wall
        stopped += 1
    assert stopped >= 3


# ---- on purpose ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{}, {"cannons": 0}, {"gravity": 0.2}, {"keys": 50, "type": "castle"}, {"length": 50}],
)
def test_an_impossible_level_has_something_nobody_passes(options: dict[str, Any]) -> None:
    reach = find_reach(Physics(gravity=options.get("gravity", 1)), 16)
    for seed in SEEDS:
        level = ludus(seed, impossible=True, **options)
        assert "impossible" in level.labels
        walls = [x for x, column in enumerate(columns(level)) if not set(column) - set("XHIJ")]
        ceiling = [column.startswith("XXXX") for column in columns(level)]
        assert widest(level) > 3 * reach.far or all(ceiling[: min(walls)])
    assert "impossible" not in ludus(0).labels


def test_all_kinds_of_impossible_levels_come() -> None:
    levels = [ludus(seed, impossible=True, keys=100, ceiling=True) for seed in SEEDS]
    far = find_reach(Physics(), 16).far
    assert 5 < sum(widest(level) > 3 * far for level in levels) < len(levels) - 5
    walls = [{c for c in columns(level) if not set(c) - set("XHIJ")} for level in levels]
    assert any("X" * 16 in wall for wall in walls)
    keyless = [
        level
        for level in levels
        if any(lock in level.text and key not in level.text for key, lock in ("hH", "iI", "jJ"))
    ]
    assert keyless


# ---- elements -----------------------------------------------------------------------------------


def test_only_levels_with_elements_have_the_rules_of_ludus() -> None:
    for seed in SEEDS:
        for options in ({}, {"keys": 30}, {"ladders": 10}, {"moving_platforms": 20}):
            level = ludus(seed, **options)
            has_some = any(c in level.text for c in ELEMENTS)
            assert (level.rules == "ludus") == has_some
            assert options or not has_some


def test_every_lock_has_a_key_and_every_door_a_switch() -> None:
    asked = {"switches": 40, "keys": 40, "puzzles": 40, "difficulty": 10, "length": 400}
    for seed in SEEDS:
        level = ludus(seed, **asked)
        for switch, doors in (("n", "N("), ("p", "P)"), ("z", "Z_")):
            assert switch in level.text or count(doors)(level) == 0
        for key, lock in ("hH", "iI", "jJ"):
            walls = [lock in column for column in columns(level)]
            assert sum(locked for locked, _ in groupby(walls)) == count(key)(level)


def test_puzzles_are_chains_of_at_least_two() -> None:
    levels = [ludus(seed, **{**PLAIN, "puzzles": 100, "length": 130}) for seed in SEEDS]
    for level in levels:
        assert count("hijnpz")(level) >= 2
    assert any(count("hij")(level) and count("npz")(level) for level in levels)


# ---- playing ------------------------------------------------------------------------------------


def play(level: Level, name: str) -> int:
    agent, world = load_agent(name), World(level, time_limit=60)
    agent.reset(Scenario("level", level, 0, 60))
    view = View(world)
    while world.status == 0:
        world.step(agent.act(view))
    return world.status


@pytest.mark.parametrize("difficulty", range(6))
def test_the_planner_finishes_default_levels(difficulty: int) -> None:
    assert [play(ludus(s, difficulty=difficulty), "astar") for s in range(500, 503)] == [1, 1, 1]


def outcomes(options: dict[str, Any]) -> set[str]:
    levels = [ludus(seed, **{"difficulty": seed % 6, **options}) for seed in range(24)]
    return {solve(level).outcome for level in levels}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"difficulty": 20},
        {"type": "castle"},
        {"height": 40, "relief": 100},
        {"dead_ends": 80},
        {"gravity": 0.5},
        {"gravity": 2.0, "creatures": 0, "cannons": 0},
        {"exit_row": 3},
        {"ladders": 60},
        {**PLAIN, "puzzles": 100, "length": 110},
    ],
)
def test_levels_can_be_finished(options: dict[str, Any]) -> None:
    assert outcomes(options) == {"solved"}


def test_impossible_levels_cannot() -> None:
    assert outcomes({"impossible": True}) == {"impossible"}


# ---- for ever -----------------------------------------------------------------------------------

DIGESTS: list[tuple[dict[str, Any], str]] = [
    ({}, "dff732776a07631e"),
    ({"seed": 1}, "13a5a20534f0cfa9"),
    ({"seed": 18446744073709551615, "difficulty": 0}, "d71b9aaee6858307"),
    ({"seed": 3, "difficulty": 5, "length": 120}, "cd25be816f7f3104"),
    ({"seed": 4, "difficulty": 20}, "201e754b06711eac"),
    ({"seed": 5, "type": "underground", "difficulty": 8}, "56e2cec75c1e7b7b"),
    (
        {"seed": 6, "type": "castle", "difficulty": 12, "height": 40, "relief": 100},
        "30391d99d6c11cff",
    ),
    ({"seed": 7, "dead_ends": 100, "dead_end_depth": 30}, "0421c1bf9220863e"),
    (
        {
            "seed": 8,
            "ladders": 40,
            "moving_platforms": 40,
            "switches": 40,
            "keys": 40,
            "puzzles": 40,
            "length": 600,
        },
        "3f3770361ada9d18",
    ),
    ({"seed": 9, "impossible": True}, "f77e7c9aa95c71b4"),
    ({"seed": 10, "gravity": 2.0, "wind": -0.05}, "606e14c3d163597f"),
    (
        {
            "seed": 11,
            "creatures": 0,
            "goomba_count": 9,
            "winged": 50,
            "exit_row": 4,
            "start_column": 8,
            "exit_column": 150,
        },
        "c4762972d8b0efda",
    ),
    ({"seed": 12, "flat": True, "hidden_blocks": 60}, "ec03d4814cec0aa1"),
]


@pytest.mark.parametrize(("options", "digest"), DIGESTS)
def test_version_1_makes_these_levels_for_ever(options: dict[str, Any], digest: str) -> None:
    level = generate("ludus", **options)
    assert level.recipe is not None
    assert level.recipe.version == 1
    assert hashlib.sha256(level.text.encode()).hexdigest()[:16] == digest
