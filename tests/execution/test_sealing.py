"""Plans of sealed seasons hold no seed, and open with the secret alone."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ludus.benchmarks import benchmarks, find_benchmark
from ludus.errors import OptionError, RunError
from ludus.execution.plan import Plan, make_plan, make_season_plan
from ludus.execution.sealing import SeasonMark, SeasonTerms, check_season_name, read_secret

SECRET = bytes(range(32))
TERMS = SeasonTerms("2026-autumn", "mario-arena/1-1", 1, 3)


def test_a_plan_without_a_season_says_nothing_of_seasons() -> None:
    plan = make_plan("mario-arena/1-1", ["idle"], episodes=2)
    assert "season" not in json.loads(plan.to_json())
    assert not plan.sealed
    assert Plan.from_json(plan.to_json()) == plan


def test_the_text_of_a_sealed_plan_tells_neither_secret_nor_seeds() -> None:
    plan = make_season_plan(TERMS, SECRET, ["idle"])
    text = plan.to_json()
    seeds = [scenario["seed"] for scenario in plan.scenarios]
    assert len(set(seeds)) == 3
    assert min(seeds) > 2**40
    for hidden in (SECRET.hex(), str(TERMS.derive_seed(SECRET)), *map(str, seeds)):
        assert hidden not in text
    assert json.loads(text)["season"] == {"name": TERMS.name, "commitment": TERMS.commit(SECRET)}
    assert json.loads(text)["seed"] == 0


def test_a_sealed_plan_opens_with_its_secret_alone() -> None:
    plan = make_season_plan(TERMS, SECRET, ["idle"])
    sealed = Plan.from_json(plan.to_json())
    assert sealed.sealed
    assert not plan.sealed
    assert sealed.identity == plan.identity
    assert sealed.open(SECRET).scenarios == plan.scenarios
    with pytest.raises(RunError, match="not the secret of season '2026-autumn'"):
        sealed.open(bytes(32))
    with pytest.raises(RunError, match="sealed until season '2026-autumn' is revealed"):
        sealed.check_rules()


def test_the_referee_gets_the_scenarios() -> None:
    plan = make_season_plan(TERMS, SECRET, ["idle"])
    assert Plan.from_json(plan.to_json(opened=True)).scenarios == plan.scenarios


def test_a_sealed_plan_does_not_refer_to_scenarios_of_a_public_seed() -> None:
    values = json.loads(make_plan("mario-arena/1-1", ["idle"]).to_json())
    values["season"] = {"name": "2026-autumn", "commitment": "0" * 64}
    assert isinstance(values["scenarios"], dict)
    with pytest.raises(RunError, match="holds its scenarios, or their names"):
        Plan.from_json(json.dumps(values))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "2026-winter"},
        {"benchmark": "mario-arena/1-2"},
        {"version": 2},
        {"episodes": 4},
        {"options": {"mode": "style"}},
    ],
)
def test_the_commitment_covers_every_term(change: dict[str, object]) -> None:
    assert replace(TERMS, **change).commit(SECRET) != TERMS.commit(SECRET)  # type: ignore[arg-type]


def test_seasons_of_other_names_play_other_scenarios() -> None:
    other = replace(TERMS, name="2027-spring")
    plans = [make_season_plan(terms, SECRET, ["idle"]) for terms in (TERMS, other)]
    assert plans[0].scenarios != plans[1].scenarios
    assert plans[0].identity != plans[1].identity


@pytest.mark.parametrize("id_", [id_ for id_ in benchmarks() if "/bundled" not in id_])
def test_no_benchmark_has_sealed_seeds_that_can_be_tried_out(id_: str) -> None:
    benchmark = find_benchmark(id_)
    seed = SeasonTerms("1", id_, benchmark.version, 4).derive_seed(SECRET)
    seeds = [scenario["seed"] for scenario in benchmark.make_scenarios(seed, 4)]
    assert len(set(seeds)) == 4
    assert max(seeds) > 2**56


@pytest.mark.parametrize("id_", ["platformer/bundled", "mario-arena/1-1", "worm/foraging-small"])
def test_sealed_scenarios_are_such_as_games_take(id_: str) -> None:
    agent = "gradient" if id_.startswith("worm") else "idle"
    plan = make_season_plan(SeasonTerms("1", id_, 1, 12), SECRET, [agent])
    seeds = [scenario["seed"] for scenario in plan.scenarios]
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert max(seeds) > 2**50
    game = plan.check_rules()
    assert [game.parse_scenario(one).seed for one in plan.scenarios] == seeds
    assert Plan.from_json(plan.to_json()).open(SECRET).scenarios == plan.scenarios


@pytest.mark.parametrize("name", ["", "A", "a b", "../a", "a--b", "-a", "a" * 41, 3, None, "a\n"])
def test_a_season_has_a_plain_name(name: object) -> None:
    with pytest.raises(OptionError, match="cannot name a season"):
        check_season_name(name)


@pytest.mark.parametrize("text", ["", "00", "0" * 63, "g" * 64, "0" * 64 + "\n", 7, None])
def test_a_secret_has_64_digits(text: object) -> None:
    with pytest.raises(OptionError, match="64 hexadecimal digits"):
        read_secret(text)


@pytest.mark.parametrize(
    "values", [None, {}, {"name": "a"}, {"name": "a", "commitment": "0"}, {"name": "a", "x": 1}]
)
def test_a_mark_has_a_name_and_a_commitment(values: object) -> None:
    with pytest.raises(OptionError):
        SeasonMark.from_dict(values)
