"""Records of three invented players, to try generators with before anybody has played.

They are what a level of the notch generator at difficulty 0 might see: a beginner who walks, waits
and dies, an average player, and an expert who runs through and takes what there is.
"""

from __future__ import annotations

from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["PROFILES"]

_LEVEL = {
    "coins_total": 40,
    "empty_blocks_total": 30,
    "coin_blocks_total": 20,
    "power_blocks_total": 5,
    "enemies_total": 30,
}

PROFILES = {
    "beginner": PlayerRecord.from_dict(
        {
            **_LEVEL,
            "completion_time": 40,
            "total_time": 150,
            "jumps": 30,
            "run_presses": 2,
            "time_running": 8,
            "time_right": 90,
            "time_left": 25,
            "coins_collected": 6,
            "coin_blocks_destroyed": 1,
            "coin_blocks_share": 0.05,
            "blocks_share": 0.02,
            "time_small": 150,
            "mode_periods": 3,
            "aimless_jumps": 27,
            "deaths_by_gap": 2,
            "deaths_by_goomba": 1,
            "goombas_killed": 2,
            "stomps": 2,
            "lives": 3,
        }
    ),
    "average": PlayerRecord.from_dict(
        {
            **_LEVEL,
            "completion_time": 75,
            "total_time": 110,
            "jumps": 60,
            "run_presses": 12,
            "time_running": 45,
            "time_right": 85,
            "time_left": 10,
            "coins_collected": 18,
            "empty_blocks_destroyed": 3,
            "coin_blocks_destroyed": 7,
            "power_blocks_destroyed": 2,
            "coin_blocks_share": 0.35,
            "empty_blocks_share": 0.1,
            "power_blocks_share": 0.4,
            "blocks_share": 12 / 55,
            "time_small": 60,
            "time_large": 50,
            "mode_periods": 4,
            "aimless_jumps": 38,
            "deaths_by_green_turtle": 1,
            "goombas_killed": 6,
            "green_turtles_killed": 3,
            "red_turtles_killed": 1,
            "stomps": 10,
            "lives": 2,
            "wins": 1,
        }
    ),
    "expert": PlayerRecord.from_dict(
        {
            **_LEVEL,
            "completion_time": 45,
            "total_time": 45,
            "jumps": 65,
            "run_presses": 25,
            "time_running": 42,
            "time_right": 43,
            "time_left": 1,
            "coins_collected": 34,
            "empty_blocks_destroyed": 15,
            "coin_blocks_destroyed": 16,
            "power_blocks_destroyed": 5,
            "coin_blocks_share": 0.8,
            "empty_blocks_share": 0.5,
            "power_blocks_share": 1.0,
            "blocks_share": 36 / 55,
            "shells_kicked": 4,
            "kills_by_fire": 6,
            "kills_by_shell": 3,
            "time_small": 6,
            "time_large": 10,
            "time_fire": 29,
            "mode_periods": 3,
            "aimless_jumps": 15,
            "goombas_killed": 12,
            "green_turtles_killed": 6,
            "red_turtles_killed": 5,
            "stomps": 14,
            "lives": 1,
            "wins": 1,
        }
    ),
}
"""A beginner's, an average player's and an expert's record, by name."""
