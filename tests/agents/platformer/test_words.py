"""The platformer in words: cells as signs under all rules, buttons by name."""

from __future__ import annotations

import pytest

from ludus.agents.platformer.text_view import draw_cells
from ludus.agents.platformer.words import OFFERED, PlatformerWords
from ludus.games.platformer import Level, World
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.match import TaskMatch
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import ReceptiveField, Task
from ludus.games.platformer.view import View

LEVEL = Level.parse(
    "\n".join(
        [
            "--------------------",
            "----------o--%%-----",
            "--------------------",
            "------SSQ-----------",
            "------------tt------",
            "M-------g---tt-----F",
            "XXXXXXXXXX--XXXXXXXX",
            "XXXXXXXXXX--XXXXXXXX",
        ]
    )
)


def test_a_level_as_signs() -> None:
    world = World(LEVEL)
    for _ in range(8):
        world.step(0)
    shown = draw_cells(View(world))
    assert shown is not None
    lines, mario = shown.lines, next(line for line in shown.lines if "M" in line)
    assert mario.index("M") == 6
    assert {len(line) for line in lines} == {22}
    text = "\n".join(lines)
    for sign in "oBP?=e":
        assert sign in text, sign
    assert any(line.startswith("######") and "..##" in line for line in lines)  # the gap
    assert [entry[0] for entry in shown.legend] == sorted(
        set(text) - {"\n"}, key="M#B?boPCp=FHkLsDdXexc*f.".index
    )


@pytest.mark.parametrize(
    ("options", "detail", "signs"),
    [("-ld 3 -ls 4 -le g,gk", 1, "#e"), ("-ld 3 -ls 4 -le g,gk", 2, "#e")],
)
def test_tasks_of_2010_as_signs(options: str, detail: int, signs: str) -> None:
    task = Task(
        kinds=("scene", "enemies", "state"),
        scene=ReceptiveField((19, 19), detail),
        enemies=ReceptiveField((19, 19), 1),
        forward_model=False,
    )
    match, seen = TaskMatch(TaskScenario.from_options(options, task)), ""
    for _ in range(60):
        match.step(0b10010)
        shown = draw_cells(match.observation)
        assert shown is not None
        assert {len(line) for line in shown.lines} == {19}
        seen += "".join(shown.lines)
    assert set(signs) <= set(seen)


def test_merged_grids_alone_are_enough() -> None:
    task = Task(kinds=("merged",), forward_model=False)
    match = TaskMatch(TaskScenario.from_options("-ld 1 -ls 4", task))
    for _ in range(30):
        match.step(0)
    shown = draw_cells(match.observation)
    assert shown is not None
    assert "#" in "".join(shown.lines)
    hidden = Task(kinds=("state",), forward_model=False)
    match = TaskMatch(TaskScenario.from_options("-ld 1 -ls 4", hidden))
    assert draw_cells(match.observation) is None


@pytest.mark.parametrize("rules", ["framework", "2009", "2010"])
def test_names_and_buttons_are_one_to_one(rules: str) -> None:
    options = "-ld 1 -ls 4"
    scenario = Scenario("short", LEVEL) if rules == "framework" else None
    words = PlatformerWords(scenario or TaskScenario.from_options(options))
    words._rules = rules
    buttons = buttons_of(rules)
    for name in OFFERED:
        assert words.find_name(words.find_action(name)) == words.read_name(name) == name
    assert words.find_action("right+jump") == int(buttons.RIGHT | buttons.JUMP)
    assert words.find_action("none") == 0


def test_state_creatures_and_moves_are_told() -> None:
    world = World(LEVEL, 2)
    words, view = PlatformerWords(Scenario("short", LEVEL)), View(world)
    for _ in range(20):
        words.follow(view, "right")
        world.step(2)
    told = words.describe(view)
    assert "Mario: large with fire, on the ground, can jump" in told["state"]
    assert f"The exit is {round(19 - world.mario.x / 16)} cells to the right." in told["state"]
    assert told["recent"].startswith("right for 20 ticks (+")
    assert told["creatures"].startswith("one to stomp on at ")
    assert words.draw(view)[:4] == b"\x89PNG"
