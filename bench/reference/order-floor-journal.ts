/**
 * The journal thread of the floor for orders: one row for each order or cancel, its id and the body
 * of its request, in a file with the settings of our journal; all rows of a message are one
 * transaction.
 *
 * Invariant: a message is answered after its synced commit; one that fails ends the program.
 */
import { openJournal } from '../../persistence/journal/writer.ts';
import { runWorker } from '../../persistence/threads/run-worker.ts';
import type { ReferenceTerms } from './order-terms.ts';

/** The rows of a message: an id and a text each. */
export interface FloorRows {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

const TABLE = `
CREATE TABLE requests (
  seq INTEGER PRIMARY KEY,
  order_id TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
`;

runWorker<ReferenceTerms, undefined, FloorRows, { readonly kind: 'committed' }>(
  'journal',
  (terms, post) => {
    const database = openJournal(terms.path, false);
    database.exec(TABLE);
    const insert = database.prepare('INSERT INTO requests (order_id, body) VALUES (?, ?)');
    const write = database.transaction(({ ids, texts }: FloorRows) => {
      ids.forEach((id, index) => {
        insert.run(id, texts[index]);
      });
    }).immediate;
    return {
      opened: undefined,
      receive: (rows) => {
        write(rows);
        post({ kind: 'committed' });
      },
      close: () => database.close(),
    };
  },
);
