from __future__ import annotations

from tests.games.diplomacy.play import finished

from ludus.games.diplomacy.facts import collect_facts
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table

SEVENTEEN = ["BRE", "MAR", "PAR", "SPA", "POR", "BEL", "HOL", "MUN", "KIE", "BER", "DEN", "SWE"]
SEVENTEEN += ["NWY", "LON", "EDI", "LVP", "ROM"]


def test_a_solo_ends_in_the_fall_it_was_won() -> None:
    position = {
        "phase": "F1905M",
        "units": {"FRANCE": ["A TUS"], "ITALY": ["A NAP"]},
        "centres": {"FRANCE": SEVENTEEN, "ITALY": ["NAP", "VEN"]},
    }
    table = Table.start(position)
    table.submit("FRANCE", ["A TUS - VEN"])
    table.step()
    facts = collect_facts(table, Scenario(position=position))
    assert (facts["winner"], facts["solo_year"], facts["last_phase"]) == (
        "FRANCE",
        1905,
        "COMPLETED",
    )
    assert (facts["centres"], facts["centres_ITALY"], facts["first_18_record"]) == (18, 1, 1905)
    assert facts["stopped_early"] is False
    assert facts["eliminated_TURKEY"] == 1905  # it had nothing from the start


def test_an_elimination_without_a_winter_shows_a_year_later_in_the_records() -> None:
    """Nobody has anything to build or remove, so there is no record of winter."""
    position = {
        "phase": "F1905M",
        "units": {"ITALY": ["A TUS", "A APU"], "AUSTRIA": ["F ADR"]},
        "centres": {"ITALY": ["TUN"], "AUSTRIA": ["VEN"]},
    }
    table = Table.start(position)
    table.submit("ITALY", ["A TUS - VEN"])
    table.step()
    facts = collect_facts(table, Scenario(power="AUSTRIA", position=position))
    assert table.phase == "W1905A"
    assert (facts["eliminated_AUSTRIA"], facts["emptied_AUSTRIA"]) == (1905, 1905)
    position["units"] = {"ITALY": ["A TUS", "A APU"]}
    silent = Table.start(position)
    silent.submit("ITALY", ["A TUS - VEN"])
    silent.step()
    facts = collect_facts(silent, Scenario(power="AUSTRIA", position=position))
    assert silent.phase == "S1906M"
    assert (facts["eliminated_AUSTRIA"], facts["emptied_AUSTRIA"]) == (1905, 1906)


def test_eighteen_from_the_start_are_seen_though_nobody_wins() -> None:
    position = {"units": {"FRANCE": ["A MAR"]}, "centres": {"FRANCE": [*SEVENTEEN, "TUN"]}}
    table = Table.start(position)
    table.step()
    facts = collect_facts(table, Scenario(position=position, max_year=1910))
    assert (facts["winner"], facts["first_18_record"], facts["stopped_early"]) == (None, 1901, True)


def test_orders_are_counted_by_kind_and_outcome() -> None:
    table = Table.start()
    table.submit("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"])
    table.submit("GERMANY", ["A MUN - BUR"])
    table.step()
    facts = collect_facts(table, Scenario())
    assert [facts[name] for name in ("holds", "moves", "moves_done", "supports")] == [1, 1, 1, 1]
    assert facts["supports_done"] == 1
    german = collect_facts(table, Scenario(power="GERMANY"))
    assert (german["moves"], german["moves_done"], german["orders_asked"]) == (1, 0, 3)


def test_winters_are_counted() -> None:
    facts = finished("dumb", opponents="hold", max_year=1903)[1].facts()
    assert facts["builds"] == facts["units"] - 3 + facts["disbands"]  # type: ignore[operator]
    assert facts["builds"] > 0
    assert facts["orders_illegal"] == 0


def test_equal_positions_have_equal_digests() -> None:
    one, other = Table.start(), Table.start()
    assert collect_facts(one, Scenario())["state"] == collect_facts(other, Scenario())["state"]
    other.step()
    assert collect_facts(one, Scenario())["state"] != collect_facts(other, Scenario())["state"]
