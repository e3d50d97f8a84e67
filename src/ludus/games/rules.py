"""Rule sets: what games are played by, as names with versions such as ``framework@1``.

A version stands for behaviour: the same actions come to the same end. Runs, boards and replays
compare nothing else. How an engine was built is kept beside it, as provenance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ludus.errors import OptionError, RunError

__all__ = [
    "RELEASES",
    "check_rules",
    "find_release",
    "is_source_digest",
    "join_rules",
    "name_rules",
    "recorded_rules",
]

RELEASES: Mapping[str, frozenset[str]] = {
    "0.1.0": frozenset(
        {
            "2009@1",
            "2010@1",
            "arena@1",
            "diplomacy@3",
            "framework@1",
            "guest@1",
            "ludus@1",
            "mario-ai-learning@1",
            "mario-ai@1",
            "worm-colony@1",
            "worm@1",
        },
    ),
}
"""The rule sets that each release of Ludus plays, the oldest release first."""

SOURCE_DIGEST = re.compile(r"(arena-1\+)?[0-9a-f]{64}")


def name_rules(versions: Mapping[str, int], name: str) -> str:
    """Return a rule set's name with its version.

    Raises:
        OptionError: There is no such rule set.

    Example:
        >>> name_rules({"framework": 1}, "framework")
        'framework@1'
    """
    if name not in versions:
        raise OptionError(f"no rule set {name!r}; there are {', '.join(versions)}")
    return f"{name}@{versions[name]}"


def join_rules(names: Iterable[str]) -> str:
    """Return several rule sets as one text, the same for every order.

    Example:
        >>> join_rules(["ludus@1", "framework@1", "ludus@1"])
        'framework@1+ludus@1'
    """
    return "+".join(sorted(set(names)))


def find_release(rules: str) -> str | None:
    """Return the newest release of Ludus that plays these rules, or None if none is known."""
    wanted = set(rules.split("+"))
    fitting = [release for release, played in RELEASES.items() if wanted <= played]
    return fitting[-1] if fitting else None


def check_rules(recorded: str, here: str) -> None:
    """Make sure that what was recorded is played here by the same rules.

    Raises:
        RunError: It is not; the message names the release of Ludus that plays it.
    """
    if recorded == here:
        return
    release = find_release(recorded)
    advice = f"Ludus {release} plays it" if release else "no release of Ludus is known to play it"
    raise RunError(f"it was played by {recorded[:64]!r}, this Ludus plays {here!r}: {advice}")


def is_source_digest(text: str) -> bool:
    """Return whether a record names an engine by its sources, as Ludus did before versions."""
    return SOURCE_DIGEST.fullmatch(text) is not None


def recorded_rules(text: str, first: str) -> str:
    """Return the rules that a record names; digests of sources stand for the first version.

    Example:
        >>> recorded_rules("worm@2", "worm@1"), recorded_rules("0" * 64, "worm@1")
        ('worm@2', 'worm@1')
    """
    return first if is_source_digest(text) else text
