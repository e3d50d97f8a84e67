"""The folder of a policy's training.

- ``policy.npz`` and ``best.npz``: the policy as it is, and the one that did best in an evaluation;
  of several seeds ``policy-0.npz`` and so on; of a training with a name ``NAME-last.npz`` and
  ``NAME.npz``
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

    def policy_file(self, kind: str, number: int, course: Course) -> Path:
        """Return the file of a seed's policy: ``policy`` or ``best``, or by the training's name."""
        named = {"best": course.name, "policy": f"{course.name}-last"}
        stem = named[kind] if course.name else kind
        return self.path / (f"{stem}.npz" if course.seeds == 1 else f"{stem}-{number}.npz")
