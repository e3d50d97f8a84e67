"""Questions to brains: who learns best, does the wiring matter, what do they remember?"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ludus.api.families import brain_memory
from ludus.api.families.brain_memory import ProbedBrain, parse_probe, probe_brains
from ludus.api.families.brain_ranking import rank_brains
from ludus.api.families.side_by_side import SideBySide
from ludus.api.families.wiring import CONTROLS, REAL, compare_pairs, compare_wiring
from ludus.cli import main
from ludus.errors import AgentError, OptionError
from ludus.games.worm.training import Declaration, Session


def sessions(*rates: float, episodes: int = 20) -> list[Session]:
    """Return trainings that fail at first, and then succeed in so large a share of episodes."""
    made = []
    for number, rate in enumerate(rates):
        wins = round(rate * episodes)
        flags = [False] * (episodes - wins) + [True] * wins
        made.append(
            Session(
                name=str(number),
                brain="one",
                successes=tuple(flags),
                steps=(10,) * episodes,
                foods=(1,) * episodes,
                efficiencies=(rate / 2,) * episodes,
                declaration=Declaration(parameters=7),
            )
        )
    return made


def pretend(monkeypatch: pytest.MonkeyPatch, **trained: list[Session]) -> None:
    def train(_: SideBySide, brains: Sequence[str]) -> dict[str, list[Session]]:
        return {name: trained[name.replace("-", "_")] for name in brains}

    monkeypatch.setattr(SideBySide, "train", train)


def test_brains_are_ranked_by_their_composite(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(
        monkeypatch,
        dqn=sessions(0.9, 0.85, 0.9),
        genetic=sessions(0.0, 0.1, 0.05),
    )
    result = rank_brains(["genetic", "dqn"], SideBySide(trainings=3, episodes=20))
    assert [one.brain for one in result.brains] == ["dqn", "genetic"]
    first = result.brains[0]
    assert first.score.values["success_rate"] == pytest.approx(0.8833, abs=1e-4)
    assert first.interval.low < first.interval.value < first.interval.high
    assert [row["group"] for row in result.to_dicts()] == ["a", "b"]
    text = str(result)
    assert "foraging-small+klinotaxis: 3 trainings of 20 episodes each, seed 0" in text
    assert "A short look, no board" in " ".join(text.split())
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert [row["brain"] for row in rows] == ["dqn", "genetic"]


def test_two_trainings_are_said_to_give_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, dqn=sessions(0.9, 0.8), genetic=sessions(0.0, 0.1))
    shown = str(rank_brains(["genetic", "dqn"], SideBySide(trainings=2, episodes=20)))
    assert "So few trainings give no interval." in shown
    assert "[ ]" not in shown


def test_a_difference_that_could_be_chance_is_no_difference() -> None:
    same = compare_pairs("connectome-rewired-ppo", "success", [(0.2, 0.3), (0.4, 0.3), (0.3, 0.31)])
    assert not same.is_clear
    assert "Not distinguishable" in same.describe()
    assert same.difference.value == pytest.approx(-0.01 / 3)
    # differences 0.2, 0.25, 0.3: mean 0.25, error 0.05/√3, t(2) = 4.303
    clear = compare_pairs("connectome-signs-ppo", "success", [(0.6, 0.4), (0.65, 0.4), (0.7, 0.4)])
    assert clear.difference.value == pytest.approx(0.25)
    assert clear.difference.margin == pytest.approx(4.3027 * 0.05 / 3**0.5, rel=1e-3)
    assert clear.describe() == (
        "Does which connections inhibit matter? It does: the connectome has more, "
        "+0.250 [+0.126, +0.374] over 3 pairs."
    )
    with pytest.raises(OptionError, match="2 trainings are too few to compare: give 3 or more"):
        compare_pairs("x", "success", [(0, 1), (1, 0)])


def test_equal_trainings_are_not_distinguishable() -> None:
    assert not compare_pairs("x", "success", [(0.5, 0.5)] * 4).is_clear


def test_the_connectome_is_compared_with_each_control(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    better, worse = sessions(0.8, 0.9, 0.85, 0.8), sessions(0.3, 0.35, 0.4, 0.3)
    pretend(
        monkeypatch,
        connectome_ppo=better,
        connectome_rewired_ppo=worse,
        connectome_signs_ppo=sessions(0.8, 0.9, 0.8, 0.85),
    )
    result = compare_wiring(plan=SideBySide(trainings=4, episodes=20))
    first, second = result.verdicts
    assert first.startswith("Does the wiring matter? It does: the connectome has more")
    assert second.startswith("Does which connections inhibit matter? Not distinguishable")
    assert len(result.to_dicts()) == len(CONTROLS) * 4 * 4
    assert max(map(len, str(result).splitlines()[:12])) <= 80
    assert isinstance(result.plot(tmp_path / "wiring.png"), Path)
    (only,) = compare_wiring(["connectome-signs-ppo"], SideBySide(trainings=4)).verdicts
    assert only == second
    with pytest.raises(OptionError, match="2 trainings are too few"):
        compare_wiring(plan=SideBySide(trainings=2))
    with pytest.raises(OptionError, match="no control 'mlp-ppo'; there are connectome-rewired"):
        compare_wiring(["mlp-ppo"])
    assert REAL not in CONTROLS


def test_brains_train_in_the_same_worlds(tmp_path: Path) -> None:
    seen: list[Any] = []
    names = ["circuit-frozen", "genetic"]
    plan = SideBySide(
        task="foraging-small",
        trainings=1,
        episodes=1,
        out=tmp_path,
        workers=0,
        on_progress=seen.append,
    )
    done = plan.train(names)
    assert list(done) == names
    assert {session.first_seed for mine in done.values() for session in mine} == {327_208_263}
    assert {now.total for now in seen} == {2}
    again = plan.train(names)
    assert [mine[0].actions for mine in again.values()] == [
        mine[0].actions for mine in done.values()
    ]
    with pytest.raises(OptionError, match="'genetic' is named twice"):
        plan.train(["genetic", "genetic"])
    with pytest.raises(AgentError, match="no brain 'jelly'"):
        rank_brains(["jelly"], plan)


def test_what_is_remembered_is_told_from_a_guess() -> None:
    sure = ProbedBrain("gru-ppo", "bit", 8, (100, 98), 100)
    guess = ProbedBrain("mlp-ppo", "bit", 8, (52, 49), 100)
    assert (sure.verdict, guess.verdict) == ("remembers", "chance")
    assert sure.rate.method == "wilson"
    assert sure.rate.n == 200
    result = brain_memory.MemoryResult("Memory", [sure, guess])
    assert [row["verdict"] for row in result.to_dicts()] == ["remembers", "chance"]
    assert max(map(len, str(result).splitlines())) <= 80


def test_one_training_is_one_training() -> None:
    assert probe_brains(["mlp-ppo"], probes=["bit:2"], trainings=1, updates=1, trials=2).title == (
        "Memory: 1 training of 1 updates each, seed 0"
    )


def test_probes_are_named_with_their_delay() -> None:
    assert parse_probe("bit:12") == ("bit", 12)
    for wrong in ("bit", "bit:", "bit:x", "bit:-1"):
        with pytest.raises(OptionError, match="is no probe with its delay: try bit:8"):
            parse_probe(wrong)
    with pytest.raises(OptionError, match="no memory probe 'word'"):
        probe_brains(probes=["word:3"])
    with pytest.raises(OptionError, match="0 updates are too few"):
        probe_brains(updates=0)


def test_wrong_options_are_refused_before_any_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    for command in ("rank", "wiring"):
        for words, reason in (
            (["--workers", "0"], "0 workers are too few"),
            (["--sensing", "nose"], "no sensing 'nose'; there are oracle"),
            (["--out", str(file)], "is a file; name a directory"),
            (["nematode/nowhere"], "no task 'nowhere+klinotaxis'"),
        ):
            assert main(["nematode", command, "--out", str(tmp_path / "o"), *words]) == 2
            assert reason in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_a_study_on_the_command_line_writes_its_table_and_its_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend(monkeypatch, dqn=sessions(0.9, 0.8, 0.9), genetic=sessions(0.0, 0.1, 0.05))
    words = ["--brain", "dqn", "--brain", "genetic", "--trainings", "3", "--episodes", "20"]
    task = ["foraging-small", "--sensing", "oracle", "--seed", "4"]
    assert main(["nematode", "rank", *task, *words, "--out", str(tmp_path)]) == 0
    assert "foraging-small: 3 trainings of 20 episodes each, seed 4" in capsys.readouterr().out
    assert {file.suffix for file in tmp_path.iterdir()} == {".csv", ".png", ".pdf", ".svg"}
