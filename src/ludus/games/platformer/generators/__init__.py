"""Level generators by name: Ludus's own, the reference's, personal ones, installed ones, functions.

Example:
    >>> level = generate("notch-2009", seed=137, difficulty=5, type=1)
    >>> level.width, level.recipe.options["difficulty"]
    (320, 5)
    >>> generate_from(level.recipe) == level
    True
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Any

from ludus.errors import OptionError
from ludus.games.platformer.generators import plugins
from ludus.games.platformer.generators.generator import Generator, Options
from ludus.games.platformer.generators.solvable import solvable_level
from ludus.games.platformer.levels.level import Level, Recipe

__all__ = ["Generator", "Options", "generate", "generate_from", "load", "names"]

_REGISTERED = {
    "ludus": "ludus.games.platformer.generators.ludus",
    "notch-2009": "ludus.games.platformer.generators.notch_2009",
    "notch-framework": "ludus.games.platformer.generators.notch_framework",
    "tunable-2010": "ludus.games.platformer.generators.tunable_2010",
    "promp": "ludus.games.platformer.generators.personal.promp",
    "evolved-parts": "ludus.games.platformer.generators.personal.evolved_parts",
    "repaired-ga": "ludus.games.platformer.generators.personal.repaired_ga",
    "chunk-extension": "ludus.games.platformer.generators.personal.chunk_extension",
    "hopper": "ludus.games.platformer.generators.personal.hopper",
    "skill-mix": "ludus.games.platformer.generators.personal.skill_mix",
}
"""The module of each generator that comes with Ludus; it is called ``GENERATOR`` there."""


def generate(
    name: str = "ludus", /, *, seed: int | None = None, solvable: bool = False, **options: object
) -> Level:
    """Return the level that a generator makes of a seed and options.

    Args:
        name: A name of :func:`names`, or ``path.py:function``: the function gets the options by
            their names and returns a level or its text.
        seed: Which level of those the options allow; the generator's default if None.
        solvable: Whether to go on to other seeds until the solver finds a way through the level;
            its recipe names the seed.
        options: The generator's options; those left out have their defaults.

    Raises:
        OptionError: There is no such generator or option, a value is outside its range, or none
            of a hundred levels could be solved.
        LevelError: A generator from elsewhere returned something that is no level.

    Example:
        >>> generate("ludus", seed=3, length=60).width
        60
    """
    if seed is not None:
        options["seed"] = seed
    return solvable_level(load(name), options) if solvable else load(name)(**options)


def generate_from(recipe: Recipe) -> Level:
    """Return the level that a recipe describes, again.

    Raises:
        OptionError: The generator is not here, or its version is another.

    Example:
        >>> level = generate("notch-framework", seed=7)
        >>> generate_from(level.recipe).text == level.text
        True
    """
    generator = load(recipe.generator)
    if generator.version != recipe.version:
        raise OptionError(
            f"the recipe asks for version {recipe.version} of {recipe.generator}: "
            f"this is version {generator.version}, which may give another level"
        )
    return generator(**recipe.options)


def names() -> dict[str, str]:
    """Return every generator's name with one line on the levels it makes.

    Example:
        >>> "notch-2009" in names()
        True
    """
    return {name: load(name).summary for name in [*_REGISTERED, *plugins.find_installed()]}


def load(name: str) -> Generator[Any]:
    """Return a generator by its name, or from ``path.py:function``.

    Raises:
        OptionError: There is no such generator.

    Example:
        >>> load("notch-2009").version
        1
    """
    if name in _REGISTERED:
        generator: Generator[Any] = import_module(_REGISTERED[name]).GENERATOR
        return generator
    if plugins.is_file_spec(name):
        return plugins.load_file(name)
    installed = plugins.find_installed()
    if name in installed:
        return plugins.load_installed(installed[name])
    known = [*_REGISTERED, *installed]
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise OptionError(f"no generator {name!r}; {hint}there are {', '.join(known)}")
