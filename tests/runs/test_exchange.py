from __future__ import annotations

import csv
import hashlib
import json
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.boards.making import Here
from tests.runs.small import SMALL

from ludus.agents import AgentSource
from ludus.benchmarks import Score
from ludus.errors import MissingExtra, OptionError, RunError
from ludus.limits import Usage
from ludus.runs import (
    Episode,
    EpisodeEnding,
    Plan,
    Run,
    ScoredEpisode,
    Store,
    export,
    import_run,
    run,
    verify,
)
from ludus.runs.exchange import (
    _find_columns,
    _seal,
    content_digest,
    episode_rows,
    read_run,
    run_to_lines,
)
from ludus.runs.schema import episodes as episodes_table
from ludus.runs.schema import runs as runs_table

AGENTS = ["idle", "forward-jumping"]


@pytest.fixture
def made(store: Store) -> Run:
    return run(SMALL.id, AGENTS, store=store, episodes=3, seed=2, executor=Here())


@pytest.fixture
def file(made: Run, store: Store, tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    export(made.id, store, path)
    return path


@pytest.fixture
def other(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "other.db"))


def rows(store: Store) -> list[Any]:
    """Everything that a store holds of runs and episodes but how they came there."""
    with store.transaction() as connection:
        return [
            [tuple(row) for row in connection.execute(sa.select(*columns).order_by(*key))]
            for columns, key in (
                ([c for c in runs_table.c if c.name != "imported"], runs_table.primary_key),
                (list(episodes_table.c), episodes_table.primary_key),
            )
        ]


def test_an_imported_run_is_the_same_bit_for_bit(
    made: Run, file: Path, store: Store, other: Store
) -> None:
    taken = import_run(file, other)
    assert taken == made
    assert taken.imported
    assert not made.imported
    assert rows(other) == rows(store)
    assert verify(taken.id, store=other).good


def test_exporting_what_was_imported_gives_the_same_file(
    made: Run, file: Path, other: Store, tmp_path: Path
) -> None:
    import_run(file, other)
    export(made.id, other, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == file.read_bytes()


def test_the_first_line_is_the_run_and_each_other_an_episode(made: Run, file: Path) -> None:
    head, *episodes = map(json.loads, file.read_text().splitlines())
    assert head["ludus"] == "run"
    assert head["id"] == made.id
    assert head["plan"]["seed"] == 2
    assert [line["number"] for line in episodes] == list(range(6))


def test_importing_twice_changes_nothing(file: Path, store: Store, made: Run) -> None:
    before = rows(store)
    assert import_run(file, store) == made
    assert rows(store) == before


def test_an_id_that_is_taken_by_another_run_is_not_overwritten(
    made: Run, file: Path, store: Store
) -> None:
    with store.transaction() as connection:
        connection.execute(
            sa.update(episodes_table).where(episodes_table.c.number == 0).values(seconds=99.0)
        )
    taken = import_run(file, store)
    assert taken.id != made.id
    assert taken.identity == made.identity
    assert {found.id for found in store.runs()} == {made.id, taken.id}
    assert store.episodes(made.id)[0].episode.seconds == 99.0


def test_a_run_that_is_not_complete_can_go_on_elsewhere(
    made: Run, store: Store, other: Store, tmp_path: Path
) -> None:
    with store.transaction() as connection:
        connection.execute(sa.delete(episodes_table).where(episodes_table.c.number.in_([1, 4])))
    export(made.id, store, tmp_path / "part.jsonl")
    taken = import_run(tmp_path / "part.jsonl", other)
    assert (taken.played, taken.planned) == (4, 6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(data=st.data())
def test_damage_anywhere_is_found_and_nothing_taken_in(
    file: Path, other: Store, data: st.DataObject
) -> None:
    text = file.read_text()
    place = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.characters(codec="ascii", exclude_characters=text[place]))
    damaged = text[:place] + sign + text[place + 1 :]
    path = file.with_name("damaged.jsonl")
    path.write_text(damaged, newline="")
    try:  # a blank is as good as another between two values
        assert content_digest(*read_run(path)) == content_digest(*read_run(file))
    except RunError:
        with pytest.raises(RunError, match="line"):
            import_run(path, other)
        assert other.runs() == []


@pytest.mark.parametrize("line", range(7))
def test_a_changed_line_is_named(file: Path, line: int) -> None:
    lines = file.read_text().splitlines()
    values = json.loads(lines[line])
    values["seed" if line == 0 else "steps"] = 12345
    lines[line] = json.dumps(values)
    file.write_text("\n".join(lines))
    with pytest.raises(RunError, match=f"line {line + 1}: is not as it was written"):
        read_run(file)


@pytest.mark.parametrize("line", range(1, 6))
def test_a_line_that_is_missing_is_named(file: Path, line: int) -> None:
    lines = file.read_text().splitlines()
    del lines[line]
    file.write_text("\n".join(lines))
    with pytest.raises(RunError, match=f"line {line + 1}: .*one before it is missing"):
        read_run(file)


@pytest.mark.parametrize("kept", range(1, 7))
def test_an_end_that_is_missing_is_named(file: Path, kept: int) -> None:
    lines = file.read_text().splitlines()[:kept]
    file.write_text("\n".join(lines))
    with pytest.raises(RunError, match=f"ends after line {kept}: it holds {kept - 1} of 6"):
        read_run(file)


def test_half_a_line_is_named(file: Path) -> None:
    file.write_text(file.read_text()[:-30])
    with pytest.raises(RunError, match="line 7: is not JSON"):
        read_run(file)


@pytest.mark.parametrize("text", ["", "\n", "[]", "7", '{"digest": "x"}', '{"ludus": "run"}'])
def test_what_is_no_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(RunError, match="line 1"):
        read_run(tmp_path / "x")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunError, match="is not text"):
        read_run(tmp_path / "x")
    with pytest.raises(RunError, match="No such file"):
        read_run(tmp_path / "none")


