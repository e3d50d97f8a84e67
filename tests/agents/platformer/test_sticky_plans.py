from __future__ import annotations

import pytest

from ludus.agents.platformer.planning.sticky_plans import ARRIVES, CAUTIONS, NONE, RESTS
from ludus.errors import OptionError
from ludus.games.platformer import ForwardModel, Level, World
from ludus.games.platformer._native import plan_sticky
from ludus.games.platformer.arena.levels import arena_level

CAREFUL = CAUTIONS[0].outcomes
SKIP, RUNNING = 4, 0


def model_of(stage: str, ticks: int = 20) -> ForwardModel:
    w = World(arena_level(stage))
    for _ in range(ticks):
        w.step(0)
    return w.forward_model()


def follow(model: ForwardModel, decisions: bytes, late: tuple[int, int]) -> ForwardModel:
    """Play decisions whose changes come late."""
    played, before = model.clone(), 0
    for number, buttons in enumerate(decisions):
        wait = 0 if buttons == before else late[number > 0]
        for tick in range(SKIP):
            if played.status == RUNNING:
                played.advance(before if tick < wait else buttons)
        before = buttons
    return played


@pytest.mark.parametrize("stage", ["1-1", "4-2", "8-1"])
def test_a_plan_survives_every_outcome(stage: str) -> None:
    model = model_of(stage)
    verdict, decisions, nodes = plan_sticky(model, 0, CAREFUL, SKIP, 6000, 208, 5, 1.3)
    assert verdict == ARRIVES
    assert 0 < nodes <= 6010
    for late in CAREFUL:
        after = follow(model, decisions, late)
        assert after.status == RUNNING
        assert after.mario.on_ground
        assert after.mario.x >= model.mario.x + 208


def test_who_cannot_get_on_rests_and_who_falls_has_no_plan() -> None:
    rows = [*["-" * 40] * 6, "--M" + "-" * 36 + "F", "XXXXX" + "-" * 34 + "X"]
    w = World(Level.parse("\n".join(rows)))
    for _ in range(8):
        w.step(0)
    verdict, decisions, _ = plan_sticky(w.forward_model(), 0, CAREFUL, SKIP, 2000, 208, 5, 1.3)
    assert verdict == RESTS
    assert follow(w.forward_model(), decisions, (4, 1)).mario.on_ground
    while w.mario.y < 8 * 16:  # until he has walked over the edge
        w.step(2)
    verdict, decisions, _ = plan_sticky(w.forward_model(), 2, CAREFUL, SKIP, 2000, 208, 5, 1.3)
    assert (verdict, decisions) == (NONE, b"")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"late": ()}, "0 outcomes are out of range: give 1 to 8"),
        ({"late": ((0, 0),) * 9}, "9 outcomes are out of range"),
        ({"skip": 0}, "skip 0 and nodes 10 are out of range"),
        ({"nodes": 10**6}, "nodes 1000000 are out of range"),
        ({"pressed": 99}, "99"),
    ],
)
def test_wrong_terms_are_refused(changed: dict[str, object], told: str) -> None:
    terms = {"pressed": 0, "late": CAREFUL, "skip": 4, "nodes": 10, "horizon": 99, "rest": 5}
    with pytest.raises(Exception, match=told) as caught:
        plan_sticky(model_of("1-1", 1), **{**terms, "greed": 1.3, **changed})  # type: ignore[arg-type]
    assert isinstance(caught.value, OptionError | ValueError)
