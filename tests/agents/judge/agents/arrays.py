"""The work of agents that use NumPy."""

import numpy as np


def network(n: int) -> float:
    rng = np.arange(32 * 16, dtype=np.float64).reshape(32, 16) / 500
    state = np.ones(16)
    for _ in range(n):
        hidden = np.tanh(rng @ state)
        state = hidden[:16] * 0.5 + np.maximum(hidden[16:], 0) + 0.1
        state = state / (1 + np.abs(state).sum())
    return round(float(state.sum()), 6)


def windows(n: int) -> float:
    grid = np.zeros((16, 16), dtype=np.int32)
    total = 0
    for k in range(n):
        grid[k % 16, (k * 7) % 16] = k % 5
        rows, columns = np.nonzero(grid)
        total += int(grid[rows, columns].sum()) + int((grid > 2).any())
    return total


WORK = [network, windows]
