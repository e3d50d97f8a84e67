"""Budgets in play: an agent over its units does nothing, or is disqualified, everywhere alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ludus.context import RunContext
from ludus.errors import AgentError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import make_plan
from ludus.execution.stage import Stage
from ludus.limits import Limits

BENCHMARK = "platformer/punctual"
DECISION = 20_000
RUN = 10

ENDLESS = """
class Agent:
    name = "endless"

    def reset(self, scenario):
        self.decisions = 0

    def act(self, observation):
        self.decisions += 1
        while self.decisions == 3:
            try:
                len(())
            except BaseException:
                pass
        return 10
"""
PLAIN = "class Agent:\n    def reset(self, scenario): pass\n\n    def act(self, view): return 10\n"

Play = Callable[..., Episode]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    def play(
        source: str, limits: Limits, *, steps: int = 8, context: RunContext | None = None
    ) -> Episode:
        file = tmp_path / "agent.py"
        file.write_text(source)
        return play_spec(f"{file}:Agent", limits, steps=steps, context=context)

    return play


def play_spec(
    spec: str, limits: Limits, *, steps: int = 8, context: RunContext | None = None
) -> Episode:
    """Play the first steps of an episode."""
    limits = Limits.from_dict({**limits.to_dict(), "steps": steps})
    context = context or RunContext()
    plan = make_plan(BENCHMARK, [spec], episodes=1, limits=limits, context=context)
    stage = Stage(plan, context)
    try:
        return stage.play(plan.episodes[0])
    finally:
        stage.close()


def test_decision_over_its_budget_does_nothing_and_is_counted(play: Play) -> None:
    episode = play(ENDLESS, Limits(decision_units=DECISION))
    assert episode.record == bytes([RUN, RUN, 0, RUN, RUN, RUN, RUN, RUN])
    assert episode.usage.over_budget == 1
    assert DECISION < (episode.usage.units or 0) < DECISION + 1000


def test_decision_over_its_budget_disqualifies_where_the_benchmark_says_so(play: Play) -> None:
    episode = play(ENDLESS, Limits(decision_units=DECISION, over_budget="disqualified"))
    assert episode.ending is EpisodeEnding.DISQUALIFIED
    assert "units" in episode.reason
    assert episode.record == bytes([RUN, RUN])
    assert episode.usage.over_budget == 1


def test_episode_over_its_budget_is_disqualified(play: Play) -> None:
    episode = play(ENDLESS, Limits(episode_units=3 * DECISION))
    assert episode.ending is EpisodeEnding.DISQUALIFIED
    assert episode.reason == "used up its 60,000 units for the episode"
    assert episode.record == bytes([RUN, RUN])


def test_units_are_the_same_each_time_and_in_the_sandbox(play: Play) -> None:
    limits = Limits(decision_units=DECISION)
    contexts = [None, None, RunContext(sandbox=True)]
    assert len({play(ENDLESS, limits, context=context).usage.units for context in contexts}) == 1


def test_ludus_own_agents_are_held_to_the_budget_too() -> None:
    episode = play_spec("rule-based", Limits(decision_units=2_000), steps=3)
    assert episode.usage.over_budget
    assert 0 in episode.record


def test_without_a_budget_nothing_is_counted(play: Play) -> None:
    assert play(PLAIN, Limits()).usage.units is None


def test_forward_model_is_charged_for_ticks_and_copies(play: Play) -> None:
    source = PLAIN.replace("return 10", "return ahead(view.forward_model())")
    look = "\n\ndef ahead(model):\n    [model.advance(10) for _ in range(TICKS)]\n    return 10\n"
    limits = Limits(decision_units=10**6)
    used = [
        play(source + look.replace("TICKS", str(ticks)), limits).usage.units for ticks in (10, 20)
    ]
    assert None not in used
    assert (used[1] or 0) - (used[0] or 0) > 8 * 10 * 60


@pytest.mark.parametrize(
    ("name", "place"),
    {
        "import": ("WORK\n", ""),
        "class": ("class Other:\n    WORK\n", ""),
        "default": ("def other(x=[k for k in range(10**9)]): pass\n", ""),
        "constructor": ("", "    def __init__(self):\n        WORK\n"),
        "name": ("", "    @property\n    def name(self):\n        WORK\n"),
    }.items(),
)
def test_work_while_an_agent_is_loaded_has_a_budget(
    name: str, place: tuple[str, str], play: Play
) -> None:
    before, inside = place
    source = before + PLAIN.replace(":\n", f":\n{inside}", 1)
    source = source.replace("WORK", "[k for k in range(10**9)]")
    with pytest.raises(AgentError, match=r"units|budget"):
        play(source, Limits(decision_units=100))


def test_reset_costs_as_a_decision_does(play: Play) -> None:
    episode = play(PLAIN.replace("pass", "sum(k for k in range(10**9))"), Limits(decision_units=99))
    assert episode.usage.over_budget == 1
    assert episode.record == bytes([RUN] * 8)


def test_nothing_runs_after_the_answer(play: Play) -> None:
    source = """
