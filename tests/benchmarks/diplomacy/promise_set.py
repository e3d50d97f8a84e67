"""Sentences labelled by hand, and how well promises are found in them.

``python -m tests.benchmarks.diplomacy.promise_set`` prints precision and recall.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ludus.benchmarks.diplomacy.promises import KINDS, find_promises
from ludus.games.diplomacy.records import Message

FILE = Path(__file__).parent / "promises.txt"
SECOND = "# ---- second part"

Found = tuple[str, str, str, bool]
"""Kind, place, when it is to be kept, and whether it hangs on a condition."""


class Sentence(NamedTuple):
    """A sentence and the promises that people find in it."""

    text: str
    promises: frozenset[Found]
    second_part: bool


class Figures(NamedTuple):
    """How many promises were rightly found, wrongly found, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed)


def read_sentences() -> list[Sentence]:
    sentences, second = [], False
    for line in FILE.read_text().splitlines():
        second = second or line == SECOND
        if not line.startswith("#"):
            label, text = line.split(" | ")
            sentences.append(Sentence(text, frozenset(_read_label(label)), second))
    return sentences


def _read_label(label: str) -> list[Found]:
    found = []
    for part in label.split(" + "):
        kind, *words = part.split()
        if kind != "-":
            places = [word for word in words if word.isupper()]
            when = next((word for word in words if word in ("next", "later")), "now")
            found.append((kind, places[0] if places else "", when, "if" in words))
    return found


def find_in(text: str) -> frozenset[Found]:
    """Return the promises that the rules find in a sentence of France to Germany."""
    found = set()
    for promise in find_promises([Message("FRANCE", "GERMANY", text, "S1901M")]):
        places = promise.places if promise.kind == "dmz" else promise.places[-1:]
        for place in places or ("",):
            found.add((promise.kind, place, promise.when, promise.conditional))
    return frozenset(found)


def count(sentences: Sequence[Sentence], kind: str = "") -> Figures:
    right = wrong = missed = 0
    for sentence in sentences:
        found, labelled = (
            {one for one in several if kind in ("", one[0])}
            for several in (find_in(sentence.text), sentence.promises)
        )
        right += len(found & labelled)
        wrong += len(found - labelled)
        missed += len(labelled - found)
    return Figures(right, wrong, missed)


def describe(*, faults: bool = False) -> list[str]:
    """Return the figures as lines, and the sentences that are misread if they are asked for."""
    sentences = read_sentences()
    parts = {
        "all": sentences,
        "first part": [one for one in sentences if not one.second_part],
        "second part": [one for one in sentences if one.second_part],
    }
    lines = [f"{'':<12}{'sentences':>10}{'promises':>10}{'precision':>11}{'recall':>8}"]
    lines += [_line(name, some, count(some)) for name, some in parts.items()]
    lines += [_line(kind, sentences, count(sentences, kind)) for kind in KINDS]
    if faults:
        misread = [one for one in sentences if find_in(one.text) != one.promises]
        lines += [f"{one.text}\n  found {sorted(find_in(one.text))}" for one in misread]
    return lines


def _line(name: str, some: Sequence[Sentence], figures: Figures) -> str:
    promises = figures.right + figures.missed
    rates = f"{figures.precision:>11.2f}{figures.recall:>8.2f}"
    return f"{name:<12}{len(some):>10}{promises:>10}{rates}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(describe(faults="--faults" in sys.argv)) + "\n")
