"""Measures what a call of an agent costs by each door for agents that are not written in Python.

    python -m perf.foreign

Every agent holds the same buttons and reads Mario's state alone, so that the door is all that
counts. A call is one decision on a world that stands still: by the wall clock, the best of the
batches of three seconds, so that Java has compiled what it runs often. Batches are short, so that
other work on the machine is between some of them. The row of bare pipes is what two programs in C
take to exchange as many bytes. Doors whose compiler is missing are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from ludus.agents import load
from ludus.agents.foreign.c_files import find_include, find_libludus
from ludus.agents.foreign.java_files import find_archive
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.games.platformer import World
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

ROOT = Path(__file__).parents[1]
BATCH, SECONDS = 50, 3.0
SCENARIO = Scenario("sprint-01", bundled_level("sprint-01"))

LIBRARY = """
#include <ludus/agent.h>
static int agent;
LUDUS_AGENT uint32_t ludus_agent_version(void) { return LUDUS_AGENT_VERSION; }
LUDUS_AGENT uint32_t ludus_agent_wants(void) { return LUDUS_SHOWS_MARIO; }
LUDUS_AGENT void *ludus_agent_create(void) { return &agent; }
LUDUS_AGENT void ludus_agent_destroy(void *unused) { (void)unused; }
LUDUS_AGENT void ludus_agent_reset(void *unused, const ludus_agent_scenario *scenario) {
    (void)unused, (void)scenario;
}
LUDUS_AGENT int32_t ludus_agent_act(void *unused, const ludus_agent_observation *seen) {
    (void)unused; return seen->mario.may_jump ? 26 : 10;
}
"""

PROGRAM = r"""
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
static char bytes[1 << 20];
static void say(const char *text) { if (write(1, text, strlen(text)) < 0) _exit(1); }
static void play_lines(void) {
    while (fgets(bytes, sizeof bytes, stdin))
        say(strstr(bytes, "\"act\"") ? "{\"type\":\"action\",\"buttons\":10}\n"
                                       : "{\"type\":\"ready\"}\n");
}
static void play_frames(void) {
    for (ssize_t size; (size = read(0, bytes, sizeof bytes)) > 4;)
        if (bytes[4] == 3 ? write(1, "\2\0\0\0\x11\x0a", 6) < 0 : write(1, "\1\0\0\0\x10", 5) < 0)
            return;
}
int main(int count, char **arguments) {
    (void)arguments;
    setvbuf(stdin, NULL, count > 1 ? _IONBF : _IOFBF, 1 << 16);
    if (!fgets(bytes, sizeof bytes, stdin)) return 1;
    say(count > 1
        ? "{\"type\":\"hello\",\"protocol\":1,\"frames\":\"binary\",\"wants\":[\"mario\"]}\n"
        : "{\"type\":\"hello\",\"protocol\":1,\"wants\":[\"mario\"]}\n");
    if (count > 1) play_frames(); else play_lines();
    return 0;
}
"""

BARE = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
enum { CALLS = 50, BATCHES = 400, QUESTION = 93, ANSWER = 6 };
static char bytes[128];
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + (double)time.tv_nsec / 1000;
}
static void move_to(const char *core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(atoi(core), &cores);
    if (sched_setaffinity(0, sizeof cores, &cores)) exit(1);
}
int main(int count, char **cores) {
    int there[2], back[2];
    if (pipe(there) || pipe(back)) return 1;
    pid_t child = fork();
    if (count > 2) move_to(cores[child ? 1 : 2]);
    if (!child) {
        close(there[1]);
        while (read(there[0], bytes, sizeof bytes) > 0)
            if (write(back[1], bytes, ANSWER) < 0) return 1;
        return 0;
    }
    double best = 1e9;
    for (int batch = 0; batch < BATCHES; batch++) {
        double began = now();
        for (int call = 0; call < CALLS; call++)
            if (write(there[1], bytes, QUESTION) < 0 || read(back[0], bytes, sizeof bytes) < 0)
                return 1;
        double cost = (now() - began) / CALLS;
        best = cost < best ? cost : best;
    }
    printf("%f\n", best);
    return 0;
}
"""

