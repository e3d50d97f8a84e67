"""Intervals and other statistics that belong to a result."""

from __future__ import annotations

from ludus.stats.intervals import Estimate, mean_interval, student_quantile

__all__ = ["Estimate", "mean_interval", "student_quantile"]
