"""A sample of what ``make fuzz`` does: nothing but an error of Ludus comes out of a parser."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzz.driver import BATCH, fuzz
from tests.fuzz.parsers import PARSERS, Parser

SAMPLE, SLOW_SAMPLE = 3 * BATCH, BATCH


@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)
def test_whatever_a_file_holds_is_a_value_or_one_line(parser: Parser, tmp_path: Path) -> None:
    fuzz(parser, tmp_path, SLOW_SAMPLE if parser.slow else SAMPLE, derandomize=True)


@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)
def test_the_seeds_are_what_the_parser_takes(parser: Parser, tmp_path: Path) -> None:
    for seed in parser.make_seeds(tmp_path):
        parser.parse(seed, tmp_path)
