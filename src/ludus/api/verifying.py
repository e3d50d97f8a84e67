"""``ludus.verify``: every record of a run is played again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result
from ludus.api.run_result import RunResult
from ludus.api.settings import current_user, make_context, make_executor, open_store
from ludus.boards import verify_entry
from ludus.reports.pictures import draw_bars
from ludus.reports.standings import count_episodes
from ludus.reports.tables import Bar, TableView
from ludus.runs import Run, Store, Verification
from ludus.runs.consent import is_chosen_by_others
from ludus.runs.proof import Proof
from ludus.runs.rerun import Rerun, rerun
from ludus.runs.verify import Difference

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["VerificationResult", "verify"]

MOST_SHOWN = 20


@dataclass(eq=False, repr=False)
class VerificationResult(Result):
    """The outcome of replaying a run; true if nothing differs.

    Attributes:
        run: The run.
        verification: What was compared, and what differs.
        on_board: The agents whose entries on a board are marked as verified.
    """

    run: Run
    verification: Verification
    on_board: list[str]

    def __bool__(self) -> bool:
        return self.good

    @property
    def good(self) -> bool:
        """Whether the replay agrees with the run."""
        return self.verification.good

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The differences between the run and its replay."""
        return self.verification.differences

    @property
    def view(self) -> TableView:
        """The table of differences, and a sentence on the outcome."""
        return TableView(
            title=f"Verification of run {self.run.id}",
            headings=["where", "what", "stored", "found"],
            rows=[_row(difference) for difference in self.differences[:MOST_SHOWN]],
            left=(0, 1, 2, 3),
            fold=(2, 3),
            notes=[self.sentence, *self.verification.notes],
        )

    @property
    def sentence(self) -> str:
        """The outcome in a sentence."""
        count = count_episodes(self.verification.episodes)
        if self.good and self.verification.proof is Proof.CLAIMED:
            return f"{count} of run {self.run.id}: claimed, and cannot be replayed."
        if self.good:
            return f"{count} played again: all is as run {self.run.id} says.{self._reruns}"
        return f"{count} played again: {len(self.differences)} figures differ."

    @property
    def _reruns(self) -> str:
        """Which agents played the same again, as sentences."""
        return "".join(
            f" {agent} played {count} of them again itself, action by action: re-run."
            for agent, count in self.verification.reruns.items()
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the differences as plain values, one object each."""
        return [
            {
                "episode": difference.episode,
                "field": difference.field,
                "stored": difference.stored,
                "found": difference.found,
            }
            for difference in self.differences
        ]

    def _draw(self, style: str) -> Figure:
        different = len({difference.episode for difference in self.differences})
        counts = [max(self.verification.episodes - different, 0), different]
        return draw_bars(
            f"Verification of run {self.run.id}",
            ["as stored", "different"],
            [Bar(count) for count in counts],
            [str(count) for count in counts],
            "episodes",
            style=style,
        )


def verify(
    run: str | RunResult,
    *,
    again: bool = False,
    episodes: int | None = None,
    workers: int | None = None,
    trust: bool = False,
    store: str | Store | None = None,
    on_episode: Callable[[int], None] | None = None,
) -> VerificationResult:
    """Replay every record of a run and compare all that is stored of it.

    Entries that the run has on a board are marked as verified.

    Args:
        run: The run's id, its beginning, or a result.
        again: Whether the agents play again as well: loaded from their specs, if their fingerprints
            are those of the run, and compared action by action.
        episodes: How many of each agent are played again, drawn by chance; all if None.
        workers: How many processes replay records and let agents play; one for each core if None.
        trust: Whether to read agents whose files run code when read. Agents of imported runs,
            seasons and events play in the sandbox, which needs no trust.
        store: Where the run is; the user's own store if None.
        on_episode: Called with the number of each episode that was played again, by its record or
            by its agent.

    Raises:
        RunError: There is no such run, or this Ludus has another version of benchmark or rules.
    """
    with open_store(store) as database:
        stored = database.run(run.id if isinstance(run, RunResult) else run)

        def play(id_: str) -> Rerun:
            outside = is_chosen_by_others(stored, database)
            return rerun(
                id_,
                store=database,
                episodes=episodes,
                executor=make_executor(workers),
                context=make_context(trust=trust, from_outside=outside),
                on_episode=on_episode,
            )

        verification = verify_entry(
            stored.id,
            database,
            by=current_user(),
            on_episode=on_episode,
            again=play if again else None,
            workers=workers,
        )
    return VerificationResult(stored, verification, list(verification.marked))


def _row(difference: Difference) -> list[str]:
    where = "run" if difference.episode is None else f"episode {difference.episode}"
    return [where, difference.field, str(difference.stored), str(difference.found)]
