"""The result tables of Karakovskiy and Togelius (2012), and who of Ludus stands beside them.

Their competition seeds were secret and their levels are not ours, so figures can be set side by
side, not compared point by point. Nothing but the standard library is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["PAPER_TABLES", "PaperTable", "PublishedRow"]


class PublishedRow(NamedTuple):
    """A row of a table of the paper.

    Attributes:
        competitor: Who.
        approach: How; ``?`` where nobody knows.
        score: What it is ranked by; None if it has none.
        figures: Its other columns, in the table's order.
    """

    competitor: str
    approach: str
    score: float | None
    figures: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of the paper and the race that stands beside it.

    Attributes:
        number: I to VI.
        title: What it is about.
        benchmark: The track that stands beside it.
        columns: The further columns that both have, by the names of the track's figures.
        rows: What was published, in the paper's order.
        agents: Who plays for Ludus, with the approach of each.
        note: What has to be known to set them side by side.
    """

    number: str
    title: str
    benchmark: str
    columns: Sequence[str]
    rows: Sequence[PublishedRow]
    agents: Mapping[str, str]
    note: str


PLANNERS = {
    "astar": "A*",
    "realm": "evolved rules, A*",
    "best-first": "best-first search",
    "mcts": "Monte Carlo tree search",
}
HAND_WRITTEN = {
    "rule-based": "rules",
    "state-machine": "state machine",
    "subsumption": "layers",
    "scared-speedy": "rules",
    "scared": "rules",
    "forward": "rules",
    "forward-jumping": "rules",
}
LEARNED = {
    "neuro-evolution": "evolved neural net",
    "genetic-programming": "genetic programming",
    "behaviour-tree": "grammatical evolution",
    "cuckoo-search": "cuckoo search",
    "q-learning": "Q-learning",
    "imitation": "imitation of A*",
}
LEARNERS = {
    "realm": "evolved rules",
    "cuckoo-search": "cuckoo search",
    "genetic-programming": "genetic programming",
    "neuro-evolution": "evolved neural net",
    "q-learning": "Q-learning",
    "behaviour-tree": "grammatical evolution",
    "rule-based": "rules, learns nothing",
    "forward-jumping": "rules, learns nothing",
}

_OTHER_SEED = "The seed of the event was secret; Ludus plays seed 0."
_OTHER_LOOP = (
    "The paper adds up six passes over 180 levels of a secret seed and with the items of its own "
    "version; Ludus plays the 180 levels once, with seed 0."
)

