CREATE TABLE progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  notification_key INTEGER NOT NULL
) STRICT;
INSERT INTO progress VALUES (1, 0, 0, 0);

CREATE TABLE owners (
  owner_key INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE accounts (
  account_key INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  owner_key INTEGER NOT NULL,
  opened_seq INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_by_owner ON accounts (owner_key, account_key);

CREATE TABLE markets (
  market_key INTEGER PRIMARY KEY,
  condition_id TEXT NOT NULL UNIQUE,
  yes_token TEXT NOT NULL UNIQUE,
  no_token TEXT NOT NULL UNIQUE,
  created_seq INTEGER NOT NULL
) STRICT;

CREATE TABLE orders (
  order_key INTEGER PRIMARY KEY,
  order_id BLOB NOT NULL,
  account_key INTEGER NOT NULL,
  owner_key INTEGER NOT NULL,
  api_key TEXT NOT NULL,
  builder BLOB,
  market_key INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  side TEXT NOT NULL,
  type TEXT NOT NULL,
  post_only INTEGER NOT NULL,
  price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  budget_micros INTEGER NOT NULL,
  filled_lots INTEGER NOT NULL,
  filled_micros INTEGER NOT NULL,
  fee_micros INTEGER NOT NULL,
  status TEXT NOT NULL,
  close_reason TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  release_ms INTEGER NOT NULL,
  closed_seq INTEGER NOT NULL
) STRICT;
CREATE INDEX open_orders_by_owner
  ON orders (owner_key, order_key, market_key, outcome) WHERE close_reason = '';
CREATE INDEX open_orders_by_market ON orders (market_key, order_key) WHERE close_reason = '';

CREATE TABLE trades (
  trade_key INTEGER PRIMARY KEY,
  trade_id BLOB NOT NULL UNIQUE,
  transaction_hash BLOB NOT NULL,
  seq INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  market_key INTEGER NOT NULL,
  price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL
) STRICT;
CREATE INDEX trades_by_time ON trades (time_ms, trade_key);
CREATE INDEX trades_by_market ON trades (market_key, trade_key);

CREATE TABLE trade_parties (
  trade_key INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  order_key INTEGER NOT NULL,
  account_key INTEGER NOT NULL,
  market_key INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  side TEXT NOT NULL,
  price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  builder BLOB,
  fee_micros INTEGER NOT NULL,
  builder_fee_micros INTEGER NOT NULL,
  fee_bps INTEGER NOT NULL,
  PRIMARY KEY (trade_key, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX parties_by_order ON trade_parties (order_key, trade_key);
CREATE INDEX parties_by_account ON trade_parties (account_key, trade_key);
CREATE INDEX takers_by_account ON trade_parties (account_key, trade_key) WHERE ordinal = 0;
CREATE INDEX parties_by_account_market ON trade_parties (account_key, market_key, trade_key);
CREATE INDEX parties_by_builder ON trade_parties (builder, trade_key) WHERE builder IS NOT NULL;
CREATE INDEX parties_by_builder_market
  ON trade_parties (builder, market_key, trade_key) WHERE builder IS NOT NULL;
CREATE INDEX built_parties_by_account
  ON trade_parties (account_key, trade_key) WHERE builder IS NOT NULL;
CREATE INDEX built_parties_by_account_market
  ON trade_parties (account_key, market_key, trade_key) WHERE builder IS NOT NULL;

CREATE TABLE trade_peaks (
  span INTEGER NOT NULL,
  block INTEGER NOT NULL,
  most_lots INTEGER NOT NULL,
  most_micros INTEGER NOT NULL,
  PRIMARY KEY (span, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE notifications (
  owner_key INTEGER NOT NULL,
  notification_key INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  order_key INTEGER,
  filled_lots INTEGER,
  trade_key INTEGER,
  ordinal INTEGER,
  market_key INTEGER,
  payout_ticks INTEGER,
  yes_lots INTEGER,
  no_lots INTEGER,
  PRIMARY KEY (owner_key, notification_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE actions (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  approver TEXT NOT NULL,
  approval_reason TEXT NOT NULL,
  command TEXT NOT NULL
) STRICT;
CREATE INDEX actions_by_kind ON actions (kind, seq);
CREATE INDEX actions_by_actor ON actions (actor, seq);
CREATE INDEX actions_by_actor_and_kind ON actions (actor, kind, seq);

CREATE TABLE effects (
  seq INTEGER PRIMARY KEY,
  events TEXT NOT NULL
) STRICT;

CREATE TABLE holding_points (
  account_key INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (account_key, asset, minute)
) STRICT, WITHOUT ROWID;

CREATE TABLE builder_accounts (
  builder BLOB NOT NULL,
  from_seq INTEGER NOT NULL,
  account_key INTEGER NOT NULL,
  PRIMARY KEY (builder, from_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE builder_periods (
  period TEXT NOT NULL,
  number INTEGER NOT NULL,
  builder BLOB NOT NULL,
  volume_micros TEXT NOT NULL,
  user_count INTEGER NOT NULL,
  volume_lots TEXT NOT NULL DEFAULT '010',
  PRIMARY KEY (period, number, builder)
) STRICT, WITHOUT ROWID;
CREATE INDEX builders_by_volume ON builder_periods (period, number, volume_micros DESC, builder);

CREATE TABLE builder_users (
  builder BLOB NOT NULL,
  account_key INTEGER NOT NULL,
  day INTEGER NOT NULL,
  week INTEGER NOT NULL,
  month INTEGER NOT NULL,
  PRIMARY KEY (builder, account_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE price_points (
  market_key INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  half_ticks INTEGER NOT NULL,
  PRIMARY KEY (market_key, minute)
) STRICT, WITHOUT ROWID;

CREATE TABLE market_volumes (
  market_key INTEGER PRIMARY KEY,
  micros TEXT NOT NULL,
  lots TEXT NOT NULL DEFAULT '010'
) STRICT;

CREATE TABLE market_hours (
  market_key INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  micros_before TEXT NOT NULL,
  PRIMARY KEY (market_key, hour)
) STRICT, WITHOUT ROWID;
