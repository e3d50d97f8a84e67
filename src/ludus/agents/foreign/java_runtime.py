"""The Java that is installed here: where it is, what of it is read, and how it is started."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ludus.agents.foreign.java_files import find_archive
from ludus.errors import AgentError
from ludus.limits import MEBIBYTE

__all__ = ["find_java_home", "find_library", "list_options", "list_runtime_files"]

SYSTEM_FOLDER = Path("/usr/lib/jvm")
LIBRARIES = ("lib/server/libjvm.so", "lib/server/libjvm.dylib")
NATIVE_ACCESS_SINCE = 22  # the version of Java that warns of libraries that nobody has allowed
LEAST_HEAP = 16 * MEBIBYTE
BUFFERS_SHARE = 4  # buffers beside the heap may take a quarter of it

OPTIONS = (
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-XX:-PrintWarnings",
    "-XX:+DisableAttachMechanism",
    "-XX:ErrorFile=/dev/null",
    "-XX:CompressedClassSpaceSize=128m",
    "-Xshare:auto",
    "-Xrs",
    "-Djava.awt.headless=true",
)
"""Few threads, no files of its own, nobody who attaches, and signals that are left to others."""


def find_java_home() -> Path:
    """Return the folder of the Java to use: of JAVA_HOME, of the path, or of the system.

    Raises:
        AgentError: There is none.
    """
    for home in _list_homes():
        if (home / "bin" / "java").is_file():
            return home
    raise AgentError(
        "there is no Java here: install a runtime (Debian: default-jre-headless), "
        "or let JAVA_HOME name one"
    )


def _list_homes() -> Iterator[Path]:
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named).resolve()
    if command := shutil.which("java"):
        yield Path(command).resolve().parents[1]
    if SYSTEM_FOLDER.is_dir():
        yield from sorted(SYSTEM_FOLDER.iterdir(), reverse=True)


def find_library(home: Path) -> Path:
    """Return the library that is a virtual machine.

    Raises:
        AgentError: This Java has none.
    """
    for name in LIBRARIES:
        if (home / name).is_file():
            return home / name
    raise AgentError(f"there is no {LIBRARIES[0]} in {str(home)[:200]!r}: install another Java")


def list_runtime_files(home: Path) -> list[Path]:
    """Return what a virtual machine reads: its folder, and the settings that this links to."""
    links = (path for part in ("conf", "lib") for path in (home / part).rglob("*"))
    targets = {link.resolve() for link in links if link.is_symlink()}
    return [home, *sorted(path for path in targets if not path.is_relative_to(home))]


def list_options(home: Path, heap: int) -> list[str]:
    """Return the options of a virtual machine that plays an agent.

    Args:
        home: The folder of Java.
        heap: The most bytes of its objects; 0 for what Java takes by itself.
    """
    options = [*OPTIONS, f"-Djava.io.tmpdir={tempfile.gettempdir()}"]
    if heap:
        heap = max(heap, LEAST_HEAP) // MEBIBYTE
        options += [f"-Xmx{heap}m", f"-XX:MaxDirectMemorySize={heap // BUFFERS_SHARE}m"]
    if _read_version(home) >= NATIVE_ACCESS_SINCE:
        options.append("--enable-native-access=ALL-UNNAMED")
    return [*options, f"-Djava.class.path={find_archive()}"]


def _read_version(home: Path) -> int:
    """Return the first number of the version of Java, 0 if it says none."""
    try:
        text = (home / "release").read_text("utf-8", "replace")
    except OSError:
        return 0
    found = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    return int(found[1]) if found else 0
