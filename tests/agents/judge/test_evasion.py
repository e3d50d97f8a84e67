"""Ways around the counter: each is refused, or costs what it costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludus.agents.judge import _counter
from ludus.agents.judge.loading import JudgedCode
from ludus.agents.judge.rules import names
from ludus.errors import AgentError

REFUSALS = (
    AgentError,
    ImportError,
    AttributeError,
    TypeError,
    PermissionError,
    NameError,
    KeyError,
    ValueError,
)

HIDDEN_FRAMES = {
    "code of a function": "(lambda: 0).__code__",
    "globals of a function": "import random\nrandom.choice.__globals__",
    "frame of a generator": "g = (x for x in [1])\ng.gi_frame",
    "frame of a coroutine": "async def f(): pass\nf().cr_frame",
    "frame of a traceback": "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__",
    "owner of a builtin": "len.__self__",
    "all classes": "().__class__.__base__.__subclasses__()",
    "order of classes": "int.mro()",
    "space of a class": "type.__dict__",
    "space of a class by vars": "vars(type)['__subclasses__']",
    "attribute by its name": "getattr(int, '__ba' + 'se__')",
    "attribute by a lookup": "object.__getattribute__",
    "attribute by a getter": "import operator\noperator.attrgetter('__class__')",
    "attribute by a formatter": "import string\nstring.Formatter()",
    "attribute by a pattern": "match len:\n    case object(__self__=b):\n        b",
    "attribute by places of a pattern": "class F:\n    pass\nmatch 1:\n    case F(g):\n        g",
    "names of places": "class F:\n    __match_args__ = ('__globals__',)",
    "attribute by wraps": "import functools\nfunctools.wraps(len, assigned=('__self__',))(len)",
    "reduction": "(1).__reduce_ex__(2)",
}
MODULES = {
    name: f"import {name}"
    for name in sorted(
        names(
            "ctypes os sys gc inspect types importlib subprocess multiprocessing socket signal "
            "pickle marshal mmap _thread builtins code traceback numpy.ctypeslib cffi "
            "ludus.execution ludus.agents.judge._counter"
        )
    )
}
OTHER_WAYS = {
    "import by its function": "__import__('os')",
    "import by the builtins": "globals()['__builtins__']['__import__']('os')",
    "import as C code does": (
        "f = globals()['__builtins__']['__import__']\n"
        "f('os', globals(), globals(), ['__doc__'], 0).system"
    ),
    "module in a module": "import random\nrandom._os",
    "module in NumPy": "import numpy as np\nnp.lib.format",
    "executed import": "exec('import os')",
    "evaluated attribute": "eval('().__class__.__mro__')",
    "compiled import": "exec(compile('import os', 'x', 'exec'))",
    "code made by hand": "type(compile('1', 'x', 'eval'))(0, 0, 0, 0, 0, 0, b'')",
    "profiler": "import threading\nthreading.setprofile(None)",
    "evaluated annotations": "import typing\ntyping.get_type_hints",
    "memory by a file": "open('/proc/self/mem', 'r+b')",
    "file outside": "open('../secret.txt')",
    "file written": "open('x', 'w')",
    "memory by NumPy": "import numpy as np\nnp.memmap",
    "memory by an interface": "class A:\n    __array_interface__ = {}",
    "unpickled array": "import numpy as np\nnp.load",
    "address of an array": "import numpy as np\nnp.zeros(1).ctypes",
    "finaliser": "class A:\n    def __del__(self):\n        pass",
    "debugger": "breakpoint()",
    "forged array": (
        "import numpy as np\n"
        "class A:\n"
        "    def __getattr__(self, name):\n"
        "        return {'shape': (1,), 'typestr': '<i8', 'data': (4096, False), 'version': 3}\n"
        "assert np.asarray(A()).dtype == object\n"
        "A().__array_interface__"
    ),
    "forged array by a lambda": "class A:\n    __getattr__ = lambda self, name: {}",
    "forged array by a decorator": (
        "class A:\n    @(lambda f: f)\n    def __getattr__(self, name):\n        return {}"
    ),
    "forged array by many names": "class A:\n    def __getattr__(*names):\n        return {}",
    "forged array by an enumeration": (
        "from enum import Enum\nEnum('E', {'__array_interface__': {}, 'a': 1})"
    ),
    "forged array by a slot": (
        "class A:\n    __slots__ = ('__array_interface__',)\n"
        "setattr(A(), '__array_interface__', {})"
    ),
    "class without a statement": "type('A', (), {'__reduce_ex__': len})",
    "class of classes": "class M(type):\n    pass",
    "class of classes by a class": "type(int)('A', (), {})",
    "class of classes by a keyword": "class A(metaclass=type):\n    pass",
    "class of an object": "(1).__class__",
    "code replaced by a copy": (
        "import copy\nclass A:\n    def __reduce_ex__(self, n):\n"
        "        return (lambda: getattr, (), (None, {'__code__': compile('1', '', 'eval')}))"
    ),
    "state of a copy": "class A:\n    def __setstate__(self, s):\n        pass",
    "dangling array": "import numpy as np\nnp.zeros(9).resize(1, refcheck=False)",
    "namespace of a class": "class A:\n    locals()['__del__'] = len\nA.__del__",
    "namespace of an object": ("class A:\n    pass\na = A()\nvars(a)['x'] = 1\na.x"),
    "module changed": "import math\nmath.sqrt = len",
    "method and value": ("class A:\n    def go(self):\n        pass\nsetattr(A(), 'go', sorted)"),
    "huge number": "0x" + "f" * 5000,
    "pattern without end": "import re",
    "numbers without end": "import decimal",
    "random number without end": "import random\nrandom.getrandbits(10**9)",
    "factorial": "import math\nmath.factorial(10**6)",
    "iterator in C": "[1].__iter__()",
    "product in C": "(2).__mul__(3)",
    "thread of C": "import threading\nthreading._start_new_thread",
    "thread without a count": "import threading\nthreading.Timer(0, len)",
    "sleep": "import time\ntime.sleep(1)",
    "counter": "from ludus.agents.judge import _counter",
    "referee's engine": "from ludus.games.platformer import World",
    "meter": "import ludus.games.platformer._native",
    "builtins removed": "globals()['__builtins__'].clear()\nlen([])",
}


@pytest.mark.parametrize("way", [*HIDDEN_FRAMES, *MODULES, *OTHER_WAYS])
def test_way_around_is_refused(way: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "agent"
    folder.mkdir()
    file = folder / "agent.py"
    file.write_text((HIDDEN_FRAMES | MODULES | OTHER_WAYS)[way])
    with pytest.raises(REFUSALS):
        JudgedCode(folder).load(file)


def test_control_is_taken_once(control: _counter.Control) -> None:
    with pytest.raises(RuntimeError, match="controlled already"):
        _counter.take_control()


def test_cost_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        _counter.tick(-1)


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n        try:\n            work()\n        except:\n            pass",
        "while True:\n        try:\n            work()\n        finally:\n            continue",
        "for _ in range(10**9):\n        try:\n            work()\n        except:\n            0",
        "work = lambda: [x for x in range(10**9)]\n    work()",
        "[work() for _ in range(10**9)]",
        "any(x < 0 for x in range(10**9))",
        "sum(range(10**9))",
        "list(range(10**9))",
        "10**10**8",
        "1 << 10**10",
        "[0] * 10**10",
        "'a' * 10**11",
        "10**10 * [0]",
        "10**11 * 'a'",
        "exec('while True: pass')",
        "recurse = lambda n: recurse(n + 1) if n < 900 else 0\n    while True:\n        recurse(0)",
        "total = sum\n    total(range(10**9))",
        "[*range(10**9)]",
        "first, *rest = range(10**9)",
        "print(*range(10**9))",
        "{**dict.fromkeys(range(10**6))}",
        "import itertools; sum(itertools.repeat(1, 10**9))",
        "import itertools; from collections import deque\n    deque(itertools.count(), 0)",
        "import itertools; list(itertools.product(range(99), repeat=9))",
        "next(filter(None, iter(int, 1)))",
        "max(map(abs, range(10**9)))",
        "list(zip(range(10**9), range(10**9)))",
        "big = [*range(1000)]\n    while True:\n        sorted(big, key=[big, big].count)",
        "import functools; functools.reduce(max, range(10**9))",
        "import functools; functools.partial(sum)(range(10**9))",
        "import functools; functools.cache(sum)(range(10**9))",
        "big = list(range(9000))\n    f = {'g': sorted}\n    while True:\n        f['g'](big)",
        "class A(list):\n        pass\n    A(range(10**9))",
        "dict.fromkeys(range(10**9))",
        "import copy; big = [[k] for k in range(999)]\n    while True:\n        copy.deepcopy(big)",
        "import random; random.choices([1], k=10**6)",
        "import numpy as np; a = np.ones((200, 200))\n    while True:\n        a.dot(a)",
        "import numpy as np; f = np.sort\n    while True:\n        f(np.ones(10**5))",
        "x = 3\n    while True:\n        try:\n            x *= x\n        except: x = 3",
    ],
)
def test_no_handler_goes_on_after_the_budget(
    body: str, tmp_path: Path, control: _counter.Control
) -> None:
    file = tmp_path / "agent.py"
    file.write_text(
        f"def work():\n    return sum([k for k in range(10)])\n\n\ndef act():\n    {body}\n"
    )
    control.reset(None)
    act = JudgedCode(tmp_path).load(file).act
    control.reset(100_000)
    with pytest.raises(_counter.OverBudget):
        act()
    assert control.read() > 100_000


@pytest.mark.parametrize(
    "body", ["x = x * x", "x *= x", "x = x ** 9", "x = x << 999", "x = pow(x, 9)"]
)
def test_numbers_do_not_grow_without_end(body: str, tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(f"def act(x=3):\n    for _ in range(40):\n        {body}\n")
    with pytest.raises(OverflowError, match="bits"):
        JudgedCode(tmp_path).load(file).act()


def test_extension_in_c_is_no_module_of_an_agent(tmp_path: Path) -> None:
    extension = Path(_counter.__file__ or "")
    (tmp_path / f"fast{''.join(extension.suffixes)}").write_bytes(extension.read_bytes())
    file = tmp_path / "agent.py"
    file.write_text("import fast\n")
    with pytest.raises(ImportError, match="'fast' is not for judged agents"):
        JudgedCode(tmp_path).load(file)


def test_two_modules_cannot_hide_a_call(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("class Other:\n    go = sorted\n")
    file = tmp_path / "agent.py"
    file.write_text("class A:\n    def go(self):\n        pass\nimport helper\n")
    with pytest.raises(AgentError, match="'go' is a method in one module and a value in another"):
        JudgedCode(tmp_path).load(file)


def test_nothing_runs_while_the_counter_is_closed(
    tmp_path: Path, control: _counter.Control
) -> None:
    file = tmp_path / "agent.py"
    file.write_text("def act():\n    return 1\n")
    act = JudgedCode(tmp_path).load(file).act
    control.close()
    with pytest.raises(_counter.OverBudget, match="no decision is asked for"):
        act()


def test_names_that_are_assigned_do_not_count_less(
    tmp_path: Path, control: _counter.Control
) -> None:
    plain, sly = tmp_path / "plain.py", tmp_path / "sly.py"
    loop = "def act():\n    for k in range(100):\n        k * k\n"
    plain.write_text(loop)
    sly.write_text("tick = count = lambda *a: a[0]\nglobals()['tick'] = tick\n" + loop)
    units = []
    for file in (plain, sly):
        act = JudgedCode(tmp_path).load(file).act
        control.reset(None)
        act()
        units.append(control.read())
    assert units[0] == units[1] > 100
