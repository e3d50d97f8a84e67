"""Players made of foreign models: archives of Stable-Baselines3 and modules of PyTorch.

Both formats hold pickled objects, and reading one runs whatever code its maker put in. They are
therefore read only in a run that trusts them: ``ludus run --trust …``, ``RunContext(trust=True)``.
What ``ludus train`` writes needs no trust.
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.platformer.network import ONE
from ludus.agents.platformer.policy import HELD
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError, MissingExtra
from ludus.games.platformer._native import SIGHT_FIELDS
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.codes import check_framework_buttons
from ludus.games.platformer.environments.buttons import RIGHT_ONLY, SIMPLE_MOVEMENT, named_actions
from ludus.games.platformer.environments.learner_views import BUFFERS, CONVERSIONS
from ludus.games.platformer.environments.options import ACTIONS
from ludus.games.platformer.view import View

__all__ = ["Foreign", "from_spec"]

ACTION_BITS = np.array([1, 2, 4, 8, 16])

TABLES = {
    len(actions): tuple(named_actions(actions, "framework").tolist())
    for actions in (RIGHT_ONLY, SIMPLE_MOVEMENT)
} | {len(ACTIONS): ACTIONS}
"""The buttons of each action, by how many actions there are."""


def from_spec(
    spec: str, variant: str | None = None, *, context: RunContext = DEFAULT_CONTEXT
) -> Foreign:
    """Return the player of a spec such as ``sb3:model.zip`` or ``torch:policy.pt``.

    Args:
        spec: The scheme and the file. An archive may name its class: ``sb3:DQN:model.zip``.
        variant: ``argmax`` or ``sample``; what the scenario asks for if None.
        context: Says whether such files are trusted.

    Raises:
        AgentError: The file is not trusted, not there, or holds no such model.
        MissingExtra: Stable-Baselines3 or torch is not installed.
    """
    scheme, _, model_spec = spec.partition(":")
    kind, _, file = model_spec.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise AgentError(f"agent {spec!r}: there is no file {file!r}")
    if not context.trust and not context.sandbox:
        raise AgentError(
            f"agent {spec!r} is read by running code that its maker wrote: if you trust it, "
            "say --trust, or play it with --sandbox"
        )
    model = _load_archive(path, kind or "PPO") if scheme == "sb3" else _load_module(path)
    agent = Foreign(model, path.stem, variant)
    agent.fingerprint = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return agent


def _import_extra(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingExtra(f"{name} is not installed; try: make test-sb3") from error


def _load_archive(path: Path, kind: str) -> Any:
    library = _import_extra("stable_baselines3")
    if not hasattr(library, kind):
        raise AgentError(f"Stable-Baselines3 has no algorithm {kind!r}: try PPO, A2C or DQN")
    try:
        return getattr(library, kind).load(path, device="cpu")
    except Exception as error:
        raise AgentError(f"{str(path)!r} holds no model of {kind}: {error}") from error


def _load_module(path: Path) -> Any:
    torch = _import_extra("torch")
    try:
        module = torch.load(path, map_location="cpu", weights_only=False)
    except Exception as error:
        raise AgentError(f"{str(path)!r} holds no module: {error}") from error
    if not callable(module):
        raise AgentError(f"{str(path)!r} holds a {type(module).__name__}, not a module")
    module.eval()
    return _TorchPolicy(module, torch)


class _TorchPolicy:
    """A module that is asked for actions as Stable-Baselines3's models are."""

    observation_space = None

    def __init__(self, module: Any, torch: Any) -> None:
        self._module, self._torch = module, torch

    def predict(self, observed: NDArray[Any], *, deterministic: bool) -> tuple[Any, None]:
        """Return the action of a row of fields."""
        with self._torch.no_grad():
            row = self._torch.as_tensor(observed, dtype=self._torch.float32)[None]
            preferences = np.asarray(self._module(row)[0], np.float64)
        likely = np.exp(preferences - preferences.max())
        ladder = np.cumsum(likely)
        if deterministic:
            return np.argmax(preferences), None
        return np.searchsorted(ladder, np.random.random() * ladder[-1]), None  # noqa: NPY002


