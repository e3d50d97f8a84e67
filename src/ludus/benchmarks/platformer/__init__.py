"""Benchmarks that are played in the platformer and belong to no competition."""
