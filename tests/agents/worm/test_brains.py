"""Brains with NumPy alone: how they are built, how they play, and the worm's wiring."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.agents import load
from ludus.agents.worm.brain import TrainedBrain, write_brain
from ludus.agents.worm.brains import (
    KINDS,
    NUMPY,
    Brain,
    brain_from_dict,
    parameters,
    settings_to_dict,
)
from ludus.agents.worm.brains import quantum as q
from ludus.agents.worm.brains.circuit import Circuit
from ludus.agents.worm.brains.connectome import MOTOR, Connectome, wiring
from ludus.agents.worm.brains.equivariant import Equivariant
from ludus.agents.worm.brains.mlp import Mlp
from ludus.agents.worm.brains.quantum_echo import QuantumEcho
from ludus.agents.worm.brains.quantum_reservoir import QuantumReservoir
from ludus.agents.worm.brains.recurrent import Recurrent
from ludus.agents.worm.brains.reservoir import Reservoir
from ludus.errors import AgentError
from ludus.execution.plan import make_plan
from ludus.games.worm.colony import Colony
from ludus.games.worm.colony.observation import ColonyObservation
from ludus.learning.worm.catalogue import CATALOGUE

FEATURES = ("food_chemotaxis.strength", "food_chemotaxis.angle")
SENSED = np.array([[0.3, -0.7], [0.8, 0.1], [0.5, 0.5]], np.float32)


def weights_of(brain: Brain, seed: int = 0) -> dict[str, np.ndarray]:
    return brain.init(np.random.default_rng(seed), FEATURES, 4)


@pytest.mark.parametrize("kind", KINDS)
def test_a_brain_gives_four_logits_and_a_value(kind: str) -> None:
    brain = KINDS[kind]()
    weights, state = weights_of(brain), brain.start(2)
    for sensed in SENSED:
        seen = brain.perceive(NUMPY, weights, sensed)
        logits, value, after = brain.policy(NUMPY, weights, state, seen)
        assert logits.shape == (4,)
        assert np.isfinite(logits).all()
        assert np.shape(value) == ()
        assert {n: np.shape(x) for n, x in after.items()} == {
            n: np.shape(x) for n, x in state.items()
        }
        state = after


@pytest.mark.parametrize("kind", KINDS)
def test_a_brain_listens(kind: str) -> None:
    brain = KINDS[kind]()
    weights = weights_of(brain, 3)

    def logits(sensed: np.ndarray) -> np.ndarray:
        seen = brain.perceive(NUMPY, weights, sensed)
        state = brain.start(2)
        for _ in range(3):  # a spiking neuron takes some steps to fire
            found, _, state = brain.policy(NUMPY, weights, state, seen)
        return np.asarray(found)

    assert not np.allclose(
        logits(np.array([0.9, 0.8], np.float32)), logits(np.array([0.1, -0.8], np.float32))
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_brain_survives_its_file(kind: str, tmp_path: Path) -> None:
    brain = KINDS[kind]()
    weights = weights_of(brain)
    write_brain(tmp_path / "one.npz", brain, weights, FEATURES, 900)
    agent = load(str(tmp_path / "one.npz"), "worm")
    assert isinstance(agent, TrainedBrain)
    assert agent.name == "one"
    assert agent.declared["pretraining_steps"] == 900
    assert settings_to_dict(agent.brain) == settings_to_dict(brain)
    direct = TrainedBrain(brain, weights, FEATURES)
    for player in (agent, direct):
        player.reset(None)
    assert [agent.act(x) for x in SENSED] == [direct.act(x) for x in SENSED]


def test_a_number_is_no_name(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    write_brain(folder / "0007.npz", Mlp(), weights_of(Mlp()), FEATURES, 0)
    assert load(str(folder / "0007.npz"), "worm").name == "home-0007"


def test_plain_values_make_the_brain_again() -> None:
    brain = Mlp("small", (8, 4), critic=False)
    assert brain_from_dict(json.loads(json.dumps(settings_to_dict(brain)))) == brain


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(AgentError, match="no kind of brain 'jelly'"):
        brain_from_dict({"kind": "jelly"})


def test_a_brain_refuses_a_task_with_other_senses(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="senses 2 features, the task has 3"):
        TrainedBrain().act(np.zeros(3, np.float32))
    brain = Mlp("small", (1,), critic=False)
    write_brain(tmp_path / "small.npz", brain, weights_of(brain), FEATURES, 1)
    spec = str(tmp_path / "small.npz")
    for benchmark in ("worm/foraging-small", "nematode/foraging-small"):
        assert make_plan(benchmark, [spec, "brain", "gradient"], episodes=1).agents
    for other in ({"sensing": "klinotaxis"}, {"world": "e25"}):
        with pytest.raises(AgentError, match=r"small: the brain senses food_chemotaxis\.strength"):
            make_plan("worm/foraging-small", [spec], episodes=1, options=other)
    with pytest.raises(AgentError, match=r"thermotaxis\.level: play the task and the senses"):
        make_plan("worm/thermal-foraging-small", ["brain"], episodes=1)


def test_a_brain_trained_alone_plays_in_company(tmp_path: Path) -> None:
    """It uses its own senses, which come first, and not those of the others' scents."""
    brain = Mlp("small", (1,), critic=False)
    write_brain(tmp_path / "small.npz", brain, weights_of(brain), FEATURES, 1)
    spec = str(tmp_path / "small.npz")
    assert make_plan("worm/crowd-foraging-small", [spec], episodes=1).agents
    with pytest.raises(AgentError, match=r"nociception\.strength"):
        make_plan("worm/crowd-pursuit-small", [spec], episodes=1)
    player = load(spec, "worm")
    colony = Colony("crowd-foraging-small", 3)
    seen = ColonyObservation(colony.task, colony.features[0])
    assert player.act(seen) == player.act(colony.features[0][: len(FEATURES)])
    hunted = Colony("crowd-pursuit-small", 3)
    with pytest.raises(AgentError, match="senses 2 features"):
        player.act(ColonyObservation(hunted.task, hunted.features[0]))