PYTHON = """
class Runner:
    name = "runner"
    def reset(self, scenario): pass
    def act(self, view): return 26 if view.mario.may_jump else 10
"""

JAVA = """
import engine.core.*;
public class Runner implements MarioAgent {
    public void initialize(MarioForwardModel model, MarioTimer timer) {}
    public boolean[] getActions(MarioForwardModel model, MarioTimer timer) {
        return new boolean[] {false, true, false, true, model.mayMarioJump()};
    }
    public String getAgentName() { return "runner"; }
}
"""


AHEAD = """
import engine.core.MarioForwardModel;
import java.nio.file.Files;
import java.nio.file.Path;
import ludus.Level;
import ludus.World;
public class Ahead {
    public static void main(String[] arguments) throws Exception {
        String text = Files.readString(Path.of(arguments[0]));
        MarioForwardModel model = new World(Level.fromText(text, "framework"), 0, 40).model();
        boolean[] buttons = {false, true, false, true, false};
        int batch = 500;
        long best = Long.MAX_VALUE;
        for (int count = 0; count < 1000; count++) {
            long began = System.nanoTime();
            for (int k = 0; k < batch; k++) {
                MarioForwardModel ahead = model.clone();
                ahead.advance(buttons);
                ahead.advance(buttons);
            }
            best = Math.min(best, System.nanoTime() - began);
        }
        System.out.println(best / 1000.0 / batch);
    }
}
"""


class Row(NamedTuple):
    """A door, what a call costs in microseconds, and the aim."""

    door: str
    cost: float
    most: float | None = None


def compile_c(folder: Path, name: str, source: str, *flags: str) -> Path:
    """Compile a file in C and return what came of it."""
    file, made = folder / f"{Path(name).stem}.c", folder / name
    file.write_text(source, encoding="utf-8")
    subprocess.run(["cc", "-O2", f"-I{find_include()}", *flags, file, "-o", made], check=True)
    return made


def compile_wasm(folder: Path, source: str) -> Path:
    """Compile a file in C to WebAssembly and return the module."""
    file, module = folder / "module.c", folder / "module.wasm"
    file.write_text(source, encoding="utf-8")
    flags = ["--target=wasm32", "-O2", "-nostdlib", "-fvisibility=hidden", f"-I{find_include()}"]
    link = "-Wl,--no-entry,--export-dynamic"
    subprocess.run(["clang", *flags, link, file, "-o", module], check=True)
    return module


def measure_call(spec: str, context: RunContext = DEFAULT_CONTEXT) -> float:
    """Return what a decision costs in microseconds, asked from Python."""
    return measure_agent(load(spec, context=context))


def measure_agent(agent: Any) -> float:
    """Return what a decision of an agent costs in microseconds, and close the agent."""
    view = View(World(SCENARIO.level, 0, SCENARIO.time_limit))
    agent.reset(SCENARIO)
    best, deadline = float("inf"), time.perf_counter() + SECONDS
    while (began := time.perf_counter()) < deadline:
        for _ in range(BATCH):
            agent.act(view)
        best = min(best, time.perf_counter() - began)
    if hasattr(agent, "close"):
        agent.close()
    return 1e6 * best / BATCH