class Foreign:
    """Plays what a model predicts.

    A model of Stable-Baselines3 is shown what it was trained on, by the parts of its observation
    space: ``scene``, ``enemies``, ``merged``, ``state``, ``fields``, ``scaled_state``, ``classes``
    or ``planes``, as ``ludus/Platformer-v0`` and ``ludus/MarioArena-v0`` have them. A module is
    shown the fields that ``ludus train`` shows, and returns one number for each action. Actions are
    five buttons, or numbers: of ``RIGHT_ONLY`` if there are five, of ``SIMPLE_MOVEMENT`` if there
    are seven, and of ``actions="discrete"`` if there are twelve.
    """

    def __init__(self, model: Any, name: str, variant: str | None = None) -> None:
        self._model, self._variant = model, variant
        self.name = name
        self.fingerprint = ""
        self._ticks_held, self._ticks_left, self._buttons, self._greedy = HELD, 0, 0, False

    def reset(self, scenario: Any) -> None:
        """Choose as the scenario has it."""
        choice = self._variant or getattr(scenario, "policy", "sample")
        self._greedy = choice == "argmax"
        self._ticks_held, self._ticks_left = 1 if isinstance(scenario, ArenaScenario) else HELD, 0
        if hasattr(self._model, "set_random_seed"):
            self._model.set_random_seed(getattr(scenario, "seed", 0) % 2**32)
        else:
            np.random.seed(getattr(scenario, "seed", 0) % 2**32)  # noqa: NPY002

    def act(self, view: View) -> int:
        """Return the buttons of the decision, which may still be the one before."""
        if self._ticks_left == 0:
            check_framework_buttons(view.rules)
            action, _ = self._model.predict(self._observe_view(view), deterministic=self._greedy)
            self._buttons = _read_buttons(np.asarray(action), self._count_actions())
            self._ticks_left = self._ticks_held
        self._ticks_left -= 1
        return self._buttons

    def _count_actions(self) -> int:
        space = getattr(self._model, "action_space", None)
        return int(getattr(space, "n", len(ACTIONS)))

    def _observe_view(self, view: View) -> Any:
        space = self._model.observation_space
        if space is None:
            return view.sight_fields() / np.float32(ONE)
        parts = getattr(space, "spaces", None)
        if parts is None:
            return _observe_part(view, _name_part(space.shape), space.shape)
        return {name: _observe_part(view, name, part.shape) for name, part in parts.items()}


def _name_part(shape: tuple[int, ...]) -> str:
    """Return which part a space of this shape is, of those that have no name."""
    if len(shape) == 1:
        return "fields" if shape[0] == SIGHT_FIELDS else "state"
    return "merged" if len(shape) == 2 else "planes"


def _observe_part(view: View, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    if name == "fields":
        return view.sight_fields() / np.float32(ONE)
    if name in CONVERSIONS:
        return CONVERSIONS[name](_observe_part(view, BUFFERS[name], shape[-2:]))
    if name == "state":
        return view.state()
    if name not in ("scene", "enemies", "merged"):
        raise AgentError(f"the model wants to see {name!r}, which agents are not shown")
    detail = {"scene": 1, "enemies": 0, "merged": (1, 0)}[name]
    grid = view.grid(name, detail=detail, size=(shape[0], shape[1]))  # type: ignore[arg-type]
    return grid.astype(np.uint8)


def _read_buttons(action: NDArray[Any], actions: int) -> int:
    if action.size == ACTION_BITS.size:
        return int((action.reshape(-1) > 0) @ ACTION_BITS)
    if actions not in TABLES:
        raise AgentError(f"the model has {actions} actions: give it {', '.join(map(str, TABLES))}")
    return int(TABLES[actions][int(action)])