def test_a_sampled_brain_plays_the_same_scenario_alike() -> None:
    class Scenario:
        seed = 5

    player = TrainedBrain(Mlp(), weights_of(Mlp()), FEATURES, variant="sampled")
    played = []
    for _ in range(2):
        player.reset(Scenario())
        played.append([player.act(SENSED[k % 3]) for k in range(40)])
    assert played[0] == played[1]
    assert len(set(played[0])) > 1


def test_what_stays_as_it_is_is_not_counted() -> None:
    brain = Reservoir()
    weights = weights_of(brain)
    fixed = sum(w.size for n, w in weights.items() if n.startswith("fixed."))
    assert fixed == 50 * 50 + 2 * 50 + 50
    assert parameters(weights) == sum(w.size for w in weights.values()) - fixed


# ---- qubits

RECORDED = [  # angles [layer, axis, qubit], strength, angle, chances of forward, left, right, stay
    (
        [[[0.2675184914, -1.6176774431], [-2.9367433089, 2.7381896739],
          [2.0879753727, 0.8448605178]], [[1.5614250723, 1.0772235193],
          [-0.2335219996, -2.3796212735], [-1.3273693522, 0.0381397678]]],
        0.5820850719, -0.3969882619,
        [0.4022443675, 0.1305868937, 0.1999791780, 0.2671895608],
    ),
    (
        [[[-2.3422487283, -0.9905698477], [-1.9752169419, 2.7053967500],
          [-1.7532446860, -0.6656302650]], [[0.2630277148, -1.5563778960],
          [-0.0320321194, 0.3312335096], [-2.8330525051, 2.8112060274]]],
        0.5379729114, -0.7078990220,
        [0.1563945156, 0.2956556684, 0.1958055791, 0.3521442369],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("angles", "strength", "angle", "expected"), RECORDED)
def test_the_circuit_agrees_with_recorded_chances(
    angles: list[list[list[float]]], strength: float, angle: float, expected: list[float]
) -> None:
    chances = Circuit().chances(NUMPY, np.array(angles), np.array([strength, angle]))
    assert chances == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.floats(-7, 7), min_size=12, max_size=12), st.floats(0, 1), st.floats(-1, 1))
