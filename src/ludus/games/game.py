"""The protocols of games and matches, and the games by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from ludus.errors import OptionError
from ludus.games.agent_seed import derive_agent_seed
from ludus.games.media.film_options import AS_DRAWN, FilmOptions

__all__ = [
    "Checkpointable",
    "Facts",
    "Filmable",
    "Game",
    "HasEmptyAction",
    "HasEnvironments",
    "HasForwardModel",
    "HasOpponents",
    "HasTraining",
    "HidesChance",
    "Match",
    "Previewable",
    "ReplayOutcome",
    "ReplaysSlowly",
    "Resumable",
    "RoundBased",
    "SavesSeldom",
    "TellsOutcome",
    "choose_replay",
    "find_game",
    "scenario_for_agent",
    "split_record",
]

Facts: TypeAlias = Mapping[str, int | float | str | None]
"""What happened in a match: plain values by name, the same on every machine."""


class Match(Protocol):
    """One play of a scenario. The stage makes it, steps it to its end and keeps its record."""

    @property
    def over(self) -> bool:
        """Whether the match has ended. The stage asks before every step."""
        ...

    @property
    def observation(self) -> Any:
        """What the agent sees now. The stage passes it to the agent's ``act``."""
        ...

    def step(self, action: Any) -> None:
        """Play the action that the agent returned. The stage calls it until the match is over.

        Raises:
            ActionError: The game has no such action; nothing was played.
        """
        ...

    def record(self) -> bytes:
        """Return the actions so far. The stage stores them, and :meth:`Game.replay` reads them."""
        ...

    def facts(self) -> Facts:
        """Return what has happened so far. The stage stores it, and scoring rules read it."""
        ...


class ReplayOutcome(NamedTuple):
    """What came of playing a record again.

    Attributes:
        facts: What happened.
        over: Whether the match is over after the record; None if the game does not tell.
        steps: How often the agent was asked; None if the record does not tell.
    """

    facts: Facts
    over: bool | None = None
    steps: int | None = None


class Game(Protocol):
    """A game. :func:`find_game` makes it once for each process."""

    @property
    def name(self) -> str:
        """The name under which benchmarks and plans refer to the game."""
        ...

    @property
    def agent_family(self) -> str:
        """The family of agents that can play it. Agents are looked up in it by name."""
        ...

    @property
    def provenance(self) -> Mapping[str, str]:
        """How the engine was built. Plans record it and reports show it; nothing is refused for it.

        The version of the digest in the fact ``state`` is its ``state_digest``, where it has one.
        """
        ...

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rule sets of these descriptions, such as ``framework@1``. Plans record them.

        Plays by equal rules can be compared: a change of behaviour is a new version.
        """
        ...

    def parse_scenario(self, description: Mapping[str, Any]) -> Any:
        """Return the scenario of a description. Called once for each scenario of a plan.

        Raises:
            OptionError: The description is not one of this game's.
        """
        ...

    def begin(self, scenario: Any) -> Match:
        """Return a new match at its start. The stage calls it once for each episode."""
        ...

    def replay(self, scenario: Any, record: bytes) -> Facts:
        """Play a record again and return what happened. ``verify`` compares it with the store.

        Raises:
            LudusError: The record is not one of this game's.
        """
        ...


@runtime_checkable
class TellsOutcome(Protocol):
    """A game that tells where a record ends and what it is made of. All games of Ludus do."""

    def replay_outcome(self, scenario: Any, record: bytes) -> ReplayOutcome:
        """Play a record again and return what came of it. ``verify`` compares it with the store.

        Raises:
            NotReplayable: The game answers the same actions otherwise each time.
            LudusError: The record is not one of this game's, or goes on behind the end.
        """
        ...

    def split_record(self, scenario: Any, record: bytes) -> Sequence[Any]:
        """Return the actions of a record, one after the other, to be compared.

        Raises:
            LudusError: The record is not one of this game's.
        """
        ...


@runtime_checkable
class RoundBased(Protocol):
    """A match of several rounds, before each of which the agent is reset. Optional."""

    def before_each_round(self, reset: Callable[[Any], None], declared: Mapping[str, Any]) -> None:
        """Call ``reset`` with the next round's scenario. The stage calls this before any step.

        Args:
            reset: Resets the agent.
            declared: What the agent says about itself, for the record.
        """
        ...


@runtime_checkable
class HasTraining(Protocol):
    """A match with training plays before the play that counts. Optional."""

    def after_each_training_play(self, learn: Callable[[Mapping[str, Any]], None] | None) -> None:
        """Call ``learn`` with what came of each. The stage calls this before any round.

        Args:
            learn: Lets the agent learn; None if it cannot. Then there are no training plays.
        """
        ...


@runtime_checkable
class HasEmptyAction(Protocol):
    """A match in which an agent can do nothing for a step. Optional.

    Where there is no such action, an agent that may not decide is disqualified.
    """

    @property
    def empty_action(self) -> Any:
        """The action that stands for none. The stage plays it for a decision over its budget."""
        ...


@runtime_checkable
class Filmable(Protocol):
    """A game that can draw what was played. Optional."""

    def write_film(
        self, scenario: Any, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write a record as a picture or a film, as the path's suffix asks. ``watch`` calls it.

        Raises:
            OptionError: The game does not draw files of this suffix.
            MissingExtra: The package that writes them is not installed.
        """
        ...


