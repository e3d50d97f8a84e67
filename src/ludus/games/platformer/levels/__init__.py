"""Levels: the record of one, those that come with Ludus, measures, and the solver."""
