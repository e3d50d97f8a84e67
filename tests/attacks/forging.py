"""What a forger does: change a file that Ludus wrote and seal it again, so that all digests fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.execution.plan import Plan
from ludus.runs.exchange import _seal

Change = Callable[[dict[str, Any]], None]


def forge(path: Path, head: Change | None = None, episode: Change | None = None) -> Path:
    """Change the head and the episodes of an exported run in place and seal it again."""
    seal, lines = "", []
    for number, line in enumerate(path.read_text().splitlines()):
        values = json.loads(line)
        del values["digest"]
        if number == 0:
            if head:
                head(values)
            with suppress(LudusError):  # what is no plan any more has no identity
                values["identity"] = Plan.from_json(json.dumps(values["plan"])).identity
        elif episode:
            episode(values)
        seal = _seal(values, seal)
        lines.append(json.dumps({**values, "digest": seal}))
    path.write_text("\n".join(lines) + "\n")
    return path


def drop_episodes(path: Path) -> Path:
    """Leave the plan of a run alone in its file, so that all its episodes are yet to be played."""
    path.write_text(path.read_text().partition("\n")[0] + "\n")
    return forge(path, head=lambda values: values.update(episodes=0))


def name_agent(spec: str, fingerprint: str) -> Change:
    """Return what makes a run's first agent another one."""

    def change(values: dict[str, Any]) -> None:
        values["plan"]["agents"][0].update(spec=spec, fingerprint=fingerprint)

    return change
