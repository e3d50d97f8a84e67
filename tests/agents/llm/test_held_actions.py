"""Answers with actions, as models write them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludus.agents.llm.held_actions import MOST_MOVES, moves_schema, read_moves
from ludus.agents.platformer.words import PlatformerWords
from ludus.agents.worm.words import WormWords
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario

MARIO = PlatformerWords(Scenario("short", Level.parse("M---F\nXXXXX"))).read_name
WORM = WormWords(None).read_name
LEFT = '{"moves": [{"action": "left", "ticks": 1}]}'


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ('{"thought": "go", "moves": [{"action": "right", "ticks": 8}]}', [("right", 8)]),
        ('{"action": "right+jump+speed", "ticks": 8}', [("right+jump+speed", 8)]),
        ('{"Moves": [{"Action": "JUMP + Right", "Ticks": "5"}]}', [("right+jump", 5)]),
        (
            '{"actions": ["right 3", "jump x 2", "left for 4 ticks"]}',
            [("right", 3), ("jump", 2), ("left", 3)],  # eight ticks and no more
        ),
        ('{"moves": [["right", 3], {"left": 2}]}', [("right", 3), ("left", 2)]),
        ('{"moves": [{"buttons": ["right", "a"], "frames": 2.0}]}', [("right+jump", 2)]),
        ('{"moves": "run right 6"}', [("right+speed", 6)]),
        ('[{"action": "noop", "ticks": 2}]', [("none", 2)]),
        ('{"moves": [{"action": "right"}]}', [("right", 8)]),
        ('{"moves": [{"action": "right", "ticks": 99}]}', [("right", 8)]),
        ('{"moves": [{"action": "right", "ticks": -5}]}', [("right", 1)]),
        ('{"moves": [{"action": "right", "ticks": 1e400}]}', [("right", 8)]),
        (
            f'<think>{LEFT}</think>{{"moves": [{{"action": "right", "ticks": 2}}]}}',
            [("right", 2)],
        ),
        (
            f'First {LEFT}, no: {{"moves": [{{"action": "right", "ticks": 2}}]}} Good luck!',
            [("right", 2)],
        ),
        ('{"moves": [{"action": "right", "ticks": 2}, {"action": "ri', [("right", 2)]),
        (
            "A gap is ahead.\nright\nSo I jump:\nright+speed 4\n- right+jump: 3 ticks",
            [("right+speed", 4), ("right+jump", 3)],
        ),
    ],
)
def test_forms_that_are_read(text: str, held: list[tuple[str, int]]) -> None:
    moves = read_moves(text, MARIO, 8)
    assert [tuple(one) for one in moves.held] == held
    assert moves.rejected == 0


@pytest.mark.parametrize(
    ("read_name", "text", "held", "rejected"),
    [
        (MARIO, '{"moves": [{"action": "right", "ticks": 2}, {"action": "fly"}]}', 1, 1),
        (MARIO, '{"moves": [{"action": "fly"}, {"action": "right"}]}', 0, 1),
        (MARIO, '{"moves": [{"action": "up", "ticks": 2}]}', 0, 1),
        (MARIO, '{"moves": [7, null, []]}', 0, 3),
        (WORM, '{"moves": [{"action": "turn left", "ticks": 2}]}', 1, 0),
        (WORM, '{"moves": [{"action": "left or right", "ticks": 2}]}', 0, 1),
        (WORM, "go straight 3", 1, 0),
    ],
)
def test_what_names_no_action_is_left_out_with_all_behind_it(
    read_name: Callable[[str], str | None], text: str, held: int, rejected: int
) -> None:
    moves = read_moves(text, read_name, 8)
    assert (len(moves.held), moves.rejected, moves.read) == (held, rejected, True)


@pytest.mark.parametrize("text", ["", "I do not know.", "{}", "[]", "null", "{" * 2000, "\0" * 50])
def test_nonsense_is_nothing(text: str) -> None:
    assert not read_moves(text, MARIO, 8).held


def test_schemas_have_an_end() -> None:
    schema = moves_schema(("left", "right"), 12)
    moves = schema["properties"]["moves"]
    assert list(schema["properties"]) == ["thought", "moves"]  # it thinks first
    assert moves["maxItems"] == MOST_MOVES
    assert moves["items"]["properties"]["ticks"]["maximum"] == 12
