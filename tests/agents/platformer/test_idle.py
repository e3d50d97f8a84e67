from __future__ import annotations

from tests.agents.platformer.players import episode, scenario

from ludus.games.platformer import Status


def test_idle_presses_nothing_until_the_time_is_over() -> None:
    played = episode("idle", scenario("M---F", "XXXXX", seconds=3))
    assert set(played.actions) == {0}
    assert played.result.status == Status.TIME_OUT
    assert played.path[-1, 0] == played.path[0, 0]
