"""Text of others: refused on the way in, and made harmless on the way out.

Names of agents, authors and levels are chosen by whoever wrote a file. :func:`check_name` refuses
those that no table can show. What is shown all the same, such as the reason of a crash, goes
through the function of its output here. Each returns one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape as escape_markup
from typing import Any
from unicodedata import category, normalize

__all__ = [
    "LONGEST_NAME",
    "LONGEST_SHOWN",
    "check_link",
    "check_name",
    "cut",
    "escape_csv",
    "escape_csv_row",
    "escape_html",
    "escape_latex",
    "escape_markdown",
    "escape_plot",
    "escape_rich",
    "escape_terminal",
    "escape_text",
    "look_alike",
]

LONGEST_NAME = 200
"""The most letters of a name that is taken in."""

LONGEST_SHOWN = 2_000
"""The most letters of a foreign text that is shown."""

HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""The categories of Unicode that no table shows as they are: controls, marks that turn or join
text, halves of characters, line and paragraph separators."""

UNSEEN = {*HIDDEN, "Mn", "Zs", "Pd", "Pc"}
"""What is left out where names are compared: marks on letters, spaces and dashes as well."""

LOOK_ALIKES = str.maketrans(
    "\N{CYRILLIC SMALL LETTER A}\N{CYRILLIC SMALL LETTER IE}\N{CYRILLIC SMALL LETTER O}"
    "\N{CYRILLIC SMALL LETTER ER}\N{CYRILLIC SMALL LETTER ES}\N{CYRILLIC SMALL LETTER U}"
    "\N{CYRILLIC SMALL LETTER HA}\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}"
    "\N{CYRILLIC SMALL LETTER JE}\N{CYRILLIC SMALL LETTER DZE}\N{CYRILLIC SMALL LETTER PALOCHKA}"
    "\N{CYRILLIC SMALL LETTER KOMI DE}\N{CYRILLIC SMALL LETTER QA}\N{CYRILLIC SMALL LETTER WE}"
    "\N{CYRILLIC SMALL LETTER SHHA}\N{GREEK SMALL LETTER ALPHA}\N{GREEK SMALL LETTER OMICRON}"
    "\N{GREEK SMALL LETTER RHO}\N{GREEK SMALL LETTER NU}\N{GREEK SMALL LETTER IOTA}"
    "\N{GREEK SMALL LETTER KAPPA}\N{LATIN SMALL LETTER DOTLESS I}\N{LATIN SMALL LETTER SCRIPT G}"
    "01|",
    "aeopcyxijsldqwhaopvikigoll",
)
"""Letters and digits that are taken for Latin letters."""

