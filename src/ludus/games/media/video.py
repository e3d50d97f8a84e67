"""Writes films: GIF and MP4 files of any frames, with the extra ``video``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ludus.distribution import install_command
from ludus.errors import MissingExtra, OptionError
from ludus.games.media.film_options import AS_DRAWN, FPS, FilmOptions
from ludus.games.media.palette import MOST_COLOURS, Picture, split_palette
from ludus.games.media.png import write_png

__all__ = ["FPS", "Picture", "film_scale", "write_film", "write_gif", "write_mp4", "write_preview"]

MOST_PREVIEW_FRAMES = 200
GIF_FPS = 15  # unless others are asked for: half the frames are half the file
MAX_GIF_FPS = 50  # browsers slow down what is meant to be faster


def _import_extra(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        message = f"{name} is not installed; films need it: {install_command('video')}"
        raise MissingExtra(message) from error


def _enlarge(
    frames: Iterable[Picture], fps: float, scale: int
) -> tuple[Picture, Iterator[Picture]]:
    """Return the first frame and all frames, enlarged; refuse options that make no film."""
    if not fps > 0:
        raise OptionError(f"{fps} frames a second do not move; try {FPS}")
    if scale < 1:
        raise OptionError(f"frames cannot be enlarged {scale} times; try 2")
    enlarged = (np.repeat(np.repeat(frame, scale, 0), scale, 1) for frame in frames)
    first = next(enlarged, None)
    if first is None:
        raise OptionError("a film needs at least one frame")
    return first, chain([first], enlarged)


def write_gif(
    path: str | PathLike[str], frames: Iterable[Picture], fps: float = FPS, *, scale: int = 1
) -> None:
    """Write frames to a GIF that repeats for ever.

    Frames of at most 256 colours, as the game's own are, keep them exactly.

    Args:
        path: The file; one that exists is replaced.
        frames: RGB, uint8, all of one shape ``(height, width, 3)``.
        fps: Frames a second, at most 50; a GIF knows only hundredths of a second.
        scale: How many times larger every pixel becomes.

    Raises:
        MissingExtra: If Pillow is not installed.
        OptionError: If there are no frames, or ``fps`` or ``scale`` is out of range.
        OSError: If the file cannot be written.
    """
    images = _import_extra("PIL.Image")
    if fps > MAX_GIF_FPS:
        raise OptionError(f"a GIF cannot show {fps:g} frames a second; try {MAX_GIF_FPS} or an MP4")
    _, every = _enlarge(frames, fps, scale)
    pictures = _timed_images(images, every, fps)
    next(pictures).save(
        path, format="GIF", save_all=True, append_images=pictures, loop=0, optimize=False
    )


def _timed_images(images: Any, frames: Iterable[Picture], fps: float) -> Iterator[Any]:
    """Yield Pillow's images of frames, with how many milliseconds each is shown."""
    start = 0
    for number, frame in enumerate(frames, 1):
        image, end = _to_indexed_image(images, frame), round(100 * number / fps)
        image.info["duration"] = 10 * (end - start)
        start = end
        yield image


def write_preview(
    path: str | PathLike[str], frames: Iterable[Picture], count: int, fps: float = FPS
) -> None:
    """Write some of the frames to a GIF that is quick to make and small.

    Args:
        path: The file; one that exists is replaced.
        frames: RGB, uint8, all of one shape ``(height, width, 3)``.
        count: How many frames there are, about.
        fps: Frames a second, of all frames.

    Raises:
        MissingExtra: If Pillow is not installed.
        OptionError: If there are no frames.
        OSError: If the file cannot be written.
    """
    step = max(2, -(-count // MOST_PREVIEW_FRAMES))
    write_gif(path, islice(frames, 0, None, step), fps / step)


def _to_indexed_image(images: Any, rgb: Picture) -> Any:
    """Return a Pillow image with a palette: exact if the colours fit, else the nearest 256."""
    palette, indices = split_palette(rgb)
    if len(palette) > MOST_COLOURS:
        return images.fromarray(rgb).quantize(MOST_COLOURS, dither=images.Dither.NONE)
    image = images.fromarray(indices.astype(np.uint8))
    image.putpalette(palette.tobytes())  # from grey to indexed
    return image


def write_mp4(
    path: str | PathLike[str], frames: Iterable[Picture], fps: float = FPS, *, scale: int = 1
) -> None:
    """Write frames to an MP4 (H.264) that any browser plays.

    Args:
        path: The file; one that exists is replaced.
        frames: RGB, uint8, all of one shape ``(height, width, 3)``; an odd side loses a pixel.
        fps: Frames a second.
        scale: How many times larger every pixel becomes.

    Raises:
        MissingExtra: If imageio-ffmpeg is not installed.
        OptionError: If there are no frames, or ``fps`` or ``scale`` is out of range.
        OSError: If the file cannot be written.
    """
    ffmpeg = _import_extra("imageio_ffmpeg")
    first, every = _enlarge(frames, fps, scale)
    height, width = (side - side % 2 for side in first.shape[:2])
    if not height or not width:
        raise OptionError(f"frames of {first.shape[1]} × {first.shape[0]} pixels fit no MP4")
    Path(path).touch()  # a folder that cannot be written to raises here, not in ffmpeg
    writer = ffmpeg.write_frames(
        str(path), (width, height), fps=fps, codec="libx264", quality=None, macro_block_size=2,
        output_params=["-crf", "18", "-preset", "medium", "-movflags", "+faststart"],
    )  # fmt: skip
    writer.send(None)
    try:
        for frame in every:
            writer.send(np.ascontiguousarray(frame[:height, :width]))
    finally:
        writer.close()


def film_scale(path: str | PathLike[str]) -> int:
    """Return how many times larger the pixels of a game's film are: a GIF is kept small.

    Example:
        >>> film_scale("film.gif"), film_scale("film.mp4")
        (1, 2)
    """
    return 1 if Path(path).suffix.lower() == ".gif" else 2


def write_film(
    path: str | PathLike[str],
    frames: Iterable[Picture],
    fps: float = FPS,
    *,
    scale: int = 1,
    picture: Callable[[], Picture] | None = None,
    options: FilmOptions = AS_DRAWN,
) -> None:
    """Write frames to a GIF or an MP4, or one picture to a PNG, by the path's suffix.

    Args:
        path: The file; one that exists is replaced.
        frames: RGB, uint8, all of one shape ``(height, width, 3)``.
        fps: Frames a second that the game draws. A GIF shows at most 15 of them, unless ``options``
            say.
        scale: How many times larger every pixel of a film becomes, unless ``options`` say.
        picture: Draws the picture of a PNG; without it, there is none.
        options: Size, speed and frames a second of the film.

    Raises:
        MissingExtra: If the extra ``video`` is not installed.
        OptionError: If the suffix is another, or an option is out of range.
    """
    suffix = Path(path).suffix.lower()
    if suffix in (".gif", ".mp4"):
        write = write_gif if suffix == ".gif" else write_mp4
        if suffix == ".gif" and options.fps is None:
            options = replace(options, fps=min(options.rate(fps), GIF_FPS))
        shown, rate = options.choose(frames, fps), options.rate(fps)
        write(path, shown, rate, scale=options.scale or scale)
    elif suffix == ".png" and picture is not None:
        write_png(path, picture())
    else:
        known = "neither .gif nor .mp4" if picture is None else "none of .png, .gif and .mp4"
        raise OptionError(f"{str(path)!r} ends in {known}; name the film so")
