-- What an import does not know and must not undo: which markets have ended, and what the operator
-- made.

CREATE TABLE ended_markets (
  condition_id TEXT PRIMARY KEY,
  ended_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- `request`, `commands` and `evidence` are JSON.
CREATE TABLE plans (
  name TEXT PRIMARY KEY,
  event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  request TEXT NOT NULL,
  commands TEXT NOT NULL,
  evidence TEXT NOT NULL,
  is_done INTEGER NOT NULL
) STRICT;
CREATE INDEX plans_by_event ON plans (event_id);
CREATE INDEX plans_undone ON plans (name) WHERE NOT is_done;
