-- The tables of catalog.db, version 1. The other files of this folder have the rest: changes.sql the
-- change numbers, and search.sql what searches look texts up in. docs/catalog-tables.md describes
-- all tables.
--
-- `state` holds the three flags of a market or event as one number. The index of each order begins
-- with it, so a list with any flags merges at most eight ranges, each of which is in order. Figures
-- that change as markets trade stand in narrow tables, so that trading does not rewrite texts.
-- Triggers keep `state` and the counts up to date, so no writer can forget them.

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
  closed_time TEXT,
  neg_risk INTEGER NOT NULL,
  neg_risk_event_id TEXT NOT NULL,
  creator TEXT NOT NULL,
  record TEXT NOT NULL,
  state INTEGER GENERATED ALWAYS AS (active + 2 * closed + 4 * archived) VIRTUAL,
  featured INTEGER GENERATED ALWAYS AS (coalesce(record ->> 'featured', 0) = 1) VIRTUAL,
  -- When a game begins; events without have their start date.
  start_time TEXT GENERATED ALWAYS AS
    (coalesce(CAST(record ->> 'startTime' AS TEXT), start_date)) VIRTUAL,
  game_time TEXT GENERATED ALWAYS AS
    (strftime('%Y-%m-%dT%H:%M:%SZ', record ->> 'startTime')) VIRTUAL,
  -- The place among the featured events; events without one come after all others.
  featured_order INTEGER GENERATED ALWAYS AS
    (coalesce(CAST(record ->> 'featuredOrder' AS INTEGER), 1000000000)) VIRTUAL
) STRICT;
CREATE INDEX events_by_state ON events (state);
CREATE INDEX events_by_creator ON events (creator COLLATE NOCASE);
CREATE INDEX events_by_title ON events (state, title);
CREATE INDEX events_by_slug ON events (state, slug);
CREATE INDEX events_by_ticker ON events (state, ticker);
CREATE INDEX events_by_start_date ON events (state, start_date);
CREATE INDEX events_by_start_time ON events (state, start_time);
CREATE INDEX events_by_game_time ON events (state, game_time);
CREATE INDEX events_by_featured_order ON events (state, featured_order);
CREATE INDEX events_by_creation_date ON events (state, creation_date);
CREATE INDEX events_by_end_date ON events (state, end_date);
CREATE INDEX events_by_created_at ON events (state, created_at);
CREATE INDEX events_by_closed_time ON events (state, closed_time);
CREATE INDEX events_by_updated_at ON events (state, updated_at);
CREATE INDEX events_featured ON events (id) WHERE featured;
-- Filters by members that only imported records have (wire 8.2).
CREATE INDEX events_by_game ON events (CAST(record ->> '$.gameId' AS TEXT))
  WHERE CAST(record ->> '$.gameId' AS TEXT) IS NOT NULL;
CREATE INDEX events_by_parent ON events (CAST(record ->> '$.parentEventId' AS TEXT))
  WHERE CAST(record ->> '$.parentEventId' AS TEXT) IS NOT NULL;
CREATE INDEX events_by_week ON events (CAST(record ->> '$.eventWeek' AS TEXT))
  WHERE CAST(record ->> '$.eventWeek' AS TEXT) IS NOT NULL;
CREATE INDEX events_by_day ON events (substr(record ->> '$.eventDate', 1, 10))
  WHERE substr(record ->> '$.eventDate', 1, 10) IS NOT NULL;
CREATE INDEX events_by_neg_risk ON events (neg_risk_event_id) WHERE neg_risk_event_id <> '';

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
  closed_time TEXT,
  neg_risk INTEGER NOT NULL,
  mirror_condition_id TEXT NOT NULL,
  creator TEXT NOT NULL,
  tick_ticks INTEGER NOT NULL,
  minimum_lots INTEGER NOT NULL,
  record TEXT NOT NULL,
  state INTEGER GENERATED ALWAYS AS (active + 2 * closed + 4 * archived) VIRTUAL,
  -- JSON: the live fields that the source of the record told, which trading here replaces.
  told TEXT NOT NULL DEFAULT '{}',
  mirror_tokens TEXT NOT NULL DEFAULT '',
  competitive REAL GENERATED ALWAYS AS
    (coalesce(CAST(record ->> 'competitive' AS REAL), 0)) VIRTUAL,
  game_start_time TEXT GENERATED ALWAYS AS (CAST(record ->> 'gameStartTime' AS TEXT)) VIRTUAL,
  resolution TEXT GENERATED ALWAYS AS (CAST(told ->> 'umaResolutionStatus' AS TEXT)) VIRTUAL
) STRICT;
CREATE INDEX markets_by_event ON markets (event_id, id);
-- Indexes of ids alone: a page far into a list is found without reading the markets before it. At
-- 100,000 markets that takes half a millisecond instead of twenty.
CREATE INDEX markets_in_order ON markets (id);
CREATE INDEX markets_tradable ON markets (id)
  WHERE active AND enable_order_book AND accepting_orders AND NOT closed AND NOT archived;
