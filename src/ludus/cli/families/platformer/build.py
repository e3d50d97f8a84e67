"""How the platformer's engine was built, for ``ludus doctor``."""

from __future__ import annotations

__all__ = ["build_facts"]


def build_facts() -> dict[str, str]:
    """Return the rule sets, the compiler, its flags and the digest of the sources.

    Raises:
        ImportError: The engine is not built.
    """
    from ludus.games.platformer import build_info, engine_hash
    from ludus.games.platformer.rule_sets import VERSIONS, name_rules

    build = build_info()
    return {
        "rules": ", ".join(map(name_rules, VERSIONS)),
        "compiler": build["compiler"],
        "flags": build["flags"],
        "source hash": engine_hash(),
    }
