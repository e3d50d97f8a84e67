"""Nothing that an agent is handed leads to the chance of the world it plays in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.benchmarks import Benchmark, benchmarks, find_benchmark
from ludus.contract import Closes
from ludus.errors import OptionError
from ludus.execution.match_play import play_match
from ludus.execution.stage import open_game
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.scenario import Scenario as DiplomacyScenario
from ludus.games.game import Match, RoundBased, find_game, scenario_for_agent
from ludus.games.guest import guest_scenario
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.scenario import Scenario
from ludus.games.sticky_actions import ActionHolder, StickyActions

STEPS = 3
SEED = 987_654_321
DEPTH = 5
PLAIN = (int, float, str, bytes, type(None))


class Listener:
    """An agent that keeps whatever it is handed."""

    name = "listener"

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def reset(self, scenario: Any) -> None:
        self.heard.append(scenario)

    def act(self, observation: Any) -> Any:
        self.heard.append(observation)
        return [] if hasattr(observation, "orderable") else 0


def read_attributes(thing: Any) -> Iterator[Any]:
    """Yield what an object shows: attributes, private ones too, and what it holds."""
    if isinstance(thing, Mapping):
        yield from thing.keys()
        yield from thing.values()
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from thing
    for name in dir(thing):
        if not name.startswith("__"):
            try:
                value = getattr(thing, name)
            except Exception:  # an attribute that is not there shows nothing
                continue
            if not callable(value):
                yield value


def read_values(thing: Any, depth: int = DEPTH, seen: set[int] | None = None) -> Iterator[Any]:
    """Yield every plain value that can be reached from an object."""
    seen = set() if seen is None else seen
    if isinstance(thing, PLAIN):
        yield thing
        return
    if isinstance(thing, np.ndarray | np.generic):
        yield from np.asarray(thing).ravel().tolist()
        return
    if depth == 0 or id(thing) in seen or callable(thing):
        return
    seen.add(id(thing))
    for value in read_attributes(thing):
        yield from read_values(value, depth - 1, seen)


def listen(scenario: Any, match: Match) -> list[Any]:
    """Return what an agent is handed in the first steps of a match."""
    listener = Listener()
    play_match(listener, scenario, match, STEPS)
    return listener.heard


def find_secrets(description: Mapping[str, Any], scenario: Any) -> set[int]:
    """Return the seeds that the world draws from: the scenario's, and those of a training."""
    secrets = {int(description["seed"])}
    if hasattr(scenario, "dish"):
        secrets |= {scenario.dish(number).seed for number in range(3)}
    return secrets


def assert_hidden(heard: list[Any], secrets: set[int]) -> None:
    for value in (value for thing in heard for value in read_values(thing)):
        if isinstance(value, str):
            assert not any(str(secret) in value for secret in secrets), value
        elif isinstance(value, int | float):
            assert value not in secrets


@pytest.mark.parametrize("benchmark", benchmarks().values(), ids=lambda ruled: ruled.id)
def test_no_benchmark_hands_an_agent_the_seed_of_the_world(benchmark: Benchmark) -> None:
    game = open_game(benchmark.game)
    description = benchmark.make_scenarios(SEED, 1)[0]
    if benchmark.id == "platformer/bundled":  # the world has no chance: the run's own seed
        description = {**description, "seed": SEED}
    scenario = game.parse_scenario(description)
    heard = listen(scenario, game.begin(scenario))
    assert len(heard) > 1
    assert_hidden(heard, find_secrets(description, scenario))


@pytest.mark.parametrize("benchmark", ["mario-arena/1-1", "mario-arena/full-game"])
def test_an_agent_cannot_tell_when_actions_stick(benchmark: str) -> None:
    description = find_benchmark(benchmark).make_scenarios(0, 1)[0]
    scenario = find_game("arena").parse_scenario(description)
    (known, *_) = listen(scenario, find_game("arena").begin(scenario))
    assert predict(known.terms, known.seed) != predict(scenario.terms, scenario.seed)
    numbers = {value for value in read_values(known) if type(value) is int}
    real = predict(scenario.terms, scenario.seed)
    assert all(predict(known.terms, number) != real for number in numbers)


