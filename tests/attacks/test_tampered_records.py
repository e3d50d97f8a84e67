"""Whatever is changed in a store is named, on and off a board, in one line and without a crash."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.boards.making import Here
from tests.cli.conftest import Ludus
from tests.runs.agents_gone_wrong import __file__ as wrong
from tests.runs.small import SMALL

from ludus.benchmarks import benchmarks
from ludus.boards import accept, board, read_ledger, verify_entry
from ludus.errors import LudusError, RunError
from ludus.execution.episode import EpisodeEnding
from ludus.games.game import choose_replay, find_game
from ludus.limits import Usage
from ludus.runs import Run, ScoredEpisode, Store, run
from ludus.runs.run_check import UNSEALED
from ludus.runs.schema import episodes, runs

AGENTS = ["rule-based", f"{wrong}:Raises", "random"]
EPISODES = 2
FAULTY, HONEST = 1, 0  # numbers of episodes
OFF_BOARD_UNKNOWN = {
    "created": "created",
    "imported": "imported",
    "seconds": "seconds",
    "reason": "reasons",
    "provenance": "provenance",
    "spec": "specs",
    **dict.fromkeys(Usage.__slots__, "usage"),
}
"""What nothing vouches for off a board, and what a verification calls it."""


@pytest.fixture
def played(store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    ruled = replace(SMALL, episodes=EPISODES, fault_rule="Faults count as what was reached.")
    monkeypatch.setitem(benchmarks(), SMALL.id, ruled)
    return run(SMALL.id, AGENTS, store=store, episodes=EPISODES, executor=Here())


@pytest.fixture
def on_board(store: Store, played: Run) -> Run:
    accept(played.id, store, by="me")
    assert verify_entry(played.id, store, by="me").good
    return played


def write(store: Store, table: sa.Table, where: Any, **values: Any) -> None:
    with store.transaction() as connection:
        assert connection.execute(table.update().where(where).values(**values)).rowcount == 1


def read(store: Store, table: sa.Table, where: Any) -> dict[str, Any]:
    with store.connection() as connection:
        return dict(connection.execute(sa.select(table).where(where)).mappings().one())


def find_lines(store: Store, id_: str) -> list[str]:
    """Return the lines of a verification; an error is one, too."""
    try:
        outcome = verify_entry(id_, store, by="judge")
    except LudusError as error:
        lines = [str(error)]
    else:
        lines = [one.describe(id_) for one in outcome.differences]
    assert all("\n" not in line for line in lines)
    return lines


def find_fields(store: Store, id_: str) -> list[str]:
    """Return what the lines of a verification name: a field, or the words of an error."""
    return [
        line.partition(" is stored as ")[0].rpartition(f"{id_}")[2].partition(": ")[2] or line
        for line in find_lines(store, id_)
    ]


def change(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    if isinstance(value, bytes):
        middle = len(value) // 2
        return value[:middle] + bytes([value[middle] ^ 2]) + value[middle + 1 :]
    return 7 if value is None else value


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the ways to all plain values within nested ones."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if isinstance(inner, dict | list):
            yield from leaves(inner, (*path, key))
        else:
            yield (*path, key)


def with_leaf(value: Any, path: tuple[Any, ...]) -> Any:
    changed = copy.deepcopy(value)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = change(inner[path[-1]])
    return changed


RUN_COLUMNS = [column.name for column in runs.c if column.name not in ("id", "plan")]
EPISODE_COLUMNS = [
    column.name for column in episodes.c if column.name not in ("run", "facts", "parts")
]
NAMES = {
    "total": "score",
    "record": "",
    "number": "episodes",
    "seconds": "time of an episode",
    **dict.fromkeys(Usage.__slots__, "usage"),
}


@pytest.mark.parametrize("boarded", [False, True])
def test_every_column_of_a_run_is_named(
    boarded: bool, store: Store, request: pytest.FixtureRequest
) -> None:
    made: Run = request.getfixturevalue("on_board" if boarded else "played")
    where = runs.c.id == made.id
    for column in RUN_COLUMNS:
        value = read(store, runs, where)[column]
        changed = "2020-01-01T00:00:00+00:00" if column == "created" else change(value)
        write(store, runs, where, **{column: changed})
        fields = find_fields(store, made.id)
        if column == "imported" or (column in OFF_BOARD_UNKNOWN and not boarded):
            assert OFF_BOARD_UNKNOWN[column] in UNSEALED
        else:
            assert any(column in field for field in fields), (column, fields)
        write(store, runs, where, **{column: value})


@pytest.mark.parametrize("boarded", [False, True])
def test_every_column_of_an_episode_is_named(
    boarded: bool, store: Store, request: pytest.FixtureRequest
) -> None:
    made: Run = request.getfixturevalue("on_board" if boarded else "played")
    for number, column in product((HONEST, FAULTY), EPISODE_COLUMNS):
        where, moved = episodes.c.number == number, 99 if column == "number" else number
        value = read(store, episodes, where)[column]
        write(store, episodes, where, **{column: 99 if column == "number" else change(value)})
        fields = find_fields(store, made.id)
        measured = column == "seconds" or column in Usage.__slots__
        unknown = measured or (column == "reason" and number == FAULTY)
        if unknown and not boarded:
            assert fields == []
            assert OFF_BOARD_UNKNOWN[column] in UNSEALED
        else:
            named = NAMES.get(column, column)
            assert any(named in field for field in fields), (number, column, fields)
        write(store, episodes, episodes.c.number == moved, **{column: value})
    assert find_fields(store, made.id) == []


@pytest.mark.parametrize("column", ["facts", "parts"])
def test_every_fact_and_every_part_is_named(column: str, store: Store, played: Run) -> None:
    where = episodes.c.number == HONEST
    stored = json.loads(read(store, episodes, where)[column])
    for path in leaves(stored):
        write(store, episodes, where, **{column: json.dumps(with_leaf(stored, path))})
        assert any(path[0] in field for field in find_fields(store, played.id)), path
    write(store, episodes, where, **{column: json.dumps({**stored, "more": 1})})
    assert any("more" in field for field in find_fields(store, played.id))


@pytest.mark.parametrize("boarded", [False, True])
def test_every_value_of_a_plan_is_named(
    boarded: bool, store: Store, request: pytest.FixtureRequest
) -> None:
    made: Run = request.getfixturevalue("on_board" if boarded else "played")
    stored = json.loads(made.text)
    for path in leaves(stored):
        write(store, runs, runs.c.id == made.id, plan=json.dumps(with_leaf(stored, path)))
        fields = find_fields(store, made.id)
        unknown = next((name for name in ("provenance", "spec") if name in path), None)
        if unknown and not boarded:
            assert OFF_BOARD_UNKNOWN[unknown] in UNSEALED
        else:
            assert fields, path
            assert not unknown or any(unknown in field for field in fields), path


@pytest.mark.parametrize("seconds", [1.0, 9999.0])
def test_changed_limits_and_names_are_named_as_such(
    seconds: float, store: Store, played: Run
) -> None:
    plan = json.loads(played.text)
    limited = {**plan, "limits": {**plan["limits"], "seconds": seconds}}
    write(store, runs, runs.c.id == played.id, plan=json.dumps(limited))
    assert "limits" in find_fields(store, played.id)
    plan["agents"][0]["name"] = "my-tiny-net"
    write(store, runs, runs.c.id == played.id, plan=json.dumps(plan))
    assert "agent 0: name" in find_fields(store, played.id)


def cut(one: ScoredEpisode) -> tuple[bytes, dict[str, Any]]:
    """Return the first half of an episode's record, and all else that follows from it."""
    record = one.episode.record[: len(one.episode.record) // 2]
    scenario = benchmarks()[SMALL.id].make_scenarios(0, EPISODES)[one.episode.scenario]
    game = find_game("platformer")
    outcome = choose_replay(game)(game.parse_scenario(scenario), record)
    score = SMALL.score(outcome.facts)
    values = {"facts": json.dumps(dict(outcome.facts)), "steps": outcome.steps}
    return record, {**values, "total": score.total, "parts": json.dumps(dict(score.parts))}


def test_a_game_cut_in_half_is_not_finished(store: Store, played: Run) -> None:
    record, values = cut(store.episodes(played.id)[HONEST])
    write(store, episodes, episodes.c.number == HONEST, record=record, **values)
    assert find_fields(store, played.id) == ["ending"]
    (difference,) = verify_entry(played.id, store, by="me").differences
    assert difference.describe(played.id) == (
        f"run {played.id}, episode 0: ending is stored as 'finished', found 'not over at the end "
        "of the record'"
    )


def test_bytes_behind_the_end_are_named(store: Store, played: Run) -> None:
    record = store.episodes(played.id)[HONEST].episode.record
    write(store, episodes, episodes.c.number == HONEST, record=record + b"\0")
    assert find_fields(store, played.id) == ["record"]


@pytest.mark.parametrize(
    ("number", "ending", "named"),
    [
        (HONEST, "crashed", "reason"),
        (FAULTY, "finished", "reason"),
        (HONEST, "won", "ending"),
        (HONEST, "", "ending"),
    ],
)
def test_another_ending_is_named(
    number: int, ending: str, named: str, store: Store, played: Run
) -> None:
    write(store, episodes, episodes.c.number == number, ending=ending)
    assert named in find_fields(store, played.id)


@pytest.mark.parametrize("number", [HONEST, FAULTY])
def test_an_ending_with_a_fitting_reason_is_named(number: int, store: Store, played: Run) -> None:
    faulty = number == HONEST
    values = {"ending": "crashed" if faulty else "finished", "reason": "why not" * faulty}
    write(store, episodes, episodes.c.number == number, **values)
    assert find_fields(store, played.id) == ["ending"]


def test_another_kind_of_fault_is_named_on_a_board(store: Store, on_board: Run) -> None:
    kind = str(EpisodeEnding.DISQUALIFIED)
    write(store, episodes, episodes.c.number == FAULTY, ending=kind)
    assert any("fault" in field for field in find_fields(store, on_board.id))


def test_missing_and_surplus_episodes_are_named(store: Store, played: Run) -> None:
    row = read(store, episodes, episodes.c.number == HONEST)
    with store.transaction() as connection:
        connection.execute(episodes.insert().values({**row, "number": 77}))
        connection.execute(episodes.delete().where(episodes.c.number == FAULTY))
    outcome = verify_entry(played.id, store, by="me")
    assert {(one.episode, one.field) for one in outcome.differences} == {
        (None, "episodes"),
        (77, "number"),
    }
    assert "5: 1 missing" in str(outcome.differences[0])


ANYTHING = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.binary(max_size=20),
)


