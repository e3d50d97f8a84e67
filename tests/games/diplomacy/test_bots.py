from __future__ import annotations

import pytest
from tests.games.diplomacy.play import finished, played

from ludus.agents import load
from ludus.agents.registry import REGISTERED
from ludus.errors import OptionError
from ludus.games.diplomacy.board import BOTS as ENGINE_BOTS
from ludus.games.diplomacy.board import Board
from ludus.games.diplomacy.bots import BOTS, make_bot
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.orders import order_letter
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.scenario import Scenario

QUICK = [name for name in BOTS if name not in ("search", "regret")]


@pytest.mark.parametrize("spec", [*QUICK, "dumb#aggressive"])
def test_all_orders_of_bots_are_legal(spec: str) -> None:
    _, match = finished(spec, opponents=spec, max_year=1906, seed=2)
    for turn in match.table.history:
        assert turn.rejected == {}
        assert turn.faults == ()


def test_the_searching_bot_plays_legally_and_to_win() -> None:
    games = [finished("search", opponents="dumb", max_year=1906, seed=seed)[1] for seed in range(4)]
    facts = [match.facts() for match in games]
    assert [one["orders_illegal"] for one in facts] == [0] * 4
    assert sum(one["centres"] for one in facts) >= 24  # type: ignore[misc]  # they begin with 12


def test_the_regretful_bot_plays_legally_and_to_win() -> None:
    facts = finished("regret", opponents="dumb", max_year=1904, seed=1)[1].facts()
    assert facts["orders_illegal"] == 0
    assert facts["centres"] >= 5  # type: ignore[operator]  # it begins with 3


def test_who_stands_still_is_hunted_by_aggressive_bots() -> None:
    centres = {
        opponents: sum(
            finished("hold", opponents=opponents, max_year=1914, seed=seed)[1].facts()["centres"]  # type: ignore[misc]
            for seed in range(4)
        )
        for opponents in ("dumb", "dumb#aggressive")
    }
    assert centres["dumb#aggressive"] < centres["dumb"] / 2


@pytest.mark.parametrize("spec", [*QUICK, "search"])
def test_bots_forget_the_last_game(spec: str) -> None:
    bot = make_bot(spec)
    orders = []
    for seed in (1, 2, 1):
        scenario = Scenario(seed=seed, opponents=("hold",) * 6)
        bot.reset(scenario)
        match = DiplomacyMatch(scenario)
        orders.append(bot.act(match.observation))
    assert orders[0] == orders[2]


def test_bots_are_silent() -> None:
    match = DiplomacyMatch(Scenario(press="full", rounds=1))
    assert make_bot("dumb").act(match.observation) == []


def test_a_ladder_of_bots() -> None:
    """Far apart are hold and dumb; who stands where between them, more games would tell."""
    against_hold = [finished("dumb", opponents="hold", max_year=1910, seed=s)[1] for s in range(2)]
    assert all(match.facts()["winner"] == "FRANCE" for match in against_hold)
    held = [finished("hold", opponents="dumb", max_year=1910, seed=s)[1] for s in range(3)]
    assert sum(match.facts()["centres"] for match in held) < 9  # type: ignore[misc]


def test_the_aggressive_variant_takes_more() -> None:
    def count_centres(spec: str) -> int:
        games = [finished(spec, max_year=1912, seed=seed)[1].facts() for seed in range(6)]
        return sum(facts["centres"] for facts in games)  # type: ignore[misc]

    assert count_centres("dumb#aggressive") > count_centres("dumb")


def test_holding_means_holding() -> None:
    facts = finished("hold", opponents="hold")[1].facts()
    assert (facts["moves"], facts["holds"], facts["centres"]) == (0, 18, 3)


