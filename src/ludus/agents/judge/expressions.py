"""Expressions that count: what they do for every item, by size or in C is charged."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ludus.agents.judge.calls import CallSorter
from ludus.agents.judge.costs import LOOP_COST, cost_of_expression

__all__ = [
    "FIRST_IN_PLACE",
    "GROWING",
    "IN_PLACE",
    "OPERATORS",
    "Block",
    "ExpressionRewriter",
    "is_small_number",
]

COST_BITS = 24
SMALL_NUMBER = 1000
MOST_COST = (1 << COST_BITS) - 1

OPERATORS: tuple[type[ast.operator], ...] = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift,
    ast.BitOr, ast.BitXor, ast.BitAnd, ast.MatMult,
)  # fmt: skip
"""The operators, in the order of the counter's table."""

FIRST_IN_PLACE = len(OPERATORS)
IN_PLACE = OPERATORS[:6]
GROWING = (ast.Mult, ast.Pow, ast.LShift, ast.MatMult)
"""Operators whose result may be far larger than what goes in: charged by size everywhere."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of code that is charged at once.

    Attributes:
        function: The function it stands in, with those around it, such as ``Agent.act``.
        line: Its first line.
        cost: What it costs each time.
        file: The file it stands in.
    """

    function: str
    line: int
    cost: int
    file: str = ""


