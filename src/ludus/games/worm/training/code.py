"""What folders of trainings call the code of a brain that is somebody's own."""

from __future__ import annotations

import hashlib
from pathlib import Path

__all__ = ["CODE_FILE", "MOST_CODE", "digest_code"]

CODE_FILE = "brain.py"
"""The file of the code, beside the sessions."""

MOST_CODE = 128 * 2**10
"""The most bytes that it may have: too few for the actions of fifty trainings."""


def digest_code(file: Path) -> str:
    """Return the digest of a file of code.

    Raises:
        OSError: It cannot be read.
    """
    return hashlib.sha256(file.read_bytes()).hexdigest()
