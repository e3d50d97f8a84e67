"""How the platformer's engine was built, for ``ludus doctor``."""

from __future__ import annotations

__all__ = ["build_facts"]


def build_facts() -> dict[str, str]:
    """Return the rule sets, the compiler, its flags and the digest of the sources.

    Raises:
        ImportError: The engine is not built.
    """
    from ludus.games.platformer import build_info, engine_hash, rule_sets
    from ludus.games.rules import name_rules

    build = build_info()
    return {
        "rules": ", ".join(name_rules(rule_sets(), name) for name in rule_sets()),
        "compiler": build["compiler"],
        "flags": build["flags"],
        "source hash": engine_hash(),
    }
