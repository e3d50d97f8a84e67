"""Evolution of whole levels whose children are repaired, towards an ideal challenge.

In the spirit of the entry by Sorenson and Pasquier (2010). The fitness is Σ (2 c / M - c² / M²)
over rhythm groups, c being a group's challenge and M the ideal one; groups are separated by
stretches of low challenge. The record sets M: deaths lower it, wins and speed raise it. The
constants are ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludus.games.platformer.generators.personal.canvas import FLOOR, HIGHEST, LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.generators.personal.patterns import sow_enemies
from ludus.games.platformer.generators.personal.personal import personal_generator
from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["GENERATOR", "find_ideal_challenge", "measure_fitness"]

STEP = 6
POPULATION, GENERATIONS, ELITE = 16, 20, 4
WIDEST_GAP, HIGHEST_WALL = 5, 3
CALM = 0.5
"""Genes with less challenge separate groups."""


@dataclass(frozen=True, slots=True)
class Gene:
    """Six columns of a level.

    Attributes:
        row: The row of the ground.
        gap: Missing columns at the right end.
        enemies: Creatures.
        pipe: How tall a pipe stands there; 0 for none.
        extra: Blocks, coins or nothing.
    """

    row: int
    gap: int = 0
    enemies: int = 0
    pipe: int = 0
    extra: str = ""

    @property
    def challenge(self) -> float:
        """How hard the columns are."""
        return 0.5 * self.gap + 0.9 * self.enemies + 0.3 * self.pipe


Genome = tuple[Gene, ...]


def find_ideal_challenge(record: PlayerRecord) -> float:
    """Return M for a player.

    Example:
        >>> from ludus.games.platformer.recordings.profiles import PROFILES
        >>> [round(find_ideal_challenge(record), 1) for record in PROFILES.values()]
        [1.5, 4.2, 6.4]
    """
    speed = record.time_running / max(1, record.total_time)
    return max(1.5, 3 + 1.5 * record.wins + 2 * speed - 1.1 * record.deaths)


def measure_fitness(genome: Genome, ideal: float) -> float:
    """Return the sum over rhythm groups of 2 c / M - c² / M²."""
    total = challenge = 0.0
    for gene in (*genome, Gene(FLOOR)):
        if gene.challenge >= CALM:
            challenge += gene.challenge
        elif challenge:
            total += 2 * challenge / ideal - challenge**2 / ideal**2
            challenge = 0.0
    return total


def _draw(record: PlayerRecord, dice: Dice, width: int) -> Canvas:
    ideal = find_ideal_challenge(record)
    count = (width - LEAD) // STEP
    genomes = [tuple(_random_gene(dice) for _ in range(count)) for _ in range(POPULATION)]
    genomes = [_repair(genome) for genome in genomes]
    for _ in range(GENERATIONS):
        genomes.sort(key=lambda genome: measure_fitness(genome, ideal), reverse=True)
        best = genomes[: POPULATION // 2]
        children = [_make_child(best, dice) for _ in range(POPULATION - ELITE)]
        genomes = best[:ELITE] + children
    return _express(max(genomes, key=lambda genome: measure_fitness(genome, ideal)), dice, width)


def _random_gene(dice: Dice) -> Gene:
    return Gene(
        row=dice.between(HIGHEST, FLOOR),
        gap=dice.weigh({0: 6, 2: 1, 3: 1, 4: 1, 5: 1}),
        enemies=dice.weigh({0: 5, 1: 3, 2: 1}),
        pipe=dice.weigh({0: 6, 2: 1, 3: 1}),
        extra=dice.weigh({"": 4, "coins": 2, "blocks": 3}),
    )


def _make_child(parents: list[Genome], dice: Dice) -> Genome:
    one, other = dice.pick(parents), dice.pick(parents)
    cut, place = dice.between(1, len(one) - 1), dice.between(0, len(one) - 1)
    child = [*one[:cut], *other[cut:]]
    child[place] = _random_gene(dice)
    return _repair(tuple(child))


def _repair(genome: Genome) -> Genome:
    """Return a genome whose gaps can be crossed and whose walls can be climbed."""
    repaired: list[Gene] = []
    for gene in genome:
        before = repaired[-1] if repaired else Gene(FLOOR)
        wall = HIGHEST_WALL - (before.gap > 2)
        row = max(gene.row, before.row - wall)
        crowded = gene.pipe > 0 or before.gap > 0
        repaired.append(
            replace(
                gene,
                row=row,
                gap=min(gene.gap, WIDEST_GAP) if not gene.pipe else 0,
                enemies=min(gene.enemies, 1) if crowded else gene.enemies,
            )
        )
    return tuple(repaired)


def _express(genome: Genome, dice: Dice, width: int) -> Canvas:
    canvas = Canvas(width)
    for number, gene in enumerate(genome):
        x = LEAD + number * STEP
        canvas.raise_ground(x, x + STEP, gene.row)
        canvas.dig(x + STEP - gene.gap, gene.gap)
    canvas.raise_ground(canvas.end - 2, canvas.end, FLOOR - 1)
    for number, gene in enumerate(genome):
        _furnish(canvas, LEAD + number * STEP, gene, dice)
    return canvas


def _furnish(canvas: Canvas, x: int, gene: Gene, dice: Dice) -> None:
    if gene.pipe:
        canvas.put_pipe(x + 1, gene.pipe, dice.chance(0.3))
    sow_enemies(canvas, x, STEP, gene.enemies, dice, "ggkr")
    if gene.extra == "blocks":
        canvas.put_blocks(x, dice.pick(["SSQ", "QCQ", "S?S", "SSSS"]))
    elif gene.extra == "coins":
        canvas.put_coins(x, STEP - 1, 3)


GENERATOR = personal_generator(
    "repaired-ga", "for a player: evolved towards an ideal challenge, children repaired", _draw
)
