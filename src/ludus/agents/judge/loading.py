"""Loads the modules of a judged agent: read, checked, instrumented, and run with few builtins."""

from __future__ import annotations

import ast
import builtins
import io
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from ludus.agents.judge import _counter
from ludus.agents.judge.calls import CallSorter
from ludus.agents.judge.expressions import Block
from ludus.agents.judge.facades import FixedModule, facade
from ludus.agents.judge.instrument import instrument
from ludus.agents.judge.rules import (
    ALLOWED_MODULES,
    check_asked,
    check_name,
    check_tree,
    names,
)
from ludus.errors import AgentError

__all__ = ["JudgedCode"]

COUNTERS: dict[str, Any] = {"check_asked": check_asked} | {
    name: getattr(_counter, name)
    for name in names(
        "tick count call checked checked_in array sized multiply operate contains slice"
    )
}
REMOVED = names(
    "breakpoint exit quit copyright credits license help input memoryview __loader__ __spec__ "
    "__build_class__ __import__ open exec eval compile getattr setattr delattr hasattr vars "
    "type"
)
COMPILING = 100
"""What each letter of a text costs that an agent compiles, executes or evaluates."""

MOST_SOURCE = 1_000_000
"""The largest source, in bytes, that an agent may have in a file or give to ``exec``."""


