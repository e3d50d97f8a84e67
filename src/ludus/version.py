"""The version of Ludus that is installed."""

from __future__ import annotations

from importlib.metadata import version

from ludus.distribution import DISTRIBUTION

__all__ = ["__version__"]

__version__ = version(DISTRIBUTION)
