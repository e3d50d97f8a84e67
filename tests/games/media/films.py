"""What the tests of films share: readers of GIF and MP4 files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import imageio_ffmpeg  # type: ignore[import-untyped]
import numpy as np
from PIL import Image

from ludus.games.media.palette import Picture

__all__ = ["gif_frames", "mp4_frames"]


def gif_frames(path: Path) -> tuple[list[Picture], list[int]]:
    """Read a GIF's frames and how many milliseconds each lasts."""
    pictures, durations = [], []
    with Image.open(path) as gif:
        for number in range(getattr(gif, "n_frames", 1)):
            gif.seek(number)
            pictures.append(np.array(gif.convert("RGB")))
            durations.append(int(gif.info["duration"]))
    return pictures, durations


def mp4_frames(path: Path) -> list[Picture]:
    """Read an MP4's frames, by way of a stream of PPM pictures."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path)]
    stream = subprocess.run(
        [*command, "-f", "image2pipe", "-c:v", "ppm", "-"], check=True, capture_output=True
    ).stdout
    pictures = []
    while stream:
        kind, size, depth, pixels = stream.split(b"\n", 3)
        width, height = map(int, size.split())
        assert (kind, depth) == (b"P6", b"255")
        length = height * width * 3
        pictures.append(np.frombuffer(pixels[:length], np.uint8).reshape(height, width, 3))
        stream = pixels[length:]
    return pictures
