"""The engines in Chromium come to the digests of the native ones, on every recording there is."""

from __future__ import annotations

from itertools import islice

from playwright.sync_api import Browser
from tests.web.browser.chromium import EngineTab
from tests.web.engine.plays import all_plays, find_difference

BATCH = 100
SAMPLE = 150
"""Of one play in so many, every row is compared; ``tests.web.engine.plays`` compares all."""


def test_all_recordings_come_to_the_digests_of_the_native_engine(browser: Browser) -> None:
    tab, plays, count = EngineTab(browser), all_plays(), 0
    rules = set[str]()
    while batch := list(islice(plays, BATCH)):
        found = tab.ask("digests", plays=[play.question for play in batch])
        assert found == [f"{play.world.hash():016x}" for play in batch]
        count += len(batch)
        rules |= {play.level.rules for play in batch}
    assert count > 1_300
    assert rules == {"framework", "2009", "2010", "ludus"}
    assert not [found for play in all_plays(SAMPLE) if (found := find_difference(play, tab))]
    tab.close()
