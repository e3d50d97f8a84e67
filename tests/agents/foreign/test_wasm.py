"""Agents in WebAssembly: what they see, what their work costs, and what becomes of misbehaviour."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import wasmtime

from ludus import judge
from ludus.agents import load
from ludus.agents.foreign.c_files import find_include
from ludus.agents.foreign.wasm import WasmFile
from ludus.agents.foreign.wasm_agent import Tank, WasmAgent, open_wasm
from ludus.agents.foreign.wasm_module import compile_module, make_engine
from ludus.agents.isolation.agent_process import start_agent_process
from ludus.agents.isolation.opening import find, is_foreign
from ludus.agents.judge.opening import check_judgeable, open_judged
from ludus.agents.sandbox.layers import has_sandbox
from ludus.context import RunContext
from ludus.contract import Agent, Learns
from ludus.errors import AgentError, AgentFault, AgentOverBudget
from ludus.games.platformer._native import World
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.environment import Environment
from ludus.games.platformer.tasks.task import Task
from ludus.games.platformer.view import View
from ludus.limits import Limits

EXAMPLES = Path(__file__).parents[3] / "examples" / "agents"
LEVEL = bundled_level("sprint-01")
SCENARIO = Scenario("sprint-01", LEVEL)
MEMORY = '(memory (export "memory") 1)'
FUNCTIONS = {
    "version": "(result i32) i32.const 1",
    "create": "(result i32) i32.const 8",
    "destroy": "(param i32)",
    "reset": "(param i32 i32)",
    "act": "(param i32 i32) (result i32) i32.const 3",
}
COMPILE = ["clang", "--target=wasm32", "-O2", "-nostdlib", "-fvisibility=hidden"]
LINK = "-Wl,--no-entry,--export-dynamic,--export-table,--growable-table"


@cache
def assemble(text: str) -> bytes:
    return bytes(wasmtime.wat2wasm(text))


def write_module(folder: Path, *, first: str = MEMORY, **changed: str) -> str:
    """Write an agent of functions in WebAssembly's text, and return its spec."""
    functions = "".join(
        f'(func (export "ludus_agent_{name}") {body})'
        for name, body in (FUNCTIONS | changed).items()
        if body
    )
    file = folder / "agent.wasm"
    file.write_bytes(assemble(f"(module {first} {functions})"))
    return str(file)


def acting(folder: Path, body: str, **changed: str) -> str:
    return write_module(folder, act=f"(param i32 i32) (result i32) {body}", **changed)


def show_world(ticks: int = 0) -> View:
    world = World(LEVEL, 0, 40)
    for _ in range(ticks):
        world.step(10)
    return View(world)


def play(agent: Agent[Any, Any, Any]) -> tuple[list[int], int]:
    """Return the actions on a level, and how it ended."""
    world = World(LEVEL, 0, 40)
    view = View(world)
    agent.reset(SCENARIO)
    actions = []
    while world.status == 0:
        actions.append(agent.act(view))
        world.step(actions[-1])
    return actions, world.status


def test_a_spec_names_a_module(tmp_path: Path) -> None:
    spec = write_module(tmp_path)
    assert is_foreign(spec)
    source = find(spec)
    assert (source.name, source.spec) == ("agent", spec)
    assert source.fingerprint == WasmFile(Path(spec)).fingerprint()
    with pytest.raises(AgentError, match=r"none.wasm' cannot be read: No such file"):
        load(str(tmp_path / "none.wasm"))


