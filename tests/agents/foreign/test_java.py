"""Java agents see what the engine says, play as their twins in Python do, and break nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.agents.foreign.java_compiling import compile_java, needs_java

import ludus
from ludus.agents import load
from ludus.agents.foreign.java import find_timer
from ludus.agents.foreign.java_files import find_archive
from ludus.agents.isolation.agent_process import start_agent_process
from ludus.agents.judge.java import JavaJudge
from ludus.context import RunContext
from ludus.errors import AgentError
from ludus.execution.match_play import play_match
from ludus.games.platformer import Level, World
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.generators import generate
from ludus.games.platformer.interfaces import Interface2009
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.game import TaskGame
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.view import View
from ludus.limits import Limits

pytestmark = [needs_java, pytest.mark.slow]

SOURCES = Path(__file__).parent / "java_agents"
EXAMPLE = Path(__file__).parents[3] / "examples/agents/java/AStar.java"
DETAILS = range(3)


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the compiled agents."""
    sources = [*sorted(SOURCES.glob("*.java")), EXAMPLE]
    return compile_java(sources, tmp_path_factory.mktemp("classes"))


@pytest.fixture
def open_java(classes: Path) -> Iterator[Callable[[str], Any]]:
    """Return what loads an agent of the tests in this process; it is closed at the end."""
    agents: list[Any] = []

    def open_one(name: str) -> Any:
        agents.append(load(f"{classes}:tests.{name}", "platformer"))
        return agents[-1]

    yield open_one
    for agent in agents:
        agent.close()


def play(agent: Any, level: Level, mode: int, ticks: int) -> tuple[list[int], World]:
    """Return the buttons of so many ticks, and the world after them."""
    world = World(level, mode, 60)
    actions: list[int] = []
    view = View(world)
    agent.reset(Scenario("level", level, mode, 60))
    while world.status == 0 and len(actions) < ticks:
        actions.append(agent.act(view))
        world.step(actions[-1])
    return actions, world


