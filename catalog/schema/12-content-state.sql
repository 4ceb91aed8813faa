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
