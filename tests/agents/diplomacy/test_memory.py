from __future__ import annotations

import json

from ludus.agents.diplomacy.memory import MOST_ENTRIES, Memory


def filled() -> Memory:
    memory = Memory.empty("FRANCE")
    memory.goals = ["hold Paris"]
    memory.relationships["ITALY"] = "Ally"
    for phase in ("S1901M", "F1901M", "S1902M", "F1903M"):
        memory.write(phase, f"wrote in {phase}")
    memory.past, memory.reviewed = "long ago", "F1903M"
    return memory


def test_it_begins_neutral_to_the_other_six() -> None:
    memory = Memory.empty("FRANCE")
    assert set(memory.relationships.values()) == {"Neutral"}
    assert "FRANCE" not in memory.relationships
    assert len(memory.relationships) == 6


def test_it_comes_back_from_plain_values() -> None:
    memory = filled()
    again = Memory.from_dict("FRANCE", json.loads(json.dumps(memory.to_dict())))
    assert again == memory


def test_labels_that_there_are_not_become_neutral() -> None:
    plain = filled().to_dict()
    plain["relationships"] |= {"ITALY": "Lover", "MOON": "Ally"}
    again = Memory.from_dict("FRANCE", plain)
    assert again.relationships["ITALY"] == "Neutral"
    assert "MOON" not in again.relationships


def test_what_is_shown_holds_everything() -> None:
    shown = filled().format()
    for text in ("hold Paris", "Ally ITALY", "Earlier years: long ago", "[F1903M] wrote in"):
        assert text in shown


def test_old_lines_give_way_to_a_summary() -> None:
    memory = filled()
    assert [entry.phase for entry in memory.old_entries(1903)] == ["S1901M", "F1901M"]
    memory.summarise(1903, "two springs")
    assert [entry.phase for entry in memory.diary] == ["S1902M", "F1903M"]
    assert memory.past == "two springs"
    assert memory.old_entries(1903) == []


def test_nothing_grows_without_end() -> None:
    memory = Memory.empty("FRANCE")
    for _ in range(3 * MOST_ENTRIES):
        memory.write("S1901M", "x" * 10_000)
    assert len(memory.diary) == MOST_ENTRIES
    assert len(memory.format()) < 20_000


def test_nothing_is_not_written_down() -> None:
    memory = Memory.empty("FRANCE")
    memory.write("S1901M", "")
    assert memory.diary == []
