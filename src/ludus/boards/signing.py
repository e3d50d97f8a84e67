"""Signatures of the ledger's head: ed25519, by a key that is the organiser's alone."""

from __future__ import annotations

import os
import stat
from importlib import import_module
from pathlib import Path
from typing import Any

from ludus.distribution import install_command
from ludus.errors import BoardError, MissingExtra

__all__ = [
    "KEY_VARIABLE",
    "is_signed_by",
    "make_key",
    "read_configured_key",
    "read_key",
    "read_public_key",
    "sign",
]

KEY_VARIABLE = "LUDUS_SIGNING_KEY"
"""The setting that names the file of the organiser's key."""

PRIVATE = 0o600
OTHERS = 0o077
MOST_BYTES = 10_000
KEY_LENGTH, SIGNATURE_LENGTH = 32, 64


def make_key(path: str | Path) -> str:
    """Write a new key to a file that nobody else can read, and return its public part.

    Raises:
        BoardError: The file is there already, or cannot be written.
        MissingExtra: The package that makes keys is not installed.
    """
    ed25519, serialization = _import("asymmetric.ed25519"), _import("serialization")
    key = ed25519.Ed25519PrivateKey.generate()
    content = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    except FileExistsError:
        raise BoardError(f"{str(path)!r} is there already: name a new file") from None
    except OSError as error:
        raise BoardError(f"no key can be written to {str(path)!r}: {error.strerror}") from error
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    return public_part(key)


def read_configured_key() -> Any | None:
    """Return the key that ``LUDUS_SIGNING_KEY`` names, or None if it names none.

    Raises:
        BoardError: The file is no key, or others can read it.
        MissingExtra: The package that reads keys is not installed.
    """
    path = os.environ.get(KEY_VARIABLE)
    return read_key(path) if path else None


def read_key(path: str | Path) -> Any:
    """Return the private key of a file.

    Raises:
        BoardError: The file is no key, or others can read it.
        MissingExtra: The package that reads keys is not installed.
    """
    ed25519, serialization = _import("asymmetric.ed25519"), _import("serialization")
    file = Path(path)
    try:
        mode = file.stat().st_mode
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES)
    except OSError as error:
        raise BoardError(f"the key {str(path)!r} cannot be read: {error.strerror}") from error
    if os.name == "posix" and mode & OTHERS:
        raise BoardError(
            f"others can read the key {str(path)!r} (mode {stat.S_IMODE(mode):o}): chmod 600 it"
        )
    try:
        key = serialization.load_pem_private_key(content, None)
    except (ValueError, TypeError) as error:
        raise BoardError(f"{str(path)!r} is no key: make one with ludus board key") from error
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise BoardError(f"{str(path)!r} is no ed25519 key: make one with ludus board key")
    return key


def public_part(key: Any) -> str:
    """Return the public part of a private key as text."""
    return str(key.public_key().public_bytes_raw().hex())


def sign(key: Any, message: str) -> tuple[str, str]:
    """Return the public part of a key and its signature of a message, both as text."""
    return public_part(key), key.sign(message.encode()).hex()


def is_signed_by(public: str, signature: str, message: str) -> bool:
    """Return whether a signature of a message is by the key of this public part.

    Raises:
        MissingExtra: The package that checks signatures is not installed.
    """
    ed25519 = _import("asymmetric.ed25519")
    invalid = import_module("cryptography.exceptions").InvalidSignature
    try:
        key = ed25519.Ed25519PublicKey.from_public_bytes(_decode(public, KEY_LENGTH))
        key.verify(_decode(signature, SIGNATURE_LENGTH), message.encode())
    except (invalid, ValueError):
        return False
    return True


def read_public_key(text: str) -> str:
    """Return a public key that is given as its text, or as a file that holds it.

    Raises:
        BoardError: It is neither.
    """
    file = Path(text)
    try:
        if file.is_file():
            with file.open(encoding="ascii") as stream:
                text = stream.read(MOST_BYTES).strip()
        _decode(text, KEY_LENGTH)
    except (OSError, ValueError) as error:
        raise BoardError(f"{text[:60]!r} is no public key: ludus board key prints one") from error
    return text


def _decode(text: str, length: int) -> bytes:
    content = bytes.fromhex(text)
    if len(content) != length:
        raise ValueError(f"{len(content)} bytes instead of {length}")
    return content


def _import(name: str) -> Any:
    try:
        return import_module(f"cryptography.hazmat.primitives.{name}")
    except ImportError as error:
        raise MissingExtra(
            f"cryptography is not installed; signatures need it: {install_command('sign')}"
        ) from error
