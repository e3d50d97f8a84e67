"""Every recorded level of the reference generators is made again, byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.platformer.generators.recorded import digest_of, digests, levels, sprites

from ludus.games.platformer.generators import generate

# Type, difficulty and seed of the levels that the reference failed to make.
FAILED = [(0, 0, 0), (0, 0, 3), (0, 2, 3), (0, 3, 3), (0, 8, 2), (0, 10, 1)]
LONGEST_HILLS = 19


def described(record: dict[str, Any]) -> str:
    options = record["options"]
    return options if isinstance(options, str) else "-".join(map(str, options.values()))


@pytest.mark.parametrize("record", levels("notch-2009"), ids=described)
def test_levels_of_2009(record: dict[str, Any]) -> None:
    level = generate("notch-2009", **record["options"])
    assert level.reference_rows() == record["rows"]
    assert sprites(level) == record["sprites"]
    assert level.creatures == [tuple(sprite) for sprite in record["sprites"]]
    assert level.reference is not None
    assert list(level.reference.exit) == record["exit"]


@pytest.mark.parametrize("record", levels("notch-framework"), ids=described)
def test_levels_of_the_framework(record: dict[str, Any]) -> None:
    level = generate("notch-framework", **record["options"])
    if "fails" not in record:
        assert level.reference_rows() == record["rows"]
        assert level.text.split("\n") == record["rows"]


@pytest.mark.parametrize("record", levels("tunable-2010"), ids=described)
def test_levels_of_2010(record: dict[str, Any]) -> None:
    level = generate("tunable-2010", options=record["options"])
    assert (level.width, level.height) == (record["width"], record["height"])
    assert level.reference_rows() == record["rows"]
    assert sprites(level) == record["sprites"]
    assert level.reference is not None
    assert list(level.reference.exit) == record["exit"]
    assert [list(entry) for entry in level.reference.data] == record["data"]
    assert list(level.reference.counts.values()) == list(record["counters"].values())


@pytest.mark.parametrize("name", ["notch-2009", "tunable-2010"])
def test_further_levels_by_their_digests(name: str) -> None:
    differing = [o for o, digest in digests(name) if digest_of(generate(name, **o)) != digest]
    assert len(digests(name)) > 250
    assert not differing


def test_all_recorded_levels_are_here() -> None:
    sizes = [len(levels(n)) for n in ("notch-2009", "notch-framework", "tunable-2010")]
    assert sizes == [60, 84, 144]
    failed = [r["options"] for r in levels("notch-framework") if "fails" in r]
    assert [(o["type"], o["difficulty"], o["seed"]) for o in failed] == FAILED


@pytest.mark.parametrize(("scenery", "difficulty", "seed"), FAILED)
def test_where_the_reference_failed_only_the_last_zone_is_repaired(
    scenery: int, difficulty: int, seed: int
) -> None:
    options: dict[str, Any] = {"type": scenery, "difficulty": difficulty, "seed": seed}
    level = generate("notch-framework", width=150, **options)
    longer = generate("notch-framework", width=250, **options)
    assert (level.width, level.height) == (150, 16)
    before = 150 - LONGEST_HILLS
    for row, longer_row in zip(level.reference_rows(), longer.reference_rows(), strict=True):
        assert row[:before] == longer_row[:before]
    bottom = level.reference_rows()[-1]
    assert bottom[before:].endswith("X")
