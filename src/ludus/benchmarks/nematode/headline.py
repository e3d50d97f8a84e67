"""The question that the family asks first: food, found by comparing smells.

With all-knowing senses the smell tells the direction of food, and three lines of arithmetic score
more than most brains that learn. So the first question is asked with the senses of a worm that
swings its head: how strong the smell is, how it changes, and on which side there is more of it.
"""

from __future__ import annotations

from ludus.benchmarks.nematode.trainings import task_spec

__all__ = ["HEADLINE_NAME", "HEADLINE_SENSING", "HEADLINE_TASK"]

HEADLINE_NAME, HEADLINE_SENSING = "foraging-small", "klinotaxis"

HEADLINE_TASK = task_spec(HEADLINE_NAME, sensing=HEADLINE_SENSING)
"""What the world calls it."""
