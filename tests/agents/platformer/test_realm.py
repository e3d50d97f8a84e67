from __future__ import annotations

import numpy as np
import pytest
from tests.agents.platformer.players import play, scenario, sprint

from ludus.agents.platformer.learner import Trial
from ludus.agents.platformer.realm import (
    FACTS,
    HAND_WRITTEN,
    KEYS,
    PLANS,
    Realm,
    RealmSettings,
    RuleEvolution,
    read_facts,
    write_rule,
)
from ludus.agents.platformer.surroundings import look_around
from ludus.errors import AgentError
from ludus.games.platformer import Status, World
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.view import View

OPEN = scenario("M" + "-" * 38 + "F", "X" * 40)


def facts_of(*rows: str, stuck: bool = False) -> dict[str, int]:
    view = View(World(scenario(*rows).level))
    values = read_facts(look_around(view), stuck=stuck)
    return dict(zip(FACTS, values.tolist(), strict=True))


def test_facts_of_an_open_field() -> None:
    facts = facts_of("M--------F", "X" * 10)
    assert facts["wall"] == facts["gap"] == facts["over gap"] == facts["stuck"] == 0
    assert facts["direction"] == 1


@pytest.mark.parametrize(
    ("rows", "fact", "value"),
    [
        (("M-#------F", "X" * 10), "wall", 1),
        (("M--------F", "XX-XXXXXXX"), "gap", 1),
        (("M--------F", "XX---XXXXX"), "gap", 2),
        (("M--g-----F", "X" * 10), "creature ahead", 1),
    ],
)
def test_facts_tell_what_is_ahead(rows: tuple[str, ...], fact: str, value: int) -> None:
    assert facts_of(*rows)[fact] == value


def player(*rules: list[int]) -> Realm:
    """Return a player of a few rules; the rest wishes for what never is."""
    never = write_rule("advance", "", mode=0, on_ground=0, may_jump=1, over_gap=1, wall=1)
    rows = [*rules, *[never] * (20 - len(rules))]
    return Realm(tuple(number for row in rows for number in row))


def test_the_rule_of_the_most_fulfilled_wishes_counts() -> None:
    realm = player(
        write_rule("rush", "right", gap=0),
        write_rule("guard", "left", gap=0, wall=0),
        write_rule("attack", "", gap=0, wall=1, stuck=0),
    )
    realm.reset(OPEN)
    assert realm.choose_plan(View(World(OPEN.level))) == "guard"


def test_without_a_rule_mario_advances() -> None:
    realm = player()
    realm.reset(OPEN)
    assert realm.choose_plan(View(World(OPEN.level))) == "advance"


def test_where_nobody_can_plan_a_rule_presses_its_keys() -> None:
    realm = player(write_rule("advance", "left", gap=0))
    realm.reset(OPEN)
    view = View(World(OPEN.level))
    view.close_forward_model()
    assert realm.act(view) == KEYS.buttons("framework")[KEYS.index("left")]


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_can_be_carried_out(plan: str) -> None:
    realm = player(write_rule(plan, "right", gap=0), write_rule(plan, "right", gap=2))
    route = scenario("-" * 40, "-" * 15 + "M" + "-" * 9 + "g" + "-" * 13 + "F", "X" * 40)
    world = World(route.level, 0, 4)
    view = View(world)
    realm.reset(route)
    start = world.mario.x
    while not world.status and world.tick < 60:
        world.step(realm.act(view))
    assert (world.mario.x < start + 1) == (plan == "retreat")


def test_the_rules_written_by_hand_pass_a_dead_end_of_2010() -> None:
    level = benchmark_scenario("-ld 1 -lde on -ls 2 -ll 100")
    assert play(Realm(HAND_WRITTEN), level).result.status == Status.WIN


def test_an_episode_does_not_depend_on_the_one_before() -> None:
    realm = Realm()
    play(realm, sprint(3))
    assert play(realm, sprint(1)) == play(Realm(), sprint(1))


def trials(search: RuleEvolution) -> list[Trial[tuple[int, ...]]]:
    """Score rules by how few wishes they have."""
    return [Trial(genome, float(genome.count(-1))) for genome in search.ask()]


def test_evolution_begins_by_hand_climbs_and_goes_on_from_a_state() -> None:
    settings = RealmSettings(candidates=12, elite=3)
    search, other = RuleEvolution(None, 1, settings), RuleEvolution(None, 1, settings)
    assert search.ask()[0] == HAND_WRITTEN
    for _ in range(4):
        search.tell(trials(search))
    other.restore(search.state())
    for each in (search, other):
        for _ in range(6):
            each.tell(trials(each))
    assert search.champion() == other.champion()
    assert search.champion().count(-1) > HAND_WRITTEN.count(-1)
    assert Realm.read_arrays(Realm.write_arrays(search.champion())) == search.champion()


@pytest.mark.parametrize(
    "rules",
    [
        np.zeros((3, 3), np.int8),
        np.zeros((20, 14)),
        np.full((20, 14), 9, np.int8),
        np.full((20, 14), -2, np.int8),
    ],
    ids=["shape", "fractions", "too large", "too small"],
)
def test_what_are_no_rules_is_refused(rules: np.ndarray) -> None:
    with pytest.raises(AgentError, match="rules"):
        Realm.from_checkpoint({"rules": rules})
