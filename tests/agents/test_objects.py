from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ludus.agents import find, load
from ludus.agents.objects import source_of, spec_of_class
from ludus.agents.platformer.idle import Idle
from ludus.errors import AgentError

AGENT = """
class Runner:
    name = "runner"
    def reset(self, scenario): pass
    def act(self, view): return 10
"""


def module_from(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path.write_text(text)
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, path.stem, module)
    exec(compile(text, str(path), "exec"), vars(module))
    return module


def test_a_class_of_a_package_has_a_spec() -> None:
    assert spec_of_class(Idle) == "ludus.agents.platformer.idle:Idle"


def test_a_class_of_a_file_has_a_spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_from(tmp_path / "runner_file.py", AGENT, monkeypatch)
    spec = spec_of_class(module.Runner)
    assert spec == f"{(tmp_path / 'runner_file.py').resolve()}:Runner"
    assert load(spec).name == "runner"


@pytest.mark.parametrize(
    "more",
    [
        "import math\nSPEED = 3\nSPEED += 1",
        "print('hello')",
        "result = len([])",
        "for _ in (): pass",
    ],
)
def test_a_file_that_does_things_when_read_is_not_read_again(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = module_from(tmp_path / "doing.py", AGENT + more + "\n", monkeypatch)
    assert spec_of_class(module.Runner) is None


@pytest.mark.parametrize(
    "more",
    [
        "if __name__ == '__main__':\n    print('hello')",
        "import math\nfrom pathlib import Path\nSPEED: int = 3",
        "'a text'\ndef help(): pass",
    ],
)
def test_a_file_that_only_defines_is_read(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = module_from(tmp_path / "defining.py", AGENT + more + "\n", monkeypatch)
    assert spec_of_class(module.Runner) is not None


def test_classes_without_a_place_have_no_spec() -> None:
    class Local:
        pass

    assert spec_of_class(Local) is None
    assert spec_of_class(type("Made", (), {"__module__": "nowhere"})) is None


def test_a_source_tells_name_and_digest_and_cannot_be_loaded() -> None:
    class Local:
        def act(self, view: object) -> int:
            return 1

    source = source_of(Local())
    assert source.name == "Local"
    assert source.spec == f"object:{Local.__qualname__}"
    assert len(source.fingerprint) == 16
    assert source_of(Local(), "mine").name == "mine"
    with pytest.raises(AgentError, match="was a Python object of a session that is gone"):
        find(source.spec)


def test_another_source_has_another_digest() -> None:
    class First:
        def act(self, view: object) -> int:
            return 1

    class Second:
        def act(self, view: object) -> int:
            return 2

    assert source_of(First()).fingerprint != source_of(Second()).fingerprint


def test_a_class_without_source_has_no_digest() -> None:
    code = (
        "class Agent: pass\n"
        "from ludus.agents.objects import source_of, spec_of_class\n"
        "print(repr(source_of(Agent()).fingerprint), spec_of_class(Agent))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "'' None\n"
