"""What ``ludus new agent NAME --language LANGUAGE`` writes, and how that is built and played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.benchmarks.family import Starter

__all__ = ["LANGUAGES"]

HEADER = '-I"$(python -m ludus.agents.foreign.c_files)"'
LIBRARY = f"-O2 -shared -fPIC {HEADER}"
MODULE = (
    "--target=wasm32 -O2 -nostdlib -fvisibility=hidden "
    f"-Wl,--no-entry,--export-dynamic,--export-table,--growable-table {HEADER}"
)
CDYLIB = "-O --edition 2021 --crate-type cdylib"
JAR = '-cp "$(python -m ludus.agents.foreign.jar)"'


def _starter(file: str, template: str, spec: str, build: str = "", **options: Any) -> Starter:
    """Return the starter of an agent in one file, which a command builds if it is compiled."""
    play = "ludus run platformer/bundled {spec}"
    return Starter(
        kind="agent",
        summary="Write a working agent and a test for it.",
        package="ludus.cli.families.platformer",
        files={file: template, "test_{stem}.py": "test_library.txt"},
        next_command=f"{build} && {play}" if build else play,
        spec=spec,
        **options,
    )


def _compiled(ending: str, compiler: str, template: str, built: str = "{stem}.so") -> Starter:
    source = f"{{stem}}.{ending}"
    build = f"{compiler} {{folder}}/{source} -o {{folder}}/{built}"
    return _starter(source, template, built, build)


LANGUAGES: Mapping[str, Starter] = {
    "c": _compiled("c", f"cc {LIBRARY}", "agent_c.txt"),
    "cpp": _compiled("cpp", f"c++ -std=c++17 {LIBRARY}", "agent_cpp.txt"),
    "java": _starter(
        "{title}.java",
        "agent_java.txt",
        "{stem}_classes:{title}",
        f"javac {JAR} -d {{folder}}/{{stem}}_classes {{folder}}/{{title}}.java",
    ),
    "javascript": _starter("{stem}.js", "agent_js.txt", "{stem}.js", executable=True),
    "rust": _compiled("rs", f"rustc {CDYLIB}", "agent_rs.txt"),
    "shell": _starter("{stem}.sh", "agent_sh.txt", "{stem}.sh", executable=True),
    "wasm": _compiled("c", f"clang {MODULE}", "agent_wasm.txt", "{stem}.wasm"),
}
"""The starters in other languages than Python."""
