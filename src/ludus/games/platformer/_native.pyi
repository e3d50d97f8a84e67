"""The platformer's engine."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.reference import Reference
from ludus.games.platformer.options_2010 import Options2010
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.records import Event, Mario, Platform, Result, Sprite

class Grid:
    """A level as the engine holds it."""

    @overload
    def __init__(self, cells: bytes, width: int, height: int, rules: str = "framework") -> None: ...
    @overload
    def __init__(self, reference: Reference, rules: str) -> None: ...
    @property
    def platforms(self) -> list[Platform]: ...
    @property
    def start(self) -> tuple[int, int]: ...
    @property
    def exit(self) -> tuple[int, int]: ...
    @property
    def total_coins(self) -> int: ...
    @property
    def tiles(self) -> NDArray[np.uint8]: ...
    @property
    def templates(self) -> list[tuple[int, int, int]]: ...

def map_text(reference: Reference, rules: str) -> str:
    """Return the text that comes closest to a map of bytes."""

MAX_WIDTH: int = 131072

MAX_HEIGHT: int = 1024

COSTS: dict[str, int]

class WorldView:
    """A world that can be looked at."""

    @property
    def level(self) -> Level:
        """The level it is played on."""

    @property
    def physics(self) -> Physics | None:
        """The physics options, or None for the reference's."""

    @property
    def options(self) -> Options2010 | None:
        """The options of the rules 2010, or None."""

    @property
    def rules(self) -> str:
        """The rule set's name."""

    @property
    def kill_events(self) -> list[tuple[int, int]]:
        """Kind and parameter of each event that ends the game."""

    @property
    def status(self) -> int:
        """0 running, 1 win, 2 lose, 3 time out."""

    @property
    def tick(self) -> int:
        """Ticks executed, the warm-up tick included."""

    @property
    def timer(self) -> int:
        """Clock units left, 1000 a second; 0 without a limit."""

    @property
    def pause(self) -> int:
        """Ticks that the world still stands still."""

    @property
    def coins(self) -> int:
        """Coins collected."""

    @property
    def lives(self) -> int:
        """Lives won."""

    @property
    def fireballs(self) -> int:
        """Fireballs on the screen when the tick began."""

    @property
    def camera(self) -> tuple[float, float]:
        """Upper left pixel of the screen."""

    @property
    def completion(self) -> float:
        """Mario's x over the exit's."""

    @property
    def screen_tile(self) -> tuple[int, int]:
        """Mario's tile on the screen: column, row."""

    @property
    def can_jump_higher(self) -> bool:
        """Whether holding JUMP still lifts him."""

    @property
    def mario(self) -> Mario:
        """Mario's state."""

    @property
    def mode(self) -> int:
        """Mario's mode: 0 small, 1 large, 2 fire."""

    @property
    def keys(self) -> tuple[int, int, int]:
        """Keys that Mario holds, by colour."""

    @property
    def platforms(self) -> list[Platform]:
        """The moving platforms where they are now."""

    @property
    def sprites(self) -> list[Sprite]:
        """All sprites but Mario, in engine order."""

    @property
    def events(self) -> list[Event]:
        """The events of the last executed tick."""

    @property
    def tiles(self) -> NDArray[np.uint8]:
        """The tile codes now, width x height."""

    def observe(
        self,
        kind: Literal["scene", "enemies", "merged"] = "scene",
        detail: int | tuple[int, int] | None = None,
        centre: Literal["mario", "screen"] = "mario",
        size: int | tuple[int, int] = 16,
    ) -> NDArray[np.int32]:
        """Return a receptive field, indexed [column][row]."""

    def enemies(self, relative: bool = False) -> NDArray[np.float32]:
        """Return kind, x, y of each enemy in engine order."""

    def state(self) -> NDArray[np.float32]:
        """Return Mario's state as numbers, named by STATE_FIELDS."""

    def result(self) -> Result:
        """Return the episode's figures so far."""

    @property
    def address(self) -> int:
        """Where its ludus_world is in memory."""

    def clone_state(self) -> bytes:
        """Return the whole state as bytes, for restore_state."""

    def restore_state(self, state: bytes) -> None:
        """Go on from a state that a world of the same level, physics and kill events has cloned."""

    def hash(self) -> int:
        """Return a 64-bit digest of the whole state."""

