from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.platformer.players import play, scenario, sprint

from ludus.agents.platformer.behaviour_tree import (
    CODONS,
    BehaviourTree,
    BehaviourTreeSettings,
    TreeEvolution,
    build_tree,
)
from ludus.agents.platformer.behaviours import (
    Act,
    Check,
    GoRight,
    Moment,
    Outcome,
    Repeat,
    Selector,
    Steps,
)
from ludus.agents.platformer.learner import Trial
from ludus.agents.platformer.surroundings import look_around
from ludus.errors import AgentError, OptionError
from ludus.games.platformer import Status, World
from ludus.games.platformer.view import View

GENOMES = st.lists(st.integers(0, 255), min_size=CODONS, max_size=CODONS).map(tuple)


def moment(*, stuck: bool = False) -> Moment:
    level = scenario("M----F", "XXXXXX").level
    return Moment(look_around(View(World(level))), stuck=stuck)


def test_an_action_holds_its_moves_and_then_succeeds() -> None:
    act, moves = Act("short jump right"), []
    while (now := moment()) and act.tick(now) is Outcome.RUNNING:
        moves.append(now.move)
    assert moves == ["right speed"] + ["right speed jump"] * 3
    assert now.move is None


def test_steps_fail_with_their_first_failure() -> None:
    steps = Steps([Check("stuck"), Act("walk left")])
    assert steps.tick(moment()) is Outcome.FAILURE
    assert steps.tick(moment(stuck=True)) is Outcome.RUNNING


def test_steps_under_way_go_on_without_asking_again() -> None:
    steps = Steps([Check("stuck"), Act("walk left")])
    assert steps.tick(moment(stuck=True)) is Outcome.RUNNING
    assert steps.tick(moment(stuck=False)) is Outcome.RUNNING


def test_a_selector_takes_the_first_part_that_does_not_fail() -> None:
    selector = Selector([Steps([Check("stuck"), Act("walk left")]), Act("walk right")])
    now = moment()
    selector.tick(now)
    assert now.move == "right"


def test_going_right_gives_way_to_what_is_more_urgent() -> None:
    selector = Selector([Steps([Check("stuck"), Act("walk left")]), GoRight()])
    moves = []
    for stuck in (False, True):
        now = moment(stuck=stuck)
        selector.tick(now)
        moves.append(now.move)
    assert moves == ["right speed", "left"]


def test_a_repeated_action_is_done_as_often_as_it_should() -> None:
    repeated, moves = Repeat(Act("stand"), 3), 0
    while repeated.tick(moment()) is Outcome.RUNNING:
        moves += 1
    assert moves == 6


def test_a_failure_ends_a_repetition_well_if_it_may() -> None:
    assert Repeat(Check("stuck"), 3, until_fails=True).tick(moment()) is Outcome.SUCCESS
    assert Repeat(Check("stuck"), 3).tick(moment()) is Outcome.FAILURE


def test_going_right_always_holds_something() -> None:
    now = moment()
    assert GoRight().tick(now) is Outcome.SUCCESS
    assert now.move == "right speed"


@given(GENOMES)
def test_every_genome_makes_a_tree_that_acts(genome: tuple[int, ...]) -> None:
    tree = build_tree(genome)
    for _ in range(30):
        now = moment()
        tree.tick(now)
        assert now.move is not None


def test_an_episode_does_not_depend_on_the_one_before() -> None:
    player = BehaviourTree()
    play(player, sprint(9))
    assert play(player, sprint(5)) == play(BehaviourTree(), sprint(5))


def test_the_shipped_tree_wins_an_easy_level() -> None:
    played = play(BehaviourTree(), scenario("M" + "-" * 38 + "F", "X" * 20 + "---" + "X" * 17))
    assert played.result.status == Status.WIN


def trials(search: TreeEvolution) -> list[Trial[tuple[int, ...]]]:
    """Score genomes by how large their numbers are."""
    return [Trial(genome, float(sum(genome))) for genome in search.ask()]


def test_evolution_climbs_and_goes_on_from_a_state() -> None:
    settings = BehaviourTreeSettings(candidates=20, elite=2)
    search, other = TreeEvolution(None, 3, settings), TreeEvolution(None, 3, settings)
    first = max(trial.score for trial in trials(search))
    for _ in range(5):
        search.tell(trials(search))
    other.restore(search.state())
    for each in (search, other):
        for _ in range(10):
            each.tell(trials(each))
    assert search.champion() == other.champion()
    assert sum(search.champion()) > first


@pytest.mark.parametrize(
    "genome",
    [np.zeros(5, np.uint8), np.zeros(CODONS), np.full(CODONS, -1), np.full(CODONS, 256)],
    ids=["short", "fractions", "negative", "too large"],
)
def test_what_is_no_genome_is_refused(genome: np.ndarray) -> None:
    with pytest.raises(AgentError, match="genome"):
        BehaviourTree.from_checkpoint({"genome": genome})


def test_an_elite_of_all_is_refused() -> None:
    with pytest.raises(OptionError, match="cannot live on"):
        TreeEvolution(None, 0, BehaviourTreeSettings(candidates=5, elite=5))
