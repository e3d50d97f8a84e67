"""Pictures and pages made of what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.lazy_names import lazy_names

if TYPE_CHECKING:
    from ludus.reports.expressive_range import draw_ranges, measure_ranges, write_ranges
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "expressive_range": ["draw_ranges", "measure_ranges", "write_ranges"],
        },
    )

__all__ = ["draw_ranges", "measure_ranges", "write_ranges"]
