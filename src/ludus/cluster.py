"""A Ray cluster, for as long as something is done on it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ludus.distribution import install_command
from ludus.errors import MissingExtra, StoreError, one_line

__all__ = ["joined_cluster"]


@contextmanager
def joined_cluster(address: str) -> Iterator[Any]:
    """Give the module ``ray`` with a cluster behind it; one that was joined before stays joined.

    Args:
        address: ``ray`` to start a cluster on this machine, ``ray://HOST:PORT`` or ``HOST:PORT`` to
            join one.

    Raises:
        MissingExtra: Ray is not installed.
        StoreError: There is no cluster.
    """
    ray = _import_ray()
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address)
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def _import_ray() -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise MissingExtra(f"Ray is not installed: {install_command('cluster')}") from None
    return ray


def _connect(ray: Any, address: str) -> None:
    where = {"include_dashboard": False} if address == "ray" else {"address": address}
    try:
        ray.init(**where, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise StoreError(f"no Ray cluster at {address!r}: {one_line(error)[:200]}") from error
