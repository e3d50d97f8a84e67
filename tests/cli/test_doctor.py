from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest
from typer.testing import CliRunner

from ludus.agents.sandbox import find_layers, layers
from ludus.cli import doctor
from ludus.cli.app import app
from ludus.games.platformer import engine_hash
from ludus.limits import Limits

EXTRAS = [
    *("web", "learn", "diplomacy", "llm", "plots", "pictures", "video"),
    *("wasm", "analysis", "cluster", "java"),
]
SANDBOX = ["process", "rlimits", "Landlock", "seccomp", "bubblewrap"]


def findings() -> dict[str, dict[str, dict[str, object]]]:
    result = CliRunner().invoke(app, ["doctor", "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    report: dict[str, dict[str, dict[str, object]]] = json.loads(result.stdout)
    return report


def test_the_report_has_five_sections() -> None:
    assert list(findings()) == ["versions", "extras", "sandbox", "limits", "engine"]


def test_versions_name_python_ludus_and_what_it_needs() -> None:
    versions = findings()["versions"]
    assert str(versions["python"]["detail"]).startswith(platform.python_version())
    assert versions["numpy"] == {"good": True, "detail": np.__version__}
    assert {"ludus", "gymnasium", "typer", "rich", "pydantic"} <= set(versions)


def test_every_extra_and_every_layer_is_looked_at() -> None:
    report = findings()
    assert list(report["extras"]) == EXTRAS
    assert list(report["sandbox"]) == SANDBOX
    assert all(found["detail"] for section in report.values() for found in section.values())


def test_the_engine_shows_how_it_was_built() -> None:
    engine = findings()["engine"]
    assert engine["source hash"]["detail"] == engine_hash()
    assert "-ffp-contract=off" in str(engine["flags"]["detail"])
    assert engine["compiler"]["detail"]


def test_the_tables_say_the_same() -> None:
    result = CliRunner().invoke(app, ["doctor"], catch_exceptions=False)
    assert result.exit_code == 0
    for name in ("versions", "extras", "sandbox", "engine", *EXTRAS, *SANDBOX):
        assert name in result.stdout


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "requires", lambda _: ['no-such-thing>=1; extra == "web"'])
    web = next(found for found in doctor.examine()["extras"] if found.name == "web")
    assert not web.good
    assert web.detail == 'pip install "ludus-arena[web]"'


def test_an_extra_needs_what_its_other_extras_need(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ['ludus-arena[web]; extra == "video"', 'no-such-thing>=1; extra == "web"', "numpy>=2"]
    monkeypatch.setattr(doctor, "requires", lambda _: lines)
    video = next(found for found in doctor.examine()["extras"] if found.name == "video")
    assert video == doctor.Finding("video", False, 'pip install "ludus-arena[video]"')


def test_a_missing_requirement_is_exit_code_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "requires", lambda _: ["no-such-thing>=1"])
    result = CliRunner().invoke(app, ["doctor"], catch_exceptions=False)
    assert result.exit_code == 1
    assert "pip install no-such-thing" in result.stdout


def test_without_metadata_ludus_itself_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "requires", absent)
    monkeypatch.setattr(doctor, "version", absent)
    ludus = doctor.examine()["versions"][1]
    assert ludus == doctor.Finding("ludus", False, "make install")


def test_the_layers_are_those_that_confine_agents() -> None:
    sandbox = findings()["sandbox"]
    for layer in find_layers():
        assert sandbox[layer.name] == {"good": layer.holds, "detail": layer.stops}


def test_without_bubblewrap_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "find_fault", lambda: "not found; install the package bubblewrap")
    bubblewrap = doctor.examine()["sandbox"][-1]
    assert not bubblewrap.good
    assert bubblewrap.detail.startswith("not found; install the package bubblewrap")


def test_the_limits_are_those_of_a_confined_agent() -> None:
    limits = {name: found["detail"] for name, found in findings()["limits"].items()}
    assert limits == dict(Limits().in_sandbox().describe())
    assert limits["memory"] == "8,192 MiB"
