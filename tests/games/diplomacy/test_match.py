from __future__ import annotations

import threading
from typing import Any

import pytest
from tests.games.diplomacy.play import finished, to_the_end

from ludus.agents import load
from ludus.errors import ActionError, AgentError, EpisodeOver, OptionError
from ludus.execution.stage import open_game
from ludus.games.diplomacy.bots import make_bot
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import Player, load_bot
from ludus.games.diplomacy.records import POWERS, Answer, Message
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.view import View

OTHERS = [power for power in POWERS if power != "FRANCE"]


class Talker:
    """Tells what it was shown, holds, and remembers how often it was asked."""

    name = "talker"

    def __init__(self, waits: bool = False) -> None:
        self.waits = waits
        self.asked = 0
        self.seen: list[tuple[str, int, list[str]]] = []
        self.threads: set[str] = set()

    def reset(self, scenario: Scenario) -> None:
        self.asked = 0

    def act(self, view: View) -> Any:
        self.asked += 1
        self.threads.add(threading.current_thread().name)
        self.seen.append((view.phase, view.round, [one.text for one in view.messages]))
        if view.step == "orders":
            return []
        here = f"{view.power} {view.phase} {view.round}"
        return [Message("", "GLOBAL", here), {"recipient": "FRANCE", "text": f"psst {here}"}]

    def memory(self) -> int:
        return self.asked

    def recall(self, memory: int) -> None:
        self.asked = memory


class Broken:
    """Fails in its own way."""

    name = "broken"

    def __init__(self, answer: Any = None) -> None:
        self._answer = answer

    def reset(self, scenario: Scenario) -> None:
        pass

    def act(self, view: View) -> Any:
        if self._answer is None:
            raise RuntimeError("out of order")
        return self._answer


def test_a_match_goes_to_the_last_year_and_no_further() -> None:
    _, match = finished(max_year=1902)
    assert match.over
    assert match.table.phase == "S1903M"
    with pytest.raises(EpisodeOver):
        match.step([])


def test_the_tested_seat_is_asked_only_if_it_has_something_to_order() -> None:
    match = DiplomacyMatch(Scenario(max_year=1903))
    phases = []
    while not match.over:
        assert match.observation.orderable
        phases.append(match.observation.phase)
        match.step([])
    assert len(phases) <= match.facts()["phases"]  # type: ignore[operator]
    assert "W1901A" not in phases  # without a move nothing was won


def test_the_same_scenario_is_played_the_same() -> None:
    one, other = finished(seed=4)[1], finished(seed=4)[1]
    assert one.record() == other.record()
    assert finished(seed=5)[1].record() != one.record()


def test_illegal_orders_are_counted_not_punished() -> None:
    match = DiplomacyMatch(Scenario(max_year=1901))
    match.step(["A PAR - BUR", "A PAR - MOS", "what?"])
    facts = match.facts()
    assert (facts["orders_given"], facts["orders_illegal"], facts["orders_asked"]) == (3, 2, 3)
    assert match.table.history[0].rejected == {"FRANCE": ("A PAR - MOS", "what?")}


@pytest.mark.parametrize("action", [None, 3, "A PAR H", b"", [1], [["A PAR H"]], Answer((7,))])  # type: ignore[arg-type]
def test_what_is_no_list_of_texts_is_no_action(action: Any) -> None:
    match = DiplomacyMatch(Scenario())
    with pytest.raises(ActionError):
        match.step(action)
    assert match.table.history == []


def test_what_others_do_wrong_is_their_fault_alone() -> None:
    players: dict[str, Player] = {"ITALY": Broken(), "RUSSIA": Broken(7), "TURKEY": Broken([b""])}
    match = DiplomacyMatch(Scenario(max_year=1901), players)
    match.step(["A PAR - BUR"])
    turn = match.table.history[0]
    assert turn.faults == ("ITALY", "RUSSIA", "TURKEY")
    assert turn.orders["ITALY"] == ()
    assert turn.orders["GERMANY"] != ()
    assert match.facts()["opponent_faults"] == 3


def test_messages_of_a_round_are_read_in_the_next() -> None:
    players = {power: Talker() for power in OTHERS}
    match = DiplomacyMatch(Scenario(press="full", rounds=2, max_year=1901), players)
    view = match.observation
    assert (view.step, view.round, view.rounds, view.messages) == ("press", 1, 2, ())
    match.step([Message("RUSSIA", "GERMANY", "Burgundy is yours")])
    assert (view.step, view.round) == ("press", 2)
    assert Message("FRANCE", "GERMANY", "Burgundy is yours", "S1901M", 1) in view.messages
    assert len(view.messages) == 13  # two from each of the others, and our own
    match.step([])
    assert (view.step, view.round) == ("orders", 0)
    match.step([])
    assert view.step == "press"
    assert players["GERMANY"].seen[0] == ("S1901M", 1, [])
    assert "Burgundy is yours" in players["GERMANY"].seen[1][2]
    assert "Burgundy is yours" not in players["ITALY"].seen[1][2]
    assert not any("psst" in text for text in players["ITALY"].seen[1][2] if "ITALY" not in text)
    first = view.history[0]
    assert len(first.messages) == 25
    assert match.facts()["messages_sent"] == 1
    assert match.facts()["messages_received"] == 24


