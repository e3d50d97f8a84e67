"""Valid inputs for the parsers, and what a forger does with runs and ledgers."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from tests.benchmarks.diplomacy.saving import game as make_game
from tests.benchmarks.nematode.making import NoseTrainer, small_submission
from tests.boards.making import Here
from tests.runs.small import register

from ludus.agents.platformer.policy import DESCRIPTION, Policy, read_shipped
from ludus.agents.worm.brain import write_brain
from ludus.agents.worm.brains.circuit import Circuit
from ludus.api.level_sources import find_level_source
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.claim import Claim
from ludus.benchmarks.nematode.reference_claim import read_claim
from ludus.benchmarks.nematode.submission import read_submission, write_note
from ludus.benchmarks.nematode.submitting import SubmittedTrainings
from ludus.boards import accept, export_ledger
from ludus.boards.claims import add_claim, describe_claims
from ludus.events.terms import EventTerms
from ludus.games.game import find_game
from ludus.games.platformer import Level, World
from ludus.games.platformer.formats import encode_level
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.generators import generate
from ludus.games.platformer.recordings.recording import Recording
from ludus.games.platformer.scenario import Scenario
from ludus.games.worm.training.records import Declaration, pack_actions, write_record
from ludus.learning.folder import TrainingFolder
from ludus.learning.platformer.settings import Course, Ppo
from ludus.limits import Limits
from ludus.runs import Store, export, import_run, run, verify
from ludus.runs.exchange import _seal

SMALL = "test/small"


# ---- runs


PLAYED = "level=sprint-01"


@cache
def whole_play() -> bytes:
    """The buttons of somebody who goes right until the game is over."""
    match = PlatformerGame().begin(find_level_source(PLAYED).scenario)
    while not match.over:
        match.step(2)
    return match.record()


@cache
def _played() -> tuple[str, str, str]:
    """Return a run, a ledger and a plan as texts."""
    register()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(str(Path(folder) / "seed.db"))
        played = run(SMALL, ["idle", "forward-jumping"], store=store, executor=Here())
        export(played.id, store, Path(folder) / "run.jsonl")
        accept(played.id, store, by="anybody")
        add_claim(Claim(SMALL, "mlp", "Ada", "S1", value=0.5, length=4), store, by="anybody")
        export_ledger(store, Path(folder) / "ledger.jsonl")
        text = played.plan.to_json()
        store.close()
        files = [(Path(folder) / name).read_text() for name in ("run.jsonl", "ledger.jsonl")]
    return files[0], files[1], text


def run_file(folder: Path) -> Path:
    """Return the file of a run that a board takes."""
    file = folder / "seed-run.jsonl"
    if not file.exists():
        file.write_text(_played()[0])
    return file


def unsealed_run(_: Path) -> list[bytes]:
    """Return a run's lines without their digests, whole and with its plan alone."""
    lines = [json.loads(line) for line in _played()[0].splitlines()]
    for line in lines:
        del line["digest"]
    whole = "\n".join(map(json.dumps, lines[:3]))
    return [whole.encode(), json.dumps({**lines[0], "episodes": 0}).encode()]


def seal_run(data: bytes, file: Path) -> Path:
    """Write lines as a run whose digests, count and identity are right wherever they can be."""
    seal, sealed = "", []
    lines = [_parsed(line) for line in data.split(b"\n")]
    for values in lines:
        if not isinstance(values, dict):
            sealed.append(json.dumps(values))
            continue
        values.pop("digest", None)
        if not sealed:
            values["episodes"] = len(lines) - 1
            values["identity"] = _identity(values)
        seal = _seal(values, seal)
        sealed.append(json.dumps({**values, "digest": seal}))
    file.write_text("\n".join(sealed) + "\n", encoding="utf-8", errors="surrogatepass")
    return file


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _identity(head: dict[str, Any]) -> Any:
    from ludus.execution.plan import Plan

    try:
        return Plan.from_json(json.dumps(head["plan"])).identity
    except Exception:
        return head.get("identity")


@cache
def _memory() -> Store:
    register()
    return Store("sqlite://")


