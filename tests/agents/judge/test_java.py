"""Java under the judge: it does the same, in units that no machine changes, with no way around."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.agents.foreign.java_compiling import compile_java, needs_java

import ludus
from ludus.agents.foreign.java_files import find_archive
from ludus.context import RunContext
from ludus.errors import AgentError
from ludus.execution.episode import Episode
from ludus.execution.plan import make_plan
from ludus.execution.stage import Stage
from ludus.limits import Limits

pytestmark = [needs_java, pytest.mark.slow]

SOURCES = Path(__file__).parent / "java"
RUN = 10
DECISION = 20_000

REFUSED = {
    "Threads": "java.lang.Thread",
    "Pools": "java.util.concurrent.Executors",
    "Parallel": "java.util.stream.IntStream.parallel",
    "Resets": "ludus.judge.Judge",
    "Reflects": "java.lang.Class.forName",
    "Handles": "java.lang.invoke.MethodHandles.lookup",
    "Loads$1": "java.lang.ClassLoader",
    "Shrinks": "a size of its own",
    "Finalizes": "a finalizer",
    "Exits": "java.lang.System.exit",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the compiled classes: Check in one, the judged ones in another."""
    folder = tmp_path_factory.mktemp("judged")
    write_long_method(folder / "Lengthy.java")
    compile_java([*SOURCES.rglob("*.java"), folder / "Lengthy.java"], folder / "classes")
    (folder / "check").mkdir()
    (folder / "classes" / "Check.class").rename(folder / "check" / "Check.class")
    return folder


def write_long_method(file: Path) -> None:
    """Write a method whose jumps go over more than 32,767 bytes once it counts."""
    steps = "\n".join(f"if (n % {k + 2} == 0) sum += n * {k % 7} + sum / 3;" for k in range(1500))
    file.write_text(
        "public class Lengthy {\n"
        '    public static String jumps() { return count(0) + " " + count(2); }\n'
        "    static int count(int n) {\n"
        "        int sum = 0;\n"
        f"        for (; n < 40; n++) {{ if (n == 3) continue; if (n == 39) break;\n{steps}\n}}\n"
        "        return sum;\n    }\n}\n"
    )


ASKED = (
    "same pieces.Features",
    "units pieces.ByHand straight 1000 3 4",
    "units pieces.ByHand loop 100000 10",
    "units pieces.ByHand sorted 100000 100",
    "units pieces.ByHand forever 100000",
    "units pieces.ByHand throwsForever 100000",
    "units pieces.ByHand looksForever 100000",
)


