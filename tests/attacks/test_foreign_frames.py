"""Bytes from another process are data: too long, broken off, forged or of another episode."""

from __future__ import annotations

import json
import os
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runs.small import SMALL, register

from ludus.agents.isolation.values import Opaque, decode, encode
from ludus.errors import Paused
from ludus.execution.checking import EpisodeChecker, parse_planned, read_episode
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.in_process import InProcessExecutor
from ludus.execution.plan import Plan, make_plan
from ludus.execution.stage import Stage
from ludus.frames import HEADER, Channel
from ludus.games.platformer.game import PlatformerMatch


@pytest.fixture(scope="module")
def plan() -> Plan:
    register()
    return make_plan(SMALL.id, ["rule-based", "idle"], episodes=2)


@pytest.fixture(scope="module")
def honest(plan: Plan) -> Episode:
    return Stage(plan).play(plan.episodes[0])


def change(episode: Episode, **changes: Any) -> bytes:
    return json.dumps(json.loads(episode.to_json()) | changes).encode()


# ---- frames


def channel_from(data: bytes, *, closed: bool = False) -> Channel:
    """A channel on which these bytes have arrived."""
    incoming, far = os.pipe()
    os.write(far, data)
    if closed:
        os.close(far)
    return Channel(incoming, os.open(os.devnull, os.O_WRONLY))


def test_a_frame_that_announces_gigabytes_is_refused_at_once() -> None:
    channel = channel_from(HEADER.pack(2**32 - 1, 1, 1) + b"x")
    with pytest.raises(ValueError, match="a frame of 4294967295 bytes is longer than 100"):
        channel.receive(100, 60)
    channel.close()


def test_half_a_frame_is_waited_for_until_the_deadline_only() -> None:
    channel = channel_from(HEADER.pack(10, 1, 1) + b"half")
    assert channel.receive_now(100) == []
    with pytest.raises(TimeoutError):
        channel.receive(100, 0.05)
    channel.close()


def test_half_a_frame_of_a_process_that_is_gone_is_its_end() -> None:
    channel = channel_from(HEADER.pack(10, 1, 1) + b"half", closed=True)
    assert channel.receive_now(100) == []
    with pytest.raises(EOFError):
        channel.receive(100, 5)
    channel.close()


def test_whoever_does_not_read_is_waited_for_until_the_deadline_only() -> None:
    incoming, far = os.pipe()
    channel = Channel(os.dup(incoming), far)
    with pytest.raises(TimeoutError):
        channel.send(1, 1, b"x" * 10_000_000, 0.05)
    channel.close()
    os.close(incoming)


def test_large_frames_and_many_small_ones_arrive_whole() -> None:
    incoming, far = os.pipe()
    reader, writer = Channel(incoming, os.dup(far)), Channel(os.dup(incoming), far)
    contents = [b"x" * 3_000_000, b"", b"y", os.urandom(70_000)]

    def write() -> None:
        for number, content in enumerate(contents):
            writer.send(number, 7, content)

    thread = threading.Thread(target=write)
    thread.start()
    frames = [reader.receive(2**22, 30) for _ in contents]
    thread.join()
    assert [(frame.number, frame.kind, frame.content) for frame in frames] == [
        (number, 7, content) for number, content in enumerate(contents)
    ]
    reader.close()
    writer.close()


# ---- values

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
    | st.binary(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(PLAIN)
def test_plain_values_come_back(value: Any) -> None:
    assert decode(encode(value)) == value


@given(st.binary(max_size=60))
@settings(max_examples=500)
def test_any_bytes_are_a_value_or_a_clear_error(content: bytes) -> None:
    for records in (False, True):
        if records and b"r" in content:
            continue  # a referee's own way to its agents
        with suppress(ValueError):  # and nothing else
            decode(content, records=records)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.array(3, np.int16),
        np.zeros((0, 4), bool),
        np.array([1, 2], ">i4"),
        np.array([[1, 2], [3, 4]]).T,
    ],
)
def test_arrays_come_back(array: Any) -> None:
    back = decode(encode(array))
    assert back.shape == array.shape
    assert (back == array).all()
    assert back.dtype == array.dtype.newbyteorder("<")
    back[...] = 0  # may be written to, as any array


def test_numbers_of_numpy_stay_what_they_are() -> None:
    assert type(decode(encode(np.int64(3)))) is np.int64
    assert type(decode(encode(np.float32(0.5)))) is np.float32
    assert decode(encode(np.str_("a"))) == "a"


def test_objects_become_their_repr_and_nothing_else() -> None:
    back = decode(encode([object(), {1, 2}, lambda: None]))
    assert all(isinstance(one, Opaque) for one in back)
    assert repr(back[1]) == "{1, 2}"
    assert isinstance(decode(encode(np.array(["a"]))), Opaque)
    assert isinstance(decode(encode(1 << 5000)), Opaque)


