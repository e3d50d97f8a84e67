from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest
from tests.boards.making import hero
from tests.cli.conftest import Ludus, refused

from ludus.benchmarks import benchmarks
from ludus.runs import ScoredEpisode, Store

SMALL = "test/small"


def test_a_run_prints_its_standings_and_its_id(ludus: Ludus) -> None:
    said = ludus("run", SMALL, "idle", "forward-jumping")
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0].strip() == "test/small@1, seed 0, 6 episodes each"
    assert lines[1].split() == ["#", "agent", "score", "group", "ticks", "ms/step"]
    assert [line.split()[1] for line in lines[3:5]] == ["forward-jumping", "idle"]
    assert "95 % interval" in said.words
    id_ = Store().runs()[0].id
    assert lines[-1].startswith("12 episodes in ")
    assert lines[-1].endswith(f"Kept as run {id_}.")


def test_a_run_as_json(ludus: Ludus) -> None:
    said = ludus("run", SMALL, "idle", "random", "--seed", "3", "--episodes", "2", "--json").json
    assert (said["benchmark"], said["version"], said["seed"]) == (SMALL, 1, 3)
    assert (said["planned"], said["played"]) == (4, 4)
    assert [line["rank"] for line in said["standings"]] == [1, 2]
    assert said["standings"][0]["headline"]["n"] == 2
    assert said["accepted"] == []


def test_one_episode_has_nearly_all_scores_in_its_interval(ludus: Ludus) -> None:
    (line,) = ludus("run", SMALL, "idle", "--episodes", "1", "--json").json["standings"]
    assert line["interval"] == [line["headline"]["low"], line["headline"]["high"]]
    assert line["interval"][0] < line["headline"]["value"] < 900 < line["interval"][1]
    assert line["interval_method"] == "gaffke"


