"""What was asked and answered, word for word, for whoever wants to read along."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ludus.agents.llm.endpoint import Question, Reply

__all__ = ["LOG", "log_call"]

LOG = "LUDUS_LLM_LOG"
"""The variable that names the file to which every call is added, one JSON object a line."""


def log_call(moment: dict[str, Any], question: Question, reply: Reply, status: str) -> None:
    """Add a call to the file that :data:`LOG` names, if it names one."""
    path = os.environ.get(LOG)
    if not path:
        return
    row = reply.row(question.kind, status)
    line = {**moment, **row, "asked": question.messages(), "answered": reply.text}
    with Path(path).open("ab", buffering=0) as file:
        file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())
