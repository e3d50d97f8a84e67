from __future__ import annotations

from pathlib import Path

import pytest

from ludus.agents.diplomacy.prompts import FOLDER, TEMPLATES, prompt_sets, read_prompts
from ludus.errors import OptionError

STEERING = ("conquer", "attack", "aggress", "expand", "hold back", "wasted", "18 of them")


def test_the_sets_there_are() -> None:
    assert set(prompt_sets()) >= {"baseline", "aggressive"}


@pytest.mark.parametrize("name", prompt_sets())
def test_every_set_is_whole_and_fills(name: str) -> None:
    prompts = read_prompts(name)
    assert prompts.name == name
    for kind, fields in TEMPLATES.items():
        filled = prompts.fill(kind, {field: f"<{field}>" for field in fields.allowed})
        assert "$" not in filled
        for field in fields.needed:
            assert f"<{field}>" in filled


def test_the_baseline_has_every_template_with_its_fields() -> None:
    assert {file.stem for file in (FOLDER / "baseline").glob("*.txt")} == set(TEMPLATES)
    read_prompts(str(FOLDER / "baseline"))


def test_the_baseline_is_neutral() -> None:
    prompts = read_prompts("baseline")
    for text in prompts.texts.values():
        assert not [word for word in STEERING if word in text.lower()]


def test_only_what_steers_differs() -> None:
    calm, steered = read_prompts("baseline"), read_prompts("aggressive")
    assert {kind for kind in TEMPLATES if calm.texts[kind] != steered.texts[kind]} == {"system"}
    added = [
        line
        for line in steered.texts["system"].splitlines()
        if line not in calm.texts["system"].splitlines()
    ]
    assert len(added) == 1
    assert added[0].startswith("Play to conquer.")
    assert calm.digest != steered.digest


@pytest.mark.parametrize("name", prompt_sets())
def test_the_end_is_announced(name: str) -> None:
    fields = {"power": "FRANCE", "end_year": "1907", "press": ""}
    assert "1907" in read_prompts(name).fill("system", fields)


def write(folder: Path, **files: str) -> str:
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return str(folder)


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    own = read_prompts(write(folder, orders='{"a": {}} $$5 $legal_orders $format'))
    assert own.name == "mine"
    fields = {"legal_orders": "A PAR H", "format": "{}"}
    assert own.fill("orders", fields) == '{"a": {}} $5 A PAR H {}'
    assert own.texts["system"] == read_prompts().texts["system"]


def test_what_is_filled_in_is_not_looked_at_again(tmp_path: Path) -> None:
    own = read_prompts(write(tmp_path, reflect="$messages\n$format"))
    injected = "$format ${legal_orders} $$ {format} %(power)s"
    assert own.fill("reflect", {"messages": injected, "format": "F"}) == f"{injected}\nF"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"orders": "$legal_orders"}, r"lacks the field \$format"),
        ({"orders": "$format"}, r"lacks the field \$legal_orders"),
        ({"system": "$power"}, r"lacks the field \$end_year"),
        (
            {"orders": "$legal_orders $format $colour"},
            r"unknown field \$colour; it may have \$board",
        ),
        ({"orders": "$legal_orders $format 5$"}, r"lone \$: write \$\$"),
        ({"order": "x"}, "is no prompt of ours; there are system.txt, negotiate.txt"),
        ({}, "no prompts in .*: it has none of system.txt"),
    ],
)
def test_wrong_folders_say_what_is_wrong(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        read_prompts(write(tmp_path, **files))


def test_no_such_folder() -> None:
    with pytest.raises(OptionError, match=r"no prompts 'gone': .* one of aggressive, baseline"):
        read_prompts("gone")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "orders.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(OptionError, match="cannot be read"):
        read_prompts(str(tmp_path))