def import_and_verify(file: Path) -> object:
    """Import a run, hold it against its replay, and forget it."""
    store = _memory()
    imported = import_run(file, store)
    try:
        return verify(imported.id, store=store)
    finally:
        store.delete(imported.id)


def plan(_: Path) -> bytes:
    """Return a plan."""
    return _played()[2].encode()


def episode(_: Path) -> bytes:
    """Return an episode."""
    return json.dumps(json.loads(_played()[0].splitlines()[1])).encode()


def ledger_file(_: Path) -> bytes:
    """Return a ledger of two entries and a claim."""
    return _played()[1].encode()


def unsealed_ledger(_: Path) -> bytes:
    """Return the lines of a ledger with their particulars as values, for others to be sealed."""
    lines = [json.loads(line) for line in _played()[1].splitlines() if "ledger-head" not in line]
    for line in lines:
        line["text"] = json.loads(line["text"])
    return "\n".join(map(json.dumps, lines)).encode()


def seal_ledger(data: bytes, file: Path) -> Path:
    """Write lines as a ledger whose digests are right."""
    previous, sealed = json.loads(_played()[1].splitlines()[0])["previous"], []
    for values in filter(lambda line: isinstance(line, dict), map(_parsed, data.split(b"\n"))):
        values["text"] = json.dumps(values.get("text"))
        values["previous"] = previous
        parts = [values.get(k) for k in ("number", "at", "kind", "benchmark", "version", "text")]
        text = json.dumps([*parts, previous], separators=(",", ":"))
        previous = hashlib.sha256(text.encode()).hexdigest()
        sealed.append(json.dumps({**values, "digest": previous}))
    file.write_text("\n".join(sealed) + "\n", encoding="utf-8", errors="surrogatepass")
    return file


def rows_csv() -> bytes:
    """Return facts as columns."""
    facts = _facts()
    return f"agent,{','.join(facts)}\nme,{','.join(map(str, facts.values()))}\n".encode()


def rows_json() -> bytes:
    """Return facts as a line of JSON."""
    return json.dumps({"agent": "me", **_facts()}).encode() + b"\n"


def _facts() -> dict[str, Any]:
    return dict(find_game("platformer").replay(_parse("platformer"), b""))


ARENA = {
    "agent": "me", "world": 1, "stage": 1, "completed": False, "max_x_pos": 1456, "steps": 892,
    "coins": 7, "time_remaining": 0, "mode": "level",
}  # fmt: skip


def arena_json() -> bytes:
    """Return an episode of mario-arena as a line of JSON."""
    return json.dumps(ARENA).encode() + b"\n"


def arena_csv() -> bytes:
    """Return an episode of mario-arena as columns."""
    return f"{','.join(ARENA)}\n{','.join(map(str, ARENA.values()))}\n".encode()


# ---- checkpoints and trainings


def arrays(folder: Path) -> bytes:
    """Return an archive of arrays of all kinds."""
    file = folder / "seed.npz"
    values: Any = {"a": np.ones((2, 3)), "b": np.array("text"), "c": np.arange(5, dtype=np.uint8)}
    np.savez_compressed(file, **values, d=np.asfortranarray(np.eye(3, dtype=np.float32)))
    return file.read_bytes()


def policy(folder: Path) -> bytes:
    """Return a policy that is shipped."""
    Policy.from_checkpoint(read_shipped("1-1")).save(folder / "policy.npz", half=True)
    return (folder / "policy.npz").read_bytes()


def brain(folder: Path) -> bytes:
    """Return a brain of the worm."""
    circuit, features = Circuit(), ("strength", "angle")
    weights = circuit.init(np.random.default_rng(0), features, 4)
    write_brain(folder / "seed-brain.npz", circuit, weights, features, 7)
    return (folder / "seed-brain.npz").read_bytes()


def training_checkpoint(folder: Path) -> bytes:
    """Return a checkpoint of a training."""
    place = TrainingFolder(folder / "seed-training")
    (place.path / "progress").mkdir(parents=True, exist_ok=True)
    place.write_checkpoint(0, {"leaf0": np.ones(3)}, {"steps": 3, "rows": [1, 2]})
    return place.checkpoint_file(0).read_bytes()


