"""The folder of a policy's training.

- ``policy.npz`` and ``best.npz``: the policy as it is, and the one that did best in an evaluation;
  of several seeds ``policy-0.npz`` and so on
- ``curve.jsonl`` and ``progress/``: see :mod:`ludus.learning.curve_folder`
"""

from __future__ import annotations

from pathlib import Path

from ludus.learning.curve_folder import CurveFolder
from ludus.learning.platformer.settings import FAMILY, Course

__all__ = ["PolicyFolder"]


class PolicyFolder(CurveFolder):
    """The files of one training."""

    def course(self) -> Course:
        """Return what is trained.

        Raises:
            OptionError: The folder holds no training.
        """
        return Course.from_dict(self.settings_of(FAMILY))

    def policy_file(self, kind: str, number: int, seeds: int) -> Path:
        """Return the file of a seed's policy: ``policy`` or ``best``."""
        return self.path / (f"{kind}.npz" if seeds == 1 else f"{kind}-{number}.npz")
