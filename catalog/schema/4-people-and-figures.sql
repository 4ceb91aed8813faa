-- People (creators, profiles, comments), sports (teams, kinds), figures that change as markets
-- trade, and an index for each filter and each order of the lists.
--
-- `state` holds the three flags of a market or event as one number. The index of each order begins
-- with it, so a list with any flags merges at most eight ranges, each of which is in order.
-- Figures stand in narrow tables, so that trading does not rewrite texts. Triggers keep `state` and
-- the counts up to date, so no writer can forget them.

ALTER TABLE markets ADD COLUMN state INTEGER GENERATED ALWAYS AS (active + 2 * closed + 4 *
  archived) VIRTUAL;
CREATE INDEX markets_by_state ON markets (state);
CREATE INDEX markets_by_creator ON markets (creator COLLATE NOCASE);
CREATE INDEX markets_by_question ON markets (state, question);
CREATE INDEX markets_by_slug ON markets (state, slug);
CREATE INDEX markets_by_start_date ON markets (state, start_date);
CREATE INDEX markets_by_end_date ON markets (state, end_date);
CREATE INDEX markets_by_created_at ON markets (state, created_at);
CREATE INDEX markets_by_updated_at ON markets (state, updated_at);

ALTER TABLE events ADD COLUMN state INTEGER GENERATED ALWAYS AS (active + 2 * closed + 4 *
  archived) VIRTUAL;
CREATE INDEX events_by_state ON events (state);
CREATE INDEX events_by_creator ON events (creator COLLATE NOCASE);
CREATE INDEX events_by_title ON events (state, title);
CREATE INDEX events_by_slug ON events (state, slug);
CREATE INDEX events_by_ticker ON events (state, ticker);
CREATE INDEX events_by_start_date ON events (state, start_date);
CREATE INDEX events_by_creation_date ON events (state, creation_date);
CREATE INDEX events_by_end_date ON events (state, end_date);
CREATE INDEX events_by_created_at ON events (state, created_at);
CREATE INDEX events_by_updated_at ON events (state, updated_at);

ALTER TABLE markets ADD COLUMN told TEXT NOT NULL DEFAULT '{}';
ALTER TABLE markets ADD COLUMN mirror_tokens TEXT NOT NULL DEFAULT '';
UPDATE markets SET
  told = 
(SELECT json_group_object(key, CASE type
    WHEN 'object' THEN json(value) WHEN 'array' THEN json(value)
    WHEN 'true' THEN json('true') WHEN 'false' THEN json('false') ELSE value END)
  FROM json_each(record) WHERE key IN ('outcomePrices', 'lastTradePrice', 'bestBid', 'bestAsk',
    'spread', 'oneHourPriceChange', 'oneDayPriceChange', 'oneWeekPriceChange',
      'oneMonthPriceChange', 'oneYearPriceChange')),
  mirror_tokens = CASE json_type(record, '$.mirrorClobTokenIds')
    WHEN 'text' THEN record ->> 'mirrorClobTokenIds'
    WHEN 'array' THEN record ->> 'mirrorClobTokenIds' ELSE '' END
WHERE record <> '{}';
CREATE INDEX markets_with_mirror ON markets (id) WHERE mirror_condition_id <> '';

