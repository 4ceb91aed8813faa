// The tables of catalog.db and how they came about. `PRAGMA user_version` counts the migrations
// a file has; each runs once, in order, in one transaction with its count. A migration that was
// released is never changed: what comes later is a further one.

import type { Database } from 'better-sqlite3';
import { indexEverything, indexSharpS } from '../search/index.ts';
import { CHANGES_BY_NUMBER } from './changes.ts';
import { PEOPLE_FIGURES_SEARCH } from './people.ts';
import { SYNCED_AND_IMPORTED } from './sync.ts';
import { WORDS_OF_PEOPLE } from './words.ts';

const FIRST_TABLES = `
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
`;

/** Markets that may be traded: the condition of an index, so it names no table. */
export const TRADABLE =
  'active AND enable_order_book AND accepting_orders AND NOT closed AND NOT archived';

// Ids and nothing else, so that a page far into the lists is found without reading the markets
// before it: at 100,000 markets in half a millisecond, not in twenty.
const INDEXES_OF_LISTS = `
CREATE INDEX markets_in_order ON markets (id);
CREATE INDEX markets_tradable ON markets (id)
  WHERE active AND enable_order_book AND accepting_orders AND NOT closed AND NOT archived;
`;

// What imports do not know and must not undo: which markets have ended, and what the operator made.
const ENDS_AND_PLANS = `
CREATE TABLE ended_markets (
  condition_id TEXT PRIMARY KEY,
  ended_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Three texts of JSON.
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
`;

type Migration = (database: Database) => void;

function running(sql: string): Migration {
  return (database) => {
    database.exec(sql);
  };
}

const MIGRATIONS: readonly Migration[] = [
  running(FIRST_TABLES),
  running(INDEXES_OF_LISTS),
  running(ENDS_AND_PLANS),
  (database) => {
    database.exec(PEOPLE_FIGURES_SEARCH);
    indexEverything(database);
  },
  running(SYNCED_AND_IMPORTED),
  running(WORDS_OF_PEOPLE),
  running(CHANGES_BY_NUMBER),
  indexSharpS,
];

/** Of a file that this program has opened. */
export const CATALOG_VERSION = MIGRATIONS.length;

/**
 * Brings the file to this program's tables; does nothing if it has them.
 * Throws if a newer program wrote the file. `upTo`: as an earlier program did it, for tests.
 */
export function migrateCatalog(database: Database, upTo = MIGRATIONS.length): void {
  const migrateAll = database.transaction(() => {
    const version = Number(database.pragma('user_version', { simple: true }));
    if (version > MIGRATIONS.length) {
      throw new Error(
        `${database.name} has catalog version ${version}, but this program knows versions up to ` +
          `${MIGRATIONS.length}: start it with the program that wrote it, or a newer one`,
      );
    }
    for (const migrate of MIGRATIONS.slice(version, upTo)) migrate(database);
    database.pragma(`user_version = ${upTo}`);
  });
  // Immediate: two processes that open a new file at once must not both find it empty.
  migrateAll.immediate();
}
