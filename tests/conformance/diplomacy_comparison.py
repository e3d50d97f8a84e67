"""Replays a folder of recordings and says where the package departs from what Ludus does.

    python -m tests.conformance.diplomacy_comparison FOLDER

The folder has ``games.jsonl.gz``, ``legal.jsonl.gz`` and ``positions.jsonl.gz``, as for
``tests.conformance.diplomacy``. The first lines count positions, legal orders and steps of games
that agree. The others count result codes that differ where the board is the same, by their cause.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.conformance.diplomacy import read_lines

from ludus.games.diplomacy import Board

CARRIED = "support attacked by an army that a fleet there carries: not cut there"
DISRUPTED = "convoy disrupted there, though its fleet is not dislodged"
OWN = "support against a unit of its own power for an attack with VIA: counts there"
BROKEN = "support attacked by an army whose convoy breaks: cut there"
WALKS = "army that goes to a neighbour without VIA, its fleet dislodged: does not walk there"
BEATEN = "support for a move that a unit of its own power beats head to head: void there"
FREED = "support into a province left late, after a rival was beaten head to head: void there"
FOLLOWS = "follows from another difference of the phase"
COUNTED = (
    "positions",
    "legal sets",
    "steps of games",
    "results of retreats and winters",
    "codes",
)


@dataclass(frozen=True)
class Phase:
    """A recorded movement phase, and what Ludus makes of it."""

    record: Mapping[str, Any]
    results: Mapping[str, list[str]]

    @cached_property
    def orders(self) -> dict[str, list[str]]:
        """The words of every unit's order."""
        given = [text.split() for own in self.record["orders"].values() for text in own]
        return {" ".join(words[:2]): words for words in given}

    @cached_property
    def owner(self) -> dict[str, str]:
        """The power of each unit."""
        return {unit: power for power, own in self.record["units"].items() for unit in own}

    @cached_property
    def standing(self) -> dict[str, str]:
        """The unit in each province."""
        return {unit[2:5]: unit for unit in self.owner}

    @cached_property
    def carried(self) -> dict[str, tuple[str, str]]:
        """The army and destination of every fleet that convoys."""
        fleets = {unit: words for unit, words in self.orders.items() if words[2] == "C"}
        return {unit: (" ".join(w[3:5]), w[6][:3]) for unit, w in fleets.items()}

    @cached_property
    def disrupted(self) -> set[str]:
        """The fleets whose convoy the package disrupts, but does not dislodge."""
        return {fleet for fleet in self.carried if self.codes(fleet) == ["disrupted"]}

    def codes(self, unit: str) -> list[str]:
        """Return the recorded codes of a unit."""
        codes: list[str] = self.record["results"].get(unit, [])
        return codes

    def differences(self) -> Iterator[str]:
        """Give the units whose codes differ."""
        for unit in self.owner:
            if self.codes(unit) != self.results.get(unit, []):
                yield unit

    def find_destination(self, unit: str) -> str | None:
        """Return the province that a unit is ordered to move to."""
        words = self.orders.get(unit, [])
        return words[3][:3] if words[2:3] == ["-"] else None

    def is_head_to_head(self, winner: str, loser: str) -> bool:
        """Return whether two units go to each other's province, and one throws the other out."""
        return (
            self.find_destination(winner) == loser[2:5]
            and self.find_destination(loser) == winner[2:5]
            and "dislodged" in self.results.get(loser, [])
        )

    def attackers(self, unit: str) -> list[str]:
        """Return the armies that are to be carried to where a unit of another power stands."""
        voyages = self.carried.values()
        return [army for army, to in voyages if to == unit[2:5] and army in self.orders]

    def carriers(self, army: str) -> set[str]:
        """Return the fleets that are to carry an army to where it goes."""
        voyage = (army, self.orders[army][3][:3]) if army in self.orders else None
        return {fleet for fleet, carried in self.carried.items() if carried == voyage}


def find_cause(phase: Phase, unit: str) -> str:
    """Return why the codes of a unit differ; empty if that is unknown."""
    verb = phase.orders.get(unit, [*unit.split(), "H"])[2]
    if verb == "S":
        return _find_support_cause(phase, unit)
    fleets = phase.carriers(unit)
    if verb == "C":
        fleets = {one for one, voyage in phase.carried.items() if voyage == phase.carried[unit]}
    if fleets & phase.disrupted:
        return DISRUPTED
    return WALKS if any("dislodged" in phase.codes(fleet) for fleet in fleets) else ""


