"""How episodes are played: the plan, the stage, and executors for processes and for Ray."""