@given(st.sampled_from([*RUN_COLUMNS, "plan"]), ANYTHING)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nonsense_in_a_run_never_crashes(
    store: Store, played: Run, column: str, value: Any
) -> None:
    restored = read(store, runs, runs.c.id == played.id)
    _write_raw(store, "runs", column, value, "id", played.id)
    try:
        fields = find_fields(store, played.id)
    finally:
        write(store, runs, runs.c.id == played.id, **{column: restored[column]})
    unchanged = str(value) == str(restored[column])  # SQLite takes 0 for '0' in a column of texts
    assert fields or unchanged or column in OFF_BOARD_UNKNOWN


@given(st.sampled_from([*EPISODE_COLUMNS, "facts", "parts"]), ANYTHING)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nonsense_in_an_episode_never_crashes(
    store: Store, played: Run, column: str, value: Any
) -> None:
    restored = read(store, episodes, episodes.c.number == HONEST)
    if column == "number":
        return
    _write_raw(store, "episodes", column, value, "number", HONEST)
    try:
        fields = find_fields(store, played.id)
    finally:
        write(store, episodes, episodes.c.number == HONEST, **{column: restored[column]})
    known = column in OFF_BOARD_UNKNOWN or value == restored[column]
    assert fields or known


def _write_raw(store: Store, table: str, column: str, value: Any, key: str, of: Any) -> None:
    """Write past the types of the columns, as SQLite lets anybody."""
    statement = sa.text(f"UPDATE {table} SET {column} = :value WHERE {key} = :of")
    with store.transaction() as connection:
        connection.execute(statement, {"value": value, "of": of})


def test_a_board_takes_no_run_that_is_not_so_and_nothing_changes(store: Store, played: Run) -> None:
    write(store, episodes, episodes.c.number == HONEST, total=10**6)
    with pytest.raises(RunError, match=r"episode 0: score is stored as 1000000.*nothing is put on"):
        accept(played.id, store, by="me")
    assert read_ledger(store) == []
    assert board(SMALL.id, store).rows == ()


FORGERIES: list[tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = [
    (lambda row: {"total": row["total"] + 1}, "score"),
    (lambda row: {"steps": row["steps"] + 1}, "steps"),
    (lambda _: {"seconds": -1.0}, "seconds"),
]


@pytest.mark.parametrize(("forge", "field"), FORGERIES)
def test_the_command_names_run_episode_and_field(
    forge: Callable[[dict[str, Any]], dict[str, Any]], field: str, ludus: Ludus
) -> None:
    id_ = ludus("run", SMALL.id, "idle", "--episodes", "2", "--json").json["run"]
    store = Store()
    where = episodes.c.number == 1
    write(store, episodes, where, **forge(read(store, episodes, where)))
    store.close()
    said = ludus("verify", id_, code=1)
    assert f"run {id_}, episode 1: {field} is stored as" in said.out
    assert said.err == ""
