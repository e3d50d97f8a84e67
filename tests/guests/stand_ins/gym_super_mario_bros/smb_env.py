"""The game; its position is 256 times one byte and another, which bytes cannot hold."""

from __future__ import annotations

from typing import Any

from nes_py.nes_env import NESEnv


class SuperMarioBrosEnv(NESEnv):  # type: ignore[misc] # found by tests alone
    def __init__(self, target: tuple[int, int] | None = None) -> None:
        super().__init__()
        self.target = target or (1, 1)
        self.reset()

    def _get_info(self) -> dict[str, Any]:
        world, stage = self.target
        x = self.ram[0] * 0x100 + self.ram[1]
        return {"x_pos": x, "world": world, "stage": stage, "coins": 0, "time": 400, "life": 2}
