"""Hostile environments: none does any harm, each gets a verdict, and others' records stay."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.attacks import hostile_environments
from tests.attacks.hostile_environments import ATTACKS, STEPS
from tests.games.guest.corridors import __file__ as corridors

import ludus
from ludus.agents.sandbox import has_sandbox
from ludus.context import RunContext
from ludus.errors import OptionError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.local import LocalExecutor
from ludus.execution.opening import open_game
from ludus.execution.plan import Plan, make_plan
from ludus.games.guest import guest_scenario
from ludus.games.sticky_actions import StickyActions
from ludus.limits import MEBIBYTE, Limits
from ludus.runs import Store

needs_sandbox = pytest.mark.skipif(
    not has_sandbox(), reason="this system has no sandbox: ludus doctor says what is missing"
)

CONFINED = RunContext(sandbox=True)
LIMITS = Limits(seconds=60, memory=256 * MEBIBYTE)
HURRY = Limits(seconds=8, memory=256 * MEBIBYTE)
TERMS = StickyActions(no_ops=0, frame_skip=2)
HONEST = f"{corridors}:Modern"
RIVAL = """\
class Rival:
    def reset(self, scenario): self.secret = "mine"
    def act(self, observation): return 1 if self.secret == "mine" else 0
"""
"""An agent of somebody else's, whose process is beside that of the environment."""


REFUSED = r"PermissionError: \[Errno (1|13)\] "
NOT_WRITTEN = r"(PermissionError: \[Errno 13\]|OSError: \[Errno 30\]) "
NO_FRAMES = "broke off its messages: "
NONSENSE = "reports nonsense: "
VERDICTS = {
    "answer_with_forged_frames": NO_FRAMES,
    "ask_for_memory": r"MemoryError \(the process may take 8,192 MiB of address .*: hold less .*\)",
    "change_own_code": NOT_WRITTEN,
    "copy_memory_of_others": "made the system call process_vm_readv, which the sandbox refuses",
    "crash": r"its process died: too deep a recursion or a fault in compiled code \(SIGSEGV\)",
    "exit_at_once": "its process died: it ended itself with code 7",
    "fill_scratch": r"OSError: \[Errno (27|28)\] |wrote too much to its scratch folder",
    "leave": "SystemExit: gone",
    "raise_what_cannot_be_read": "Unreadable|SystemExit",
    "report_an_unknown_object": NONSENSE + "'x_pos' of an info is <object object",
    "report_another_kind": NONSENSE + "an end is True or False, not 'yes' and 1",
    "report_frames_after_the_end": NONSENSE + "frames came after the end",
    "report_more_frames": NONSENSE + "99 frames came of 2",
    "run_a_shell": "PermissionError: no shell",
    "scribble_on_the_link": NO_FRAMES,
    "show_depths": "ValueError: values are nested more than 32 deep",
    "show_many_values": NO_FRAMES + "more than 262,144 values in one message",
    "show_much": NO_FRAMES + r"a frame of \d+ bytes is longer than 67108864",
    "take_memory": "used more than 256 MiB of memory",
    "tell_a_long_text": NONSENSE + "'status' of an info has more than 10000 signs",
    "tell_nothing_finite": r"ValueError: 'x_pos' in its info is nan, which is no number",
    "tell_too_many_values": NONSENSE + "an info has 2004 values, more than 1000",
    "trace_the_parent": "made the system call ptrace, which the sandbox refuses",
    "write_own_folder": NOT_WRITTEN,
    "write_temporary": NOT_WRITTEN,
}
"""What the record says of each attack; of those that are not listed, that they were refused."""

ENDLESS = ("loop_for_ever", "sleep_for_ever")
HARMLESS = (
    "patch_ludus",
    "print_a_million_lines",
    "print_much",
    "tell_huge_numbers",
    "tell_objects",
)
"""Attacks that change nothing: the episode is played to its end."""


class Race(NamedTuple):
    """What came of playing every attack beside an honest environment.

    Attributes:
        attacks: The episode of each attack, by its name.
        honest: The episodes of the honest environment, before and after.
        plan: What was played.
        before: What lay around before.
        after: What lies around now.
    """

    attacks: Mapping[str, Episode]
    honest: list[Episode]
    plan: Plan
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environments")
    shutil.copy(hostile_environments.__file__, folder / "hostile.py")
    (folder / "runs.db").write_bytes(b"records")
    (folder / "secret.key").write_text("secret")
    (folder / "secret.key").chmod(0o600)
    (folder / "rival.py").write_text(RIVAL)
    return folder


