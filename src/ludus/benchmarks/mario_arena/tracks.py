"""``mario-arena/1-1`` to ``mario-arena/8-4`` and ``mario-arena/full-game``: the best of ten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import pstdev
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Number, Option, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, derive_seed, one_of, read_fact
from ludus.benchmarks.mario_arena.all_tracks import make_all_tracks
from ludus.benchmarks.mario_arena.modes import GAME_FORMULAS, MODES, find_mode
from ludus.benchmarks.mario_arena.scoring import compute_arena_score, score_bounds
from ludus.benchmarks.mario_arena.unseen import POLICY_OPTION, UNSEEN
from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.games.guest import check_spec, guest_scenario
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.levels.campaign import STAGES
from ludus.games.sticky_actions import StickyActions
from ludus.limits import Limits
from ludus.stats.bounded import Bounds

__all__ = ["BENCHMARKS", "score"]

VERSION = 1
EPISODES = 10
OWN = "ludus"

LEVEL_STICKY_ACTIONS = StickyActions(lives=1, step_cap=5_000)
GAME_STICKY_ACTIONS = StickyActions(lives=3, step_cap=100_000)
GAME_SECONDS = 3_600.0


def score(facts: Facts) -> Score:
    """Return the arena score of an episode in the mode it was played for.

    Example:
        >>> score({"world": 1, "stage": 1, "completed": 0, "max_x_pos": 1456, "steps": 892,
        ...        "coins": 7, "time_remaining": 0, "scoring": "standard"}).total
        13066.8
    """
    arena_score = compute_arena_score(facts, str(facts["scoring"]))
    return Score(arena_score.points, arena_score.breakdown)


def _bound_score(*, mode: str, full_game: bool, **_: str) -> Bounds:
    return score_bounds(mode, full_game=full_game)


def _describe_level(mode: str, **_: str) -> str:
    return f"in mode {mode}: {find_mode(mode).formula}"


def _describe_game(mode: str, **_: str) -> str:
    return f"in mode {mode}: {GAME_FORMULAS[mode]}"


def _scenario_maker(
    id_: str, stages: tuple[str, ...], terms: StickyActions
) -> Callable[..., Sequence[Mapping[str, Any]]]:
    """Return what makes the scenarios of a track."""

    def make_scenarios(
        seed: int, episodes: int, mode: str, policy: str, env: str
    ) -> Sequence[Mapping[str, Any]]:
        if env != OWN and mode == "style":
            raise OptionError("mode 'style' needs jumps, kills and variety: no guest tells them")

        def make(number: int) -> Mapping[str, Any]:
            name = f"{id_.partition('/')[2]} #{number + 1}"
            own_seed = derive_seed(f"{id_}@{VERSION}", seed, number, bits=53)
            choices: dict[str, Any] = {"policy": policy, "scoring": mode}
            if env == OWN:
                return ArenaScenario(name, stages, own_seed, terms, **choices).to_dict()
            return guest_scenario(name, env, own_seed, terms, stages=stages, **choices).to_dict()

        scenarios = ScenarioMaker(episodes, make)
        return scenarios if env == OWN else list(scenarios)  # a guest is tried before it is played

    return make_scenarios


def _check_environment(value: str) -> str:
    return value if value == OWN else check_spec(value)


OPTIONS = (
    Option("mode", "standard", f"scoring: {', '.join(MODES)}", one_of("mode", tuple(MODES))),
    POLICY_OPTION,
    Option(
        "env",
        OWN,
        "a Gymnasium environment, MODULE:ID or file.py:FUNCTION",
        _check_environment,
        names_outside="environment",
    ),
)


def _choose_game(options: Mapping[str, str]) -> str:
    return "arena" if options["env"] == OWN else "guest"


def _total(facts: Facts) -> Number:
    return score(facts).total


TIES = (
    TieBreaker("success", read_fact("completed")),
    TieBreaker("mean", _total),
    TieBreaker("steps", read_fact("steps"), "less"),
)


def _level_track(stage: str) -> Benchmark:
    id_ = f"mario-arena/{stage}"
    return Benchmark(
        id=id_,
        version=VERSION,
        title=f"How well is a level of the campaign played, the best of {EPISODES} times?",
        game="arena",
        choose_game=_choose_game,
        scenarios=_scenario_maker(id_, (stage,), LEVEL_STICKY_ACTIONS),
        episodes=EPISODES,
        score=score,
        formula=_describe_level("standard"),
        choose_formula=_describe_level,
        bounds=partial(_bound_score, full_game=False),
        statistic="best",
        aggregate_name=f"best of {EPISODES}",
        tie_breakers=TIES,
        columns=(
            Column("max x", read_fact("max_x_pos"), 0),
            Column("std", _total, 0, pstdev),
            Column("coins", read_fact("coins")),
        ),
        options=OPTIONS,
    )


FULL_GAME = Benchmark(
    id="mario-arena/full-game",
    version=VERSION,
    title=f"How far through all {len(STAGES)} levels with three lives, the best of {EPISODES}?",
    game="arena",
    choose_game=_choose_game,
    scenarios=_scenario_maker("mario-arena/full-game", STAGES, GAME_STICKY_ACTIONS),
    episodes=EPISODES,
    score=score,
    formula=_describe_game("standard"),
    choose_formula=_describe_game,
    bounds=partial(_bound_score, full_game=True),
    statistic="best",
    aggregate_name=f"best of {EPISODES}",
    tie_breakers=TIES,
    columns=(
        Column("levels", read_fact("levels_completed")),
        Column("deaths", read_fact("deaths")),
        Column("warps", read_fact("warps")),
        Column("std", _total, 0, pstdev),
    ),
    options=OPTIONS,
    limits=Limits(seconds=GAME_SECONDS),
)

TRACKS = (*map(_level_track, STAGES), FULL_GAME)

BENCHMARKS = (*TRACKS, make_all_tracks(TRACKS), UNSEEN)
