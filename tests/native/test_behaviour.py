"""A rule set that behaves differently has a new version."""

from __future__ import annotations

import json

import pytest
from tests.native.behaviour import RECORD, measure_behaviour

from ludus.games import platformer, worm

RECORDED = json.loads(RECORD.read_text())


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, object]]:
    return measure_behaviour()


def test_every_rule_set_is_recorded() -> None:
    versions = platformer.rule_sets() | worm.rule_sets()
    assert {name: facts["version"] for name, facts in RECORDED.items()} == versions
    assert all(version >= 1 for version in versions.values())


@pytest.mark.parametrize("name", RECORDED)
def test_behaviour_changes_only_with_the_version(
    name: str, measured: dict[str, dict[str, object]]
) -> None:
    now, recorded = measured[name], RECORDED[name]
    assert now.get("levels") == recorded.get("levels"), "the suite plays other levels now"
    assert now["play"] == recorded["play"], (
        f"{name}@{recorded['version']} plays differently: give it a new version in native/, then "
        "run python -m tests.native.behaviour"
    )


def test_rule_sets_differ_where_only_one_has_elements(
    measured: dict[str, dict[str, object]],
) -> None:
    assert measured["framework"]["play"] != measured["ludus"]["play"]
