"""Levels: the class, the levels that come with Ludus, measures, and the solver."""