def test_a_sealed_file_with_a_wrong_plan_is_refused(made: Run, store: Store) -> None:
    scored = store.episodes(made.id)
    for wrong, message in (
        (replace(made, identity="0" * 64), "is not the one of identity"),
        (replace(made, text='{"agents": []}'), "holds no plan"),
    ):
        path = Path(store.url.removeprefix("sqlite:///")).with_name("wrong.jsonl")
        path.write_text("\n".join(run_to_lines(wrong, scored)))
        with pytest.raises(RunError, match=message):
            read_run(path)


def test_a_sealed_file_with_wrong_episodes_is_refused(
    made: Run, store: Store, tmp_path: Path
) -> None:
    scored = store.episodes(made.id)
    first = scored[0]
    for wrong, message in (
        ([first, first], "line 3: holds no episode of the plan"),
        ([replace(first, episode=replace(first.episode, number=99))], "holds no episode"),
        ([replace(first, episode=replace(first.episode, agent=1))], "episode 0 is not as planned"),
    ):
        (tmp_path / "wrong.jsonl").write_text("\n".join(run_to_lines(made, wrong)))
        with pytest.raises(RunError, match=message):
            read_run(tmp_path / "wrong.jsonl")


NUMBERS = st.one_of(st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False))
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
NAMES = st.text(
    st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), min_size=1, max_size=200
).filter(str.strip)
EPISODES = st.builds(
    Episode,
    number=st.just(0),
    agent=st.just(0),
    scenario=st.just(0),
    ending=st.sampled_from(EpisodeEnding),
    reason=TEXTS,
    record=st.binary(),
    facts=st.dictionaries(TEXTS, st.one_of(NUMBERS, TEXTS, st.none())),
    steps=st.integers(0, 2**31 - 1),
    seconds=st.floats(0, 1e9),
    usage=st.builds(
        Usage,
        units=st.none() | st.integers(0, 2**63 - 1),
        peak_memory=st.none() | st.integers(0, 2**63 - 1),
        processor_seconds=st.none() | st.floats(0, 1e9),
        over_budget=st.none() | st.integers(0, 2**31 - 1),
    ),
)
SCORES = st.builds(Score, NUMBERS, st.dictionaries(TEXTS, NUMBERS))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    scored=st.lists(st.builds(ScoredEpisode, EPISODES, SCORES), max_size=4),
    name=NAMES,
)
def test_any_run_survives_the_way_out_and_in(
    tmp_path: Path, store: Store, other: Store, scored: list[ScoredEpisode], name: str
) -> None:
    plan = Plan(
        benchmark="test/small",
        version=1,
        game="platformer",
        rules="framework@1",
        seed=2**70,
        agents=(AgentSource("spec", name, "f"),),
        scenarios=tuple({"name": name, "seed": k, "deep": {"x": [0.1, None]}} for k in range(4)),
    )
    numbered = [
        ScoredEpisode(replace(one.episode, number=k, scenario=k), one.score)
        for k, one in enumerate(scored)
    ]
    kept = store.add_run(
        "0123abcd-4567cdef", datetime(2026, 5, 17, 8, 30, tzinfo=UTC), plan, numbered
    )
    export(kept.id, store, tmp_path / "any.jsonl")
    assert import_run(tmp_path / "any.jsonl", other) == kept
    assert rows(other) == rows(store)
    store.delete(kept.id)
    other.delete(kept.id)


