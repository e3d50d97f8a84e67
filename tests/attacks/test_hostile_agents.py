"""What an agent does to its rivals, its referee or the run is its own fault and changes nothing."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from tests.attacks import hostile_agents
from tests.runs.small import SMALL

from ludus.agents import find
from ludus.agents.isolation import AgentProcess
from ludus.agents.isolation.linux import shield_others
from ludus.context import RunContext
from ludus.errors import AgentDied, AgentError, AgentFault, AgentLate
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.games.platformer.game import PlatformerMatch
from ludus.limits import Limits
from ludus.runs.running import run
from ludus.runs.store import Store
from ludus.runs.verify import verify

FILE = Path(hostile_agents.__file__)
RIVAL = "rule-based"
EPISODES = 2
FINISHED, CRASHED, DISQUALIFIED, _ = EpisodeEnding


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where hostile agents write down what they reached; also the mark of this test's processes."""
    monkeypatch.setenv("HOSTILE_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def alone() -> list[Any]:
    """What the rival comes to without anybody beside it."""
    from tests.runs.small import register

    register()
    return facts_of(play(RIVAL))


def play(*agents: str, seconds: float = 20) -> list[Episode]:
    plan = make_plan(SMALL.id, agents, episodes=EPISODES, limits=Limits(seconds=seconds))
    batches = LocalExecutor(1).play(plan, plan.episodes)
    return sorted((one for batch in batches for one in batch), key=lambda one: one.number)


def facts_of(episodes: list[Episode]) -> list[Any]:
    return [(one.ending, one.record, one.facts) for one in episodes]


def play_beside(name: str, seconds: float = 20) -> tuple[list[Any], list[Episode]]:
    """Return what the rival came to beside a hostile agent, and the agent's episodes."""
    episodes = play(f"{FILE}:{name}", RIVAL, seconds=seconds)
    return facts_of([one for one in episodes if one.agent]), [
        one for one in episodes if not one.agent
    ]


def living(folder: Path) -> list[int]:
    """Return the processes of agents and their children that are left, once they had time to go."""
    pids = {int(word) for word in (folder / "pids").read_text().split()}
    assert pids
    for _ in range(50):
        pids = {pid for pid in pids if Path(f"/proc/{pid}").exists()}
        if not pids:
            break
        time.sleep(0.1)
    return sorted(pids)


@pytest.mark.parametrize("name", ["PatchesStage", "PatchesEngine", "SleepsBetween", "Prints"])
def test_attacks_that_reach_nobody_change_nothing(name: str, alone: list[Any]) -> None:
    rival, own = play_beside(name)
    assert rival == alone
    calm = facts_of(play(f"{FILE}:Calm"))
    if name != "PatchesEngine":  # it sees a broken world of its own and runs on
        assert facts_of(own) == calm
    assert {one.ending for one in own} == {FINISHED}


@pytest.mark.parametrize(
    ("name", "ending", "reason"),
    [
        ("PatchesPython", DISQUALIFIED, "ActionError: [2] is not a number of buttons"),
        ("SendsAnEpisode", CRASHED, "broke off its messages: it wrote what it was not asked"),
        ("Pauses", CRASHED, "Paused: nobody plays any more"),
        ("RaisesUnspeakable", CRASHED, "Unspeakable"),
        ("Interrupts", CRASHED, "KeyboardInterrupt"),
        ("Leaves", CRASHED, "SystemExit: 0"),
        ("Recurses", CRASHED, "RecursionError: maximum recursion depth exceeded"),
        ("AnswersNaN", DISQUALIFIED, "ActionError: nan is not a number of buttons"),
        ("AnswersBool", DISQUALIFIED, "ActionError: [True, None] is not a number of buttons"),
        ("AnswersHuge", DISQUALIFIED, "ActionError: "),
        ("AnswersText", DISQUALIFIED, "ActionError: "),
        ("AnswersDeep", CRASHED, "ValueError: values are nested more than 32 deep"),
        ("AnswersLong", CRASHED, "broke off its messages: a frame of 20000"),
        ("AnswersObject", DISQUALIFIED, "ActionError: something of type Opaque is"),
        ("Dies", CRASHED, "its process died 3 times"),
        ("KillsItself", CRASHED, "its process died 3 times"),
        ("KillsItsGroup", CRASHED, "its process died 3 times"),
        ("ClosesEverything", CRASHED, "its process died 3 times"),
        ("Hoards", CRASHED, "MemoryError"),
        ("WritesHuge", CRASHED, "broke off its messages: it wrote what it was not asked"),
        ("WritesJunk", CRASHED, "broke off its messages: it wrote what it was not asked"),
        ("WritesHalf", CRASHED, "broke off its messages: it wrote what it was not asked"),
        ("AnswersTwice", CRASHED, "broke off its messages: it wrote what it was not asked"),
    ],
)
def test_attacks_are_the_fault_of_their_agent(
    name: str, ending: EpisodeEnding, reason: str, alone: list[Any]
) -> None:
    rival, own = play_beside(name)
    assert rival == alone
    for one in own:
        assert one.ending is ending
        assert one.reason.startswith(reason)


@pytest.mark.parametrize("name", ["Hangs", "Stops"])
def test_whoever_does_not_answer_is_late_by_its_own_clock(name: str, alone: list[Any]) -> None:
    rival, own = play_beside(name, seconds=5)
    assert rival == alone
    for one in own:
        assert (one.ending, one.reason) == (DISQUALIFIED, "took longer than 5 seconds")
        assert one.steps == len(one.record) == 2


def test_what_an_agent_raises_is_one_clean_line(alone: list[Any], store: Store) -> None:
    made = run(SMALL.id, [f"{FILE}:RaisesFilth"], store=store, episodes=1)
    (scored,) = store.episodes(made.id)
    reason = scored.episode.reason
    assert reason.startswith("ValueError: a\\x00b\\ud800c\\x1b[2J dxxx")
    assert len(reason) <= 300
    assert reason.isprintable()
    assert verify(made.id, store=store).good


def test_children_in_sessions_of_their_own_die_with_the_agent(
    folder: Path, alone: list[Any]
) -> None:
    rival, own = play_beside("HasChildren")
    assert rival == alone
    assert {one.reason.partition(":")[0] for one in own} == {"its process died 3 times"}
    assert len((folder / "pids").read_text().split()) >= 4 * 3 * EPISODES
    assert living(folder) == []


def test_an_agent_reaches_no_process_but_its_own(folder: Path, alone: list[Any]) -> None:
    if not _can_shield():
        pytest.skip("this kernel cannot keep signals within a group of processes")
    for name in ("KillsOthers", "ReadsMemory"):
        rival, own = play_beside(name)
        assert rival == alone
        assert {one.ending for one in own} == {FINISHED}
        assert (folder / "reached").read_text() == ""


def _can_shield() -> bool:
    child = os.fork()
    if child == 0:
        os._exit(0 if shield_others() else 1)
    return os.waitpid(child, 0)[1] == 0


def test_an_agent_finds_neither_plan_nor_match_nor_seed(folder: Path, alone: list[Any]) -> None:
    rival, _ = play_beside("LooksForTheMatch")
    assert rival == alone
    *found, seed = (folder / "found").read_text().split()
    assert found == []
    assert seed != "seed=0"  # the world's


def test_looking_an_agent_up_runs_nothing_of_it_here(tmp_path: Path) -> None:
    file = tmp_path / "trap.py"
    file.write_text(
        "import os, sys\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "sys.modules['ludus.errors'].LudusError = None\n"
        "class Agent:\n"
        "    name = 'a\\x1b[2J\\nb'\n"
        "    reset = act = print\n"
    )
    source = find(f"{file}:Agent")
    assert source.name == "a [2J b"
    assert (tmp_path / "pid").read_text() != str(os.getpid())
    file.write_text("import os\nos._exit(0)\n")
    with pytest.raises(AgentError, match="cannot be made: its process died"):
        find(f"{file}:Agent")
    file.write_text("class Agent:\n    name = ['x']\n    reset = act = print\n")
    assert find(f"{file}:Agent").name == "['x']"


def _reset_ten_times(agent: AgentProcess) -> None:
    for _ in range(10):
        agent.reset(_scenario())


def test_time_counts_on_the_clock_of_whoever_spends_it(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(
        "import time\n"
        "class Agent:\n"
        "    name = 'slow'\n"
        "    def reset(self, scenario): time.sleep(0.5)\n"
        "    def act(self, view): return 2\n"
    )
    context = RunContext(limits=Limits(seconds=5))
    match = PlatformerMatch(_scenario())
    agent = AgentProcess(f"{file}:Agent", "platformer", context, "platformer")
    agent.reset(_scenario())
    assert agent.act(match.observation) == 2
    time.sleep(5.2)  # the referee's time, or a rival's
    assert agent.act(match.observation) == 2
    with pytest.raises(AgentLate, match="took longer than 5 seconds"):
        _reset_ten_times(agent)  # each time quickly enough
    assert agent.gone
    with pytest.raises(AgentDied):
        agent.act(match.observation)


def test_a_process_that_nobody_asks_any_more_ends(folder: Path) -> None:
    agent = AgentProcess(f"{FILE}:Calm", "platformer", game="platformer")
    agent.reset(_scenario())
    del agent
    assert living(folder) == []


def test_an_agent_that_answers_after_its_fault_goes_on(folder: Path) -> None:
    agent = AgentProcess(f"{FILE}:Interrupts", "platformer", game="platformer")
    match = PlatformerMatch(_scenario())
    for _ in range(2):
        agent.reset(_scenario())
        assert [agent.act(match.observation) for _ in range(2)] == [2, 2]
        with pytest.raises(AgentFault, match="KeyboardInterrupt"):
            agent.act(match.observation)
    agent.close()


def _scenario() -> Any:
    from tests.runs.small import scenarios

    from ludus.games.platformer.scenario import Scenario

    return Scenario.from_dict(scenarios(0, 1, "8")[0])
