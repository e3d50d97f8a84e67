"""What a benchmark is: scenarios for a seed, a scoring rule, a summary rule, columns to show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal, Protocol, TypeAlias

from ludus.agents import AgentSource, find
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.limits import Limits
from ludus.stats.bounded import Bounds

__all__ = ["Benchmark", "Column", "Number", "Option", "Score", "TieBreaker"]

FINISHED = "finished"

Number: TypeAlias = int | float
Aggregate: TypeAlias = Callable[
    [Sequence[Facts], Sequence[Number]], Number | tuple[Number, Number, Number]
]


class TrainAgain(Protocol):
    """Does an episode of a learner again, from its settings and its seed."""

    def __call__(
        self,
        spec: str,
        fingerprint: str,
        settings: str,
        *,
        seed: int,
        number: int,
        options: Mapping[str, str],
    ) -> bytes:
        """Return the record of the training.

        Args:
            spec: What is trained.
            fingerprint: The digest of what it is and how it is set.
            settings: How it is set, as JSON.
            seed: What all trainings of the run were made from.
            number: Which of them.
            options: The benchmark's options that were set.

        Raises:
            LudusError: It cannot be trained here, or the settings are not those of the fingerprint.
        """
        ...


@dataclass(frozen=True, slots=True)
class Score:
    """What an episode is worth.

    Attributes:
        total: The points.
        parts: What they are made of, by name; they add up to the total.
    """

    total: Number
    parts: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TieBreaker:
    """What decides between agents of equal headline value.

    Attributes:
        name: What tables call it.
        value: Its value for one episode, from the facts.
        better: Whether more or less of it is better.
        reduce: Makes an agent's value of those of its episodes.
        words: What tables show instead of 0, 1, 2 …
        facts: The names of the facts that its value reads, so that no others are read of a large
            run; all if empty.
    """

    name: str
    value: Callable[[Facts], Number]
    better: Literal["more", "less"] = "more"
    reduce: Callable[[Sequence[Number]], Number] = fmean
    words: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def goal(self) -> str:
        """What decides, as sentences say it, such as ``"higher success"``."""
        return f"{'higher' if self.better == 'more' else 'lower'} {self.name}"

    def aggregate(self, facts: Sequence[Facts]) -> float:
        """Return an agent's value, from the facts of its episodes."""
        return float(self.reduce([self.value(episode) for episode in facts]))


@dataclass(frozen=True, slots=True)
class Column:
    """A figure that tables show beside the score.

    Attributes:
        name: What tables call it.
        value: Its value for one episode, from the facts.
        digits: How many digits of it are shown behind the point.
        reduce: Makes an agent's value of those of its episodes.
        words: What tables show instead of 0, 1, 2 …
        beside_score: Whether it stands right beside the score, where terminals have room.
        summed: Whether it is a part that the score sums up: such columns stand before it.
        heading: What tables call it where its name is too long for a narrow terminal.
    """

    name: str
    value: Callable[[Facts], Number]
    digits: int = 1
    reduce: Callable[[Sequence[Number]], Number] = fmean
    words: tuple[str, ...] = ()
    beside_score: bool = False
    summed: bool = False
    heading: str = ""

    def aggregate(self, facts: Sequence[Facts]) -> float:
        """Return an agent's value, from the facts of its episodes."""
        return float(self.reduce([self.value(episode) for episode in facts]))