@runtime_checkable
class Previewable(Protocol):
    """A game that can draw a small film of what was played within a second or two. Optional."""

    def write_preview(self, scenario: Any, record: bytes, path: Path) -> None:
        """Write a record as a small GIF. Notebooks show it.

        Raises:
            MissingExtra: The package that writes it is not installed.
        """
        ...


@runtime_checkable
class HasForwardModel(Protocol):
    """An observation on which agents can play ahead, unless a benchmark forbids it. Optional."""

    def close_forward_model(self) -> None:
        """Refuse to let the agent play ahead from now on."""
        ...


@runtime_checkable
class Checkpointable(Protocol):
    """A match that can be saved after a step and continued later. Optional.

    Attributes:
        memory: What the agent had remembered, if the match was restored; else None.
    """

    memory: Any

    @property
    def worth_checkpointing(self) -> bool:
        """Whether the opponents lose something if the match is lost. The stage asks at the start.

        The stage saves the match as well if the agent itself remembers anything.
        """
        ...

    def checkpoint(self, memory: Any = None) -> bytes:
        """Return the state with the agent's memory. The stage calls it after every step."""
        ...


@runtime_checkable
class SavesSeldom(Protocol):
    """A match of very many steps, or an agent that remembers and thinks seldom. Optional."""

    @property
    def checkpoint_due(self) -> bool:
        """Whether it is to be saved now. The stage asks after every step."""
        ...


@runtime_checkable
class Resumable(Protocol):
    """A game whose matches are :class:`Checkpointable`. Optional."""

    def restore(self, scenario: Any, checkpoint: bytes) -> Match:
        """Return the match of a checkpoint. The stage calls it when a run continues.

        Raises:
            LudusError: The checkpoint is not one of this scenario.
        """
        ...


@runtime_checkable
class HasOpponents(Protocol):
    """A game with opponents, which may be any agents. Optional."""

    def with_opponents(self, load_opponent: Callable[[str], Any]) -> Game:
        """Return the game with a loader of opponents. The stage calls it before the first match."""
        ...

    def opponent_specs(self, description: Mapping[str, Any]) -> Sequence[str]:
        """Return the specs of a scenario's opponents. Executors give each of them its own time."""
        ...


@runtime_checkable
class HasEnvironments(Protocol):
    """A game whose matches are environments of other people. Optional."""

    def with_environments(self, open_environment: Callable[..., Any]) -> Game:
        """Return the game with what opens an environment by name, in a process of its own.

        Executors and ``verify`` call it before the first match. Without it nothing can be played,
        so that no environment ever runs in a referee.
        """
        ...

    def try_environments(self, scenarios: Iterable[Mapping[str, Any]]) -> None:
        """Play one frame of each environment that these descriptions name. Plans are made so.

        Raises:
            OptionError: One cannot be played.
        """
        ...


@runtime_checkable
class ReplaysSlowly(Protocol):
    """A game that takes about as long to replay as to play. Optional.

    Attributes:
        replays_slowly: Whether it does: then episodes are kept before they are played again.
    """

    replays_slowly: bool


