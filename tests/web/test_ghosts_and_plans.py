"""What agents of Ludus add to pages: plans over a replay, ghosts on any level, films."""

from __future__ import annotations

import base64
import json

import pytest
from fastapi.testclient import TestClient
from tests.boards.making import Here
from tests.web.conftest import DAY, Played, settings

from ludus.agents import load
from ludus.api import agent_plans
from ludus.api.agent_plans import explain_no_plans, find_plans
from ludus.api.ghosts import play_ghost
from ludus.api.level_sources import find_level_source
from ludus.cli.serve import Mode, find_play_page
from ludus.contract import Plans
from ludus.errors import AgentError, OptionError
from ludus.games.platformer import Level, replay
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.scenario import Scenario
from ludus.runs import Store, run
from ludus.web import films
from ludus.web.app import create_app


@pytest.fixture(scope="module")
def planned(played: Played) -> str:
    """The run of an agent that plans."""
    return run("platformer/bundled", ["astar"], store=played.store, episodes=1, executor=Here()).id


def test_plans_begin_with_what_was_played(played: Played, planned: str) -> None:
    record = played.store.episodes(planned, [0])[0].episode.record
    found = find_plans(planned, 0, played.store)
    assert (found.agent, found.reason) == ("astar", "")
    assert found.plans[0].tick == 0
    for plan, following in zip(found.plans, found.plans[1:], strict=False):
        length = following.tick - plan.tick
        assert plan.actions[:length] == record[plan.tick : following.tick]


def test_a_page_gets_plans_and_nobody_elses(
    client: TestClient, played: Played, planned: str
) -> None:
    values = client.get(f"/api/v1/runs/{planned}/episodes/0/plan.json").json()
    assert values["plans"][0]["tick"] == 0
    assert base64.b64decode(values["plans"][0]["actions"])
    page = client.get(f"/runs/{planned}/episodes/0/").text
    assert f'data-plan="../../../../api/v1/runs/{planned}/episodes/0/plan.json"' in page
    other = client.get(f"/api/v1/runs/{played.bundled}/episodes/0/plan.json")
    assert other.status_code == 422
    assert "has no plans to show" in other.json()["detail"]


def test_code_of_others_is_never_asked(played: Played) -> None:
    for spec in ("astar", "astar#plain", "best-first", "mcts", "realm"):
        assert not explain_no_plans(spec, "platformer")
        assert not explain_no_plans(spec, "mario-ai")
    for spec in ("./astar.py:AStar", "file.py:Agent"):
        assert explain_no_plans(spec, "platformer") == "code of others is not run here"
    assert "it makes none" in explain_no_plans("random", "platformer")
    assert "nonsense" in explain_no_plans("astar#nonsense", "platformer")
    assert "one tick of one level" in explain_no_plans("astar", "arena")
    with pytest.raises(AgentError, match="no plans"):
        find_plans(played.bundled, 0, played.store)


def test_an_agent_that_has_changed_shows_what_still_holds(played: Played, planned: str) -> None:
    episode = played.store.episodes(planned, [0])[0].episode
    changed = episode.record[:5] + bytes([1]) + episode.record[6:]
    scenario = played.store.run(planned).plan.scenarios[0]
    found = agent_plans._ask_again("platformer", "astar", json.dumps(dict(scenario)), changed)
    assert "decides otherwise at tick 5" in found.reason
    assert all(plan.tick <= 5 for plan in found.plans)


@pytest.mark.parametrize("rules", ["framework", "2009"])
@pytest.mark.parametrize("spec", ["astar", "best-first", "mcts", "realm"])
def test_the_plan_is_what_is_played_next(spec: str, rules: str) -> None:
    level = Level.parse("M" + "-" * 28 + "F\n" + "X" * 30).for_rules(rules)
    scenario = Scenario("short", level, time_limit=20)
    agent, match = load(spec), PlatformerGame().begin(scenario)
    agent.reset(scenario)
    assert isinstance(agent, Plans)
    followed = 0
    for _ in range(5):
        match.step(agent.act(match.observation))
        meant = list(agent.plan)
        if len(meant) > 1:
            assert agent.act(match.observation) == meant[0]
            followed += 1
            match.step(meant[0])
    assert followed > 2


