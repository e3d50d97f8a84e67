"""The file behind a spec is the one that loading would run, and nothing is run to find it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludus.agents import find
from ludus.agents.fingerprint import fingerprint
from ludus.agents.locating import locate
from ludus.agents.sandbox.own_files import find_own_files
from ludus.errors import AgentError

AGENT = """
class Agent:
    name = "{name}"
    def reset(self, scenario): pass
    def act(self, observation): return 0
"""


def write_agent(file: Path, name: str = "somebody") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(AGENT.format(name=name))
    return file


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that Python searches, and go to another one."""
    here, folder = tmp_path / "here", tmp_path / "installed"
    here.mkdir()
    folder.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(folder)
    return folder


def test_an_installed_package_comes_before_a_module_of_this_folder(installed: Path) -> None:
    file = write_agent(installed / "twice_there.py", "installed")
    write_agent(Path("twice_there.py"), "here")
    assert locate("twice_there:Agent").file == file


def test_a_package_without_init_files_is_searched_to_the_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_agent(Path("bare_outer/bare_inner/player.py")).resolve()
    spec = "bare_outer.bare_inner.player:Agent"
    assert locate(spec) == (file, fingerprint(file))
    assert find(spec).fingerprint == fingerprint(file)


def test_the_agent_of_a_plugin_lies_in_its_module(installed: Path) -> None:
    file = write_agent(installed / "plugged_in.py")
    metadata = installed / "plugged_in-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged-in\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[ludus.agents]\nplug = plugged_in:Agent\n")
    assert locate("plug") == (file, fingerprint(file))
    assert file in find_own_files("plug")
    assert find("plug").fingerprint == fingerprint(file)


@pytest.mark.parametrize("name", ["", ".", "json.", "json..decoder", "sys", "a/b", "a\0", "os.no"])
def test_what_is_no_module_is_one_line(name: str) -> None:
    with pytest.raises(AgentError, match="there is no module"):
        locate(f"{name}:Agent")


def test_links_that_lead_nowhere_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine: pass")
    (tmp_path / "table.csv").write_text("1,2")
    (tmp_path / "nowhere").symlink_to("missing")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "elsewhere").symlink_to("/etc/passwd")
    assert set(find_own_files(f"{file}:Mine")) == {file, tmp_path / "table.csv"}
