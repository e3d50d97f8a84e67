"""``ludus.replay``: a recorded episode is played again, to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result
from ludus.api.settings import open_store
from ludus.errors import LudusError
from ludus.games.game import Facts
from ludus.games.media.film_options import FilmOptions
from ludus.reports.notebook import Film
from ludus.reports.pictures import draw_picture
from ludus.reports.tables import TableView
from ludus.runs import Plan, Run, ScoredEpisode, Store
from ludus.runs.consent import check_scenarios_agreed, replay_context
from ludus.runs.explain import find_episode, scenario_name
from ludus.runs.sealed import open_plan
from ludus.runs.verify import differing_facts
from ludus.runs.watch import film_record, preview_record, replay_record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Replay", "replay", "replay_of"]

MEDIA = {".svg": "image/svg+xml", ".png": "image/png", ".gif": "image/gif"}
"""What a notebook shows of an episode whose game draws no small films: the first that it draws."""


@dataclass(eq=False, repr=False)
class Replay(Result):
    """The replay of a stored episode.

    Attributes:
        run: The run of the episode.
        scored: The episode and its score, as stored.
        facts: The facts of the replay.
        plan: What was played; of a sealed season, with its scenarios.
    """

    run: Run
    scored: ScoredEpisode
    facts: Facts
    plan: Plan

    @property
    def agent(self) -> str:
        """The name of the agent that played the episode."""
        return self.run.plan.agents[self.scored.episode.agent].name

    @property
    def scenario(self) -> str:
        """The name of the scenario."""
        return scenario_name(self.run.plan, self.scored.episode.scenario)

    @property
    def as_stored(self) -> bool:
        """Whether the replay agrees with the stored facts."""
        return not differing_facts(self.run.plan, self.scored.episode.facts, self.facts)

    @property
    def view(self) -> TableView:
        """The facts of the replay."""
        episode = self.scored.episode
        title = f"{self.agent} in {self.scenario}, episode {episode.number} of {self.run.id}"
        return TableView(
            title=title,
            headings=["fact", "value"],
            rows=[[name, format_fact(value)] for name, value in self.facts.items()],
            left=(0,),
            notes=[
                "The same as stored."
                if self.as_stored
                else f"Not as stored: ludus verify {self.run.id}"
            ],
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the facts as plain values, one object each."""
        stored = self.scored.episode.facts
        return [
            {"fact": name, "value": value, "stored": stored.get(name)}
            for name, value in self.facts.items()
        ]

    def save(
        self,
        path: str | Path,
        *,
        scale: int | None = None,
        speed: float | None = None,
        fps: float | None = None,
        on_frame: Callable[[int], None] | None = None,
    ) -> Path:
        """Write the episode as a picture or a film, as the path's suffix asks.

        Args:
            path: The file.
            scale: How many times larger every pixel of a film is, from 1 to 8.
            speed: How many times faster than the game a film goes, from 0.1 to 100.
            fps: Frames a second of a film, from 1 to 120; of a GIF at most 50.
            on_frame: Called after every frame of a film with how many are written.

        Raises:
            RunError: Its game cannot be drawn.
            OptionError: Its game draws no files of this suffix, the file cannot be written, or a
                value is out of range.
            MissingExtra: What draws films is not installed.
        """
        options = FilmOptions(scale=scale, speed=speed, fps=fps, on_frame=on_frame)
        context = replay_context(self.run, self.plan)
        film_record(self.plan, self.scored.episode, path, context, options)
        return Path(path)

    @cached_property
    def films(self) -> Sequence[Film]:
        """The episode as a film, or as a picture; empty if it cannot be drawn."""
        caption = f"{self.agent} in {self.scenario}: {self.scored.score.total:g} points"
        with TemporaryDirectory() as folder:
            writers: list[tuple[Callable[[Path], object], str]] = [(self._preview, ".gif")]
            writers += [(self.save, end) for end in MEDIA]
            for write, suffix in writers:
                target = Path(folder) / f"episode{suffix}"
                with suppress(LudusError):  # an extra is missing, or the game draws no such file
                    write(target)
                    return (Film(MEDIA[suffix], target.read_bytes(), caption),)
        return ()

    def _preview(self, path: Path) -> None:
        context = replay_context(self.run, self.plan)
        preview_record(self.plan, self.scored.episode, path, context)

    def _films(self) -> Sequence[Film]:
        return self.films

    def _draw(self, style: str) -> Figure:
        with TemporaryDirectory() as folder:
            picture = self.save(Path(folder) / "episode.png").read_bytes()
        return draw_picture(picture, f"{self.agent} in {self.scenario}", style)


def replay(run: str, episode: int = 0, *, store: str | Store | None = None) -> Replay:
    """Replay a stored episode.

    Args:
        run: The run's id, or its beginning.
        episode: The episode's number in the run.
        store: Where the run is; the user's own store if None.

    Raises:
        RunError: There is no such run or episode, or it was played by other rules.

    Example:
        >>> import ludus
        >>> result = ludus.run("platformer/bundled", "idle", episodes=1, store="sqlite://")
        >>> result.replay(0).as_stored
        True
    """
    with open_store(store) as database:
        stored = database.run(run)
        scored = find_episode(stored.id, episode, database)
        return replay_of(stored, scored, open_plan(stored, database))


def replay_of(run: Run, scored: ScoredEpisode, plan: Plan | None = None) -> Replay:
    """Replay an episode of a run.

    Args:
        run: The run.
        scored: The episode.
        plan: The run's plan with its scenarios; the run's own if None.

    Raises:
        RunError: It was played by other rules, or is sealed.
    """
    check_scenarios_agreed(run)
    played = plan or run.plan
    facts = replay_record(played, scored.episode, replay_context(run, played))
    return Replay(run, scored, facts, played)


MOST_IN_FULL = 1e15
"""Larger numbers are not exact anyway."""


def format_fact(value: Any) -> str:
    """Return a fact as tables show it: numbers in full, with thousands apart.

    Example:
        >>> format_fact(1016438.25), format_fact(2256), format_fact(0.1 + 0.2), format_fact("a")
        ('1,016,438.25', '2,256', '0.3', 'a')
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.6f}".rstrip("0").rstrip(".")
    vanishes = value and text in ("0", "-0")
    return f"{value:g}" if vanishes or not abs(value) < MOST_IN_FULL else text
