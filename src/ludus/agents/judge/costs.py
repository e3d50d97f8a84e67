"""The published cost table: what each piece of Python costs an agent, in units.

A unit is about one simple step of the interpreter. The costs belong to the syntax, not to what an
interpreter makes of it, so that an agent costs the same on every machine and under every Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["COSTS", "LOOP_COST", "SMALL_BRANCH", "cost_of_expression", "cost_of_header"]

COSTS: dict[type[ast.AST], int] = {
    ast.Constant: 1,
    ast.Name: 1,
    ast.Attribute: 2,
    ast.Subscript: 2,
    ast.Slice: 2,
    ast.BinOp: 2,
    ast.UnaryOp: 1,
    ast.BoolOp: 1,
    ast.Compare: 2,
    ast.IfExp: 2,
    ast.NamedExpr: 1,
    ast.Call: 6,
    ast.keyword: 1,
    ast.Starred: 3,
    ast.List: 2,
    ast.Tuple: 2,
    ast.Set: 3,
    ast.Dict: 3,
    ast.ListComp: 6,
    ast.SetComp: 6,
    ast.DictComp: 6,
    ast.GeneratorExp: 8,
    ast.Lambda: 4,
    ast.JoinedStr: 3,
    ast.FormattedValue: 4,
    ast.Yield: 4,
    ast.YieldFrom: 6,
    ast.Await: 4,
    ast.Assign: 1,
    ast.AnnAssign: 1,
    ast.AugAssign: 3,
    ast.Delete: 1,
    ast.Return: 1,
    ast.Raise: 8,
    ast.Assert: 2,
    ast.Expr: 1,
    ast.If: 1,
    ast.For: 4,
    ast.AsyncFor: 6,
    ast.While: 1,
    ast.With: 10,
    ast.AsyncWith: 12,
    ast.Try: 2,
    ast.TryStar: 2,
    ast.ExceptHandler: 6,
    ast.Match: 2,
    ast.match_case: 2,
    ast.FunctionDef: 8,
    ast.AsyncFunctionDef: 8,
    ast.ClassDef: 60,
    ast.Import: 60,
    ast.ImportFrom: 60,
}
"""The cost of a node, without that of the nodes in it; nodes that are not listed cost nothing."""

LOOP_COST = 2
"""What an iteration costs besides what stands in the loop."""

SMALL_BRANCH = 12
"""Branches up to this cost are charged with the block they stand in, taken or not."""

DEFERRED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def cost_of_expression(node: ast.AST | None) -> int:
    """Return what it costs to evaluate an expression once.

    The body of a lambda and what a comprehension does for every item are charged when they run.

    Example:
        >>> cost_of_expression(ast.parse("a + b[1]", mode="eval").body)
        7
    """
    if node is None:
        return 0
    return COSTS.get(type(node), 0) + sum(map(cost_of_expression, _evaluated_now(node)))


def cost_of_header(statement: ast.stmt) -> int:
    """Return the cost of a statement without the statements in it."""
    parts = (
        child
        for child in ast.iter_child_nodes(statement)
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
    )
    return COSTS.get(type(statement), 0) + sum(map(cost_of_expression, parts))


def _evaluated_now(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression that run when it is evaluated."""
    if isinstance(node, ast.Lambda):
        yield from (default for default in node.args.defaults)
        yield from (default for default in node.args.kw_defaults if default)
    elif isinstance(node, DEFERRED):
        yield node.generators[0].iter  # type: ignore[union-attr]
    else:
        yield from ast.iter_child_nodes(node)
