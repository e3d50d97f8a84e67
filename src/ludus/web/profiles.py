"""What generators saw of a player, as a small chart shows it."""

from __future__ import annotations

from ludus.games.platformer.recordings import PlayerRecord
from ludus.web.vote_models import ProfileValue

__all__ = ["describe_profile"]

MOST_JUMPS = 60


def describe_profile(record: PlayerRecord) -> list[ProfileValue]:
    """Return the traits of a player that the generators adapt to, each as a share.

    Example:
        >>> from ludus.games.platformer.recordings import PROFILES
        >>> describe_profile(PROFILES["expert"])[0].name
        'running'
    """
    time = max(record.total_time, 1)
    kills = sum(
        getattr(record, name) for name in PlayerRecord.__slots__ if name.endswith("_killed")
    )
    jumps = 60 * record.jumps / time
    deaths = max(record.lives - record.wins, 0)
    return [
        _share("running", record.time_running, time, "of the time"),
        _share("turning back", record.time_left, time, "of the time"),
        ProfileValue(
            name="jumping", share=min(jumps / MOST_JUMPS, 1), value=f"{jumps:.0f} jumps a minute"
        ),
        _share("coins", record.coins_collected, record.coins_total, "of all coins"),
        _share("fighting", kills, record.enemies_total, "of all creatures"),
        ProfileValue(
            name="blocks",
            share=record.blocks_share,
            value=f"{record.blocks_share:.0%} of all blocks",
        ),
        _share("lives lost", deaths, max(record.lives, 1), "of all lives"),
    ]


def _share(name: str, part: float, whole: float, words: str) -> ProfileValue:
    share = min(max(part / whole, 0.0), 1.0) if whole else 0.0
    return ProfileValue(name=name, share=share, value=f"{share:.0%} {words}")