class JudgedCode:
    """The modules of one agent, in its folder.

    Args:
        folder: The only folder that the agent's modules come from and that it may read.
        profile: Whether to count how often each block is entered.

    Attributes:
        blocks: All blocks, in the order of their numbers, if a profile is taken.
    """

    def __init__(self, folder: Path, *, profile: bool = False) -> None:
        self.folder = folder.resolve()
        self.blocks: list[Block] = [Block("", 0, 0)]
        self._profile = profile
        self._modules: dict[str, ModuleType] = {}
        self._methods: set[str] = set()
        self._attributes: set[str] = set()
        self._compile_text = lru_cache(maxsize=256)(self._compile_text_anew)
        self._builtins = self._make_builtins()

    def load(self, file: Path) -> ModuleType:
        """Return the module of a file in the folder, run under the judge.

        Raises:
            AgentError: It cannot be read, or holds what a judged agent may not do.
        """
        return self._load(file.stem, file)

    def compile(self, source: str, file: str, mode: str = "exec", flags: int = 0) -> CodeType:
        """Return the code of a source that counts.

        Raises:
            AgentError: It holds what a judged agent may not do.
            SyntaxError: It is no Python.
        """
        if len(source) > MOST_SOURCE:
            raise AgentError(
                f"{file}: a source of {len(source)} letters is longer than {MOST_SOURCE}"
            )
        tree = compile(source, file, mode, flags=flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        self._check(tree, file)
        first = len(self.blocks) if self._profile else 0
        instrumented = instrument(
            tree, file, COUNTERS, self._builtins, first_block=first, flags=flags
        )
        self.blocks += instrumented.blocks
        self._check_attributes(instrumented.calls, file)
        return instrumented.code

    def _check(self, tree: ast.AST, file: str) -> None:
        check_tree(tree, file)

    def _check_attributes(self, calls: CallSorter, file: str) -> None:
        """Make sure that what one module calls as a method is nothing else in another.

        Raises:
            AgentError: It is: the call would not be charged for what it leads to.
        """
        both = (calls.methods & self._attributes) | (calls.attributes & self._methods)
        for name in sorted(both):
            raise AgentError(
                f"{file}: {name[:64]!r} is a method in one module and a value in another: "
                "give one of them another name"
            )
        self._methods |= calls.methods
        self._attributes |= calls.attributes

    def _load(self, name: str, file: Path) -> ModuleType:
        if name in self._modules:
            return self._modules[name]
        try:
            source = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AgentError(f"{file} cannot be read: {error}") from error
        known = f"judged {name}"  # dataclasses look their module up
        module = FixedModule(known)
        vars(module).update(__file__=str(file), __builtins__=self._builtins)
        self._modules[name] = sys.modules[known] = module
        exec(self.compile(source, str(file)), vars(module))  # noqa: S102
        return module

    def _import(
        self,
        name: str,
        globals_: Mapping[str, Any] | None = None,
        locals_: Mapping[str, Any] | None = None,
        fromlist: tuple[str, ...] | list[str] | None = (),
        level: int = 0,
    ) -> ModuleType | None:
        """Import for the agent: a module of its folder, or the facade of an allowed one."""
        if isinstance(fromlist, list):  # C code imports for itself; it does not look at the answer
            _import_for_c_code(name)
            return None
        own = self._own_file(name, level)
        if own is not None:
            return self._load(name, own)
        if name in ALLOWED_MODULES:
            module = facade(name)
            return module if fromlist or "." not in name else facade_package(name)
        raise ImportError(f"module {name[:64]!r} is not for judged agents", name=name)

    def _own_file(self, name: str, level: int) -> Path | None:
        if "." in name or not name.isidentifier():
            return None
        file = self.folder / f"{name}.py"
        return file if (level or name not in ALLOWED_MODULES) and file.is_file() else None

    def _make_builtins(self) -> dict[str, Any]:
        """Return the builtins of the agent's modules."""
        kept = {name: value for name, value in vars(builtins).items() if name not in REMOVED}
        return kept | {
            "__import__": self._import,
            "__build_class__": builtins.__build_class__,
            "type": _Type,
            "exec": self._exec,
            "eval": self._eval,
            "compile": self._compile_for_agent,
            "open": self._open,
            "getattr": _getattr,
            "setattr": self._setattr,
            "delattr": lambda owner, name: delattr(owner, check_name(name)),
            "hasattr": lambda owner, name: hasattr(owner, check_name(name)),
            "vars": _vars,
            "locals": lambda: dict(sys._getframe(1).f_locals),
            "globals": lambda: _without_builtins(sys._getframe(1).f_globals),
        }

    def _compile_text_anew(self, source: str, file: str, mode: str, flags: int) -> CodeType:
        return self.compile(source, file, mode, flags)

    def _compile_for_agent(
        self, source: object, filename: object = "<text>", mode: str = "exec", *_: Any, **__: Any
    ) -> CodeType:
        if isinstance(source, bytes):
            source = source.decode("utf-8")
        if not isinstance(source, str):
            raise TypeError("a judged agent compiles texts only")
        _counter.tick(COMPILING * min(len(source), MOST_SOURCE))
        return self._compile_text(source, str(filename)[:200], mode, 0)

    def _exec(self, source: object, space: dict[str, Any] | None = None, *rest: Any) -> None:
        code = self._code_of(source, "exec")
        exec(code, *self._spaces(space, *rest))  # noqa: S102

    def _eval(self, source: object, space: dict[str, Any] | None = None, *rest: Any) -> Any:
        code = self._code_of(source.strip() if isinstance(source, str) else source, "eval")
        return eval(code, *self._spaces(space, *rest))  # noqa: S307

    def _code_of(self, source: object, mode: str) -> CodeType:
        """Return the code of a text; code is what ``compile`` returned, since there is no other."""
        return (
            source if isinstance(source, CodeType) else self._compile_for_agent(source, mode=mode)
        )

    def _spaces(self, space: dict[str, Any] | None = None, *rest: Any) -> tuple[Any, ...]:
        if space is None:
            frame = sys._getframe(2)
            return {**frame.f_globals, **frame.f_locals}, {}
        space["__builtins__"] = self._builtins
        return (space, *rest)

    def _setattr(self, owner: Any, name: object, value: Any) -> None:
        word = check_name(name)
        if word in self._methods:
            raise AttributeError(f"{word[:64]!r} is a method: a judged agent may not replace it")
        self._attributes.add(word)
        setattr(owner, word, value)

    def _open(self, file: str, mode: str = "r", **options: Any) -> Any:
        """Open a file of the agent's folder for reading."""
        path = (self.folder / file).resolve()
        if not path.is_relative_to(self.folder) or not set(mode) <= set("rbt"):
            raise PermissionError(
                f"{str(file)[:100]!r}: a judged agent reads the files of its folder only"
            )
        content = path.read_bytes()
        if "b" in mode:
            return io.BytesIO(content)
        return io.StringIO(content.decode(options.get("encoding") or "utf-8"))


def _import_for_c_code(name: str) -> None:
    """Import what C code asks for while the agent calls it."""
    if name in sys.modules or name.split(".")[0] in ("numpy", "ludus"):
        import_module(name)
    else:
        raise ImportError(f"module {name[:64]!r} is not for judged agents", name=name)


def facade_package(name: str) -> ModuleType:
    """Return the facade of the first part of a dotted name, which holds the others."""
    return facade(name.split(".")[0])


def _getattr(owner: Any, name: object, *default: Any) -> Any:
    return getattr(owner, check_name(name), *default)


def _vars(*owner: Any) -> Any:
    if not owner:
        return dict(sys._getframe(1).f_locals)
    if isinstance(owner[0], type | ModuleType):
        raise TypeError("vars() of a class or a module is not for judged agents")
    return dict(vars(owner[0]))


def _without_builtins(space: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in space.items() if name != "__builtins__"}


class _OneArgument(type):
    """The class of the ``type`` that judged agents have: it tells classes and makes none."""

    def __call__(cls, *values: Any) -> Any:
        if len(values) != 1:
            raise TypeError("a judged agent makes classes by class statements only")
        kind = type(values[0])
        return _Type if issubclass(kind, type) else kind

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, type)


class _Type(metaclass=_OneArgument):
    """What ``type`` is for judged agents."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        raise TypeError("a judged agent has no classes of classes")