def _find_support_cause(phase: Phase, unit: str) -> str:
    words = phase.orders[unit]
    supported, target = " ".join(words[3:5]), words[-1][:3]
    before, now = phase.codes(unit), phase.results.get(unit, [])
    if ("cut" in before) != ("cut" in now):
        return _find_cut_cause(phase, unit, target)
    there = phase.standing.get(target, "")
    if phase.carriers(supported) & phase.disrupted or there in phase.disrupted:
        return DISRUPTED
    if phase.owner.get(there) != phase.owner[unit]:
        return ""
    if phase.orders[supported][-1] == "VIA" and "void" in now:
        return OWN
    if there in phase.carried:
        return FOLLOWS
    if "void" not in before:
        return ""
    if phase.is_head_to_head(there, supported):
        return BEATEN
    return FREED if _is_freed(phase, there) else ""


def _is_freed(phase: Phase, unit: str) -> bool:
    """Return whether a unit, or one it waits for, has a rival that is beaten head to head."""
    waiting = [unit]
    while (place := phase.find_destination(waiting[-1])) is not None:
        ahead = phase.standing.get(place, "")
        rivals = [one for one in phase.orders if phase.find_destination(one) == place]
        if any(phase.is_head_to_head(ahead, one) for one in rivals if one != waiting[-1]):
            return True
        if ahead in ("", *waiting):
            return False
        waiting.append(ahead)
    return False


def _find_cut_cause(phase: Phase, unit: str, target: str) -> str:
    attackers = phase.attackers(unit)
    if "cut" in phase.codes(unit):
        return BROKEN if any("no convoy" in phase.codes(army) for army in attackers) else ""
    carriers = {fleet for army in attackers for fleet in phase.carriers(army)}
    if target in {fleet[2:5] for fleet in carriers}:
        return CARRIED
    return DISRUPTED if carriers & phase.disrupted else ""


# ---- replays


def _drop_empty(lists: Mapping[str, Any]) -> dict[str, Any]:
    return {name: items for name, items in lists.items() if items}


def compare_positions(folder: Path, counts: Counter[str]) -> Iterator[Phase]:
    """Count the single positions that end as recorded; give those to compare codes in."""
    for one in read_lines(folder / "positions.jsonl.gz"):
        board = Board.from_record({"name": "S1901M", "units": one["units"], "centers": {}})
        phase = Phase(one, board.step(one["orders"]))
        after = (one.get("rulebook") or one)["after"]
        counts["positions"] += 1
        counts["positions agree"] += _drop_empty(board.units()) == _drop_empty(after)
        if "rulebook" not in one:
            yield phase


def compare_games(folder: Path, counts: Counter[str]) -> Iterator[Phase]:
    """Count the steps of games that go as recorded; give those to compare codes in.

    A game goes on with the board reached, until the package departs from the rulebook.
    """
    for game in read_lines(folder / "games.jsonl.gz"):
        board: Board | None = None
        for record, after in pairwise(game["phases"]):
            board = board or Board.from_record(record)
            if "legal" in record:
                _count_legal(board, record, counts)
            results = board.step(record["orders"])
            _count_step(board, record, after, counts)
            if record["name"][-1] != "M":
                counts["results of retreats and winters"] += 1
                counts["results of retreats and winters agree"] += results == record["results"]
            elif "rulebook" not in record:
                yield Phase(record, results)
            if "rulebook" in record or board.to_record().get("retreats") != after.get("retreats"):
                board = None


def _count_step(
    board: Board, record: Mapping[str, Any], after: Mapping[str, Any], counts: Counter[str]
) -> None:
    counts["steps of games"] += 1
    if "rulebook" in record:
        wanted = record["rulebook"]["after"]
        counts["steps of games agree"] += _drop_empty(board.units()) == _drop_empty(wanted)
        return
    reached = board.to_record()
    counts["steps of games agree"] += reached["name"] == after["name"] and all(
        _drop_empty(reached[key]) == _drop_empty(after[key]) for key in ("units", "centers")
    )


def _count_legal(board: Board, record: Mapping[str, Any], counts: Counter[str]) -> None:
    counts["legal sets"] += 1
    counts["legal sets agree"] += board.legal_orders() == record["legal"]


def compare(folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Return what agrees, and the causes of codes that do not."""
    counts, causes = Counter[str](), Counter[str]()
    for one in read_lines(folder / "legal.jsonl.gz"):
        _count_legal(Board.from_record(one), one, counts)
    for phases in (compare_positions(folder, counts), compare_games(folder, counts)):
        for phase in phases:
            differing = list(phase.differences())
            counts["codes"] += len(phase.owner)
            counts["codes agree"] += len(phase.owner) - len(differing)
            causes.update(find_cause(phase, unit) or "unknown" for unit in differing)
    return counts, causes


def main() -> None:
    """Print what agrees, and why codes differ."""
    counts, causes = compare(Path(sys.argv[1]))
    for name in COUNTED:
        sys.stdout.write(f"{name}: {counts[f'{name} agree']:,} of {counts[name]:,} agree\n")
    for cause, n in causes.most_common():
        sys.stdout.write(f"{n:6,}  {cause}\n")


if __name__ == "__main__":
    main()
