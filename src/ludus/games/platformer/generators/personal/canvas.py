"""A level that is being drawn: the height of its ground, and what stands on it or hangs above."""

from __future__ import annotations

from ludus.games.platformer.levels.level import Level

__all__ = ["FLOOR", "HEIGHT", "HIGHEST", "LEAD", "RUN_OUT", "Canvas"]

HEIGHT = 15
FLOOR = 13
"""The row of the lowest ground."""

HIGHEST = 9
"""The row of the highest ground."""

LEAD, RUN_OUT = 10, 14
"""So many columns at the start and at the end stay even and empty."""

EXIT_FROM_END = 8
REACH = 4
"""Blocks hang so many rows above the ground that a small Mario hits them."""


class Canvas:
    """A level that is being drawn, from even ground on.

    Attributes:
        width: Columns.
        ground: The row of each column's surface; ``HEIGHT`` where there is none.
        cells: What is in the air, by column and row, in the characters of level texts.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.ground = [FLOOR] * width
        self.cells: dict[tuple[int, int], str] = {}

    @property
    def end(self) -> int:
        """The first column of the run-out."""
        return self.width - RUN_OUT

    def raise_ground(self, start: int, end: int, row: int) -> None:
        """Let the ground of these columns begin in a row; in the lead and the run-out it stays."""
        row = max(HIGHEST, min(FLOOR, row))
        for x in range(max(start, LEAD), min(end, self.end)):
            self.ground[x] = row

    def dig(self, start: int, width: int) -> None:
        """Take the ground of some columns away."""
        for x in range(max(start, LEAD), min(start + width, self.end)):
            self.ground[x] = HEIGHT

    def has_ground(self, start: int, width: int = 1) -> bool:
        """Whether columns of the drawn part have even ground with nothing on it."""
        columns = range(start, start + width)
        if start < LEAD or start + width > self.end:
            return False
        rows = {self.ground[x] for x in columns}
        return rows.isdisjoint({HEIGHT}) and len(rows) == 1 and not any(map(self._is_full, columns))

    def _is_full(self, x: int) -> bool:
        return any((x, row) in self.cells for row in range(self.ground[x] - 3, self.ground[x]))

    def put(self, x: int, row: int, sign: str) -> bool:
        """Put a character into an empty cell above the ground; whether it was done."""
        inside = LEAD <= x < self.end and 0 < row < self.ground[x]
        if inside and (x, row) not in self.cells:
            self.cells[x, row] = sign
            return True
        return False

    def put_enemy(self, x: int, sign: str) -> bool:
        """Let a creature begin on the ground of a column; whether there is room."""
        return self.has_ground(x) and self.put(x, self.ground[x] - 1, sign)

    def put_pipe(self, x: int, tall: int, flower: bool = False) -> bool:
        """Put a pipe of two columns on even ground; whether there is room."""
        if not self.has_ground(x - 1, 4):
            return False
        top = self.ground[x] - tall
        for row in range(top, self.ground[x]):
            self.put(x, row, "T" if flower and row == top else "t")
            self.put(x + 1, row, "t")
        return True

    def put_cannon(self, x: int, tall: int) -> bool:
        """Put a cannon on even ground; whether there is room."""
        if not self.has_ground(x - 1, 3):
            return False
        for row in range(self.ground[x] - tall, self.ground[x]):
            self.put(x, row, "*")
        return True

    def put_hill(self, start: int, width: int, tall: int) -> bool:
        """Put a hill that can be jumped through on even ground; whether there is room."""
        if width < 3 or not self.has_ground(start, width):
            return False
        top = self.ground[start] - tall
        for x in range(start, start + width):
            self.put(x, top, "%")
            for row in range(top + 1, self.ground[x]):
                self.put(x, row, "|")
        return True

    def put_blocks(self, start: int, signs: str) -> bool:
        """Hang a row of blocks above even ground; whether there is room."""
        if not self.has_ground(start, len(signs)):
            return False
        row = self.ground[start] - REACH
        if any((start + k, row - 1) in self.cells for k in range(len(signs))):
            return False
        for x, sign in enumerate(signs, start):
            self.put(x, row, sign)
        return True

    def put_coins(self, start: int, width: int, above: int = 2) -> None:
        """Hang a row of coins over the ground, or over a gap at the height of its left edge."""
        edge = next((r for r in reversed(self.ground[: start + 1]) if r != HEIGHT), FLOOR)
        for x in range(start, min(start + width, self.end)):
            self.put(x, min(edge, self.ground[x]) - above, "o")

    def stairs(self, start: int, tall: int, down: bool = False) -> None:
        """Put stairs of blocks on even ground, one step a column."""
        for step in range(tall):
            x = start + step
            for row in range(tall - step if down else step + 1):
                self.put(x, self.ground[x] - 1 - row, "#")

    def find_gaps(self) -> list[tuple[int, int]]:
        """Return first column and width of each gap."""
        gaps: list[tuple[int, int]] = []
        for x, row in enumerate(self.ground):
            if row != HEIGHT:
                continue
            if gaps and sum(gaps[-1]) == x:
                gaps[-1] = gaps[-1][0], gaps[-1][1] + 1
            else:
                gaps.append((x, 1))
        return gaps

    def fill(self, start: int, width: int) -> None:
        """Fill columns of a gap with the ground of its left edge."""
        for x in range(start, start + width):
            self.ground[x] = self.ground[start - 1]
            for row in range(self.ground[x], HEIGHT):
                self.cells.pop((x, row), None)

    def to_level(self) -> Level:
        """Return the level: of the rules of 2009, with 200 seconds on the clock."""
        rows = [["-"] * self.width for _ in range(HEIGHT)]
        for x, top in enumerate(self.ground):
            for row in range(top, HEIGHT):
                rows[row][x] = "X"
        for (x, row), sign in self.cells.items():
            rows[row][x] = sign
        exit_column = self.width - EXIT_FROM_END
        rows[self.ground[2] - 1][2] = "M"
        rows[self.ground[exit_column] - 1][exit_column] = "F"
        text = "\n".join("".join(row) for row in rows)
        return Level.parse(text, rules="2009", time_limit=200)
