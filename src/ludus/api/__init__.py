"""The front door: one function for each thing that most people need.

They are what ``import ludus`` gives and what the command line calls. Each returns a result that
shows itself: a table in a terminal, a table with bars and a film in a notebook.
"""

from __future__ import annotations

from ludus.api.boards import BoardResult, board
from ludus.api.checking import CheckResult, check
from ludus.api.comparing import ComparisonResult, compare
from ludus.api.consent import trust
from ludus.api.judging import JudgeResult, judge
from ludus.api.levels import LevelResult, level
from ludus.api.playing import race, resume, run
from ludus.api.replays import Replay, replay
from ludus.api.result import Result
from ludus.api.run_result import RunResult
from ludus.api.seasons import open_seasons, play_season, reveal_season, seasons, start_season
from ludus.api.training import TrainingResult, train
from ludus.api.verifying import VerificationResult, verify

__all__ = [
    "BoardResult",
    "CheckResult",
    "ComparisonResult",
    "JudgeResult",
    "LevelResult",
    "Replay",
    "Result",
    "RunResult",
    "TrainingResult",
    "VerificationResult",
    "board",
    "check",
    "compare",
    "judge",
    "level",
    "open_seasons",
    "play_season",
    "race",
    "replay",
    "resume",
    "reveal_season",
    "run",
    "seasons",
    "start_season",
    "train",
    "trust",
    "verify",
]