def test_chances_add_up(angles: list[float], strength: float, angle: float) -> None:
    chances = Circuit().chances(
        NUMPY, np.array(angles).reshape(2, 3, 2), np.array([strength, angle])
    )
    assert chances.sum() == pytest.approx(1, abs=1e-5)
    assert (chances >= 0).all()


def test_gates_are_what_they_are_called() -> None:
    half = np.pi
    x, y, z = (gate(NUMPY, half) * 1j for gate in (q.rx, q.ry, q.rz))
    assert np.allclose(x, [[0, 1], [1, 0]], atol=1e-7)
    assert np.allclose(y, [[0, -1j], [1j, 0]], atol=1e-7)
    assert np.allclose(z, [[1, 0], [0, -1]], atol=1e-7)
    assert np.allclose(q.hadamard(NUMPY) @ q.hadamard(NUMPY), np.eye(2), atol=1e-6)


def test_a_controlled_z_turns_one_outcome_of_four() -> None:
    even = np.full((2, 2, 2), 1.0)
    turned = q.cz(NUMPY, even, (0, 2))
    assert turned[1, :, 1].tolist() == [-1, -1]
    assert turned.sum() == 8 - 2 * 2


def test_the_quantum_reservoir_reads_expectations() -> None:
    brain = QuantumReservoir(qubits=3, depth=1)
    read = brain.perceive(NUMPY, {}, SENSED[0])
    assert read.shape == (3 * 3 + 3,)
    assert (np.abs(read) <= 1 + 1e-5).all()
    x, y, z = read[:3], read[3:6], read[6:9]
    assert (x**2 + y**2 + z**2 <= 1 + 1e-5).all()  # a qubit lies in its ball


def test_expectations_of_known_states() -> None:
    bell = np.array([[1, 0], [0, 1]]) / 2**0.5
    assert q.expectations(NUMPY, bell + 0j) == pytest.approx([0] * 6 + [1], abs=1e-6)
    plus_i = np.kron([1, 1], [1, 1j]).reshape(2, 2) / 2 + 0j  # X of qubit 0 is 1, Y of qubit 1 is 1
    assert q.expectations(NUMPY, plus_i) == pytest.approx([1, 0, 0, 1, 0, 0, 0], abs=1e-6)


def test_a_controlled_gate_waits_for_its_control() -> None:
    flip = q.rx(NUMPY, np.pi)
    still = q.ground(NUMPY, 2)
    assert np.allclose(q.controlled(NUMPY, still, flip, 0, 1), still)
    turned = q.controlled(NUMPY, q.rotated(NUMPY, still, flip, 0), flip, 0, 1)
    assert abs(turned[1, 1]) == pytest.approx(1, abs=1e-6)


def test_without_a_kick_an_echo_comes_back_to_the_ground() -> None:
    read = QuantumEcho(qubits=3, kick=0.0).perceive(NUMPY, {}, SENSED[0])
    assert read == pytest.approx([0] * 6 + [1] * 6, abs=1e-5)  # Z of every qubit and pair
    kicked = [QuantumEcho(qubits=3).perceive(NUMPY, {}, sensed) for sensed in SENSED[:2]]
    assert not np.allclose(kicked[0], read, atol=0.05)
    assert not np.allclose(kicked[0], kicked[1], atol=0.05)


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_mirrored_senses_give_mirrored_actions(pairs: int) -> None:
    brain = Equivariant(pairs=pairs)
    names = ("nociception.strength", "nociception.angle", "food_chemotaxis.lateral")
    weights = brain.init(np.random.default_rng(pairs), names, 6)
    seen = np.array([0.4, -0.8, 0.3])
    logits = brain.policy(NUMPY, weights, {}, seen)[0]
    mirrored = brain.policy(NUMPY, weights, {}, seen * [1, -1, -1])[0]
    assert mirrored[[0, 2, 1, 3, 4, 5]] == pytest.approx(logits, abs=1e-5)
    assert abs(logits[1] - logits[2]) > 0.01