def test_consistent_orders_do_not_collide() -> None:
    _, match = finished("consistent-random", opponents="hold", max_year=1908)
    supported = 0
    for turn in match.table.history:
        if not turn.phase.endswith("M"):
            continue
        orders = turn.orders["FRANCE"]
        goals = [order.split()[3][:3] for order in orders if order_letter(order) == "-"]
        goals += [order[2:5] for order in orders if order_letter(order) != "-"]
        assert len(goals) == len(set(goals))
        for order in orders:
            if order_letter(order) == "S":
                supported += 1
                helped = order.partition(" S ")[2]
                assert helped in orders or f"{helped} H" in orders or " - " not in helped
    assert supported


POSITION = {
    "name": "F1901M",
    "units": {"FRANCE": ["A GAS", "A PIC"], "GERMANY": ["A RUH"]},
    "centers": {"FRANCE": ["BRE", "MAR", "PAR"], "GERMANY": ["BER", "KIE", "MUN"]},
}


def test_dumb_wants_the_empty_centres_in_fall() -> None:
    board = Board.from_record(POSITION)
    drawn = [board.choose_orders("dumb", "FRANCE", seed) for seed in range(40)]
    orders = [order for orders in drawn for order in orders]
    assert orders.count("A GAS - SPA") > 30
    assert orders.count("A PIC - BEL") > 30


def test_aggressive_bots_attack_a_centre_together() -> None:
    units = {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]}
    board = Board.from_record({**POSITION, "units": units})
    for seed in range(10):
        orders = board.choose_orders("dumb-aggressive", "FRANCE", seed)
        assert sorted(order[5:] for order in orders) in (
            [" - MUN", " S A RUH - MUN"],
            [" - MUN", " S A BUR - MUN"],
        )


@pytest.mark.parametrize("bot", ENGINE_BOTS)
def test_bots_of_the_engine_leave_the_board_alone_and_repeat_themselves(bot: str) -> None:
    board = Board()
    state = board.snapshot()
    first = board.choose_orders(bot, "RUSSIA", 5)
    assert len(first) == 4
    assert board.choose_orders(bot, "RUSSIA", 5) == first
    assert board.snapshot() == state


def test_unknown_bots_and_powers_of_the_engine_are_refused() -> None:
    with pytest.raises(OptionError, match="no bot 'albert'"):
        Board().choose_orders("albert", "FRANCE", 1)
    with pytest.raises(OptionError, match="no power 'SPAIN'"):
        Board().choose_orders("dumb", "SPAIN", 1)
    with pytest.raises(OptionError, match="cannot look 101 winters ahead"):
        Board().choose_orders("search", "FRANCE", 1, winters=101)


@pytest.mark.parametrize("seed", range(3))
def test_bots_of_the_engine_order_any_position(seed: int) -> None:
    table = played(seed, years=6)
    for bot in ENGINE_BOTS:
        for power in POWERS:
            orders = table.copy_board().choose_orders(bot, power, seed)
            assert table.submit(power, orders).rejected == ()


def test_bots_look_as_far_as_they_are_told() -> None:
    board = Board()
    while board.phase != "S1904M":
        board.step({power: board.choose_orders("dumb", power, 3) for power in POWERS})
    near, far = (
        [board.choose_orders("search", power, 5, winters) for power in POWERS] for winters in (1, 9)
    )
    assert near != far
    assert near == [board.choose_orders("search", power, 5) for power in POWERS]


def test_variants_are_checked() -> None:
    assert make_bot("search#full").name == "search-full"
    assert make_bot("dumb#aggressive").variant == "aggressive"
    with pytest.raises(OptionError, match="aggressive"):
        make_bot("dumb#kind")
    with pytest.raises(OptionError, match="there are: none"):
        make_bot("hold#tight")
    with pytest.raises(OptionError, match="no bot 'albert'"):
        make_bot("albert")


def test_bots_are_agents_too() -> None:
    assert set(REGISTERED["diplomacy"]) >= set(BOTS)
    for name in BOTS:
        assert isinstance(load(name, game="diplomacy"), BOTS[name])
    assert load("dumb#aggressive", game="diplomacy").name == "dumb-aggressive"
