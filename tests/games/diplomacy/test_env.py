from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from ludus.errors import OptionError
from ludus.games.diplomacy.env import COLUMNS, MOST_ORDERS, DiplomacyEnv
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.records import POWERS


def test_pettingzoo_is_content() -> None:
    parallel_api_test(DiplomacyEnv(max_year=1903), num_cycles=40)
    parallel_seed_test(DiplomacyEnv, num_cycles=10)


def test_masked_actions_are_legal_orders() -> None:
    env = DiplomacyEnv(max_year=1904)
    _, infos = env.reset(seed=0)
    for k, power in enumerate(POWERS):
        env.action_space(power).seed(k)
    given = 0
    while env.agents:
        actions = {
            power: env.action_space(power).sample(mask=infos[power]["action_mask"])
            for power in env.agents
        }
        _, rewards, terminated, truncated, infos = env.step(actions)
        given += sum(len(orders) for orders in env.table.history[-1].orders.values())
        assert set(rewards) == set(terminated) == set(truncated) == set(actions)
        kind = env.table.history[-1].phase[-1]
        assert kind == "A" or not any(info["illegal"] for info in infos.values())
    assert given > 100
    assert env.table.year == 1905
    assert not any(terminated.values()) or all(truncated[p] for p in truncated if not terminated[p])


def test_a_number_names_an_order_and_a_text_does_too() -> None:
    env = DiplomacyEnv()
    env.reset()
    legal = env.table.legal("FRANCE")["PAR"]
    numbers = np.zeros(len(geography().provinces), np.int64)
    numbers[geography().provinces.index("PAR")] = 1 + legal.index("A PAR - BUR")
    numbers[geography().provinces.index("MAR")] = MOST_ORDERS
    numbers[geography().provinces.index("MUN")] = 1
    env.step({"FRANCE": numbers, "ITALY": ["A VEN - TYR", "A VEN - MOS"]})
    turn = env.table.history[0]
    assert turn.orders["FRANCE"] == ("A PAR - BUR",)
    assert turn.orders["ITALY"] == ("A VEN - TYR",)


def test_what_is_seen() -> None:
    env = DiplomacyEnv()
    boards, infos = env.reset()
    places = geography().locations
    france = boards["FRANCE"]
    assert france.shape == env.observation_space("FRANCE").shape == (81, len(COLUMNS))

    def seen(place: str) -> set[str]:
        row = france[places.index(place)]
        return {name for name, value in zip(COLUMNS, row, strict=True) if value}

    always = {"spring", "movement", "seen by france"}
    centre = {"centre", "centre of france", "home of france"}
    assert seen("PAR") == always | centre | {"army", "unit of france"}
    assert seen("STP/SC") == always | {"fleet", "unit of russia"}
    assert seen("BUR") == always
    mask = np.array(infos["FRANCE"]["action_mask"])
    rows = {place: mask[k].sum() for k, place in enumerate(geography().provinces)}
    assert rows["PAR"] == 1 + len(env.table.legal("FRANCE")["PAR"])
    assert rows["BUR"] == rows["MUN"] == 1


def test_a_power_without_anything_leaves_and_a_winner_is_rewarded() -> None:
    seventeen = ["BRE", "MAR", "PAR", "SPA", "POR", "BEL", "HOL", "MUN", "KIE", "BER", "DEN", "SWE"]
    seventeen += ["NWY", "LON", "EDI", "LVP", "ROM"]
    position = {
        "phase": "F1905M",
        "units": {"FRANCE": ["A TUS"], "ITALY": ["A NAP"]},
        "centres": {"FRANCE": seventeen, "ITALY": ["NAP", "VEN"]},
    }
    env = DiplomacyEnv(position=position)
    env.reset()
    assert env.agents == ["FRANCE", "ITALY"]
    _, rewards, terminated, truncated, _ = env.step({"FRANCE": ["A TUS - VEN"]})
    assert rewards == {"FRANCE": 19.0, "ITALY": -1.0}
    assert terminated == {"FRANCE": True, "ITALY": True}
    assert truncated == {"FRANCE": False, "ITALY": False}
    assert env.agents == []


def test_builds_are_shown() -> None:
    position = {"phase": "W1905A", "units": {"FRANCE": ["A PAR"]}, "centres": {}}
    position["centres"] = {"FRANCE": ["BRE", "MAR", "PAR"]}
    boards, _ = DiplomacyEnv(position=position).reset()
    assert set(boards["FRANCE"][:, COLUMNS.index("builds")]) == {2}


def test_it_can_be_looked_at() -> None:
    env = DiplomacyEnv(render_mode="rgb_array")
    env.reset()
    picture = env.render()
    assert picture is not None
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert DiplomacyEnv().render() is None
    env.close()
    with pytest.raises(OptionError, match="human"):
        DiplomacyEnv(render_mode="human")


def test_a_copy_and_a_restored_state_go_on_alike() -> None:
    env = DiplomacyEnv(max_year=1903)
    env.reset()
    env.step({"FRANCE": ["A PAR - BUR"], "AUSTRIA": ["A VIE - GAL"]})
    restored = DiplomacyEnv(max_year=1903)
    restored.restore_state(env.clone_state())
    copies = [restored, copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    orders = {"FRANCE": ["A BUR - MUN"], "RUSSIA": ["A WAR - GAL"]}
    observations, rewards, *_ = env.step(orders)
    for other in copies:
        seen, paid, *_ = other.step(orders)
        assert paid == rewards
        assert other.agents == env.agents
        assert all(np.array_equal(seen[power], observations[power]) for power in POWERS)
    with pytest.raises(OptionError, match="no state of a DiplomacyEnv"):
        env.restore_state(b"LUES")
