"""``ludus votes`` and ``ludus player``, as an organiser uses them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Ludus, refused
from tests.web.conftest import walk_right

from ludus.api.human_plays import add_human_play
from ludus.api.level_sources import find_level_source
from ludus.games.platformer.formats import read_level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.recordings import ALIASES, PROFILES, PlayerRecord, Recording
from ludus.games.platformer.scenario import Scenario

BALLOT = '{"ballot": "levels", "entrants": ["hopper", "promp"]}'
VOTE = '{"vote": "preference", "voter": "%s", "first": "%s", "second": "%s", "answer": "%s"}'


def test_a_schedule_is_a_table_json_or_a_file(ludus: Ludus) -> None:
    names = ("promp", "hopper", "skill-mix")
    said = ludus("votes", "schedule", *names, "--seed", "7")
    listed = ludus("votes", "schedule", *names, "--seed", "7", "--json").json
    assert len(listed) == 3
    assert all(f"{one['first']}" in said.out for one in listed)
    ludus("votes", "schedule", *names, "--seed", "7", "--out", "ballot.jsonl")
    header, *pairs = map(json.loads, Path("ballot.jsonl").read_text().splitlines())
    assert header["entrants"] == list(names)
    assert [one["first"] for one in pairs] == [one["first"] for one in listed]
    assert ludus("votes", "score", "ballot.jsonl").out.startswith("0 votes")


def test_votes_are_scored_and_what_does_not_count_is_named(ludus: Ludus) -> None:
    lines = [
        BALLOT,
        VOTE % ("judge-1", "hopper", "promp", "B"),
        VOTE % ("judge-1", "promp", "hopper", "B"),
        VOTE % ("judge-1", "promp", "hopper", "A"),
    ]
    Path("votes.jsonl").write_text("\n".join(lines))
    said = ludus("votes", "score", "votes.jsonl", code=1)
    assert "2 votes, the first complete set scores" in said.out
    assert said.err == "line 4 is not counted: 'judge-1' has voted on promp, hopper in this order\n"
    found = ludus("votes", "score", "votes.jsonl", "--json", code=1).json
    assert [row["score"] for row in found["preferences"]["rows"]] == [1, 1]
    assert found["refusals"][0]["line"] == 4
    assert found["humanness"] is None


def test_tickets_need_the_key(ludus: Ludus) -> None:
    Path("key").write_text("a secret of the organiser")
    words = ("hopper", "promp", "--key", "key", "--out", "ballot.jsonl")
    ludus("votes", "schedule", *words)
    header, pair = Path("ballot.jsonl").read_text().splitlines()
    shown = json.loads(pair)
    vote = json.loads(VOTE % ("judge-1", shown["first"], shown["second"], "A"))
    forged = {**vote, "voter": "judge-2", "session": 0, "ticket": "0" * 32}
    good = {**vote, "session": 0, "ticket": shown["ticket"]}
    Path("votes.jsonl").write_text("\n".join([header, json.dumps(good), json.dumps(forged)]))
    assert "it is forged" in ludus("votes", "score", "votes.jsonl", "--key", "key", code=1).err
    Path("key").write_text("short")
    said = ludus("votes", "score", "votes.jsonl", "--key", "key", code=2)
    assert "give 16 or more" in refused(said)


def test_features_are_held_against_fun(ludus: Ludus) -> None:
    found = ludus("votes", "fun", "sprint-01", "sprint-02", "sprint-02", "sprint-01", "--json").json
    assert found["enemies"] == {"c": 0.0, "pairs": 2}
    assert "gap width" in ludus("votes", "fun", "sprint-01", "sprint-10").out
    assert "no pairs" in refused(ludus("votes", "fun", "sprint-01", code=2))


def test_who_is_taken_for_human(ludus: Ludus) -> None:
    ballot = {"ballot": "turing", "entrants": ["ann", "astar"], "humans": ["ann"]}
    votes = [
        {"vote": "humanness", "voter": "j", "player": "ann", "clip": "1", "answer": "human"},
        {"vote": "humanness", "voter": "j", "player": "astar", "clip": "1", "answer": "machine"},
    ]
    Path("votes.jsonl").write_text("\n".join(map(json.dumps, [ballot, *votes])))
    said = ludus("votes", "score", "votes.jsonl")
    assert "ann (human)" in said.out
    assert "People are taken for human in 1.00 [0.21, 1.00] of answers." in said.out
    rows = ludus("votes", "score", "votes.jsonl", "--json").json["humanness"]["rows"]
    assert [row["player"] for row in rows] == ["ann", "astar"]


def test_the_record_of_a_run_and_of_files(ludus: Ludus) -> None:
    ludus("run", "platformer/bundled", "forward-jumping", "--episodes", "1")
    run = ludus("runs", "--json").json[0]["run"]
    record = ludus("player", "record", run, "0", "--json").json
    assert record["jumps"] > 0
    Path("record.json").write_text(json.dumps(record))
    assert ludus("player", "record", "record.json", "--json").json == record
    old = ludus("player", "record", run, "--aliases", "--json").json
    assert old["jumpsNumber"] == record["jumps"]
    assert len(old) == len(ALIASES)
    assert "jumpsNumber" in ludus("player", "record", "expert").out
    said = ludus("player", "record", "nobody.json", code=2)
    assert "nobody.json" in refused(said)


def test_indicators_of_a_run_and_beside_people(ludus: Ludus) -> None:
    ludus("run", "platformer/bundled", "forward-jumping", "--episodes", "1")
    run = ludus("runs", "--json").json[0]["run"]
    found = ludus("player", "indicators", run, "0", "--json").json
    assert found["moving_left"] == 0
    assert "jump hold" in ludus("player", "indicators", run).out
    scenario = Scenario("flat", generate("notch-framework", seed=1))
    for name, walk in (("ann", 20), ("ben", 40)):
        recording = Recording(scenario, (bytes([2] * walk + [0] * 20),))
        Path(f"{name}.json").write_text(json.dumps(recording.to_dict()))
    people = ("--human", "ann.json", "--human", "ben.json")
    beside = ludus("player", "indicators", run, *people, "--json").json
    assert beside["standing"]["people"] == 2
    assert "difference" in ludus("player", "indicators", run, *people).out
    said = ludus("player", "indicators", run, "--human", "ann.json", code=2)
    assert "too few" in refused(said)


def test_a_level_for_a_player(ludus: Ludus) -> None:
    Path("record.json").write_text(PROFILES["expert"].to_json())
    words = ("player", "level", "skill-mix", "record.json", "--seed", "3")
    said = ludus(*words, "--out", "level.json", "--png", "level.png")
    assert "solved" in said.out
    assert read_level(Path("level.json")) == generate("skill-mix", seed=3, profile="expert")
    assert Path("level.png").read_bytes().startswith(b"\x89PNG")
    facts = ludus(*words, "--gaps", "4", "--json").json
    assert (facts["gaps"], facts["faults"]) == (4, [])
    Path("mine.py").write_text("def make(profile, seed):\n    return 'M--F\\nXXXX'\n")
    said = ludus("player", "level", "mine.py:make", "beginner", "--json", code=1)
    assert "disqualified: 4 width, 320 are demanded" in said.err


def test_records_with_a_fault_are_refused(ludus: Ludus) -> None:
    Path("record.json").write_text('{"jumps": -1}')
    assert "jumps -1 is out of range" in refused(ludus("player", "record", "record.json", code=2))
    Path("record.json").write_text("[")
    assert "record.json" in refused(ludus("player", "level", "hopper", "record.json", code=2))
    assert PlayerRecord().jumps == 0


def test_what_people_played_on_a_day_becomes_clips_by_one_command(ludus: Ludus) -> None:
    day, source = "2026-11-17", "day=2026-11-17"
    seed = day.replace("-", "")
    ludus("run", "platformer/daily", "forward-jumping", "--seed", seed, "--accept")
    scenario = find_level_source(source).scenario
    add_human_play(source, walk_right(scenario.level, scenario.mode, scenario.time_limit)[0])
    added = ludus("votes", "clip", "--day", day, "--json").json["clips"]
    assert {(one["player"], one["human"]) for one in added} == {
        ("anonymous (human)", True), ("forward-jumping", False),
    }  # fmt: skip
    assert len({one["level"] for one in added}) == 1  # so that they can be shown side by side
    assert "is left out: 'forward-jumping' has a clip" in ludus("votes", "clip", "--day", day).out
    assert "give either" in refused(ludus("votes", "clip", code=2))
    assert "nobody has played" in refused(ludus("votes", "clip", "--day", "2026-11-16", code=2))
