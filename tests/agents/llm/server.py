"""An OpenAI-compatible endpoint on loopback that answers by a script.

Without a script it plays: legal orders, messages and thoughts, drawn from what it was asked alone,
so that the same game is played however often it is broken off.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import permutations
from time import sleep
from types import TracebackType
from typing import Any

Request = dict[str, Any]


@dataclass
class Say:
    """One answer of the endpoint, right or wrong."""

    text: str | list[Any] | None = ""
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    refusal: str | None = None
    tool_calls: list[Any] | None = None
    body: bytes | None = None
    error: str = "scripted"
    usage: bool | dict[str, Any] = True
    thoughts: str = ""

    def plain(self, request: Request) -> dict[str, Any]:
        if self.status != 200:
            return {"error": {"message": self.error, "code": self.error, "type": "scripted"}}
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.refusal:
            message["refusal"] = self.refusal
        if self.thoughts:
            message["reasoning_content"] = self.thoughts
        if self.tool_calls:
            message["tool_calls"] = self.tool_calls
        asked = sum(len(text_of(one["content"])) for one in request["messages"])
        whole: dict[str, Any] = {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
        }
        if isinstance(self.usage, dict):
            whole["usage"] = self.usage
        elif self.usage:
            answered = len(self.text or "") // 4
            whole["usage"] = {
                "prompt_tokens": asked // 4,
                "completion_tokens": answered,
                "total_tokens": asked // 4 + answered,
            }
        return whole


def text_of(content: str | list[dict[str, Any]]) -> str:
    """Return the text of a message, also of one with a picture."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


Script = Callable[[Request, int], Say]


def play(request: Request, _: int = 0) -> Say:
    """Answer as a player would who draws lots."""
    return Say(json.dumps(answer_to(request)))


def answer_to(request: Request) -> Any:
    """Return an answer in the form asked for, the same whenever the same is asked."""
    form = request.get("response_format", {})
    lots = _lots(json.dumps(request["messages"]))
    if form.get("type") == "json_schema":
        return _draw(form["json_schema"]["schema"], lots)
    text = request["messages"][-1]["content"]
    orders = legal_orders(text)
    count = re.search(
        r"build up to (\d+) units|have to remove (\d+) of", request["messages"][1]["content"]
    )
    if count:
        orders = dict(list(orders.items())[: int(count[1] or count[2])])
    if orders:
        return {"plan": "by lot", "orders": {p: o[lots() % len(o)] for p, o in orders.items()}}
    if '"messages"' in text:
        return {"messages": [{"recipient": "GLOBAL", "text": "hello"}]}
    if '"summary"' in text:
        return {"summary": "much happened"}
    return {"diary": "so it goes", "goals": ["live"], "relationships": {"ITALY": "Friendly"}}


def legal_orders(text: str) -> dict[str, list[str]]:
    """Return the legal orders that a prompt lists by unit, without convoys."""
    after = re.split(r"Your legal orders, by unit[^\n]*:\n", text)[-1].split("\n\n")[0]
    return {} if after == text.split("\n\n")[0] else expand_orders(after)


def expand_orders(listed: str) -> dict[str, list[str]]:
    """Return the orders in full of lines such as ``A PAR: - BUR GAS``, without convoys."""
    units, _, supports = listed.partition("\nConvoys")[0].partition("\nSupports")
    orders: dict[str, list[str]] = {}
    for line in units.splitlines():
        unit, _, rest = line.partition(": ")
        moves = ["H", *(f"- {goal}" for goal in rest[2:].split())]
        several = moves if rest.startswith("- ") else rest.split(" | ")
        if unit != "WAIVE":
            orders.setdefault(unit[2:5], []).extend(f"{unit} {one}" for one in several)
    for line in supports.splitlines()[1:]:
        place, _, near = line.partition(": ")
        for unit, other in permutations(near.split(), 2):
            orders[unit].append(f"{orders[unit][0][:-2]} S {other} - {place}")
        for unit in near.split() if place in orders else ():
            orders[unit].append(f"{orders[unit][0][:-2]} S {place}")
    return orders


def kind_of(request: Request) -> str:
    """Return what the endpoint was asked for."""
    form = request.get("response_format", {})
    return str(form.get("json_schema", {}).get("name", ""))


def system_of(request: Request) -> str:
    return str(request["messages"][0]["content"])


def power_of(request: Request) -> str:
    found = re.match(r"You play (\w+)", system_of(request))
    assert found
    return found[1]


def _lots(text: str) -> Callable[[], int]:
    count = iter(range(10_000))

    def draw() -> int:
        digest = hashlib.sha256(f"{next(count)} {text}".encode()).digest()
        return int.from_bytes(digest[:4], "big")

    return draw


def _draw(schema: dict[str, Any], lots: Callable[[], int]) -> Any:
    if "enum" in schema:
        return schema["enum"][lots() % len(schema["enum"])]
    if schema["type"] == "object":
        return {name: _draw(one, lots) for name, one in schema["properties"].items()}
    if schema["type"] == "array":
        if "enum" in schema["items"]:  # builds, or units to remove: as many as there may be
            several, first = schema["items"]["enum"], lots()
            return [several[(first + k) % len(several)] for k in range(schema["maxItems"])]
        most = min(schema.get("maxItems", 2), 2)
        count = max(lots() % (most + 1), schema.get("minItems", 0))
        return [_draw(schema["items"], lots) for _ in range(count)]
    if schema["type"] == "integer":
        return schema.get("minimum", 1) + lots() % schema.get("maximum", 4)
    return f"word {lots() % 1000}"[: schema.get("maxLength", 100)]


class _Quiet(ThreadingHTTPServer):
    """A server that says nothing about clients that were killed or did not wait."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        return


class Scripted:
    """The endpoint, running as long as its ``with`` lasts.

    Attributes:
        requests: What it was asked, in the order of arrival.
    """

    def __init__(self, script: Script = play) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.keys: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body go out together

            def do_POST(self) -> None:
                outer._answer(self)

            def log_message(self, *_: Any) -> None:
                return

        self._server = _Quiet(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def spec(self, settings: str = "", model: str = "scripted") -> str:
        quick = "pause=0.01&timeout=20"
        return f"llm:{model}@{self.url}?{quick}{'&' if settings else ''}{settings}"

    def __enter__(self) -> Scripted:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers["content-length"])
        request = json.loads(handler.rfile.read(length))
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            self.headers.append({name.lower(): text for name, text in handler.headers.items()})
            self.keys.append(handler.headers.get("authorization", ""))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        said = self.script(request, number)
        sleep(said.delay)
        with self._lock:
            self._at_once -= 1
        body = said.body if said.body is not None else json.dumps(said.plain(request)).encode()
        try:
            handler.send_response(said.status)
            for name, value in said.headers.items():
                handler.send_header(name, value)
            handler.send_header("content-type", "application/json")
            handler.send_header("content-length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
            handler.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True  # the client did not wait
