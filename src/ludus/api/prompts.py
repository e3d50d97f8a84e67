"""``ludus.api.prompts``: what a language model would be asked at a step of a stored episode."""

from __future__ import annotations

from ludus.agents.llm.players import find_stepwise_player
from ludus.agents.llm.preview import MovesPreview, preview_moves
from ludus.agents.llm.prompt_sets import BASELINE
from ludus.agents.llm.spec import ModelSpec
from ludus.agents.registry import is_model
from ludus.api.settings import open_store
from ludus.errors import OptionError
from ludus.execution.opening import open_game
from ludus.games.game import split_record
from ludus.runs import Store
from ludus.runs.consent import check_scenarios_agreed, replay_context
from ludus.runs.explain import find_episode
from ludus.runs.sealed import open_plan

__all__ = ["MovesPreview", "preview_step"]


def preview_step(
    run: str,
    episode: int,
    step: int = 0,
    *,
    variant: str | None = None,
    hold: int | None = None,
    picture: bool | None = None,
    store: str | Store | None = None,
) -> MovesPreview:
    """Return what a language model would be asked at a step of a stored episode.

    If a language model has played the episode, its own settings are the defaults: then this is,
    word for word, what it was asked at the steps that its calls name.

    Args:
        run: The run's id, or its beginning.
        episode: The episode's number in the run.
        step: How many steps were played before.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        hold: The most ticks of an answer.
        picture: Whether the model is shown the screen.
        store: Where the run is; the user's own store if None.

    Raises:
        RunError: There is no such run or episode, or it was played by other rules.
        OptionError: Models do not play this game, or the episode has no such step.
    """
    with open_store(store) as database:
        stored = database.run(run)
        check_scenarios_agreed(stored)
        plan = open_plan(stored, database)
        played = find_episode(stored.id, episode, database).episode
    plan.check_rules()
    game = open_game(plan.game, replay_context(stored, plan))
    family, scenario = game.agent_family, game.parse_scenario(plan.scenarios[played.scenario])
    actions = split_record(game, scenario, played.record)
    if not 0 <= step <= len(actions):
        raise OptionError(f"episode {episode} has no step {step}: give 0 to {len(actions)}")
    base, _, own_variant = plan.agents[played.agent].spec.partition("#")
    settings = find_stepwise_player(family).settings
    own = ModelSpec.parse(base, settings).player if is_model(base) else {}
    return preview_moves(
        family,
        scenario,
        game.begin(scenario),
        actions[:step],
        variant=variant or (own_variant if own or is_model(base) else "") or BASELINE,
        hold=own.get("hold") if hold is None else hold,
        picture=bool(own.get("picture", False)) if picture is None else picture,
    )