def settings_files() -> list[bytes]:
    """Return settings of a training of each family."""
    worm = {"task": "foraging-small@head", "brain": "mlp-ppo", "trainings": 2, "episodes": 3}
    worm |= {"seed": 0, "settings": {}, "evaluation": 0, "rules": "worm@1"}
    course = Course(benchmark="mario-arena/1-1", settings=Ppo()).to_dict()
    families = {"nematode": worm, "mario-arena": course}
    return [
        json.dumps({"family": family, "settings": settings, "made_with": {"ludus": "1"}}).encode()
        for family, settings in families.items()
    ]


def grow_policy(file: Path) -> object:
    """Read a policy to start from, and give it to a training of larger networks."""
    from ludus.learning.platformer.warm_start import grow_network, read_network

    return grow_network(read_network(file), _fresh_networks())


@cache
def _fresh_networks() -> dict[str, Any]:
    arrays = read_shipped("1-1").items()
    shapes = {name: array.shape for name, array in arrays if name not in DESCRIPTION}
    return {name: np.zeros((1, *shape), np.float32) for name, shape in shapes.items()}


CONFIG: dict[str, Any] = {
    "brain": {
        "name": "lstmppo",
        "config": {
            "rnn_type": "gru", "actor_hidden_dim": 32, "critic_hidden_dim": 32, "gamma": 0.9,
            "num_hidden_layers": 3, "sensory_modules": ["food_chemotaxis"], "unknown": 1,
        },
    },
    "environment": {
        "grid_size": 20, "env_type": "grid", "foraging": {"foods_on_grid": 5},
        "predators": {"enabled": True, "movement_pattern": "pursuit"},
        "sensing": {"chemotaxis_mode": "temporal"}, "thermotaxis": {"enabled": False},
    },
    "max_steps": 500, "satiety": {"initial_satiety": 200.0}, "seed": 7, "logging": {"level": "x"},
}  # fmt: skip
YAML = b"""\
# a configuration as people write it
brain: {name: mlpppo, config: {learning_rate: 1.0e-3, hidden_dim: 0x20}}
environment:
  grid_size: 20
  predators:
    enabled: yes
    movement_pattern: 'stationary'
max_steps: 1_000
started: 2025-12-29T10:51:38Z
notes: |
  two
  lines
"""


def configs() -> list[bytes]:
    """Return configurations of the reference, as JSON and as YAML."""
    return [json.dumps(CONFIG).encode(), YAML]


