"""Agents as shared libraries: what they see, and what becomes of those that fail."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from ludus.agents import load
from ludus.agents.foreign.c_files import find_include, find_libludus
from ludus.agents.foreign.c_library import read_library
from ludus.agents.foreign.library_agent import LibraryAgent
from ludus.agents.isolation.agent_process import AgentProcess, start_agent_process
from ludus.agents.isolation.opening import find, is_foreign, open_agent
from ludus.agents.sandbox.layers import has_sandbox
from ludus.context import RunContext
from ludus.contract import Learns
from ludus.errors import AgentDied, AgentError, AgentFault
from ludus.games.platformer._native import World
from ludus.games.platformer.codes import Button
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.environment import Environment
from ludus.games.platformer.tasks.task import Task
from ludus.games.platformer.view import View

EXAMPLES = Path(__file__).parents[3] / "examples" / "agents"
LEVEL = bundled_level("sprint-01")
SCENARIO = Scenario("sprint-01", LEVEL)

NEEDED = """
#include <ludus/agent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static ludus_agent_scenario told;
LUDUS_AGENT uint32_t ludus_agent_version(void) { return LUDUS_AGENT_VERSION; }
LUDUS_AGENT void *ludus_agent_create(void) { return &told; }
LUDUS_AGENT void ludus_agent_destroy(void *agent) { (void)agent; }
LUDUS_AGENT void ludus_agent_reset(void *agent, const ludus_agent_scenario *scenario) {
    (void)agent; told = *scenario;
}
"""


def compile_library(folder: Path, source: str) -> str:
    """Compile an agent and return its spec."""
    file, library = folder / "agent.c", folder / "agent.so"
    file.write_text(source, encoding="utf-8")
    flags = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-shared", "-fPIC"]
    command = ["gcc", *flags, f"-I{find_include()}", str(file), "-o", str(library)]
    subprocess.run(command, check=True)
    return str(library)


def acting(folder: Path, body: str) -> str:
    act = "LUDUS_AGENT int32_t ludus_agent_act(void *agent, const ludus_agent_observation *seen)"
    return compile_library(folder, f"{NEEDED}{act} {{ (void)agent; (void)seen; {body} }}")


def show_world() -> View:
    return View(World(LEVEL, 0, 40))


def test_a_spec_names_a_library(tmp_path: Path) -> None:
    spec = acting(tmp_path, "return 2;")
    assert is_foreign(spec)
    source = find(spec)
    assert (source.name, source.spec) == ("agent", spec)
    assert source.fingerprint == read_library(spec).fingerprint()  # type: ignore[union-attr]
    with pytest.raises(AgentError, match="there is no file"):
        load(str(tmp_path / "none.so"))


def test_structures_hold_what_the_view_shows(tmp_path: Path) -> None:
    spec = acting(
        tmp_path,
        f"""FILE *out = fopen("{tmp_path}/seen", "w");
        fprintf(out, "%u %d %d %d %s %d %d %d\\n", seen->shown, seen->tick, seen->timer,
            told.time_limit, told.rules, told.buttons.jump, told.size == sizeof told,
            seen->size == sizeof *seen);
        fprintf(out, "%a %a %d %d\\n", seen->mario.x, seen->mario.y, seen->mario.may_jump,
            seen->mario.facing);
        for (int k = 0; k < 256; k++) fprintf(out, "%d ", seen->scene.cells[k]);
        fprintf(out, "\\n");
        for (int k = 0; k < 256; k++) fprintf(out, "%d ", seen->merged.cells[k]);
        fprintf(out, "\\n%d %d %zu\\n", seen->enemies.columns, seen->enemies.rows, seen->n_places);
        fclose(out); return 3;""",
    )
    agent, world = load(spec), World(LEVEL, 0, 40)
    for _ in range(40):
        world.step(Button.RIGHT)
    view = View(world)
    agent.reset(SCENARIO)
    assert agent.act(view) == 3
    facts, mario, scene, merged, others = (tmp_path / "seen").read_text().splitlines()
    assert facts == f"507 {view.tick} {view.timer} 40 framework 16 1 1"
    x, y, *flags = mario.split()
    assert (float.fromhex(x), float.fromhex(y)) == (view.mario.x, view.mario.y)
    assert flags == [str(int(view.mario.may_jump)), str(view.mario.facing)]
    assert np.array_equal(np.array(scene.split(), int), view.scene.ravel())
    assert np.array_equal(np.array(merged.split(), int), view.merged.ravel())
    assert others == f"16 16 {len(view.enemy_positions)}"


def test_what_a_task_hides_is_not_shown(tmp_path: Path) -> None:
    spec = acting(
        tmp_path, "return seen->shown == LUDUS_SHOWS_SCENE && !seen->model ? seen->scene.rows : 99;"
    )
    agent = load(spec)
    agent.reset(SCENARIO)
    task = Task(kinds=("scene",), forward_model=False)
    assert agent.act(Environment("-ld 0 -ls 3", task).observation) == 16


def test_models_play_as_the_engine_does(tmp_path: Path) -> None:
    spec = acting(
        tmp_path,
        """ludus_agent_model *model = seen->engine->clone(seen->model);
        ludus_agent_facts facts;
        for (int k = 0; k < 30; k++) seen->engine->advance(model, 10);
        seen->engine->describe(model, &facts);
        uint8_t cells[9];
        int bad = seen->engine->grid(model, LUDUS_SHOWS_SCENE, 0, 3, cells) == 0
            || seen->engine->grid(model, LUDUS_SHOWS_SCENE, 3, 3, cells) != 0;
        seen->engine->free(model);
        return bad ? 0 : (int)facts.mario.x;""",
    )
    agent, view = load(spec), show_world()
    agent.reset(SCENARIO)
    model = view.forward_model()
    for _ in range(30):
        model.advance(10)
    assert agent.act(view) == int(model.mario.x)


def test_a_model_that_is_not_allowed_is_not_offered(tmp_path: Path) -> None:
    agent, view = load(acting(tmp_path, "return seen->model == NULL;")), show_world()
    assert agent.act(view) == 0
    view.close_forward_model()
    assert agent.act(view) == 1


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("int nothing;", "exports no function ludus_agent_version"),
        ("int ludus_agent_version(void) { return 7; }", "was compiled with another version"),
        (NEEDED, "exports no function ludus_agent_act"),
    ],
)
def test_other_libraries_are_no_agents(source: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=reason):
        load(compile_library(tmp_path, source))


def test_a_file_that_is_no_library_is_no_agent(tmp_path: Path) -> None:
    (tmp_path / "agent.so").write_text("text")
    with pytest.raises(AgentError, match="cannot be loaded: "):
        load(str(tmp_path / "agent.so"))


def test_an_agent_that_gives_up_says_so(tmp_path: Path) -> None:
    agent = load(acting(tmp_path, "return -4;"))
    agent.reset(SCENARIO)
    with pytest.raises(AgentFault, match=r"gave up: ludus_agent_act\(\) returned -4"):
        agent.act(show_world())


def test_a_library_learns_if_it_exports_that(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert not isinstance(load(acting(tmp_path / "plain", "return 0;")), Learns)
    act = "LUDUS_AGENT int32_t ludus_agent_act(void *agent, const ludus_agent_observation *seen)"
    learn = "LUDUS_AGENT void ludus_agent_learn(void *agent, const ludus_agent_outcome *outcome)"
    agent = load(
        compile_library(
            tmp_path,
            f"""{NEEDED}
            static int learned;
            {act} {{ (void)agent; (void)seen; return learned; }}
            {learn} {{
                (void)agent;
                if (strstr(outcome->json, "distance"))
                    learned = (int)outcome->score + outcome->play;
            }}""",
        )
    )
    assert isinstance(agent, Learns)
    agent.reset(SCENARIO)
    agent.learn({"score": 12, "play": 3, "distance": 40})
    assert agent.act(show_world()) == 15


@pytest.mark.parametrize("sandbox", [False, True])
def test_a_fault_in_compiled_code_ends_its_process_alone(sandbox: bool, tmp_path: Path) -> None:
    if sandbox and not has_sandbox():
        pytest.skip("this system has no sandbox")
    spec = acting(tmp_path, "return *(volatile int *)8;")
    context = RunContext(sandbox=sandbox)
    agent = start_agent_process(spec, "platformer", context, "platformer")
    agent.reset(SCENARIO.for_agent())
    with pytest.raises(AgentDied, match="SIGSEGV"):
        agent.act(PlatformerGame().begin(SCENARIO).observation)


def test_the_example_looks_ahead_and_wins(tmp_path: Path) -> None:
    agent = load(compile_library(tmp_path, (EXAMPLES / "c" / "hopper.c").read_text()))
    world = World(LEVEL, 0, 40)
    agent.reset(SCENARIO)
    view = View(world)
    while world.status == 0:
        world.step(agent.act(view))
    assert (agent.name, world.status) == ("hopper-c", 1)


def test_a_program_links_against_the_installed_engines(tmp_path: Path) -> None:
    source, program = tmp_path / "step.c", tmp_path / "step"
    source.write_text(
        """#include <ludus.h>
        #include <stdio.h>
        #include <string.h>
        int main(void) {
            const char *text = "M-----------F\\nXXXXXXXXXXXXX";
            ludus_level *level; ludus_world *world;
            if (ludus_abi_version() != LUDUS_ABI_VERSION
                || ludus_level_from_text(text, strlen(text), NULL, &level)
                || ludus_world_begin(level, NULL, &world)) return 1;
            while (ludus_world_status(world) == LUDUS_RUNNING)
                ludus_world_step(world, LUDUS_RIGHT | LUDUS_SPEED);
            printf("%d\\n", ludus_world_status(world));
            ludus_world_free(world); ludus_level_free(level);
            return 0;
        }""",
        encoding="utf-8",
    )
    folder = find_libludus().parent
    flags = [f"-I{find_include()}", f"-L{folder}", f"-Wl,-rpath,{folder}"]
    subprocess.run(["gcc", str(source), *flags, "-lludus", "-o", str(program)], check=True)
    ran = subprocess.run([program], check=True, capture_output=True, text=True)
    assert ran.stdout == "1\n"


def test_the_example_in_cpp_plays_here_if_it_is_trusted(tmp_path: Path) -> None:
    library = tmp_path / "runner.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-I{find_include()}"]
    source = str(EXAMPLES / "cpp" / "runner.cpp")
    subprocess.run(["g++", *flags, source, "-o", str(library)], check=True)
    trusted = open_agent(str(library), context=RunContext(trust=True), game="platformer")
    assert isinstance(trusted, LibraryAgent)
    assert trusted.name == "runner-cpp"
    trusted.reset(SCENARIO)
    assert trusted.act(View(World(LEVEL, 0, 40))) & Button.RIGHT
    for context in (RunContext(), RunContext(trust=True, sandbox=has_sandbox())):
        if context.sandbox or not context.trust:
            apart = open_agent(str(library), context=context, game="platformer")
            assert isinstance(apart, AgentProcess)
            apart.close()


def test_libraries_of_macos_are_libraries() -> None:
    assert read_library("agents/mine.dylib") is not None