CREATE INDEX markets_by_state ON markets (state);
CREATE INDEX markets_by_creator ON markets (creator COLLATE NOCASE);
CREATE INDEX markets_by_question ON markets (state, question);
CREATE INDEX markets_by_slug ON markets (state, slug);
CREATE INDEX markets_by_start_date ON markets (state, start_date);
CREATE INDEX markets_by_competitive ON markets (state, competitive);
CREATE INDEX markets_by_end_date ON markets (state, end_date);
CREATE INDEX markets_by_created_at ON markets (state, created_at);
CREATE INDEX markets_by_closed_time ON markets (state, closed_time);
CREATE INDEX markets_by_game_start_time ON markets (state, game_start_time);
CREATE INDEX markets_by_updated_at ON markets (state, updated_at);
CREATE INDEX markets_with_mirror ON markets (id) WHERE mirror_condition_id <> '';
-- The same for markets (wire 8.3).
CREATE INDEX markets_by_question_id ON markets (question_id) WHERE question_id <> '';
CREATE INDEX markets_by_game ON markets (CAST(record ->> '$.gameId' AS TEXT))
  WHERE CAST(record ->> '$.gameId' AS TEXT) IS NOT NULL;
CREATE INDEX markets_by_sports_type ON markets (record ->> '$.sportsMarketType')
  WHERE record ->> '$.sportsMarketType' IS NOT NULL;
CREATE INDEX markets_by_maker ON markets (lower(record ->> '$.marketMakerAddress'))
  WHERE lower(record ->> '$.marketMakerAddress') IS NOT NULL;
CREATE INDEX markets_by_resolution ON markets (resolution, condition_id, active, enable_order_book,
  accepting_orders, closed, archived) WHERE resolution IS NOT NULL;

