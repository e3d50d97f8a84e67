from __future__ import annotations

import pytest

from ludus.distribution import DISTRIBUTION
from ludus.errors import OptionError, RunError
from ludus.games import rules
from ludus.games.game import GAMES, find_game
from ludus.games.platformer import rule_sets
from ludus.games.rules import check_rules, find_release, is_source_digest, name_rules


def test_equal_rules_are_played() -> None:
    check_rules("framework@1+ludus@1", "framework@1+ludus@1")


def test_other_rules_name_the_release_that_plays_them(monkeypatch: pytest.MonkeyPatch) -> None:
    played = {"0.1.0": {"worm@1"}, "0.2.0": {"worm@1", "ludus@1"}, "0.3.0": {"worm@2", "ludus@1"}}
    monkeypatch.setattr(rules, "RELEASES", {name: frozenset(own) for name, own in played.items()})
    with pytest.raises(RunError, match=r"'worm@1', this Ludus plays 'worm@2': Ludus 0\.2\.0 plays"):
        check_rules("worm@1", "worm@2")
    with pytest.raises(RunError, match="no release of Ludus is known to play it"):
        check_rules("worm@3", "worm@2")
    assert find_release("ludus@1+worm@1") == "0.2.0"
    assert find_release("ludus@1+worm@3") is None


def test_a_forged_text_does_not_flood_the_terminal() -> None:
    with pytest.raises(RunError) as caught:
        check_rules("\x1b[2J" + "x" * 10_000, "worm@1")
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("ab" * 32, True),
        ("arena-1+" + "ab" * 32, True),
        ("guest-1", False),
        ("diplomacy-1.1.2", False),
        ("worm@1", False),
        ("ab" * 31, False),
        ("AB" * 32, False),
    ],
)
def test_digests_of_sources_are_known_by_their_form(text: str, answer: bool) -> None:
    assert is_source_digest(text) is answer


def test_this_release_is_listed_with_all_that_it_plays() -> None:
    from importlib.metadata import version

    played = {name_rules(rule_sets(), name) for name in rule_sets()} | {"arena@1"}
    for name in set(GAMES) - {"platformer", "arena"}:
        played |= set(find_game(name).rules([]).split("+"))
    assert rules.RELEASES[version(DISTRIBUTION)] == played


def test_an_unknown_rule_set_is_named() -> None:
    with pytest.raises(OptionError, match="no rule set 'moon'; there are framework"):
        name_rules(rule_sets(), "moon")
