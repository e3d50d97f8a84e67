from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.agents.llm.spec import ModelSpec, Price, one_of
from ludus.errors import AgentError

HERE = "http://127.0.0.1:8080/v1"
PLAYER = {"haste": one_of({"yes": True, "no": False})}


def test_every_setting_of_a_spec() -> None:
    text = (
        f"llm:org/model:free@{HERE}?temperature=0.2&tokens=500&timeout=30&retries=1&pause=0"
        "&form=object&haste=no&price=0.15/0.6&key=ROUTER_KEY"
    )
    assert ModelSpec.parse(text, PLAYER) == ModelSpec(
        model="org/model:free",
        base_url=HERE,
        key="ROUTER_KEY",
        temperature=0.2,
        tokens=500,
        timeout=30.0,
        retries=1,
        pause=0.0,
        form="object",
        price=Price(0.15, 0.6),
        player={"haste": False},
    )


def test_the_address_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ModelSpec.parse("llm:gpt-4o-mini").base_url == "https://api.openai.com/v1"
    assert ModelSpec.parse("llm:gpt-4o-mini?tokens=99").tokens == 99
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1234/v1/")
    assert ModelSpec.parse("llm:gpt-4o-mini").base_url == "http://localhost:1234/v1"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o-mini", "gpt-4o-mini"),
        ("mistralai/devstral_small:free", "devstral-small-free"),
        ("@cf/meta/llama-3.1-8b", "llama-3.1-8b"),
        ("claude-sonnet@20250514", "claude-sonnet-20250514"),
    ],
)
def test_names_are_short(model: str, name: str) -> None:
    spec = ModelSpec.parse(f"llm:{model}@{HERE}")
    assert (spec.model, spec.name) == (model, name)


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:80/v1", True),
        ("https://example.org/v1", False),
        ("http://10.0.0.1/v1", False),
    ],
)
def test_what_is_on_this_machine(url: str, here: bool) -> None:
    assert ModelSpec.parse(f"llm:m@{url}").loopback is here


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("llm:", "names no model"),
        ("llm:?temperature=0", "names no model"),
        (f"llm:@{HERE}", "names no model"),
        (f"llm:{HERE}", "names no model"),
        ("llm:m@localhost:8080/v1", "without http://.*try llm:m@http://localhost:8080/v1"),
        ("llm:m@localhost", "try llm:m@http://localhost"),
        ("llm:m@127.0.0.1:80/v1?tokens=99", "try llm:m@http://127.0.0.1:80/v1"),
        ("llm:org/m:free@box:80", "try llm:org/m:free@http://box:80"),
        ("llm:m@api.example.org/v1", "try llm:m@http://api.example.org/v1"),
        ("llm:m@htp://box/v1", "without http://"),
        ("llm:m@http:///v1", "no plain address"),
        (f"llm:m@{HERE}?colour=red", "no setting 'colour'; there are key, temperature"),
        (f"llm:m@{HERE}?temperature=hot", "'hot' is not a number from 0 to 2"),
        (f"llm:m@{HERE}?temperature=nan", "'nan' is not a number"),
        (f"llm:m@{HERE}?tokens=1.5", "'1.5' is not a whole number"),
        (f"llm:m@{HERE}?tokens=²", "is not a whole number"),
        (f"llm:m@{HERE}?timeout=0", "'0' is not a number from 0.01"),
        (f"llm:m@{HERE}?form=xml", "one of schema, loose, object, text"),
        (f"llm:m@{HERE}?haste=maybe", "one of yes, no"),
        (f"llm:m@{HERE}?price=cheap", "IN/OUT in dollars"),
        (f"llm:m@{HERE}?price=1/-1", "IN/OUT in dollars"),
    ],
)
def test_wrong_specs_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message.replace("?", r"\?").replace("(", r"\(")):
        ModelSpec.parse(text, PLAYER)


@pytest.mark.parametrize(
    "text",
    [
        f"llm:m@{HERE}?key=sk-secret",
        "llm:m@https://user:sk-secret@example.org/v1",
        "llm:m@https://sk-secret@example.org/v1",
        "llm:m@sk-secret@example.org/v1",
        "llm:m@user:sk-secret@example.org/v1",
    ],
)
def test_keys_in_specs_are_refused_and_not_shown(text: str) -> None:
    with pytest.raises(AgentError) as caught:
        ModelSpec.parse(text)
    assert "sk-secret" not in str(caught.value)


def test_where_it_is_served_is_no_part_of_how_it_plays() -> None:
    one = ModelSpec.parse(f"llm:m@{HERE}?timeout=1&retries=9&price=1/1&pause=3")
    other = ModelSpec.parse("llm:m@https://example.org/v1?key=OTHER")
    assert one.identity() == other.identity()
    assert one.identity() != ModelSpec.parse(f"llm:m@{HERE}?temperature=1").identity()
    assert one.identity() != ModelSpec.parse(f"llm:m@{HERE}?haste=no", PLAYER).identity()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tokens = [", "is no file of a model"),
        ("colour = 1", "no setting 'colour'"),
        ("body = 1", "have to be tables"),
        ("[body]\nmessages = []", "may not set 'messages'"),
        ("[body]\nday = 2020-01-01", "is no file of a model"),
        ("[other]\nx = 1", "'other' is no setting"),
        ('[headers]\nAuthorization = "sk-secret"', "looks like a secret: give \\$NAME"),
        ('[headers]\nX = "a\\nb"', "has to be a line of text"),
        ("tokens = 1.5", "'1.5' is not a whole number"),
    ],
)
def test_wrong_files_of_models_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "m.toml"
    file.write_text(text)
    with pytest.raises(AgentError, match=message) as caught:
        ModelSpec.parse(f"llm:m@{HERE}?file={file}")
    assert "sk-secret" not in str(caught.value)


def test_a_file_that_is_missing_is_named() -> None:
    with pytest.raises(AgentError, match=r"'nowhere.toml' is no file of a model"):
        ModelSpec.parse(f"llm:m@{HERE}?file=nowhere.toml")


def test_names_with_an_at_sign_are_no_addresses() -> None:
    assert ModelSpec.parse("llm:claude-sonnet@20250514").model == "claude-sonnet@20250514"
    assert ModelSpec.parse("llm:@cf/meta/llama-3.1-8b").model == "@cf/meta/llama-3.1-8b"
    assert ModelSpec.parse("llm:m@HTTP://localhost:1/v1").base_url == "http://localhost:1/v1"


def test_settings_of_a_player_are_unknown_without_it() -> None:
    with pytest.raises(AgentError, match="no setting 'haste'"):
        ModelSpec.parse(f"llm:m@{HERE}?haste=no")


@given(st.text(max_size=60))
def test_any_text_is_a_spec_or_a_clear_error(text: str) -> None:
    with contextlib.suppress(AgentError):
        assert ModelSpec.parse(f"llm:{text}").model
