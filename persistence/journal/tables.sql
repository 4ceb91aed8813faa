-- The tables of journal.db, version 1. An archive has the first four of them: its one row of
-- `archives` describes itself, and it is written last, so that a file without it is incomplete.

-- A payload is JSON text, or packed bytes (persistence/rows).
CREATE TABLE commands (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payload ANY NOT NULL,
  checksum INTEGER NOT NULL,
  ends_batch INTEGER NOT NULL,
  -- That of the engine after the last command of a batch (Engine.digest). NULL within a batch, and
  -- where a restore cut one.
  digest INTEGER
) STRICT;

-- Mirrors the engine's Fill event.
CREATE TABLE fills (
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  match TEXT NOT NULL,
  condition_id BLOB NOT NULL,
  taker_order_id BLOB NOT NULL,
  maker_order_id BLOB NOT NULL,
  taker_account BLOB NOT NULL,
  maker_account BLOB NOT NULL,
  taker_outcome INTEGER NOT NULL,
  taker_side TEXT NOT NULL,
  maker_outcome INTEGER NOT NULL,
  maker_side TEXT NOT NULL,
  taker_price_ticks INTEGER NOT NULL,
  maker_price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  taker_fee_micros INTEGER NOT NULL,
  maker_fee_micros INTEGER NOT NULL,
  taker_builder_micros INTEGER NOT NULL,
  maker_builder_micros INTEGER NOT NULL,
  taker_fee_bps INTEGER NOT NULL,
  maker_fee_bps INTEGER NOT NULL,
  PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE rules (
  from_seq INTEGER PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT;

-- A row for each archive, to which compaction moved commands.
CREATE TABLE archives (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  last_checksum INTEGER NOT NULL,
  commands_checksum INTEGER NOT NULL,
  fill_count INTEGER NOT NULL
) STRICT;

-- This table and the next one together have the id of every order ever accepted, so that a retry is
-- recognised however late it comes. Some ids are in both for a while.
CREATE TABLE order_ids (
  order_id BLOB PRIMARY KEY,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  post_only INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A row for each batch with orders: the seq of the first one, and the ids as `packOrderIds` packs
-- them.
CREATE TABLE new_order_ids (
  first_seq INTEGER PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT;

-- The idempotency keys that left the engine's memory: the key with its owner, the seq of the
-- command that made it leave, and what the key stands for as JSON (IdempotencyKeyState).
CREATE TABLE money_keys (
  name TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- In a cluster: the content records that came with the last commands, until the catalog has them.
CREATE TABLE content_records (
  number INTEGER PRIMARY KEY,
  lineage TEXT NOT NULL,
  record BLOB NOT NULL
) STRICT;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
