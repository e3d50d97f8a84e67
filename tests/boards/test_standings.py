from __future__ import annotations

import math

import numpy as np
import pytest

from ludus.boards import rank
from ludus.games.platformer import Level, Status, World
from ludus.games.platformer.scenario import Scenario
from ludus.runs import Episode
from ludus.stats import mean_interval

YARD = Scenario("yard", Level.parse("M---F\nXXXXX"))
BLANK = World(YARD.level).result()


def episode(
    agent: str, completion: float, *, ticks: int = 100, coins: int = 0, kills: int = 0
) -> Episode:
    result = BLANK._replace(
        status=Status.WIN if completion == 1 else Status.LOSE,
        completion=completion,
        ticks=ticks,
        coins=coins,
        kills_total=kills,
    )
    return Episode(YARD, agent, b"", result, np.zeros((1, 2), np.float32), 0.5)


def test_the_best_mean_completion_comes_first() -> None:
    standings = rank([episode("slow", 0.2), episode("fast", 0.9), episode("middle", 0.5)])
    assert [(line.rank, line.agent) for line in standings] == [
        (1, "fast"),
        (2, "middle"),
        (3, "slow"),
    ]


def test_a_standing_sums_up_the_episodes() -> None:
    (line,) = rank(
        [
            episode("a", 1.0, ticks=100, coins=4, kills=1),
            episode("a", 0.5, ticks=200, coins=1, kills=0),
        ]
    )
    assert line.completion == mean_interval([1.0, 0.5])
    assert (line.wins, line.episodes) == (1, 2)
    assert (line.ticks, line.coins, line.kills) == (150, 2.5, 0.5)
    assert line.seconds == 1.0


def test_wins_decide_between_equal_completions() -> None:
    steady = [episode("steady", 0.75), episode("steady", 0.75)]
    bold = [episode("bold", 1.0), episode("bold", 0.5)]
    assert [line.agent for line in rank(steady + bold)] == ["bold", "steady"]


def test_equals_share_a_rank_and_the_next_stays_empty() -> None:
    standings = rank([episode("d", 0.1), episode("c", 0.5), episode("b", 0.5), episode("a", 0.9)])
    assert [(line.rank, line.agent) for line in standings] == [
        (1, "a"),
        (2, "b"),
        (2, "c"),
        (4, "d"),
    ]


def test_a_difference_of_rounding_is_none() -> None:
    standings = rank([episode("a", 0.1 + 0.2), episode("b", 0.3)])
    assert [line.rank for line in standings] == [1, 1]


def test_one_episode_has_no_interval() -> None:
    (line,) = rank([episode("a", 0.5)])
    assert line.completion.value == 0.5
    assert math.isnan(line.completion.margin)


def test_the_order_of_the_episodes_does_not_matter() -> None:
    episodes = [episode(agent, share) for agent in "abc" for share in (0.2, 1.0)]
    assert rank(episodes) == rank(reversed(episodes))


def test_no_episodes_are_no_standings() -> None:
    assert rank([]) == ()


@pytest.mark.parametrize("agents", [1, 3, 7])
def test_every_agent_stands_once(agents: int) -> None:
    episodes = [episode(f"agent {number % agents}", number / 30) for number in range(21)]
    assert len(rank(episodes)) == agents
