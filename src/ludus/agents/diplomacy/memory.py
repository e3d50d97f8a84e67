"""What a model remembers of a game: goals, relationships, a diary; all of it plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludus.agents.diplomacy.schemas import LABELS, LONGEST_ENTRY, LONGEST_SUMMARY
from ludus.games.diplomacy.records import POWERS, parse_phase

__all__ = ["DiaryEntry", "Memory"]

NEUTRAL = "Neutral"
MOST_ENTRIES = 40
LATEST = 12


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    """A line of the diary."""

    phase: str
    text: str

    def __str__(self) -> str:
        return f"[{self.phase}] {self.text}"


@dataclass
class Memory:
    """What one power's player remembers.

    Attributes:
        goals: What it wants, in its own words.
        relationships: How it stands to each other power; one of :data:`LABELS`.
        diary: What it wrote lately.
        past: Its summary of what it wrote before that.
        reviewed: The last phase whose results it has thought about.
    """

    goals: list[str] = field(default_factory=list)
    relationships: dict[str, str] = field(default_factory=dict)
    diary: list[DiaryEntry] = field(default_factory=list)
    past: str = ""
    reviewed: str = ""

    @classmethod
    def empty(cls, power: str) -> Memory:
        """Return an empty memory: neutral to everybody."""
        return cls(relationships={rival: NEUTRAL for rival in POWERS if rival != power})

    def write(self, phase: str, text: str) -> None:
        """Add a line to the diary; the oldest is lost when it grows too long."""
        if text:
            self.diary = [*self.diary, DiaryEntry(phase, text[:LONGEST_ENTRY])][-MOST_ENTRIES:]

    def old_entries(self, year: int) -> list[DiaryEntry]:
        """Return the lines of the years before the last."""
        return [entry for entry in self.diary if _year(entry.phase) < year - 1]

    def summarise(self, year: int, summary: str) -> None:
        """Put a summary in the place of the old lines."""
        self.past = summary[:LONGEST_SUMMARY]
        old = self.old_entries(year)
        self.diary = [entry for entry in self.diary if entry not in old]

    def format(self) -> str:
        """Return it as prompts show it."""
        goals = "; ".join(self.goals) or "none yet"
        groups = self._group_relationships()
        standing = "; ".join(f"{label} {' '.join(powers)}" for label, powers in groups.items())
        standing = f"all {next(iter(groups))}" if len(groups) == 1 else standing
        past = f"Earlier years: {self.past}\n" if self.past else ""
        diary = "\n".join(str(entry) for entry in self.diary[-LATEST:]) or "nothing yet"
        return f"Goals: {goals}\nRelationships: {standing}\nDiary: {past}{diary}"

    def _group_relationships(self) -> dict[str, list[str]]:
        """Return who has which label, the worst first."""
        of = self.relationships
        groups = {label: [power for power in of if of[power] == label] for label in LABELS}
        return {label: powers for label, powers in groups.items() if powers}

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "goals": list(self.goals),
            "relationships": dict(self.relationships),
            "diary": [[entry.phase, entry.text] for entry in self.diary],
            "past": self.past,
            "reviewed": self.reviewed,
        }

    @classmethod
    def from_dict(cls, power: str, value: dict[str, Any]) -> Memory:
        """Return the memory that :meth:`to_dict` wrote; unknown labels become neutral."""
        memory = cls.empty(power)
        memory.goals = [str(goal) for goal in value["goals"]]
        for rival, label in value["relationships"].items():
            if rival in memory.relationships and label in LABELS:
                memory.relationships[rival] = label
        memory.diary = [DiaryEntry(str(phase), str(text)) for phase, text in value["diary"]]
        memory.past, memory.reviewed = str(value["past"]), str(value["reviewed"])
        return memory


def _year(phase: str) -> int:
    parsed = parse_phase(phase)
    return parsed.year if parsed else 0
