"""The Gymnasium environment ``ludus/MarioArena-v0``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.benchmarks.mario_arena.environments.info import SIZES, describe_episode
from ludus.benchmarks.mario_arena.environments.options import ArenaOptions, read_options
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.environments import PlatformerEnv
from ludus.games.platformer.level_names import LevelLike
from ludus.games.sticky_actions import StickyActions

__all__ = ["MarioArenaEnv"]


class MarioArenaEnv(PlatformerEnv):
    """Episodes of mario-arena: held, sticky and late actions, no-op starts, caps, lives.

    An episode after ``reset(seed=s)`` is the track's episode of the scenario with seed s: the same
    actions lead to the same score, facts and state.

    Args:
        level: What an episode plays: ``"1-1"`` … ``"8-4"``; ``"full-game"`` for all 32 with three
            lives; ``"campaign"``, a list of levels, or a recipe such as ``{"generator": "ludus",
            "difficulty": 3, "seeds": 200}`` for one of them, drawn anew for every episode. A level
            that is none of the campaign's counts as 1-1.
        terms: Frame skip, sticky actions, no-ops, step cap and lives; by default the track's, and
            with others an episode is none of the track.
        render_mode: As of :class:`~ludus.games.platformer.environments.PlatformerEnv`.
        options: ``observation`` (default ``"fields"``), ``size``, ``detail``, ``centre``,
            ``layout``, ``actions`` (default ``"SIMPLE_MOVEMENT"``) and ``reward``, likewise.

    The episode is truncated by the step cap, and terminated by all else. ``info`` has ``x_pos``,
    ``y_pos`` (upwards), ``world``, ``stage``, ``coins``, ``time``, ``life``, ``flag_get`` (a level
    was completed in this step), ``status`` (``small``, ``tall`` or ``fireball``), ``score`` (the
    arena's, were the episode over now) and ``is_success``.

    Example:
        >>> import gymnasium
        >>> env = gymnasium.make("ludus/MarioArena-v0", level="1-1")
        >>> observation, info = env.reset(seed=7)
        >>> info["world"], info["stage"], info["life"], info["status"]
        (1, 1, 1, 'small')
    """

    _options: ArenaOptions

    def __init__(
        self,
        level: LevelLike | Sequence[LevelLike] = "1-1",
        terms: StickyActions | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(render_mode, level=level, terms=terms, **options)

    @property
    def scenario(self) -> ArenaScenario:
        """The scenario of the track that the current episode plays.

        Raises:
            OptionError: Its level is none of the campaign's.
        """
        native = self._worlds.native
        return self._options.make_scenario(native.info(0)["level"], native.course_seed(0))

    def _read_options(self, options: dict[str, Any]) -> ArenaOptions:
        return read_options(options.pop("level"), options.pop("terms"), options)

    def _prepare(self) -> None:
        super()._prepare()
        places, heights = self._options.places.tolist(), self._options.heights.tolist()
        self._places = [
            [(*place, height) for place, height in zip(*course, strict=True)]
            for course in zip(places, heights, strict=True)
        ]

    def _describe(self, info: dict[str, Any]) -> dict[str, Any]:
        place = self._places[info["level"]][info["stage"]]
        xy = (int(info["x"]), int(info["y"]))
        described = describe_episode(info, place, xy, full_game=self._options.full_game)
        described["status"] = SIZES[info["mode"]]
        return described
