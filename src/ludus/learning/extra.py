"""JAX, which learners need and nobody else."""

from __future__ import annotations

import os
from importlib import import_module

from ludus.distribution import install_command
from ludus.errors import MissingExtra

__all__ = ["require_jax"]


def require_jax() -> None:
    """Make sure that JAX can be imported, and that it keeps to the processor.

    Raises:
        MissingExtra: It is not installed.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import_module("jax")
    except ImportError as error:
        message = f"jax is not installed; training needs it: {install_command('learn')}"
        raise MissingExtra(message) from error
