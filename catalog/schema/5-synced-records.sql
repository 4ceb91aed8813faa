-- Records that a sync or an import brought.

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
