"""Tables and films as HTML for notebooks, in the colours of whatever surrounds them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from ludus.escaping import escape_html
from ludus.reports.tables import Bar, TableView

__all__ = ["Film", "render_html"]

STYLE = """
<style>
.ludus { font: 14px/1.45 system-ui, sans-serif; max-width: 60rem; margin: .5rem 0 }
.ludus figure, .ludus p, .ludus table { margin: 0 }
.ludus .ludus-title { font-weight: 600; font-size: 15px; margin-bottom: .4rem }
.ludus .ludus-scroll { overflow-x: auto }
.ludus table { border-collapse: collapse; border: 0; font-variant-numeric: tabular-nums }
.ludus tr, .ludus tbody tr:nth-child(odd) { background: transparent }
.ludus tbody tr:hover { background: color-mix(in srgb, currentColor 6%, transparent) }
.ludus th, .ludus td { border: 0; padding: .3rem .7rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent) }
.ludus th { font-weight: 600; opacity: .75 }
.ludus .ludus-left { text-align: left }
.ludus .ludus-bar { min-width: 11rem }
.ludus .ludus-track { position: relative; height: 6px; margin-top: 3px; border-radius: 3px;
  background: color-mix(in srgb, currentColor 9%, transparent) }
.ludus .ludus-fill { position: absolute; top: 0; bottom: 0; border-radius: 3px;
  background: #3a83d8 }
.ludus .ludus-interval { position: absolute; top: 2px; height: 2px; background: currentColor;
  opacity: .85 }
.ludus .ludus-caption { font-size: 12px; opacity: .75; margin-top: .4rem; max-width: 48rem }
.ludus .ludus-note { margin-top: .3rem }
.ludus figure { margin-top: .8rem }
.ludus figure img { display: block; max-width: 100%; height: 22rem; object-fit: contain;
  object-position: left; border-radius: 6px; image-rendering: pixelated }
.ludus figure.ludus-wide { overflow-x: auto }
.ludus figure.ludus-wide img { max-width: none; height: 14rem }
.ludus figcaption { font-size: 12px; opacity: .75; margin-top: .25rem }
</style>
"""


@dataclass(frozen=True, slots=True)
class Film:
    """A picture, moving or not, to be shown beside a table.

    Attributes:
        kind: Its media type, such as ``image/gif``.
        content: The bytes of the file.
        caption: What stands below.
        wide: Whether it is much wider than high, so that one has to scroll.
    """

    kind: str
    content: bytes
    caption: str = ""
    wide: bool = False

    def to_html(self) -> str:
        """Return the picture as HTML that needs no other file."""
        data = base64.b64encode(self.content).decode("ascii")
        caption = escape_html(self.caption)
        image = f'<img alt="{caption}" src="data:{self.kind};base64,{data}">'
        shape = ' class="ludus-wide"' if self.wide else ""
        return f"<figure{shape}>{image}<figcaption>{caption}</figcaption></figure>"


def render_html(view: TableView, films: Sequence[Film] = ()) -> str:
    """Return a table, its notes and films as HTML that stands on its own."""
    parts = [STYLE, '<div class="ludus">']
    if view.title:
        parts.append(f'<p class="ludus-title">{escape_html(view.title)}</p>')
    if view.rows:
        parts.append(f'<div class="ludus-scroll"><table>{_head(view)}{_body(view)}</table></div>')
    if view.footer:
        parts.append(f'<p class="ludus-caption">{escape_html(view.footer)}</p>')
    parts += [f'<p class="ludus-note">{escape_html(note)}</p>' for note in view.notes]
    parts += [film.to_html() for film in films]
    return "".join([*parts, "</div>"])


def _head(view: TableView) -> str:
    cells = "".join(
        f"<th{_classes(view, number)}>{escape_html(heading)}</th>"
        for number, heading in enumerate(view.headings)
    )
    return f"<thead><tr>{cells}</tr></thead>"


def _body(view: TableView) -> str:
    bars = _draw_bars(view.bars) or [""] * len(view.rows)
    rows = []
    for words, bar in zip(view.rows, bars, strict=True):
        cells = "".join(
            f"<td{_classes(view, number)}>{escape_html(word)}"
            f"{bar if number == view.bar_column else ''}</td>"
            for number, word in enumerate(words)
        )
        rows.append(f"<tr>{cells}</tr>")
    return f"<tbody>{''.join(rows)}</tbody>"


def _classes(view: TableView, column: int) -> str:
    names = ["ludus-left"] if column in view.left else []
    names += ["ludus-bar"] if view.bars and column == view.bar_column else []
    return f' class="{" ".join(names)}"' if names else ""


def _draw_bars(bars: Sequence[Bar]) -> list[str]:
    """Return bars on one scale, which begins at zero or below."""
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if isfinite(end)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    span = (high - low) or 1.0
    return [_draw_bar(bar, low, span) for bar in bars]


def _draw_bar(bar: Bar, low: float, span: float) -> str:
    """Return a value as a bar from zero, and its interval as a line over it."""
    parts = [_stripe("ludus-fill", 0.0, bar.value, low, span)] if isfinite(bar.value) else []
    if isfinite(bar.low) and isfinite(bar.high):
        parts.append(_stripe("ludus-interval", bar.low, bar.high, low, span))
    return f'<div class="ludus-track">{"".join(parts)}</div>'


def _stripe(name: str, start: float, end: float, low: float, span: float) -> str:
    left, width = 100 * (min(start, end) - low) / span, 100 * abs(end - start) / span
    return f'<span class="{name}" style="left:{left:.1f}%;width:{width:.1f}%"></span>'
