"""A file says how large its plan is; nobody's memory goes because it says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludus.errors import LudusError, OptionError, RunError
from ludus.execution.in_process import InProcessExecutor
from ludus.execution.plan import Plan, make_plan
from ludus.runs import Store, export, import_run, run
from ludus.runs.exchange import _seal

SPRINT = "platformer/sprint"
DIGEST = "0" * 64

LIMITED = """
import resource, sys
from ludus.runs import Store, import_run
from ludus.errors import LudusError
import ludus.benchmarks.platformer.sprint
store = Store("sqlite://")
now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + 100_000_000,) * 2)
try:
    import_run(sys.argv[1], store)
except LudusError as error:
    print(error)
"""


def forge(path: Path, **changes: Any) -> None:
    """Give the plan in a file other values and seal the file again, as a forger would."""
    seal, lines = "", []
    for number, line in enumerate(path.read_text().splitlines()):
        values = json.loads(line)
        del values["digest"]
        if number == 0:
            values["plan"] |= changes
            values["identity"] = _identity(values["plan"])
        seal = _seal(values, seal)
        lines.append(json.dumps({**values, "digest": seal}))
    path.write_text("\n".join(lines) + "\n")


def _identity(plan: dict[str, Any]) -> str:
    try:
        return Plan.from_json(json.dumps(plan)).identity
    except LudusError:
        return DIGEST


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    played = Store("sqlite://")
    path = tmp_path_factory.mktemp("exported") / "run.jsonl"
    executor = InProcessExecutor()
    export(run(SPRINT, ["idle"], store=played, episodes=2, executor=executor).id, played, path)
    return path.read_text()


@pytest.fixture
def file(tmp_path: Path, exported: str) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_text(exported)
    return path


@pytest.mark.parametrize(
    ("scenarios", "words"),
    [
        ({"count": 10**12, "digests": [DIGEST]}, "cannot have 1000000000000 scenarios"),
        ({"count": 2_000_000_000, "digests": [DIGEST]}, "have 2000000 digests, the plan holds 1"),
        ({"count": -1, "digests": []}, "cannot have -1 scenarios"),
        ({"count": 0, "digests": []}, "cannot have 0 scenarios"),
        ({"count": True, "digests": [DIGEST]}, "cannot have True scenarios"),
        ({"count": 2.0, "digests": [DIGEST]}, "cannot have 2.0 scenarios"),
        ({"count": "2", "digests": [DIGEST]}, "cannot have 2 scenarios"),
        ({"count": 2, "digests": ["x" * 10**6]}, "is no digest of scenarios"),
        ({"count": 2, "digests": {"0": DIGEST}}, "have 1 digests, the plan holds 0"),
        ({"digests": [DIGEST]}, "cannot have None scenarios"),
    ],
)
def test_a_plan_that_claims_what_it_cannot_have_is_refused(
    scenarios: dict[str, Any], words: str, file: Path, store: Store
) -> None:
    forge(file, scenarios=scenarios)
    with pytest.raises(RunError, match=words) as caught:
        import_run(file, store)
    assert len(str(caught.value)) < 1_000
    assert store.runs() == []


def test_many_agents_make_a_plan_no_larger_than_it_may_be(file: Path) -> None:
    plan = json.loads(file.read_text().splitlines()[0])["plan"]
    plan["agents"] *= 22_000
    plan["scenarios"] = {"count": 100_000, "digests": [DIGEST] * 100}
    with pytest.raises(OptionError, match="are too many for one run"):
        Plan.from_json(json.dumps(plan))


def test_it_is_refused_before_memory_goes(file: Path) -> None:
    forge(file, scenarios={"count": 10**12, "digests": [DIGEST]})
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(file)], capture_output=True, text=True, check=True
    )
    assert "cannot have 1000000000000 scenarios" in done.stdout


def test_a_million_scenarios_that_nobody_made_are_not_made(file: Path) -> None:
    """The first thousand have another digest: that ends it, in the memory of a thousand."""
    plan = json.loads(file.read_text().splitlines()[0])["plan"]
    plan["scenarios"] = {"count": 10**6, "digests": [DIGEST] * 10**3}
    forged = Plan.from_json(json.dumps(plan))
    for use in (forged.check_rules, lambda: forged.scenarios[10**6 - 1]):
        with pytest.raises(RunError, match="are others here than in the plan"):
            use()


def test_foreign_text_names_no_file_to_make_scenarios_from(tmp_path: Path) -> None:
    """A plan's option may be a path; only whoever sets it on the command line has it read."""
    plan = json.loads(make_plan("diplomacy/critical", ["hold"]).to_json())
    plan["options"] = {"position": f"{tmp_path}/secret.json@F1901M"}
    with pytest.raises(RunError, match="makes them from files"):
        Plan.from_json(json.dumps(plan)).scenarios[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"options": {"colour": "red"}},
        {"season": {"name": "2026-autumn", "commitment": DIGEST}},
        {"seed": 10**26},
        {"seed": "0"},
        {"seed": 1.5},
        {"version": "1"},
        {"version": 7},
        {"benchmark": "x" * 10**6},
        {"benchmark": "../../etc"},
        {"options": {"mode": "\x1b[2J"}},
    ],
)
def test_odd_values_are_one_line(changes: dict[str, Any], file: Path, store: Store) -> None:
    forge(file, **changes)
    with pytest.raises(LudusError) as caught:
        list(import_run(file, store).plan.scenarios)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 1_000


def test_more_than_a_database_can_number_is_not_planned() -> None:
    with pytest.raises(OptionError, match="too many for one run"):
        make_plan(SPRINT, ["idle"], episodes=10**12)