def describe(env: str, seed: int = 7) -> dict[str, Any]:
    return guest_scenario(env, env, seed, TERMS, stages=("1-1",)).to_dict()


def plan_of(*environments: str, agent: str = "random", limits: Limits = LIMITS) -> Plan:
    """Return a plan that plays these environments, which nobody has tried."""
    options = {"env": HONEST}
    plan = make_plan("mario-arena/1-1", [agent], episodes=1, options=options, limits=limits)
    return replace(plan, scenarios=tuple(map(describe, environments)))


def play(plan: Plan, context: RunContext) -> list[Episode]:
    batches = LocalExecutor(2).play(plan, plan.episodes, context)
    return sorted((one for batch in batches for one in batch), key=lambda one: one.scenario)


def look_around(folder: Path) -> dict[str, bytes]:
    files = {str(path): path.read_bytes() for path in folder.iterdir() if path.is_file()}
    left = Path("/tmp/ludus-was-here")
    return files | ({str(left): b""} if left.exists() else {})


@pytest.fixture(scope="module")
def race(folder: Path) -> Race:
    names = [name for name in ATTACKS if name not in ENDLESS]
    hostile = [f"{folder / 'hostile.py'}:env_{name}" for name in names]
    rival = f"{folder / 'rival.py'}:Rival"
    plan, before = plan_of(HONEST, *hostile, HONEST, agent=rival), look_around(folder)
    first, *attacks, last = play(plan, CONFINED)
    return Race(
        dict(zip(names, attacks, strict=True)), [first, last], plan, before, look_around(folder)
    )


@needs_sandbox
@pytest.mark.parametrize("name", [one for one in ATTACKS if one not in (*ENDLESS, *HARMLESS)])
def test_each_attack_ends_its_episode_with_a_verdict(name: str, race: Race) -> None:
    episode = race.attacks[name]
    assert episode.ending is EpisodeEnding.GUEST_FAILED
    verdict = VERDICTS.get(name, REFUSED)
    assert re.match(f"the environment failed: ({verdict})", episode.reason), episode.reason
    assert (episode.steps, episode.record) == (0, b"")


@needs_sandbox
@pytest.mark.parametrize("name", HARMLESS)
def test_what_changes_nothing_is_played_to_its_end(name: str, race: Race) -> None:
    episode = race.attacks[name]
    assert (episode.ending, episode.reason) == (EpisodeEnding.FINISHED, "")
    assert (episode.facts["max_x_pos"], episode.facts["completed"]) == (40 + STEPS, 0)
    assert (episode.facts["ticks"], episode.facts["deaths"]) == (STEPS, 1)  # it ended by itself


@needs_sandbox
def test_the_honest_environment_and_the_host_are_unharmed(race: Race, folder: Path) -> None:
    (alone,) = play(plan_of(HONEST, agent=f"{folder / 'rival.py'}:Rival"), RunContext())
    for episode in race.honest:
        assert episode.ending is EpisodeEnding.FINISHED
        assert (episode.record, episode.facts) == (alone.record, alone.facts)
    assert race.before == race.after


@needs_sandbox
def test_a_verdict_is_the_same_when_its_record_is_played_again(race: Race) -> None:
    game = open_game("guest", replace(CONFINED, limits=LIMITS))
    for name in ("exit_at_once", "show_much", "tell_a_long_text"):
        episode = race.attacks[name]
        scenario = game.parse_scenario(race.plan.scenarios[episode.scenario])
        outcome = game.replay_outcome(scenario, episode.record)  # type: ignore[attr-defined]
        assert (outcome.facts, outcome.over, outcome.steps) == (episode.facts, False, episode.steps)
        with pytest.raises(OptionError, match=r"the environment failed: .* after 0 decisions"):
            game.replay(scenario, b"\1\0")


@pytest.mark.parametrize("confined", [False, pytest.param(True, marks=needs_sandbox)])
def test_an_environment_that_never_answers_is_ended(confined: bool, folder: Path) -> None:
    names = ["env_loop_for_ever", "reset_loop_for_ever", "reset_sleep_for_ever"]
    specs = [f"{folder / 'hostile.py'}:{name}" for name in names[confined:]]
    episodes = play(plan_of(*specs, HONEST, limits=HURRY), RunContext(sandbox=confined))
    late = (
        r"the environment failed: (took longer than 8 seconds|used more than 8 seconds of the .*)"
    )
    for episode in episodes[:-1]:
        assert episode.ending is EpisodeEnding.GUEST_FAILED
        assert re.fullmatch(late, episode.reason)
    assert episodes[-1].ending is EpisodeEnding.FINISHED


