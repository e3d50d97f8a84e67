"""The front door: one function for each thing that most people need.

They are what ``import ludus`` gives and what the command line calls. Each returns a result that
shows itself: a table in a terminal, a table with bars and a film in a notebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.lazy_names import lazy_names

if TYPE_CHECKING:
    from ludus.api.boards import BoardResult, board
    from ludus.api.checking import CheckResult, check
    from ludus.api.comparing import ComparisonResult, compare
    from ludus.api.consent import trust
    from ludus.api.event_publishing import VerifiedEvent, publish_event, verify_event
    from ludus.api.event_result import EventResult
    from ludus.api.events import (
        CheckedClaims,
        check_claims,
        close_event,
        create_event,
        enter_event,
        event_results,
        event_terms,
        list_events,
        reveal_event,
        run_event,
        withdraw_entry,
    )
    from ludus.api.judging import JudgeResult, judge
    from ludus.api.levels import LevelResult, level
    from ludus.api.playing import race, resume, run
    from ludus.api.replays import Replay, replay
    from ludus.api.result import Result
    from ludus.api.run_result import RunResult
    from ludus.api.sealed_seasons import (
        open_seasons,
        play_season,
        reveal_season,
        seasons,
        start_season,
    )
    from ludus.api.serving import PublishedSite, publish, serve
    from ludus.api.submissions import (
        add_account,
        find_submission,
        list_accounts,
        list_submissions,
        replace_token,
        revoke_account,
        submit_agent,
    )
    from ludus.api.training import TrainingResult, train
    from ludus.api.verifying import VerificationResult, verify
    from ludus.api.working import work
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "boards": ["BoardResult", "board"],
            "checking": ["CheckResult", "check"],
            "comparing": ["ComparisonResult", "compare"],
            "consent": ["trust"],
            "event_publishing": ["VerifiedEvent", "publish_event", "verify_event"],
            "event_result": ["EventResult"],
            "events": [
                "CheckedClaims",
                "check_claims",
                "close_event",
                "create_event",
                "enter_event",
                "event_results",
                "event_terms",
                "list_events",
                "reveal_event",
                "run_event",
                "withdraw_entry",
            ],
            "judging": ["JudgeResult", "judge"],
            "levels": ["LevelResult", "level"],
            "playing": ["race", "resume", "run"],
            "replays": ["Replay", "replay"],
            "result": ["Result"],
            "run_result": ["RunResult"],
            "sealed_seasons": [
                "open_seasons",
                "play_season",
                "reveal_season",
                "seasons",
                "start_season",
            ],
            "serving": ["PublishedSite", "publish", "serve"],
            "submissions": [
                "add_account",
                "find_submission",
                "list_accounts",
                "list_submissions",
                "replace_token",
                "revoke_account",
                "submit_agent",
            ],
            "training": ["TrainingResult", "train"],
            "verifying": ["VerificationResult", "verify"],
            "working": ["work"],
        },
    )

__all__ = [
    "BoardResult",
    "CheckResult",
    "CheckedClaims",
    "ComparisonResult",
    "EventResult",
    "JudgeResult",
    "LevelResult",
    "PublishedSite",
    "Replay",
    "Result",
    "RunResult",
    "TrainingResult",
    "VerificationResult",
    "VerifiedEvent",
    "add_account",
    "board",
    "check",
    "check_claims",
    "close_event",
    "compare",
    "create_event",
    "enter_event",
    "event_results",
    "event_terms",
    "find_submission",
    "judge",
    "level",
    "list_accounts",
    "list_events",
    "list_submissions",
    "open_seasons",
    "play_season",
    "publish",
    "publish_event",
    "race",
    "replace_token",
    "replay",
    "resume",
    "reveal_event",
    "reveal_season",
    "revoke_account",
    "run",
    "run_event",
    "seasons",
    "serve",
    "start_season",
    "submit_agent",
    "train",
    "trust",
    "verify",
    "verify_event",
    "withdraw_entry",
    "work",
]