def array_of(dtype: bytes, *shape: int) -> bytes:
    sizes = b"".join(struct.pack("<I", size) for size in shape)
    return b"a" + bytes([len(dtype)]) + dtype + bytes([len(shape)]) + sizes


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"i\x01",
        b"s\xff\xff\xff\xffabc",
        b"s\x01\x00\x00\x00\xff",
        b"s\x03\x00\x00\x00a\x00b",
        b"s\x03\x00\x00\x00\xed\xa0\x80",  # a lone surrogate
        b"l\xff\xff\xff\xff",
        b"l\x01\x00\x00\x00" * 40 + b"N",
        b"d\x01\x00\x00\x00l\x00\x00\x00\x00N",  # a key that cannot be one
        b"NN",
        b"r" + encode("os:system") + encode({"command": "touch forged"}),
        array_of(b"|O8", 1) + b"x" * 8,
        array_of(b"<f8", 2**31, 2**31) + b"x",
        array_of(b"<U4", 1) + b"x" * 16,
        b"n" + array_of(b"<f8", 1)[1:] + b"x" * 8,
    ],
)
def test_forged_values_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(content)


# ---- episodes


def check(plan: Plan, content: bytes) -> Episode:
    """Return what is kept of what a referee has sent as the plan's first episode."""
    return EpisodeChecker(plan).replay(read_episode(content, plan.episodes[0]))


def test_an_honest_episode_is_kept_as_it_is(plan: Plan, honest: Episode) -> None:
    assert check(plan, honest.to_json().encode()) == honest


@pytest.mark.parametrize(
    "changes",
    [
        {"number": 1},
        {"agent": 1},
        {"scenario": 1},
        {"number": 0.0},
        {"number": False},
        {"number": -1},
        {"number": 10**26},
        {"ending": "won"},
        {"ending": None},
        {"reason": 7},
        {"reason": "\ud800"},
        {"reason": "a\0b"},
        {"reason": "x" * 2000},
        {"record": "not base64!"},
        {"record": None},
        {"steps": -1},
        {"steps": 1.5},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"seconds": -1},
        {"seconds": "1"},
        {"facts": None},
        {"facts": []},
        {"facts": {"x": float("nan")}},
        {"facts": {"x": [1]}},
        {"facts": {"x": {"y": 1}}},
        {"facts": {"\ud800": 1}},
        {"facts": {"x": "\0"}},
        {"facts": {str(k): k for k in range(20_000)}},
        {"more": 1},
    ],
)
def test_fields_that_are_not_the_plans_are_refused(
    plan: Plan, honest: Episode, changes: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_planned(change(honest, **changes), plan.episodes[0])


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b"[" * 100_000, b"\xff\xfe"])
def test_what_is_no_episode_is_refused(plan: Plan, content: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_planned(content, plan.episodes[0])


def test_facts_that_the_record_does_not_give_are_a_fault(plan: Plan, honest: Episode) -> None:
    for facts in ({}, {**honest.facts, "x": 1e6}, {**honest.facts, "bonus": 1}):
        kept = check(plan, change(honest, facts=facts))
        assert kept.facts == honest.facts
        assert kept.ending is EpisodeEnding.DISQUALIFIED
        assert kept.reason.startswith("its record does not give the ")


def test_a_game_cut_in_half_is_not_finished(plan: Plan, honest: Episode) -> None:
    match = PlatformerMatch(_scenario(plan))
    for buttons in honest.record[:10]:
        match.step(buttons)
    half = replace(honest, record=match.record(), facts=match.facts(), steps=10)
    kept = check(plan, half.to_json().encode())
    assert (kept.ending, kept.reason) == (
        EpisodeEnding.DISQUALIFIED,
        "its record ends before the game does",
    )


def test_a_record_that_goes_on_after_the_end_counts_nothing(plan: Plan, honest: Episode) -> None:
    longer = replace(honest, record=honest.record + b"\x02\x02")
    kept = check(plan, longer.to_json().encode())
    assert (kept.ending, kept.record, kept.steps) == (EpisodeEnding.DISQUALIFIED, b"", 0)
    assert kept.reason.startswith("its record cannot be played: ")


def test_only_a_referee_pauses_a_run(plan: Plan) -> None:
    with pytest.raises(Paused, match="no tea"):
        read_episode(b'{"paused": "no\\u0000 tea"}', plan.episodes[0])


class Cheat:
    """Plays in this process and changes what the match says of it."""

    name = "cheat"

    def __init__(self, trick: Callable[[], None]) -> None:
        self.trick = trick

    def reset(self, scenario: Any) -> None:
        self.trick()

    def act(self, view: Any) -> int:
        return 2


def test_an_object_that_changes_its_facts_is_found_out(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = PlatformerMatch.facts

    def cheat() -> None:
        lies = lambda match: {**honest(match), "x": 1e6}  # noqa: E731
        monkeypatch.setattr(PlatformerMatch, "facts", lies)

    executor = InProcessExecutor({0: Cheat(cheat)})
    ((episode,), *_) = executor.play(plan, plan.episodes[:1])
    assert episode.reason == "its record does not give the x that was reported"
    assert episode.facts["x"] != 1e6


def _scenario(plan: Plan) -> Any:
    from ludus.games.platformer.scenario import Scenario

    return Scenario.from_dict(plan.scenarios[0])
