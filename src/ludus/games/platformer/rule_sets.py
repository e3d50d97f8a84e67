"""The rule sets of the platformer, each with the version of its behaviour."""

from __future__ import annotations

from collections.abc import Mapping

from ludus.errors import OptionError

__all__ = ["VERSIONS", "name_rules"]

VERSIONS: Mapping[str, int] = {"framework": 1, "ludus": 1}
"""A rule set's version rises whenever the same actions would come to another end."""


def name_rules(name: str) -> str:
    """Return a rule set's name with its version.

    Raises:
        OptionError: There is no such rule set.

    Example:
        >>> name_rules("framework")
        'framework@1'
    """
    if name not in VERSIONS:
        raise OptionError(f"no rule set {name!r}; there are {', '.join(VERSIONS)}")
    return f"{name}@{VERSIONS[name]}"
