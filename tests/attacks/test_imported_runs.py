"""An imported run names agents and environments; none of them runs before the user agrees."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.attacks.forging import drop_episodes, forge, name_agent
from tests.boards.making import Here
from tests.cli.conftest import Ludus
from tests.runs.small import SMALL

from ludus import api
from ludus.agents import find
from ludus.agents.fingerprint import fingerprint
from ludus.agents.locating import locate
from ludus.agents.sandbox import has_sandbox
from ludus.api import settings
from ludus.benchmarks import find_benchmark
from ludus.boards import read_ledger
from ludus.boards.board import build_board
from ludus.boards.rebuild import rebuild
from ludus.errors import AgentError, LudusError, OptionError, RunError
from ludus.runs import Run, Store, consent, export, import_run, make_plan, resume, run, verify
from ludus.runs.consent import NamedCode, agree, code_of
from ludus.runs.rerun import rerun
from ludus.runs.watch import film, replay_episode

needs_sandbox = pytest.mark.skipif(
    not has_sandbox(), reason="this system has no sandbox: ludus doctor says what is missing"
)

REFUSED = "Permission denied|Read-only file system"  # the latter in bubblewrap

TRAP = """
from pathlib import Path
Path({sprung!r}).touch()

class Agent:
    name = "harmless"
    def reset(self, scenario): pass
    def act(self, view): return 0

def make():
    raise RuntimeError("never to be called")
"""


@pytest.fixture
def sprung(tmp_path: Path) -> Path:
    """The file that appears when the trap's code runs."""
    return tmp_path / "sprung"


@pytest.fixture
def trap(tmp_path: Path, sprung: Path) -> Path:
    """A file of Python that leaves a trace when it is imported."""
    path = tmp_path / "trap.py"
    path.write_text(TRAP.format(sprung=str(sprung)))
    return path


@pytest.fixture
def file(store: Store, tmp_path: Path) -> Path:
    """A run in a file, of which nothing is played yet."""
    played = run(SMALL.id, ["idle"], store=store, episodes=2)
    path = tmp_path / "run.jsonl"
    export(played.id, store, path)
    store.delete(played.id)
    return drop_episodes(path)


def import_with_agent(file: Path, store: Store, spec: str, digest: str) -> Run:
    return import_run(forge(file, head=name_agent(spec, digest)), store)


def specs_of(trap: Path) -> list[str]:
    return [f"{trap}:Agent", f"{trap}:Agent#fast", "trap.py:Agent", "trap:Agent", "./trap.py:Agent"]


