"""``ludus check`` at the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Ludus
from tests.runs.small import SMALL

AGENT = """
class Good:
    def reset(self, scenario): pass
    def act(self, view): return 2
class Nosy(Good):
    def act(self, view): return len(open("/etc/hostname").read())
"""


def test_the_command_prints_and_exits_by_what_it_found(tmp_path: Path, ludus: Ludus) -> None:
    file = tmp_path / "agents.py"
    file.write_text(AGENT)
    good = ludus("check", f"{file}:Good", SMALL.id, "--episodes", "1")
    assert "keeps to the limits" in good.out
    bad = ludus("check", f"{file}:Nosy", SMALL.id, "--episodes", "1", "--json", code=1)
    assert bad.json["good"] is False
    assert len(bad.json["violations"]) == 1


def test_one_benchmark_at_a_time_and_only_its_options(ludus: Ludus) -> None:
    assert "one benchmark" in ludus("check", "idle", SMALL.id, "platformer/sprint", code=2).err
    assert "no option" in ludus("check", "idle", SMALL.id, "--speed", "9", code=2).err


def test_what_the_agent_prints_is_shown(tmp_path: Path, ludus: Ludus) -> None:
    file = tmp_path / "agents.py"
    file.write_text(
        "class Talks:\n"
        "    name = 'talks'\n"
        "    def reset(self, scenario): print('\\x1b[2Jlevel [red]')\n"
        "    def act(self, view): return 2\n"
        "class NotMade(Talks):\n"
        "    def __init__(self): self.moves = {}[7]\n"
    )
    shown = ludus("check", f"{file}:Talks", SMALL.id, "--episodes", "1").out
    assert "printed:\n| \\x1b[2Jlevel [red]\n" in shown
    values = ludus("check", f"{file}:Talks", SMALL.id, "--episodes", "1", "--json").json
    assert set(values["printed"]["lines"]) == {"\\x1b[2Jlevel [red]"}
    *log, error = ludus("check", f"{file}:NotMade", SMALL.id, code=2).err.splitlines()
    assert log[-1] == "| KeyError: 7"
    assert error.startswith("error: ")
