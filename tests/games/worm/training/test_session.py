from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludus.errors import OptionError
from ludus.games.worm.training import Declaration, EpisodeResult, Session, read_session

GOOD: dict[str, Any] = {
    "session": "one",
    "brain": "mlp",
    "n_runs": 4,
    "first_seed": 7,
    "seeds_consecutive": True,
    "success": "0110",
    "distance_efficiency": [0.1, 0.5, 1.2, 0],
    "steps": [5, 6, 7, 500],
    "foods": [1, 10, 10, 2],
    "reason": "1002",
    "reason_codes": ["completed_all_food", "starved", "max_steps"],
}


def written(folder: Path, values: Any, name: str = "one.json") -> Path:
    place = folder / name
    place.write_text(values if isinstance(values, str) else json.dumps(values), encoding="utf-8")
    return place


def test_a_session_is_read(tmp_path: Path) -> None:
    session = read_session(written(tmp_path, GOOD))
    assert session.name == "one"
    assert session.successes == (False, True, True, False)
    assert session.efficiencies == (0.1, 0.5, 1.2, 0.0)
    assert session.reasons == ("starved", "completed_all_food", "completed_all_food", "max_steps")
    assert session.late == (False, True, True, True)
    assert session.first_seed == 7
    assert session.survival == ()
    assert (session.rules, session.actions, session.training) == (None, None, None)


def test_little_is_needed(tmp_path: Path) -> None:
    few = {"success": [1, 0], "distance_efficiency": [0.5, 0.0]}
    session = read_session(written(tmp_path, few, "named.json"))
    assert session.name == "named"
    assert session.late == session.successes == (True, False)


def test_the_form_of_the_reference_is_read(tmp_path: Path) -> None:
    episodes = [
        {
            "run": k + 1,
            "seed": 7 + k,
            "success": sign == "1",
            "steps": GOOD["steps"][k],
            "foods_collected": GOOD["foods"][k],
            "termination_reason": GOOD["reason_codes"][int(GOOD["reason"][k])],
            "distance_efficiency": GOOD["distance_efficiency"][k],
        }
        for k, sign in enumerate(GOOD["success"])
    ]
    values = {
        "experiment_id": "one",
        "config_summary": {"brain_type": "mlp"},
        "per_run_results": episodes,
    }
    theirs = read_session(written(tmp_path, values, "theirs.json"))
    ours = read_session(written(tmp_path, GOOD))
    assert theirs.digest == ours.digest
    assert (theirs.name, theirs.brain, theirs.first_seed) == ("one", "mlp", 7)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"success": None}, "has no 'success'"),
        ({"success": "01x0"}, "not a text of 0 and 1"),
        ({"success": ""}, "is empty"),
        ({"success": 3}, "not a text of 0 and 1"),
        ({"n_runs": 5}, "n_runs is 5"),
        ({"distance_efficiency": [0.1]}, "has 1 values for 4 episodes"),
        ({"distance_efficiency": None}, "not a list of numbers"),
        ({"distance_efficiency": [0.1, 0.2, "x", 0]}, "of episode 3 is 'x'"),
        ({"distance_efficiency": [0.1, -0.2, 0, 0]}, "of episode 2 is -0.2"),
        ({"steps": [1.5, 2, 3, 4]}, "'steps' holds 1.5"),
        ({"reason": "1009"}, "holds '9'"),
        ({"reason": "10"}, "has 2 values for 4 episodes"),
        ({"reason": 4}, "not a text of numbers"),
        ({"chemotaxis": [0, 0, 0, 1.5]}, "of episode 4 is 1.5"),
        ({"total_reward": [0, 0, 0]}, "has 3 values for 4 episodes"),
        ({"training": True}, "'training' is True, not a whole number"),
        ({"seed": "1"}, "'seed' is '1', not a whole number"),
        ({"config": "mlp.yml"}, "'config' is 'mlp.yml', not an object of fields"),
        ({"cpu_seconds": "long"}, "'cpu_seconds' is 'long', not a number"),
        ({"actions": [0, 1]}, "not a text"),
        ({"learning": "yes"}, "neither true nor false"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    place = written(tmp_path, {**GOOD, **change})
    with pytest.raises(OptionError, match=told) as caught:
        read_session(place)
    assert str(caught.value).startswith(str(place))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"success": NaN', "\ufffe"])
def test_files_that_are_no_session(tmp_path: Path, text: str) -> None:
    with pytest.raises(OptionError, match=r"one\.json: is"):
        read_session(written(tmp_path, text))


def test_nan_is_no_efficiency(tmp_path: Path) -> None:
    text = json.dumps(GOOD).replace("1.2", "NaN")
    with pytest.raises(OptionError, match="NaN is no number"):
        read_session(written(tmp_path, text))


def test_equal_episodes_have_equal_digests(tmp_path: Path) -> None:
    one = read_session(written(tmp_path, GOOD))
    renamed = read_session(written(tmp_path, {**GOOD, "session": "two", "brain": "b"}, "b.json"))
    other = read_session(written(tmp_path, {**GOOD, "steps": [5, 6, 7, 499]}, "c.json"))
    assert one.digest == renamed.digest != other.digest


RESULTS = [
    EpisodeResult(True, 40, 10, 0.25, "completed_all_food", 0.5, 3.25, 1.0, None, None),
    EpisodeResult(False, 500, 2, 0.125, "max_steps", -0.5, -0.1, 0.5, None, None),
]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    session = Session.of_episodes(
        RESULTS,
        name="mine",
        brain="mlp",
        task="foraging-small@head",
        rules="worm@1",
        version="0.1.0",
        seed=3,
        training=4,
        first_seed=9,
        config={"brain": {"kind": "mlp"}},
        declaration=Declaration(True, "at home", 5, 6),
        cpu_seconds=1.5,
        evaluation={"success_rate": 1.0},
        actions="packed",
    )
    again = read_session(written(tmp_path, session.to_dict()))
    assert again == session
    assert again.episodes() == RESULTS
    assert (again.environment_steps, again.comfort) == (540, ())


def test_engines_of_before_versions_are_the_first_rules(tmp_path: Path) -> None:
    assert read_session(written(tmp_path, {**GOOD, "engine": "0" * 64})).rules == "worm@1"
    assert read_session(written(tmp_path, {**GOOD, "engine": "worm@2"})).rules == "worm@2"