class World(WorldView):
    """A game in progress."""

    def __init__(
        self,
        level: Level,
        mode: int | None = None,
        time_limit: int | None = None,
        kill_events: Iterable[tuple[int, int]] = (),
        *,
        physics: Physics | None = None,
        rules: str | None = None,
        options: str | Options2010 | None = None,
    ) -> None: ...
    def step(self, action: int) -> int:
        """Play one tick and return the status."""

    def run(self, actions: NDArray[np.uint8]) -> int:
        """Play these actions until they or the game end; return how many were played."""

    def clone(self) -> World:
        """Return an exact, independent copy."""

    def __copy__(self) -> World: ...
    def __deepcopy__(self, memo: object) -> World: ...
    def forward_model(self) -> ForwardModel:
        """Return a model to look ahead with, made by the reference's clone rule."""

class ForwardModel(WorldView):
    """A copy of a world to look ahead with."""

    def advance(self, action: int) -> int:
        """Play one tick and return the status; a finished model stays as it is."""

    def clone(self) -> ForwardModel:
        """Return a copy by the reference's clone rule."""

    def __copy__(self) -> ForwardModel: ...
    def __deepcopy__(self, memo: object) -> ForwardModel: ...
    @property
    def kills_by_fall(self) -> int:
        """Falls since the model was made."""

    @property
    def kills_by_fire(self) -> int:
        """Kills by fireball since the model was made."""

    @property
    def kills_by_shell(self) -> int:
        """Kills by shell since the model was made."""

    @property
    def kills_by_stomp(self) -> int:
        """Kills by stomp since the model was made."""

    @property
    def mushrooms(self) -> int:
        """Mushrooms since the model was made."""

    @property
    def flowers(self) -> int:
        """Fire flowers since the model was made."""

    @property
    def bricks(self) -> int:
        """Bricks broken since the model was made."""

class Batch:
    """Environments stepped by one call, over buffers bound once."""

    def __init__(
        self,
        starts: Sequence[World],
        pools: Sequence[Sequence[int]],
        buffers: Mapping[str, NDArray[Any]],
        view: tuple[int, int, int, int, bool],
        reward: tuple[float, ...],
        frame_skip: int,
        max_steps: int,
        autoreset: int,
        threads: int,
        latency: int,
        course: tuple[int, int, int, int, float],
        names: Sequence[str],
    ) -> None: ...
    def seed(self, env: int, seed: int) -> None:
        """Seed the environment's choice of levels."""

    def reset(self, env: int, level: int = -1) -> None:
        """Begin an episode, on a drawn level or on this one."""

    def clone_state(self) -> bytes:
        """Return the state of all environments as bytes."""

    def restore_state(self, state: bytes) -> None:
        """Go on from a state of a batch with the same levels."""

    def step(self) -> None:
        """Step every environment with the bound actions."""

    def step_numbers(self, numbers: NDArray[Any], table: bytes) -> bool:
        """Step with numbers of actions in a table of buttons.

        It does nothing and returns False if they are no array of such numbers.
        """

    def step_alone(self, action: int) -> tuple[float, bool, bool, dict[str, Any]]:
        """Step the only environment; return reward, terminated, truncated and info."""

    def info(self, env: int) -> dict[str, Any]:
        """Return what is known of an environment beside what it sees."""

    def course_seed(self, env: int) -> int:
        """Return the seed that the chance of its course began with."""

    def world(self, env: int) -> World:
        """Return a copy of the environment's world."""

    def over(self, env: int) -> bool:
        """Whether the environment's episode has ended."""

def solve(world: World, budget: int) -> tuple[int, bytes, int]:
    """Search for a way to win from here; return the outcome, the actions and the nodes."""

class StickyPlanner:
    """Plans for late buttons in one level."""

    def __init__(self, model: WorldView) -> None: ...
    def ticks_to_go(self, model: WorldView) -> float:
        """Return the ticks to the exit if no creature stood in the way.

        A world of another level has -1.
        """

    def plan(
        self,
        model: WorldView,
        pressed: int,
        *,
        skip: int,
        nodes: int,
        budget: int,
        rest: int,
        faults: int,
        late: int,
        follow: int,
        fault: float,
        sticky: float,
        horizon: float,
        greed: float,
        wound: float,
        stall: float,
        wait: float,
        death: float,
    ) -> tuple[int, bytes, float, int]:
        """Weigh decisions over how late they may come.

        Return the verdict, the best decision with those that may follow it, its cost in ticks and
        the decisions played. The verdict is 0 for none, 1 for a Mario who lives, 2 for one who can
        stand, 3 for one who gets beyond the horizon.
        """