@dataclass
class ExpressionRewriter:
    """Puts calls of the counters into expressions.

    Attributes:
        marks: What stands for each function of the counter, each built-in one and those of math.
        calls: What the tree calls and assigns.
        file: Where the tree stands.
        first_block: The number of the first block if a profile is taken; 0 if none is.
        blocks: The blocks so far.
        inside: The functions and classes around the place.
    """

    marks: Mapping[str, str]
    calls: CallSorter
    file: str
    first_block: int
    blocks: list[Block] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def _rewrite_expressions(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self._expression(value))
            elif isinstance(value, list):
                items = [self._expression(v) if isinstance(v, ast.expr) else v for v in value]
                setattr(node, name, items)
                for item in items:
                    if isinstance(item, ast.AST) and not isinstance(item, ast.expr):
                        self._rewrite_expressions(item)

    def _rewrite_defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = list(map(self._expression, arguments.defaults))
        arguments.kw_defaults = [d and self._expression(d) for d in arguments.kw_defaults]

    # Expressions

    def _expression(self, node: ast.expr) -> ast.expr:
        """Return an expression that charges what it does for every item or by size."""
        if isinstance(node, ast.Lambda):
            self._rewrite_defaults(node.args)
            cost = cost_of_expression(node.body)
            node.body = self._ticking(self._expression(node.body), cost, node.body)
            return node
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            self._comprehension(node.generators, [node.elt])
            node.elt = self._expression(node.elt)
            return node
        if isinstance(node, ast.DictComp):
            self._comprehension(node.generators, [node.key, node.value])
            node.key, node.value = self._expression(node.key), self._expression(node.value)
            return node
        self._rewrite_expressions(node)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.BinOp) and self._operates_on_sizes(node):
            if isinstance(node.op, ast.Mult):
                return self._call("multiply", [node.left, node.right], node)
            operation = ast.Constant(OPERATORS.index(type(node.op)))
            return self._call("operate", [operation, node.left, node.right], node)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            return self._containment(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self._slicing(node, node.slice)
        if self.calls.numpy and _may_make_array(node):
            return self._call("array", [node], node)
        if isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load):
            node.value = self._call("sized", [node.value], node)
        if isinstance(node, ast.Dict):
            self._charge_for_merged(node)
        return node

    def _comprehension(self, generators: list[ast.comprehension], parts: list[ast.expr]) -> None:
        """Charge each generator of a comprehension for its items; the last one for the elements."""
        for k, generator in enumerate(generators):
            cost = LOOP_COST + sum(map(cost_of_expression, generator.ifs))
            if k + 1 < len(generators):
                cost += cost_of_expression(generators[k + 1].iter)
            else:
                cost += sum(map(cost_of_expression, parts))
            generator.ifs = list(map(self._expression, generator.ifs))
            iterable = self._expression(generator.iter)
            where = generator.iter
            generator.iter = (
                iterable if generator.is_async else self._counted(iterable, cost, where)
            )

    def _decorator(self, node: ast.expr) -> ast.expr:
        plain = isinstance(node, ast.Name) and self.calls.is_builtin(node.id)
        return node if plain else self._checked(self._expression(node))

    def _called(self, node: ast.Call) -> ast.expr:
        """Return a call whose function counts itself or is charged by sizes."""
        kind = self.calls.sort(node.func)
        for keyword in node.keywords:
            if keyword.arg is None:
                keyword.value = self._call("sized", [keyword.value], node)
        if isinstance(node.func, ast.Name) and self.calls.is_builtin(node.func.id):
            node.func = self._builtin(node.func)
        if isinstance(node.func, ast.Attribute) and self.calls.is_quick_in_math(node.func):
            node.func = ast.copy_location(ast.Constant(self.marks[f"math {node.func.attr}"]), node)
            return node
        if kind == "sized" and not self.first_block:
            return self._call("call", [node.func, *node.args], node, node.keywords)
        if kind in ("sized", "unknown"):
            node.func = self._checked(node.func)
        return node

    def _builtin(self, name: ast.Name) -> ast.expr:
        """Return the built-in function that a name leads to; ``super`` has to stay a name."""
        if name.id not in self.marks or name.id == "super":
            return name
        return ast.copy_location(ast.Constant(self.marks[name.id]), name)

    def _checked(self, function: ast.expr) -> ast.expr:
        if not self.first_block:
            return self._call("checked", [function], function)
        block = ast.Constant(self._number(0, function))
        return self._call("checked_in", [function, block], function)

    def _charge_for_merged(self, node: ast.Dict) -> None:
        """Charge for the mappings that a display takes in whole."""
        for k, key in enumerate(node.keys):
            if key is None:
                node.values[k] = self._call("sized", [node.values[k]], node.values[k])

    def _operates_on_sizes(self, node: ast.BinOp) -> bool:
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant):
            return bool(self.calls.numpy) or not isinstance(node.right.value, float)
        if isinstance(node.op, ast.Mult):
            known = is_small_number(node.left) or is_small_number(node.right)
            return bool(self.calls.numpy) or not known or _has_sequence(node)
        return bool(self.calls.numpy) or isinstance(node.op, GROWING)

    def _containment(self, node: ast.Compare) -> ast.expr:
        container = node.comparators[0]
        if len(node.ops) > 1 or isinstance(
            container, ast.Tuple | ast.Set | ast.Dict | ast.Constant
        ):
            return node
        found = self._call("contains", [node.left, container], node)
        negated = isinstance(node.ops[0], ast.NotIn)
        return ast.copy_location(ast.UnaryOp(ast.Not(), found), node) if negated else found

    def _slicing(self, node: ast.Subscript, bounds: ast.Slice) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        parts = [part or ast.Constant(None) for part in (bounds.lower, bounds.upper, bounds.step)]
        return self._call("slice", [node.value, *parts], node)

    # Calls of the counters

    def _tick(self, cost: int, where: ast.AST) -> ast.stmt:
        return ast.copy_location(ast.Expr(self._tick_call(cost, where)), where)

    def _ticking(self, value: ast.expr, cost: int, where: ast.expr) -> ast.expr:
        """Return ``tick(cost) or value``; a tick returns None."""
        both = ast.BoolOp(ast.Or(), [self._tick_call(cost, where), value])
        return ast.copy_location(both, where)

    def _tick_call(self, cost: int, where: ast.AST) -> ast.expr:
        return self._call("tick", [ast.Constant(self._number(cost, where))], where)

    def _counted(self, iterable: ast.expr, cost: int, where: ast.AST) -> ast.expr:
        return self._call("count", [iterable, ast.Constant(self._number(cost, where))], where)

    def _number(self, cost: int, where: ast.AST) -> int:
        """Return a cost with the number of a new block, if a profile is taken."""
        cost = min(cost, MOST_COST)
        if not self.first_block:
            return cost
        block = self.first_block + len(self.blocks)
        line = getattr(where, "lineno", 1)
        self.blocks.append(Block(".".join(self.inside) or "module", line, cost, self.file))
        return block << COST_BITS | cost

    def _call(
        self,
        counter: str,
        arguments: Iterable[ast.expr],
        where: ast.AST,
        keywords: list[ast.keyword] | None = None,
    ) -> ast.expr:
        function = ast.Constant(self.marks[f"counter {counter}"])
        return ast.copy_location(ast.Call(function, list(arguments), keywords or []), where)


def _may_make_array(node: ast.expr) -> bool:
    """Return whether an expression may be an array that nothing else is charged for."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Constant)
    return isinstance(node, ast.Compare | ast.UnaryOp)


def is_small_number(node: ast.expr) -> bool:
    """Return whether an expression is a small number that is written out."""
    if not isinstance(node, ast.Constant):
        return False
    return isinstance(node.value, float) or (type(node.value) is int and node.value < SMALL_NUMBER)


def _has_sequence(node: ast.BinOp) -> bool:
    return any(map(_is_sequence, (node.left, node.right)))


def _is_sequence(node: ast.expr) -> bool:
    """Return whether an expression is written as a list, a tuple or a text."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    return isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.JoinedStr)
