r"""Levels as files: our own text, the framework's, the level corpus's, JSON, and Tiled maps.

``text`` (.txt)
    The rows. If the level has rules, physics, a time limit, labels or a recipe, a line
    ``;ludus {…}`` stands before them and holds those that are not at their defaults, as JSON. The
    rows of a level that the rules ``2009`` or ``2010`` play as a map are its bytes, two hexadecimal
    digits each, and the line says under ``map`` what else those engines need. Loses the reference
    of a level for other rules, which its recipe makes again.
``framework`` (.txt)
    The rows alone, as the Mario AI Framework reads them. Loses all that goes before the rows;
    ladders, keys, locks, switches, doors and moving platforms become empty cells.
``vglc`` (.vglc)
    The rows in the legend of the Video Game Level Corpus; :mod:`.vglc` lists the losses.
``json`` (.json)
    Everything, exactly: rows, settings, recipe and reference.
``tmx`` (.tmx)
    A map for the Tiled editor, with its tiles in a PNG beside it. Written, not read.

Example:
    >>> level = Level.parse("M-l-F\nXXXXX", rules="ludus", time_limit=60)
    >>> print(encode_level(level, "text"))
    ;ludus {"rules": "ludus", "time_limit": 60}
    M-l-F
    XXXXX
    <BLANKLINE>
    >>> decode_level(encode_level(level, "text"), "text") == level
    True
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from ludus.errors import LevelError, OptionError
from ludus.foreign_files import LEVEL_BYTES, UnreadableFile, read_bytes
from ludus.games.platformer.formats.document import (
    check_characters,
    read_document,
    read_settings,
    write_document,
    write_settings,
)
from ludus.games.platformer.formats.vglc import framework_rows, read_vglc, vglc_rows
from ludus.games.platformer.levels.level import Level

__all__ = ["FORMATS", "decode_level", "encode_level", "format_of", "read_level", "write_level"]

FORMATS = {
    "text": ".txt",
    "framework": ".txt",
    "vglc": ".vglc",
    "json": ".json",
    "tmx": ".tmx",
}
"""The formats and how the names of their files end."""

HEADER = ";ludus "
_BY_SUFFIX = {suffix: name for name, suffix in FORMATS.items() if name != "framework"}
_MARK = "\ufeff"  # some editors begin a file with it


def read_level(path: str | PathLike[str], format: str | None = None) -> Level:  # noqa: A002
    r"""Return the level in a file.

    Args:
        path: The file.
        format: One of ``FORMATS``; if None, what the name's ending or the content says.

    Raises:
        LevelError: There is no such file, or it is no level; the message says where it stops being
            one.
        OptionError: There is no such format.

    Example:
        >>> write_level("one.txt", Level.parse("M-F\nXXX"))
        >>> read_level("one.txt").width
        3
    """
    path = Path(path)
    if format is None:
        format = _BY_SUFFIX.get(path.suffix.lower())  # noqa: A001
    try:
        return decode_level(_content(path), format)
    except LevelError as error:
        message = f"{path}: {error}"
        raise LevelError(message, error.row, error.column, error.character) from None


def write_level(
    path: str | PathLike[str],
    level: Level,
    format: str | None = None,  # noqa: A002
) -> None:
    r"""Write a level to a file; beside a Tiled map goes the PNG of its tiles, ``NAME-tiles.png``.

    Args:
        path: The file; one that exists is replaced.
        level: The level.
        format: One of ``FORMATS``; if None, what the name's ending says.

    Raises:
        OptionError: There is no such format, or the file cannot be written.
        LevelError: The level has a character that no file can hold.

    Example:
        >>> write_level("one.json", Level.parse("M-F\nXXX"))
    """
    path = Path(path)
    format_name = format or format_of(path)
    files = {path: encode_level(level, format_name).encode()}
    if format_name == "tmx":
        files = _tiled_files(path, level)
    try:
        for file, content in files.items():
            file.write_bytes(content)
    except OSError as error:
        reason = error.strerror or error
        raise OptionError(f"cannot write {str(path)!r}: {reason}; choose another file") from error


def _tiled_files(path: Path, level: Level) -> dict[Path, bytes]:
    """Return the content of a Tiled map and of the picture of its tiles."""
    from ludus.games.platformer.formats.tmx import encode_tmx, tileset_png

    image = path.with_name(f"{path.stem}-tiles.png")
    return {path: encode_tmx(level, image.name).encode(), image: tileset_png(level)}


def format_of(path: str | PathLike[str]) -> str:
    """Return the format that a file's name asks for.

    Raises:
        OptionError: The name's ending is none of those in ``FORMATS``.

    Example:
        >>> format_of("level.tmx")
        'tmx'
    """
    name = _BY_SUFFIX.get(Path(path).suffix.lower())
    if name is None:
        known = ", ".join(_BY_SUFFIX)
        raise OptionError(f"{str(path)!r} does not end like a level: let it end in {known}")
    return name


def decode_level(text: str, format: str | None = None) -> Level:  # noqa: A002
    r"""Return the level in a text; without a format, one that begins with ``{`` is JSON.

    Raises:
        LevelError: The text is no level.
        OptionError: There is no such format.

    Example:
        >>> decode_level("M-F\nXXX").height
        2
    """
    text = text.removeprefix(_MARK)
    if format is None:
        format = "json" if text.lstrip().startswith("{") else "text"  # noqa: A001
    if format == "json":
        return read_document(text)
    if format == "vglc":
        return read_vglc(text)
    if format == "framework":
        check_characters(text.split("\n"))
        return Level.parse(text)
    if format == "text":
        return _read_text(text)
    if format == "tmx":
        raise LevelError("a Tiled map is written, not read: keep the level as .txt or .json too")
    raise _no_such_format(format)


def encode_level(level: Level, format: str = "text") -> str:  # noqa: A002
    r"""Return a level as the text of a file; a Tiled map names its picture ``level-tiles.png``.

    Raises:
        OptionError: There is no such format.
        LevelError: The level has a character that no file can hold.

    Example:
        >>> encode_level(Level.parse("M-F\nXXX"), "vglc")
        '---\nXXX\n'
    """
    if format == "text":
        return _write_text(level)
    if format == "json":
        return write_document(level)
    if format == "tmx":
        from ludus.games.platformer.formats.tmx import encode_tmx  # the only format that draws

        return encode_tmx(level, "level-tiles.png")
    if format == "framework":
        return _join_rows(framework_rows(level))
    if format == "vglc":
        return _join_rows(vglc_rows(level))
    raise _no_such_format(format)


def _no_such_format(name: str) -> OptionError:
    return OptionError(f"no format {name!r}; there are {', '.join(FORMATS)}")


def _read_text(text: str) -> Level:
    if not text.startswith(HEADER):
        check_characters(text.split("\n"))
        return Level.parse(text)
    header, _, rest = text.partition("\n")
    return read_settings(header.removeprefix(HEADER), rest)


def _write_text(level: Level) -> str:
    rows = level.text.split("\n") if level.map is None else level.map.rows()
    settings = write_settings(level)
    if settings != "{}" or rows[0].startswith((HEADER, _MARK)):
        return f"{HEADER}{settings}\n{_join_rows(rows)}"
    return _join_rows(rows)


def _join_rows(rows: list[str]) -> str:
    check_characters(rows)
    return "\n".join(rows) + "\n"


def _content(path: Path) -> str:
    try:
        data = read_bytes(path, LEVEL_BYTES)
    except OSError as error:
        raise LevelError(f"cannot be read: {error.strerror or error}") from None
    except UnreadableFile as error:
        raise LevelError(str(error)) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        row, column = before.count("\n"), len(before) - before.rfind("\n") - 1
        byte = data[error.start]
        raise LevelError(
            f"row {row} has the byte 0x{byte:02x} at column {column}, which is no text: "
            "levels are texts in UTF-8",
            row,
            column,
            chr(byte),
        ) from None
