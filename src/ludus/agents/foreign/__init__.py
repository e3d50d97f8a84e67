"""Agents that are not written in Python: one door for each way to bring one."""
