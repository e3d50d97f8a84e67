from __future__ import annotations

from pathlib import Path

import pytest

from ludus.agents.llm.prices import TABLE, price_of, read_prices
from ludus.agents.llm.spec import Price
from ludus.errors import OptionError


def test_the_table_is_readable_and_dear_output_is_dearer() -> None:
    prices = read_prices(TABLE)
    assert len(prices) > 10
    assert all(0 < price.tokens_in <= price.tokens_out for price in prices.values())


@pytest.mark.parametrize(
    "model", ["gpt-4o-mini", "openai/gpt-4o-mini", "gpt-4o-mini-2024-07-18", "x/gpt-4o-mini-latest"]
)
def test_models_are_found_under_their_names(model: str) -> None:
    assert price_of(model) == Price(0.15, 0.6)


def test_unknown_models_have_no_price() -> None:
    assert price_of("my-own") is None


def test_cost_of_tokens() -> None:
    assert Price(2, 8).cost(1_000_000, 500_000) == 6


def test_the_users_prices_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('[models]\n"gpt-4o-mini" = [1, 2]\n"my-own" = [0, 0]\n')
    monkeypatch.setenv("LUDUS_PRICES", str(own))
    assert price_of("gpt-4o-mini") == Price(1, 2)
    assert price_of("my-own") == Price(0, 0)
    assert price_of("gpt-4o") == Price(2.5, 10)


def test_a_table_in_the_configuration_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ludus").mkdir()
    (tmp_path / "ludus" / "prices.toml").write_text('[models]\n"mine" = [3, 4]\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert price_of("mine") == Price(3, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[models]\nx = 3\n", "price of 'x' is 3, not"),
        ("[models]\nx = [1]\n", r"is \[1\], not"),
        ("[models]\nx = [1, -1]\n", "not \\[input, output\\]"),
        ("[models]\nx = ['a', 'b']\n", "not \\[input, output\\]"),
        ("not toml", "is no table of prices"),
    ],
)
def test_wrong_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    own = tmp_path / "prices.toml"
    own.write_text(text)
    monkeypatch.setenv("LUDUS_PRICES", str(own))
    with pytest.raises(OptionError, match=message):
        price_of("x")


def test_a_named_table_has_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_PRICES", str(tmp_path / "gone.toml"))
    with pytest.raises(OptionError, match="no table of prices at"):
        price_of("gpt-4o")
