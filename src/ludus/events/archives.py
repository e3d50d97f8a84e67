"""Archives of entries, read in memory and within limits; nothing of them is unpacked to a disk.

What an archive says of itself is checked before anything is unpacked, and what comes out of it is
compared with what it said.
"""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Sequence

from ludus.errors import one_line
from ludus.events.entry_paths import check_amount, check_path
from ludus.foreign_files import ARCHIVE_RATIO, ENTRY_BYTES, ENTRY_FILES, MB, UnreadableFile

__all__ = ["ARCHIVES", "read_archive"]

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
"""How the names of archives end."""

ENCRYPTED = 1
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
GZIP = b"\x1f\x8b"
GZIP_WINDOW = 16 + zlib.MAX_WBITS
TAR_BYTES = ENTRY_BYTES + 4 * 512 * ENTRY_FILES
"""The most of an unpacked tar archive: the files, and what it says of each of them."""


def read_archive(packed: bytes) -> dict[str, bytes]:
    """Return the files of a zip or tar archive by their paths, without what systems add to them.

    Raises:
        UnreadableFile: It is none, is too large, unpacks to too much, or holds a path, a link or a
            device that no entry may have.
    """
    if len(packed) > ENTRY_BYTES:
        raise UnreadableFile(f"is larger than {ENTRY_BYTES // MB} MB")
    read = _read_zip if zipfile.is_zipfile(io.BytesIO(packed)) else _read_tar
    try:
        files = read(packed)
    except UnreadableFile:
        raise
    except Exception as error:  # a damaged archive leads its reader anywhere
        raise UnreadableFile(f"is no archive: {one_line(error)}") from error
    return {path: content for path, content in files.items() if not _is_added(path)}


def _is_added(path: str) -> bool:
    """Say whether a system or Python has added a file by itself."""
    parts = path.split("/")
    return parts[0] == "__MACOSX" or "__pycache__" in parts or parts[-1] == ".DS_Store"


def _check_list(names: Sequence[str], size: int, packed: int) -> None:
    check_amount(len(names), size)
    if size > ARCHIVE_RATIO * packed:
        raise UnreadableFile(f"unpacks to {size / packed:,.0f} times its size")
    for name in names:
        check_path(name)
        if names.count(name) > 1:
            raise UnreadableFile(f"holds {name[:60]!a} twice")


def _check_folder(name: str, count: int) -> None:
    """Refuse a folder that no entry may have, and more folders than files; none is ever made."""
    if count > ENTRY_FILES:
        raise UnreadableFile(f"has more than {ENTRY_FILES:,} folders, the most for an entry")
    path = _clean_name(name.removesuffix("/"))
    if path != ".":
        check_path(path)


# ---- zip


def _read_zip(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        members = [one for one in archive.infolist() if not one.is_dir()]
        folders = [one.filename for one in archive.infolist() if one.is_dir()]
        for count, folder in enumerate(folders, 1):
            _check_folder(folder, count)
        names = [one.filename for one in members]
        _check_list(names, sum(one.file_size for one in members), len(packed))
        for one in members:
            _check_zip_member(one)
        return {one.filename: _read_zip_member(archive, one) for one in members}


def _check_zip_member(member: zipfile.ZipInfo) -> None:
    name = member.filename[:60]
    if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
        raise UnreadableFile(f"holds {name!a}, which is a link or a device")
    if member.compress_type not in METHODS or member.flag_bits & ENCRYPTED:
        raise UnreadableFile(f"packs {name!a} in a way that is not read")


def _read_zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as file:
        content = file.read(member.file_size + 1)
    if len(content) != member.file_size:
        raise UnreadableFile(f"lies about the size of {member.filename[:60]!a}")
    return content


# ---- tar


def _read_tar(packed: bytes) -> dict[str, bytes]:
    plain = _inflate(packed) if packed.startswith(GZIP) else packed
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        members = _list_tar(archive)
        names = [_clean_name(one.name) for one in members]
        _check_list(names, sum(one.size for one in members), len(packed))
        contents = [_read_tar_member(archive, one) for one in members]
        return dict(zip(names, contents, strict=True))


def _inflate(packed: bytes) -> bytes:
    """Return what gzip has packed, and never unpack more than an entry may have."""
    stream = zlib.decompressobj(GZIP_WINDOW)
    plain = stream.decompress(packed, TAR_BYTES + 1)
    if len(plain) > TAR_BYTES:
        raise UnreadableFile(f"has more than {ENTRY_BYTES // MB} MB, the most for an entry")
    return plain


def _list_tar(archive: tarfile.TarFile) -> list[tarfile.TarInfo]:
    """Return the files of an archive; whatever is neither file nor folder is refused."""
    members: list[tarfile.TarInfo] = []
    folders = 0
    for one in archive:
        if one.isdir():
            folders += 1
            _check_folder(one.name, folders)
            continue
        if not one.isreg() or one.issparse():
            raise UnreadableFile(f"holds {one.name[:60]!a}, which is a link or a device")
        members.append(one)
        check_amount(len(members), 0)
    return members


def _clean_name(name: str) -> str:
    """Return a path as ``tar c .`` would have it without its first two signs."""
    return name.removeprefix("./")


def _read_tar_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    content = file.read(member.size + 1) if file else b""
    if len(content) != member.size:
        raise UnreadableFile(f"lies about the size of {member.name[:60]!a}")
    return content
