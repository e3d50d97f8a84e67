"""The tables in which runs are kept."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    literal_column,
)

__all__ = [
    "AGREED",
    "BEGUN_HERE",
    "IMPORTED",
    "REVISION",
    "accounts",
    "ballots",
    "clips",
    "ended_by_fault",
    "entry_files",
    "episodes",
    "events",
    "jobs",
    "leases",
    "metadata",
    "runs",
    "sittings",
    "votes",
]

#: The newest migration; a store that names another one is older, or from a newer Ludus.
REVISION = "0010"

BEGUN_HERE, IMPORTED, AGREED = 0, 1, 2
"""Where a run comes from, as its column ``imported`` says."""

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("benchmark", String(200), nullable=False),
    Column("version", Integer, nullable=False),
    Column("seed", String(40), nullable=False),
    Column("rules", Text, nullable=False),
    Column("identity", String(64), nullable=False),
    Column("planned", Integer, nullable=False),
    Column("plan", Text, nullable=False),
    # 0 for what was begun here, 1 for what a file brought, 2 if the user has agreed to that;
    # nothing if nobody knows
    Column("imported", Integer, nullable=True),
    Index("runs_by_benchmark", "benchmark", "version"),
)

episodes = Table(
    "episodes",
    metadata,
    Column("run", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("agent", Integer, nullable=False),
    Column("scenario", Integer, nullable=False),
    Column("ending", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Column("facts", Text, nullable=False),
    Column("total", Float, nullable=False),
    Column("parts", Text, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    # what the agent used; nothing where nobody measured it
    Column("units", BigInteger, nullable=True),
    Column("peak_memory", BigInteger, nullable=True),
    Column("processor_seconds", Float, nullable=True),
    Column("over_budget", Integer, nullable=True),
    Column("calls", Integer, nullable=True),
    Column("failed_calls", Integer, nullable=True),
    Column("tokens", BigInteger, nullable=True),
    Column("usd", Float, nullable=True),
    # every call of a language model as JSON, unless the game's record holds them
    Column("model_calls", Text, nullable=True),
    # counting and ranking read this index alone, not the records and facts
    Index("episodes_by_agent", "run", "agent", "scenario", "total"),
)

#: Which episodes ended by an agent's fault. The word is part of the text, since SQLite takes a
#: partial index only if it reads its condition in the query.
ended_by_fault = episodes.c.ending != literal_column("'finished'")

Index(
    "episodes_with_faults",
    episodes.c.run,
    episodes.c.agent,
    episodes.c.ending,
    sqlite_where=ended_by_fault,
    postgresql_where=ended_by_fault,
)

# Which process plays which episodes now: from the first to the last, until the lease expires.
leases = Table(
    "leases",
    metadata,
    Column("run", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
    Column("runner", String(32), nullable=False),
    Column("machine", String(64), nullable=False),
    Column("process", Integer, nullable=False),
    Column("started", String(64), nullable=False),
    Column("expires", Float, nullable=False),
)

# The board's ledger: what was accepted, verified, superseded or removed, by whom and why.
events = Table(
    "events",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("benchmark", String(200), nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("digest", String(64), nullable=False, unique=True),
)

# The files of what was entered for events, as data; the digest is over all of an entry's files.
entry_files = Table(
    "entry_files",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("path", String(200), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

# Who may submit to events, and who organises them; of a token there is a digest alone.
accounts = Table(
    "accounts",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("key", String(200), nullable=False, unique=True),
    Column("name", String(200), nullable=False),
    Column("role", String(16), nullable=False),
    Column("organiser", String(16), nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("entry_key", LargeBinary, nullable=False),
    Column("created", String(32), nullable=False),
    Column("revoked", String(32), nullable=True),
)

# What workers play for events: submissions on the public seed, then all entries on the sealed one.
jobs = Table(
    "jobs",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("event", String(200), nullable=False),
    Column("account", String(16), nullable=False),
    Column("entrant", String(200), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("history", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("played", Integer, nullable=False),
    Column("planned", Integer, nullable=False),
    Column("score", Float, nullable=True),
    Column("verdict", Text, nullable=False),
    Column("run", String(40), nullable=False),
    Column("log", Text, nullable=False),
    # who works on it now, and until when: nothing and 0 if nobody does
    Column("runner", String(32), nullable=False),
    Column("machine", String(64), nullable=False),
    Column("process", Integer, nullable=False),
    Column("started", String(64), nullable=False),
    Column("expires", Float, nullable=False),
    Index("jobs_by_state", "state", "number"),
    Index("jobs_by_event", "event", "account"),
    Index(
        "jobs_final",
        "event",
        unique=True,
        sqlite_where=literal_column("kind = 'final'"),
        postgresql_where=literal_column("kind = 'final'"),
    ),
)

# What visitors vote on: the organiser's choice as JSON, the secret that signs visits, and how many
# visits there were.
ballots = Table(
    "ballots",
    metadata,
    Column("track", String(16), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("visits", Integer, nullable=False),
    Column("choice", Text, nullable=False),
)

# Recorded play that visitors judge.
clips = Table(
    "clips",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("level", String(64), nullable=False),
    Column("player", String(64), nullable=False),
    Column("human", Integer, nullable=False),
    Column("recording", Text, nullable=False),
    Column("added", String(32), nullable=False),
)

# A visitor's way through a track: what is shown, and how far it has come.
sittings = Table(
    "sittings",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("track", ForeignKey("ballots.track"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("begun", String(32), nullable=False),
)

votes = Table(
    "votes",
    metadata,
    Column("sitting", ForeignKey("sittings.id"), primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("body", Text, nullable=False),
)