@runtime_checkable
class HidesChance(Protocol):
    """A scenario with more to hide from agents than its ``seed``. Optional."""

    def for_agent(self) -> Any:
        """Return the scenario as its agent may know it. :func:`scenario_for_agent` calls it."""
        ...


@runtime_checkable
class NamesCode(Protocol):
    """A game whose scenarios name code of others. Optional."""

    def named_code(self, scenarios: Iterable[Mapping[str, Any]]) -> Mapping[tuple[str, str], str]:
        """Return what these descriptions name, without loading any of it.

        Each key is a role, ``environment`` or ``opponent``, and the text that names it. Each value
        is the version or digest that the descriptions have of it, or empty. Users are asked before
        an imported run loads it.
        """
        ...


GAMES = {
    "platformer": "ludus.games.platformer.game:PlatformerGame",
    "arena": "ludus.games.platformer.arena.game:ArenaGame",
    "mario-ai": "ludus.games.platformer.tasks.game:TaskGame",
    "mario-ai-learning": "ludus.games.platformer.tasks.learning.game:LearningGame",
    "guest": "ludus.games.guest:GuestGame",
    "worm": "ludus.games.worm.game:WormGame",
    "worm-colony": "ludus.games.worm.colony.game:ColonyGame",
    "worm-training": "ludus.games.worm.training.game:TrainingGame",
    "diplomacy": "ludus.games.diplomacy.game:DiplomacyGame",
}
"""The games of Ludus; a game is imported when it is first looked up."""


@cache
def find_game(name: str) -> Game:
    """Return the game of this name: one of Ludus, or one that an installed package offers.

    Raises:
        OptionError: No game has this name; the message lists the names.

    Example:
        >>> find_game("arena").agent_family
        'platformer'
    """
    plugins = {entry.name: entry.value for entry in entry_points(group="ludus.games")}
    known = plugins | GAMES
    if name not in known:
        raise OptionError(f"no game {name!r}; there are {', '.join(sorted(known))}")
    module, _, attribute = known[name].partition(":")
    game: Game = getattr(import_module(module), attribute)()
    return game


def choose_replay(game: Game) -> Callable[[Any, bytes], ReplayOutcome]:
    """Return the function that plays a record again and tells what came of it.

    It takes a scenario and a record, and raises a LudusError if the record is not one of this
    game's, or a NotReplayable if the game answers the same actions otherwise each time.
    """
    if isinstance(game, TellsOutcome):
        return game.replay_outcome
    return lambda scenario, record: ReplayOutcome(game.replay(scenario, record))


def split_record(game: Game, scenario: Any, record: bytes) -> Sequence[Any]:
    """Return the actions of a record; its bytes, if the game does not tell more.

    Raises:
        LudusError: The record is not one of this game's.
    """
    return game.split_record(scenario, record) if isinstance(game, TellsOutcome) else record


def scenario_for_agent(scenario: Any) -> Any:
    """Return a scenario as its agent may know it: nothing in it leads to the world's chance.

    Its ``seed`` is the agent's own, derived one way from the world's. The stage resets agents with
    it alone.

    Raises:
        OptionError: The scenario has a seed that cannot be replaced.

    Example:
        >>> from ludus.games.worm.frozen_tasks import find_task
        >>> from ludus.games.worm.scenario import Scenario
        >>> scenario_for_agent(Scenario("dish 1", find_task("foraging-small"), seed=7)).seed
        183823962
    """
    if isinstance(scenario, HidesChance):
        return scenario.for_agent()
    if isinstance(scenario, Mapping):
        seed = scenario.get("seed")
        return scenario if seed is None else {**scenario, "seed": derive_agent_seed(seed)}
    seed = getattr(scenario, "seed", None)
    return scenario if seed is None else _replace_seed(scenario, derive_agent_seed(seed))


def _replace_seed(scenario: Any, seed: int) -> Any:
    if dataclasses.is_dataclass(scenario):
        return dataclasses.replace(scenario, seed=seed)  # type: ignore[type-var]
    if hasattr(scenario, "_replace"):  # a named tuple
        return scenario._replace(seed=seed)
    kind = type(scenario).__name__
    raise OptionError(f"the seed of a {kind} cannot be hidden from agents: give it for_agent()")
