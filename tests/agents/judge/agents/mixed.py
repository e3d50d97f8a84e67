# mypy: ignore-errors
"""Small pieces of work, one a kind of code, each a function of a size that returns a number."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush


def loops(n: int) -> float:
    total = 0.0
    for i in range(n):
        for j in range(20):
            if (i * j) % 3 == 0:
                total += math.sqrt(i + j)
            elif j > 10:
                total -= j * 0.5
            else:
                total += 1
    return total


def recursion(n: int) -> float:
    def fib(k):
        if k < 2:
            return k
        return fib(k - 1) + fib(k - 2)

    return sum(fib(12) for _ in range(max(n // 20, 1)))


def comprehensions(n: int) -> float:
    grid = [[(x * y) % 7 for x in range(20)] for y in range(n // 2 + 1)]
    flat = {(x, y): v for y, row in enumerate(grid) for x, v in enumerate(row) if v}
    return sum(flat.values()) + len({v % 3 for v in flat.values()})


def generators(n: int) -> float:
    def numbers(limit):
        k = 0
        while k < limit:
            sent = yield k * 3 % 11
            k += 1 if sent is None else sent

    def chained(limit):
        yield from numbers(limit)
        yield from (x + 1 for x in numbers(limit))

    return sum(chained(n * 5))


@dataclass
class Point:
    x: float
    y: float

    def moved(self, dx, dy):
        return Point(self.x + dx, self.y + dy)

    @property
    def length(self):
        return math.hypot(self.x, self.y)


def classes(n: int) -> float:
    point = Point(0.0, 0.0)
    for k in range(n * 4):
        point = point.moved(k % 3 - 1, 0.5)
        if point.length > 50:
            point = Point(0.0, 0.0)
    return round(point.length, 6)


def exceptions(n: int) -> float:
    caught = 0
    for k in range(n * 5):
        try:
            if k % 7 == 0:
                raise ValueError(k)
            if k % 11 == 0:
                [][k]
        except ValueError as error:
            caught += error.args[0] % 2
        except IndexError:
            caught += 1
        finally:
            caught += 1
    return caught


def closures(n: int) -> float:
    def make(step):
        count = 0

        def add(value):
            nonlocal count
            count += value * step
            return count

        return add

    adders = [make(k) for k in range(5)]
    return sum(adder(k) for k in range(n) for adder in adders) + (lambda x: x * 2)(n)


def executed(n: int) -> float:
    space = {}
    source = "def f(x):\n    t = 0\n    for i in range(x):\n        t += i % 5\n    return t\n"
    exec(compile(source, "<text>", "exec"), space)
    return space["f"](n * 10) + eval("sum([k * k for k in range(m)])", {"m": n, "sum": sum})


def strings(n: int) -> float:
    words = [f"w{k % 13}:{k:03d}" for k in range(n * 3)]
    text = " ".join(sorted(words))
    return len(text.replace("w1", "x").split(" ")) + text.count("w")


def search(n: int) -> float:
    width = 12
    queue, seen = [(0, (0, 0))], {(0, 0): 0}
    for _ in range(n):
        if not queue:
            queue, seen = [(0, (0, 0))], {(0, 0): 0}
        cost, (x, y) = heappop(queue)
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            place = (x + dx, y + dy)
            if (
                not (0 <= place[0] < width and 0 <= place[1] < width)
                or (place[0] * place[1]) % 5 == 4
            ):
                continue
            if place not in seen or seen[place] > cost + 1:
                seen[place] = cost + 1
                heappush(queue, (cost + 1, place))
    return len(seen)


def memo(n: int) -> float:
    @cache
    def ways(k):
        return 1 if k < 2 else ways(k - 1) + ways(k - 2)

    return sum(ways(k % 50) % 97 for k in range(n * 3))


def queues(n: int) -> float:
    line, total = deque(range(10)), 0
    while n > 0:
        head = line.popleft()
        line.append(head * 3 % 17)
        total += head
        n -= 1
        match head % 4:
            case 0:
                total += 2
            case 1 | 2:
                total -= 1
            case _:
                pass
    return total


def decorated(n: int) -> float:
    def twice(function):
        def inner(*args, **kwargs):
            return function(*args, **kwargs) + function(*args, **kwargs)

        return inner

    @twice
    def triangle(k, *, start=0):
        total = start
        while k:
            total, k = total + k, k - 1
        return total

    return sum(triangle(k % 9, start=k) for k in range(n))


WORK = [
    loops, recursion, comprehensions, generators, classes, exceptions, closures, executed, strings,
    search, memo, queues, decorated,
]  # fmt: skip