@pytest.mark.parametrize("number", range(5))
def test_resume_refuses_before_anything_runs(
    number: int,
    trap: Path,
    sprung: Path,
    file: Path,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(trap.parent)
    imported = import_with_agent(file, store, specs_of(trap)[number], fingerprint(trap))
    for going_on in (resume, api.resume):
        with pytest.raises(RunError, match=f"names what is not its own: agent .*{imported.id}"):
            going_on(imported.id, store=store)
    assert not sprung.exists()


def test_a_file_with_another_fingerprint_is_refused_without_a_question(
    trap: Path, sprung: Path, file: Path, store: Store
) -> None:
    imported = import_with_agent(file, store, f"{trap}:Agent", "0123456789abcdef")

    def never(*_: Any) -> bool:
        raise AssertionError("nothing is to be asked")

    with pytest.raises(RunError, match=f"fingerprint {fingerprint(trap)}, the run says 0123"):
        api.resume(imported.id, store=store, consent=never)
    assert not sprung.exists()


def test_the_user_is_shown_what_would_be_loaded_and_may_decline(
    trap: Path, sprung: Path, file: Path, store: Store
) -> None:
    imported = import_with_agent(file, store, f"{trap}:Agent", fingerprint(trap))
    seen: list[NamedCode] = []

    def decline(_: Run, code: Any) -> bool:
        seen.extend(code)
        return False

    with pytest.raises(RunError, match="names what is not its own"):
        api.resume(imported.id, store=store, consent=decline)
    digest = fingerprint(trap)
    assert seen == [NamedCode("agent", f"{trap}:Agent", trap, digest, digest)]
    assert not sprung.exists()
    assert store.run(imported.id).imported


def test_an_agreement_is_written_down_and_the_run_goes_on(
    trap: Path, sprung: Path, file: Path, store: Store
) -> None:
    imported = import_with_agent(file, store, f"{trap}:Agent", fingerprint(trap))
    assert [one.file for one in agree(imported.id, store)] == [trap]
    assert not sprung.exists()
    assert not store.run(imported.id).imported
    assert resume(imported.id, store=store, executor=Here()).complete
    assert sprung.exists()


def test_runs_of_before_count_as_imported(trap: Path, store: Store) -> None:
    begun = run(SMALL.id, ["idle"], store=store, episodes=1)
    assert not begun.imported
    with store.transaction() as connection:
        connection.exec_driver_sql("UPDATE runs SET imported = NULL")
    assert store.run(begun.id).imported
    assert code_of(begun.plan) == []


def test_a_run_of_agents_of_ludus_needs_no_agreement(file: Path, store: Store) -> None:
    imported = import_run(file, store)
    assert imported.imported
    assert resume(imported.id, store=store, executor=Here()).complete


@pytest.mark.parametrize(
    "spec", ["llm:gpt@http://203.0.113.9/v1", "sb3:PPO:model.zip", "torch:policy.pt", "brain.npz"]
)
def test_models_and_their_files_need_an_agreement_too(spec: str, file: Path, store: Store) -> None:
    imported = import_with_agent(file, store, spec, "0123456789abcdef")
    with pytest.raises(RunError, match="names what is not its own"):
        resume(imported.id, store=store)


def test_a_fingerprint_needs_no_import(
    tmp_path: Path, sprung: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "rival_pack"
    package.mkdir()
    for name in ("__init__.py", "players.py"):
        (package / name).write_text(TRAP.format(sprung=str(sprung)))
    monkeypatch.chdir(tmp_path)
    found = locate("rival_pack.players:Agent")
    assert found == (package / "players.py", fingerprint(package / "players.py"))
    assert not sprung.exists()
    assert "rival_pack" not in sys.modules
    model = tmp_path / "model.zip"
    model.write_bytes(b"pickled")
    assert locate("sb3:DQN:model.zip") == (model, fingerprint(model))
    assert locate("llm:gpt@http://host/v1") == (None, "")


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"def", "invalid syntax"), (b"\0", "null"), (b"(" * 10_000, "nested|parser|Memory")],
)
def test_a_file_without_a_fingerprint_is_one_line(content: bytes, why: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_bytes(content)
    with pytest.raises(AgentError, match=f"has no fingerprint.*({why})"):
        locate(f"{file}:Agent")
    with pytest.raises(AgentError, match="there is no file"):
        locate("/no/such/file.py:Agent")
    with pytest.raises(AgentError, match="there is no module"):
        locate("no_such_package.module:Agent")


# ---- environments, opponents, files: what scenarios and options name


def guest_run(trap: Path, store: Store, tmp_path: Path, change: str) -> Run:
    """Import a complete run of mario-arena that names the trap as its environment."""
    played = run("mario-arena/1-1", ["idle"], store=store, episodes=1, executor=Here())
    path = tmp_path / "arena.jsonl"
    export(played.id, store, path)

    def head(values: dict[str, Any]) -> None:
        plan = values["plan"]
        values["id"] = "00000000-00000001"
        if change == "options":
            plan["options"] = {"env": f"{trap}:make"}
            return
        plan["game"], plan["rules"] = "guest", "guest@1"
        plan["agents"][0].update(asdict(find("random", "guest")))
        guest = {"name": "x", "env": f"{trap}:make", "origin": "", "seed": 1, "stages": ["1-1"]}
        plan["scenarios"] = [{**guest, "terms": {}}]
        if change == "confined":
            plan["provenance"]["environment"] = "confined"

    return import_run(forge(path, head=head), store)


DOORS: dict[str, Callable[[Run, Store, Path], object]] = {
    "verify": lambda run, store, _: verify(run.id, store=store),
    "api.verify": lambda run, store, _: api.verify(run.id, store=store),
    "replay_episode": lambda run, store, _: replay_episode(run.id, 0, store),
    "api.replay": lambda run, store, _: api.replay(run.id, 0, store=store),
    "film": lambda run, store, folder: film(run.id, 0, store, folder / "x.gif"),
}


@pytest.mark.parametrize("change", ["scenarios", "options"])
@pytest.mark.parametrize("door", DOORS)
def test_no_replay_runs_the_environment_that_a_file_names(
    door: str, change: str, trap: Path, sprung: Path, store: Store, tmp_path: Path
) -> None:
    imported = guest_run(trap, store, tmp_path, change)
    with pytest.raises(RunError, match="names what is not its own: environment"):
        DOORS[door](imported, store, tmp_path)
    assert not sprung.exists()


@pytest.mark.parametrize("door", DOORS)
def test_a_run_that_was_confined_is_not_replayed_where_nothing_can_be(
    door: str,
    trap: Path,
    sprung: Path,
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    imported = guest_run(trap, store, tmp_path, "confined")
    agree(imported.id, store)
    monkeypatch.setattr(consent, "has_sandbox", lambda: False)
    with pytest.raises(RunError, match="was played in the sandbox, and this system has none"):
        DOORS[door](imported, store, tmp_path)
    assert not sprung.exists()


def test_a_rebuilt_board_runs_nothing_that_runs_or_ledger_name(
    trap: Path, sprung: Path, store: Store, tmp_path: Path
) -> None:
    imported = guest_run(trap, store, tmp_path, "options")
    path = tmp_path / "guest.jsonl"
    export(imported.id, store, path)
    problems = rebuild([path]).problems
    assert not sprung.exists()
    assert any("names what is not its own" in line for line in problems)


def test_a_board_of_foreign_options_loads_none_of_them(
    trap: Path, sprung: Path, store: Store
) -> None:
    benchmark = find_benchmark("mario-arena/1-1")
    board = build_board(benchmark, read_ledger(store), options={"env": f"{trap}:make"})
    assert board.key.options == (("env", f"{trap}:make"),)
    assert not sprung.exists()


def test_opponents_that_a_file_names_are_not_loaded_to_verify(
    trap: Path, sprung: Path, store: Store, tmp_path: Path
) -> None:
    played = run(
        "diplomacy/gunboat",
        ["hold"],
        store=store,
        episodes=1,
        executor=Here(),
        options={"year": "1901", "against": "hold"},
    )
    description = dict(played.plan.scenarios[0])
    path = tmp_path / "gunboat.jsonl"
    export(played.id, store, path)

    def head(values: dict[str, Any]) -> None:
        values["id"] = "00000000-00000002"
        values["plan"]["options"]["against"] = f"{trap}:Agent"
        values["plan"]["scenarios"] = [{**description, "opponents": [f"{trap}:Agent"] * 6}]

    imported = import_run(forge(path, head=head), store)
    verify(imported.id, store=store)
    assert [one.role for one in code_of(imported.plan)] == ["opponent"]
    assert not sprung.exists()
    again = import_run(drop_episodes(path), store)
    with pytest.raises(RunError, match="opponent"):
        resume(again.id, store=store)
    assert not sprung.exists()


@needs_sandbox
def test_a_confined_run_gives_an_environment_nothing_to_spring(trap: Path, sprung: Path) -> None:
    options = {"env": f"{trap}:make"}
    for trust in (False, True):
        with pytest.raises(OptionError, match=REFUSED):
            api.run("mario-arena/1-1", "random", options=options, sandbox=True, trust=trust)
    assert not sprung.exists()
    with pytest.raises(OptionError, match="cannot be made: RuntimeError: never to be called"):
        api.run("mario-arena/1-1", "random", options=options)
    assert sprung.exists()


@needs_sandbox
@pytest.mark.parametrize("door", DOORS)
def test_an_environment_that_was_agreed_to_is_replayed_confined(
    door: str, trap: Path, sprung: Path, store: Store, tmp_path: Path
) -> None:
    taken = guest_run(trap, store, tmp_path, "scenarios")
    agree(taken.id, store)
    with suppress(LudusError):
        DOORS[door](store.run(taken.id), store, tmp_path)
    outcome = verify(taken.id, store=store)
    assert any(re.search(REFUSED, str(one.found)) for one in outcome.differences)
    assert not sprung.exists()


@needs_sandbox
def test_an_imported_run_goes_on_confined_in_its_environment(
    trap: Path, sprung: Path, store: Store, tmp_path: Path
) -> None:
    taken = guest_run(trap, store, tmp_path, "scenarios")
    agree(taken.id, store)
    context = settings.make_context(from_outside=True)
    notes = rerun(taken.id, store=store, context=context).notes
    assert any(re.search(REFUSED, note) for note in notes)
    assert not sprung.exists()


@pytest.mark.skipif(has_sandbox(), reason="this system can confine an environment")
def test_where_there_is_no_sandbox_a_confined_environment_is_refused(
    trap: Path, sprung: Path
) -> None:
    with pytest.raises(OptionError, match=r"cannot confine a process|has no sandbox"):
        api.run("mario-arena/1-1", "random", options={"env": f"{trap}:make"}, sandbox=True)
    assert not sprung.exists()


# ---- at the command line


def test_the_command_refuses_without_a_terminal_and_agrees_with_yes(
    trap: Path, sprung: Path, file: Path, ludus: Ludus
) -> None:
    forge(file, head=name_agent(f"{trap}:Agent", fingerprint(trap)))
    imported = ludus("import", str(file), "--json").json["run"]
    refused = ludus("resume", imported, code=2)
    assert refused.err.count("\n") == 1
    assert f"ludus trust {imported}" in refused.err
    assert "ludus trust" in ludus("trust", imported, code=2).err
    assert not sprung.exists()
    trusted = ludus("trust", imported, "--yes", "--json").json["trusted"]
    assert [(one["role"], one["file"]) for one in trusted] == [("agent", str(trap))]
    assert not sprung.exists()
    assert re.search(REFUSED, ludus("resume", imported, code=2).err)  # in the sandbox
    assert not sprung.exists()


def test_the_terminal_shows_the_file_and_asks(
    trap: Path, sprung: Path, file: Path, ludus: Ludus, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge(file, head=name_agent(f"{trap}:Agent", fingerprint(trap)))
    imported = ludus("import", str(file), "--json").json["run"]
    answers = iter([False, True])
    monkeypatch.setattr("sys.stdin", _Terminal())
    monkeypatch.setattr("typer.confirm", lambda *_, **__: next(answers))
    declined = ludus("resume", imported, code=2)
    assert "trap.py" in declined.words
    assert fingerprint(trap) in declined.words
    assert not sprung.exists()
    assert re.search(REFUSED, ludus("resume", imported, code=2).err)  # in the sandbox
    assert not sprung.exists()


class _Terminal:
    def isatty(self) -> bool:
        return True


# ---- folders of trainings


BRAIN = """
from pathlib import Path
Path({sprung!r}).touch()

class Brain:
    def __init__(self, features, actions, seed): pass
    def act(self, features): return 0
    def learn(self, features, action, reward, ended): pass
"""


def write_training(folder: Path, spec: str, digest: str | None = None) -> Path:
    """Write the folder of a training that has not begun, as somebody might send it."""
    settings = {"task": "foraging-small@head", "brain": spec, "trainings": 1, "episodes": 1}
    settings |= {"seed": 0, "settings": {}, "evaluation": 0}
    (folder / "progress").mkdir(parents=True)
    made_with = {} if digest is None else {"brain": digest}
    values = {"family": "nematode", "settings": settings, "made_with": made_with}
    (folder / "progress/settings.json").write_text(json.dumps(values))
    return folder


def test_a_training_of_others_runs_no_code_before_the_user_agrees(
    tmp_path: Path, sprung: Path
) -> None:
    brain = tmp_path / "brain.py"
    brain.write_text(BRAIN.format(sprung=str(sprung)))
    folder = write_training(tmp_path / "theirs", f"{brain}:Brain", fingerprint(brain))
    with pytest.raises(OptionError, match=f"fingerprint {fingerprint(brain)}.*say --yes"):
        api.train(resume=folder)
    changed = write_training(tmp_path / "changed", f"{brain}:Brain", "0123456789abcdef")
    with pytest.raises(OptionError, match="were begun with 0123456789abcdef"):
        api.train(resume=changed, consent=True)
    assert not sprung.exists()
    asked: list[Any] = []
    with pytest.raises(OptionError):
        api.train(resume=folder, consent=lambda *words: asked.append(words))
    assert asked == [(f"{brain}:Brain", locate(f"{brain}:Brain"))]
    assert not sprung.exists()
    api.train(resume=folder, consent=True, workers=0)
    assert sprung.exists()


def test_the_command_refuses_to_train_code_of_others(
    tmp_path: Path, sprung: Path, ludus: Ludus
) -> None:
    brain = tmp_path / "brain.py"
    brain.write_text(BRAIN.format(sprung=str(sprung)))
    write_training(tmp_path / "theirs", "brain.py:Brain")
    assert "say --yes" in ludus("train", "--resume", "theirs", code=2).err
    assert not sprung.exists()


def test_agents_of_an_imported_run_play_confined_though_the_user_agreed(
    trap: Path, sprung: Path, file: Path, store: Store
) -> None:
    trap.write_text(CURIOUS.format(sprung=str(sprung)))
    begun = store.add(make_plan(SMALL.id, [f"{trap}:Agent"], episodes=2))
    export(begun.id, store, file)
    store.delete(begun.id)
    imported = import_run(file, store)
    assert store.run(imported.id).from_outside
    resumed = api.resume(imported.id, store=store, workers=1, consent=True)
    assert [one.episode.ending for one in resumed.episodes] == ["finished", "finished"]
    assert not store.run(imported.id).imported
    assert store.run(imported.id).from_outside
    outcome = api.verify(imported.id, again=True, workers=1, store=store)
    assert outcome.verification.reruns == {"curious": 2}
    assert not sprung.exists()


CURIOUS = """
class Agent:
    name = "curious"
    def reset(self, scenario):
        try:
            open({sprung!r}, "w")
        except OSError:
            pass
    def act(self, view): return 0
"""


@pytest.mark.parametrize(
    ("sandbox", "trust", "confined"),
    [(True, False, True), (True, True, True), (False, False, True), (False, True, False)],
)
def test_what_came_from_outside_is_confined_or_refused_or_trusted(
    sandbox: bool, trust: bool, confined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "has_sandbox", lambda: sandbox)
    assert settings.make_context(trust=trust, from_outside=True).sandbox is confined
    assert not settings.make_context(trust=trust).sandbox
