-- The tables of events, markets, tags and series.

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  ticker TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  resolution_source TEXT NOT NULL,
  start_date TEXT,
  creation_date TEXT,
  end_date TEXT,
  image TEXT NOT NULL,
  icon TEXT NOT NULL,
  active INTEGER NOT NULL,
  closed INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  created_at TEXT,
  updated_at TEXT,
  neg_risk INTEGER NOT NULL,
  neg_risk_event_id TEXT NOT NULL,
  creator TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;

CREATE TABLE markets (
  id INTEGER PRIMARY KEY,
  event_id INTEGER NOT NULL REFERENCES events (id),
  condition_id TEXT NOT NULL UNIQUE,
  question_id TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  question TEXT NOT NULL,
  description TEXT NOT NULL,
  resolution_source TEXT NOT NULL,
  group_item_title TEXT NOT NULL,
  start_date TEXT,
  end_date TEXT,
  image TEXT NOT NULL,
  icon TEXT NOT NULL,
  active INTEGER NOT NULL,
  closed INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  enable_order_book INTEGER NOT NULL,
  accepting_orders INTEGER NOT NULL,
  created_at TEXT,
  updated_at TEXT,
  neg_risk INTEGER NOT NULL,
  mirror_condition_id TEXT NOT NULL,
  creator TEXT NOT NULL,
  tick_ticks INTEGER NOT NULL,
  minimum_lots INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX markets_by_event ON markets (event_id, id);

CREATE TABLE market_tokens (
  token_id TEXT PRIMARY KEY,
  market_id INTEGER NOT NULL REFERENCES markets (id) ON DELETE CASCADE,
  outcome_index INTEGER NOT NULL CHECK (outcome_index IN (0, 1)),
  outcome TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX market_tokens_by_market ON market_tokens (market_id, outcome_index);

CREATE TABLE tags (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  requires_translation INTEGER NOT NULL,
  created_at TEXT,
  updated_at TEXT,
  record TEXT NOT NULL
) STRICT;

-- The position keeps the order in which an event names its tags and series.
CREATE TABLE event_tags (
  event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tags (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (event_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_tags_by_tag ON event_tags (tag_id, event_id);

CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  ticker TEXT NOT NULL,
  title TEXT NOT NULL,
  series_type TEXT NOT NULL,
  recurrence TEXT NOT NULL,
  image TEXT NOT NULL,
  icon TEXT NOT NULL,
  active INTEGER NOT NULL,
  closed INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  created_at TEXT,
  updated_at TEXT,
  record TEXT NOT NULL
) STRICT;

CREATE TABLE event_series (
  event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  series_id INTEGER NOT NULL REFERENCES series (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (event_id, series_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_series_by_series ON event_series (series_id, event_id);
