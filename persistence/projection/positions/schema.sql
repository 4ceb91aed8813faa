-- The tables of positions, a part of analytics.db. All numbers are whole: lots (0.01 token), ticks
-- (1/10,000), micros (1/1,000,000) and milliseconds. formulas.md says what each amount means, with
-- examples. Sums that only ever grow may exceed 64 bits: they are TEXT, made by wideText
-- (persistence/shared/wide-sum.ts), which sorts like the number: 1,500 is '041500'.
--
-- `positions` has one row for each account, market and outcome of which the account ever had
-- tokens. Its amounts are sums since it was first opened.
-- - Always `realized = received - paid + cost - fee`.
-- - `closed_ms` is 0 while the position is open.
-- - A position is closed when `lots` comes to 0, or when the market is resolved and this outcome
--   pays nothing. Then `lots` stay until they are redeemed, and `cost_micros` is written off.
-- - A closed position opens again when tokens are bought, unless the market is resolved.
-- - `trade_count` counts its trades, as `trade_parties` does.
-- - `buy_fee_micros` is the part of `fee_micros` for tokens that were bought. `opened_ms` is when
--   the account first got tokens of it.
--
-- `activities` has what moved tokens or cash without a trade, in order of events: SPLIT and MERGE of
-- complete sets (outcome NULL; lots of each outcome), REDEEM (a row for each outcome that had
-- tokens; micros are what they paid), CONVERSION (outcome 1 given, with its share of the cash;
-- outcome 0 received, with 0 micros), DEPOSIT, also of the paper money of a new account, and
-- WITHDRAWAL (market 0, outcome NULL, 0 lots). `lots` and `micros` are never negative.
--
-- `market_states` has one row for each market from its creation on.
-- - `last_ticks` is the price of the last trade in YES (0 for none), `midpoint` that of its book in
--   half ticks (0 while a side is empty). `yes_lots` and `no_lots` are all tokens in existence.
-- - `event_key` is the key of the first market of its neg-risk event, NULL outside one.
--   `event_size` is the number of that event's markets, 1 outside one.
-- - Until the resolution, the collateral locked for a market is `10,000 x (no_lots + (yes_lots -
--   no_lots) / event_size)` micros; over an event's markets the sum is whole. Afterwards it is
--   `yes_lots x payout + no_lots x (10,000 - payout)`.
--
-- `account_totals` has one row for each account that traded or realized anything: sums of all time,
-- and of the last UTC day, week (from Monday) and month in which either happened, numbered by
-- periods.ts. A new period overwrites the one before, so the table does not grow with time.
-- - `volume` adds size x price of each of the account's trades, as taker or maker. `realized` adds
--   the changes of `realized_micros` of its positions.
-- - `market_count` is the number of markets in which the account traded.
--
-- `market_days` has one row for each market, UTC day and account that traded or realized anything
-- in it on that day, with `volume`, `realized` and `trade_count` as above. `volume_lots` adds the
-- size of each of these trades.

CREATE TABLE positions (
  account_key INTEGER NOT NULL,
  market_key INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  bought_lots TEXT NOT NULL,
  paid_micros TEXT NOT NULL,
  received_micros TEXT NOT NULL,
  fee_micros TEXT NOT NULL,
  realized_micros TEXT NOT NULL,
  changed_ms INTEGER NOT NULL,
  closed_ms INTEGER NOT NULL,
  trade_count INTEGER NOT NULL,
  buy_fee_micros TEXT NOT NULL DEFAULT '010',
  opened_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_key, market_key, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX positions_by_market ON positions (market_key, outcome, lots DESC, account_key);
CREATE INDEX open_positions
  ON positions (account_key, lots, market_key, outcome) WHERE closed_ms = 0;
CREATE INDEX closed_positions_by_realized
  ON positions (account_key, realized_micros, market_key, outcome, closed_ms) WHERE closed_ms > 0;
CREATE INDEX closed_positions_by_time
  ON positions (account_key, closed_ms, market_key, outcome) WHERE closed_ms > 0;
CREATE INDEX closed_positions_by_average
  ON positions
    (account_key, CAST(substr(paid_micros, 3) AS REAL) / CAST(substr(bought_lots, 3) AS REAL),
      market_key, outcome, closed_ms)
  WHERE closed_ms > 0;

CREATE TABLE activities (
  activity_key INTEGER PRIMARY KEY,
  account_key INTEGER NOT NULL,
  market_key INTEGER NOT NULL,
  outcome INTEGER,
  kind TEXT NOT NULL,
  lots INTEGER NOT NULL,
  micros INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  seq INTEGER NOT NULL
) STRICT;
CREATE INDEX activities_by_account ON activities (account_key, activity_key);
CREATE INDEX activities_by_account_market
  ON activities (account_key, market_key, activity_key);

CREATE TABLE market_states (
  market_key INTEGER PRIMARY KEY,
  last_ticks INTEGER NOT NULL,
  midpoint INTEGER NOT NULL,
  yes_lots INTEGER NOT NULL,
  no_lots INTEGER NOT NULL,
  payout_ticks INTEGER,
  resolved_ms INTEGER,
  event_key INTEGER,
  event_size INTEGER NOT NULL
) STRICT;
CREATE INDEX markets_by_resolution
  ON market_states (resolved_ms) WHERE resolved_ms IS NOT NULL;

CREATE TABLE account_totals (
  account_key INTEGER PRIMARY KEY,
  trade_count INTEGER NOT NULL,
  market_count INTEGER NOT NULL,
  volume_micros TEXT NOT NULL,
  realized_micros TEXT NOT NULL,
  fee_micros TEXT NOT NULL,
  day INTEGER NOT NULL,
  day_volume_micros TEXT NOT NULL,
  day_realized_micros TEXT NOT NULL,
  week INTEGER NOT NULL,
  week_volume_micros TEXT NOT NULL,
  week_realized_micros TEXT NOT NULL,
  month INTEGER NOT NULL,
  month_volume_micros TEXT NOT NULL,
  month_realized_micros TEXT NOT NULL
) STRICT;
CREATE TABLE market_days (
  market_key INTEGER NOT NULL,
  day INTEGER NOT NULL,
  account_key INTEGER NOT NULL,
  volume_micros TEXT NOT NULL,
  realized_micros TEXT NOT NULL,
  volume_lots TEXT NOT NULL DEFAULT '010',
  trade_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (market_key, day, account_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX market_days_by_account ON market_days (account_key, day, market_key);
CREATE INDEX market_days_by_day ON market_days (day);

CREATE INDEX totals_by_volume ON account_totals (volume_micros DESC, account_key);
CREATE INDEX totals_by_realized ON account_totals (realized_micros DESC, account_key);
CREATE INDEX days_by_volume ON account_totals (day, day_volume_micros DESC, account_key);
CREATE INDEX days_by_realized ON account_totals (day, day_realized_micros DESC, account_key);
CREATE INDEX weeks_by_volume ON account_totals (week, week_volume_micros DESC, account_key);
CREATE INDEX weeks_by_realized ON account_totals (week, week_realized_micros DESC, account_key);
CREATE INDEX months_by_volume ON account_totals (month, month_volume_micros DESC, account_key);
CREATE INDEX months_by_realized ON account_totals (month, month_realized_micros DESC, account_key);
