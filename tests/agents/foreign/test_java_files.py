"""Specs of Java agents are told from others, found and fingerprinted without running any of it."""

from __future__ import annotations

import runpy
import sys
import tomllib
from pathlib import Path

import pytest
from tests.agents.foreign.java_compiling import needs_java

from ludus.agents.foreign import java_runtime
from ludus.agents.foreign.java_files import find_java_class
from ludus.agents.foreign.java_runtime import (
    find_java_home,
    find_library,
    list_options,
    list_runtime_files,
)
from ludus.agents.isolation import _mailbox
from ludus.agents.loading import load
from ludus.agents.locating import locate
from ludus.errors import AgentError
from ludus.limits import MEBIBYTE


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
    monkeypatch.setattr(java_runtime, "SYSTEM_FOLDER", tmp_path)
    with pytest.raises(AgentError, match="default-jre-headless"):
        find_java_home()


def test_a_java_of_the_system_is_found_without_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("java-17", "java-21", "empty-30"):
        (tmp_path / name / "bin").mkdir(parents=True)
    for name in ("java-17", "java-21"):
        (tmp_path / name / "bin" / "java").touch()
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(java_runtime, "SYSTEM_FOLDER", tmp_path)
    assert find_java_home() == tmp_path / "java-21"
    with pytest.raises(AgentError, match="there is no lib/server/libjvm"):
        find_library(tmp_path / "java-21")


def test_a_confined_java_reads_the_settings_that_its_folder_links_to(tmp_path: Path) -> None:
    home, settings = tmp_path / "java", tmp_path / "settings"
    settings.mkdir()
    (settings / "java.security").touch()
    (settings / "other").touch()
    (home / "conf" / "security").mkdir(parents=True)
    (home / "conf" / "security" / "java.security").symlink_to(settings / "java.security")
    assert list_runtime_files(home) == [home, settings / "java.security"]


@needs_java
def test_the_options_of_java_follow_the_memory_and_the_version(tmp_path: Path) -> None:
    (tmp_path / "release").write_text('IMPLEMENTOR="X"\nJAVA_VERSION="25.0.1"\n')
    options = list_options(tmp_path, 100 * MEBIBYTE)
    assert {"-Xmx100m", "--enable-native-access=ALL-UNNAMED"} < set(options)
    (tmp_path / "release").write_text('JAVA_VERSION="17.0.1"\n')
    assert not [one for one in list_options(tmp_path, 0) if one.startswith(("--", "-Xmx"))]


def test_a_build_without_a_jdk_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_mailbox, "__file__", str(tmp_path / "ludus/agents/isolation/_mailbox.so"))
    monkeypatch.delitem(sys.modules, "ludus.agents.foreign.jar", raising=False)  # runpy warns of it
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
