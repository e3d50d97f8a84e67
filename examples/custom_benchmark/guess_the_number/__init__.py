"""A game, a benchmark and two agents of their own: guess a number from 1 to 1000.

pip install ./examples/custom_benchmark
ludus race guess/thousand bisect upwards
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ludus.benchmarks import Benchmark, Column, Score
from ludus.errors import ActionError, OptionError

__all__ = ["THOUSAND", "Bisect", "GuessGame", "Guessing", "Upwards"]

HIGHEST = 1000
MOST_GUESSES = 50
Facts = Mapping[str, int | float | str | None]


class Guessing(NamedTuple):
    """A scenario: the seed from which the number comes."""

    name: str
    seed: int


class Hint(NamedTuple):
    """What a player sees: its last guess, and whether the number is higher (1) or lower (-1)."""

    guess: int
    direction: int


class GuessMatch:
    """One number to be found."""

    def __init__(self, scenario: Guessing) -> None:
        self._number = random.Random(scenario.seed).randint(1, HIGHEST)  # noqa: S311
        self._guesses: list[int] = []

    @property
    def over(self) -> bool:
        """Whether the number was found or the guesses are used up."""
        return self._solved or len(self._guesses) >= MOST_GUESSES

    @property
    def observation(self) -> Hint:
        """The last guess and its hint; 0 and 0 before the first."""
        last = self._guesses[-1] if self._guesses else 0
        return Hint(last, (self._number > last) - (self._number < last) if last else 0)

    def step(self, action: Any) -> None:
        """Take a guess.

        Raises:
            ActionError: It is no number from 1 to 1000; nothing was played.
        """
        if not isinstance(action, int) or not 1 <= action <= HIGHEST:
            raise ActionError(f"{action!r} is no guess: give a whole number from 1 to {HIGHEST}")
        self._guesses.append(action)

    def record(self) -> bytes:
        """Return the guesses, two bytes each."""
        return b"".join(guess.to_bytes(2, "big") for guess in self._guesses)

    def facts(self) -> Facts:
        """Return how many guesses it took, and whether the number was found."""
        return {"guesses": len(self._guesses), "solved": int(self._solved)}

    @property
    def _solved(self) -> bool:
        return bool(self._guesses) and self._guesses[-1] == self._number


class GuessGame:
    """The game: it parses scenarios, begins matches and replays records."""

    name = "guess"
    agent_family = "guess"

    @property
    def provenance(self) -> Mapping[str, str]:
        """How the engine came about."""
        return {"engine": "guess_the_number 1.0"}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rule set: a change of behaviour is a new version."""
        return "guess@1"

    def parse_scenario(self, description: Mapping[str, Any]) -> Guessing:
        """Return the scenario of a description.

        Raises:
            OptionError: The description is not one of this game's.
        """
        try:
            return Guessing(str(description["name"]), int(description["seed"]))
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"no scenario of guess: {description!r} ({error})") from None

    def begin(self, scenario: Guessing) -> GuessMatch:
        """Return a new match."""
        return GuessMatch(scenario)

    def replay(self, scenario: Guessing, record: bytes) -> Facts:
        """Play a record again and return what happened."""
        match = GuessMatch(scenario)
        for at in range(0, len(record), 2):
            match.step(int.from_bytes(record[at : at + 2], "big"))
        return match.facts()


class Bisect:
    """Halves what is left."""

    name = "bisect"

    def reset(self, scenario: Guessing) -> None:
        """Begin with all numbers."""
        self.low, self.high = 1, HIGHEST

    def act(self, hint: Hint) -> int:
        """Return the middle of what is left."""
        if hint.direction > 0:
            self.low = hint.guess + 1
        elif hint.direction < 0:
            self.high = hint.guess - 1
        return (self.low + self.high) // 2


class Upwards:
    """Counts from 1, 20 at a time."""

    name = "upwards"

    def reset(self, scenario: Guessing) -> None:
        """Forget nothing."""

    def act(self, hint: Hint) -> int:
        """Return the next number, or a step back."""
        return max(1, min(HIGHEST, hint.guess + (20 if hint.direction >= 0 else -1)))


def score(facts: Facts) -> Score:
    """Return 51 less the guesses, 0 if the number was not found.

    Example:
        >>> score({"guesses": 9, "solved": 1}).total
        42
    """
    points = (MOST_GUESSES + 1 - int(facts["guesses"] or 0)) * int(facts["solved"] or 0)
    return Score(points, {"points": points})


def scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    """Return the scenarios of a seed: each has a seed of its own."""
    return [{"name": f"number {k}", "seed": 1000 * seed + k} for k in range(episodes)]


THOUSAND = Benchmark(
    id="guess/thousand",
    version=1,
    title="How few guesses does it take to find a number from 1 to 1000?",
    game="guess",
    scenarios=scenarios,
    episodes=20,
    score=score,
    formula="points = 51 − guesses, 0 if the number is not found",
    bounds=(0, MOST_GUESSES),
    columns=(Column("guesses", lambda facts: int(facts["guesses"] or 0)),),
)
