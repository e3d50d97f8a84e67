"""Forms with a file, as browsers send them."""

from __future__ import annotations

from email.message import Message
from typing import NamedTuple

from ludus.errors import OptionError

__all__ = ["Form", "parse_form"]

KIND = "multipart/form-data"
MOST_PARTS = 20
MOST_FIELD = 40_000
LONGEST_HEAD = 2_000


class Form(NamedTuple):
    """What somebody has filled in.

    Attributes:
        fields: The texts by name.
        files: The contents of files by name.
    """

    fields: dict[str, str]
    files: dict[str, bytes]


def parse_form(kind: str, body: bytes) -> Form:
    """Return the fields and files of a form.

    Args:
        kind: The content type of the request, which names the boundary.
        body: The body of the request.

    Raises:
        OptionError: It is no such form.
    """
    head = Message()
    head["content-type"] = kind[:LONGEST_HEAD].replace("\n", " ").replace("\r", " ")
    boundary = head.get_param("boundary")
    if head.get_content_type() != KIND or not isinstance(boundary, str) or not boundary:
        raise OptionError("this is no form with a file: send multipart/form-data")
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary.encode("utf-8", "replace"))
    if len(parts) > MOST_PARTS or len(parts) < 2 or not parts[-1].startswith(b"--"):
        raise OptionError("the form is broken off, or has too many fields: send it again")
    form = Form({}, {})
    for part in parts[1:-1]:
        _add(form, part)
    return form


def _add(form: Form, part: bytes) -> None:
    lines, _, content = part.partition(b"\r\n\r\n")
    head = Message()
    for line in lines[:LONGEST_HEAD].decode("utf-8", "replace").splitlines():
        key, _, value = line.partition(":")
        if key.strip().lower() == "content-disposition" and key not in head:
            head["content-disposition"] = value.strip()
    name = head.get_param("name", header="content-disposition")
    if not isinstance(name, str):
        raise OptionError("a field of the form has no name: send it again")
    if head.get_param("filename", header="content-disposition") is not None:
        form.files[name] = content
    elif len(content) <= MOST_FIELD:
        form.fields[name] = content.decode("utf-8", "replace").strip()
    else:
        raise OptionError(f"the field {name[:40]!r} has more than {MOST_FIELD:,} letters")
