"""How boards say how well an entry is proven."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ludus.benchmarks.benchmark import Benchmark
from ludus.benchmarks.submitting import OWN_CODE
from ludus.boards.entry import BoardEntry
from ludus.runs.proof import Proof

if TYPE_CHECKING:
    from ludus.boards.board import Board, Row

__all__ = ["describe_proofs", "describe_ranks", "format_proof", "is_own_code", "rank_class"]

RETRAINED = "retrained"
_CAPTION = "Proof: claimed (unchecked), replayed (the actions), re-run (the agent itself)."
_TRAININGS_CAPTION = (
    "Proof: retrained (some trainings were done again here and gave the same actions), replayed "
    "(the actions alone; that the brain chose them is claimed), claimed (unchecked). Each ranks "
    "behind the one before. Own code: what it knew before its trainings is claimed; such code that "
    "could not be trained again is a class of its own."
)


def format_proof(benchmark: Benchmark, row: Row) -> str:
    """Return how well an entry is proven; of a sample, how large it was."""
    episodes = row.entry.summary.episodes
    own = ", own code" if is_own_code(row.entry) else ""
    if row.proof is not Proof.RERUN:
        return f"{row.proof}{own}"
    word = RETRAINED if benchmark.ranks_by_proof else str(row.proof)
    return (f"{word} {row.rerun}/{episodes}" if row.rerun < episodes else word) + own


def is_own_code(entry: BoardEntry) -> bool:
    """Return whether an entry is code of the submitter's own, which no catalogue knows."""
    return entry.summary.fingerprint.startswith(OWN_CODE)


def rank_class(proof: Proof, entry: BoardEntry) -> tuple[int, bool]:
    """Return the class that an entry is ranked in where proofs count, larger for a better one.

    Own code that was not trained again ranks behind what is proven alike of brains that are known.
    """
    return proof.strength, proof is Proof.RERUN or not is_own_code(entry)


def describe_proofs(benchmark: Benchmark) -> str:
    """Return what the words for proofs mean on a board, and whether they count for ranks."""
    return _TRAININGS_CAPTION if benchmark.ranks_by_proof else _CAPTION


def describe_ranks(board: Board) -> list[str]:
    """Return which ranks are proven how, as a sentence, for tables without room for the column."""
    named = [(format_proof(board.benchmark, row), row.rank) for row in board.rows]
    spans = []
    for words, rows in groupby(named, key=lambda pair: pair[0]):
        ranks = [number for _, number in rows]
        first, last = ranks[0], ranks[-1]
        spans.append(f"{first} {words}" if first == last else f"{first}–{last} {words}")
    return [f"Proof by rank: {', '.join(spans)}."] if spans else []
