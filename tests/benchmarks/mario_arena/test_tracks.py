from __future__ import annotations

from pathlib import Path

import pytest
from tests.boards.making import Here
from tests.games.guest.corridors import RIGHT

from ludus.benchmarks import Benchmark, benchmarks, find_benchmark
from ludus.benchmarks.mario_arena.tracks import BENCHMARKS, FULL_GAME, TRACKS, score
from ludus.errors import OptionError
from ludus.games.game import find_game
from ludus.games.platformer.levels.campaign import STAGES, campaign_proof
from ludus.runs import Store, make_plan, run, summarise, verify
from ludus.runs.proof import Proof
from ludus.testing import check_agent, check_benchmark

CORRIDORS = "tests.games.guest.corridors"
LEVEL = find_benchmark("mario-arena/1-2")


def test_there_is_a_track_for_every_level_and_one_for_all() -> None:
    assert [one.id for one in BENCHMARKS] == [
        *(f"mario-arena/{stage}" for stage in STAGES),
        "mario-arena/full-game",
        "mario-arena/all",
        "mario-arena/unseen",
    ]
    assert all(benchmarks()[one.id] is one for one in BENCHMARKS)
    for one in TRACKS:
        assert one.episodes == 10
        assert one.aggregate_name == "best of 10"


@pytest.mark.parametrize("benchmark", [LEVEL, FULL_GAME], ids=lambda one: one.id)
def test_tracks_keep_their_promises(benchmark: Benchmark) -> None:
    check_benchmark(benchmark, agent="forward-jumping")
    check_agent("random", benchmark, episodes=2)


def test_episodes_have_seeds_of_their_own_that_stay() -> None:
    made = LEVEL.make_scenarios(0, 10)
    seeds = [one["seed"] for one in made]
    assert len({*seeds, *(one["seed"] for one in LEVEL.make_scenarios(1, 10))}) == 20
    assert LEVEL.make_scenarios(0, 3) == made[:3]
    assert seeds[:2] == [8779198335052329, 6671809914925767]
    other = find_benchmark("mario-arena/1-3").make_scenarios(0, 1)[0]["seed"]
    assert other not in seeds


def test_the_protocol_is_in_the_scenario() -> None:
    level, game = LEVEL.make_scenarios(0, 1)[0], FULL_GAME.make_scenarios(0, 1)[0]
    assert level["terms"] == {
        "frame_skip": 4, "sticky": 0.25, "no_ops": 30, "step_cap": 5_000, "lives": 1,
    }  # fmt: skip
    assert game["terms"] == {**level["terms"], "step_cap": 100_000, "lives": 3}
    assert (level["policy"], level["scoring"]) == ("sample", "standard")
    assert level["stages"] == ["1-2"]
    assert game["stages"] == list(STAGES)


def test_options_reach_the_scenario() -> None:
    made = LEVEL.make_scenarios(0, 1, {"mode": "speedrun", "policy": "argmax"})[0]
    assert (made["scoring"], made["policy"]) == ("speedrun", "argmax")
    plain = LEVEL.make_scenarios(0, 1)[0]
    assert {**made, "scoring": "standard", "policy": "sample"} == plain


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "fun"}, "no mode 'fun'; there are standard, speedrun"),
        ({"policy": "luck"}, "no policy 'luck'; there are sample, argmax"),
        ({"env": "nothing"}, "is not of the form"),
        ({"env": f"{CORRIDORS}:Old", "mode": "style"}, "no guest tells them"),
    ],
)
def test_options_that_are_none(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        LEVEL.make_scenarios(0, 1, options)


def test_a_guest_is_tried_before_it_is_planned() -> None:
    with pytest.raises(OptionError, match="begins at level 1-1, not at 1-2"):
        make_plan(LEVEL.id, ["random"], episodes=1, options={"env": f"{CORRIDORS}:Old"})


def test_a_proof_is_worth_more_than_a_million() -> None:
    arena = find_game("arena")
    plain = dict(find_benchmark("mario-arena/1-1").make_scenarios(0, 1)[0])
    plain["terms"] = {**plain["terms"], "sticky": 0.0, "no_ops": 0, "frame_skip": 1}
    facts = arena.replay(arena.parse_scenario(plain), campaign_proof("1-1"))
    made = score(facts)
    assert made.parts["completion"] == 1_000_000
    assert made.parts["progress"] == 13_256
    assert made.parts["time"] == 1_910
    assert made.total == sum(made.parts.values())


def test_the_best_episode_is_the_headline(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "runs.db"))
    agents = ["forward-jumping", "idle"]
    played = run("mario-arena/1-2", agents, store=store, episodes=4, executor=Here())
    scored = store.episodes(played.id)
    best, last = summarise(LEVEL, played.plan, scored)
    own = [one for one in scored if one.episode.agent == 0]
    assert (best.agent, last.agent) == ("forward-jumping", "idle")
    assert best.headline.value == max(one.score.total for one in own)
    wins, mean, steps = best.ties
    assert wins == sum(int(one.episode.facts["completed"] or 0) for one in own) / 4
    assert mean == pytest.approx(sum(one.score.total for one in own) / 4)
    assert steps == sum(one.episode.steps for one in own) / 4
    assert verify(played.id, store=store).good
    store.close()


# ---- guests


def test_guests_are_played_by_their_own_agents_on_boards_of_their_own() -> None:
    ours = make_plan("mario-arena/1-1", ["random"])
    theirs = make_plan("mario-arena/1-1", ["random"], options={"env": f"{CORRIDORS}:Old"})
    assert (ours.game, theirs.game) == ("arena", "guest")
    assert ours.agents != theirs.agents
    assert theirs.options == {"env": f"{CORRIDORS}:Old"}
    assert theirs.scenarios[0]["env"] == f"{CORRIDORS}:Old"
    assert theirs.scenarios[0]["seed"] == ours.scenarios[0]["seed"]


@pytest.mark.parametrize(("name", "honest"), [("Old", True), ("Modern", True), ("Fickle", False)])
def test_runs_of_guests_can_be_verified_if_they_stand_still(
    name: str, honest: bool, tmp_path: Path
) -> None:
    agent = tmp_path / "runner.py"
    agent.write_text(
        "class Runner:\n"
        "    name = 'runner'\n"
        "    def reset(self, scenario): pass\n"
        f"    def act(self, observation): return {RIGHT}\n"
    )
    store = Store(str(tmp_path / "runs.db"))
    played = run(
        "mario-arena/1-1",
        [f"{agent}:Runner"],
        store=store,
        episodes=2,
        options={"env": f"{CORRIDORS}:{name}"},
        executor=Here(),
    )
    found = verify(played.id, store=store)
    assert found.proof == (Proof.REPLAYED if honest else Proof.CLAIMED)
    assert any("is not deterministic" in note for note in found.notes) is not honest
    store.close()