@dataclass(frozen=True, slots=True)
class Option:
    """Something that may be played otherwise; results with other options never mix.

    Attributes:
        name: What ``--name value`` calls it.
        default: Its value unless told otherwise.
        help: One line on what it does.
        check: Returns a value in its one proper spelling, or raises OptionError.
        agents_of: The game whose agents the value lists, separated by commas; they are loaded to
            see that they can be. Empty if the value lists none.
        names_outside: What the value names outside of Ludus: an ``environment``, which is code, or
            a ``file``. Empty if it names neither. Plans then hold the scenarios that it led to,
            since no other machine can make them again. Runs of others need the user's consent.
    """

    name: str
    default: str
    help: str
    check: Callable[[str], str] = str
    agents_of: str = ""
    names_outside: str = ""

    def read(self, text: str, context: RunContext = DEFAULT_CONTEXT) -> str:
        """Return a value in its one proper spelling.

        Raises:
            OptionError: It is none of the option's.
            AgentError: It lists an agent that cannot be loaded.
        """
        value = self.check(text)
        if not self.agents_of:
            return value
        return ",".join(find(spec, self.agents_of, context).spec for spec in value.split(","))


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A question to agents, fixed for ever: a change of behaviour is a new version.

    Attributes:
        id: Its name, such as ``platformer/sprint``.
        version: Counted from 1; boards of different versions never mix.
        title: One line on what it asks.
        game: The game it is played in.
        choose_game: Returns the game it is played in with these options; ``game`` if None.
        scenarios: Plain descriptions of what is to be played, for a seed and a number of episodes,
            and for the options as keywords if there are any. Plans keep a digest of them alone, so
            the same arguments must give the same scenarios in every process.
        episodes: How many an agent plays unless told otherwise.
        score: The rule: from the facts of a finished episode to its score.
        formula: The rule in words and signs, for people.
        choose_formula: Returns it for a choice of options, given as keywords; ``formula`` if None.
        bounds: The least and the greatest total that an episode can have, or what returns them for
            the options as keywords; None if there are none. Intervals hold for any number of
            episodes where they are known, and only then a race can be stopped when it is clear.
        headline: What the value that agents are ranked by is called.
        statistic: What that value is of the totals: their mean, or the best of them.
        aggregate: Makes that value of the facts and totals of all of an agent's episodes, alone or
            with the ends of its 95 % interval; the statistic of the totals if None.
        aggregate_name: How it does so, in a word or two.
        digits: How many digits of that value tables show behind the point.
        tie_breakers: What decides between equals, in this order.
        columns: What tables show beside.
        options: What may be played otherwise.
        limits: What an agent may use for an episode: time, memory, units of work.
        accepts_more: Whether a board takes runs of more episodes too.
        fault_rule: How a board counts episodes that ended by the agent's fault, as a sentence; if
            empty and without a ``fault_score``, it takes no entry that has any. Everywhere, an
            agent ranks behind all whose episodes have a smaller share of faults.
        fault_score: What an episode that ended by the agent's fault scores, whatever happened in
            it; columns and tie-breakers leave it out. Agents then rank by the headline value alone.
            None scores it by its facts.
        in_order: Whether one agent object plays its episodes in their order, so that it may carry
            something over from one to the next.
        train_again: Trains a submitted learner once more and returns its record, whose actions are
            compared with the stored one; None where agents are loaded and not trained.
        readings: Where the rule differs from the letter of its source, a sentence each.
        grade: Returns what a headline value is called, such as ``Excellent``; tables show it as
            the ``band``.
        categorise: Returns the category of an agent, such as ``quantum``, for tables.
        is_rate: Whether every total is 0 or 1, so that their mean is a rate; its interval is
            Wilson's.
        times_in_seconds: Whether tables show times as seconds in all, not as milliseconds a step.
    """

    id: str
    version: int
    title: str
    game: str
    scenarios: Callable[..., Sequence[Mapping[str, Any]]]
    episodes: int
    score: Callable[[Facts], Score]
    formula: str
    bounds: Bounds | Callable[..., Bounds] | None = None
    headline: str = "score"
    statistic: Literal["mean", "best"] = "mean"
    tie_breakers: tuple[TieBreaker, ...] = ()
    columns: tuple[Column, ...] = ()
    options: tuple[Option, ...] = ()
    aggregate: Aggregate | None = None
    aggregate_name: str = "mean"
    digits: int = 1
    limits: Limits = field(default_factory=Limits)
    choose_game: Callable[[Mapping[str, str]], str] | None = None
    accepts_more: bool = False
    fault_rule: str = ""
    fault_score: Number | None = None
    in_order: bool = False
    train_again: TrainAgain | None = None
    readings: tuple[str, ...] = ()
    grade: Callable[[float], str] | None = None
    categorise: Callable[[AgentSource], str] | None = None
    choose_formula: Callable[..., str] | None = None
    is_rate: bool = False
    times_in_seconds: bool = False

    def make_scenarios(
        self,
        seed: int,
        episodes: int,
        options: Mapping[str, str] | None = None,
        *,
        load: bool = True,
    ) -> Sequence[Mapping[str, Any]]:
        """Return the scenarios for a seed, with the options that are not given at their default.

        Args:
            seed: What they are made from.
            episodes: How many.
            options: The options that are not at their default.
            load: Whether agents among the options are loaded, to see that they can be.
        """
        return self.scenarios(seed, episodes, **self.resolve_options(options or {}, load=load))

    def resolve_options(
        self,
        options: Mapping[str, str],
        context: RunContext = DEFAULT_CONTEXT,
        *,
        load: bool = True,
    ) -> dict[str, str]:
        """Return every option's value, checked.

        Args:
            options: The options that are not at their default.
            context: What agents among them are loaded with.
            load: Whether they are loaded, to see that they can be.

        Raises:
            OptionError: There is no such option, or not with this value.
        """
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                offered = f"there are {', '.join(known)}" if known else "it has none"
                raise OptionError(f"{self.id} has no option {name!r}; {offered}")
        checked = {
            name: option.read(options[name], context) if load else option.check(options[name])
            for name, option in known.items()
            if name in options
        }
        return {name: checked.get(name, option.default) for name, option in known.items()}

    def formula_for(self, options: Mapping[str, str] | Iterable[tuple[str, str]]) -> str:
        """Return the rule in words and signs, with the options that are not at their default."""
        if self.choose_formula is None:
            return self.formula
        defaults = {option.name: option.default for option in self.options}
        return self.choose_formula(**{**defaults, **dict(options)})

    def score_bounds(self, options: Mapping[str, str] | None = None) -> Bounds | None:
        """Return the least and the greatest total with these options; None if nobody knows them.

        Args:
            options: Those that differ from their default, as a plan has them: checked.
        """
        bounds = self.bounds
        if callable(bounds):
            defaults = {option.name: option.default for option in self.options}
            bounds = bounds(**{**defaults, **(options or {})})
        if bounds is None or self.fault_score is None:
            return bounds
        return min(bounds[0], self.fault_score), max(bounds[1], self.fault_score)

    def score_play(self, facts: Facts, ending: str) -> Score:
        """Return what an episode is worth, by its facts or because it ended by a fault.

        Args:
            facts: What happened.
            ending: How it ended: ``finished``, or the kind of the agent's fault.
        """
        if self.fault_score is None or ending == FINISHED:
            return self.score(facts)
        return Score(self.fault_score, {str(ending): self.fault_score})

    @property
    def ranks_faults_last(self) -> bool:
        """Whether faults count before the headline value: they have no score of their own."""
        return self.fault_score is None

    @property
    def ranks_by_proof(self) -> bool:
        """Whether entries that were done again here rank before all others: learners are earned."""
        return self.train_again is not None

    def describe_faults(self) -> str:
        """Return how episodes that ended by an agent's fault count; nothing if no rule says it."""
        if self.fault_rule or self.fault_score is None:
            return self.fault_rule
        return f"An episode that ended by the agent's fault scores {self.fault_score:g}."

    def game_for(self, options: Mapping[str, str], context: RunContext = DEFAULT_CONTEXT) -> str:
        """Return the game that it is played in with these options."""
        if self.choose_game is None:
            return self.game
        return self.choose_game(self.resolve_options(options, context))

    def non_default_options(
        self, options: Mapping[str, str], context: RunContext = DEFAULT_CONTEXT
    ) -> dict[str, str]:
        """Return the options that differ from their default, checked."""
        values = self.resolve_options(options, context)
        return {
            option.name: values[option.name]
            for option in self.options
            if values[option.name] != option.default
        }

    @property
    def rule(self) -> str:
        """The scoring rule's name and version."""
        return f"{self.id}@{self.version}"
