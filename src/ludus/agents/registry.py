"""Agents by the game they play and their name."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "BRAIN_SCHEME",
    "REGISTERED",
    "SCHEMES",
    "RegisteredAgent",
    "explain_unknown",
    "is_model",
    "names",
    "suggest_names",
]


class RegisteredAgent(NamedTuple):
    """Where a registered agent lives and what it does."""

    module: str
    factory: str
    summary: str


REGISTERED: dict[str, dict[str, RegisteredAgent]] = {
    "platformer": {
        "idle": RegisteredAgent("ludus.agents.platformer.idle", "Idle", "presses nothing, ever"),
        "random": RegisteredAgent(
            "ludus.agents.platformer.random", "Random", "holds random buttons, mostly to the right"
        ),
        "forward-jumping": RegisteredAgent(
            "ludus.agents.platformer.forward_jumping",
            "ForwardJumping",
            "runs right and jumps whenever it can",
        ),
        "rule-based": RegisteredAgent(
            "ludus.agents.platformer.rule_based",
            "RuleBased",
            "looks ahead for gaps, walls and creatures and jumps them",
        ),
        "linear": RegisteredAgent(
            "ludus.agents.platformer.linear",
            "Linear",
            "weighs what it sees; an .npz file brings other weights",
        ),
        "astar": RegisteredAgent(
            "ludus.agents.platformer.astar",
            "AStar",
            "plans with the forward model and copes with dead ends; #plain does not",
        ),
        "best-first": RegisteredAgent(
            "ludus.agents.platformer.best_first",
            "BestFirst",
            "plans with the forward model, greedily and a little at a time",
        ),
        "mcts": RegisteredAgent(
            "ludus.agents.platformer.mcts",
            "MonteCarlo",
            "plays ahead at random on the forward model and follows what went well",
        ),
        "state-machine": RegisteredAgent(
            "ludus.agents.platformer.state_machine",
            "StateMachine",
            "runs, jumps, falls, and takes a run-up where it is stuck",
        ),
        "subsumption": RegisteredAgent(
            "ludus.agents.platformer.subsumption",
            "Subsumption",
            "asks layers of behaviour, of which the higher overrule the lower",
        ),
        "hill-climber": RegisteredAgent(
            "ludus.agents.platformer.hill_climber",
            "HillClimber",
            "learns a level by heart: keeps its best play and changes it",
        ),
        "realm": RegisteredAgent(
            "ludus.agents.platformer.realm",
            "Realm",
            "has 20 evolved rules choose plans, which a search carries out",
        ),
        "behaviour-tree": RegisteredAgent(
            "ludus.agents.platformer.behaviour_tree",
            "BehaviourTree",
            "follows a tree of behaviours that grammatical evolution has grown",
        ),
        "policy": RegisteredAgent(
            "ludus.agents.platformer.policy",
            "Policy",
            "plays what it was trained to; comes from an .npz file of 'ludus train'",
        ),
        "ppo-1m": RegisteredAgent(
            "ludus.agents.platformer.shipped",
            "PpoOneMillion",
            "learned the first level of each world, a million decisions each",
        ),
        "ppo-all": RegisteredAgent(
            "ludus.agents.platformer.shipped",
            "PpoAll",
            "learned all 32 levels, 40 million decisions after those of ppo-unseen",
        ),
        "ppo-unseen": RegisteredAgent(
            "ludus.agents.platformer.shipped",
            "PpoUnseen",
            "learned 10,000 generated levels, 100 million decisions",
        ),
        "forward": RegisteredAgent(
            "ludus.agents.platformer.players_2009",
            "Forward",
            "walks right, jumps at walls and gaps; a player of the 2009 competition",
        ),
        "scared": RegisteredAgent(
            "ludus.agents.platformer.players_2009",
            "Scared",
            "jumps at every edge; a player of the 2009 competition",
        ),
        "scared-speedy": RegisteredAgent(
            "ludus.agents.platformer.players_2009",
            "ScaredSpeedy",
            "runs and jumps at every edge; a player of the 2009 competition",
        ),
        "run-right": RegisteredAgent(
            "ludus.agents.platformer.run_right",
            "RunRight",
            "holds right and speed; a player of the 2010 benchmark",
        ),
        "q-learning": RegisteredAgent(
            "ludus.agents.platformer.q_learning",
            "QLearning",
            "does what has paid best in states like this one; learns by playing",
        ),
        "neuro-evolution": RegisteredAgent(
            "ludus.agents.platformer.neuro_evolution",
            "NeuroEvolution",
            "a small network with evolved weights; learns by playing",
        ),
        "genetic-programming": RegisteredAgent(
            "ludus.agents.platformer.genetic_programming",
            "GeneticProgramming",
            "a bred program that looks at cells; learns by playing",
        ),
        "cuckoo-search": RegisteredAgent(
            "ludus.agents.platformer.cuckoo_search",
            "CuckooSearch",
            "looks its moves up, else jumps forward; learns by playing",
        ),
        "imitation": RegisteredAgent(
            "ludus.agents.platformer.imitation",
            "Imitation",
            "does what a planner would do in such a place",
        ),
        "random-2009": RegisteredAgent(
            "ludus.agents.platformer.players_2009",
            "Random2009",
            "throws a coin for every button, as that of the 2009 competition",
        ),
    },
    "guest": {
        "random": RegisteredAgent(
            "ludus.agents.guest.random", "Random", "takes any action, all alike"
        ),
    },
    "diplomacy": {
        "hold": RegisteredAgent(
            "ludus.games.diplomacy.bots.simple", "Hold", "holds with every unit"
        ),
        "random": RegisteredAgent("ludus.games.diplomacy.bots.simple", "Random", "any legal order"),
        "consistent-random": RegisteredAgent(
            "ludus.games.diplomacy.bots.simple",
            "ConsistentRandom",
            "random orders that fit together",
        ),
        "easy": RegisteredAgent(
            "ludus.games.diplomacy.bots.easy", "Easy", "takes what lies next, never supports"
        ),
        "dumb": RegisteredAgent(
            "ludus.games.diplomacy.bots.dumb",
            "Dumb",
            "weighs places as the classic DumbBot does; #aggressive attacks together",
        ),
        "search": RegisteredAgent(
            "ludus.games.diplomacy.bots.search",
            "Search",
            "tries plans against guesses of what others do",
        ),
        "regret": RegisteredAgent(
            "ludus.games.diplomacy.bots.search",
            "Regret",
            "matches regrets over plans, against others that adapt",
        ),
    },
    "worm": {
        "random-walk": RegisteredAgent(
            "ludus.agents.worm.random_walk", "RandomWalk", "turns now and then, smells nothing"
        ),
        "klinokinesis": RegisteredAgent(
            "ludus.agents.worm.klinokinesis",
            "Klinokinesis",
            "turns more often when the smell of food fades",
        ),
        "gradient": RegisteredAgent(
            "ludus.agents.worm.gradient", "Gradient", "always turns up the sensed gradient"
        ),
        "brain": RegisteredAgent(
            "ludus.agents.worm.brain",
            "TrainedBrain",
            "two qubits with found angles; an .npz file brings a trained brain",
        ),
        "run-and-tumble": RegisteredAgent(
            "ludus.agents.worm.run_and_tumble",
            "RunAndTumble",
            "tumbles when the smell fades, veers to the better side",
        ),
    },
}

BRAIN_SCHEME = "own-brain"
"""The scheme of a brain that learns in the sandbox, followed by ``file.py:Class``."""

SCHEMES = {
    "llm": ("ludus.agents.llm.players", "from_spec"),
    "object": ("ludus.agents.objects", "from_spec"),
    BRAIN_SCHEME: ("ludus.learning.worm.confined_brain", "from_spec"),
    "sb3": ("ludus.agents.platformer.sb3", "from_spec"),
    "torch": ("ludus.agents.platformer.sb3", "from_spec"),
}
"""Specs of the form ``scheme:…``: the function that makes an agent of one."""


def is_model(spec: str) -> bool:
    """Return whether a spec names a language model.

    Example:
        >>> is_model("llm:smol@http://127.0.0.1:8080/v1"), is_model("astar")
        (True, False)
    """
    return spec.startswith("llm:")


def names(game: str | None = None) -> dict[str, str]:
    """Return the registered agents of a game, or of all, with one line on what each does."""
    families = REGISTERED.values() if game is None else [REGISTERED.get(game, {})]
    registered = {name: agent.summary for agents in families for name, agent in agents.items()}
    plugins = {entry.name: f"from {entry.module}" for entry in entry_points(group="ludus.agents")}
    return registered | plugins


def suggest_names(name: str, game: str) -> str:
    """Return a hint for a name that is not registered: the likeliest one, and all there are."""
    offered = names(game)
    close = get_close_matches(name, offered, n=1)
    elsewhere = [other for other, agents in REGISTERED.items() if name in agents]
    hint = f"did you mean {close[0]!r}? " if close else ""
    if elsewhere and not close:
        hint = f"it plays {elsewhere[0]}, not {game}; "
    return f"{hint}there are {', '.join(offered)}; "


def explain_unknown(spec: str, game: str) -> str:
    """Return why a spec names no agent, and what to try."""
    if spec.endswith(".py"):
        return f"agent {spec!r} names no class: try {spec}:Agent"
    if Path(spec).is_file():
        return f"agent {spec!r} may not be executed: try chmod +x, and ./ before its name"
    if "/" in spec:
        return f"no agent {spec[:200]!r}: there is no such file"
    return f"no agent {spec!r}; {suggest_names(spec, game)}or name one as file.py:Class"
