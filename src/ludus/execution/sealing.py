"""Sealed seasons: scenarios from a secret that is published as a commitment first, and then itself.

A season's secret is drawn by chance. Its commitment, a digest over the secret and the terms of the
season, is published at the start: from then on the organiser can change neither. Scenarios come
from the secret alone. Once it is revealed, everybody can check it against the commitment and play
every record again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludus.benchmarks.building import SEALED_BITS, SealedSeed, derive_seed
from ludus.errors import OptionError
from ludus.limits import Limits

__all__ = [
    "SECRET_BYTES",
    "SeasonMark",
    "SeasonTerms",
    "check_season_name",
    "fit_seed",
    "read_secret",
]

SECRET_BYTES = 32
COMMITMENT = "ludus season commitment 1"
SEED = b"ludus season seed 1"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
LONGEST_NAME = 40


class SeasonMark(NamedTuple):
    """What the plan of a sealed run says about its season.

    Attributes:
        name: The season's name.
        commitment: The digest by which its secret is known.
    """

    name: str
    commitment: str

    @classmethod
    def from_dict(cls, values: Any) -> SeasonMark:
        """Return the mark that plain values describe.

        Raises:
            OptionError: They describe none.
        """
        if not isinstance(values, Mapping) or values.keys() != {"name", "commitment"}:
            raise OptionError(f"{str(values)[:60]!r} is no season: it has a name and a commitment")
        check_season_name(values["name"])
        if not isinstance(values["commitment"], str) or not _DIGEST.fullmatch(values["commitment"]):
            raise OptionError(f"{str(values['commitment'])[:70]!r} is no commitment of a season")
        return cls(values["name"], values["commitment"])


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    """What is played in a season; its commitment covers all of it.

    Attributes:
        name: What the season is called.
        benchmark: The benchmark's id.
        version: Its version.
        options: What is played otherwise than by default.
        episodes: How many episodes every entry plays.
        limits: What an agent may use, where that is not what the benchmark gives.
    """

    name: str
    benchmark: str
    version: int
    episodes: int
    options: Mapping[str, str] = field(default_factory=dict)
    limits: Limits | None = None

    def commit(self, secret: bytes) -> str:
        """Return the commitment to a secret: the SHA-256 of one canonical text.

        Example:
            >>> terms = SeasonTerms("2026-autumn", "platformer/sprint", 1, 10)
            >>> terms.commit(bytes(32))[:12]
            '4264628ea02a'
        """
        return hashlib.sha256(self.describe(secret).encode()).hexdigest()

    def describe(self, secret: bytes) -> str:
        """Return the canonical text that the commitment is the digest of."""
        values = {
            "benchmark": self.benchmark,
            "version": self.version,
            "options": dict(self.options),
            "name": self.name,
            "episodes": self.episodes,
            "secret": secret.hex(),
        }
        if self.limits is not None:
            values["limits"] = self.limits.to_dict()
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        return f"{COMMITMENT}\n{text}"

    def derive_seed(self, secret: bytes) -> SealedSeed:
        """Return what the scenarios are made from: 256 bits that only the secret gives."""
        what = f"{self.benchmark}@{self.version}/{self.name}".encode()
        return SealedSeed.from_bytes(hmac.digest(secret, SEED + b"\n" + what, "sha256"))


def fit_seed(scenario: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a scenario whose seed fits into 63 bits, as games take it.

    Benchmarks that reckon with the season's seed instead of deriving from it give wider ones.
    """
    seed = scenario.get("seed")
    if not isinstance(seed, int) or 0 <= seed < 2**SEALED_BITS:
        return scenario
    return {**scenario, "seed": derive_seed("ludus season scenario", SealedSeed(seed), 0)}


def check_season_name(name: Any) -> None:
    """Make sure that a text can name a season.

    Raises:
        OptionError: It cannot.

    Example:
        >>> check_season_name("2026-autumn")
    """
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        raise OptionError(
            f"{str(name)[:LONGEST_NAME]!r} cannot name a season: give small letters, digits and "
            f"dashes, at most {LONGEST_NAME}, such as 2026-autumn"
        )


def read_secret(text: Any) -> bytes:
    """Return the secret that hexadecimal digits spell.

    Raises:
        OptionError: They spell none.
    """
    if not isinstance(text, str) or not _DIGEST.fullmatch(text):
        raise OptionError(f"a secret has {2 * SECRET_BYTES} hexadecimal digits, this one is none")
    return bytes.fromhex(text)
