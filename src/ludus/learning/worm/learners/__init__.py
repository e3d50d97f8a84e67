"""Learners: how brains are trained, one way a file."""