def test_a_table_has_a_row_an_episode(made: Run, store: Store) -> None:
    first, *rest = episode_rows(made, store.episodes(made.id))
    assert len(rest) == 5
    assert first["run"] == made.id
    assert first["agent"] == "idle"
    assert first["scenario"] == "small 0"
    assert first["score"] == first["score.distance"] + first["score.coins"]
    assert first["status"] == store.episodes(made.id)[0].episode.facts["status"]


def test_a_fact_cannot_hide_a_column(made: Run, store: Store) -> None:
    one = store.episodes(made.id)[0]
    facts = {"agent": 7, "x": 1.0}
    (row,) = episode_rows(made, [ScoredEpisode(replace(one.episode, facts=facts), one.score)])
    assert (row["agent"], row["fact.agent"], row["x"]) == ("idle", 7, 1.0)


def test_csv(made: Run, store: Store, tmp_path: Path) -> None:
    export(made.id, store, tmp_path / "x.csv", "csv")
    with (tmp_path / "x.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["agent"] for row in read] == AGENTS * 3
    assert [float(row["x"]) for row in read] == [
        one.episode.facts["x"] for one in store.episodes(made.id)
    ]


def test_parquet(made: Run, store: Store, tmp_path: Path) -> None:
    import duckdb

    export(made.id, store, tmp_path / "x.parquet", "parquet")
    names = "agent, episode, score, state, x, completion"
    query = f"SELECT {names} FROM read_parquet(?) ORDER BY episode"
    found = duckdb.execute(query, [str(tmp_path / "x.parquet")]).fetchall()
    expected = episode_rows(made, store.episodes(made.id))
    assert found == [tuple(row[name] for name in names.split(", ")) for row in expected]
    assert isinstance(found[0][3], str)
    assert isinstance(found[0][1], int)


def test_parquet_of_nothing_is_refused(made: Run, store: Store, tmp_path: Path) -> None:
    with store.transaction() as connection:
        connection.execute(sa.delete(episodes_table))
    with pytest.raises(RunError, match="no episodes yet"):
        export(made.id, store, tmp_path / "x.parquet", "parquet")


def test_parquet_without_its_extra(
    made: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtra, match=r'pip install "ludus-arena\[analysis\]"'):
        export(made.id, store, tmp_path / "x.parquet", "parquet")
    assert list(tmp_path.glob("*parquet*")) == []


def test_a_format_that_is_none(made: Run, store: Store, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no format 'xml'; there are csv, jsonl, parquet"):
        export(made.id, store, tmp_path / "x", "xml")  # type: ignore[arg-type]


def test_a_place_that_cannot_be_written(made: Run, store: Store, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot write"):
        export(made.id, store, "/no/such/x.jsonl")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OptionError, match="cannot write"):
        export(made.id, store, tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_failed_export_leaves_the_old_file(
    made: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.jsonl"
    place.write_text("the old one")

    def full(*_: object) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys.modules["ludus.runs.exchange"], "run_to_lines", full)
    with pytest.raises(OptionError, match="No space left"):
        export(made.id, store, place)
    assert place.read_text() == "the old one"


def reseal(path: Path, **changes: Any) -> None:
    """Change the first line of a run's file as somebody would who knows how it is sealed."""
    head, *rest = (json.loads(line) for line in path.read_text().splitlines())
    seal, lines = "", []
    for values in ({**head, **changes}, *rest):
        del values["digest"]
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        seal = hashlib.sha256(f"{seal}\n{text}".encode()).hexdigest()
        lines.append(json.dumps({**values, "digest": seal}))
    path.write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("word", ["ledger", "", None])
def test_a_sealed_file_of_another_kind_is_no_run(file: Path, word: str | None) -> None:
    reseal(file, ludus=word)
    with pytest.raises(RunError, match="line 1: is not the beginning of a run"):
        read_run(file)


@pytest.mark.parametrize(
    ("format_", "words"),
    [(4, "is a run of format 4, this Ludus reads 1 to 3: update Ludus"), (0, "not the beginning")],
)
def test_files_of_other_formats_are_refused(
    file: Path, other: Store, format_: int, words: str
) -> None:
    assert json.loads(file.read_text().splitlines()[0])["format"] == 2
    reseal(file, format=format_)
    with pytest.raises(RunError, match=words):
        import_run(file, other)
    assert other.runs() == []


@pytest.mark.parametrize("provenance", [5, "abc", [1], {"x": {"y": 1}}])
def test_provenance_is_plain_text_or_nothing(file: Path, other: Store, provenance: Any) -> None:
    plan = json.loads(file.read_text().splitlines()[0])["plan"]
    reseal(file, plan={**plan, "provenance": provenance})
    if isinstance(provenance, dict):
        assert import_run(file, other).plan.provenance == {"x": "{'y': 1}"}
        return
    with pytest.raises(RunError, match="holds no plan of a run"):
        import_run(file, other)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([2**63 - 1, None, 1 - 2**63], "BIGINT"),
        ([2**63], "DOUBLE"),
        ([-(2**63)], "DOUBLE"),
        ([1, 0.5], "DOUBLE"),
        ([1, "one"], "VARCHAR"),
    ],
)
def test_a_column_of_parquet_holds_all_its_values(values: list[object], kind: str) -> None:
    assert _find_columns({"x": value} for value in values) == ({"x": kind} if values else {})


def test_what_nobody_measured_is_not_in_the_file(made: Run, store: Store) -> None:
    scored = [
        replace(one, episode=replace(one.episode, usage=Usage())) for one in store.episodes(made.id)
    ]
    lines = [json.loads(line) for line in run_to_lines(made, scored)]
    assert not any("usage" in line for line in lines)


@pytest.mark.parametrize("usage", [{"units": -1}, {"speed": 1}, [], {"peak_memory": 1.5}])
def test_usage_that_is_none_is_refused(made: Run, store: Store, tmp_path: Path, usage: Any) -> None:
    head, first = list(run_to_lines(made, store.episodes(made.id)[:1]))
    values = json.loads(first) | {"usage": usage}
    del values["digest"]
    seal = _seal(values, json.loads(head)["digest"])
    path = tmp_path / "wrong.jsonl"
    path.write_text(f"{head}\n{json.dumps({**values, 'digest': seal})}\n")
    with pytest.raises(RunError, match="line 2: holds no episode"):
        read_run(path)


def test_tables_of_episodes_have_columns_of_cost(made: Run, store: Store) -> None:
    first = store.episodes(made.id)[0]
    costly = replace(first, episode=replace(first.episode, usage=Usage(units=7, peak_memory=9)))
    (row,) = episode_rows(made, [costly])
    assert (row["used.units"], row["used.peak_memory"], row["used.over_budget"]) == (7, 9, None)
