-- Change numbers, by which readers know that a cached text is out of date. Every change to an event
-- or to a record that is shown with it gets the next number, which the event keeps as `version`.
-- `words` skips changes to figures only, because lists that sort by no figure stay valid while
-- markets trade. Triggers do this, so no writer can forget it.

CREATE TABLE catalog_changes (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The numbers of the last change, and of the last change to more than figures.
  last INTEGER NOT NULL,
  words INTEGER NOT NULL
) STRICT;
INSERT INTO catalog_changes (id, last, words) VALUES (1, 0, 0);

-- The triggers of events, of markets, and of what joins them to tags and series: `TOLD` in index.ts.

CREATE TRIGGER tags_told_update AFTER UPDATE OF slug, label, requires_translation, created_at,
  updated_at, record ON tags
WHEN (old.slug, old.label, old.requires_translation, old.created_at, old.updated_at,
  old.record) IS NOT (new.slug, new.label, new.requires_translation, new.created_at,
    new.updated_at, new.record) BEGIN
  UPDATE catalog_changes SET last = last + 1, words = last + 1;
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id IN (SELECT event_id FROM event_tags WHERE tag_id = new.id);
END;

CREATE TRIGGER series_told_update AFTER UPDATE OF slug, ticker, title, series_type, recurrence,
  image, icon, active, closed, archived, created_at, updated_at, record ON series
WHEN (old.slug, old.ticker, old.title, old.series_type, old.recurrence, old.image, old.icon,
  old.active, old.closed, old.archived, old.created_at, old.updated_at,
    old.record) IS NOT (new.slug, new.ticker, new.title, new.series_type, new.recurrence,
      new.image, new.icon, new.active, new.closed, new.archived, new.created_at, new.updated_at,
        new.record) BEGIN
  UPDATE catalog_changes SET last = last + 1, words = last + 1;
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id IN (SELECT event_id FROM event_series WHERE series_id = new.id);
END;

CREATE TRIGGER event_figures_added AFTER INSERT ON event_figures BEGIN
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id = new.event_id;
END;

CREATE TRIGGER event_figures_told AFTER UPDATE OF volume, volume_24hr, volume_1wk, volume_1mo,
  volume_1yr, liquidity, source_figures, competitive, told_comments, own_comments ON event_figures BEGIN
  UPDATE catalog_changes SET last = last + 1;
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id = new.event_id;
END;

CREATE TRIGGER market_figures_told AFTER UPDATE OF volume, volume_24hr, volume_1wk, volume_1mo,
  volume_1yr, liquidity, source_figures ON market_figures BEGIN
  UPDATE catalog_changes SET last = last + 1;
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id = (SELECT event_id FROM markets WHERE id = new.market_id);
END;
