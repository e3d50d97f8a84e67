"""Code that counts: every block of a syntax tree charges what it costs before it runs.

The functions that count are put into the constants of the compiled code. They are in no namespace,
so that nothing an agent assigns can take their place.
"""

from __future__ import annotations

import ast
import copy
import secrets
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from ludus.agents.judge.calls import CallSorter
from ludus.agents.judge.costs import (
    COSTS,
    LOOP_COST,
    SMALL_BRANCH,
    cost_of_expression,
    cost_of_header,
)
from ludus.agents.judge.expressions import (
    FIRST_IN_PLACE,
    GROWING,
    IN_PLACE,
    OPERATORS,
    Block,
    ExpressionRewriter,
    is_small_number,
)
from ludus.agents.judge.preparing import quick_in_math
from ludus.errors import AgentError

__all__ = ["OPERATORS", "Block", "Instrumented", "instrument"]

HANDLERS = (ast.ExceptHandler, ast.match_case)
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Instrumented:
    """Compiled code that counts.

    Attributes:
        code: What to execute.
        blocks: Its blocks, numbered from ``first_block``.
        calls: What it calls and assigns.
    """

    code: CodeType
    blocks: tuple[Block, ...]
    calls: CallSorter


def instrument(
    tree: ast.Module | ast.Expression | ast.Interactive,
    file: str,
    counters: Mapping[str, Callable[..., Any]],
    builtins: Mapping[str, Any],
    *,
    first_block: int = 0,
    flags: int = 0,
) -> Instrumented:
    """Return the code of a syntax tree in which every block charges what it costs.

    Args:
        tree: What to compile; it is changed.
        file: Where it stands, for tracebacks.
        counters: The functions of the counter, by name.
        builtins: The built-in functions. Names that lead to no other are replaced by them.
        first_block: The number of the first block if a profile is taken; 0 if none is.
        flags: Future features for ``compile``.
    """
    functions = {
        **builtins,
        **{f"counter {name}": value for name, value in counters.items()},
        **{f"math {name}": value for name, value in quick_in_math().items()},
    }
    marks = {name: f"{name} {secrets.token_hex(8)}" for name in functions}
    rewriter = _Rewriter(marks, CallSorter.of(tree), file, first_block)
    rewriter.rewrite(tree)
    ast.fix_missing_locations(tree)
    mode = {ast.Expression: "eval", ast.Interactive: "single"}.get(type(tree), "exec")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # that the marks are called
        code = compile(tree, file, mode, flags=flags, dont_inherit=True)
    by_mark = {marks[name]: function for name, function in functions.items()}
    return Instrumented(_put_into_constants(code, by_mark), tuple(rewriter.blocks), rewriter.calls)


def _put_into_constants(code: CodeType, functions: Mapping[str, Any]) -> CodeType:
    """Return the code with functions in the place of their marks, also in the code within it."""

    def replace(constant: Any) -> Any:
        if isinstance(constant, CodeType):
            return _put_into_constants(constant, functions)
        return functions.get(constant, constant) if isinstance(constant, str) else constant

    return code.replace(co_consts=tuple(map(replace, code.co_consts)))


