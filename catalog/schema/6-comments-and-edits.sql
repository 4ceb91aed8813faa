-- What people and the operator do to the content of the catalog.

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

-- Comments that were removed here. Those with replies are still shown, without text and author.
CREATE TABLE comment_removals (
  comment_id INTEGER PRIMARY KEY REFERENCES comments (id) ON DELETE CASCADE,
  -- The author, also if the operator removed it.
  user_address TEXT NOT NULL COLLATE NOCASE,
  removed_at TEXT NOT NULL
) STRICT;

ALTER TABLE comment_reports ADD COLUMN reason TEXT NOT NULL DEFAULT '';
CREATE INDEX comments_reported ON comments (report_count, id) WHERE report_count > 0;
CREATE INDEX reactions_by_user ON reactions (comment_id, user_address);

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