SIGHT_FIELDS: int
WIDE_FIELDS: int

def reward_2010(world: WorldView) -> int:
    """Return what all that happened has paid so far, under the rules 2010."""

class SensesPacker:
    """Packs what a task shows of a world into bytes."""

    def __init__(
        self,
        fields: Sequence[tuple[int, int, int, int, int]],
        state: bool,
        positions: bool,
    ) -> None: ...
    def pack(self, world: WorldView) -> bytes:
        """Return tick, state, the cells of each field, and places, as bytes."""

SIGHT_SIDE: int
SCREEN_SIDE: int
PICTURES: int

def sight_fields(world: WorldView) -> NDArray[np.int8]:
    """Return what a learner sees as one row of numbers."""

def wide_fields(world: WorldView) -> NDArray[np.int8]:
    """Return what a learner sees as one row of numbers, with what lies beyond."""

def sight_picture(world: WorldView) -> NDArray[np.uint8]:
    """Return what a learner sees as a grey picture."""

class Practice:
    """Games played for practice, over buffers bound once."""

    def __init__(
        self,
        starts: Sequence[World],
        seeds: Sequence[int],
        groups: int,
        slots: int,
        buffers: Mapping[str, NDArray[Any]],
        terms: tuple[int, int, int, float, float],
        reward: tuple[float, float, float, float],
        threads: int,
    ) -> None: ...
    def begin(self) -> None:
        """Begin every game anew and show it in slot 0."""

    def step(self, slot: int) -> None:
        """Play the decisions of a slot."""

    def places(self) -> list[tuple[int, int, int, bytes]]:
        """Return where every game stands: random state, level, seed, decisions."""

    def forks(self) -> list[tuple[int, int]]:
        """Return where retries left their games, -1 for none, and their seeds."""

    def restore(
        self, places: Sequence[tuple[int, int, int, bytes]], forks: Sequence[tuple[int, int]]
    ) -> None:
        """Bring every game to its place and show it in slot 0."""

class Ppo:
    """A policy that learns by proximal policy optimisation."""

    def __init__(
        self,
        fields: int,
        strides: Sequence[int],
        widths: Sequence[int],
        games: int,
        slots: int,
        threads: int,
    ) -> None: ...
    @property
    def size(self) -> int:
        """How many numbers its weights have."""

    def play(
        self,
        practice: Practice,
        first: int,
        presses: NDArray[np.uint8],
        weights: NDArray[np.float32],
        luck: NDArray[np.float32],
        actions: NDArray[np.uint8],
        likelihoods: NDArray[np.float32],
        values: NDArray[np.float32],
    ) -> None:
        """Play a rollout and write what was done."""

    def learn(
        self,
        practice: Practice,
        first: int,
        rollout: tuple[
            NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]
        ],
        state: tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]],
        count: float,
        terms: tuple[float, float, float, float, float],
        parts: NDArray[np.int32],
    ) -> tuple[float, float, float]:
        """Learn from parts of the last rollout; return entropy, value error and divergence."""

def draw_frame(
    rgb: NDArray[np.uint8],
    tiles: NDArray[np.uint8],
    camera_x: int,
    camera_y: int,
    tile_frames: NDArray[np.uint8],
    tile_index: NDArray[np.uint8],
    background: NDArray[np.uint8],
    sprite_frames: NDArray[np.uint8],
    sprites: NDArray[np.int16],
) -> None:
    """Fill a picture with what a camera sees."""

def generator_options(name: str) -> dict[str, tuple[int, int, int]]:
    """Return default, least and most of each option of a generator."""

def generate(
    name: str, options: list[tuple[str, int]]
) -> tuple[
    str,
    str,
    tuple[
        bytes,
        tuple[int, int],
        list[tuple[int, int, int, bool]],
        list[tuple[int, int, int]],
        dict[str, int],
    ]
    | None,
]:
    """Generate a level: its text, its rules, and the data of its own format or None."""