def test_an_environment_that_is_not_confined_brings_nobody_else_down(folder: Path) -> None:
    names = ["exit_at_once", "crash", "leave", "take_memory", "scribble_on_the_link"]
    specs = [f"{folder / 'hostile.py'}:env_{name}" for name in names]
    *episodes, honest = play(plan_of(*specs, HONEST), RunContext())
    for name, episode in zip(names, episodes, strict=True):
        assert episode.ending is EpisodeEnding.GUEST_FAILED
        assert re.match(f"the environment failed: ({VERDICTS[name]})", episode.reason)
    assert honest.ending is EpisodeEnding.FINISHED


LOADED = {
    "import os; os._exit(3)": "cannot be opened: its process died: it ended itself with code 3",
    "import sys; sys.exit(3)": "cannot be read: SystemExit: 3",
    "open('/etc/passwd')": r"cannot be read: PermissionError: \[Errno 13\]",
    "raise ValueError('\\x1b[2J' * 10_000)": "cannot be read: ValueError: ",
    "class make:\n  class action_space: n = 2**40": "has 1099511627776 actions: 1 to 65536 will do",
    "class make:\n  class action_space: n = 2": "cannot be played: AttributeError",
}


@needs_sandbox
@pytest.mark.parametrize("code", LOADED)
def test_what_fails_when_it_is_tried_is_never_planned(code: str, tmp_path: Path) -> None:
    (tmp_path / "env.py").write_text(code)
    options = {"env": f"{tmp_path / 'env.py'}:make"}
    with pytest.raises(OptionError, match=LOADED[code]) as caught:
        make_plan("mario-arena/1-1", ["random"], episodes=1, options=options, context=CONFINED)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 1_000


@needs_sandbox
@pytest.mark.parametrize("name", ["honest", "read_the_store", "exit_at_once", "patch_ludus"])
def test_a_season_confines_its_environment(name: str, folder: Path, store: Store) -> None:
    env = HONEST if name == "honest" else f"{folder / 'hostile.py'}:env_{name}"
    before = look_around(folder)
    ludus.start_season("mario-arena/1-1", "cup", episodes=1, options={"env": env}, store=store)
    run = ludus.play_season("cup", ["random"], workers=1, store=store).run
    (scored,) = store.episodes(run.id)
    assert run.plan.provenance["environment"] == "confined"
    if name in ("honest", *HARMLESS):
        assert scored.episode.ending is EpisodeEnding.FINISHED
        assert not scored.episode.facts["completed"]
    else:
        verdict = VERDICTS.get(name, REFUSED)
        assert re.match(f"the environment failed: ({verdict})", scored.episode.reason)
        assert (scored.episode.steps, scored.episode.facts["completed"]) == (0, 0)
    assert look_around(folder) == before
    ludus.reveal_season("cup", early=True, store=store)
    assert ludus.verify(run.id, store=store).good


@needs_sandbox
def test_the_failure_of_an_environment_is_not_called_the_agents(folder: Path) -> None:
    env = f"{folder / 'hostile.py'}:env_exit_at_once"
    result = ludus.check("random", "mario-arena/1-1", episodes=1, seed=7, options={"env": env})
    why = "guest failed: the environment failed: its process died: it ended itself with code 7"
    assert result.violations == [f"episode 0 (1-1 #1): {why}"]
    assert result.view.notes[-1] == "The environment failed, not random: mend it, then check again."


@needs_sandbox
def test_a_film_takes_pictures_of_one_size_only(folder: Path, tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image")
    game = open_game("guest", replace(CONFINED, limits=LIMITS))
    films: Any = game
    record = bytes(2 * STEPS)
    scenario = game.parse_scenario(describe(f"{folder / 'hostile.py'}:draw_otherwise"))
    films.write_film(scenario, record, tmp_path / "film.gif")
    with images.open(tmp_path / "film.gif") as film:
        assert film.size == (8, 8)
    scenario = game.parse_scenario(describe(f"{folder / 'hostile.py'}:draw_hugely"))
    with pytest.raises(OptionError, match=r"draws no pictures: .*more than 4096 on a side"):
        films.write_film(scenario, record, tmp_path / "huge.gif")
    assert not (tmp_path / "huge.gif").exists()
