"""What the code of a judged agent may not hold: every way around the counter that has a name.

The judge reads an agent's source before it runs it. Attributes that lead from a value to frames,
code, globals or classes of other people are refused, as are the modules that open such ways.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from ludus.errors import AgentError

__all__ = [
    "ALLOWED_MODULES",
    "QUICK_ATTRIBUTES",
    "check_asked",
    "check_name",
    "check_tree",
    "names",
]


def names(text: str) -> frozenset[str]:
    """Return the names that stand in a text, with spaces between them."""
    return frozenset(text.split())


ALLOWED_MODULES = names(
    "__future__ abc array base64 bisect cmath collections collections.abc contextlib copy "
    "dataclasses datetime enum functools heapq itertools json math numbers numpy numpy.fft "
    "numpy.linalg numpy.random numpy.typing operator random statistics string struct textwrap "
    "threading time typing zlib ludus.games.platformer ludus.games.platformer.arena.scenario "
    "ludus.games.platformer.codes ludus.games.platformer.records ludus.games.platformer.scenario "
    "ludus.games.platformer.view ludus.games.worm ludus.contract"
)
"""The modules that a judged agent may import, besides those in its own folder.

Others open ways around the counter, or work in C for as long as a text or a number says.
"""

ALLOWED_SPECIAL = names(
    "__abs__ __add__ __and__ __bool__ __call__ __contains__ __copy__ __deepcopy__ "
    "__delitem__ __doc__ __enter__ __eq__ __exit__ __float__ __floordiv__ "
    "__format__ __ge__ __getitem__ __gt__ __hash__ __iadd__ __init__ __init_subclass__ "
    "__int__ __invert__ __le__ __len__ __lt__ __missing__ "
    "__mod__ __name__ __ne__ __neg__ __new__ __next__ __or__ __pos__ __post_init__ "
    "__qualname__ __radd__ __repr__ __round__ __rshift__ "
    "__set_name__ __setitem__ __str__ __sub__ __truediv__ __xor__ __file__ __all__ __slots__ "
    "__match_args__ __annotations__ __main__"
)
"""The special names that may be read as attributes. Methods of most special names may be defined.

Not among them are those that would multiply or iterate in C without a charge.
"""

REFUSED_ATTRIBUTES = names(
    "ag_await ag_code ag_frame capsule cffi co_consts cr_await cr_code cr_frame cr_origin ctypes "
    "ctypeslib dump dumps f_back f_builtins f_code f_globals f_locals f_trace gi_code gi_frame "
    "gi_yieldfrom memmap mro resize setflags setprofile settrace tb_frame tb_next tofile fromfile"
)
"""Other attributes that lead out of the agent, or to memory that is not its own."""

REFUSED_DEFINITIONS = names(
    "__array_interface__ __array_struct__ __buffer__ __class__ __del__ __dict__ __dlpack__ "
    "__getnewargs__ __getnewargs_ex__ __getstate__ __instancecheck__ __module__ __reduce__ "
    "__reduce_ex__ __setstate__ __subclasscheck__ __prepare__ __getattribute__ __build_class__ "
    "__import__ __builtins__ __loader__ __spec__ __weakref__"
)
"""Special names that an agent may neither define nor assign."""

QUICK_ATTRIBUTES = names("add append appendleft discard get pop popleft setdefault")
"""Methods of containers that take a short time; ``__getattr__`` may not answer to them."""

MOST_BITS = 15_360
"""The largest whole number that an agent may write down, in bits."""

PLAIN_TYPES = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and name != "type"
)


def check_tree(tree: ast.AST, file: str) -> None:
    """Make sure that a syntax tree holds nothing that a judged agent may not do.

    Raises:
        AgentError: It does; the message names the line and what to do instead.
    """
    for node in ast.walk(tree):
        for fault in _faults(node):
            line = getattr(node, "lineno", 0)
            raise AgentError(f"{file}, line {line}: {fault}: a judged agent may not do this")


def check_name(name: object) -> str:
    """Return the name of an attribute that an agent reads or sets by its name.

    Raises:
        AttributeError: It may not.
    """
    if not isinstance(name, str):
        raise TypeError("the name of an attribute is a text")
    text = str(name)
    if _is_refused_attribute(text) or text in REFUSED_DEFINITIONS:
        raise AttributeError(f"attribute {text[:64]!r} is not for judged agents")
    return text


def check_asked(name: object) -> None:
    """Refuse a name that ``__getattr__`` of an agent's class is asked for.

    Raises:
        AttributeError: It may not answer to it.
    """
    if check_name(name) in QUICK_ATTRIBUTES:
        raise AttributeError(f"attribute {name!r} is the method of a container")


def _is_refused_attribute(name: str) -> bool:
    special = name.startswith("__") and name.endswith("__")
    return name in REFUSED_ATTRIBUTES or (special and name not in ALLOWED_SPECIAL)


def _faults(node: ast.AST) -> Iterator[str]:
    """Yield what is wrong with one node."""
    if isinstance(node, ast.Attribute) and _is_refused_attribute(node.attr):
        yield f"attribute {node.attr}"
    elif isinstance(node, ast.Name) and _is_refused_name(node):
        yield f"name {node.id}"
    elif isinstance(node, ast.Constant) and _is_huge(node.value):
        yield f"number of more than {MOST_BITS} bits"
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield from _faults_of_definition(node)
    elif isinstance(node, ast.arg | ast.keyword) and node.arg in REFUSED_DEFINITIONS:
        yield f"argument {node.arg}"
    elif isinstance(node, ast.Import):
        yield from (f"import of {a.name}" for a in node.names if _is_refused_name_of_module(a.name))
    elif isinstance(node, ast.ImportFrom):
        yield from (f"import of {a.name}" for a in node.names if _is_refused_attribute(a.name))
    elif isinstance(node, ast.MatchClass):
        yield from _faults_of_pattern(node)


def _is_huge(value: object) -> bool:
    return isinstance(value, int) and value.bit_length() > MOST_BITS


def _faults_of_definition(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> Iterator[str]:
    if node.name in REFUSED_DEFINITIONS:
        yield f"definition of {node.name}"
    if node.name == "__getattr__" and not _is_plain_getattr(node):
        yield "__getattr__ that is no simple method with one name"
    if isinstance(node, ast.ClassDef) and any(word.arg == "metaclass" for word in node.keywords):
        yield "metaclass"


def _is_plain_getattr(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    arguments = node.args
    return (
        len([*arguments.posonlyargs, *arguments.args]) in (1, 2)
        and not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs)
        and not arguments.defaults
    )


def _is_refused_name(node: ast.Name) -> bool:
    if node.id in REFUSED_DEFINITIONS:
        return True
    return isinstance(node.ctx, ast.Store) and node.id in ("__match_args__", "__getattr__")


def _is_refused_name_of_module(name: str) -> bool:
    return any(_is_refused_attribute(part) and part != "__future__" for part in name.split("."))


def _faults_of_pattern(node: ast.MatchClass) -> Iterator[str]:
    """Yield the attributes that a class pattern would read, if they are refused."""
    yield from (f"attribute {name}" for name in node.kwd_attrs if _is_refused_attribute(name))
    built_in = isinstance(node.cls, ast.Name) and node.cls.id in PLAIN_TYPES
    if node.patterns and not built_in:
        yield "pattern of a class without the names of its attributes"