class JavaRandom:
    """The stream of java.util.Random."""

    def __init__(self, seed: int) -> None: ...
    def next_int(self) -> int:
        """Return any 32-bit number."""

    def next_below(self, bound: int) -> int:
        """Return a number below a positive bound."""

    def next_bool(self) -> bool:
        """Return a fair coin's side."""

    def next_double(self) -> float:
        """Return a number from 0 up to 1."""

    def next_gaussian(self) -> float:
        """Return a normally distributed number."""

def trace_columns(world: WorldView) -> str:
    """Return the names of the columns of the recordings of its rules, separated by commas."""

def trace_values(world: WorldView) -> str:
    """Return the row of a recording that shows the world, separated by commas."""

def evaluate_2009(world: WorldView) -> tuple[Any, ...]:
    """Return the fields of an Evaluation2009."""

def evaluate_2010(world: WorldView) -> tuple[Any, ...]:
    """Return the fields of an Evaluation2010."""

def extra_bytes(world: WorldView) -> bytes:
    """Return what the rules' agents are shown besides, as bytes."""

def field_2010(world: WorldView) -> tuple[int, int, int, int]:
    """Return width and height of the receptive field, and Mario's row and column in it."""

def grid_2010(world: WorldView, entities: bool, detail: int) -> NDArray[np.int8]:
    """Return the codes of tiles or entities in the field, by row and column."""

def entities_2010(world: WorldView, detail: int) -> list[tuple[Any, ...]]:
    """Return the fields of each Entity2010 in the field."""

def creatures_2010(world: WorldView) -> NDArray[np.float32]:
    """Return kind, x and y from Mario of creatures."""

def summary_2010(world: WorldView) -> tuple[float, float, float, int, int, bool, int, int]:
    """Return the fields of a Mario2010 that worlds know."""

def rule_sets() -> dict[str, int]:
    """Return the version of each rule set by its name."""

def digest_version() -> int:
    """Return the version of the state digest."""

def set_meter(capsule: object | None) -> None:
    """Charge what is done here to the counter of a judge."""

def build_info() -> dict[str, str]:
    """Return how the engine was built."""

class AgentLibrary:
    """A shared library with an agent, loaded into this process."""

    def __init__(self, path: str) -> None: ...
    @property
    def name(self) -> str:
        """What it calls itself; empty if it does not say."""

    @property
    def wants(self) -> int:
        """The parts of observations that it reads, as bits."""

    @property
    def learns(self) -> bool:
        """Whether it has training plays."""

    def reset(
        self,
        name: str,
        rules: str,
        level: str | None,
        seed: int,
        mode: int,
        time_limit: int,
        play: int,
        plays: int,
        buttons: bytes,
    ) -> None:
        """Begin an episode."""

    def act(self, world: WorldView, model: WorldView | None) -> int:
        """Return the action for what a world shows."""

    def act_on_bytes(self, seen: bytes, model: WorldView | None) -> int:
        """Return the action for an observation."""

    def learn(self, play: int, score: float, json: str) -> None:
        """Tell what came of a training play."""

class WasmLibrary(AgentLibrary):
    """An instance of a module in WebAssembly with its agent."""

    def __init__(self, runtime: Sequence[int], context: int) -> None: ...
    @property
    def address(self) -> int:
        """Where it is: the environment of the functions that a module imports."""

    @property
    def fuel(self) -> int:
        """What is left."""

    @property
    def logs(self) -> bool:
        """Whether something was logged that nobody has taken."""

    def fill(self, fuel: int) -> None:
        """Set the fuel left."""

    def set_memory(self, memory: bytes) -> None:
        """Say which memory is the instance's."""

    def connect(
        self,
        agent: int,
        wants: int,
        reset: bytes,
        act: bytes,
        learn: bytes | None,
        table: Sequence[int],
    ) -> None:
        """Say which agent is called, and by which functions."""

    def take_failure(self) -> tuple[int, int]:
        """Return the trap and the error of the last call by their addresses."""

    def take_log(self) -> bytes:
        """Return what was logged since the last time."""

    def uses(self) -> list[tuple[int, int]]:
        """Return how often each use of fuel was entered, and its fuel."""

def list_wasm_imports() -> list[int]:
    """Return the addresses of the functions that a module can import."""

def pack_frame(world: WorldView, parts: int) -> bytes:
    """Return a world as a frame of the agent protocol; empty if it cannot hold all creatures."""
