"""``ludus prompt``: what a language model would be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.options import JsonOption, RunArgument, StoreOption
from ludus.cli.output import check_target, print_json, say

__all__ = ["prompt"]

Episode = Annotated[int, typer.Argument(metavar="EPISODE", help="Its number in the run.")]
Step = Annotated[int, typer.Argument(metavar="[STEP]", help="How many steps were played before.")]
Variant = Annotated[
    str | None,
    typer.Option("--variant", help="A set of prompts, or a folder.", show_default="the player's"),
]
Hold = Annotated[
    int | None,
    typer.Option("--hold", min=1, help="The most ticks of an answer.", show_default="the player's"),
]
Picture = Annotated[
    Path | None,
    typer.Option("--picture", metavar="FILE", help="Also write what a model that sees is shown."),
]


def prompt(
    run: RunArgument,
    episode: Episode,
    step: Step = 0,
    variant: Variant = None,
    hold: Hold = None,
    picture: Picture = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Print what a language model would be asked at a step of an episode, with its tokens.

    Anybody may have played the episode. Of one that a language model has played, its own settings
    are used, and every call in the record names its step. Diplomacy has its own command,
    'ludus diplomacy prompt'.

    Example: ludus prompt 1a2b3c4d 0 40
    """
    from ludus.api.prompts import preview_step

    if picture is not None:
        check_target(picture, (".png",))
    shown = preview_step(
        run,
        episode,
        step,
        variant=variant,
        hold=hold,
        picture=None if picture is None else True,
        store=store_url,
    )
    if picture is not None:
        picture.write_bytes(shown.picture)
    if json:
        named = {name: getattr(shown, name) for name in ("step", "system", "text", "tokens")}
        print_json({**named, "picture": str(picture) if picture else None})
        return
    say(f"{shown.system}\n\n----\n\n{shown.text}\n\n----\n")
    with_picture = " with the picture" if shown.picture else ""
    say(f"about {shown.tokens:,} tokens{with_picture}, before step {shown.step}")
