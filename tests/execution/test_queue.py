from __future__ import annotations

from ludus.execution.plan import PlannedEpisode
from ludus.execution.queue import EpisodeQueue


def planned(*numbers: int) -> list[PlannedEpisode]:
    return [PlannedEpisode(number, 0, number) for number in numbers]


def test_episodes_are_taken_in_their_order_and_put_back_to_the_front() -> None:
    queue = EpisodeQueue.of(planned(0, 1, 2, 3))
    assert EpisodeQueue.of(queue) is queue
    first = queue.take(3)
    assert first == planned(0, 1, 2)
    queue.give_back(first[1:])
    assert len(queue) == 3
    assert queue
    assert list(queue) == planned(1, 2, 3)
    assert not queue
    assert queue.take(1) == []


def test_nobody_takes_less_than_nothing() -> None:
    queue = EpisodeQueue(planned(0))
    assert queue.take(-1) == []
    assert len(queue) == 1