BROKEN: dict[str, tuple[dict[str, str], str]] = {
    "no act": ({"act": ""}, r"exports no function ludus_agent_act\(\)"),
    "no memory": ({"first": ""}, "exports no memory as 'memory'"),
    "other signature": (
        {"act": "(param i32) (result i64) i64.const 3"},
        r"exports 'ludus_agent_act' as \(i32\) -> \(i64\): it has to be \(i32, i32\) -> \(i32\)",
    ),
    "no function": ({"first": f'{MEMORY}(global (export "_initialize") i32 i32.const 0)'},
                    "exports '_initialize', which is no function"),
    "other version": ({"version": "(result i32) i32.const 9"}, "compiled with version 9 of"),
    "no agent": ({"create": "(result i32) i32.const 0"}, r"create\(\) returned no agent"),
    "files": (
        {"first": f'(import "wasi_snapshot_preview1" "fd_write" (func (param i32))){MEMORY}'},
        "imports 'wasi_snapshot_preview1.fd_write', which is not there: a module has no files",
    ),
    "unknown import": (
        {"first": f'(import "ludus" "cheat" (func)){MEMORY}'},
        "imports 'ludus.cheat', which is not there",
    ),
    "other import": (
        {"first": f'(import "ludus" "advance" (func (param f32))){MEMORY}'},
        r"imports 'ludus.advance' as \(f32\) -> \(\): it has to be \(i32, i32\) -> \(i32\)",
    ),
    "trap while it starts": (
        {"first": f"{MEMORY}(func $s unreachable)(start $s)"},
        "trapped: wasm `unreachable` instruction executed",
    ),
    "a call before there is memory": (
        {"first": f'(import "ludus" "log" (func $l (param i32 i32))){MEMORY}'
         "(func $s (call $l (i32.const 8) (i32.const 8)))(start $s)"},
        "was given a pointer out of its memory",
    ),
    "no way to a model": ({"wants": "(result i32) i32.const 256"}, "wants a forward model, and"),
    "shared memory": ({"first": '(memory (export "memory") 1 1 shared)'}, "is no module"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_agent_is_refused_in_one_line(case: str, tmp_path: Path) -> None:
    changed, reason = BROKEN[case]
    with pytest.raises(AgentError, match=reason) as refused:
        load(write_module(tmp_path, **changed))
    assert "\n" not in str(refused.value)


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    whole = Path(write_module(tmp_path)).read_bytes()
    file = tmp_path / "damaged.wasm"
    damaged = [b"", b"text", b"(module)", whole[:7], *(whole[:k] for k in range(8, len(whole), 9))]
    damaged += [whole[:k] + b"\xff" + whole[k + 1 :] for k in range(8, len(whole) - 40, 17)]
    reasons = []
    for content in damaged:
        file.write_bytes(content)
        try:
            load(str(file))
        except AgentError as error:
            reasons.append(str(error))
    assert len(reasons) > len(damaged) // 2
    assert not [reason for reason in reasons if "\n" in reason]
    (tmp_path / "folder.wasm").mkdir()
    with pytest.raises(AgentError, match="cannot be read: Is a directory"):
        load(str(tmp_path / "folder.wasm"))


def test_memory_is_limited(tmp_path: Path) -> None:
    context = RunContext(limits=Limits(memory=2**20))
    with pytest.raises(AgentError, match="memory minimum size of 100 pages exceeds memory limits"):
        load(write_module(tmp_path, first='(memory (export "memory") 100)'), context=context)
    spec = acting(tmp_path, "(memory.grow (i32.const 100)) i32.const 5 i32.add")
    agent = load(spec, context=context)
    agent.reset(SCENARIO)
    assert agent.act(show_world()) == 4  # growing says -1
    with pytest.raises(AgentFault, match=r"failed in ludus_agent_reset\(\): failed to grow memory"):
        load(write_module(tmp_path, first='(memory (export "memory") 1 1)')).reset(SCENARIO)


TRAPS = {
    "unreachable": "wasm `unreachable` instruction executed",
    "(i32.div_s (i32.const 1) (i32.const 0))": "integer divide by zero",
    "(i32.load (i32.const -8))": "out of bounds memory access",
    "(call 4 (local.get 0) (local.get 1))": "call stack exhausted",
}


def test_names_and_endings_of_hostile_modules_do_no_harm(tmp_path: Path) -> None:
    far = write_module(
        tmp_path, name="(result i32) i32.const -1", destroy="(param i32) unreachable"
    )
    agent = open_wasm(Path(far))
    assert agent.name == "agent"
    agent.close()
    text = f'{MEMORY}(data (i32.const 16) "a\\1b[2J\\ffb")'
    named = open_wasm(Path(write_module(tmp_path, first=text, name="(result i32) i32.const 16")))
    assert "\x1b" not in named.name
    assert named.name.startswith("a")


@pytest.mark.parametrize("body", TRAPS)
def test_a_trap_ends_an_episode_and_the_next_one_begins_anew(body: str, tmp_path: Path) -> None:
    once = f"(i32.load (i32.const 64)) if (result i32) {body} else i32.const 7 end "
    poke = "(i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.const 1)))"
    agent, view = load(acting(tmp_path, f"{once} {poke}")), show_world()
    agent.reset(SCENARIO)
    assert agent.act(view) == 7
    with pytest.raises(AgentFault, match=rf"trapped in ludus_agent_act\(\): {TRAPS[body]}"):
        agent.act(view)
    agent.reset(SCENARIO)
    assert agent.act(view) == 7


def test_an_agent_that_gives_up_says_so(tmp_path: Path) -> None:
    agent = load(acting(tmp_path, "i32.const -4"))
    agent.reset(SCENARIO)
    with pytest.raises(AgentFault, match=r"gave up: ludus_agent_act\(\) returned -4"):
        agent.act(show_world())


def test_modules_learn_and_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not isinstance(load(write_module(tmp_path)), Learns)
    agent = load(
        acting(
            tmp_path,
            "(call $log (i32.const 16) (i32.const 5)) (i32.load (i32.const 64))",
            first=f'(import "ludus" "log" (func $log (param i32 i32))) {MEMORY}'
            '(data (i32.const 16) "h\\1bi\\nx")',
            learn="(param i32 i32) (i32.store (i32.const 64) (i32.add "
            "(i32.load offset=4 (local.get 1)) "
            "(i32.trunc_f64_s (f64.load offset=8 (local.get 1)))))",
        )
    )
    assert isinstance(agent, Learns)
    agent.reset(SCENARIO)
    agent.learn({"score": 12, "play": 3, "distance": 40})
    assert agent.act(show_world()) == 15
    assert "\x1b" not in (printed := capsys.readouterr().err)
    assert printed.splitlines()[-1] == "x"


LOOP = "(loop $l br $l) unreachable"


def test_an_endless_loop_ends_by_fuel_and_the_agent_goes_on(tmp_path: Path) -> None:
    poke = "(i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.const 1)))"
    spec = acting(
        tmp_path,
        f"{poke} (i32.eq (i32.load (i32.const 64)) (i32.const 2)) if {LOOP} end "
        "(i32.load (i32.const 64))",
    )
    limits = Limits(decision_units=50_000, episode_units=120_000)
    agent, view = open_judged(spec, "platformer", RunContext(limits=limits)), show_world()
    agent.reset(SCENARIO)
    assert agent.act(view) == 1
    with pytest.raises(AgentOverBudget, match="used up 50,001 units") as over:
        agent.act(view)
    assert over.value.of == "decision"
    assert agent.act(view) == 1  # a new instance, which was reset
    with pytest.raises(AgentOverBudget):
        agent.act(view)
    assert agent.act(view) == 1
    with pytest.raises(AgentOverBudget, match="120,000 units for the episode") as over:
        agent.act(view)
    assert over.value.of == "episode"


def test_an_agent_that_never_loads_is_refused(tmp_path: Path) -> None:
    spec = write_module(tmp_path, create=f"(result i32) {LOOP}")
    with pytest.raises(AgentError, match="it used up its 1,000 units while it was loaded"):
        open_judged(spec, "platformer", RunContext(limits=Limits(episode_units=1000)))


MODELLED = """(import "ludus" "clone" (func $clone (param i32) (result i32)))
(import "ludus" "advance" (func $advance (param i32 i32) (result i32)))
(import "ludus" "describe" (func $describe (param i32 i32)))
(import "ludus" "grid" (func $grid (param i32 i32 i32 i32 i32) (result i32)))
(import "ludus" "places" (func $places (param i32 i32 i32) (result i32)))
(import "ludus" "free" (func $free (param i32)))
(memory (export "memory") 1)"""
MODEL = "(i32.load offset=148 (local.get 1))"


def test_imported_functions_are_the_engine_s(tmp_path: Path) -> None:
    body = f"""(local $m i32) (local $k i32) (local.set $m (call $clone {MODEL}))
    (loop $l (drop (call $advance (local.get $m) (i32.const 10)))
      (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 30))))
    (call $describe (local.get $m) (i32.const 1024)) (call $free (local.get $m))
    (i32.trunc_f32_s (f32.load (i32.const 1044)))"""
    agent, view = load(acting(tmp_path, body, first=MODELLED)), show_world()
    assert isinstance(agent, WasmAgent)
    agent.reset(SCENARIO)
    model = view.forward_model()
    for _ in range(30):
        model.advance(10)
    assert agent.act(view) == int(model.mario.x)
    uses = {use.what: (use.entered, use.fuel) for use in agent.list_uses()}
    assert (uses["clone"], uses["advance"]) == ((1, 150), (30, 1800))
    assert (uses["describe"], uses["free"]) == ((1, 300), (1, 0))
    view.close_forward_model()
    with pytest.raises(AgentFault, match="was given a model that does not exist"):
        agent.act(view)


HOSTILE = {
    f"(drop (call $advance {MODEL} (i32.const 1)))": "a model that does not exist",
    "(drop (call $clone (i32.const 77)))": "a model that does not exist",
    "(call $free (i32.const -1))": "a model that does not exist",
    f"(call $describe {MODEL} (i32.const 0x7fffff00))": "a pointer out of its memory",
    f"(call $describe {MODEL} (i32.const -4))": "a pointer out of its memory",
    f"(drop (call $grid {MODEL} (i32.const 16) (i32.const 2147483647) (i32.const 2147483647) "
    "(i32.const 8)))": "used up its fuel",
    f"(drop (call $grid {MODEL} (i32.const 16) (i32.const 3000) (i32.const 3000) (i32.const 8)))":
        "a pointer out of its memory",
    f"(drop (call $places {MODEL} (i32.const 0x7fffff00) (i32.const -1)))":
        "a pointer out of its memory",
}  # fmt: skip


@pytest.mark.parametrize("call", HOSTILE)
def test_the_engine_takes_nothing_that_is_not_the_agent_s(call: str, tmp_path: Path) -> None:
    agent = load(acting(tmp_path, f"{call} i32.const 0", first=MODELLED))
    agent.reset(SCENARIO)
    with pytest.raises(AgentFault, match=HOSTILE[call]):
        agent.act(show_world())


def test_cloning_without_end_ends_by_the_budget(tmp_path: Path) -> None:
    body = f"""(local $k i32) (loop $l (local.set $k (i32.add (local.get $k) (i32.const 1)))
      (br_if $l (call $clone {MODEL}))) (local.get $k)"""
    limits = Limits(decision_units=1_000_000)
    spec = acting(tmp_path, body, first=MODELLED)
    agent = open_judged(spec, "platformer", RunContext(limits=limits))
    agent.reset(SCENARIO)
    with pytest.raises(AgentOverBudget):
        agent.act(show_world())


def test_the_layout_is_that_of_the_page(tmp_path: Path) -> None:
    """The numbers of an observation are where docs/bring-your-agent.md says they are."""
    view = show_world(20)
    shown = {8: view.tick, 12: view.timer, 104: 16, 108: 16, 144: len(view.enemy_positions), 4: 251}
    for offset, value in shown.items():
        agent = load(acting(tmp_path, f"(i32.load offset={offset} (local.get 1))"))
        agent.reset(SCENARIO)
        assert agent.act(view) == value, offset
    cell = "(i32.load8_u (i32.add (i32.load offset=112 (local.get 1)) (i32.const 137)))"
    agent = load(acting(tmp_path, cell))
    agent.reset(SCENARIO)
    assert agent.act(view) == view.scene[8][9] != 0
    task = Task(kinds=("scene",), forward_model=False)
    agent = load(acting(tmp_path, "(i32.load offset=4 (local.get 1))"))
    agent.reset(SCENARIO)
    assert agent.act(Environment("-ld 0 -ls 3", task).observation) == 1 << 4


SUM = """(local $k i32) (local $s f32) (loop $l
  (local.set $s (f32.sqrt (f32.add (local.get $s) (f32.load offset=24 (local.get 1)))))
  (memory.fill (i32.const 256) (i32.const 1) (i32.const 100))
  (br_if $l (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 200))))
  (i32.trunc_f32_s (local.get $s))"""


def test_fuel_is_the_same_however_the_code_is_made(tmp_path: Path) -> None:
    content = Path(acting(tmp_path, SUM)).read_bytes()
    counts = []
    for optimise in (True, True, False):
        tank = Tank(10**9)
        compiled = compile_module(content, make_engine(optimise=optimise))
        agent = WasmAgent(compiled, "agent", 0, tank)
        agent.reset(SCENARIO)
        agent.act(show_world(20))
        counts.append(10**9 - tank.left)
    assert counts[0] == counts[1] == counts[2] > 20_000


def test_the_judge_prints_what_a_module_uses(tmp_path: Path) -> None:
    spec = acting(tmp_path, SUM)
    check_judgeable(spec)
    result = judge(spec, episodes=1)
    assert len(set(result.decisions)) == 1  # the parts that are shown have one size
    assert {line.function for line in result.lines} == {
        "ludus_agent_act",
        "ludus_agent_reset",
        "observation",
    }
    assert sum(line.units for line in result.lines) == result.episodes[0].usage.units


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", [False, True])
def test_a_module_plays_in_a_process_of_its_own(sandbox: bool, tmp_path: Path) -> None:
    if sandbox and not has_sandbox():
        pytest.skip("this system has no sandbox")
    match = PlatformerGame().begin(SCENARIO)
    tick = f"(i32.sub (i32.load offset=8 (local.get 1)) (i32.const {match.observation.tick}))"
    spec = acting(tmp_path, f"(i32.div_s (i32.const 1) {tick})")
    agent = start_agent_process(spec, "platformer", RunContext(sandbox=sandbox), "platformer")
    agent.reset(SCENARIO.for_agent())
    with pytest.raises(AgentFault, match="integer divide by zero"):
        agent.act(match.observation)
    match.step(10)
    agent.reset(SCENARIO.for_agent())
    assert agent.act(match.observation) == 1
    agent.close()


def compile_wasm(source: Path, module: Path) -> None:
    if shutil.which("clang") is None or shutil.which("wasm-ld") is None:
        pytest.skip("clang with wasm-ld is not installed")
    subprocess.run([*COMPILE, f"-I{find_include()}", LINK, source, "-o", module], check=True)


def test_the_same_source_plays_the_same_as_module_and_as_library(tmp_path: Path) -> None:
    source, library = EXAMPLES / "c" / "hopper.c", tmp_path / "hopper.so"
    compile_wasm(source, tmp_path / "hopper.wasm")
    flags = ["-O2", "-shared", "-fPIC", f"-I{find_include()}"]
    subprocess.run(["cc", *flags, source, "-o", library], check=True)
    as_module, as_library = open_wasm(tmp_path / "hopper.wasm"), load(str(library))
    played = play(as_module)
    assert played == play(as_library)
    assert (as_module.name, played[1]) == ("hopper-c", 1)
    as_module.close()


def test_the_example_in_c_looks_and_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_wasm(EXAMPLES / "wasm" / "c" / "looker.c", tmp_path / "looker.wasm")
    agent = open_wasm(tmp_path / "looker.wasm")
    actions, _ = play(agent)
    assert agent.name == "looker"
    assert 0 < capsys.readouterr().err.count("jump\n") < len(actions)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["", "wasm32-unknown-unknown"])
def test_the_example_in_rust_runs(target: str, tmp_path: Path) -> None:
    rustc = "/usr/bin/rustc" if Path("/usr/bin/rustc").exists() else shutil.which("rustc")
    if rustc is None:
        pytest.skip("rustc is not installed")
    name = "runner.wasm" if target else "runner.so"
    command = [rustc, "-O", "--edition", "2021", "--crate-type", "cdylib"]
    command += ["--target", target] if target else []
    source = EXAMPLES / "wasm" / "rust" / "runner.rs"
    built = subprocess.run(
        [*command, source, "-o", tmp_path / name], capture_output=True, text=True, check=False
    )
    if target and "target may not be installed" in built.stderr:
        pytest.skip(f"Rust's target {target} is not installed")
    assert not built.returncode, built.stderr
    agent = load(str(tmp_path / name))
    assert agent.name == "runner-rust"
    actions, _ = play(agent)
    assert set(actions) == {2, 18}