def run_java(classes: Path, name: str, *words: str) -> str:
    """Run a program in Java and return what it prints."""
    command = ["java", "-cp", f"{find_archive()}:{classes}", name, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# ---- what agents see


def _hex(grid: Any) -> str:
    return np.asarray(grid).astype(np.uint8).tobytes().hex()


def _bits(*values: float) -> list[str]:
    return [f"{int(word):x}" for word in np.array(values, np.float32).view(np.uint32)]


ODD_DETAIL = """\
[0, 0, -42, -42][-42, -42, -42, -42][0, 0, -42, -42][0, 0, -42, -42][0, 0, -42, -42]
[0, 0, 0, 0][0, 0, 0, 0][0, 0, 0, 0][0, -42, 0, 0][0, 0, 0, 0]
[0, 0, -42, 0][0, -42, -42, 0][0, 0, -42, 0][0, 2, -42, 0][0, 0, -42, 0]
[0, 0, 17, 0][0, 0, 17, 0][0, 0, 0, 0][0, -42, 31, 0][0, 0, 0, 0]
"""
"""By hand: five columns from Mario's on, of four rows from the one above the level on. Scenes
repeat the outer rows of the level, merged grids do not; hidden blocks and the flag count."""


def test_a_detail_that_nobody_knows_shows_minus_42_for_whatever_is_there(classes: Path) -> None:
    assert run_java(classes, "tests.OddDetail") == ODD_DETAIL


def _describe_2009(resets: int, shown: Interface2009) -> str:
    """Return the line that Observer2009.java writes."""
    flags = (shown.is_mario_on_ground, shown.may_mario_jump, shown.is_mario_carrying)
    words: list[Any] = [resets, shown.mario_mode, *map(int, flags)]
    words += [*_bits(*shown.mario_float_pos), *_bits(*shown.enemies_float_pos)]
    for packed in (shown.level_bitmap, shown.enemies_bitmap):
        words.append("".join(f"{ord(character):04x}" for character in packed))
    words += map(_hex, (shown.level_scene(), shown.enemies(), shown.merged()))
    for detail in DETAILS:
        words += map(_hex, (shown.level_scene(detail), shown.enemies(detail)))
        words.append(_hex(shown.merged(detail, 2 - detail)))
    return " ".join(map(str, words))


def test_an_agent_of_2009_sees_and_plays_what_its_twin_in_python_does(
    open_java: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    observed = tmp_path / "observed"
    monkeypatch.setenv("OBSERVED", str(observed))
    agent, expected = open_java("Observer2009"), []
    for game in range(2):
        level = generate("notch-2009", seed=game, difficulty=3)
        scenario = TaskScenario("level", level, seed=game)
        match, twin = TaskGame().begin(scenario), TaskGame().begin(scenario)
        ending, reason, _ = play_match(agent, scenario, match)
        assert (ending, reason) == ("finished", "")
        assert play_match(load("forward-jumping"), scenario, twin)[0] == "finished"
        assert match.record() == twin.record()
        world = World(level, scenario.mode, scenario.time_limit)
        expected.append(_describe_2009(game + 1, Interface2009(world)))
        for buttons in match.ticks:
            world.step(buttons)
            expected.append(_describe_2009(game + 1, Interface2009(world)))
    for line, wanted in zip(observed.read_text().splitlines(), expected, strict=True):
        assert line == wanted


# ---- what they play


def test_a_jar_plays_what_its_folder_plays(classes: Path, open_java: Any, tmp_path: Path) -> None:
    jar = tmp_path / "agents.jar"
    subprocess.run(["jar", "--create", "--file", jar, "-C", classes, "."], check=True)
    level = bundled_level("sprint-03")
    agent = load(f"{jar}:tests.RunRight", "platformer")
    assert agent.name == "run right"
    assert play(agent, level, 0, 200)[0] == play(open_java("RunRight"), level, 0, 200)[0]
    agent.close()  # type: ignore[attr-defined]


def test_an_agent_plays_the_same_in_both_hosts(classes: Path) -> None:
    spec, level = f"{classes}:AStar", generate("notch-framework", seed=5, difficulty=8)
    scenario = Scenario("level", level, 1, 20)
    hosted = start_agent_process(spec, "platformer", RunContext(), "platformer")
    child: Any = load(spec, "platformer")
    try:
        records = []
        for agent in (hosted, child, hosted):
            match = PlatformerGame().begin(scenario)
            assert play_match(agent, scenario, match)[:2] == ("finished", "")
            records.append(match.record())
        assert len(set(records)) == 1
        assert hosted.end_episode().peak_memory
    finally:
        hosted.close()
        child.close()


def test_states_of_any_game_are_taken_over(open_java: Any) -> None:
    agent, random = open_java("RunRight"), Random(5)
    for seed in range(3):
        level = generate("notch-framework", seed=seed, difficulty=9)
        world = World(level, seed, 100)
        agent.reset(Scenario("level", level))
        for _ in range(150):
            if world.status:
                break
            mario = world.mario
            jump = 16 if mario.may_jump or not mario.on_ground else 0
            assert agent.act(View(world)) == 0b01010 | jump
            world.step(random.choice([10, 26, 10, 26, 9, 31]))


# ---- what they can break

HOSTILE = {
    "Throws": ("crashed", "java.lang.RuntimeException: no idea"),
    "Exits": ("crashed", "its process died: it ended itself with code 3"),
    "Loops": ("disqualified", "took longer than 10 seconds for a decision"),
    "Prints": ("crashed", "printed more than 500,000 bytes in an episode"),
    "AnswersNothing": ("crashed", "an action is an array of 5 buttons, not null"),
    "AnswersTooShort": ("crashed", "an action is an array of 5 buttons, not one of 2"),
    "Recurses": ("crashed", "StackOverflowError"),
    "Segfaults": ("crashed", "its process died: compiled code gave up"),
    "WritesGarbage": ("crashed", "broke off its messages"),
    "WritesHalfAFrame": ("crashed", "broke off its messages"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_hostile_agent_does_ends_its_episode(name: str, classes: Path) -> None:
    context = RunContext(limits=Limits(decision_seconds=10.0))
    scenario = Scenario("level", bundled_level("sprint-01"))
    agent = start_agent_process(f"{classes}:tests.{name}", "platformer", context, "platformer")
    try:
        match = PlatformerGame().begin(scenario)
        ending, reason, steps = play_match(agent, scenario, match)
    finally:
        agent.close()
    assert (str(ending), steps) == (HOSTILE[name][0], 5)
    assert HOSTILE[name][1] in reason


HOSTILE_IN_CHILD = {
    "Prints": "printed more than 500,000 bytes in an episode",
    "Segfaults": "its Java process crashed",
    "WritesGarbage": "broke off its messages",
}


@pytest.mark.parametrize("name", HOSTILE_IN_CHILD)
def test_an_agent_in_a_child_harms_its_own_episode_alone(name: str, open_java: Any) -> None:
    scenario = Scenario("level", bundled_level("sprint-01"))
    match = PlatformerGame().begin(scenario)
    ending, reason, steps = play_match(open_java(name), scenario, match)
    assert (str(ending), steps) == ("crashed", 5)
    assert HOSTILE_IN_CHILD[name] in reason


def test_a_virtual_machine_that_died_is_started_anew_for_the_next_episode(open_java: Any) -> None:
    agent, scenario = open_java("Exits"), Scenario("level", bundled_level("sprint-01"))
    for _ in range(2):
        match = PlatformerGame().begin(scenario)
        ending, reason, steps = play_match(agent, scenario, match)
        assert (str(ending), steps) == ("crashed", 5), reason


def test_a_benchmark_without_forward_model_refuses_to_play_ahead(classes: Path) -> None:
    context = RunContext(limits=Limits(forward_model=False))
    scenario = Scenario("level", bundled_level("sprint-01"))
    agent = start_agent_process(f"{classes}:AStar", "platformer", context, "platformer")
    try:
        match = PlatformerGame().begin(scenario)
        ending, reason, _ = play_match(agent, scenario, match)
    finally:
        agent.close()
    assert str(ending) == "crashed"
    assert "this benchmark allows no forward model" in reason


def test_an_agent_of_other_rules_is_refused_in_one_line(open_java: Any) -> None:
    level = generate("notch-2009", seed=1)
    scenario = Scenario("level", level, 2, 200)
    ending, reason, _ = play_match(
        open_java("RunRight"), scenario, PlatformerGame().begin(scenario)
    )
    assert (str(ending), reason) == (
        "crashed",
        "plays by the rules framework or ludus, and the level is for 2009",
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("IsNoAgent", "implements neither engine.core.MarioAgent nor ch.idsia.ai.agents.Agent"),
        ("CannotBeMade", "java.lang.IllegalStateException: no weights"),
        ("Missing", "there is no file"),
    ],
)
def test_what_cannot_be_loaded_is_said_in_one_line(name: str, message: str, classes: Path) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        load(f"{classes}:tests.{name}", "platformer")
    assert "\n" not in str(caught.value)


def test_the_process_of_others_is_not_confined_for_an_agent(classes: Path) -> None:
    with pytest.raises(AgentError, match="a Java agent is confined in a process of its own"):
        load(f"{classes}:tests.RunRight", "platformer", RunContext(sandbox=True))


def test_a_run_goes_on_after_agents_that_misbehave(classes: Path, tmp_path: Path) -> None:
    specs = [f"{classes}:tests.{name}" for name in ("Exits", "RunRight", "Throws")]
    result = ludus.run(
        "platformer/sprint", specs, episodes=2, workers=2, store=str(tmp_path / "runs.db")
    )
    endings = [(one.episode.agent, str(one.episode.ending)) for one in result.episodes]
    assert sorted(endings) == 2 * [(0, "crashed")] + 2 * [(1, "finished")] + 2 * [(2, "crashed")]


STUB = """
package engine.core;
public class MarioForwardModel {
    public int getSomethingElse() { return 1; }
    public boolean isMarioOnGround() { return true; }
}
"""
CALLER = """
import engine.core.*;
public class Caller implements MarioAgent {
    public void initialize(MarioForwardModel model, MarioTimer timer) {}
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        return new boolean[model.isMarioOnGround() ? 5 : model.getSomethingElse()];
    }
    public String getAgentName() { return "caller"; }
}
"""


def test_the_interfaces_are_those_of_ludus_whatever_lies_beside_an_agent(tmp_path: Path) -> None:
    (tmp_path / "MarioForwardModel.java").write_text(STUB)
    (tmp_path / "Caller.java").write_text(CALLER)
    folder = compile_java(sorted(tmp_path.glob("*.java")), tmp_path / "classes")
    assert (folder / "engine/core/MarioForwardModel.class").is_file()
    scenario = Scenario("level", Level.parse("M-------\n--------\nXXXXXXXX"))
    agent: Any = load(f"{folder}:Caller", "platformer")
    match = PlatformerGame().begin(scenario)
    ending, reason, steps = play_match(agent, scenario, match)
    agent.close()
    assert (str(ending), steps) == ("crashed", 0)  # he is in the air
    assert "java.lang.NoSuchMethodError" in reason
    assert "getSomethingElse" in reason


def test_a_timer_ends_before_the_limit_of_a_decision(classes: Path) -> None:
    limited = RunContext(limits=Limits(decision_seconds=0.042))
    assert _press_first(f"{classes}:tests.Planner", limited) == 18
    assert find_timer(Limits()) == find_timer(Limits(decision_seconds=60)) == 40


def test_a_timer_of_counted_work_gives_the_same_plan_again(classes: Path) -> None:
    limits = Limits(decision_units=1_000_000)
    context = RunContext(limits=limits)
    judges = [JavaJudge(f"{classes}:tests.Planner", limits) for _ in range(2)]
    used = []
    for judge in judges:
        agent: Any = judge.open(context=context)
        agent.reset(Scenario("level", bundled_level("sprint-01")))
        view = View(World(bundled_level("sprint-01"), 0, 60))
        used.append([judge.run(1_000_000, agent.act, view).units for _ in range(3)])
        agent.close()
    assert used[0] == used[1]
    assert all(850_000 < units < 900_000 for units in used[0])


def test_who_plans_until_its_time_is_over_has_units_for_all_of_an_episode(classes: Path) -> None:
    limits = Limits(decision_units=200_000, episode_units=2_000_000)
    judge = JavaJudge(f"{classes}:tests.Planner", limits)
    agent: Any = judge.open(context=RunContext(limits=limits))
    for _ in range(2):
        agent.reset(Scenario("level", bundled_level("sprint-01")))
        view = View(World(bundled_level("sprint-01"), 0, 60))
        used = [judge.run(200_000, agent.act, view).units for _ in range(120)]
        assert sum(used) < 2_000_000
        assert used[0] > used[-1] > 2000
    agent.close()


def _press_first(spec: str, context: RunContext) -> int:
    """Return the buttons of an agent's first decision."""
    agent: Any = load(spec, "platformer", context=context)
    agent.reset(Scenario("level", bundled_level("sprint-01")))
    buttons: int = agent.act(View(World(bundled_level("sprint-01"), 0, 60)))
    agent.close()
    return buttons
