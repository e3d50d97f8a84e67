"""Pictures and pages made of what was measured."""

from __future__ import annotations

from ludus.reports.expressive_range import draw_ranges, measure_ranges, write_ranges

__all__ = ["draw_ranges", "measure_ranges", "write_ranges"]
