"""The folder of trainings: plain files, each written beside its place and moved there.

- ``0000.json``: a finished training, episode by episode, with every action
- ``0000.npz``: the brain that came of it, an agent for ``ludus run``
- ``progress/plan.json``: what is trained
- ``progress/0000.npz``: a training on its way, at the end of an episode; gone when it is finished
"""

from __future__ import annotations

import base64
import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents.worm.brain import write_brain
from ludus.agents.worm.brains import Brain, Weights, parameters
from ludus.errors import OptionError
from ludus.games.worm.training import pack_actions
from ludus.learning.worm.episodes import Diary, EpisodeLine
from ludus.learning.worm.learners.learner import Greedy
from ludus.learning.worm.plan import Plan

__all__ = ["Folder"]

PLAN = Path("progress/plan.json")


class Folder:
    """The files of a plan's trainings.

    Args:
        path: Where they are.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def begun(self) -> bool:
        """Whether there is a plan."""
        return (self.path / PLAN).is_file()

    @property
    def plan(self) -> Plan:
        """What is trained.

        Raises:
            OptionError: The folder holds no trainings.
        """
        if not self.begun:
            raise OptionError(f"{str(self.path)!r} holds no trainings: begin some with a brain")
        return Plan.from_json((self.path / PLAN).read_text(encoding="utf-8"))

    def begin(self, plan: Plan) -> None:
        """Write the plan down, or make sure that it is the one that was.

        Raises:
            OptionError: The folder holds other trainings, or cannot be written.
        """
        if self.begun:
            kept = json.loads((self.path / PLAN).read_text(encoding="utf-8"))
            asked = json.loads(plan.to_json())
            other = [name for name in asked if kept.get(name) != asked[name]]
            if other:
                told = ", ".join(f"{n} {kept.get(n)!r}" for n in other)
                raise OptionError(
                    f"{str(self.path)!r} holds trainings with {told}: choose another folder"
                )
            return
        try:
            (self.path / PLAN).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OptionError(f"{str(self.path)!r} cannot be made: {error.strerror}") from None
        _write(self.path / PLAN, (plan.to_json() + "\n").encode())

    def session(self, training: int) -> Path:
        """Return the file of a finished training."""
        return self.path / f"{training:04d}.json"

    def missing(self) -> list[int]:
        """Return the trainings that are not finished."""
        return [k for k in range(self.plan.trainings) if not self.session(k).is_file()]

    def _checkpoint(self, training: int) -> Path:
        return self.path / PLAN.parent / f"{training:04d}.npz"

    def keep(self, diary: Diary, leaves: Sequence[Any]) -> None:
        """Write down how far a training has come.

        Args:
            diary: What was played.
            leaves: The learner's arrays, in their order.
        """
        told = {
            "first_seed": diary.first_seed,
            "cpu_seconds": diary.cpu_seconds,
            "lines": [asdict(line) for line in diary.lines],
            "actions": base64.b64encode(bytes(diary.actions)).decode("ascii"),
        }
        arrays = {f"leaf{k}": np.asarray(leaf) for k, leaf in enumerate(leaves)}
        place = self._checkpoint(diary.training)
        beside = place.with_suffix(".part")
        with beside.open("wb") as file:
            np.savez(file, allow_pickle=False, diary=np.array(json.dumps(told)), **arrays)
        os.replace(beside, place)

    def kept(self, training: int) -> tuple[Diary, list[Any]] | None:
        """Return how far a training had come and the learner's arrays, or None if not begun."""
        try:
            with np.load(self._checkpoint(training), allow_pickle=False) as file:
                told = json.loads(str(file["diary"]))
                leaves = [file[f"leaf{k}"] for k in range(len(file.files) - 1)]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise OptionError(
                f"{str(self._checkpoint(training))!r} cannot be read ({error}): delete it, and the "
                "training begins anew"
            ) from None
        diary = Diary(training, told["first_seed"], cpu_seconds=told["cpu_seconds"])
        diary.lines = [EpisodeLine(**line) for line in told["lines"]]
        diary.actions = bytearray(base64.b64decode(told["actions"]))
        return diary, leaves

    def finish(
        self, diary: Diary, brain: Brain | None, weights: Weights, evaluation: dict[str, Any]
    ) -> None:
        """Write a finished training down."""
        plan = self.plan
        if brain is not None and weights:
            beside = self.session(diary.training).with_suffix(".part")
            write_brain(
                beside,
                brain,
                weights,
                evaluation.pop("features"),
                sum(line.steps for line in diary.lines) + _declared(plan)["pretraining_steps"],
            )
            os.replace(beside, self.session(diary.training).with_suffix(".npz"))
        told = session_of(plan, diary, weights, evaluation)
        _write(self.session(diary.training), json.dumps(told).encode())
        self._checkpoint(diary.training).unlink(missing_ok=True)


def session_of(
    plan: Plan, diary: Diary, weights: Weights, evaluation: dict[str, Any]
) -> dict[str, Any]:
    """Return a finished training as the plain values of a session."""
    lines = diary.lines
    reasons = sorted({line.reason for line in lines})
    told: dict[str, Any] = {
        "session": f"{plan.name}-{plan.seed}-{diary.training:04d}",
        "brain": plan.name,
        "task": plan.world.id,
        "engine": plan.engine,
        "version": plan.version,
        "seed": plan.seed,
        "training": diary.training,
        "n_runs": len(lines),
        "first_seed": diary.first_seed,
        "seeds_consecutive": True,
        "config": plan.config(),
        **_declared(plan),
        "parameters": parameters(weights),
        "environment_steps": sum(line.steps for line in lines),
        "cpu_seconds": round(diary.cpu_seconds, 3),
        "success": "".join(str(int(line.success)) for line in lines),
        "reason": "".join(str(reasons.index(line.reason)) for line in lines),
        "reason_codes": reasons,
        "distance_efficiency": [line.efficiency for line in lines],
        "steps": [line.steps for line in lines],
        "foods": [line.foods for line in lines],
        "total_reward": [round(line.total_reward, 6) for line in lines],
        "chemotaxis": [line.chemotaxis for line in lines],
        "evaluation": evaluation,
        "actions": pack_actions(bytes(diary.actions)),
    }
    columns = {
        "survival_score": "survival",
        "temperature_comfort_score": "comfort",
        "oxygen_comfort_score": "oxygen_comfort",
    }
    for column, name in columns.items():
        if lines and getattr(lines[0], name) is not None:
            told[column] = [getattr(line, name) for line in lines]
    return told


def _declared(plan: Plan) -> dict[str, Any]:
    """Return whether a brain learns, and what it had learned before."""
    learner = None if isinstance(plan.loaded, type) else plan.loaded[1]
    if isinstance(learner, Greedy):
        return {
            "learning": False,
            "pretrained": learner.pretrained,
            "pretraining_steps": learner.pretraining_steps,
        }
    return {"learning": True, "pretrained": "", "pretraining_steps": 0}


def _write(place: Path, data: bytes) -> None:
    beside = place.with_suffix(".part")
    beside.write_bytes(data)
    os.replace(beside, place)