def test_there_is_no_press_outside_movement() -> None:
    match = DiplomacyMatch(Scenario(press="full", rounds=1, max_year=1902))
    steps = []
    player = make_bot("dumb")
    while not match.over:
        steps.append((match.observation.kind, match.observation.step))
        match.step(player.act(match.observation))
    assert ("M", "press") in steps
    assert {kind for kind, step in steps if step == "press"} == {"M"}


@pytest.mark.parametrize(
    "said", [[Message("", "SPAIN", "hello")], [{"recipient": 7}], [3], [{"text": 5}]]
)
def test_messages_to_nobody_are_no_action(said: Any) -> None:
    match = DiplomacyMatch(Scenario(press="full", rounds=1))
    with pytest.raises(ActionError):
        match.step(said)


def test_silence_takes_many_forms() -> None:
    match = DiplomacyMatch(Scenario(press="full", rounds=3))
    match.step(["A PAR - BUR"])  # orders of a player who knows no press
    match.step([Message("", "FRANCE", "to myself"), Message("", "ITALY", "  ")])
    match.step(Answer(orders=("A PAR H",)))
    assert match.table.messages == []
    assert match.observation.step == "orders"


def test_those_who_wait_are_asked_at_the_same_time() -> None:
    together = threading.Barrier(6, timeout=120)

    class Waiting(Talker):
        def act(self, view: View) -> Any:
            together.wait()
            return super().act(view)

    players = {power: Waiting(waits=True) for power in OTHERS}
    match = DiplomacyMatch(Scenario(max_year=1901), players)
    match.step([])
    assert match.table.history[0].faults == ()
    assert all(players[power].asked >= 1 for power in OTHERS)
    assert all("diplomacy-seat" in name for name in players["ITALY"].threads)
    match.step([])
    assert match.over


def test_a_match_goes_on_from_a_checkpoint_as_if_nothing_had_happened() -> None:
    scenario = Scenario(max_year=1903, seed=9)
    player = make_bot("dumb")
    player.reset(scenario)
    kept: list[bytes] = []
    whole = DiplomacyMatch(
        scenario, after_phase=lambda match: kept.append(match.checkpoint({"n": 1}))
    )
    to_the_end(whole, player)
    assert len(kept) == len(whole.table.history)
    for checkpoint in (kept[0], kept[3], kept[-1]):
        again = DiplomacyMatch.restore(scenario, checkpoint)
        assert again.memory == {"n": 1}
        to_the_end(again, player)
        assert again.record() == whole.record()
        assert again.facts() == whole.facts()


def test_a_checkpoint_amid_press_keeps_messages_and_memories() -> None:
    scenario = Scenario(press="full", rounds=2, max_year=1901)
    match = DiplomacyMatch(scenario, {power: Talker() for power in OTHERS})
    match.step([Message("", "ITALY", "Tunis is yours")])
    fresh = {power: Talker() for power in OTHERS}
    again = DiplomacyMatch.restore(scenario, match.checkpoint(), fresh)
    assert again.observation.round == 2
    assert again.observation.messages == match.observation.messages
    assert fresh["ITALY"].asked == 1
    for one in (match, again):
        one.step([])
        one.step(["A PAR - BUR"])
    assert again.record() == match.record()


@pytest.mark.parametrize("checkpoint", [b"", b"nonsense"])
def test_what_is_no_checkpoint_is_refused(checkpoint: bytes) -> None:
    with pytest.raises(ActionError):
        DiplomacyMatch.restore(Scenario(), checkpoint)


def test_a_checkpoint_of_another_scenario_is_refused() -> None:
    match = DiplomacyMatch(Scenario())
    match.step([])
    with pytest.raises(ActionError):
        DiplomacyMatch.restore(Scenario(first_year=1910), match.checkpoint())


def test_the_others_play_on_without_the_tested_seat() -> None:
    position = {
        "units": {"RUSSIA": ["A WAR"], "TURKEY": ["A CON"]},
        "centres": {"RUSSIA": ["WAR"], "TURKEY": ["CON"]},
    }
    match = DiplomacyMatch(Scenario(max_year=1903, position=position))
    assert match.over  # there was nothing to ask
    facts = match.facts()
    assert (facts["last_year"], facts["orders_asked"], facts["stopped_early"]) == (1903, 0, False)
    assert facts["centres_RUSSIA"] > 1  # type: ignore[operator]


def test_any_agent_may_be_an_opponent_of_a_run() -> None:
    game = open_game("diplomacy")
    match = game.begin(Scenario.from_dict({"opponents": f"{__file__}:Talker"}))
    assert isinstance(match, DiplomacyMatch)
    match.step([])
    assert match.table.history[0].faults == ()
    with pytest.raises(AgentError, match="nobody"):
        game.begin(Scenario.from_dict({"opponents": "nobody"}))
    assert load("dumb#aggressive", "diplomacy").name == load_bot("dumb#aggressive").name


def test_a_game_by_itself_knows_bots_alone() -> None:
    scenario = Scenario.from_dict({"opponents": "nobody"})
    with pytest.raises(OptionError, match="there are hold, random"):
        DiplomacyMatch(scenario)
    match = DiplomacyMatch(scenario, load_opponent=lambda spec: Talker())
    assert match.worth_checkpointing
