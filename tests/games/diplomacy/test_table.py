from __future__ import annotations

import random
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.games.diplomacy.play import played

from ludus.errors import EpisodeOver, OptionError
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.packing import MOST_BYTES
from ludus.games.diplomacy.records import POWERS, Message
from ludus.games.diplomacy.table import Table

HALF = ["BRE", "MAR", "PAR", "SPA", "POR", "BEL", "HOL", "MUN", "KIE", "BER"]
SEVENTEEN = [*HALF, "DEN", "SWE", "NWY", "LON", "EDI", "LVP", "ROM"]


def test_a_game_begins_in_spring_1901() -> None:
    table = Table.start()
    assert (table.phase, table.year, table.kind, table.over) == ("S1901M", 1901, "M", False)
    assert table.units["FRANCE"] == ("F BRE", "A MAR", "A PAR")
    assert {power: len(own) for power, own in table.centres.items()} == {
        **dict.fromkeys(POWERS, 3),
        "RUSSIA": 4,
    }
    assert set(table.builds.values()) == {0}


def test_the_map_is_the_usual_one() -> None:
    board = geography()
    assert (len(board.provinces), len(board.locations), len(board.centres)) == (75, 81, 34)
    assert board.moves["A", "POR"] == ("SPA",)
    assert board.moves["F", "POR"] == ("MAO", "SPA/NC", "SPA/SC")
    assert board.reach["F", "CON"] == ("AEG", "ANK", "BLA", "BUL", "SMY")
    assert board.sites["F", "STP"] == ("STP/NC", "STP/SC")
    assert [board.kinds[place] for place in ("MOS", "POR", "BLA")] == ["LAND", "COAST", "WATER"]


def test_legal_orders_are_sorted_and_worked_out_once() -> None:
    table = Table.start()
    assert table.legal("ITALY")["VEN"] == tuple(sorted(table.legal("ITALY")["VEN"]))
    assert table.legal_orders is table.legal_orders
    assert set(table.legal("ITALY")) == {"NAP", "ROM", "VEN"}


def test_the_last_order_for_a_unit_counts() -> None:
    table = Table.start()
    assert table.submit("FRANCE", ["A PAR H", "A PAR - BUR"]).accepted == ("A PAR - BUR",)
    table.submit("FRANCE", ["A PAR - PIC"])
    assert "A PIC" in _after(table, "FRANCE")


def _after(table: Table, power: str) -> tuple[str, ...]:
    table.step()
    return table.units[power]


def test_units_without_an_order_hold_and_the_turn_says_so() -> None:
    table = Table.start()
    table.submit("FRANCE", ["A PAR - BUR"])
    turn = table.step()
    assert turn.orders["FRANCE"] == ("A PAR - BUR",)
    assert turn.defaults["FRANCE"] == ("F BRE H", "A MAR H")
    assert table.phase == "F1901M"


def test_results_tell_what_came_in_between() -> None:
    table = Table.start()
    table.submit("FRANCE", ["A PAR - BUR"])
    table.submit("GERMANY", ["A MUN - BUR"])
    turn = table.step()
    assert turn.results == {"A PAR": ("bounce",), "A MUN": ("bounce",)}


