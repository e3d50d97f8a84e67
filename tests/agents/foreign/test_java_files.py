"""Specs of Java agents are told from others, found and fingerprinted without running any of it."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

import pytest

from ludus.agents.foreign.java_files import find_java_class, find_runtime
from ludus.agents.isolation import _mailbox
from ludus.agents.loading import load
from ludus.agents.locating import locate
from ludus.errors import AgentError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of two classes; nobody looks into them here."""
    (tmp_path / "my").mkdir()
    (tmp_path / "my/Agent.class").write_bytes(b"one")
    (tmp_path / "my/Helper.class").write_bytes(b"two")
    return tmp_path


def test_a_folder_and_a_jar_name_classes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_java_class(f"{folder}:my.Agent")
    assert found is not None
    assert (found.place, found.file) == (folder, folder / "my/Agent.class")
    jar = find_java_class("some/agents.jar:my.Agent$Inner")
    assert jar is not None
    assert jar.file == Path("some/agents.jar").resolve()
    monkeypatch.chdir(folder.parent)
    assert find_java_class(f"{folder.name}:my.Agent") == found


@pytest.mark.parametrize(
    "spec", ["astar", "agent.py:Agent", "package.module:Agent", "x.jar:", "x.jar:../a", "no/x:Y"]
)
def test_other_specs_name_none(spec: str) -> None:
    assert find_java_class(spec) is None


def test_a_package_of_python_is_no_folder_of_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_java_class("package:Agent") is None


def test_the_fingerprint_is_that_of_all_classes_of_a_folder(folder: Path) -> None:
    first = locate(f"{folder}:my.Agent")
    assert first.file == folder / "my/Agent.class"
    (folder / "notes.txt").write_text("no class")
    assert locate(f"{folder}:my.Agent") == first
    (folder / "my/Helper.class").write_bytes(b"other")
    assert locate(f"{folder}:my.Agent").fingerprint != first.fingerprint


def test_the_fingerprint_of_a_jar_is_that_of_its_bytes(tmp_path: Path) -> None:
    jar = tmp_path / "agents.jar"
    jar.write_bytes(b"one")
    first = locate(f"{jar}:my.Agent")
    jar.write_bytes(b"two")
    assert first.file == jar
    assert locate(f"{jar}:my.Agent").fingerprint != first.fingerprint


def test_a_missing_class_is_said_in_one_line(folder: Path) -> None:
    for spec in (f"{folder}:my.Missing", f"{folder}/missing.jar:my.Agent"):
        with pytest.raises(AgentError, match="there is no file"):
            locate(spec)
        with pytest.raises(AgentError, match="there is no file"):
            load(spec)


def test_without_a_runtime_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(AgentError, match="default-jre-headless"):
        find_runtime()


def test_a_build_without_a_jdk_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_mailbox, "__file__", str(tmp_path / "ludus/agents/isolation/_mailbox.so"))
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("ludus.agents.foreign.jar", run_name="__main__")
    assert capsys.readouterr().out == ""
    assert "\n" not in str(ended.value.code)
    assert "(Debian: default-jdk-headless) and install Ludus again" in str(ended.value.code)


def test_wheels_are_built_with_a_jdk_and_refused_without_the_jar() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    building = project["tool"]["cibuildwheel"]
    assert "openjdk-devel" in building["linux"]["before-all"]
    assert building["test-command"].endswith("&& python -m ludus.agents.foreign.jar")
