"""The console: a cartridge whose header is bytes, a memory of bytes, an answer of four."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class ROM:
    """A cartridge; its size overflows a byte."""

    @property
    def header(self) -> NDArray[np.uint8]:
        return np.array([78, 69, 83, 26, 2], np.uint8)

    @property
    def size(self) -> Any:
        return self.header[4] * 2**10


class NESEnv:
    """A console whose memory holds a position of two bytes and the buttons pressed last."""

    def __init__(self) -> None:
        self.size = ROM().size
        self.screen = np.zeros((240, 256, 3), np.uint8)
        self.ram: Any = self._ram_buffer()
        self.closed = False

    def _ram_buffer(self) -> NDArray[np.uint8]:
        return np.zeros(2048, np.uint8)

    def reset(self) -> NDArray[np.uint8]:
        self.ram[0], self.ram[1], self.ram[2] = 1, 0, 3
        return self.screen

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, dict[str, Any]]:
        if self.ram[1] == 255:
            self.ram[0], self.ram[1] = self.ram[0] + 1, 0
        else:
            self.ram[1] = self.ram[1] + bool(action & 128)
        self.screen[:] = self.ram[1]
        return self.screen, 1.0, False, self._get_info()

    def _get_info(self) -> dict[str, Any]:
        raise NotImplementedError

    def close(self) -> None:
        self.closed = True
