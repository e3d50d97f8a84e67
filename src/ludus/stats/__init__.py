"""Statistics of results: intervals, comparisons, and the number of episodes that they need.

The functions print nothing and need only numpy. Random draws have a fixed seed, so the same
scores give the same numbers.

- ``intervals``: means and rates with their intervals, as :class:`Estimate`
- ``aggregate``: many tasks and runs in one number; performance profiles
- ``compare``: agents on the same episodes, pair by pair; who cannot be told apart
- ``significance``: the tests, effect sizes and adjustments behind it
- ``power``: how many episodes it takes, what so many can show
- ``betting``, ``sequential``, ``group_sequential``, ``halving``: stopping as soon as it is clear
- ``rating``, ``online``: strengths from games of two or more
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.lazy_names import lazy_names

if TYPE_CHECKING:
    from ludus.stats.aggregate import (
        Profile,
        aggregate_scores,
        interquartile_mean,
        optimality_gap,
        performance_profile,
        probability_of_improvement,
    )
    from ludus.stats.betting import BettingTest
    from ludus.stats.compare import (
        Comparison,
        Race,
        WinComparison,
        compare_all,
        compare_two,
        compare_wins,
    )
    from ludus.stats.distributions import student_quantile
    from ludus.stats.estimates import compare_estimates
    from ludus.stats.group_sequential import LookPlan, judge, plan_looks
    from ludus.stats.grouping import estimate_letters
    from ludus.stats.halving import Round, halving_schedule, survivors
    from ludus.stats.intervals import (
        Estimate,
        best_interval,
        mean_interval,
        rate_interval,
    )
    from ludus.stats.online import Belief, informative_pair, rate_online
    from ludus.stats.pairing import paired_differences
    from ludus.stats.power import (
        episodes_from_pilot,
        episodes_needed,
        power_of,
        smallest_difference,
    )
    from ludus.stats.rating import RatedGame, Ratings, bradley_terry, davidson, plackett_luce
    from ludus.stats.sequential import (
        ConfidenceSequence,
        RaceVerdict,
        StopWhenClear,
        confidence_sequence,
    )
    from ludus.stats.significance import (
        benjamini_hochberg,
        cliffs_delta,
        cohens_d,
        holm,
        mcnemar,
        rank_biserial,
        sign_flip_test,
    )
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "aggregate": [
                "Profile",
                "aggregate_scores",
                "interquartile_mean",
                "optimality_gap",
                "performance_profile",
                "probability_of_improvement",
            ],
            "betting": ["BettingTest"],
            "compare": [
                "Comparison",
                "Race",
                "WinComparison",
                "compare_all",
                "compare_two",
                "compare_wins",
            ],
            "distributions": ["student_quantile"],
            "estimates": ["compare_estimates"],
            "group_sequential": ["LookPlan", "judge", "plan_looks"],
            "grouping": ["estimate_letters"],
            "halving": ["Round", "halving_schedule", "survivors"],
            "intervals": ["Estimate", "best_interval", "mean_interval", "rate_interval"],
            "online": ["Belief", "informative_pair", "rate_online"],
            "pairing": ["paired_differences"],
            "power": ["episodes_from_pilot", "episodes_needed", "power_of", "smallest_difference"],
            "rating": ["RatedGame", "Ratings", "bradley_terry", "davidson", "plackett_luce"],
            "sequential": [
                "ConfidenceSequence",
                "RaceVerdict",
                "StopWhenClear",
                "confidence_sequence",
            ],
            "significance": [
                "benjamini_hochberg",
                "cliffs_delta",
                "cohens_d",
                "holm",
                "mcnemar",
                "rank_biserial",
                "sign_flip_test",
            ],
        },
    )

__all__ = [
    "Belief",
    "BettingTest",
    "Comparison",
    "ConfidenceSequence",
    "Estimate",
    "LookPlan",
    "Profile",
    "Race",
    "RaceVerdict",
    "RatedGame",
    "Ratings",
    "Round",
    "StopWhenClear",
    "WinComparison",
    "aggregate_scores",
    "benjamini_hochberg",
    "best_interval",
    "bradley_terry",
    "cliffs_delta",
    "cohens_d",
    "compare_all",
    "compare_estimates",
    "compare_two",
    "compare_wins",
    "confidence_sequence",
    "davidson",
    "episodes_from_pilot",
    "episodes_needed",
    "estimate_letters",
    "halving_schedule",
    "holm",
    "informative_pair",
    "interquartile_mean",
    "judge",
    "mcnemar",
    "mean_interval",
    "optimality_gap",
    "paired_differences",
    "performance_profile",
    "plackett_luce",
    "plan_looks",
    "power_of",
    "probability_of_improvement",
    "rank_biserial",
    "rate_interval",
    "rate_online",
    "sign_flip_test",
    "smallest_difference",
    "student_quantile",
    "survivors",
]
