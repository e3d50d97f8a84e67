"""Which calls in a syntax tree need no look at what is called, and which are charged by sizes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ludus.agents.judge.preparing import quick_in_math
from ludus.agents.judge.rules import QUICK_ATTRIBUTES, names

__all__ = ["QUICK_FUNCTIONS", "SIZED_FUNCTIONS", "SIZED_METHODS", "CallSorter"]

QUICK_FUNCTIONS = names(
    "abs bool callable chr float getattr hasattr hash id isinstance issubclass len object ord "
    "property range round setattr slice staticmethod classmethod"
)
"""Built-in functions that take the same short time whatever they get."""

SIZED_FUNCTIONS = names(
    "all any bin bytearray bytes dict divmod enumerate filter format frozenset hex int iter list "
    "map max min next oct pow repr reversed set sorted str sum tuple zip"
)
"""Built-in functions that are charged by the sizes of what they get and return."""

SIZED_METHODS = names(
    "all any argmax argmin argpartition argsort astype clip choose compress conj copy count "
    "cumprod cumsum decode diagonal difference dot encode extend fill find flatten format "
    "index insert intersection issubset issuperset join lower max mean min nonzero partition "
    "prod ptp put ravel remove repeat replace reverse rfind rindex round searchsorted sort "
    "split std strip sum swapaxes symmetric_difference take tobytes tolist trace translate "
    "union update upper var isdisjoint intersection_update difference_update nlargest "
    "nsmallest heapify deepcopy accumulate product permutations combinations shuffle sample "
    "choices"
)
"""Methods and functions of modules that are likely charged by sizes: one step instead of two."""

KNOWN_DECORATORS = names("cache dataclass lru_cache")
"""Decorators whose calls cost what the function or class behind them costs."""

CallKind = Literal["own", "quick", "sized", "unknown"]


@dataclass(frozen=True, slots=True)
class CallSorter:
    """Tells what kind of function a call in one tree leads to.

    Attributes:
        own: Names that nothing but a ``def`` or a simple ``class`` of the tree gives a value.
        methods: Names that are methods in the tree and no attribute that is assigned.
        attributes: Names of attributes that the tree assigns.
        bound: Names that anything in the tree gives a value.
        numpy: Names under which the tree imports NumPy, its modules or its functions.
        math: Names that are nothing but the module ``math``.
        modules: Names that the tree imports.
    """

    own: frozenset[str]
    methods: frozenset[str]
    attributes: frozenset[str]
    bound: frozenset[str]
    numpy: frozenset[str]
    math: frozenset[str]
    modules: frozenset[str]

    @classmethod
    def of(cls, tree: ast.AST) -> CallSorter:
        """Return the sorter of a tree."""
        counted = Counter(name for node in ast.walk(tree) for name in _bound_names(node))
        once = {name for name, times in counted.items() if times == 1 and "*" not in counted}
        simple = _Simple(_imported(tree, "dataclasses", "functools") & once)
        attributes = frozenset(_assigned_attributes(tree))
        modules = frozenset(_all_imported(tree))
        return cls(
            own=frozenset(name for name in simple.names(tree) if name in once),
            methods=frozenset({*simple.methods(tree), *_quick_calls(tree, modules)}) - attributes,
            attributes=attributes,
            bound=frozenset(counted),
            numpy=_imported(tree, "numpy"),
            math=_imported(tree, "math") & once,
            modules=modules,
        )

    def sort(self, function: ast.expr) -> CallKind:
        """Return the kind of what an expression leads to, if it is called."""
        if isinstance(function, ast.Attribute):
            return self._sort_attribute(function)
        if not isinstance(function, ast.Name):
            return "unknown"
        if function.id in self.own:
            return "own"
        if function.id in self.numpy:
            return "sized"
        return self._sort_builtin(function.id)

    def is_builtin(self, name: str) -> bool:
        """Return whether a name stands for the built-in function that is called so."""
        return name not in self.bound and "*" not in self.bound

    def is_quick_in_math(self, function: ast.Attribute) -> bool:
        """Return whether an expression is a function of ``math`` that needs no charge."""
        root = function.value
        known = isinstance(root, ast.Name) and root.id in self.math
        return known and function.attr in quick_in_math()

    def _sort_attribute(self, function: ast.Attribute) -> CallKind:
        root = _root(function)
        if function.attr in self.methods and root not in self.modules:
            return "own"
        sized = function.attr in SIZED_METHODS or root in self.numpy
        return "sized" if sized else "unknown"

    def _sort_builtin(self, name: str) -> CallKind:
        if not self.is_builtin(name):
            return "unknown"
        if name in QUICK_FUNCTIONS:
            return "quick"
        return "sized" if name in SIZED_FUNCTIONS else "unknown"


@dataclass(frozen=True, slots=True)
class _Simple:
    """Finds definitions that make what they say: no unknown decorator, no base class in C."""

    imported: frozenset[str]

    def names(self, tree: ast.AST) -> Iterator[str]:
        """Yield the names of functions and classes."""
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and self._is_simple(node):
                yield node.name

    def methods(self, tree: ast.AST) -> Iterator[str]:
        """Yield the names of functions that stand in classes, if all of that name are simple."""
        found = [
            method
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for method in node.body
            if isinstance(method, ast.FunctionDef)
        ]
        others = {method.name for method in found if not self._is_simple(method)}
        yield from {method.name for method in found} - others

    def _is_simple(self, node: ast.FunctionDef | ast.ClassDef) -> bool:
        inherits = isinstance(node, ast.ClassDef) and (node.bases or node.keywords)
        return not inherits and all(map(self._is_known_decorator, node.decorator_list))

    def _is_known_decorator(self, node: ast.expr) -> bool:
        function = node.func if isinstance(node, ast.Call) else node
        if not isinstance(function, ast.Name):
            return False
        return function.id in KNOWN_DECORATORS and function.id in self.imported


def _assigned_attributes(tree: ast.AST) -> Iterator[str]:
    """Yield the names of attributes that objects or classes are given, but for methods."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            for statement in node.body:
                if not isinstance(statement, ast.FunctionDef):
                    yield from (name for part in ast.walk(statement) for name in _bound_names(part))


def _bound_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node gives a value, or takes it away from."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.split(".")[0]
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _quick_calls(tree: ast.AST, modules: frozenset[str]) -> Iterator[str]:
    """Yield the quick methods of containers that a tree calls."""
    for node in ast.walk(tree):
        function = node.func if isinstance(node, ast.Call) else None
        quick = isinstance(function, ast.Attribute) and function.attr in QUICK_ATTRIBUTES
        if isinstance(function, ast.Attribute) and quick and _root(function) not in modules:
            yield function.attr


def _all_imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.alias):
            yield node.asname or node.name.split(".")[0]


def _imported(tree: ast.AST, *modules: str) -> frozenset[str]:
    """Return the names that a tree imports of some modules, or of modules in them."""
    return frozenset(
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if _source(node, alias).split(".")[0] in modules
    )


def _source(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    return node.module or "" if isinstance(node, ast.ImportFrom) else alias.name


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
