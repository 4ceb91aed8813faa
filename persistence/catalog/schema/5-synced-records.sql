-- Records that a sync or an import brought.

-- What a sync brought and keeps up to date: from which source, and the digest of what it was.
CREATE TABLE synced_records (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  source TEXT NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- Markets that came by import or sync and are not traded here: the operator's word or a setting
-- opens them, and they leave this table.
CREATE TABLE imported_markets (
  market_id INTEGER PRIMARY KEY REFERENCES markets (id) ON DELETE CASCADE
) STRICT;