def measure_apart(spec: str) -> float:
    """Return what a decision costs if the program has another core than this process."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[-1:])
    agent: Any = load(spec)  # the program stays where it was started
    os.sched_setaffinity(0, cores[:1])
    try:
        return measure_agent(agent)
    finally:
        os.sched_setaffinity(0, cores)


def measure_bare(program: Path, *cores: int) -> float:
    """Return what a question and an answer cost two programs in C, each on its core if given."""
    command = [str(program), *map(str, cores)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_host(folder: Path, library: Path) -> float:
    """Return what the host in C adds to a call, in microseconds."""
    driver, engines = folder / "driver", find_libludus().parent
    sources = [str(ROOT / "perf" / "foreign.c"), str(ROOT / "native" / "agent" / "host.c")]
    flags = ["-O2", f"-I{ROOT / 'native'}", f"-L{engines}", f"-Wl,-rpath,{engines}"]
    command = ["cc", *flags, *sources, "-o", str(driver), "-lludus", "-ldl"]
    subprocess.run(command, check=True)
    printed = subprocess.run([driver, library], check=True, capture_output=True, text=True).stdout
    bare, hosted = map(float, printed.split())
    return (hosted - bare) / 1000


def compile_java(folder: Path, **sources: str) -> None:
    """Compile classes in Java into a folder."""
    for name, source in sources.items():
        (folder / f"{name}.java").write_text(source, encoding="utf-8")
    files = [str(folder / f"{name}.java") for name in sources]
    subprocess.run(["javac", "-cp", str(find_archive()), "-d", str(folder), *files], check=True)


def measure_ahead(folder: Path) -> float:
    """Return what a copy of a model and two ticks in it cost in Java, in microseconds."""
    (folder / "level.txt").write_text(SCENARIO.level.text, encoding="utf-8")
    path = f"{find_archive()}{os.pathsep}{folder}"
    command = ["java", "-XX:+UseSerialGC", "-cp", path, "Ahead", str(folder / "level.txt")]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_rows(folder: Path) -> Iterator[Row]:
    """Yield a row for each door."""
    (folder / "runner.py").write_text(PYTHON, encoding="utf-8")
    yield Row("Python, in this process", measure_call(f"{folder}/runner.py:Runner"))
    if shutil.which("cc"):
        library = compile_c(folder, "runner.so", LIBRARY, "-shared", "-fPIC")
        yield Row("C library, host in C, beyond a bare call", measure_host(folder, library), 0.1)
        yield Row("C library, asked from Python", measure_call(str(library)))
        if shutil.which("clang") and shutil.which("wasm-ld") and find_spec("wasmtime"):
            module = compile_wasm(folder, LIBRARY)
            yield Row("WebAssembly, asked from Python", measure_call(str(module)), 3)
        program = compile_c(folder, "program", PROGRAM)
        yield Row("program, binary frames", measure_call(f"{program} --frames"), 8)
        yield Row("program, binary frames, a core each", measure_apart(f"{program} --frames"))
        bare = compile_c(folder, "bare", BARE)
        yield Row("bare loop of two programs in C by pipes", measure_bare(bare))
        cores = sorted(os.sched_getaffinity(0))
        apart = measure_bare(bare, cores[0], cores[-1])
        yield Row("bare loop of two programs in C, a core each", apart)
        swift = (ROOT / "examples" / "agents" / "c" / "swift.c").read_text(encoding="utf-8")
        swift_program = compile_c(folder, "swift", swift)
        yield Row("program, shared memory, a core each", measure_apart(str(swift_program)), 3)
        yield Row(
            "program, shared memory, where the system puts it", measure_call(str(swift_program))
        )
        yield Row("program, lines of JSON", measure_call(str(program)))
    if shutil.which("javac"):
        compile_java(folder, Runner=JAVA, Ahead=AHEAD)
        yield Row("Java, clone() and 2 × advance() of a model", measure_ahead(folder), 1.5)
        yield Row("Java, asked from Python by a pipe", measure_call(f"{folder}:Runner"))
        here = RunContext(own_process=True)  # Java stays in this process, so that it comes last
        yield Row("Java in process, asked from Python", measure_call(f"{folder}:Runner", here), 1.5)


def main() -> None:
    """Print the table."""
    load_before = os.getloadavg()[0]
    table = Table(title="A call of an agent, µs", title_justify="left")
    for heading in ("door", "µs", "aim", "met"):
        table.add_column(heading, justify="left" if heading == "door" else "right")
    with tempfile.TemporaryDirectory() as folder:
        for door, cost, most in measure_rows(Path(folder)):
            met = "–" if most is None else "[green]yes[/]" if cost <= most else "[red]no[/]"
            table.add_row(door, f"{cost:.2f}", "–" if most is None else f"{most:g}", met)
    console = Console(width=max(100, Console().width))
    console.print(table)
    console.print(f"Load {load_before:.1f} before, {os.cpu_count()} cores.", style="dim")


if __name__ == "__main__":
    main()
