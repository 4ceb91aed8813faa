-- Only archives have this table. Its one row is written last, so a file without it is incomplete.
CREATE TABLE archive (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  last_checksum INTEGER NOT NULL,
  commands_checksum INTEGER NOT NULL,
  fill_count INTEGER NOT NULL
) STRICT;