PAPER_TABLES: Mapping[str, PaperTable] = {
    table.number: table
    for table in (
        PaperTable(
            "I",
            "ICE-GIC 2009",
            "mario-ai/gameplay-2009-ice",
            ("ms/step",),
            (
                PublishedRow("Robin Baumgarten", "A*", 17264, (5.62,)),
                PublishedRow("Peter Lawford", "A*", 17261, (6.99,)),
                PublishedRow("Andy Sloane et al.", "A*", 16219, (15.19,)),
                PublishedRow("Sergio Lopez", "rules", 12439, (0.04,)),
                PublishedRow("Mario Perez", "state machine, layers", 8952, (0.03,)),
                PublishedRow("Rafael Oliveira", "rules", 8251),
                PublishedRow("Michael Tulacek", "state machine", 6668, (0.03,)),
                PublishedRow("Erek Speed", "genetic algorithm", 2896, (0.03,)),
                PublishedRow("Glenn Hartmann", "rules", 1170, (0.06,)),
                PublishedRow("Evolved neural net", "neural net", 7805, (0.04,)),
                PublishedRow("ForwardJumpingAgent", "rules", 9361, (0.0007,)),
            ),
            {**PLANNERS, **HAND_WRITTEN, **LEARNED, "random": "chance", "idle": "nothing"},
            f"{_OTHER_SEED} Milliseconds are of this machine, and include the game's own.",
        ),
        PaperTable(
            "II",
            "CIG 2009",
            "mario-ai/gameplay-2009-cig",
            ("levels cleared", "time left", "kills", "mode sum"),
            (
                PublishedRow("Robin Baumgarten", "A*", 46564.8, (40, 4878, 373, 76)),
                PublishedRow("Peter Lawford", "A*", 46564.8, (40, 4841, 421, 69)),
                PublishedRow("Andy Sloane", "A*", 44735.5, (38, 4822, 294, 67)),
                PublishedRow("Trond Ellingsen", "rules", 20599.2, (11, 5510, 201, 22)),
                PublishedRow("Sergio Lopez", "rules", 18240.3, (11, 5119, 83, 17)),
                PublishedRow("Spencer Schumann", "rules", 17010.5, (8, 6493, 99, 24)),
                PublishedRow("Matthew Erickson", "GP", 12676.3, (7, 6017, 80, 37)),
                PublishedRow("Douglas Hawkins", "GP", 12407.0, (8, 6190, 90, 32)),
                PublishedRow("Sergey Polikarpov", "neural net", 12203.3, (3, 6303, 67, 38)),
                PublishedRow("Mario Perez", "state machine, layers", 12060.2, (4, 4497, 170, 23)),
                PublishedRow("Alexandru Paler", "neural net, A*", 7358.9, (3, 4401, 69, 43)),
                PublishedRow("Michael Tulacek", "state machine", 6571.8, (3, 5965, 52, 14)),
                PublishedRow("Rafael Oliveira", "rules", 6314.2, (1, 6692, 36, 9)),
                PublishedRow("Glenn Hartmann", "rules", 1060.0, (0, 1134, 8, 71)),
                PublishedRow("Erek Speed", "genetic algorithm", None),
            ),
            {**PLANNERS, **HAND_WRITTEN, **LEARNED},
            f"{_OTHER_SEED} How lengths were drawn is not published, so the levels of Ludus are of "
            "other lengths.",
        ),
        PaperTable(
            "III",
            "EvoStar 2010",
            "mario-ai/gameplay-2010-evostar",
            ("disqualified",),
            (
                PublishedRow("Robin Baumgarten", "A*", 634468, (3,)),
                PublishedRow("Sergey Polikarpov", "CyberNeuron (RL)", 301775, (9,)),
                PublishedRow("Alexander Buck", "?", 290204, (0,)),
                PublishedRow("Eamon Wong", "Q-learning", 253867, (0,)),
                PublishedRow("Mathew Erickson", "GP", 167862, (0,)),
            ),
            {**PLANNERS, "astar#plain": "A*, no dead ends", **LEARNED, "forward-jumping": "rules"},
            f"{_OTHER_SEED} The levels of April 2010 came from an older generator.",
        ),
        PaperTable(
            "IV",
            "WCCI 2010",
            "mario-ai/gameplay-2010",
            ("disqualified",),
            (
                PublishedRow("Sergey Polikarpov", "CyberNeuron (RL)", 1637935, (1,)),
                PublishedRow("Robin Baumgarten", "A*", 1537834, (312,)),
                PublishedRow(
                    "Robert Reynolds et al.", "Elman network, cultural algorithm", 1113437, (0,)
                ),
                PublishedRow("Alexander Buck", "?", 991372, (0,)),
                PublishedRow("Eamon Wong", "Q-learning", 972341, (0,)),
                PublishedRow("Mathew Erickson", "GP", 634239, (0,)),
            ),
            {**PLANNERS, "astar#plain": "A*, no dead ends", **LEARNED, "forward-jumping": "rules"},
            _OTHER_LOOP,
        ),
        PaperTable(
            "V",
            "CIG 2010",
            "mario-ai/gameplay-2010",
            ("disqualified", "levels cleared", "kills"),
            (
                PublishedRow("Bojarski and Congdon", "REALM", 1789109.1, (0, 94, 246)),
                PublishedRow("Sergey Polikarpov", "CyberNeuron (RL)", 1348465.6, (4, 82, 156)),
                PublishedRow("Robin Baumgarten", "A*", 1253462.6, (271, 63, 137)),
                PublishedRow("Perez and Nicolau", "grammatical evolution", 1181452.4, (0, 62, 173)),
                PublishedRow("Reynolds and Speed", "cuckoo search", 804635.7, (0, 16, 86)),
                PublishedRow("Alexander Buck", "?", 442337.8, (0, 4, 65)),
                PublishedRow("Matthew Erickson", "GP", 12676.3, (7, 60, 80)),
                PublishedRow("Eamon Wong", "Q-learning", 438857.6, (0, 0, 27)),
            ),
            {**PLANNERS, "astar#plain": "A*, no dead ends", **LEARNED, "forward-jumping": "rules"},
            f"{_OTHER_LOOP} The row of Erickson repeats his figures of 2009.",
        ),
        PaperTable(
            "VI",
            "learning track, CIG 2010",
            "mario-ai/learning-2010",
            (),
            (
                PublishedRow("Bojarski and Congdon", "REALM", 45017),
                PublishedRow("FEETSIES team", "cuckoo search", 44801),
                PublishedRow("Laura Villalobos", "GP", 41024),
                PublishedRow("Robin Baumgarten", "A*, learns nothing", 19054),
            ),
            LEARNERS,
            "Five levels, 10,000 training plays on each. Players of Ludus have no forward model "
            "here, so that A* cannot play.",
        ),
    )
}
"""The tables by their numbers."""
