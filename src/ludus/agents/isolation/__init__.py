"""Code that is not Ludus's own: each agent and environment has a process, spoken to by messages.

::

    referee ── runs Ludus's code only: engine, chance, record
       ├── nursery   forks a keeper for each agent; has neither plan nor seeds
       │     └── keeper   kills the agent and all its descendants when it is told to, or left alone
       │           └── agent   in its own session: loads the file, answers messages
       └── AgentProcess   what the referee asks instead of the agent

An environment of somebody else's is kept likewise; its referee asks an EnvironmentProcess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.lazy_names import lazy_names

if TYPE_CHECKING:
    from ludus.agents.isolation.agent_process import AgentProcess
    from ludus.agents.isolation.environment_process import EnvironmentProcess
    from ludus.agents.isolation.opening import find, is_foreign, open_agent
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "agent_process": ["AgentProcess"],
            "environment_process": ["EnvironmentProcess"],
            "opening": ["find", "is_foreign", "open_agent"],
        },
    )

__all__ = ["AgentProcess", "EnvironmentProcess", "find", "is_foreign", "open_agent"]
