from __future__ import annotations

import pytest
from tests.games.diplomacy.play import finished, played

from ludus.agents import load
from ludus.agents.registry import REGISTERED
from ludus.errors import OptionError
from ludus.games.diplomacy.bots import BOTS, make_bot
from ludus.games.diplomacy.bots.dumb import AGGRESSIVE, dumb_orders, find_worth
from ludus.games.diplomacy.bots.lattice import lattice
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.orders import order_letter
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table

QUICK = [name for name in BOTS if name not in ("search", "regret")]


@pytest.mark.parametrize("spec", [*QUICK, "dumb#aggressive"])
def test_all_orders_of_bots_are_legal(spec: str) -> None:
    _, match = finished(spec, opponents=spec, max_year=1906, seed=2)
    for turn in match.table.history:
        assert turn.rejected == {}
        assert turn.faults == ()


def test_the_searching_bot_plays_legally_and_to_win() -> None:
    games = [finished("search", opponents="easy", max_year=1903, seed=seed)[1] for seed in range(3)]
    facts = [match.facts() for match in games]
    assert [one["orders_illegal"] for one in facts] == [0, 0, 0]
    assert sum(one["centres"] for one in facts) >= 18  # type: ignore[misc]  # they begin with 9


def test_the_regretful_bot_plays_legally_and_to_win() -> None:
    facts = finished("regret", opponents="hold", max_year=1902, seed=1)[1].facts()
    assert facts["orders_illegal"] == 0
    assert facts["centres"] >= 6  # type: ignore[operator]


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


def test_the_aggressive_variant_holds_less() -> None:
    def shares(spec: str) -> float:
        facts = [finished(spec, max_year=1905, seed=seed)[1].facts() for seed in range(4)]
        still = sum(one["holds"] + one["supports"] for one in facts)  # type: ignore[operator, misc]
        return float(still / sum(one["orders_given"] for one in facts))  # type: ignore[misc]

    assert shares("dumb#aggressive") < shares("dumb")


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


def test_dumb_wants_the_empty_centres_in_fall() -> None:
    table = Table.start()
    table.step()  # it is fall
    values = find_worth(table).values[POWERS.index("FRANCE")]
    number = lattice().number
    assert values[number["A SPA"]] > values[number["A GAS"]]
    assert values[number["A BEL"]] > values[number["A PIC"]]


def test_worth_is_worked_out_once_for_all_powers() -> None:
    table = Table.start()
    assert find_worth(table) is find_worth(table)
    assert find_worth(table, AGGRESSIVE) is not find_worth(table)
    table.step()
    assert table.shared == {}


def test_worth_spreads_to_neighbours_and_counts_a_province_once() -> None:
    import numpy as np

    field = lattice()
    worth = np.zeros(len(field.nodes), np.int64)
    worth[[field.number["F SPA/NC"], field.number["F SPA/SC"]]] = 5, 3
    spread = field.spread(worth)
    assert spread[field.number["F MAO"]] == 5  # the better coast alone
    assert spread[field.number["F GAS"]] == 5
    assert spread[field.number["F LYO"]] == 3
    assert spread[field.number["F BLA"]] == 0


@pytest.mark.parametrize("seed", range(3))
def test_dumb_orders_any_position_without_looking_at_the_legal_list(seed: int) -> None:
    import random

    table = played(seed, years=6)
    for temper in (AGGRESSIVE, None):
        for power in POWERS:
            args = (temper,) if temper else ()
            orders = dumb_orders(table, power, random.Random(seed), *args)
            assert table.submit(power, orders).rejected == ()


def test_variants_are_checked() -> None:
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
