"""A name may be any text; no output lets it be more than the text of one cell."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.attacks.forging import forge
from tests.cli.conftest import Ludus
from tests.runs.small import SMALL

from ludus.agents import find
from ludus.errors import AgentError, RunError, one_line
from ludus.escaping import (
    HIDDEN,
    check_link,
    check_name,
    escape_csv,
    escape_html,
    escape_latex,
    escape_markdown,
    escape_plot,
    escape_rich,
    escape_terminal,
    escape_text,
    look_alike,
)
from ludus.games.media.vector_canvas import SvgCanvas
from ludus.reports.notebook import Film, render_html
from ludus.reports.tables import TableView, render_text
from ludus.runs import Store, export, import_run, run

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07", "a\nb", "a\rb", "a\x00b", "\u202egnp.exe", "zero\u200bwidth",
    "\ud800", "\u2028", "x" * 100_000, "", " ", "\x9b31m",
)  # fmt: skip
ACTIVE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "[x](javascript:alert(1))",
    "![x](http://203.0.113.9/a.png)", "a|b|c", "`|`", "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1",
    "\r=1", "[bold red]x[/]", r"\input{/etc/passwd}", "$x^2$", "<http://x>",
    "a\\|b", "\uff1d1+1", "'=1",
)  # fmt: skip
SHORT = tuple(name[:3_000] for name in HOSTILE + ACTIVE)
TEXTS = st.one_of(st.text(), st.sampled_from(SHORT))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_cannot_be_seen_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="the name") as caught:
        check_name(name)
    assert str(caught.value).isascii()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["idle", "my agent", "Größe-2", "智能体", "a|b", "=x", "🐛"])
def test_other_names_are_taken(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "data:text/html,x", "//x", "http:x", "https://a b", "", None]
)
def test_links_are_http_alone(link: object) -> None:
    with pytest.raises(ValueError, match="is no link"):
        check_link(link)
    assert check_link("https://example.org/a?b=c#d") == "https://example.org/a?b=c#d"


# ---- on the way in


@pytest.mark.parametrize("name", HOSTILE[:9])
def test_no_agent_brings_such_a_name(name: str, tmp_path: Path) -> None:
    file = tmp_path / "named.py"
    file.write_text(
        f"class Agent:\n    name = {name!a}\n    def reset(self, scenario): pass\n"
        "    def act(self, view): return 0\n"
    )
    try:
        named = find(f"{file}:Agent").name
    except AgentError:
        return
    assert check_name(named) != name


@pytest.mark.parametrize("name", HOSTILE)
def test_no_imported_run_brings_such_a_name(name: str, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    played = run(SMALL.id, ["idle"], store=store, episodes=1)
    export(played.id, store, file)
    store.delete(played.id)
    forge(file, head=lambda values: values["plan"]["agents"][0].update(name=name))
    with pytest.raises(RunError) as caught:
        import_run(file, store)
    assert "\n" not in str(caught.value)
    assert store.runs() == []


# ---- on the way out


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(TEXTS)
def test_html_holds_it_as_one_text(text: str) -> None:
    page = _Cells()
    page.feed(f'<td title="{escape_html(text)}">{escape_html(text)}</td>')
    page.close()
    assert page.tags == ["td"]
    assert page.text == escape_text(text)


@given(TEXTS)
def test_csv_holds_it_as_one_cell_that_nothing_computes(text: str) -> None:
    file = io.StringIO()
    csv.writer(file).writerow([escape_csv(text), "end"])
    rows = list(csv.reader(io.StringIO(file.getvalue(), newline="")))
    assert [len(row) for row in rows] == [2]
    cell = rows[0][0]
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or re.fullmatch(
        r"[+-]?[\d.]+(e[+-]?\d+)?", cell, re.IGNORECASE | re.ASCII
    )


@given(TEXTS)
def test_markdown_holds_it_as_one_cell(text: str) -> None:
    cell = escape_markdown(text)
    assert "\n" not in cell
    assert not re.search(r"(?<!\\)(?:\\\\)*[|`\[\]]", cell)
    assert "<" not in cell


@given(TEXTS)
def test_latex_holds_no_command_of_it(text: str) -> None:
    plain = re.sub(r"\\(text[a-z]+\{\}|[&%$#_{}])", "", escape_latex(text))
    assert not set(plain) & set("\\&%$#_{}~^\n")


@given(TEXTS)
@example("[/]")
def test_a_terminal_gets_no_sequence_of_it(text: str) -> None:
    view = TableView(text, ["who", "what"], [[text, "end"]], notes=[text], caption=text)
    shown = render_text(view)
    assert not {"\x1b", "\x9b", "\r", "\x07", "\u202e", "\u200b"} & set(shown)
    shown.encode()
    escape_terminal(text).encode()
    escape_rich(text).encode()
    one_line(text).encode()


@given(TEXTS)
def test_pictures_and_notebooks_hold_it_as_text(text: str) -> None:
    canvas = SvgCanvas((9, 9), "#fff")
    canvas.text((1, 1), text, "#000", 9)
    page = _Cells()
    page.feed(canvas.svg())
    assert page.tags == ["svg", "rect", "text"]
    view = TableView(text, [text], [[text]], notes=[text])
    page = _Cells()
    page.feed(render_html(view, [Film("image/png", b"x", text)]))
    assert not {"script", "b", "a"} & set(page.tags)
    assert page.tags.count("img") == 1
    assert not re.search(r"(?<!\\)(?:\\\\)*\$", escape_plot(text))


def test_what_is_hidden_is_made_visible() -> None:
    assert escape_text("a\u202eb\x1b") == r"a\u202eb\x1b"
    assert escape_text("Größe 智能体") == "Größe 智能体"
    assert len(escape_text("x" * 100_000)) == 2_000
    assert {"Cc", "Cf", "Cs"} <= HIDDEN


def test_a_run_of_before_shows_its_names_harmless(ludus: Ludus) -> None:
    played = ludus("run", SMALL.id, "idle", "--episodes", "1", "--json").json["run"]
    from ludus.runs.schema import runs

    store = Store()
    with store.transaction() as connection:
        plan = json.loads(store.run(played).text)
        plan["agents"][0]["name"] = "evil\x1b[2J\n[bold]x"
        connection.execute(runs.update().values(plan=json.dumps(plan)))
    store.close()
    for words in (("runs",), ("show", played), ("explain", played, "0")):
        shown = ludus(*words).out
        assert "\x1b" not in shown
        assert "[bold]x" in "".join(shown.split())


@pytest.mark.parametrize(
    "name",
    [
        "mlp-pp\N{CYRILLIC SMALL LETTER O}",
        "mlp\N{NON-BREAKING HYPHEN}ppo",
        "M1P_PPO",
        "mlp ppo",
        "m\N{CYRILLIC SMALL LETTER PALOCHKA}p-ppo",
        "\N{FULLWIDTH LATIN SMALL LETTER M}lp-ppo",
        "mlp-pp\N{LATIN SMALL LETTER O WITH ACUTE}",
    ],
)
def test_names_that_people_take_for_one_look_alike(name: str) -> None:
    assert look_alike("mlp-ppo", name)


@pytest.mark.parametrize("name", ["mlp-ppo-2", "mlp-pro", "gru-ppo", "nose"])
def test_other_names_do_not_look_alike(name: str) -> None:
    assert not look_alike("mlp-ppo", name)