class _Rewriter(ExpressionRewriter):
    """Puts calls of the counters into a tree."""

    def rewrite(self, tree: ast.Module | ast.Expression | ast.Interactive) -> None:
        """Rewrite a whole tree in place."""
        if isinstance(tree, ast.Expression):
            cost = cost_of_expression(tree.body)
            tree.body = self._ticking(self._expression(tree.body), cost, tree.body)
        else:
            tree.body = self._block(tree.body, documented=isinstance(tree, ast.Module))

    # Statements

    def _block(self, statements: list[ast.stmt], *, documented: bool = False) -> list[ast.stmt]:
        """Return statements that charge what they cost, the first charge at their start."""
        cost, body = self._segments(statements)
        head = _length_of_head(statements) if documented else 0
        where = statements[min(head, len(statements) - 1)] if statements else None
        if where is None:
            return body
        return [*body[:head], self._tick(max(cost, 1), where), *body[head:]]

    def _segments(self, statements: list[ast.stmt]) -> tuple[int, list[ast.stmt]]:
        """Return the cost of the first segment, and the statements with ticks for the others."""
        costs_and_bodies = [self._statement(statement) for statement in statements]
        body: list[ast.stmt] = []
        pending = 0
        for statement, (cost, rewritten) in reversed(
            list(zip(statements, costs_and_bodies, strict=True))
        ):
            if pending > SMALL_BRANCH and _may_leave(statement):
                body.insert(0, self._tick(pending, statement))
                pending = 0
            pending += cost
            body[:0] = rewritten
        return pending, body

    def _statement(self, node: ast.stmt) -> tuple[int, list[ast.stmt]]:
        """Return a statement's cost where it stands, and the statement, which charges the rest."""
        cost = cost_of_header(node)
        rewrite = _COMPOUND.get(type(node))
        if rewrite is not None:
            return rewrite(self, node, cost)
        self._rewrite_expressions(node)
        if isinstance(node, ast.Assign) and any(map(_has_star, node.targets)):
            node.value = self._call("sized", [node.value], node)
        return cost, [node]

    def _if(self, node: ast.If, cost: int) -> tuple[int, list[ast.stmt]]:
        node.test = self._expression(node.test)
        taken, node.body = self._branch(node.body)
        other, node.orelse = self._branch(node.orelse)
        return cost + max(taken, other), [node]

    def _branch(self, statements: list[ast.stmt]) -> tuple[int, list[ast.stmt]]:
        """Return what a branch adds to the block it stands in, and the branch."""
        if not statements:
            return 0, []
        cost, body = self._segments(statements)
        if cost <= SMALL_BRANCH:
            return cost, body
        return 0, [self._tick(cost, statements[0]), *body]

    def _for(self, node: ast.For, cost: int) -> tuple[int, list[ast.stmt]]:
        per_item, body = self._segments(node.body)
        node.iter = self._counted(self._expression(node.iter), per_item + LOOP_COST, node)
        node.body = body
        extra, node.orelse = self._segments(node.orelse)
        return cost + extra, [node]

    def _async_for(self, node: ast.AsyncFor, cost: int) -> tuple[int, list[ast.stmt]]:
        node.iter = self._expression(node.iter)
        node.body = self._block(node.body)
        extra, node.orelse = self._segments(node.orelse)
        return cost + extra, [node]

    def _while(self, node: ast.While, cost: int) -> tuple[int, list[ast.stmt]]:
        test = cost_of_expression(node.test)
        node.test = self._expression(node.test)
        per_round, body = self._segments(node.body)
        node.body = [self._tick(per_round + test + LOOP_COST, node.body[0]), *body]
        extra, node.orelse = self._segments(node.orelse)
        return cost + extra, [node]

    def _with(self, node: ast.With | ast.AsyncWith, cost: int) -> tuple[int, list[ast.stmt]]:
        for item in node.items:
            item.context_expr = self._expression(item.context_expr)
        inside, node.body = self._segments(node.body)
        return cost + inside, [node]

    def _try(self, node: ast.Try, cost: int) -> tuple[int, list[ast.stmt]]:
        for handler in node.handlers:
            kind = cost_of_expression(handler.type) + COSTS[ast.ExceptHandler]
            inside, body = self._segments(handler.body)
            handler.body = [self._tick(inside + kind, handler.body[0]), *body]
            if handler.type:
                handler.type = self._expression(handler.type)
        inside = 0
        for name in ("body", "orelse", "finalbody"):
            part, statements = self._segments(getattr(node, name))
            setattr(node, name, statements)
            inside += part
        return cost + inside, [node]

    def _match(self, node: ast.Match, cost: int) -> tuple[int, list[ast.stmt]]:
        node.subject = self._expression(node.subject)
        for case in node.cases:
            cost += COSTS[ast.match_case] + cost_of_expression(case.pattern)
            cost += cost_of_expression(case.guard)
            if case.guard:
                case.guard = self._expression(case.guard)
            case.body = self._block(case.body)
        return cost, [node]

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, cost: int
    ) -> tuple[int, list[ast.stmt]]:
        node.decorator_list = list(map(self._decorator, node.decorator_list))
        self._rewrite_defaults(node.args)
        self.inside.append(node.name)
        node.body = self._block(node.body, documented=True)
        if node.name == "__getattr__":
            node.body.insert(0, self._name_guard(node))
        self.inside.pop()
        return cost, [node]

    def _name_guard(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        """Return what refuses names that nobody may ask ``__getattr__`` for, NumPy least of all."""
        names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        asked = ast.copy_location(ast.Name(names[-1], ast.Load()), node)
        return ast.copy_location(ast.Expr(self._call("check_asked", [asked], node)), node)

    def _class(self, node: ast.ClassDef, cost: int) -> tuple[int, list[ast.stmt]]:
        node.decorator_list = list(map(self._decorator, node.decorator_list))
        node.bases = list(map(self._expression, node.bases))
        for keyword in node.keywords:
            keyword.value = self._expression(keyword.value)
        self.inside.append(node.name)
        inside, node.body = self._segments(node.body)
        self.inside.pop()
        return cost + inside, [node]

    def _augmented_assignment(self, node: ast.AugAssign, cost: int) -> tuple[int, list[ast.stmt]]:
        value = self._expression(node.value)
        wanted = (*IN_PLACE, *GROWING) if self.calls.numpy else GROWING
        harmless = is_small_number(node.value) and not isinstance(node.op, ast.Pow | ast.LShift)
        if isinstance(node.op, wanted) and not harmless:
            node.value = value
            return cost, [self._assign_operation(node)]
        self._rewrite_expressions(node.target)
        node.value = value
        return cost, [node]

    def _assign_operation(self, node: ast.AugAssign) -> ast.stmt:
        """Return ``x = operate(op, x, value)`` for ``x op= value``."""
        if not _can_be_read_twice(node.target):
            raise AgentError(
                f"line {node.lineno}: write this as two statements, so that it can be counted: "
                f"{ast.unparse(node.target)[:60]} …= …"
            )
        operation = OPERATORS.index(type(node.op))
        if type(node.op) in IN_PLACE:
            operation += FIRST_IN_PLACE
        before = copy.deepcopy(node.target)
        before.ctx = ast.Load()
        value = self._call("operate", [ast.Constant(operation), before, node.value], node)
        return ast.copy_location(ast.Assign([node.target], value), node)


_COMPOUND: dict[type[ast.stmt], Callable[[_Rewriter, Any, int], tuple[int, list[ast.stmt]]]] = {
    ast.If: _Rewriter._if,
    ast.For: _Rewriter._for,
    ast.AsyncFor: _Rewriter._async_for,
    ast.While: _Rewriter._while,
    ast.With: _Rewriter._with,
    ast.AsyncWith: _Rewriter._with,
    ast.Try: _Rewriter._try,
    ast.TryStar: _Rewriter._try,
    ast.Match: _Rewriter._match,
    ast.FunctionDef: _Rewriter._function,
    ast.AsyncFunctionDef: _Rewriter._function,
    ast.ClassDef: _Rewriter._class,
    ast.AugAssign: _Rewriter._augmented_assignment,
}


def _has_star(target: ast.expr) -> bool:
    return any(isinstance(node, ast.Starred) for node in ast.walk(target))


def _can_be_read_twice(target: ast.expr) -> bool:
    """Return whether nothing happens when the target of an assignment is evaluated."""
    if isinstance(target, ast.Attribute):
        return _can_be_read_twice(target.value)
    if isinstance(target, ast.Subscript):
        return _can_be_read_twice(target.value) and _can_be_read_twice(target.slice)
    if isinstance(target, ast.Tuple):
        return all(map(_can_be_read_twice, target.elts))
    return isinstance(target, ast.Name | ast.Constant)


def _length_of_head(statements: list[ast.stmt]) -> int:
    """Return how many statements have to stay first: the docstring and future imports."""
    length = 0
    for statement in statements:
        is_text = (
            length == 0
            and isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
            and isinstance(statement.value.value, str)
        )
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (is_text or is_future):
            break
        length += 1
    return length


def _may_leave(node: ast.AST) -> bool:
    """Return whether a statement can leave the block it stands in before the block's end."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return False
    return isinstance(node, LEAVING) or any(
        _may_leave(child)
        for child in ast.iter_child_nodes(node)
        if isinstance(child, (ast.stmt, *HANDLERS))
    )