def predict(terms: StickyActions, seed: int) -> list[int]:
    """Return what a holder of actions will do first."""
    holder = ActionHolder(terms, seed)
    first = [holder.draw_no_ops()]
    return first + [pressed for action in range(1, 50) for pressed in holder.hold(action)]


def test_a_guest_gets_the_worlds_seed_and_the_agent_does_not() -> None:
    env = f"{Path(__file__).parents[1] / 'games/guest/corridors.py'}:Modern"
    scenario = guest_scenario("1", env, SEED, StickyActions(), stages=("1-1",))
    match = open_game("guest").begin(scenario)
    heard = listen(scenario, match)
    assert isinstance(match, Closes)
    match.close()
    assert_hidden(heard, {SEED})


def test_every_dish_of_a_training_is_announced_without_its_seed() -> None:
    game = find_game("worm-training")
    scenario = game.parse_scenario(
        {"name": "1", "task": "foraging-small", "seed": SEED, "episodes": 3}
    )
    match, heard = game.begin(scenario), []
    assert isinstance(match, RoundBased)

    class Player(Listener):
        def reset(self, scenario: Any) -> None:
            heard.append(scenario)

        def act(self, observation: Any) -> int:
            return 0

    play_match(Player(), scenario, match)
    assert len(heard) == 4  # the training, then its dishes
    assert len({known.seed for known in heard[1:]}) == 3
    assert_hidden(heard, {SEED, SEED + 1, SEED + 2})


def test_a_generated_level_does_not_tell_its_seed() -> None:
    scenario = Scenario("1", generate("ludus", seed=SEED), seed=SEED)
    heard = listen(scenario, find_game("platformer").begin(scenario))
    assert heard[0].level == scenario.level
    assert heard[0].level.recipe is None
    assert_hidden(heard, {SEED})


def test_no_seat_of_diplomacy_knows_what_another_draws() -> None:
    heard: dict[str, list[Any]] = {}

    class Opponent(Listener):
        def reset(self, scenario: Any) -> None:
            heard.setdefault(scenario.power, []).append(scenario)

    scenario = DiplomacyScenario(seed=SEED)
    match = DiplomacyMatch(scenario, {power: Opponent() for power in scenario.seats})
    tested = listen(scenario, match)
    assert {type(thing).__name__ for thing in tested} == {"Scenario", "View"}
    assert tested[0] == tested[1].scenario == scenario_for_agent(scenario)
    seeds = [tested[0].seed, *(known.seed for (known,) in heard.values())]
    assert len(set(seeds)) == 7
    assert_hidden([*tested, *heard.values()], {SEED})


def test_scenarios_of_other_packages_are_hidden_as_well() -> None:
    class Point(tuple[int, ...]):
        seed = SEED

    class Careful:
        seed = SEED

        def for_agent(self) -> str:
            return "a scenario"

    assert scenario_for_agent({"name": "1", "seed": SEED})["seed"] != SEED
    assert scenario_for_agent({"name": "1"}) == {"name": "1"}
    assert scenario_for_agent(Careful()) == "a scenario"
    assert scenario_for_agent(None) is None
    with pytest.raises(OptionError, match="give it for_agent"):
        scenario_for_agent(Point())


def test_the_same_scenario_gives_an_agent_the_same_seed() -> None:
    level = Level.parse("M---F\nXXXXX")
    seeds = [scenario_for_agent(Scenario("1", level, seed=k)).seed for k in (1, 1, 2)]
    assert seeds[0] == seeds[1] != seeds[2]
    assert all(0 <= seed < 2**32 for seed in seeds)
