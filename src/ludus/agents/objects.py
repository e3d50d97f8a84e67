"""Agents that are Python objects: classes and instances instead of specs.

A class that a file defines has a spec, by which any process can load it. An instance, and a class
of a notebook or of an interactive session, has none: it plays in the process that made it, and no
later process can load it again. Its source then bears a spec of the scheme ``object``.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
from pathlib import Path
from typing import Any, NoReturn

from ludus.agents.fingerprint import DIGITS
from ludus.agents.loading import AgentSource
from ludus.contract import HasName
from ludus.errors import AgentError

__all__ = ["SCHEME", "from_spec", "source_of", "spec_of_class"]

SCHEME = "object"

_HARMLESS = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Pass,
)


def source_of(agent: Any, name: str = "") -> AgentSource:
    """Return the source of an agent object, which no other process can load.

    Args:
        agent: The instance.
        name: What tables call it; its own ``name``, or that of its class, if empty.
    """
    kind = type(agent)
    own_name = str(agent.name or "") if isinstance(agent, HasName) else ""
    label = name or own_name or kind.__name__
    return AgentSource(f"{SCHEME}:{kind.__qualname__}", label, _digest_class(kind))


def spec_of_class(kind: type) -> str | None:
    """Return the spec by which any process can load a class, or None if there is none.

    A script whose top level does more than define is not loaded: that would do it again.
    """
    module = sys.modules.get(kind.__module__)
    file = getattr(module, "__file__", None)
    if "." in kind.__qualname__ or not file or getattr(module, kind.__name__, None) is not kind:
        return None
    if module is not None and module.__package__ and kind.__module__ != "__main__":
        return f"{kind.__module__}:{kind.__name__}"
    path = Path(file)
    return f"{path.resolve()}:{kind.__name__}" if _only_defines(path) else None


def from_spec(spec: str) -> NoReturn:
    """Refuse to load an agent that was a Python object of another process.

    Raises:
        AgentError: Always.
    """
    name = spec.partition(":")[2]
    raise AgentError(
        f"{name} was a Python object of a session that is gone: define the class in a file and "
        f"name it as file.py:{name.rpartition('.')[2]}"
    )


def _digest_class(kind: type) -> str:
    """Return a digest of a class's source, empty if it cannot be found."""
    text = _source(kind) or "".join(
        _source(part) for part in vars(kind).values() if inspect.isfunction(part)
    )
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS] if text else ""


def _source(part: Any) -> str:
    try:
        return inspect.getsource(part)
    except (OSError, TypeError):
        return ""


def _only_defines(path: Path) -> bool:
    """Return whether a file of Python does nothing but define when it is imported."""
    try:
        body = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return False
    return path.suffix == ".py" and all(map(_is_harmless, body))


def _is_harmless(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return ast.unparse(statement.test) in ("__name__ == '__main__'", "TYPE_CHECKING")
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return not any(isinstance(node, ast.Call | ast.Await) for node in ast.walk(statement))
    return isinstance(statement, _HARMLESS)
