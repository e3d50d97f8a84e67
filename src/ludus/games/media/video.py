"""Films: GIF and MP4 files of any frames, with the extra ``ludus[video]``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.distribution import install_command
from ludus.errors import MissingExtra, OptionError

__all__ = ["FPS", "Picture", "write_film", "write_gif", "write_mp4"]

FPS = 30
"""Ticks a second when a person watches."""
MAX_GIF_FPS = 50  # browsers slow down what is meant to be faster

Picture = NDArray[np.uint8]


def _extra(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        message = f"{name} is not installed; films need it: {install_command('video')}"
        raise MissingExtra(message) from error


def _checked(
    frames: Iterable[Picture], fps: float, scale: int
) -> tuple[Picture, Iterator[Picture]]:
    """Return the first frame and all frames, enlarged; refuse what cannot become a film."""
    if not fps > 0:
        raise OptionError(f"{fps} frames a second do not move; try {FPS}")
    if scale < 1:
        raise OptionError(f"frames cannot be enlarged {scale} times; try 2")
    enlarged = (np.repeat(np.repeat(one, scale, 0), scale, 1) for one in frames)
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
    images = _extra("PIL.Image")
    if fps > MAX_GIF_FPS:
        raise OptionError(f"a GIF cannot show {fps} frames a second; try {MAX_GIF_FPS} or an MP4")
    _, every = _checked(frames, fps, scale)
    pictures = [_indexed(images, one) for one in every]
    ends = [round(100 * (n + 1) / fps) for n in range(len(pictures))]
    durations = [10 * (end - start) for start, end in zip([0, *ends], ends, strict=False)]
    pictures[0].save(
        path,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=durations,
        loop=0,
        optimize=False,
    )


def _indexed(images: Any, rgb: Picture) -> Any:
    """Return a Pillow image with a palette: exact if the colours fit, else the nearest 256."""
    wide = rgb.astype(np.uint32)
    colours, places = np.unique(
        wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], return_inverse=True
    )
    if len(colours) > 256:
        return images.fromarray(rgb).quantize(256, dither=images.Dither.NONE)
    image = images.fromarray(places.reshape(rgb.shape[:2]).astype(np.uint8))
    palette = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    image.putpalette(palette.astype(np.uint8).tobytes())  # from grey to indexed
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
    ffmpeg = _extra("imageio_ffmpeg")
    first, every = _checked(frames, fps, scale)
    height, width = (side - side % 2 for side in first.shape[:2])
    if not height or not width:
        raise OptionError(f"frames of {first.shape[1]} × {first.shape[0]} pixels fit no MP4")
    Path(path).touch()  # a place that cannot be written to is told here, and plainly
    writer = ffmpeg.write_frames(
        str(path), (width, height), fps=fps, codec="libx264", quality=None, macro_block_size=2,
        output_params=["-crf", "18", "-preset", "medium", "-movflags", "+faststart"],
    )  # fmt: skip
    writer.send(None)
    try:
        for one in every:
            writer.send(np.ascontiguousarray(one[:height, :width]))
    finally:
        writer.close()


def write_film(
    path: str | PathLike[str], frames: Iterable[Picture], fps: float = FPS, *, scale: int = 1
) -> None:
    """Write frames to a GIF or an MP4, by the path's suffix.

    Raises:
        MissingExtra: If the extra ``ludus[video]`` is not installed.
        OptionError: If the suffix is neither, or an option is out of range.
    """
    writers = {".gif": write_gif, ".mp4": write_mp4}
    write = writers.get(Path(path).suffix.lower())
    if write is None:
        raise OptionError(f"{str(path)!r} ends in neither .gif nor .mp4; name the film so")
    write(path, frames, fps, scale=scale)
