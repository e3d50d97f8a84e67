"""Learners of the platformer, under the terms of mario-arena."""
