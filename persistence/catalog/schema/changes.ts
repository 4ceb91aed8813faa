// A migration of catalog.db: what tells a reader that a text which it keeps is out of date. Every
// change of what an event is told with has a number, and the event keeps that of its last one; the
// changes that are not of figures alone are told apart, for lists that sort by no figure stay as
// they are while only trading goes on. Kept by triggers: no writer can forget them. And an index
// that has all that lists tell of tokens.

/** What stands in the text of a tag, and of a series; counts of events don't. */
const TAG_WORDS = ['slug', 'label', 'requires_translation', 'created_at', 'updated_at', 'record'];
const SERIES_WORDS = [
  ...['slug', 'ticker', 'title', 'series_type', 'recurrence', 'image', 'icon'],
  ...['active', 'closed', 'archived', 'created_at', 'updated_at', 'record'],
];

/** `events`: SQL, `= id` or `IN (ids)`, of those that are told otherwise from now on. */
function changed(of: 'words' | 'figures', events: string): string {
  return `
  UPDATE catalog_changes SET last = last + 1${of === 'words' ? ', words = last + 1' : ''};
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id ${events};`;
}

type Change = 'INSERT' | 'DELETE' | 'UPDATE';

/** After each change of a row: `event` gives the id of its event, as it was and as it is. */
function onRows(
  table: string,
  event: (row: 'old' | 'new') => string,
  changes: readonly Change[] = ['INSERT', 'DELETE', 'UPDATE'],
): string {
  const rows: Readonly<Record<Change, string>> = {
    INSERT: `= ${event('new')}`,
    DELETE: `= ${event('old')}`,
    UPDATE: `IN (${event('old')}, ${event('new')})`,
  };
  return changes
    .map(
      (change) => `
CREATE TRIGGER ${table}_told_${change.toLowerCase()} AFTER ${change} ON ${table} BEGIN
${changed('words', rows[change])}
END;`,
    )
    .join('\n');
}

/** After a change of a label's words: all events that have it. */
function onLabel(table: 'tags' | 'series', id: string, columns: readonly string[]): string {
  const values = (row: 'old' | 'new') => columns.map((column) => `${row}.${column}`).join(', ');
  return `
CREATE TRIGGER ${table}_told_update AFTER UPDATE OF ${columns.join(', ')} ON ${table}
WHEN (${values('old')}) IS NOT (${values('new')}) BEGIN
${changed('words', `IN (SELECT event_id FROM event_${table} WHERE ${id} = new.id)`)}
END;`;
}

function ofMarket(id: string): string {
  return `(SELECT event_id FROM markets WHERE id = ${id})`;
}

export const CHANGES_BY_NUMBER = `
CREATE TABLE catalog_changes (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The numbers of the last change, and of the last one that was not of figures alone.
  last INTEGER NOT NULL,
  words INTEGER NOT NULL
) STRICT;
INSERT INTO catalog_changes (id, last, words) VALUES (1, 0, 0);
-- The number of the last change of anything that the event is told with.
ALTER TABLE event_figures ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

CREATE INDEX market_tokens_told ON market_tokens (market_id, outcome_index, outcome);

${onRows('events', (row) => `${row}.id`)}
${onRows('markets', (row) => `${row}.event_id`)}
-- A market has both of its tokens from the transaction on that adds it, or replaces one.
${onRows('market_tokens', (row) => ofMarket(`${row}.market_id`), ['DELETE', 'UPDATE'])}
${onRows('event_tags', (row) => `${row}.event_id`)}
${onRows('event_series', (row) => `${row}.event_id`)}
${onLabel('tags', 'tag_id', TAG_WORDS)}
${onLabel('series', 'series_id', SERIES_WORDS)}

CREATE TRIGGER event_figures_added AFTER INSERT ON event_figures BEGIN
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id = new.event_id;
END;
CREATE TRIGGER event_figures_told AFTER UPDATE OF volume, volume_24hr, liquidity, competitive,
  told_comments, own_comments ON event_figures BEGIN
${changed('figures', '= new.event_id')}
END;
CREATE TRIGGER market_figures_told AFTER UPDATE OF volume, volume_24hr, liquidity
  ON market_figures BEGIN
${changed('figures', `= ${ofMarket('new.market_id')}`)}
END;
`;
