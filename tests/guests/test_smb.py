from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ludus.errors import OptionError
from ludus.games.guest.environment import GuestEnv
from ludus.guests import retro, smb
from ludus.guests.buttons import ACTION_SETS

STAND_INS = Path(__file__).parent / "stand_ins"


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Packages that fail under NumPy 2 as the real ones do."""
    _forget_packages()  # the real ones, where they are installed
    monkeypatch.syspath_prepend(str(STAND_INS))
    yield
    _forget_packages()


def _forget_packages() -> None:
    for name in [name for name in sys.modules if name.startswith(("nes_py", "gym_super_mario"))]:
        del sys.modules[name]


@pytest.mark.usefixtures("console")
def test_the_packages_alone_fail_and_the_adapter_plays() -> None:
    from gym_super_mario_bros.smb_env import SuperMarioBrosEnv

    with np.errstate(all="raise"), pytest.raises((OverflowError, FloatingPointError)):
        SuperMarioBrosEnv()
    env = smb.make("SuperMarioBros-2-3-v0@right-only")
    for _ in range(300):
        *_, info = env.step(np.int64(1))
    assert (info["x_pos"], info["world"], info["stage"]) == (256 + 300, 2, 3)
    assert type(info["x_pos"]) is int
    assert info["rom"].startswith("sha256:")
    assert info["full_game"] == 0
    assert smb.make("full-game").reset()[1]["full_game"] == 1
    assert env.action_space.n == 5  # type: ignore[attr-defined]


@pytest.mark.usefixtures("console")
def test_gymnasium_accepts_the_adapter() -> None:
    check_env(smb.make("1-1"), skip_render_check=True)


@pytest.mark.usefixtures("console")
def test_screens_are_not_changed_later() -> None:
    env = smb.make("1-1")
    first, *_ = env.step(np.int64(1))
    env.step(np.int64(1))
    assert (first == 1).all()


@pytest.mark.usefixtures("console")
def test_the_arena_plays_it() -> None:
    env = GuestEnv("ludus.guests.smb:1-1@complex", filming=True)
    assert env.actions == len(ACTION_SETS["complex"])
    assert env.reset(0).fault == ""
    played = env.step([4, 4])
    assert [frame.info["x_pos"] for frame in played.frames] == [257, 258]
    assert played.frames[0].picture is not None


class Hidden:
    """Finds modules before all others, to say that some are not there."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in ("gym_super_mario_bros", "stable_retro"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without the packages, whatever is installed here."""
    for name in [name for name in sys.modules if name.startswith(("gym_super", "stable_retro"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Hidden(), *sys.meta_path])


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("9-1", "no level '9-1': try 1-1 to 8-4, or full-game"),
        ("1-1@fast", "no actions 'fast': there are right-only, simple, complex"),
        ("1-1", "gym_super_mario_bros is missing: pip install gym-super-mario-bros"),
    ],
)
def test_one_line_says_what_is_missing(name: str, fault: str) -> None:
    with pytest.raises(OptionError) as refused:
        smb.make(name)
    assert str(refused.value) == fault


@pytest.mark.usefixtures("nothing_installed")
def test_stable_retro_is_named_when_it_is_missing() -> None:
    with pytest.raises(OptionError, match="stable_retro is missing: pip install stable-retro"):
        retro.make("1-1")


class Scrolling:
    """Tells what stable-retro tells of the game."""

    buttons = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A")
    observation_space = None

    def __init__(self) -> None:
        self.scrolled, self.pressed = 250, np.zeros(9)

    def reset(self, seed: int | None = None) -> tuple[None, dict[str, int]]:
        return None, {}

    def step(self, pressed: object) -> tuple[None, float, bool, bool, dict[str, int]]:
        self.scrolled, self.pressed = self.scrolled + 10, np.asarray(pressed)
        high, low = divmod(self.scrolled, 256)
        level = {"levelHi": 0, "levelLo": int(self.scrolled > 270)}
        counted = {"coins": 1, "time": 390, "lives": 2, "score": 100}
        return None, 1.0, False, False, {"xscrollHi": high, "xscrollLo": low, **level, **counted}


def test_what_retro_tells_becomes_what_others_tell() -> None:
    console = Scrolling()
    env = retro.SuperMarioBrosRetro(console, ACTION_SETS["simple"])
    env.reset()
    *_, first = env.step(np.int64(4))
    assert console.pressed.tolist() == [1, 0, 0, 0, 0, 0, 0, 1, 1]
    assert (first["x_pos"], first["world"], first["stage"], first["flag_get"]) == (260, 1, 1, False)
    env.step(np.int64(0))
    *_, last = env.step(np.int64(0))
    assert (last["stage"], last["flag_get"]) == (2, True)