def test_a_dislodged_unit_retreats_or_is_disbanded() -> None:
    position = {"units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}}
    table = Table.start(position)
    table.submit("GERMANY", ["A MUN - BUR", "A RUH S A MUN - BUR"])
    turn = table.step()
    assert turn.results["A BUR"] == ("dislodged",)
    assert table.phase == "S1901R"
    assert "PAR" in table.retreats["FRANCE"]["A BUR"]
    assert "MUN" not in table.retreats["FRANCE"]["A BUR"]
    assert table.orderable("GERMANY") == ()
    silent = table.fork()
    table.submit("FRANCE", ["A BUR R PAR"])
    assert _after(table, "FRANCE") == ("A PAR",)
    turn = silent.step()
    assert (silent.units["FRANCE"], turn.defaults) == ((), {"FRANCE": ("A BUR D",)})


def test_winter_builds_what_is_allowed_and_no_more() -> None:
    position = {"phase": "W1901A", "units": {"FRANCE": ["A SPA", "A POR"]}, "centres": {}}
    position["centres"] = {"FRANCE": ["BRE", "MAR", "PAR", "SPA"]}
    table = Table.start(position)
    assert table.builds["FRANCE"] == 2
    submitted = table.submit("FRANCE", ["A PAR B", "F BRE B", "A MAR B"])
    assert submitted.accepted == ("A PAR B", "F BRE B")
    assert submitted.rejected[0].text == "A MAR B"
    assert _after(table, "FRANCE") == ("A SPA", "A POR", "A PAR", "F BRE")


def test_builds_may_be_waived_and_are_if_nothing_is_said() -> None:
    position = {"phase": "W1901A", "units": {}, "centres": {"FRANCE": ["BRE", "PAR"]}}
    table = Table.start(position)
    assert table.submit("FRANCE", ["WAIVE", "A PAR B"]).accepted == ("A PAR B", "WAIVE")
    turn = table.step()
    assert (table.units["FRANCE"], turn.results) == (("A PAR",), {})
    silent = Table.start(position)
    assert (silent.step().defaults, silent.units["FRANCE"]) == ({}, ())


def test_removals_that_nobody_orders_are_told() -> None:
    position = {"phase": "W1901A", "units": {"FRANCE": ["A PAR", "A WAR"]}, "centres": {}}
    position["centres"] = {"FRANCE": ["PAR"]}
    table = Table.start(position)
    assert table.builds["FRANCE"] == -1
    assert table.step().defaults == {"FRANCE": ("A WAR D",)}


def test_phases_without_anything_to_do_are_left_out() -> None:
    table = Table.start()
    table.step()
    assert table.phase == "F1901M"
    table.step()
    assert table.phase == "S1902M"


def test_eighteen_centres_win_whether_they_grew_or_not() -> None:
    position = {
        "phase": "F1905M",
        "units": {"FRANCE": ["A MAR"], "ITALY": ["A NAP"]},
        "centres": {"FRANCE": [*SEVENTEEN, "TUN"], "ITALY": ["NAP", "VEN"]},
    }
    table = Table.start(position)
    table.step()
    assert table.winner == "FRANCE"
    position["centres"] = {"FRANCE": SEVENTEEN, "ITALY": ["NAP", "VEN"]}
    position["units"] = {"FRANCE": ["A TRI"], "ITALY": ["A NAP"]}
    grown = Table.start(position)
    grown.step()
    assert (grown.over, grown.winner, grown.phase, grown.year) == (
        True,
        "FRANCE",
        "COMPLETED",
        1905,
    )
    assert grown.orderable("FRANCE") == ()
    assert dict(grown.legal_orders) == {}
    with pytest.raises(EpisodeOver):
        grown.step()
    with pytest.raises(EpisodeOver):
        grown.advance()
    assert Table.restore(grown.snapshot()).winner == "FRANCE"
    assert grown.fork().winner == "FRANCE"


def test_a_cut_support_and_a_convoy() -> None:
    units = {
        "ENGLAND": ["F NTH", "A LON"],
        "GERMANY": ["A RUH", "A MUN"],
        "FRANCE": ["A BUR"],
        "ITALY": ["A TYR"],
    }
    table = Table.start({"units": units})
    table.submit("ENGLAND", ["A LON - BEL", "F NTH C A LON - BEL"])
    table.submit("GERMANY", ["A RUH - BUR", "A MUN S A RUH - BUR"])
    table.submit("ITALY", ["A TYR - MUN"])
    turn = table.step()
    assert table.units["ENGLAND"] == ("F NTH", "A BEL")
    assert turn.results == {"A RUH": ("bounce",), "A MUN": ("cut",), "A TYR": ("bounce",)}


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"phase": "S1901R"}, "S1901R"),
        ({"phase": "W1901M"}, "W1901M"),
        ({"phase": "1901"}, "1901"),
        ({"units": {"SPAIN": ["A MAD"]}}, "SPAIN"),
        ({"units": {"FRANCE": ["A XYZ"]}}, "A XYZ"),
        ({"units": {"FRANCE": ["F PAR"]}}, "F PAR"),
        ({"units": {"FRANCE": ["A PAR"], "ITALY": ["A PAR"]}}, "A PAR"),
        ({"centres": {"FRANCE": ["BUR"]}}, "BUR"),
        ({"centers": {}}, "centers"),
    ],
)
def test_positions_that_cannot_be_are_refused(position: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Table.start(position)


def test_other_years_can_be_the_first() -> None:
    table = Table.start(first_year=1950)
    assert (table.phase, table.year) == ("S1950M", 1950)
    table.step()
    assert table.phase == "F1950M"


def test_the_engine_calls_a_draw_in_the_year_2000() -> None:
    table = Table.start(first_year=2000)
    table.step()
    table.step()
    assert (table.over, table.winner, table.year) == (True, None, 2000)


def test_an_unknown_power_is_refused() -> None:
    with pytest.raises(OptionError, match="SPAIN"):
        Table.start().submit("SPAIN", [])


def test_messages_go_into_the_turn() -> None:
    table = Table.start()
    message = Message("FRANCE", "GERMANY", "Bur?", "S1901M", 1)
    table.add_message(message)
    assert table.step().messages == (message,)
    assert table.messages == []


def test_looking_ahead_leaves_the_table_alone_and_comes_true() -> None:
    for seed in range(3):
        table, chance = played(seed), random.Random(seed)
        before = table.snapshot()
        orders = {p: [chance.choice(o) for o in table.legal(p).values()] for p in POWERS}
        kept = {p: table.submit(p, given).accepted for p, given in orders.items()}
        ahead = table.fork(into=Table.start())
        for power, given in kept.items():
            ahead.set_orders(power, given)
        ahead.advance()
        table.step()
        assert (ahead.phase, ahead.units, ahead.centres) == (
            table.phase,
            table.units,
            table.centres,
        )
        assert ahead.retreats == table.retreats
        assert ahead.history == []
        assert before != table.snapshot()


def test_a_game_is_the_same_in_every_process() -> None:
    code = (
        "from tests.games.diplomacy.play import played; import hashlib;"
        "print(hashlib.sha256(played(11, 6).snapshot()).hexdigest())"
    )
    root = Path(__file__).parents[3]
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root), "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_a_snapshot_that_unpacks_to_too_much_is_refused() -> None:
    bomb = zlib.compress(b" " * (MOST_BYTES + 1), 9)
    with pytest.raises(OptionError, match="no snapshot"):
        Table.restore(bomb)
