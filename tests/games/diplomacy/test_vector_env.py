"""Many games at once go as each would alone."""

from __future__ import annotations

import numpy as np
import pytest

from ludus.errors import OptionError
from ludus.games.diplomacy import Board
from ludus.games.diplomacy.board import PROVINCES
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.vector_env import DiplomacyVectorEnv


def test_games_go_as_they_would_alone() -> None:
    env = DiplomacyVectorEnv(3, max_year=1903)
    _, infos = env.reset(seed=1)
    boards = [Board() for _ in range(3)]
    for _ in range(40):
        actions = env.sample()
        actions[2] = 0
        owners, before = infos["owners"].copy(), [board.centres() for board in boards]
        for k, board in enumerate(boards):
            legal, orders = board.legal_orders(), {power: [] for power in POWERS}  # type: ignore[var-annotated]
            for place, number in enumerate(actions[k]):
                assert len(legal.get(PROVINCES[place], [])) == infos["counts"][k, place]
                if number:
                    orders[POWERS[owners[k, place]]].append(legal[PROVINCES[place]][number - 1])
            board.step(orders)
        planes, rewards, terminated, truncated, infos = env.step(actions)
        for k, board in enumerate(boards):
            gained = [len(board.centres()[p]) - len(before[k][p]) for p in POWERS]
            assert rewards[k].tolist() == gained
            assert (terminated[k], truncated[k]) == (board.over, board.year > 1903)
            if truncated[k]:
                boards[k] = Board()
            assert env.board(k).digest() == boards[k].digest()
        assert np.count_nonzero(planes[2, :, 0]) == sum(map(len, boards[2].units().values()))


def test_wrong_shapes_and_sizes_are_refused() -> None:
    with pytest.raises(OptionError, match="0 games are too few"):
        DiplomacyVectorEnv(0)
    env = DiplomacyVectorEnv(2)
    with pytest.raises(OptionError, match=r"actions of shape \(2, 3\): give \(2, 75\)"):
        env.step(np.zeros((2, 3)))
    env.step(np.full((2, 75), 10**6))
    env.step(np.full((2, 75), -5))
    assert env.board(0).phase == "S1902M"


def test_threads_change_nothing() -> None:
    ends = set()
    for threads in (1, 2):
        env = DiplomacyVectorEnv(8, threads=threads)
        env.reset(seed=3)
        for _ in range(10):
            env.step(env.sample())
        ends.add(tuple(env.board(k).digest() for k in range(8)))
    assert len(ends) == 1
