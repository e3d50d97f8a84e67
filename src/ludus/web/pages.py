"""Pages: templates filled in, with links that are relative to the page they stand on.

So a page is the same behind a proxy, below any prefix, and as a file of a published folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from ludus import __version__
from ludus.boards.columns import format_count, format_short
from ludus.escaping import escape_text
from ludus.web.settings import Settings

__all__ = ["Pages", "find_path", "relative_link"]


def relative_link(page: str, target: str) -> str:
    """Return the link from one page to another; both are paths below the arena's own.

    Example:
        >>> relative_link("boards/platformer/sprint/", "runs/"), relative_link("", "")
        ('../../../runs/', './')
    """
    return "../" * page.count("/") + target or "./"


def find_path(request: Request) -> str:
    """Return the path of a page below the arena's own, whether or not a proxy cuts the prefix."""
    path, prefix = str(request.scope["path"]), str(request.scope.get("root_path", ""))
    inside = prefix and (path == prefix or path.startswith(f"{prefix}/"))
    return (path.removeprefix(prefix) if inside else path).removeprefix("/")


def _show(value: Any) -> Any:
    """Return a value as a page prints it: text of others is one line that can be seen."""
    plain = isinstance(value, str) and not hasattr(value, "__html__")
    return escape_text(value) if plain else value


class Pages:
    """Fills in templates.

    Args:
        settings: How the arena is served.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._environment = Environment(
            loader=PackageLoader("ludus.web"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_show,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {"count": format_count, "short": format_short}
        self._environment.globals |= {"version": __version__, "live": settings.live}

    def render(
        self, request: Request, template: str, values: Mapping[str, Any], status: int = 200
    ) -> HTMLResponse:
        """Return a page.

        Args:
            request: Who asks for it; links are relative to its address.
            template: The template's name.
            values: What the template shows.
            status: The status of the answer.
        """
        path = find_path(request)
        link = partial(relative_link, path)
        text = self._environment.get_template(template).render(link=link, **values)
        return HTMLResponse(text, status)
