/** Faults of a journal's order ids, in their index and in `new_order_ids`. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { OrderIdRow } from '../../../persistence/journal/packed-order-ids.ts';
import { packOrderIds } from '../journal/packed-rows.ts';
import { inJournal, type Plant } from './plants.ts';
import type { Case } from './verify-faults.ts';

/** Moves or copies ids from the index to `new_order_ids`, one row each, as a crash leaves them. */
export function withNewIds(
  change: (rows: OrderIdRow[]) => OrderIdRow[],
  leavesIndexed = false,
): Plant {
  return (folder) => {
    const database = new SqliteDatabase(join(folder, 'journal.db'));
    const select = database.prepare<[], OrderIdRow>('SELECT * FROM order_ids ORDER BY seq').raw();
    const rows = select.all();
    if (!leavesIndexed) database.exec('DELETE FROM order_ids');
    const insert = database.prepare('INSERT INTO new_order_ids VALUES (?, ?)');
    for (const row of change(rows)) insert.run(row[1], packOrderIds([row]));
    database.close();
  };
}

/** Changes the first row. */
function changed(change: (row: OrderIdRow) => OrderIdRow) {
  return ([first, ...rest]: OrderIdRow[]): OrderIdRow[] =>
    first === undefined ? [] : [change(first), ...rest];
}

const IDS = 'order_ids';

export const ORDER_ID_FAULTS: readonly Case[] = [
  [
    'a missing order id',
    inJournal('DELETE FROM order_ids WHERE seq = 9'),
    IDS,
    /accepted by command 9, is missing from the index/,
  ],
  [
    'an order id that no command placed',
    inJournal("INSERT INTO order_ids VALUES (x'00', 9, 'GTC', 0, 0)"),
    IDS,
    /order id 0x00 is recorded as accepted by command 9, which placed no such order/,
  ],
  [
    'an order id with a seq after the end',
    inJournal("INSERT INTO order_ids VALUES (x'00', 999, 'GTC', 0, 0)"),
    IDS,
    /ends at seq \d+ but has an order id of seq 999/,
  ],
  [
    'an order id with another seq',
    inJournal('UPDATE order_ids SET seq = 2 WHERE seq = 9'),
    IDS,
    /has seq 2 in the index of order ids, and by the journal it is 9/,
  ],
  [
    'an order id with another type',
    inJournal("UPDATE order_ids SET type = 'FAK' WHERE seq = 9"),
    IDS,
    /has type FAK in .*, and by the journal it is GTC/,
  ],
  [
    'an order id with another post_only flag',
    inJournal('UPDATE order_ids SET post_only = 1 WHERE seq = 9'),
    IDS,
    /has post_only 1 .* it is 0/,
  ],
  [
    'an order id with another expiration',
    inJournal('UPDATE order_ids SET expires_ms = 7 WHERE seq = 9'),
    IDS,
    /has expires_ms 7 .* it is 0/,
  ],
  [
    'a missing new order id',
    withNewIds((rows) => rows.slice(1)),
    IDS,
    /accepted by command \d+, is missing from the index/,
  ],
  [
    'a new order id that no command placed',
    withNewIds((rows) => [...rows, [Buffer.alloc(32, 7), 1, 'GTC', 0, 0]]),
    IDS,
    /order id 0x(07){32} is recorded as accepted by command 1, which placed no such order/,
  ],
  [
    'a new order id with a seq after the end',
    withNewIds((rows) => [...rows, [Buffer.alloc(32, 7), 999, 'GTC', 0, 0]]),
    IDS,
    /ends at seq \d+ but has an order id of seq 999/,
  ],
  [
    'a new order id with another seq',
    withNewIds(changed(([id, , ...rest]) => [id, 2, ...rest])),
    IDS,
    /has seq 2 in the new order ids, and by the journal it is \d+/,
  ],
  [
    'a new order id with another type, although the index has the right one',
    withNewIds(
      changed(([id, seq, , ...rest]) => [id, seq, 'FOK', ...rest]),
      true,
    ),
    IDS,
    /has type FOK in the new order ids, and by the journal it is GTC/,
  ],
  [
    'malformed new order ids',
    inJournal("INSERT INTO new_order_ids VALUES (1, x'00')"),
    IDS,
    /the order of command 1 is in a row of 1 bytes/,
  ],
];