@cache
def _sent() -> tuple[bytes, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        place = small_submission(Path(folder) / "nose", 1)
        submission = read_submission(place).submission
        assert submission is not None
        write_note(place, submission, by="me", notes="a remark")
        return (place / "0000.json").read_bytes(), (place / "submission.json").read_bytes()


REFERENCE = {
    "experiment_id": "x", "config_summary": {"brain_type": "mlp"},
    "per_run_results": [
        {"success": True, "steps": 9, "foods_collected": 2, "distance_efficiency": 0.5, "seed": 3,
         "termination_reason": "goal_reached", "survival_score": 1.0}
    ] * 2,
}  # fmt: skip


def sessions() -> list[bytes]:
    """Return a session in each of its two forms."""
    return [_sent()[0], json.dumps(REFERENCE).encode()]


def note(folder: Path) -> bytes:
    """Return the note of a submission, whose session is put where the note will be."""
    (folder / "noted").mkdir(exist_ok=True)
    (folder / "noted/0000.json").write_bytes(_sent()[0])
    return _sent()[1]


def claim(folder: Path) -> bytes:
    """Return a submission of the reference, whose session is put where it names it."""
    (folder / "claimed").mkdir(exist_ok=True)
    (folder / "claimed/session.json").write_text(json.dumps(REFERENCE))
    values = {
        "submission_id": "S1", "timestamp": "2025-12-29T10:51:38+00:00", "brain_type": "mlp",
        "environment": {"grid_size": 20, "predators_enabled": False},
        "sessions": [{"file_path": "claimed/session.json", "num_runs": 2}],
        "metrics": {"composite_score": {"mean": 0.81}}, "contributor": "Ada", "notes": "x",
    }  # fmt: skip
    return json.dumps(values).encode()


def show_claim(file: Path) -> object:
    """Read a claim, and show it as a ledger gives it back."""
    claim, faults = read_claim(file)
    assert Claim.from_dict(json.loads(json.dumps(claim.to_dict()))) == claim
    return describe_claims([claim]), faults


def submitted(submission: Any) -> SubmittedTrainings:
    """Return trainings as a submission, whose catalogue knows a single brain."""
    return SubmittedTrainings(submission, NoseTrainer())


def training_record() -> bytes:
    """Return the record of a training."""
    return write_record(Declaration(learning=True, pretrained="x"), bytes([0, 1, 2, 3] * 20))


def packed_actions() -> bytes:
    """Return actions as sessions have them."""
    return pack_actions([0, 1, 2, 3] * 20).encode()


# ---- levels


def level_document() -> bytes:
    """Return a level with everything that a document may hold."""
    return encode_level(generate("tunable-2010", seed=3, width=60), "json").encode()


def map_text() -> bytes:
    """Return the text of a level of map bytes, with all that it may hold."""
    return encode_level(generate("tunable-2010", seed=3, width=60, creatures="")).encode()


def map_record() -> bytes:
    """Return a level of map bytes as files of levels hold it."""
    level = generate("tunable-2010", seed=3, width=60, creatures="")
    assert level.map is not None
    return json.dumps(level.map.to_record()).encode()


def settings_line() -> bytes:
    """Return the line of settings above a level's text."""
    level = generate("ludus", seed=3, length=60)
    return encode_level(level, "text").partition("\n")[0].encode() + b"\n"


def recipe() -> bytes:
    """Return a recipe of a level."""
    made = generate("notch-2009", seed=3).recipe
    assert made is not None
    return made.to_json().encode()


# ---- saved games


@cache
def saved_game() -> bytes:
    """Return a saved game of three records, with all that may be in one."""
    values = make_game(("S1901M", {}), ("F1901M", {"FRANCE": 5}), ("COMPLETED", {"FRANCE": 18}))
    first = values["phases"][0]
    first["orders"] = {"FRANCE": ["A PAR H"]}
    first["messages"] = [
        {"sender": "FRANCE", "recipient": "ITALY", "message": "hello", "phase": "S1901M"}
    ]
    first["state_agents"] = {
        "FRANCE": {"relationships": {"ITALY": "Ally"}, "full_private_diary": ["[S1901M] x"]}
    }
    return json.dumps(values).encode()


def read_beside(file: Path) -> object:
    """Read a game with what lies beside it."""
    from ludus.benchmarks.diplomacy.calls import read_calls, read_phase_times
    from ludus.benchmarks.diplomacy.finding import read_game

    game = file.parent / "lmvsgame.json"
    if not game.exists():
        game.write_bytes(saved_game())
    read = read_game(game)
    return read_calls(read), read_phase_times(read)


# ---- scenarios and records

BENCHMARKS = {
    "platformer": "platformer/sprint",
    "arena": "mario-arena/1-1",
    "worm": "worm/foraging-small",
    "worm-colony": "worm/crowd-pursuit-small",
    "worm-training": "nematode/foraging-small",
    "diplomacy": "diplomacy/critical",
    "mario-ai": "mario-ai/gameplay-2009-ice",
    "mario-ai-learning": "mario-ai/learning-2010",
}


@cache
def scenarios(game: str) -> list[dict[str, Any]]:
    """Return scenarios of a game; those of trainings are short."""
    made = [dict(one) for one in find_benchmark(BENCHMARKS[game]).make_scenarios(0, 2)]
    if game == "worm-training":
        made = [{**one, "episodes": 3} for one in made]
    return made


def scenario_seeds(game: str, _: Path | None = None) -> list[bytes]:
    """Return scenarios of a game as JSON."""
    return [json.dumps(one).encode() for one in scenarios(game)]


def guest_scenarios() -> list[bytes]:
    """Return a scenario of a guest environment."""
    terms = {"frame_skip": 4, "sticky": 0.25, "no_ops": 30, "step_cap": 100, "lives": 1}
    values = {"name": "x", "env": "a:b", "origin": "", "seed": 1, "stages": ["1-1"], "terms": terms}
    return [json.dumps(values).encode()]


def plain(values: Any) -> dict[str, Any]:
    """Return an object, which is what a plan holds."""
    return values if isinstance(values, dict) else {}


def _parse(game: str) -> Any:
    return find_game(game).parse_scenario(scenarios(game)[0])


@cache
def records(game: str, _: Path | None = None) -> list[bytes]:
    """Return records of short plays."""
    if game == "worm-training":
        return [b"", write_record(Declaration(), b"")]
    if game == "worm-colony":
        return [bytes(number % 6 for number in range(60 * 5))]  # five worms
    if game == "diplomacy":
        match = find_game(game).begin(_parse(game))
        return [match.record()]
    match = find_game(game).begin(_parse(game))
    for number in range(60):
        if not match.over:
            match.step(number % 3)
    return [match.record()]


def learned(name: str) -> bytes:
    """Return the file of a player of mario-ai that comes with Ludus."""
    return (files("ludus.agents.platformer") / "policies" / f"{name}.npz").read_bytes()


def recording() -> bytes:
    """Return a short recording of play."""
    scenario = Scenario("short", Level.parse("M---F\nXXXXX"))
    return json.dumps(Recording(scenario, (bytes([2] * 18),)).to_dict()).encode()


def votes() -> list[bytes]:
    """Return files of votes, one of each kind of ballot."""
    ballots = (
        {"ballot": "levels", "entrants": ["a", "b"]},
        {"vote": "preference", "voter": "v", "first": "a", "second": "b", "answer": "both"},
        {"ballot": "turing", "entrants": ["ann", "bot"], "humans": ["ann"]},
        {"vote": "humanness", "voter": "v", "player": "bot", "clip": "1", "answer": "machine"},
    )
    lines = [json.dumps(one).encode() + b"\n" for one in ballots]
    return [lines[0] + lines[1], lines[2] + lines[3]]


def archives() -> list[bytes]:
    """Return an entry as a zip archive, and as a tar archive with and without gzip."""
    found = []
    for suffix, mode in (("zip", ""), ("tar", "w"), ("tar", "w:gz")):
        target = io.BytesIO()
        if suffix == "zip":
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("agent.py", "x = 1\n" * 9)
        else:
            with tarfile.open(fileobj=target, mode=mode) as packed:  # type: ignore[call-overload]
                member = tarfile.TarInfo("agent.py")
                member.size = 6
                packed.addfile(member, io.BytesIO(b"x = 1\n"))
        found.append(target.getvalue())
    return found


def form() -> bytes:
    """Return what a browser sends of a form with a file."""
    return (
        b'--xx\r\nContent-Disposition: form-data; name="agent"\r\n\r\na.py:A\r\n'
        b'--xx\r\nContent-Disposition: form-data; name="a"; filename="m.zip"\r\n'
        b"\r\nPK\r\n--xx--\r\n"
    )


def event_file() -> bytes:
    """Return the terms of an event."""
    terms = EventTerms(
        name="cup",
        benchmark=SMALL,
        version=1,
        episodes=2,
        options={},
        limits=Limits(),
        public_seed=0,
        opens=datetime(2026, 1, 1, tzinfo=UTC),
        deadline=datetime(2026, 12, 31, tzinfo=UTC),
        rules="be fair",
        commitment="0" * 64,
    )
    return json.dumps(terms.to_dict()).encode()


def small_world() -> World:
    """Return a world of a small level."""
    return World(Level.parse("M---g--F\nXXXXXXXX"))


def fresh_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes, Path], object]:
    """Return a parser that reads a new file each time, for one that remembers what it read."""

    def parse(data: bytes, folder: Path) -> object:
        file = folder / name
        file.write_bytes(data)
        read.cache_clear()  # type: ignore[attr-defined]
        return read(file)

    return parse
