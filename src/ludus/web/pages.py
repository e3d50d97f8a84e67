"""Pages: templates filled in, with links that are relative to the page they stand on.

So a page is the same behind a proxy, below any prefix, and as a file of a published folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ludus import __version__
from ludus.boards.columns import format_count, format_short
from ludus.escaping import escape_text
from ludus.web.settings import Settings

__all__ = ["Pages", "find_path", "relative_link"]

ROOMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Boards", "boards/", ("boards/",)),
    ("Play", "play/", ("play/",)),
    ("Levels", "levels/", ("levels/",)),
    ("Events", "events/", ("events/", "jobs/")),
    ("Runs", "runs/", ("runs/", "trainings/")),
    ("Diplomacy", "diplomacy/", ("diplomacy/",)),
    ("Vote", "turing/", ("turing/", "generation/")),
)
"""What every page leads to: name, address, and how addresses begin that belong to it."""
SHOUT = 3
"""Longer words are not written in capitals, such as the names of powers."""


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


def format_fact(value: Any) -> str:
    """Return a fact of an episode as people write it.

    Example:
        >>> format_fact(3.070175461471081), format_fact(False), format_fact(None)
        ('3.07018', 'no', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Fraction):
        return f"{int(value)}" if float(value).is_integer() else f"{float(value):.6g}"
    return to_words(str(value))


def split_estimate(text: str) -> Markup:
    """Return a value as text, its interval in an element of its own, so that phones can break it.

    Example:
        >>> split_estimate("9.0 [7.0, 12.0]")
        Markup('9.0 <span class="ends-at">[7.0, 12.0]</span>')
    """
    value, _, rest = text.partition(" ")
    if not rest:
        return Markup("{}").format(value)
    return Markup('{} <span class="ends-at">{}</span>').format(value, rest)


def to_words(name: str) -> str:
    """Return a name without the signs that programs put between its words.

    Example:
        >>> to_words("centres_FRANCE"), to_words("completed_all_food")
        ('centres France', 'completed all food')
    """
    words = name.replace("_", " ").split(" ")
    return " ".join(
        word.capitalize() if len(word) > SHOUT and word.isupper() else word for word in words
    )


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
        self._environment.filters |= {
            "count": format_count,
            "short": format_short,
            "fact": format_fact,
            "words": to_words,
            "estimate": split_estimate,
        }
        self._environment.globals |= {"version": __version__, "live": settings.live}
        self._environment.globals["rooms"] = ROOMS

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
        text = self._environment.get_template(template).render(link=link, here=path, **values)
        return HTMLResponse(text, status)
