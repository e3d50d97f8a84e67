"""The same play has the same state digests on machines of 32 and of 64 bits."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import pytest
from tests.native.building import EXACT, NATIVE, PLATFORMER, STRICT, run

#: What a compiler without a library for 32 bits is not told by its own headers.
STRING_H = """\
#include <stddef.h>
void *memcpy(void *restrict, const void *restrict, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
"""
ALONE = "-O1 -ffreestanding -nostdlib -nostdinc -static -no-pie -fno-pic -fno-stack-protector"


def play(words: str, folder: Path) -> list[str]:
    """Build the program for a machine and return the digests that it writes."""
    (folder / "string.h").write_text(STRING_H)
    own = run("gcc", "-print-file-name=include").strip()
    core = [source for source in PLATFORMER.core if "drawing" not in source.parts]
    places = (f"-I{NATIVE}", f"-I{folder}", "-isystem", own)
    flags = (*STRICT, *EXACT, *ALONE.split(), *words.split(), *places)
    program = folder / "narrow"
    run("gcc", *flags, *core, Path(__file__).with_name("narrow.c"), "-o", program)
    return subprocess.run([program], capture_output=True, text=True).stdout.splitlines()


@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"), reason="needs x86-64 Linux"
)
def test_digests_are_the_same_on_32_and_64_bits(tmp_path: Path) -> None:
    wide = play("-m64", tmp_path)
    assert len(set(wide)) > 20
    assert play("-m32 -msse2 -mfpmath=sse", tmp_path) == wide