def test_a_minimal_lstm_averages_what_it_lets_in() -> None:
    brain = Recurrent(cell="minlstm", units=3)
    weights = weights_of(brain)
    weights["gates.w"][:], weights["gates.b"][:] = 0, 0  # both gates are a half
    weights["candidate.w"][:], weights["candidate.b"][:] = 0, [1, 2, 3]
    state = brain.start(2)
    for _ in range(2):
        state = brain.policy(NUMPY, weights, state, SENSED[0])[2]
    assert state["h"] == pytest.approx([0.75, 1.5, 2.25])


def test_both_gates_of_a_minimal_lstm_begin_by_keeping_the_state() -> None:
    features, kept = np.zeros(2, np.float32), []
    for name in ("mingru-ppo", "minlstm-ppo"):
        brain = CATALOGUE[name].brain
        weights = weights_of(brain)
        weights["gates.w"][:], weights["candidate.w"][:], weights["candidate.b"][:] = 0, 0, 0
        state = brain.policy(NUMPY, weights, {"h": np.ones(64)}, features)[2]
        kept.append(state["h"])
    assert kept[0] == pytest.approx([0.7311] * 64, abs=1e-4)
    assert kept[1] == pytest.approx(kept[0], abs=1e-6)


# ---- the worm's wiring


def test_the_wiring_is_that_of_the_hermaphrodite() -> None:
    wired = wiring()
    assert len(set(wired.names)) == 302
    assert len(wired.source) == len(wired.target) == 3709
    assert wired.synapses.sum() == 20965
    assert wired.junctions == 1091
    assert (wired.gaps == wired.gaps.T).all()
    assert np.count_nonzero(wired.gaps) == 2 * 1091
    assert np.count_nonzero(np.diag(wired.gaps)) == 0


def test_known_cells_are_wired_as_known() -> None:
    wired = wiring()
    pairs = {
        (wired.names[a], wired.names[b]): n
        for a, b, n in zip(wired.source, wired.target, wired.synapses, strict=True)
    }
    assert ("AWCL", "AIYL") in pairs
    assert ("ASEL", "AIYL") in pairs
    assert ("AVAL", "VA1") in pairs or ("AVAL", "DA1") in pairs
    released = dict(zip(wired.names, wired.transmitters, strict=True))
    assert released["DD1"] == released["VD3"] == "GABA"
    assert released["AVAL"].startswith("Acetylcholine")


def test_gaba_inhibits_and_all_else_excites() -> None:
    wired = wiring()
    inhibiting = {wired.names[k] for k in wired.source[wired.signs < 0]}
    assert "DD1" in inhibiting
    assert "AVAL" not in inhibiting
    assert 0.02 < (wired.signs < 0).mean() < 0.2


def test_each_sense_has_its_cells() -> None:
    weights = Connectome().init(
        np.random.default_rng(0), (*FEATURES, "nociception.strength", "thermotaxis.strength"), 4
    )
    size = len(wiring().names)
    at = weights["fixed.sense"].astype(int)
    heard = [{wiring().names[p % size] for p in at if p // size == row} for row in range(4)]
    assert heard[0] == heard[1] == {"ASEL", "ASER", "AWCL", "AWCR", "AWAL", "AWAR"}
    assert heard[2] == {"ASHL", "ASHR", "ASIL", "ASIR"}
    assert heard[3] == {"AFDL", "AFDR"}


def test_motor_classes_have_their_cells() -> None:
    from ludus.agents.worm.brains.connectome import _motor

    counts = [np.count_nonzero(column) for column in _motor().T]
    assert dict(zip(MOTOR, counts, strict=True)) == {"VB": 11, "DB": 7, "VA": 12, "DA": 9}
    assert _motor().sum(0) == pytest.approx(np.ones(4))