LINK = re.compile(r"https?://[^\s<>\"'`\\^{|}]+", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
FORMULA = re.compile(r"[\s'\"]*[=+\-@\uff0b\uff0d\uff1d\uff20|%]")
MARKDOWN = re.compile(r"[\\`*\[\]|~$]|(?<!\w)_|_(?!\w)")
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


# ---- in


def check_name(name: Any, what: str = "name") -> str:
    """Return a name that tables can show.

    Args:
        name: What somebody calls something.
        what: What it is the name of, for the message.

    Raises:
        ValueError: It is no text, is empty or too long, or holds what cannot be seen.

    Example:
        >>> check_name("my-agent")
        'my-agent'
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"the {what} is {_quote(name)}: give it a word or two")
    if len(name) > LONGEST_NAME:
        raise ValueError(
            f"the {what} {_quote(name)} has {len(name):,} letters; {LONGEST_NAME} are the most"
        )
    hidden = next((sign for sign in name if category(sign) in HIDDEN), None)
    if hidden is not None:
        raise ValueError(
            f"the {what} {_quote(name)} holds U+{ord(hidden):04X}, which cannot be seen: leave it "
            "out"
        )
    return name


def look_alike(name: str, other: str) -> bool:
    """Return whether people take two names for one.

    Letters of other alphabets and digits that look like Latin letters count as these. Case, spaces
    and dashes do not count.

    Example:
        >>> look_alike("mlp-ppo", "M1P\N{EN DASH}pp\N{GREEK SMALL LETTER OMICRON}")
        True
    """
    return _to_skeleton(name) == _to_skeleton(other)


def _to_skeleton(name: str) -> str:
    plain = normalize("NFKD", name).casefold().translate(LOOK_ALIKES)
    return "".join(sign for sign in plain if category(sign) not in UNSEEN)


def check_link(link: Any) -> str:
    """Return a link that a page may have: http or https, and nothing else.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(link, str) or len(link) > LONGEST_SHOWN or not LINK.fullmatch(link):
        raise ValueError(f"{_quote(link)} is no link: it begins with http:// or https://")
    return link


def cut(text: str, most: int = LONGEST_SHOWN) -> str:
    """Return a text of at most so many letters; the last one shows that there were more."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _quote(value: Any) -> str:
    return ascii(value) if not isinstance(value, str) else ascii(cut(value, 40))


# ---- out


def escape_text(text: str, most: int = LONGEST_SHOWN) -> str:
    r"""Return a text as one line whose every character can be seen and encoded.

    Example:
        >>> escape_text("a\nb\x1b[31m")
        'a\\nb\\x1b[31m'
    """
    text = cut(text, most)
    if text.isprintable():
        return text
    return "".join(map(_show_sign, text))


def _show_sign(sign: str) -> str:
    return ascii(sign)[1:-1] if category(sign) in HIDDEN else sign


def escape_terminal(text: str) -> str:
    """Return a text for a terminal, lines and all: no sequence in it can move the cursor."""
    if text.isprintable():
        return text
    return "\n".join(escape_text(line, len(line) + 1) for line in text.split("\n"))


def escape_rich(text: str) -> str:
    """Return a text for a cell of a table in a terminal: one line, without markup."""
    from rich.markup import escape  # not before a table is drawn: workers draw none

    return escape(escape_text(text))


def escape_html(text: str) -> str:
    """Return a text for an element or a quoted attribute of HTML or SVG.

    Example:
        >>> escape_html("<b onclick='x'>")
        '&lt;b onclick=&#x27;x&#x27;&gt;'
    """
    return escape_markup(escape_text(text), quote=True)


def escape_markdown(text: str) -> str:
    r"""Return a text for a cell of a Markdown table: no link, no image, no HTML, no second cell.

    Example:
        >>> escape_markdown("[my|net](javascript:x)")
        '\\[my\\|net\\](javascript:x)'
    """
    escaped = MARKDOWN.sub(r"\\\g<0>", escape_text(text))
    return escape_markup(escaped, quote=False)


def escape_csv(value: Any) -> Any:
    """Return a value for a cell of CSV; a text that a spreadsheet would compute gets a quote.

    Example:
        >>> escape_csv("=1+1"), escape_csv("-5"), escape_csv(-5)
        ("'=1+1", '-5', -5)
    """
    if not isinstance(value, str):
        return value
    begins = FORMULA.match(value) or value[:1] in "\t\r\n"
    text = escape_text(value, len(value) + 1)
    return f"'{text}" if value and begins and not NUMBER.fullmatch(value) else text


def escape_csv_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for CSV, its values and the names of its columns."""
    return {str(escape_csv(name)): escape_csv(value) for name, value in row.items()}


def escape_latex(text: str) -> str:
    r"""Return a text for LaTeX, in which no sign is a command.

    Example:
        >>> escape_latex("50 % of my_net")
        '50 \\% of my\\_net'
    """
    return "".join(LATEX.get(sign, sign) for sign in escape_text(text))


def escape_plot(text: str) -> str:
    """Return a text for a label of a plot, which takes dollars for the ends of formulas."""
    return escape_text(text, LONGEST_NAME).replace("\\", "\\\\").replace("$", r"\$")
