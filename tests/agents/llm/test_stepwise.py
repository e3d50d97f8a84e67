"""Language models in games of many small steps, from the endpoint to the stored run."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.agents.llm.server import Request, Say, Scripted, text_of
from tests.boards.making import Here

from ludus.agents import load
from ludus.agents.llm.prompt_sets import PromptSet
from ludus.api.prompts import preview_step
from ludus.boards import accept, board
from ludus.cli import main
from ludus.context import Budget, RunContext
from ludus.errors import AgentError, OptionError, Paused
from ludus.execution.inflight import Checkpoint, Inflight
from ludus.execution.restoring import restore_match, save_match
from ludus.games.game import find_game, scenario_for_agent
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import ReceptiveField, Task
from ludus.games.sticky_actions import StickyActions
from ludus.limits import Limits
from ludus.runs import ScoredEpisode, Store, export, import_run, resume, run, verify

ARENA, BUNDLED = "mario-arena/1-1", "platformer/bundled"
WORM = "worm/foraging-small"
RIGHT = json.dumps({"thought": "on", "moves": [{"action": "right+speed", "ticks": 16}]})


def play_one(
    benchmark: str, spec: str, store: Store | None = None, **options: Any
) -> ScoredEpisode:
    """Play one episode in this process and return it."""
    opened = store or Store("sqlite://")
    stored = run(benchmark, [spec], store=opened, executor=Here(), **{"episodes": 1, **options})
    return opened.episodes(stored.id)[0]


def question_of(request: Request) -> str:
    return text_of(request["messages"][1]["content"])


# ---- a play as it should be


@pytest.mark.parametrize(
    "benchmark",
    [ARENA, "mario-ai/gameplay-ludus", BUNDLED, WORM, "worm/crowd-foraging-small"],
)
def test_every_game_is_played_kept_and_verified(server: Scripted, benchmark: str) -> None:
    store = Store("sqlite://")
    played = play_one(benchmark, server.spec("price=1/2&hold=200"), store).episode
    assert (played.ending, played.reason) == ("finished", "")
    rows, usage = played.model_calls, played.usage
    assert len(rows) == len(server.requests) == usage.calls
    assert {row["status"] for row in rows} == {"parsed"}
    assert usage.failed_calls == 0
    assert usage.tokens == sum(row["tokens_in"] + row["tokens_out"] for row in rows)
    assert usage.usd == pytest.approx(sum(row["cost"] for row in rows))
    assert [row["step"] for row in rows] == sorted({row["step"] for row in rows})
    (stored,) = store.runs()
    asked = len(server.requests)
    assert verify(stored.id, store=store, workers=1).good
    assert len(server.requests) == asked  # nobody is asked for a proof


def test_answers_are_held_as_long_as_they_say(server: Scripted) -> None:
    moves = [{"action": "right", "ticks": 5}, {"action": "jump", "ticks": 3}]
    server.script = lambda *_: Say(json.dumps({"moves": moves}))
    played = play_one(BUNDLED, server.spec(), limits=Limits(steps=20)).episode
    assert played.record[:16] == bytes([2] * 5 + [16] * 3) * 2
    held = play_one(
        ARENA, server.spec(), limits=Limits(steps=6)
    ).episode  # a decision of the arena is four ticks
    assert held.record[:4] == bytes([2, 2] * 2)


def test_a_new_life_voids_what_was_planned(server: Scripted) -> None:
    server.script = lambda *_: Say('{"moves": [{"action": "right+speed", "ticks": 1000}]}')
    scenario = ArenaScenario("two", ("1-1", "1-2"), seed=1, terms=StickyActions(lives=3))
    match, agent = find_game("arena").begin(scenario), load(server.spec("hold=1000"), "platformer")
    agent.reset(scenario_for_agent(scenario))
    while not match.over:
        match.step(agent.act(match.observation))
    agent.close()  # type: ignore[attr-defined]
    assert match.facts()["deaths"] == 3
    fresh = [one for one in server.requests if "oldest first: none yet" in question_of(one)]
    assert len(fresh) == 3  # the first question of each life


def test_runs_leave_as_files_and_come_back_whole(server: Scripted, tmp_path: Path) -> None:
    store = Store("sqlite://")
    played = play_one(WORM, server.spec("hold=100"), store)
    (stored,) = store.runs()
    export(stored.id, store, tmp_path / "run.jsonl")
    export(stored.id, store, tmp_path / "run.csv", "csv")
    other = Store("sqlite://")
    again = import_run(tmp_path / "run.jsonl", other)
    assert other.episodes(again.id) == [played]
    assert "used.tokens" in (tmp_path / "run.csv").read_text().splitlines()[0]
    lines = (tmp_path / "run.jsonl").read_text().splitlines()
    forged = json.loads(lines[1])
    forged["model_calls"] = [{"kind": ["x"]}]
    (tmp_path / "forged.jsonl").write_text("\n".join([lines[0], json.dumps(forged)]))
    with pytest.raises(Exception, match=r"forged|call|line"):
        import_run(tmp_path / "forged.jsonl", Store("sqlite://"))


def test_boards_show_what_each_costs(server: Scripted, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store("sqlite://")
    stored = run(
        "platformer/daily",
        [server.spec("price=1/2&hold=50"), "forward-jumping"],
        store=store,
        executor=Here(),
    )
    accept(stored.id, store, by="a test")
    rows = board("platformer/daily", store).rows
    usage = {row.entry.agent: row.entry.summary.usage for row in rows}
    assert usage["scripted"].calls == len(server.requests)
    assert usage["scripted"].usd
    assert usage["forward-jumping"].calls is None


# ---- faults


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (Say("I would rather talk."), "unparsed"),
        (Say(""), "empty"),
        (Say('{"moves": [{"action": "fly", "ticks": 3}]}'), "illegal"),
        (Say('{"moves": [{"action": "right", "ticks": 3}, {"action": "fly"}]}'), "partial"),
        (Say("No.", refusal="I will not"), "refused"),
        (Say(status=403, error="flagged by moderation"), "refused"),
        (Say(status=500), "server_error"),
        (Say(body=b"<html>"), "unreadable"),
        (Say("x" * 50, finish="length"), "truncated"),
        (Say(status=400, error="no"), "rejected"),
    ],
)
def test_whatever_is_answered_the_play_goes_on(server: Scripted, said: Say, status: str) -> None:
    server.script = lambda *_: said
    played = play_one(WORM, server.spec("hold=100&retries=0")).episode
    assert played.ending == "finished"
    assert {row["status"] for row in played.model_calls} == {status}
    usable = status == "partial"
    assert played.usage.failed_calls == (0 if usable else len(played.model_calls))
    assert set(played.record) == {2 if usable else 3}  # else the worm stays


def test_without_a_server_nothing_is_pressed_and_every_call_failed() -> None:
    played = play_one(WORM, "llm:gone@http://127.0.0.1:9/v1?retries=0&hold=100").episode
    assert {row["status"] for row in played.model_calls} == {"unreachable"}
    assert set(played.record) == {3}  # stay
    assert played.usage.failed_calls == played.usage.calls
    assert played.usage.usd is None


@pytest.mark.parametrize("code", [401, 404])
def test_a_wrong_key_or_model_stops_the_run(server: Scripted, code: int) -> None:
    server.script = lambda *_: Say(status=code, error="no such model")
    with pytest.raises(Paused, match=r"'scripted' at http.*no such model"):
        play_one(WORM, server.spec())


def test_keys_are_nowhere(
    server: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-123456")
    monkeypatch.setenv("LUDUS_LLM_LOG", str(tmp_path / "calls.jsonl"))
    echo = '{"thought": "sk-secret-123456", "moves": [{"action": "sk-secret-123456"}]}'
    server.script = lambda *_: Say(echo, finish="sk-secret-123456")
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    play_one(WORM, server.spec("hold=250"), store)
    (stored,) = store.runs()
    export(stored.id, store, tmp_path / "run.jsonl")
    store.close()
    assert server.keys[0] == "Bearer sk-secret-123456"
    for file in tmp_path.iterdir():
        assert b"sk-secret" not in file.read_bytes(), file


# ---- budget and breaks


def test_tokens_are_estimated_where_nobody_counts_them(server: Scripted) -> None:
    server.script = lambda *_: Say(RIGHT, usage=False)
    context = RunContext(budget=Budget(3000, "tokens"))
    store = Store("sqlite://")
    with pytest.raises(Paused, match="budget of 3,000 tokens is spent"):
        play_one(ARENA, server.spec(), store, context=context)
    assert 2 < len(server.requests) < 8


def test_a_broken_off_play_goes_on_and_is_not_paid_twice(server: Scripted, tmp_path: Path) -> None:
    whole = play_one(WORM, server.spec("hold=20"), seed=3).episode
    in_all = len(server.requests)
    server.requests.clear()
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    small = RunContext(budget=Budget(1500, "tokens"))
    with pytest.raises(Paused):
        play_one(WORM, server.spec("hold=20"), store, seed=3, episodes=2, context=small)
    asked = len(server.requests)
    assert 0 < asked < in_all
    (stored,) = store.runs()
    assert stored.played == 0
    resume(stored.id, store=store, executor=Here())
    first, _ = (one.episode for one in store.episodes(stored.id))
    assert first.record == whole.record
    assert timeless(first.model_calls) == timeless(whole.model_calls)
    assert len(server.requests) == sum(
        one.episode.usage.calls or 0 for one in store.episodes(stored.id)
    )
    assert verify(stored.id, store=store, workers=1).good


def test_a_play_is_saved_after_calls_and_not_at_every_step(
    server: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[int] = []
    write = Inflight.write

    def count(self: Inflight, number: int, checkpoint: Checkpoint) -> None:
        saved.append(checkpoint.steps)
        write(self, number, checkpoint)

    monkeypatch.setattr(Inflight, "write", count)
    server.script = lambda *_: Say(RIGHT)
    played = play_one(ARENA, server.spec(), Store(f"sqlite:///{tmp_path / 'runs.db'}")).episode
    assert saved == [row["step"] + 1 for row in played.model_calls]
    assert len(saved) < played.steps / 3


def timeless(rows: Any) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


@pytest.mark.parametrize("state", [b"", b"[]", b'{"record": "?"}', b'{"record": "AAAA"}'])
def test_checkpoints_that_are_none_are_refused(state: bytes) -> None:
    game = find_game("worm")
    scenario = game.parse_scenario({"name": "d", "seed": 1, "task": "foraging-small@head"})
    with pytest.raises(OptionError, match="no checkpoint of worm"):
        restore_match(game, scenario, state)
    match = game.begin(scenario)
    match.step(1)
    restored = restore_match(game, scenario, save_match(match, {"steps": 1}))
    assert restored is not None
    assert (restored.match.facts(), restored.memory) == (match.facts(), {"steps": 1})


# ---- what a model is told


@pytest.mark.parametrize(
    ("benchmark", "settings"), [(ARENA, "hold=8&picture=yes"), (WORM, "hold=30")]
)
def test_previews_are_what_a_model_was_asked(
    server: Scripted, benchmark: str, settings: str
) -> None:
    store = Store("sqlite://")
    limits = Limits(steps=40)
    played = play_one(benchmark, server.spec(settings), store, limits=limits).episode
    (stored,) = store.runs()
    for row, request in list(zip(played.model_calls, server.requests, strict=True))[:6]:
        shown = preview_step(stored.id, 0, row["step"], store=store)
        assert shown.system == request["messages"][0]["content"]
        assert shown.text == question_of(request)
        if "picture" in settings:
            url = request["messages"][1]["content"][1]["image_url"]["url"]
            assert url == f"data:image/png;base64,{base64.b64encode(shown.picture).decode()}"
    with pytest.raises(OptionError, match=f"no step {played.steps + 1}"):
        preview_step(stored.id, 0, played.steps + 1, store=store)


def test_the_command_prints_a_prompt_of_anybodys_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    stored = run(ARENA, ["forward-jumping"], store=store, episodes=1, executor=Here())
    store.close()
    words = ["prompt", stored.id, "0", "12", "--store", str(tmp_path / "runs.db")]
    picture = tmp_path / "seen.png"
    assert main([*words, "--picture", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert "M Mario" in printed
    assert "tokens with the picture, before step 12" in printed
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert main([*words, "--json", "--hold", "4"]) == 0
    assert "at most 4 ticks" in json.loads(capsys.readouterr().out)["text"]
    assert main([*words, "--variant", "loud"]) == 2
    assert "no prompts 'loud'" in capsys.readouterr().err


def test_a_model_is_told_what_its_task_shows_and_no_more(server: Scripted) -> None:
    task = Task(kinds=("scene",), scene=ReceptiveField((9, 5), 2), forward_model=False)
    scenario = TaskScenario.from_options("-ld 1 -ls 4 -le g,gk", task)
    game = find_game("mario-ai")
    match, agent = game.begin(scenario), load(server.spec("hold=4"), "platformer")
    agent.reset(scenario.for_agent())
    server.script = lambda *_: Say('{"moves": [{"action": "right+up", "ticks": 9}]}')
    for _ in range(3):
        match.step(agent.act(match.observation))
    agent.close()  # type: ignore[attr-defined]
    text = question_of(server.requests[0])
    lines = text.partition("first:\n")[2].partition("\nSigns")[0].splitlines()
    assert {len(line) for line in lines} == {9}
    assert "\n(not shown)\n" in text
    assert "exit" not in text
    assert "cells from Mario: (not shown)" in text
    assert match.record()[:3] == bytes([2 | 32] * 3)  # the rules of 2010 have up


def test_prompts_of_ones_own(server: Scripted, tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text("Look: $senses\nDo one of $actions. $format")
    played = play_one(WORM, f"{server.spec('hold=250')}#{tmp_path}")
    assert played.episode.usage.failed_calls == 0
    assert question_of(server.requests[0]).startswith("Look: Smell of food: strength")
    (tmp_path / "moves.txt").write_text("$view $format")
    with pytest.raises(AgentError, match=r"unknown field \$view"):
        load(f"{server.spec()}#{tmp_path}", "worm")


# ---- who may play what


@pytest.mark.parametrize(
    ("benchmark", "settings", "message"),
    [
        ("mario-ai/gameplay-2010", "", "cannot answer within the 0.042 s"),
        ("nematode/foraging-small", "", "does not learn: play 'foraging-small' as worm/"),
        ("platformer/punctual", "", "cannot be counted in units"),
        (ARENA, "diary=no", "no setting 'diary'; there are"),
        (WORM, "picture=yes", "no setting 'picture'"),
        (ARENA, "hold=0", "hold: '0' is not a whole number from 1 to"),
        (ARENA, "picture=maybe", "picture: 'maybe' is not one of yes, no"),
    ],
)
def test_what_cannot_be_is_refused_before_anybody_is_asked(
    server: Scripted, benchmark: str, settings: str, message: str
) -> None:
    with pytest.raises(AgentError, match=message):
        play_one(benchmark, server.spec(settings))
    assert not server.requests


def test_guests_are_not_for_language_models(server: Scripted) -> None:
    with pytest.raises(AgentError, match="do not play guest: they play diplomacy, platformer"):
        load(server.spec(), "guest")


def test_models_have_more_time_than_others_unless_the_user_sets_it() -> None:
    assert Limits().episode_seconds(model=False) == 300
    assert Limits().episode_seconds(model=True) == 6 * 3600
    assert Limits(seconds=48 * 3600).episode_seconds(model=True) == 48 * 3600
    short = replace(Limits(), seconds=5, model_seconds=5)
    assert short.episode_seconds(model=True) == 5
    assert Limits.from_dict(short.to_dict()) == short
    assert "model_seconds" not in Limits().to_dict()


def test_fingerprints_know_settings_and_prompts(server: Scripted) -> None:
    def mark(settings: str) -> Any:
        return load(server.spec(settings), "platformer").fingerprint  # type: ignore[attr-defined]

    assert mark("") == mark("timeout=3") == mark("hold=16")
    assert len({mark(""), mark("hold=4"), mark("picture=yes"), mark("temperature=0")}) == 4
    assert PromptSet("a", {"x": "1"}, "").digest != PromptSet("a", {"x": "2"}, "").digest