CREATE TABLE market_figures (
  market_id INTEGER PRIMARY KEY REFERENCES markets (id) ON DELETE CASCADE,
  state INTEGER NOT NULL,
  volume REAL NOT NULL DEFAULT 0,
  volume_24hr REAL NOT NULL DEFAULT 0,
  liquidity REAL NOT NULL DEFAULT 0,
  -- 1 if the figures are of trading here: an import does not overwrite them.
  is_own INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO market_figures (market_id, state, volume, volume_24hr, liquidity)
SELECT id, state, max(max(0, coalesce(CAST(record ->> 'volume' AS REAL), 0)), max(0,
  coalesce(CAST(record ->> 'volumeNum' AS REAL), 0))), max(0,
    coalesce(CAST(record ->> 'volume24hr' AS REAL), 0)),
  max(max(0, coalesce(CAST(record ->> 'liquidity' AS REAL), 0)), max(0,
    coalesce(CAST(record ->> 'liquidityNum' AS REAL), 0))) FROM markets;
CREATE INDEX market_figures_by_volume ON market_figures (state, volume);
CREATE INDEX market_figures_by_volume_24hr ON market_figures (state, volume_24hr);
CREATE INDEX market_figures_by_liquidity ON market_figures (state, liquidity);
CREATE TRIGGER market_added AFTER INSERT ON markets BEGIN
  INSERT INTO market_figures (market_id, state) VALUES (new.id, new.state);
END;
CREATE TRIGGER market_state AFTER UPDATE OF active, closed, archived ON markets
WHEN old.state <> new.state BEGIN
  UPDATE market_figures SET state = new.state WHERE market_id = new.id;
END;

UPDATE markets SET
  record = json_remove(record, '$.outcomePrices', '$.lastTradePrice', '$.bestBid', '$.bestAsk',
    '$.spread', '$.oneHourPriceChange', '$.oneDayPriceChange', '$.oneWeekPriceChange',
      '$.oneMonthPriceChange', '$.oneYearPriceChange', '$.volume', '$.volumeNum', '$.volume24hr',
        '$.liquidity', '$.liquidityNum', '$.mirrorClobTokenIds', '$.events')
WHERE record <> '{}';

ALTER TABLE events ADD COLUMN featured INTEGER GENERATED ALWAYS AS
  (coalesce(record ->> 'featured', 0) = 1) VIRTUAL;
CREATE INDEX events_featured ON events (id) WHERE featured;

CREATE TABLE event_figures (
  event_id INTEGER PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  state INTEGER NOT NULL,
  volume REAL NOT NULL DEFAULT 0,
  volume_24hr REAL NOT NULL DEFAULT 0,
  liquidity REAL NOT NULL DEFAULT 0,
  competitive REAL NOT NULL DEFAULT 0,
  -- The count of the source, which may have more comments than were imported.
  told_comments INTEGER NOT NULL DEFAULT 0,
  own_comments INTEGER NOT NULL DEFAULT 0,
  comment_count INTEGER GENERATED ALWAYS AS (max(told_comments, own_comments)) VIRTUAL,
  -- 1 if the figures are sums over its markets, because one of them trades here.
  is_own INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO event_figures
  (event_id, state, volume, volume_24hr, liquidity, competitive, told_comments)
SELECT id, state, max(max(0, coalesce(CAST(record ->> 'volume' AS REAL), 0)), max(0,
  coalesce(CAST(record ->> 'volumeNum' AS REAL), 0))), max(0,
    coalesce(CAST(record ->> 'volume24hr' AS REAL), 0)),
  max(max(0, coalesce(CAST(record ->> 'liquidity' AS REAL), 0)), max(0,
    coalesce(CAST(record ->> 'liquidityNum' AS REAL), 0))), max(0,
      coalesce(CAST(record ->> 'competitive' AS REAL), 0)),
  CAST(max(0, coalesce(CAST(record ->> 'commentCount' AS REAL), 0)) AS INTEGER) FROM events;
CREATE INDEX event_figures_by_volume ON event_figures (state, volume);
CREATE INDEX event_figures_by_volume_24hr ON event_figures (state, volume_24hr);
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

UPDATE events SET record = json_remove(record, '$.volume', '$.volumeNum', '$.volume24hr',
  '$.liquidity', '$.liquidityNum', '$.competitive', '$.commentCount') WHERE record <> '{}';
UPDATE series SET record = json_remove(record, '$.events') WHERE record <> '{}';

ALTER TABLE tags ADD COLUMN event_count INTEGER NOT NULL DEFAULT 0;
UPDATE tags SET event_count = (SELECT count(*) FROM event_tags WHERE tag_id = tags.id);
CREATE TRIGGER event_tagged AFTER INSERT ON event_tags BEGIN
  UPDATE tags SET event_count = event_count + 1 WHERE id = new.tag_id;
END;
CREATE TRIGGER event_untagged AFTER DELETE ON event_tags BEGIN
  UPDATE tags SET event_count = event_count - 1 WHERE id = old.tag_id;
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
CREATE INDEX profiles_by_proxy ON profiles (proxy_wallet) WHERE proxy_wallet <> '';

-- A comment is on exactly one event, series or market. `parent` has its type and id as one number:
-- 4 x id + 0, 1 or 2.
CREATE TABLE comments (
  id INTEGER PRIMARY KEY,
  event_id INTEGER REFERENCES events (id) ON DELETE CASCADE,
  series_id INTEGER REFERENCES series (id) ON DELETE CASCADE,
  market_id INTEGER REFERENCES markets (id) ON DELETE CASCADE,
  parent INTEGER GENERATED ALWAYS AS
    (coalesce(4 * event_id, 4 * series_id + 1, 4 * market_id + 2)) VIRTUAL,
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
  CHECK ((event_id IS NULL) + (series_id IS NULL) + (market_id IS NULL) = 2)
) STRICT;
CREATE INDEX comments_by_event ON comments (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX comments_by_series ON comments (series_id) WHERE series_id IS NOT NULL;
CREATE INDEX comments_by_market ON comments (market_id) WHERE market_id IS NOT NULL;
CREATE INDEX comments_by_parent ON comments (parent, is_shown);
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

CREATE TABLE comment_reports (
  comment_id INTEGER NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  user_address TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL,
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
