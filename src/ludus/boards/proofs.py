"""How boards say how well an entry is proven."""

from __future__ import annotations

from ludus.benchmarks.benchmark import Benchmark
from ludus.boards.board import Row
from ludus.runs.proof import Proof

__all__ = ["describe_proofs", "format_proof"]

RETRAINED = "retrained"
_CAPTION = "Proof: claimed (unchecked), replayed (the actions), re-run (the agent itself)."
_TRAININGS_CAPTION = (
    "Proof: retrained (some trainings were done again here and gave the same actions), replayed "
    "(the actions alone; that the brain chose them is claimed), claimed (unchecked). Each ranks "
    "behind the one before."
)


def format_proof(benchmark: Benchmark, row: Row) -> str:
    """Return how well an entry is proven; of a sample, how large it was."""
    episodes = row.entry.summary.episodes
    if row.proof is not Proof.RERUN:
        return str(row.proof)
    word = RETRAINED if benchmark.ranks_by_proof else str(row.proof)
    return f"{word} {row.rerun}/{episodes}" if row.rerun < episodes else word


def describe_proofs(benchmark: Benchmark) -> str:
    """Return what the words for proofs mean on a board, and whether they count for ranks."""
    return _TRAININGS_CAPTION if benchmark.ranks_by_proof else _CAPTION
