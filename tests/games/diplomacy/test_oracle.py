"""Plays beside the package ``diplomacy``, which is AGPL and never needed: ``make test-oracle``."""

from __future__ import annotations

import json
import os
import random

import pytest
from tests.games.diplomacy.play import played

from ludus.games.diplomacy.board import Board
from ludus.games.diplomacy.records import POWERS, Message
from ludus.games.diplomacy.saved_games import read_saved_game
from ludus.games.diplomacy.table import Table

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("LUDUS_TEST_ORACLE"), reason="'make test-oracle' plays beside a package"
    ),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("seed", range(5))
def test_random_games_go_the_same_way(seed: int) -> None:
    from diplomacy import Game

    chance, board, game = random.Random(seed), Board(), Game()
    board = Board.from_record(board.to_record())
    while board.year < 1906 and not board.over:
        legal, orderable = board.list_by_owner()
        theirs = game.get_all_possible_orders()
        assert legal == {place: sorted(theirs[place]) for place in legal}
        orders = {
            power: [chance.choice(legal[place]) for place in orderable[power]] for power in POWERS
        }
        if board.phase.endswith("A"):
            orders = {
                power: own[: abs(board.builds()[power]["count"])] for power, own in orders.items()
            }
        for power, own in orders.items():
            game.set_orders(power, own)
        board.step(orders)
        game.process()
        assert board.phase == game.get_current_phase()
        assert board.marked_units() == game.get_units()
        assert board.centres() == game.get_centers()


def test_the_package_reads_our_saved_games() -> None:
    from diplomacy.utils.export import from_saved_game_format

    table = played(4)
    table.add_message(Message("FRANCE", "GLOBAL", "Hello", table.phase, 1))
    saved = json.loads(json.dumps(table.to_saved_game()))
    game = from_saved_game_format(saved)
    assert game.get_current_phase() == table.phase
    assert game.get_units("RUSSIA") == list(table.units["RUSSIA"])


def test_we_read_the_saved_games_of_the_package() -> None:
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    game = Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.set_orders("GERMANY", ["A MUN - BUR"])
    game.process()
    saved = json.loads(json.dumps(to_saved_game_format(game)))
    first, last = read_saved_game(saved)
    assert (first.phase, last.phase) == ("S1901M", "F1901M")
    assert first.orders["FRANCE"] == ("A PAR - BUR",)
    assert first.results == {"A PAR": ("bounce",), "A MUN": ("bounce",)}
    assert Table.from_saved_game(saved).units["FRANCE"] == ("F BRE", "A MAR", "A PAR")
