"""Searches angles for the frozen quantum circuit by CMA-ES and prints them with what that cost.

    python scripts/search_circuit.py [--task foraging-small] [--generations 30] [--seed 9]

Each of 20 candidates a generation forages in 12 worlds of foraging-small (combined gradient,
reference rules), the same for all. A candidate is worth its foods, less a little for every step.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from ludus.games.worm import Batch, find_task

CANDIDATES, WORLDS, SIZE, UNSEEN = 20, 12, 12, 600


def chances(angles: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return the chances of the four actions for many circuits at once."""
    n = len(features)
    psi = np.full((n, 2, 2), 0.5, np.complex128)
    turns = angles.reshape(n, 2, 3, 2)
    for layer in range(2):
        for qubit in (0, 1):
            x = features[:, 0] * np.pi - np.pi / 2 + turns[:, layer, 0, qubit]
            y = features[:, 1] * np.pi / 2 + turns[:, layer, 1, qubit]
            z = turns[:, layer, 2, qubit]
            c, s = np.cos(x / 2), np.sin(x / 2)
            rx = np.stack([c, -1j * s, -1j * s, c], -1).reshape(n, 2, 2)
            c, s = np.cos(y / 2), np.sin(y / 2)
            ry = np.stack([c, -s, s, c], -1).reshape(n, 2, 2)
            rz = np.zeros((n, 2, 2), np.complex128)
            rz[:, 0, 0], rz[:, 1, 1] = np.exp(-0.5j * z), np.exp(0.5j * z)
            gate = rz @ ry @ rx
            psi = gate @ psi if qubit == 0 else psi @ gate.transpose(0, 2, 1)
        psi[:, 1, 1] *= -1
    return (np.abs(psi) ** 2).transpose(0, 2, 1).reshape(n, 4)


def played(
    task: str, angles: np.ndarray, seeds: np.ndarray, random: np.random.Generator
) -> dict[str, np.ndarray]:
    """Return the figures of one episode of each circuit, each in its world."""
    n = len(angles)
    batch = Batch(find_task(task), n)
    batch.begin(seeds)
    while not batch.ended.all():
        sums = chances(angles, batch.features).cumsum(1)
        batch.step((random.random((n, 1)) * sums[:, -1:] > sums).sum(1).clip(0, 3).astype(np.int32))
    return batch.figures()


def worth(
    task: str, crowd: np.ndarray, seed: int, random: np.random.Generator
) -> tuple[np.ndarray, int]:
    """Return what each candidate is worth, and how many steps were taken."""
    seeds = np.tile(np.arange(WORLDS) + seed, len(crowd))
    figures = played(task, np.repeat(crowd, WORLDS, axis=0), seeds, random)
    value = figures["foods"] - 0.02 * figures["steps"]
    return value.reshape(-1, WORLDS).mean(1), int(figures["steps"].sum())


def search(task: str, generations: int, seed: int) -> None:
    """Search and print."""
    random = np.random.default_rng(seed)
    mean, spread, covariance = random.normal(0, 1, SIZE), 0.8, np.eye(SIZE)
    path, spread_path = np.zeros(SIZE), np.zeros(SIZE)
    raw = np.log((CANDIDATES + 1) / 2) - np.log(np.arange(1, CANDIDATES // 2 + 1))
    shares = raw / raw.sum()
    mass = 1 / (shares**2).sum()
    slow, fast = (4 + mass / SIZE) / (SIZE + 4 + 2 * mass / SIZE), (mass + 2) / (SIZE + mass + 5)
    one = 2 / ((SIZE + 1.3) ** 2 + mass)
    many = min(1 - one, 2 * (mass - 2 + 1 / mass) / ((SIZE + 2) ** 2 + mass))
    length = np.sqrt(SIZE) * (1 - 1 / (4 * SIZE) + 1 / (21 * SIZE**2))
    steps, began = 0, time.process_time()
    for generation in range(generations):
        values, vectors = np.linalg.eigh(covariance)
        drawn = random.normal(size=(CANDIDATES, SIZE)) * np.sqrt(values) @ vectors.T
        found, taken = worth(task, mean + spread * drawn, 10_000 + generation * WORLDS, random)
        steps += taken
        best = drawn[np.argsort(-found)[: len(shares)]]
        step = shares @ best
        mean = mean + spread * step
        white = vectors @ ((vectors.T @ step) / np.sqrt(values))
        spread_path = (1 - fast) * spread_path + np.sqrt(fast * (2 - fast) * mass) * white
        path = (1 - slow) * path + np.sqrt(slow * (2 - slow) * mass) * step
        ranked = np.einsum("k,ki,kj->ij", shares, best, best)
        covariance = (1 - one - many) * covariance + one * np.outer(path, path) + many * ranked
        spread *= np.exp(fast / (1 + fast) * (np.linalg.norm(spread_path) / length - 1))
        if generation % 10 == 9:
            print(generation + 1, round(float(found.max()), 2), round(float(found.mean()), 2))  # noqa: T201
    wrapped = (mean + np.pi) % (2 * np.pi) - np.pi
    spent = time.process_time() - began
    print(tuple(round(float(a), 4) for a in wrapped))  # noqa: T201
    print(f"{steps:,} environment steps, {spent:.0f} s of processor time")  # noqa: T201
    found = played(task, np.tile(wrapped, (UNSEEN, 1)), 1_000_000 + np.arange(UNSEEN), random)
    index = 2 * found["in_zone"] / found["positions"] - 1
    print(  # noqa: T201
        f"{UNSEEN} unseen worlds: success {found['success'].mean():.3f}, "
        f"{found['steps'].mean():.1f} steps, efficiency {found['efficiency'].mean():.3f}, "
        f"chemotaxis index {index.mean():.3f}"
    )


def main() -> None:
    """Search as told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default="foraging-small")
    parser.add_argument("--generations", type=int, default=30, help="as the published search had")
    parser.add_argument("--seed", type=int, default=9)
    asked = parser.parse_args()
    search(f"{asked.task}@e25+reference", asked.generations, asked.seed)


if __name__ == "__main__":
    main()
