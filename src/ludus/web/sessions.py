"""Who is logged in: a signed cookie, and the word that only our own forms know."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from time import time

from fastapi import Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ludus.runs import Store
from ludus.submissions import Account
from ludus.submissions.accounts import find_active

__all__ = ["COOKIE", "Forbidden", "Sessions", "check_same_site"]

COOKIE = "ludus_session"
SESSION_SECONDS = 12 * 3600
OWN_SITES = (None, "same-origin", "none")


class Forbidden(HTTPException):
    """Somebody may not do that."""

    def __init__(self, message: str) -> None:
        super().__init__(403, message)


def check_same_site(request: Request) -> None:
    """Refuse what a page of another site has sent.

    Raises:
        Forbidden: It has.
    """
    if request.headers.get("sec-fetch-site") not in OWN_SITES:
        raise Forbidden("this was sent by a page of another site: use the form here")


class Sessions:
    """Opens and reads sessions; their key is drawn anew whenever the server starts."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def open(self, account: Account, request: Request, response: Response) -> None:
        """Log an account in."""
        expires = int(time()) + SESSION_SECONDS
        value = f"{account.id}.{expires}.{self._sign(account, expires)}"
        response.set_cookie(
            COOKIE,
            value,
            max_age=SESSION_SECONDS,
            path=self._path(request),
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )

    def close(self, request: Request, response: Response) -> None:
        """Log out."""
        response.delete_cookie(COOKIE, path=self._path(request))

    def read(self, request: Request, store: Store) -> Account | None:
        """Return who is logged in; nobody if the cookie is forged or old, or the token replaced."""
        id_, _, rest = request.cookies.get(COOKIE, "").partition(".")
        expires, _, signature = rest.partition(".")
        if not expires.isascii() or not expires.isdecimal() or not time() < int(expires[:12]):
            return None
        account = find_active(id_, store)
        if account is None:
            return None
        signed = self._sign(account, int(expires[:12])).encode()
        return account if hmac.compare_digest(signed, signature.encode()) else None

    def form_word(self, account: Account) -> str:
        """Return the word that a form of an account carries."""
        return self._digest(f"form\n{account.id}\n{account.mark}")

    def check_form(self, account: Account, word: str) -> None:
        """Make sure that a form is our own.

        Raises:
            Forbidden: It does not carry the word.
        """
        if not hmac.compare_digest(self.form_word(account).encode(), word.encode()):
            raise Forbidden("the form is too old or not ours: load the page again, then send it")

    def _sign(self, account: Account, expires: int) -> str:
        return self._digest(f"session\n{account.id}\n{account.mark}\n{expires}")

    def _digest(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()

    @staticmethod
    def _path(request: Request) -> str:
        return f"{request.scope.get('root_path', '')}/"
