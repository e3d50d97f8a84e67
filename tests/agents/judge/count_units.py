"""Prints what the pieces of work cost, under any Python: no installed package is needed.

Usage: python count_units.py FOLDER_WITH_THE_COUNTER SOURCES_OF_LUDUS FILE...
"""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType


def main(counter: str, sources: str, *files: str) -> None:
    """Load the judge without the rest of Ludus and run each file's work."""
    for package in ("ludus", "ludus.agents", "ludus.agents.judge"):
        module = sys.modules[package] = ModuleType(package)
        module.__path__ = [str(Path(sources, *package.split(".")))]
    sys.path.insert(0, counter)
    sys.modules["ludus.agents.judge._counter"] = importlib.import_module("_counter")
    vars(sys.modules["ludus.agents.judge"])["_counter"] = sys.modules["_counter"]
    from ludus.agents.judge.loading import JudgedCode
    from ludus.agents.judge.preparing import prepare, prepare_for_arrays

    control = sys.modules["_counter"].take_control()
    prepare(control)
    if any(Path(file).name == "arrays.py" for file in files):
        prepare_for_arrays(control)
    units = {}
    for file in map(Path, files):
        module = JudgedCode(file.parent).load(file)
        for work in module.WORK:
            control.reset(None)
            value = work(50)
            units[work.__name__] = [control.read(), repr(value)]
    sys.stdout.write(json.dumps(units))


if __name__ == "__main__":
    main(*sys.argv[1:])