CREATE TABLE market_tokens (
  token_id TEXT PRIMARY KEY,
  market_id INTEGER NOT NULL REFERENCES markets (id) ON DELETE CASCADE,
  outcome_index INTEGER NOT NULL CHECK (outcome_index IN (0, 1)),
  outcome TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX market_tokens_by_market ON market_tokens (market_id, outcome_index);
CREATE INDEX market_tokens_told ON market_tokens (market_id, outcome_index, outcome);

CREATE TABLE tags (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  requires_translation INTEGER NOT NULL,
  created_at TEXT,
  updated_at TEXT,
  record TEXT NOT NULL,
  event_count INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The position keeps the order in which an event names its tags and series.
CREATE TABLE event_tags (
  event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tags (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (event_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_tags_by_tag ON event_tags (tag_id, event_id);
CREATE TRIGGER event_tagged AFTER INSERT ON event_tags BEGIN
  UPDATE tags SET event_count = event_count + 1 WHERE id = new.tag_id;
END;
CREATE TRIGGER event_untagged AFTER DELETE ON event_tags BEGIN
  UPDATE tags SET event_count = event_count - 1 WHERE id = old.tag_id;
END;

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
CREATE INDEX series_by_recurrence ON series (recurrence COLLATE NOCASE, id);
CREATE INDEX series_by_state ON series (closed, id);

CREATE TABLE event_series (
  event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  series_id INTEGER NOT NULL REFERENCES series (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (event_id, series_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_series_by_series ON event_series (series_id, event_id);

CREATE TABLE market_figures (
  market_id INTEGER PRIMARY KEY REFERENCES markets (id) ON DELETE CASCADE,
  state INTEGER NOT NULL,
  volume REAL NOT NULL DEFAULT 0,
  volume_24hr REAL NOT NULL DEFAULT 0,
  volume_1wk REAL NOT NULL DEFAULT 0,
  volume_1mo REAL NOT NULL DEFAULT 0,
  volume_1yr REAL NOT NULL DEFAULT 0,
  liquidity REAL NOT NULL DEFAULT 0,
  -- JSON: the figures as the source of the record gave them; empty if there are none of a source.
  source_figures TEXT NOT NULL DEFAULT '',
  -- 1 if the figures are of trading here: an import does not overwrite them.
  is_own INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX market_figures_by_volume ON market_figures (state, volume);
CREATE INDEX market_figures_by_volume_24hr ON market_figures (state, volume_24hr);
CREATE INDEX market_figures_by_volume_1wk ON market_figures (state, volume_1wk);
CREATE INDEX market_figures_by_volume_1mo ON market_figures (state, volume_1mo);
CREATE INDEX market_figures_by_volume_1yr ON market_figures (state, volume_1yr);
CREATE INDEX market_figures_by_liquidity ON market_figures (state, liquidity);
CREATE TRIGGER market_added AFTER INSERT ON markets BEGIN
  INSERT INTO market_figures (market_id, state) VALUES (new.id, new.state);
END;
CREATE TRIGGER market_state AFTER UPDATE OF active, closed, archived ON markets
WHEN old.state <> new.state BEGIN
  UPDATE market_figures SET state = new.state WHERE market_id = new.id;
END;

CREATE TABLE event_figures (
  event_id INTEGER PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  state INTEGER NOT NULL,
  volume REAL NOT NULL DEFAULT 0,
  volume_24hr REAL NOT NULL DEFAULT 0,
  volume_1wk REAL NOT NULL DEFAULT 0,
  volume_1mo REAL NOT NULL DEFAULT 0,
  volume_1yr REAL NOT NULL DEFAULT 0,
  liquidity REAL NOT NULL DEFAULT 0,
  -- JSON: the figures as the source of the record gave them; empty if there are none of a source.
  source_figures TEXT NOT NULL DEFAULT '',
  competitive REAL NOT NULL DEFAULT 0,
  -- The count of the source, which may have more comments than were imported.
  told_comments INTEGER NOT NULL DEFAULT 0,
  own_comments INTEGER NOT NULL DEFAULT 0,
  comment_count INTEGER GENERATED ALWAYS AS (max(told_comments, own_comments)) VIRTUAL,
  -- 1 if the figures are sums over its markets, because one of them trades here.
  is_own INTEGER NOT NULL DEFAULT 0,
  -- The number of the last change to the event or to a record that is shown with it.
  version INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX event_figures_by_volume ON event_figures (state, volume);
CREATE INDEX event_figures_by_volume_24hr ON event_figures (state, volume_24hr);
CREATE INDEX event_figures_by_volume_1wk ON event_figures (state, volume_1wk);
CREATE INDEX event_figures_by_volume_1mo ON event_figures (state, volume_1mo);
CREATE INDEX event_figures_by_volume_1yr ON event_figures (state, volume_1yr);
CREATE INDEX event_figures_by_liquidity ON event_figures (state, liquidity);
CREATE INDEX event_figures_by_competitive ON event_figures (state, competitive);
CREATE INDEX event_figures_by_comment_count ON event_figures (state, comment_count);
CREATE TRIGGER event_added AFTER INSERT ON events BEGIN
  INSERT INTO event_figures (event_id, state) VALUES (new.id, new.state);
END;
CREATE TRIGGER event_state AFTER UPDATE OF active, closed, archived ON events
WHEN old.state <> new.state BEGIN
  UPDATE event_figures SET state = new.state WHERE event_id = new.id;
END;

CREATE TABLE creators (
  id INTEGER PRIMARY KEY,
  creator_name TEXT NOT NULL COLLATE NOCASE,
  creator_handle TEXT NOT NULL COLLATE NOCASE,
  creator_url TEXT NOT NULL,
  creator_image TEXT NOT NULL,
  -- The `creator` of its events and markets (wire 8.6); may be empty.
  wallet TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT,
  updated_at TEXT,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX creators_by_name ON creators (creator_name);
CREATE INDEX creators_by_handle ON creators (creator_handle);
CREATE INDEX creators_by_created_at ON creators (created_at);
CREATE INDEX creators_by_updated_at ON creators (updated_at);
CREATE UNIQUE INDEX creators_by_wallet ON creators (wallet) WHERE wallet <> '';

-- The sites on which a creator's markets are available.
CREATE TABLE creator_sites (
  site TEXT NOT NULL COLLATE NOCASE,
  creator_id INTEGER NOT NULL REFERENCES creators (id) ON DELETE CASCADE,
  PRIMARY KEY (site, creator_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX creator_sites_by_creator ON creator_sites (creator_id);

CREATE TABLE profiles (
  wallet TEXT PRIMARY KEY COLLATE NOCASE,
  proxy_wallet TEXT NOT NULL COLLATE NOCASE,
  name TEXT NOT NULL,
  pseudonym TEXT NOT NULL,
  bio TEXT NOT NULL,
  profile_image TEXT NOT NULL,
  display_username_public INTEGER NOT NULL,
  is_mod INTEGER NOT NULL,
  created_at TEXT,
  updated_at TEXT,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX profiles_by_name ON profiles (name, pseudonym);
CREATE INDEX profiles_by_proxy ON profiles (proxy_wallet) WHERE proxy_wallet <> '';

-- A comment is on exactly one event, series or market. `parent` has its type and id as one number:
-- 4 x id + 0, 1 or 2.
CREATE TABLE comments (
  id INTEGER PRIMARY KEY,
  event_id INTEGER REFERENCES events (id) ON DELETE CASCADE,
  series_id INTEGER REFERENCES series (id) ON DELETE CASCADE,
  parent INTEGER GENERATED ALWAYS AS (coalesce(2 * event_id, 2 * series_id + 1)) VIRTUAL,
  parent_comment_id INTEGER REFERENCES comments (id) ON DELETE CASCADE,
  -- The id of the first comment of the conversation, which has its own id here.
  thread_id INTEGER NOT NULL,
  user_address TEXT NOT NULL COLLATE NOCASE,
  reply_address TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- Removed by the author or the operator; hidden by the operator.
  removed_at TEXT,
  hidden_at TEXT,
  is_shown INTEGER GENERATED ALWAYS AS (removed_at IS NULL AND hidden_at IS NULL) VIRTUAL,
  report_count INTEGER NOT NULL DEFAULT 0,
  reaction_count INTEGER NOT NULL DEFAULT 0,
  reply_count INTEGER NOT NULL DEFAULT 0,
  record TEXT NOT NULL,
  CHECK ((event_id IS NULL) + (series_id IS NULL) = 1)
) STRICT;
CREATE INDEX comments_by_event ON comments (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX comments_by_series ON comments (series_id) WHERE series_id IS NOT NULL;
CREATE INDEX comments_by_parent ON comments (parent, is_shown);
CREATE INDEX comments_first_id ON comments (parent)
  WHERE is_shown AND parent_comment_id IS NULL;
CREATE INDEX comments_first_created ON comments (parent, created_at)
  WHERE is_shown AND parent_comment_id IS NULL;
CREATE INDEX comments_first_updated ON comments (parent, updated_at)
  WHERE is_shown AND parent_comment_id IS NULL;
CREATE INDEX comments_first_reactions ON comments (parent, reaction_count)
  WHERE is_shown AND parent_comment_id IS NULL;
CREATE INDEX comments_by_thread ON comments (thread_id, created_at) WHERE is_shown;
CREATE INDEX comments_by_user ON comments (user_address, created_at) WHERE is_shown;
CREATE INDEX comments_by_comment ON comments (parent_comment_id)
  WHERE parent_comment_id IS NOT NULL;
CREATE INDEX comments_reported ON comments (report_count, id) WHERE report_count > 0;

CREATE TABLE reactions (
  id INTEGER PRIMARY KEY,
  comment_id INTEGER NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  reaction_type TEXT NOT NULL,
  icon TEXT NOT NULL,
  user_address TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT,
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX reactions_once ON reactions (comment_id, user_address, reaction_type);
CREATE INDEX reactions_by_user ON reactions (comment_id, user_address);

CREATE TABLE comment_reports (
  comment_id INTEGER NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  user_address TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (comment_id, user_address)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER comment_added AFTER INSERT ON comments WHEN new.is_shown BEGIN
  UPDATE event_figures SET own_comments = own_comments + 1 WHERE event_id = new.event_id;
  UPDATE comments SET reply_count = reply_count + 1 WHERE id = new.parent_comment_id;
END;
CREATE TRIGGER comment_shown AFTER UPDATE OF removed_at, hidden_at ON comments
WHEN old.is_shown <> new.is_shown BEGIN
  UPDATE event_figures SET own_comments = own_comments + new.is_shown - old.is_shown
    WHERE event_id = new.event_id;
  UPDATE comments SET reply_count = reply_count + new.is_shown - old.is_shown
    WHERE id = new.parent_comment_id;
END;
CREATE TRIGGER comment_deleted AFTER DELETE ON comments WHEN old.is_shown BEGIN
  UPDATE event_figures SET own_comments = own_comments - 1 WHERE event_id = old.event_id;
  UPDATE comments SET reply_count = reply_count - 1 WHERE id = old.parent_comment_id;
END;
CREATE TRIGGER reaction_added AFTER INSERT ON reactions BEGIN
  UPDATE comments SET reaction_count = reaction_count + 1 WHERE id = new.comment_id;
END;
CREATE TRIGGER reaction_deleted AFTER DELETE ON reactions BEGIN
  UPDATE comments SET reaction_count = reaction_count - 1 WHERE id = old.comment_id;
END;
CREATE TRIGGER report_added AFTER INSERT ON comment_reports BEGIN
  UPDATE comments SET report_count = report_count + 1 WHERE id = new.comment_id;
END;

-- Idempotency keys, by which a repeated request finds its comment. Old keys are deleted.
CREATE TABLE comment_keys (
  user_address TEXT NOT NULL COLLATE NOCASE,
  key TEXT NOT NULL,
  -- A digest of the request.
  content TEXT NOT NULL,
  comment_id INTEGER NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  made_at TEXT NOT NULL,
  PRIMARY KEY (user_address, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX comment_keys_by_time ON comment_keys (made_at);
CREATE INDEX comment_keys_by_comment ON comment_keys (comment_id);

-- The last id that was given here to a comment and to a reaction: deleted ones keep theirs.
CREATE TABLE local_ids (
  kind TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Comments that were removed here. Those with replies are still shown, without text and author.
CREATE TABLE comment_removals (
  comment_id INTEGER PRIMARY KEY REFERENCES comments (id) ON DELETE CASCADE,
  -- The author, also if the operator removed it.
  user_address TEXT NOT NULL COLLATE NOCASE,
  removed_at TEXT NOT NULL
) STRICT;

-- Local values of fields (JSON), which replace those of the source, also in later imports.
CREATE TABLE local_edits (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  field TEXT NOT NULL,
  -- JSON.
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE catalog_actions (
  id INTEGER PRIMARY KEY,
  time TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Who asked for it, and why.
  by TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- JSON: what was changed, and how.
  details TEXT NOT NULL
) STRICT;
CREATE INDEX catalog_actions_by_kind ON catalog_actions (kind, id);

CREATE TABLE teams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE,
  league TEXT NOT NULL COLLATE NOCASE,
  abbreviation TEXT NOT NULL COLLATE NOCASE,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX teams_by_name ON teams (name);
CREATE INDEX teams_by_league ON teams (league);
CREATE INDEX teams_by_abbreviation ON teams (abbreviation);

CREATE TABLE sports (
  id INTEGER PRIMARY KEY,
  sport TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL
) STRICT;

CREATE TABLE market_types (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE sync_marks (
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  mark TEXT NOT NULL,
  PRIMARY KEY (source, kind)
) STRICT, WITHOUT ROWID;

-- The records that a sync keeps up to date: their source, and a digest of the last version read.
CREATE TABLE synced_records (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  source TEXT NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- Markets from an import or a sync that do not trade here. A market leaves this table when the
-- operator or a setting opens it for trading.
CREATE TABLE imported_markets (
  market_id INTEGER PRIMARY KEY REFERENCES markets (id) ON DELETE CASCADE
) STRICT;

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

-- In a cluster: which history this catalog belongs to, how far it is, and the last records that it
-- applied, for nodes that were away. Two catalogs with the same lineage and number have the same
-- content. Outside of a cluster both tables are empty.

CREATE TABLE content_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  lineage TEXT NOT NULL,
  -- The last record that was applied.
  number INTEGER NOT NULL
) STRICT;

CREATE TABLE content_records (
  number INTEGER PRIMARY KEY,
  record BLOB NOT NULL,
  -- The bytes of all records up to this one.
  through_bytes INTEGER NOT NULL
) STRICT;
