"""Adapters for environments that many people have: each says what is missing if it is.

They hold no game. What they adapt, and its ROM, is the user's own.
"""
