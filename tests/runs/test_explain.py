from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from tests.boards.making import Here
from tests.runs.small import SMALL

from ludus.errors import MissingExtra, OptionError, RunError
from ludus.games.game import Filmable, find_game
from ludus.runs import Run, Store, explain, film, make_plan, replay_episode, run
from ludus.runs.facts import WatchedFacts
from ludus.runs.schema import episodes as episodes_table

SIGNATURES = {"png": b"\x89PNG", "gif": b"GIF89a", "mp4": b"\x00\x00\x00"}


@pytest.fixture
def made(store: Store) -> Run:
    return run(SMALL.id, ["idle", "forward-jumping"], store=store, episodes=2, executor=Here())


def test_a_score_is_told_by_its_parts(made: Run, store: Store) -> None:
    found = explain(made.id, 1, store)
    assert (found.agent, found.scenario) == ("forward-jumping", "small 0")
    assert found.formula == SMALL.formula
    assert found.rule == "test/small@1"
    assert sum(found.parts.values()) == found.total == found.stored
    assert found.facts == {name: found.episode.facts[name] for name in ("x", "coins")}


def test_a_stored_score_that_the_rule_does_not_give_shows(made: Run, store: Store) -> None:
    with store.transaction() as connection:
        connection.execute(sa.update(episodes_table).values(total=1_000_000))
    found = explain(made.id, 0, store)
    assert found.stored == 1_000_000
    assert found.total != found.stored


@pytest.mark.parametrize("number", [-1, 4, 1000])
def test_an_episode_that_is_none(made: Run, store: Store, number: int) -> None:
    with pytest.raises(RunError, match=f"no episode {number}: it has 0 to 3"):
        explain(made.id, number, store)


def test_an_episode_that_is_not_played_yet(store: Store) -> None:
    begun = store.add(make_plan(SMALL.id, ["idle"]))
    with pytest.raises(RunError, match=f"not played yet: ludus resume {begun.id}"):
        explain(begun.id, 0, store)


def test_facts_notice_what_is_read() -> None:
    facts = WatchedFacts({"a": 1, "b": None, "c": "x"})
    assert facts["b"] is None
    assert facts.get("d") is None
    assert "a" in facts
    assert facts.last == "a"
    assert facts.read == {"b": None, "a": 1}
    assert (len(facts), list(facts)) == (3, ["a", "b", "c"])
    with pytest.raises(KeyError):
        facts["d"]


def test_playing_again_is_what_happened(made: Run, store: Store) -> None:
    for one in store.episodes(made.id):
        assert replay_episode(made.id, one.episode.number, store) == one.episode.facts


@pytest.mark.parametrize("kind", SIGNATURES)
def test_an_episode_to_look_at(made: Run, store: Store, tmp_path: Path, kind: str) -> None:
    film(made.id, 1, store, tmp_path / f"x.{kind}")
    assert (tmp_path / f"x.{kind}").read_bytes().startswith(SIGNATURES[kind])


def test_a_film_that_nobody_can_make(made: Run, store: Store, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"none of \.png, \.gif and \.mp4"):
        film(made.id, 1, store, tmp_path / "x.avi")


def test_a_place_that_cannot_be_written(made: Run, store: Store) -> None:
    with pytest.raises(OptionError, match=r"cannot write '/no/such/x\.png': No such file"):
        film(made.id, 1, store, "/no/such/x.png")


def test_other_rules_show_nothing(
    made: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_game("platformer"), "rules", lambda _: "framework@2")
    with pytest.raises(RunError, match=r"'framework@1'.*'framework@2': Ludus 0\.1\.0 plays it"):
        film(made.id, 1, store, tmp_path / "x.png")


def test_a_game_need_not_be_drawn(
    made: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(find_game("platformer"), Filmable)
    dark = SimpleNamespace(name="platformer", rules=lambda _: made.plan.rules)
    monkeypatch.setattr(sys.modules["ludus.execution.plan"], "find_game", lambda _: dark)
    with pytest.raises(RunError, match="the game platformer cannot be drawn"):
        film(made.id, 1, store, tmp_path / "x.png")


def test_a_missing_extra_says_so(
    made: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtra, match=r"ludus-arena\[video\]"):
        film(made.id, 1, store, tmp_path / "x.gif")
