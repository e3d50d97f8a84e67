"""Ways to score an episode: the standard one, and those that care for something else.

In every mode an episode that was completed beats every episode that was not, whatever else they
did within the step cap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ludus.benchmarks.mario_arena.episode import ArenaEpisode
from ludus.errors import OptionError

__all__ = ["GAME_FORMULAS", "MODES", "Lexicographic", "Mode", "Weighted", "find_mode"]

TENTHS = 10
WORLD, STAGE = 10_000, 1_000
GAME = 10
"""Completing the whole game is worth so many times what a level is."""


class Mode(Protocol):
    """A way to score."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def formula(self) -> str:
        """The score of a level in words and signs."""
        ...

    @property
    def why(self) -> str:
        """What it is for, in a sentence."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """What it must know of an episode beside what every mode must."""
        ...

    @property
    def scale(self) -> int:
        """How many units make a point."""
        ...

    def parts(self, episode: ArenaEpisode) -> dict[str, int]:
        """Return what the score is made of, in units."""
        ...

    def rounded(self, units: int) -> int:
        """Return a score in whole points, for people."""
        ...


@dataclass(frozen=True, slots=True)
class Weighted:
    """A score that is a sum of things, each times its weight.

    Attributes:
        name: What it is called.
        formula: The score of a level in words and signs.
        why: What it is for, in a sentence.
        needs: What it must know of an episode beside what every mode must.
        completion: Points for completing a level; ten times as many for the whole game.
        step: Tenths of a point that every decision costs.
        coin: Points for a coin.
        coin_in_game: Points for a coin of the whole game.
        second: Points for what is left on the clock of a completed level; of no other.
        life: Points for each of up to nine lives left.
        power: Points for being large, twice that for fire.
        jump: Points for each of up to a hundred jumps a level.
        kill: Points for each of up to a hundred creatures a level.
        feat: Points for each kind of feat.
    """

    name: str
    formula: str
    why: str
    needs: tuple[str, ...] = ()
    completion: int = 1_000_000
    step: int = 1
    coin: int = 0
    coin_in_game: int = 0
    second: int = 0
    life: int = 0
    power: int = 0
    jump: int = 0
    kill: int = 0
    feat: int = 0

    scale = TENTHS

    def parts(self, episode: ArenaEpisode) -> dict[str, int]:
        """Return what the score is made of, in tenths; what has no weight is left out."""
        game, done = episode.full_game, episode.completed
        progress = WORLD * episode.world + STAGE * episode.stage + episode.max_x_pos
        tenths = {
            "completion": TENTHS * self.completion * (GAME if game else 1) * done,
            "progress": TENTHS * progress,
        }
        if coins := (self.coin_in_game if game else self.coin) * episode.coins:
            tenths["coins"] = TENTHS * coins
        if done and not game and (time := self.second * episode.time_remaining):
            tenths["time"] = TENTHS * time
        if self.needs:
            tenths |= self._extra_parts(episode)
        tenths["steps"] = -self.step * episode.steps
        return tenths

    def _extra_parts(self, episode: ArenaEpisode) -> dict[str, int]:
        """Return what only few modes count, in tenths; what is worth nothing is left out."""
        most = 3_200 if episode.full_game else 100
        points = {
            "lives": self.life * min(episode.lives, 9),
            "power": self.power * episode.power,
            "jumps": self.jump * min(episode.jumps, most),
            "kills": self.kill * min(episode.kills, most),
            "variety": self.feat * episode.variety,
        }
        return {name: TENTHS * value for name, value in points.items() if value}

    def rounded(self, units: int) -> int:
        """Return whole points, halves down: the penalty is rounded up, as the examples have it."""
        return -((TENTHS // 2 - units) // TENTHS)


@dataclass(frozen=True, slots=True)
class Lexicographic:
    """A score whose whole points say how far, and whose digits behind the point decide ties."""

    name: str
    formula: str
    why: str
    needs: tuple[str, ...] = ()

    scale = 10**9

    def parts(self, episode: ArenaEpisode) -> dict[str, int]:
        """Return what the score is made of, in billionths."""
        game, done = episode.full_game, episode.completed
        clock = min(episode.time_remaining, 999) * (done and not game)
        return {
            "completion": 1_000_000 * (GAME if game else 1) * done * self.scale,
            "progress": (WORLD * episode.level + min(episode.max_x_pos, 9_999)) * self.scale,
            "coins": 0 if game else episode.coins * 10**7,
            "time": clock * 10**4,
            "steps": self._haste(episode.steps, game=game),
        }

    def _haste(self, steps: int, *, game: bool) -> int:
        """Return what few decisions are worth: four digits in a level, six in the whole game."""
        return (999_999 - min(steps, 999_999)) * 1_000 if game else 9_999 - min(steps, 9_999)

    def rounded(self, units: int) -> int:
        """Return how far it got."""
        return units // self.scale


P = "10,000·world + 1,000·stage + max x"

_ALL: tuple[Mode, ...] = (
    Weighted(
        name="standard",
        formula=f"1,000,000·completed + {P} + 100·coins + 10·time·completed − 0.1·steps",
        why="The published arena score.",
        coin=100,
        second=10,
    ),
    Weighted(
        name="speedrun",
        formula=f"10,000,000·completed + {P} + 1,000·time·completed − steps",
        why="Among those who complete, the clock decides; steps decide within one of its units.",
        completion=10_000_000,
        step=10,
        second=1_000,
    ),
    Weighted(
        name="coins",
        formula=f"1,000,000·completed + {P} + 5,000·coins − 0.1·steps",
        why="A coin outweighs the way to it; all of them do not outweigh completing the level.",
        coin=5_000,
        coin_in_game=1_000,
    ),
    Weighted(
        name="survival",
        formula=f"1,000,000·completed + {P} + 50,000·min(lives, 9) + 10,000·power − 0.1·steps",
        why="Who comes through with lives left and unhurt beats who only comes through.",
        needs=("lives", "power"),
        life=50_000,
        power=10_000,
    ),
    Weighted(
        name="style",
        formula=(
            f"1,000,000·completed + {P} + 50·min(jumps, 100) + 500·min(kills, 100)"
            " + 5,000·variety − 0.1·steps"
        ),
        why="Jumps, defeats and above all variety count; the caps leave nothing to farm.",
        needs=("jumps", "kills", "variety"),
        jump=50,
        kill=500,
        feat=5_000,
    ),
    Lexicographic(
        name="strict",
        formula=(
            "1,000,000·completed + 10,000·level + min(max x, 9,999)"
            "; then coins, then time·completed, then fewer steps"
        ),
        why="Further always beats: coins, clock and steps decide between equals only.",
    ),
)

MODES: dict[str, Mode] = {mode.name: mode for mode in _ALL}

_FURTHEST = "progress in the furthest level"

GAME_FORMULAS = {
    "standard": f"10,000,000·completed + {_FURTHEST} − 0.1·steps",
    "speedrun": f"100,000,000·completed + {_FURTHEST} − steps",
    "coins": f"10,000,000·completed + {_FURTHEST} + 1,000·coins − 0.1·steps",
    "survival": (
        f"10,000,000·completed + {_FURTHEST} + 50,000·min(lives, 9) + 10,000·power − 0.1·steps"
    ),
    "style": (
        f"10,000,000·completed + {_FURTHEST} + 50·min(jumps, 3,200) + 500·min(kills, 3,200)"
        " + 5,000·variety − 0.1·steps"
    ),
    "strict": "10,000,000·completed + 10,000·level + min(max x, 9,999); then fewer steps",
}
"""The score of the whole game in words and signs, by mode."""


def find_mode(name: str) -> Mode:
    """Return the scoring mode of this name.

    Raises:
        OptionError: There is none.
    """
    if name not in MODES:
        raise OptionError(f"no scoring mode {name!r}; there are {', '.join(MODES)}")
    return MODES[name]