import threading


def work(agent):
    while True:
        agent.count += 1


class Agent:
    def reset(self, scenario):
        self.count = self.seen = self.decisions = 0

    def act(self, view):
        self.decisions += 1
        if self.decisions == 1:
            threading.Thread(target=work, args=(self,)).start()
        if self.decisions == 2:
            self.seen = self.count
        return 10 if self.decisions < 3 or self.count == self.seen > 0 else 1
"""
    episode = play(source, Limits(decision_units=DECISION), steps=3)
    assert episode.record == bytes([0, RUN, RUN])
    assert episode.usage.over_budget == 1


def test_thread_that_ends_is_counted_with_its_decision(play: Play) -> None:
    source = """
import threading


class Agent:
    def reset(self, scenario):
        pass

    def act(self, view):
        sums = []
        thread = threading.Thread(target=lambda: sums.append(sum(k for k in range(100))))
        thread.start()
        thread.join()
        return 10 if sums == [4950] else 1
"""
    episode = play(source, Limits(decision_units=DECISION), steps=2)
    assert episode.record == bytes([RUN, RUN])
    assert (episode.usage.units or 0) > 2 * 300


def test_generator_that_is_thrown_away_between_decisions_does_nothing(play: Play) -> None:
    source = """
def work(agent):
    try:
        yield
    finally:
        for _ in range(10**9):
            agent.count += 1


class Agent:
    def reset(self, scenario):
        self.count = 0
        self.generator = None

    def act(self, view):
        self.generator = work(self)
        next(self.generator)
        return 10 if self.count == 0 else 1
"""
    episode = play(source, Limits(decision_units=DECISION), steps=3)
    assert set(episode.record) <= {RUN, 0, 1}
    assert (episode.usage.units or 0) < 4 * (DECISION + 1000)


@pytest.mark.parametrize(
    "spec", ["sb3:ppo:model.zip", "torch:net.py:Net:w.pt", "llm:m@http://h/v1"]
)
def test_what_cannot_be_counted_is_refused(spec: str) -> None:
    with pytest.raises(AgentError, match="cannot be counted in units"):
        play_spec(spec, Limits(decision_units=DECISION))


def test_object_of_this_process_is_refused() -> None:
    import ludus

    class Agent:
        name = "object"

        def reset(self, scenario: object) -> None: ...

        def act(self, observation: object) -> int:
            return RUN

    with pytest.raises(AgentError, match="cannot be counted in units"):
        ludus.run(BENCHMARK, Agent(), episodes=1, store="sqlite://")


def test_agent_cannot_say_what_it_used(play: Play) -> None:
    source = PLAIN + "    units = 0\n    decisions = []\n\n    def usage(self): return 0\n"
    assert (play(source, Limits(decision_units=DECISION)).usage.units or 0) > 8
