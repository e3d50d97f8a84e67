from __future__ import annotations

import hashlib
from pathlib import Path

from ludus.agents.fingerprint import fingerprint


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__in__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder / "agent.py"


def test_a_file_alone_has_the_digest_of_its_bytes(tmp_path: Path) -> None:
    agent = written(tmp_path, agent="import math\n", other="x = 1\n")
    assert fingerprint(agent) == hashlib.sha256(b"import math\n").hexdigest()[:16]


def test_what_is_imported_counts_and_nothing_else(tmp_path: Path) -> None:
    agent = written(
        tmp_path,
        agent="from plans import plan\n",
        plans="import maps.near\nimport agent\n",
        other="x = 1\n",
        maps__in____init__="",
        maps__in__near="y = 1\n",
    )
    before = fingerprint(agent)
    written(tmp_path, other="x = 2\n")
    assert fingerprint(agent) == before
    written(tmp_path, maps__in__near="y = 2\n")
    changed = fingerprint(agent)
    assert changed != before
    written(tmp_path, plans="import maps.near\n")
    assert fingerprint(agent) not in {before, changed}


def test_the_folder_does_not_count(tmp_path: Path) -> None:
    files = {"agent": "from . import plans\n", "plans": "z = 1\n"}
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = written(tmp_path / "a", **files), written(tmp_path / "b", **files)
    assert fingerprint(one) == fingerprint(two)
    assert fingerprint(one) != fingerprint(written(tmp_path / "b", plans="z = 2\n"))


def test_other_files_have_the_digest_of_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "brain.npz"
    path.write_bytes(b"import plans")
    assert fingerprint(path) == hashlib.sha256(b"import plans").hexdigest()[:16]
