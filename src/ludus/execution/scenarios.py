"""A plan's scenarios by reference: what the benchmark makes, and digests that vouch for it.

A level has two kilobytes, and a plan may have a hundred thousand of them. A plan therefore keeps
how many there are and one digest for every thousand. Scenarios are made when they are needed, a
thousand at a time, and are used only if their digest is the plan's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, overload

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.benchmarks.registry import is_installed
from ludus.errors import LudusError, OptionError, RunError, format_error
from ludus.games.game import Game
from ludus.games.rules import join_rules

__all__ = [
    "BLOCK",
    "MOST_EPISODES",
    "Description",
    "OtherScenarios",
    "ScenarioSource",
    "ScenariosByReference",
    "can_refer",
    "check_episode_count",
    "digest_block",
    "plan_scenarios",
    "read_scenarios",
    "split_blocks",
]

Description: TypeAlias = Mapping[str, Any]

BLOCK = 1_000
"""So many scenarios have a digest together, and are made together."""

MOST_EPISODES = 2**31 - 1
"""So many episodes a plan can have: the integers of every database hold them."""

MOST_ASKED = 1_000_000
"""So many episodes of an agent are planned here: a plan is made whole before anybody plays."""

BLOCKS_AT_HAND = 4
SHOWN = 12
_DIGEST = re.compile(r"[0-9a-f]{64}")


def check_episode_count(count: int) -> int:
    """Return how many episodes an agent is to play, if a run can have so many.

    Raises:
        OptionError: It cannot.
    """
    if count < 1:
        raise OptionError(f"{count} episodes are too few: give 1 or more")
    if count > MOST_ASKED:
        raise OptionError(
            f"{count:,} episodes are too many for one run: give {MOST_ASKED:,} at most, "
            "and another seed for more"
        )
    return count


class OtherScenarios(RunError):
    """This Ludus makes other scenarios than a plan has.

    Attributes:
        planned: The digest of the plan.
        made: The digest of what is made here.
    """

    def __init__(self, message: str, planned: str, made: str) -> None:
        super().__init__(message)
        self.planned = planned
        self.made = made

    def __reduce__(self) -> tuple[Any, ...]:
        return OtherScenarios, (str(self), self.planned, self.made)


class ScenarioSource(NamedTuple):
    """What a benchmark makes scenarios from.

    Attributes:
        benchmark: The benchmark's id.
        version: Its version.
        seed: The seed of the run.
        options: The options that are not at their default, by name.
    """

    benchmark: str
    version: int
    seed: int
    options: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.benchmark[:64]}@{self.version}, seed {self.seed}"

    def make(self, count: int) -> Sequence[Description]:
        """Return so many scenarios; a benchmark of Ludus makes each when it is asked for.

        Raises:
            BenchmarkError: This Ludus has another version of the benchmark, or none.
            RunError: They cannot be made here.
        """
        benchmark = find_benchmark(f"{self.benchmark}@{self.version}")
        options = dict(self.options)
        if not can_refer(benchmark, options):
            raise RunError(
                f"the plan does not hold its scenarios, and {self} makes them from files: "
                "ask for a run that holds them"
            )
        values = {
            option.name: option.check(options.pop(option.name, option.default))
            for option in benchmark.options
        }
        if options:
            raise RunError(f"{self.benchmark} has no option {min(options)[:40]!r}")
        try:
            return benchmark.scenarios(self.seed, count, **values)
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            if isinstance(error, LudusError):
                raise
            raise RunError(
                f"the scenarios of {self} cannot be made: {format_error(error)}"
            ) from error


class ScenariosByReference(Sequence[Description]):
    """Scenarios that a benchmark makes again whenever they are needed.

    Args:
        source: What they are made from.
        count: How many there are.
        digests: One for every :data:`BLOCK` of them.

    Raises:
        RunError: There are too many, or not as many digests as it takes.
    """

    def __init__(self, source: ScenarioSource, count: int, digests: Iterable[str]) -> None:
        self.source = source
        self.digests = tuple(digests)
        if type(count) is not int or not 1 <= count <= MOST_EPISODES:
            raise RunError(
                f"a plan cannot have {str(count)[:40]} scenarios: 1 to {MOST_EPISODES} are possible"
            )
        blocks = -(-count // BLOCK)
        if len(self.digests) != blocks:
            raise RunError(
                f"{count} scenarios have {blocks} digests, the plan holds {len(self.digests)}"
            )
        self._count = count

    def to_dict(self) -> dict[str, Any]:
        """Return what a plan keeps of them."""
        return {"count": self._count, "digests": list(self.digests)}

    @classmethod
    def from_dict(cls, source: ScenarioSource, values: Mapping[str, Any]) -> ScenariosByReference:
        """Return the scenarios of which a plan keeps this.

        Raises:
            RunError: It is not what :meth:`to_dict` gives.
        """
        count, digests = values.get("count"), values.get("digests")
        texts = digests if isinstance(digests, list) else []
        for text in texts:
            if not isinstance(text, str) or not _DIGEST.fullmatch(text):
                raise RunError(f"{str(text)[:40]!r} is no digest of scenarios")
        return cls(source, count, texts)  # type: ignore[arg-type]  # checked there

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Description: ...

    @overload
    def __getitem__(self, place: slice) -> list[Description]: ...

    def __getitem__(self, place: int | slice) -> Description | list[Description]:
        if isinstance(place, slice):
            return [self[number] for number in range(self._count)[place]]
        block, position = divmod(range(self._count)[place], BLOCK)
        return self._block(block)[position]

    def __iter__(self) -> Iterator[Description]:
        for number in range(len(self.digests)):
            yield from self._block(number)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ScenariosByReference):
            ours = self.source, self._count, self.digests
            return ours == (other.source, other._count, other.digests)
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((self.source, self.digests))

    def __reduce__(self) -> tuple[Any, ...]:
        return ScenariosByReference, (self.source, self._count, self.digests)

    def _block(self, number: int) -> Sequence[Description]:
        """Return a block of scenarios, having made sure that they are the plan's.

        Raises:
            OtherScenarios: This Ludus makes others.
        """
        benchmark = find_benchmark(f"{self.source.benchmark}@{self.source.version}")
        block, digest = _make_block(benchmark, self.source, self._count, number)
        if digest != self.digests[number]:
            first = number * BLOCK
            raise OtherScenarios(
                f"scenarios {first} to {first + len(block) - 1} of {self.source}, are others here "
                f"than in the plan (digest {self.digests[number][:SHOWN]}, found "
                f"{digest[:SHOWN]}): use the Ludus that made the plan",
                self.digests[number],
                digest,
            )
        return block


@lru_cache(BLOCKS_AT_HAND)
def _make_block(
    benchmark: Benchmark, source: ScenarioSource, count: int, number: int
) -> tuple[Sequence[Description], str]:
    """Return a block of scenarios and its digest; plans of the same scenarios share it."""
    first = number * BLOCK
    block = list(_make_all(benchmark, source, count)[first : first + BLOCK])
    return block, digest_block(block)


@lru_cache(1)
def _make_all(benchmark: Benchmark, source: ScenarioSource, count: int) -> Sequence[Description]:
    """Return all scenarios; a benchmark that makes them all at once is asked once."""
    return source.make(count)


def can_refer(benchmark: Benchmark, options: Mapping[str, str]) -> bool:
    """Return whether every Ludus with this benchmark can make its scenarios again.

    That takes a benchmark that other processes find too, and no option that names a file.
    """
    names_outside = {option.name for option in benchmark.options if option.names_outside}
    return is_installed(benchmark) and not names_outside & options.keys()


def split_blocks(scenarios: Sequence[Description]) -> Iterator[list[Description]]:
    """Yield scenarios in blocks, without ever holding more than one."""
    for first in range(0, len(scenarios), BLOCK):
        yield list(scenarios[first : first + BLOCK])


def digest_block(block: Sequence[Description]) -> str:
    """Return the digest of a block of scenarios."""
    text = json.dumps(block, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def plan_scenarios(
    benchmark: Benchmark, game: Game, seed: int, count: int, options: Mapping[str, str]
) -> tuple[Sequence[Description], str]:
    """Return a benchmark's scenarios, by reference if that can be, and their rules.

    Args:
        benchmark: Whose.
        game: The game that they are of.
        seed: What they are made from.
        count: How many.
        options: The options that are not at their default, checked.
    """
    scenarios = benchmark.make_scenarios(seed, count, options)
    if not can_refer(benchmark, options):
        return tuple(scenarios), game.rules(scenarios)
    digests, rules = [], set[str]()
    for block in split_blocks(scenarios):
        digests.append(digest_block(block))
        rules.update(game.rules(block).split("+"))
    source = ScenarioSource(benchmark.id, benchmark.version, seed, tuple(sorted(options.items())))
    return ScenariosByReference(source, len(scenarios), digests), join_rules(rules)


def read_scenarios(values: Mapping[str, Any]) -> Sequence[Description]:
    """Return the scenarios of a plan's values: as they are there, or by reference.

    Raises:
        RunError: The reference is not one that a plan can have.
    """
    scenarios = values["scenarios"]
    if not isinstance(scenarios, dict):
        return tuple(scenarios)
    if "season" in values:
        raise RunError("a plan of a sealed season holds its scenarios, or their names")
    version_, seed = values["version"], values["seed"]
    if type(version_) is not int or type(seed) is not int:
        raise RunError(f"no scenarios of version {str(version_)[:40]}, seed {str(seed)[:40]}")
    options = tuple(sorted((str(k), str(v)) for k, v in dict(values["options"]).items()))
    source = ScenarioSource(str(values["benchmark"]), version_, seed, options)
    return ScenariosByReference.from_dict(source, scenarios)
