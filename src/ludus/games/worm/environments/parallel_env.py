"""A PettingZoo parallel environment of several worms on one dish, with the extra ``diplomacy``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray

from ludus.distribution import install_command
from ludus.errors import EpisodeOver, MissingExtra, OptionError
from ludus.games.one_thread import Turn, one_thread
from ludus.games.saved_state import Restorable
from ludus.games.worm.codes import ACTIONS, Ending
from ludus.games.worm.colony import Colony, ColonyTask, find_colony_task
from ludus.games.worm.colony.features import colony_feature_names

try:
    from pettingzoo import ParallelEnv
except ImportError as error:
    message = f"PettingZoo is not installed; it is needed here: {install_command('diplomacy')}"
    raise MissingExtra(message) from error

__all__ = ["WormColonyEnv"]

SEEDS = 2**32
Senses = NDArray[np.float32]


class WormColonyEnv(Restorable, ParallelEnv):  # type: ignore[misc]
    """Several worms that act at once, compete for food and leave scents.

    **Action**: 0 forward, 1 left, 2 right, 3 stay; with six actions 4 reverse and 5 omega too.

    **Observation**: what the worm senses, named by ``colony_feature_names(env.task)``.

    **Reward**: what its step paid it, as for a worm alone.

    A worm is terminated when it has eaten all its food, starves or dies, and truncated when the
    steps run out. After ``reset(seed=S)`` the coming episodes have the seeds S, S + 1 and so on.

    Args:
        task: A task for several worms, or the name of one.
        render_mode: ``rgb_array`` or None.

    Example:
        >>> env = WormColonyEnv("crowd-foraging-small")
        >>> observations, infos = env.reset(seed=1)
        >>> observations, rewards, *_ = env.step({agent: 0 for agent in env.agents})
        >>> env.agents[0], observations["worm_0"].shape
        ('worm_0', (7,))
    """

    metadata = {"name": "ludus/worm_colony_v0", "render_modes": ["rgb_array"]}  # noqa: RUF012

    def __init__(
        self, task: ColonyTask | str = "crowd-foraging-small", render_mode: str | None = None
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise OptionError(f"no render mode {render_mode!r}; try 'rgb_array'")
        self.render_mode = render_mode
        self.task = find_colony_task(task) if isinstance(task, str) else task
        self.possible_agents = [f"worm_{k}" for k in range(self.task.worms)]
        self.agents: list[str] = []
        self._numbers = {agent: k for k, agent in enumerate(self.possible_agents)}
        self._colony = Colony(self.task, 0)
        self._turn = Turn()
        self._started = False
        self._np_random: np.random.Generator | None = None
        self._np_random_seed: int | None = None
        senses = len(colony_feature_names(self.task))
        # the combined raw gradient and the entropy of six actions go beyond 1
        space = Box(-np.inf, np.inf, (senses,), np.float32)
        self._senses = dict.fromkeys(self.possible_agents, space)
        self._actions = {a: Discrete(self.task.actions) for a in self.possible_agents}

    def action_space(self, agent: str) -> Discrete:
        """Return the space of a worm's actions."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> Box:
        """Return the space of what a worm senses."""
        return self._senses[agent]

    @property
    def colony(self) -> Colony:
        """A copy of the colony as it is: look ahead with it, it changes nothing here."""
        return self._colony.clone()

    @one_thread
    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Senses], dict[str, dict[str, Any]]]:
        """Begin an episode, with this seed or the next one."""
        self._colony = Colony(self.task, self._next_seed(seed))
        self._started = True
        self.agents = list(self.possible_agents)
        return self._observe(self.agents), {agent: {} for agent in self.agents}

    def _next_seed(self, seed: int | None) -> int:
        if seed is not None:
            self._np_random, self._np_random_seed = np_random(seed)
            return seed % SEEDS
        if self._started:
            return (self._colony.seed + 1) % SEEDS
        if self._np_random is None:
            self._np_random, self._np_random_seed = np_random()
        return int(self._np_random.integers(SEEDS))

    @one_thread
    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Senses],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play one step of all worms; one without an action stays."""
        if not self._started or not self.agents:
            raise EpisodeOver("no episode is under way: call reset() before the next step")
        acting, stay = list(self.agents), ACTIONS.index("stay")
        rewards = self._colony.step([actions.get(agent, stay) for agent in self.possible_agents])
        endings = dict(zip(self.possible_agents, self._colony.endings, strict=True))
        truncated = {agent: endings[agent] is Ending.MAX_STEPS for agent in acting}
        terminated = {agent: bool(endings[agent]) and not truncated[agent] for agent in acting}
        infos = {agent: self._info(agent) if endings[agent] else {} for agent in acting}
        self.agents = [agent for agent in acting if not endings[agent]]
        paid = {agent: rewards[self._numbers[agent]] for agent in acting}
        return self._observe(acting), paid, terminated, truncated, infos

    def render(self) -> NDArray[np.uint8] | None:
        """Return the dish as a picture, if the environment was made to."""
        if self.render_mode is None:
            return None
        from ludus.games.worm.colony.pictures import ColonyPainter
        from ludus.games.worm.pictures import SIDE

        paths = [np.array([worm.worm]) for worm in self._colony.worms()]
        return ColonyPainter(self.task.dish, "light", SIDE).paint_colony(self._colony, paths)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def _clone_worlds(self) -> bytes:
        return self._colony.clone_state()

    def _restore_worlds(self, worlds: bytes) -> None:
        self._colony.restore_state(worlds)
        endings = zip(self.possible_agents, self._colony.endings, strict=True)
        self.agents = [agent for agent, ending in endings if not ending]

    def _observe(self, agents: list[str]) -> dict[str, Senses]:
        features = self._colony.features
        return {agent: features[self._numbers[agent]].copy() for agent in agents}

    def _info(self, agent: str) -> dict[str, Any]:
        worm = self._colony.worm(self._numbers[agent])
        return {**worm.figures(), "reason": worm.ending.reason}