def test_one_episode_has_no_interval_without_bounds(
    ludus: Ludus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(benchmarks(), SMALL, replace(benchmarks()[SMALL], bounds=None))
    (line,) = ludus("run", SMALL, "idle", "--episodes", "1", "--json").json["standings"]
    assert (line["interval"], line["interval_remark"]) == (None, "one episode")
    assert "24.0 (one episode)" in ludus("run", SMALL, "idle", "--episodes", "1").out
    assert "24.0 (all 3 equal)" in ludus("run", SMALL, "idle", "--episodes", "3").out


def test_real_processes_play_the_same(ludus: Ludus, capsys: pytest.CaptureFixture[str]) -> None:
    here = ludus("run", SMALL, "random", "--json").json
    command = [sys.executable, "-m", "tests.cli.process", "run", SMALL, "random", "--json"]
    there = subprocess.run(
        [*command, "--workers", "2"],
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
        text=True,
    )
    assert there.stderr == ""
    assert f'"identity": "{here["identity"]}"' in there.stdout


def test_a_run_can_be_accepted_at_once(ludus: Ludus) -> None:
    said = ludus("run", SMALL, "idle", "--accept")
    assert "idle is on the board." in said.out
    again = ludus("run", SMALL, "idle", "--accept", "--json").json
    assert again["accepted"][0]["outcome"] == "not better"


def test_what_cannot_be_accepted_is_not_even_played(ludus: Ludus) -> None:
    said = ludus("run", SMALL, "idle", "--accept", "--episodes", "2", code=2)
    assert "takes 6 episodes an agent, not 2: leave --episodes out" in refused(said)
    assert Store().runs() == []


def test_better_and_worse_are_told(ludus: Ludus, tmp_path: Path) -> None:
    ludus("run", SMALL, hero(tmp_path, "still"), "--accept")
    said = ludus("run", SMALL, hero(tmp_path, "fast"), "--accept")
    assert "hero is on the board; its older entry is superseded." in said.out
    said = ludus("run", SMALL, hero(tmp_path, "still"), "--accept")
    assert "hero stays on the board with run" in said.out


def test_faults_are_told(ludus: Ludus, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "class Agent:\n    name = 'bad'\n    def reset(self, s): pass\n"
        "    def act(self, view): return 1 // (5 - view.tick)\n"
    )
    said = ludus("run", SMALL, "bad.py:Agent", code=1)
    assert "bad: crashed in 6 episodes: 0, 1, 2, 3, 4, …: ZeroDivisionError" in said.out


def test_a_race_takes_two(ludus: Ludus) -> None:
    said = ludus("race", SMALL, "idle", "random")
    assert said.err == ""
    assert "12 episodes in" in said.out
    assert "'idle' has nobody to race" in refused(ludus("race", SMALL, "idle", code=2))


def test_a_run_is_resumed(ludus: Ludus) -> None:
    id_ = ludus("run", SMALL, "idle", "--json").json["run"]
    with Store().transaction() as connection:
        connection.exec_driver_sql("DELETE FROM episodes WHERE number > 1")
    assert "2 of 6 episodes are played: ludus resume" in ludus("show", id_).out
    said = ludus("resume", id_)
    assert said.out.splitlines()[-1].startswith("4 episodes in")
    assert ludus("resume", id_[:4]).out.splitlines()[-1].startswith("0 episodes in")
    assert ludus("resume", id_, "--json").json["played"] == 6


def test_an_agent_that_has_changed_is_not_resumed(ludus: Ludus, tmp_path: Path) -> None:
    spec = hero(tmp_path, "still")
    id_ = ludus("run", SMALL, spec, "--json").json["run"]
    with Store().transaction() as connection:
        connection.exec_driver_sql("DELETE FROM episodes WHERE number = 0")
    file = Path(spec.rpartition(":")[0])
    file.write_text(file.read_text() + "# better\n")
    assert "agent 'hero' has changed since" in refused(ludus("resume", id_, code=2))
    assert ludus("show", id_, "--json").json["played"] == 5


def interrupt_after(episodes: int, store: Store) -> None:
    """Press Ctrl-C once this many episodes of the only run are stored."""
    while not any(run.played >= episodes for run in store.runs()):
        sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_keeps_what_was_played(
    ludus: Ludus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tired.py").write_text(
        "import time\nclass Agent:\n    name = 'tired'\n    count = 0\n"
        "    def reset(self, s):\n        self.count += 1\n"
        "        if self.count > 3: time.sleep(60)\n"
        "    def act(self, view): return 2\n"
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever ran before in this process
    interrupting = threading.Thread(target=interrupt_after, args=(3, Store()))
    interrupting.start()
    said = ludus("run", SMALL, "tired.py:Agent", "--workers", "1", code=130)
    interrupting.join()
    (kept,) = Store().runs()
    assert said.err == f"stopped; 3 of 6 episodes are kept: ludus resume {kept.id}\n"
    assert said.out == ""


def on_a_terminal(folder: Path, *words: str) -> str:
    """Run a command on a terminal of 80 columns and return all it shows."""
    leader, follower = pty.openpty()
    environment = {
        **os.environ,
        "LUDUS_STORE": str(folder / "terminal.db"),
        "COLUMNS": "80",
        "TERM": "xterm",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.cli.process", *words],
        cwd=Path(__file__).parents[2],
        stdout=follower,
        stderr=follower,
        env=environment,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    assert process.wait() == 0
    os.close(leader)
    return shown.decode()


def test_a_terminal_sees_bar_rate_time_left_and_leader(tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, "run", SMALL, "rule-based", "--episodes", "20")
    assert "leader:" in shown
    assert "rule-based" in shown
    assert "/20" in shown
    assert "/s" in shown


def test_a_race_on_a_terminal_shows_the_standings_meanwhile(tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, "race", SMALL, "rule-based", "idle", "--episodes", "20")
    assert shown.count("rule-based") > 3
    assert shown.count("ms/step") > 1


def heeds_interrupts() -> None:
    """Undo what a shell does to commands in the background: they ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_is_one_line_and_the_run_goes_on_later(ludus: Ludus, tmp_path: Path) -> None:
    url = str(tmp_path / "stopped.db")
    words = ["run", SMALL, "rule-based", "--episodes", "20000", "--store", url]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.cli.process", *words],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heeds_interrupts,
    )
    store = Store(url)
    patience = monotonic() + 60
    while not (store.runs() and store.runs()[0].played) and monotonic() < patience:
        sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to workers as well
    out, err = process.communicate()
    (kept,) = store.runs()
    assert process.returncode == 130
    assert out == ""
    assert err == f"stopped; {kept.played} of 20000 episodes are kept: ludus resume {kept.id}\n"
    assert 0 < kept.played < 20000
    ludus("show", kept.id, "--store", url)


def test_a_race_ends_when_it_is_clear(ludus: Ludus) -> None:
    said = ludus("race", SMALL, "idle", "rule-based", "--episodes", "80", "--stop-when-clear")
    assert "rule-based is better than all others" in said.words
    assert Store().runs()[0].played < 160
    asked = ("race", SMALL, "idle", "random", "--accept", "--stop-when-clear")
    assert "whole runs only" in refused(ludus(*asked, code=2))


def test_where_to_play_is_named(ludus: Ludus) -> None:
    assert "try here, ray or ray://HOST:PORT" in refused(
        ludus("run", SMALL, "idle", "--on", "mars", code=2)
    )


def test_too_little_time_is_refused(ludus: Ludus) -> None:
    assert "0.0 seconds" in refused(ludus("run", SMALL, "idle", "--timeout", "0", code=2))


def test_a_benchmarks_options_are_options_of_the_command(ludus: Ludus) -> None:
    said = ludus("run", SMALL, "idle", "--clock", "5", "--episodes", "2")
    assert "test/small@1, seed 0, clock=5, 2 episodes each" in said.words
    assert ludus("run", SMALL, "--clock=5", "idle", "--json").json["options"] == {"clock": "5"}
    assert ludus("run", SMALL, "idle", "--clock", "5", "--accept").out.count("on the board") == 1
    assert "idle" in ludus("board", SMALL, "--clock", "5").out
    assert "1 on seed 0, clock=5" in ludus("board", SMALL).words
    wrong = ludus("race", SMALL, "idle", "random", "--cloc", "5", code=2)
    assert "test/small has no option 'cloc'; there are clock" in refused(wrong)
    assert "--clock has no value" in refused(ludus("run", SMALL, "idle", "--clock", code=2))
    assert "one word too many" in refused(ludus("board", SMALL, "idle", code=2))


def test_every_agent_plays_every_variant(ludus: Ludus, tmp_path: Path) -> None:
    path = tmp_path / "moody.py"
    path.write_text(
        "class Moody:\n    name = 'moody'\n    def __init__(self, variant='calm'): ...\n"
        "    def reset(self, scenario): ...\n    def act(self, view): return 0\n"
    )
    words = ["--variant", "calm", "--variant", "wild", "--episodes", "1", "--json"]
    said = ludus("race", SMALL, f"{path}:Moody", *words).json
    assert [one["agent"] for one in said["standings"]] == ["moody-calm", "moody-wild"]


@pytest.mark.parametrize("command", ["run", "race"])
def test_episodes_that_were_heard_of_are_not_read_again(
    command: str, ludus: Ludus, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    episodes = Store.episodes

    def count(self: Store, run: str) -> list[ScoredEpisode]:
        found = episodes(self, run)
        read.append(len(found))
        return found

    monkeypatch.setattr(Store, "episodes", count)
    printed = ludus(command, SMALL, "idle", "random", "--json").json
    assert read == [0]
    shown = ludus("show", printed["run"], "--json").json
    assert shown["standings"] == printed["standings"]
