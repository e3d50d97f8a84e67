"""Guest environments as a game that runs can play, record and replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import EnvironmentFault, NotReplayable, OptionError
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.guest.codec import GuestCodec
from ludus.games.guest.environment import GuestTraits, probe
from ludus.games.guest.match import BYTES, GuestMatch, OpenEnvironment
from ludus.games.guest.played import Environment
from ludus.games.guest.scenario import GuestScenario
from ludus.games.media.film_options import AS_DRAWN, FilmOptions

__all__ = ["GuestGame"]

RULES = "guest@1"
"""Changes whenever the same decisions would be counted otherwise."""


class GuestGame:
    """Environments of other people.

    Args:
        open_environment: Opens an environment by name. Without it the game reads scenarios and
            records, but plays nothing.
    """

    name = "guest"
    agent_family = "guest"
    replays_slowly = True  # the environment plays all of it again
    provenance: Mapping[str, str] = {}

    def __init__(self, open_environment: OpenEnvironment | None = None) -> None:
        self._opener = open_environment
        self._traits: dict[str, GuestTraits] = {}

    def with_environments(self, open_environment: OpenEnvironment) -> GuestGame:
        """Return the game with what opens environments."""
        return GuestGame(open_environment)

    def try_environments(self, scenarios: Iterable[Mapping[str, Any]]) -> None:
        """Play one frame of each environment that these descriptions name.

        Raises:
            OptionError: One cannot be played, begins at another level, or ends with its first.
        """
        for description in scenarios:
            scenario = self.parse_scenario(description)
            info = self._probe(scenario.env).info
            _check_start(scenario, info)

    def _probe(self, spec: str) -> GuestTraits:
        if spec not in self._traits:
            try:
                self._traits[spec] = probe(spec, self._open(spec))
            except EnvironmentFault as error:
                raise OptionError(f"environment {spec!r} cannot be opened: {error}") from error
        return self._traits[spec]

    def _open(self, spec: str, *, filming: bool = False) -> Environment:
        if self._opener is None:
            raise OptionError(f"environment {spec!r} needs a process: play it by ludus.run")
        return self._opener(spec, filming=filming)

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rules by which guests are counted; what they play is their own affair."""
        return RULES

    def named_code(self, scenarios: Iterable[Mapping[str, Any]]) -> Mapping[tuple[str, str], str]:
        """Return the environments of these descriptions, with where they came from."""
        return {
            ("environment", str(one["env"])): str(one.get("origin", ""))
            for one in scenarios
            if "env" in one  # a sealed scenario does not say: the options do
        }

    def parse_scenario(self, description: Mapping[str, Any]) -> GuestScenario:
        """Return the scenario of a description.

        Raises:
            OptionError: It is none, or its environment cannot be played.
        """
        scenario = GuestScenario.from_dict(description)
        if self._opener is None:
            return scenario
        return replace(scenario, actions=self._probe(scenario.env).actions)

    def begin(self, scenario: GuestScenario) -> GuestMatch:
        """Return a new match of the scenario."""
        return GuestMatch(scenario, self._open)

    def replay(self, scenario: GuestScenario, record: bytes) -> Facts:
        """Play recorded decisions again and return what happened.

        They are played twice, because a guest may not be deterministic.

        Raises:
            NotReplayable: The environment answers the same actions otherwise each time.
            OptionError: It is no record.
        """
        return self.replay_outcome(scenario, record).facts

    def replay_outcome(self, scenario: GuestScenario, record: bytes) -> ReplayOutcome:
        """Play recorded decisions again, twice, and return what came of it.

        Raises:
            NotReplayable: The environment answers the same actions otherwise each time.
            OptionError: It is no record.
        """
        match = self._play_again(scenario, record)
        facts = match.facts()
        if record and self._play_again(scenario, record).facts() != facts:
            raise NotReplayable(
                f"{scenario.env} is not deterministic: it answers the same actions otherwise each "
                "time, so its episodes cannot be verified"
            )
        if len(match.record()) < len(record):
            if match.fault:
                raise OptionError(f"{match.fault} after {facts['steps']} decisions of the record")
            raise OptionError(
                f"the episode was over after {facts['steps']} decisions of its record"
            )
        return ReplayOutcome(facts, match.over, len(record) // BYTES)

    def split_record(self, scenario: GuestScenario, record: bytes) -> Sequence[bytes]:
        """Return the decisions."""
        return [record[start : start + BYTES] for start in range(0, len(record), BYTES)]

    def observation_codec(self) -> GuestCodec:
        """Return what sends arrays to an agent's process."""
        return GuestCodec()

    def write_film(
        self, scenario: GuestScenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
        """Write the film of recorded decisions (.gif, .mp4), or moments of it (.png)."""
        from ludus.games.media.moments import draw_moments
        from ludus.games.media.video import write_film

        match = GuestMatch(scenario, self._open, filming=True)
        frames = self._film(match, self.split_record(scenario, record))
        first = next(frames, None)
        if first is None:
            raise OptionError(
                f"{scenario.env} draws no pictures: {match.fault or 'there is nothing to film'}"
            )
        same_size = (frame for frame in frames if frame.shape == first.shape)
        film = chain([first], same_size)
        write_film(
            path, film, match.frame_rate, picture=lambda: draw_moments(film), options=options
        )

    def _film(self, match: GuestMatch, decisions: Iterable[bytes]) -> Iterator[NDArray[np.uint8]]:
        """Yield the pictures of recorded decisions, as far as they can be played."""
        with closing(match), suppress(EnvironmentFault):
            yield from match.take_pictures()
            for decision in decisions:
                if match.over or match.fault:
                    break
                match.step(int.from_bytes(decision, "little"))
                yield from match.take_pictures()

    def _play_again(self, scenario: GuestScenario, record: bytes) -> GuestMatch:
        """Return the match after recorded decisions, or after those it had before it ended."""
        if len(record) % BYTES:
            raise OptionError(
                f"a record of {len(record)} bytes is not a guest's: it has {BYTES} each"
            )
        match = GuestMatch(scenario, self._open)
        try:
            for start in range(0, len(record), BYTES):
                if not match.over and not match.fault:
                    match.step(int.from_bytes(record[start : start + BYTES], "little"))
        except EnvironmentFault:
            pass  # the match says so
        finally:
            match.close()
        return match


def _show_number(value: Any) -> str:
    """Return a number as text, 1.0 as 1."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _check_start(scenario: GuestScenario, info: Mapping[str, Any]) -> None:
    """Refuse an environment whose first frame says that it plays something else.

    Raises:
        OptionError: It begins at another level, or plays a single one of the whole game.
    """
    world, stage = (_show_number(info.get(name, "?")) for name in ("world", "stage"))
    first = f"{world}-{stage}"
    if "?" not in first and first != scenario.stages[0]:
        raise OptionError(
            f"environment {scenario.env!r} begins at level {first[:20]}, not at "
            f"{scenario.stages[0]}"
        )
    if len(scenario.stages) > 1 and info.get("full_game") == 0:
        raise OptionError(
            f"environment {scenario.env!r} plays one level alone: name one of the full game"
        )