def test_a_ghost_comes_to_its_digest(client: TestClient) -> None:
    answer = client.get(
        "/api/v1/ghosts/forward-jumping.json", params={"source": "level=sprint-01", "mode": 2}
    ).json()
    source = play_ghost("level=sprint-01", "forward-jumping", 2)
    actions = base64.b64decode(answer["actions"])
    assert actions == source.actions
    scenario = find_level_source("level=sprint-01").scenario
    world = replay(scenario.level, actions, 2, scenario.time_limit)
    assert f"{world.hash():016x}" == answer["digest"]


@pytest.mark.parametrize(
    ("agent", "source", "status"),
    [
        ("agent.py:Agent", "level=1-1", 422),
        ("mcts", "level=1-1", 422),
        ("astar", "level=../../etc/passwd", 422),
        ("astar", "day=2999-01-01", 422),
        ("astar", "generator=ludus&length=100000", 422),
    ],
)
def test_what_is_no_ghost_is_refused(
    client: TestClient, agent: str, source: str, status: int
) -> None:
    answer = client.get(f"/api/v1/ghosts/{agent}.json", params={"source": source})
    assert answer.status_code == status
    assert answer.json()["detail"]


def test_a_film_can_be_taken_home(
    client: TestClient, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/runs/{played.bundled}/episodes/1/film.gif"
    assert path.rpartition("/")[2] in client.get(f"/runs/{played.bundled}/episodes/1/").text
    answer = client.get(path)
    assert answer.content[:6] == b"GIF89a"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert client.get(path.replace("gif", "exe")).status_code == 404
    monkeypatch.setattr(films, "LONGEST_FILM", 3)
    answer = client.get(f"/runs/{played.worm}/episodes/0/film.gif")
    assert answer.status_code == 422
    assert "too long to be made here: ludus replay" in answer.text


def test_one_client_cannot_ask_for_films_without_end(played: Played) -> None:
    with TestClient(create_app(played.store, settings())) as client:
        path = f"/runs/{played.worm}/episodes/99/film.gif"
        statuses = {client.get(path).status_code for _ in range(25)}
    assert statuses == {404, 429}


def test_a_published_folder_asks_for_nothing(played: Played, planned: str) -> None:
    with TestClient(create_app(played.store, settings(live=False))) as client:
        page = client.get(f"/runs/{planned}/episodes/0/").text
        assert 'data-plan=""' in page
        assert "film." not in page
        assert 'data-ghosts=""' in client.get(f"/play/days/{DAY}/").text


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ([], "play/"),
        (["1-1"], "play/?level=1-1"),
        (["notch-2009", "--seed", "7"], "play/?generator=notch-2009&seed=7"),
    ],
)
def test_ludus_play_finds_the_page(words: list[str], page: str) -> None:
    assert find_play_page(words, None, None) == page
    assert find_play_page(words, Mode.FIRE, "astar") == f"{page}#mode=2&against=astar"


@pytest.mark.parametrize(
    ("words", "against", "message"),
    [
        (["9-9"], None, "no level '9-9'"),
        (["1-1", "1-2"], None, "'1-2' is one word too many"),
        (["--seed", "7"], None, "needs a generator"),
        (["ludus", "--colour", "red"], None, "colour"),
        (["1-1"], "file.py:Agent", "no rival"),
    ],
)
def test_ludus_play_refuses_before_it_serves(
    words: list[str], against: str | None, message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        find_play_page(words, None, against)


def test_a_store_is_not_needed_for_a_ghost() -> None:
    with TestClient(create_app(Store("sqlite://"), settings())) as client:
        answer = client.get("/api/v1/ghosts/rule-based.json", params={"source": f"day={DAY}"})
    assert answer.json()["agent"] == "rule-based"