def check(folder: Path, *options: str, asked: Sequence[str] = ASKED) -> list[str]:
    """Return what Check prints for all that is asked, in one virtual machine."""
    command = ["java", "-Xverify:all", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *options]
    command += ["-cp", f"{find_archive()}:{folder / 'check'}", "Check", str(folder / "classes")]
    done = subprocess.run([*command, *asked], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def checked(folder: Path) -> list[str]:
    """Return what Check prints when all code is compiled as usual."""
    refusals = [f"load cheats.Cheats${name}" for name in REFUSED]
    return check(folder, asked=[*ASKED, "same Lengthy", "forge pieces.ByHand 300", *refusals])


def units(checked: list[str], method: str) -> str:
    """Return what was counted of a method."""
    return next(line for line in checked if f"ByHand {method} " in line).rpartition(": ")[2]


def test_judged_classes_do_what_plain_ones_do_and_profiles_count_the_same(
    checked: list[str],
) -> None:
    compared = checked[: checked.index("true")]
    assert [line.split()[0] for line in compared] == sorted(
        ["collections", "exceptions", "lambdas", "locks", "loops", "numbers", "objects", "switches"]
    )
    assert all(line.endswith(" alike") for line in compared)
    jumps = next(line for line in checked if line.startswith("jumps "))
    assert jumps.endswith(" alike")
    assert int(jumps.split()[1]) > 38 * 1500


def test_straight_code_costs_the_sum_of_its_instructions(checked: list[str]) -> None:
    # iload_0 iload_0 iload_1: 3; iadd imul: 2 each; ireturn: 1
    assert units(checked, "straight") == "8"


def test_loops_cost_their_blocks_as_often_as_they_are_entered(checked: list[str]) -> None:
    # before: iconst_0 istore_1 iconst_0 istore_2 = 4; the condition: iload_2 iload_0 if_icmpge = 4;
    # in it: iload_2 iconst_2 irem ifne = 6, and iload_1 iload_2 iadd istore_1 = 5, both at most 12,
    # so they are charged with the condition; then iinc goto = 3 with it as well, since both ways
    # lead there; behind the loop: iload_1 ireturn = 2, small and reached from the condition alone
    assert units(checked, "loop") == str(4 + 11 * (4 + 6 + 5 + 3 + 2))


def test_sorting_and_new_arrays_cost_by_their_size(checked: list[str]) -> None:
    # iload_0 newarray astore_1: 1 + 10 + 1, and 100 / 8 = 12; aload_1 invokestatic: 1 + 6, 20 for
    # the library, and 2 * 100 * 7 for the sorting; aload_1 arraylength ireturn: 3
    assert units(checked, "sorted") == str(12 + 12 + 7 + 20 + 2 * 100 * 7 + 3)


@pytest.mark.parametrize("method", ["forever", "throwsForever"])
def test_endless_loop_that_catches_everything_ends_right_after_its_budget(
    method: str, checked: list[str]
) -> None:
    used, words = units(checked, method).split(" ", 1)
    assert 100_000 < int(used) <= 101_100
    assert words == "used up its units"


def test_library_is_charged_by_references_to_its_methods_as_well(checked: list[str]) -> None:
    used, words = units(checked, "looksForever").split(" ", 1)
    assert 1_000_000 <= int(used) < 1_100_000  # one look through a million numbers
    assert words == "used up its units"


def test_units_are_those_of_an_interpreter(folder: Path, checked: list[str]) -> None:
    assert check(folder, "-Xint") == checked[: len(checked) - len(REFUSED) - 3]


# ---- in play


def play(folder: Path, name: str, limits: Limits, *, steps: int = 6) -> Episode:
    """Play the first steps of an episode."""
    limits = Limits.from_dict({**limits.to_dict(), "steps": steps})
    spec, context = f"{folder / 'classes'}:cheats.Cheats${name}", RunContext()
    plan = make_plan("platformer/punctual", [spec], episodes=1, limits=limits, context=context)
    stage = Stage(plan, context)
    try:
        return stage.play(plan.episodes[0])
    finally:
        stage.close()


def test_decision_over_its_budget_does_nothing_and_is_counted(folder: Path) -> None:
    episode = play(folder, "Catches", Limits(decision_units=DECISION))
    assert episode.record == bytes([RUN, RUN, 0, RUN, RUN, RUN])
    assert episode.usage.over_budget == 1
    assert DECISION < (episode.usage.units or 0) < DECISION + 2000


def test_timer_runs_out_before_the_budget_of_a_decision_does(folder: Path) -> None:
    usage = play(folder, "Patient", Limits(decision_units=DECISION), steps=3).usage
    assert usage.over_budget == 0
    assert 3 * 0.8 * DECISION < (usage.units or 0) < 3 * DECISION


def test_ways_around_the_counter_are_refused_in_one_line(checked: list[str]) -> None:
    said = dict(line.split(": ", 1) for line in checked[-len(REFUSED) :])
    assert {name for name, word in REFUSED.items() if f"uses {word}" not in said[name]} == set()
    assert all(line.endswith(": a judged agent may not do this") for line in said.values())


def test_forged_class_files_are_refused_or_loaded_and_nothing_else(checked: list[str]) -> None:
    line = next(line for line in checked if line.startswith("forged "))
    words = line.split()
    assert int(words[1]) > 50  # refused by the judge, or by the virtual machine
    assert line.endswith(" others 0")


def test_refused_class_is_no_agent(folder: Path) -> None:
    with pytest.raises(AgentError, match=r"uses java\.lang\.Thread.*judged agent"):
        play(folder, "Threads", Limits(decision_units=DECISION))


def test_work_while_classes_are_loaded_has_a_budget(folder: Path) -> None:
    with pytest.raises(AgentError, match="used up its"):
        play(folder, "Works", Limits(decision_units=DECISION))


def test_profile_names_the_dearest_lines(folder: Path) -> None:
    result = ludus.judge(f"{folder / 'classes'}:cheats.Cheats$Plain", episodes=1)
    line = result.lines[0]
    assert (line.file, line.function) == ("Cheats.java", "Cheats$Base.getActions")
    source = (SOURCES / "cheats" / "Cheats.java").read_text().splitlines()
    assert "return new boolean" in source[line.line - 1]
    assert line.entered == len(result.decisions)
    assert result.over == 0
    assert sum(result.decisions) == result.episodes[0].usage.units
