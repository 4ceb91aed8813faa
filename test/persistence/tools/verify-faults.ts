/** Faults to plant into a data folder, and the finding of verify for each. */
import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { SnapshotPart } from '../../../engine/index.ts';
import { openSnapshot, writeSnapshotFile } from '../../../persistence/snapshots/file.ts';
import { listSnapshots } from '../../../persistence/snapshots/folder.ts';
import { conditionOf } from '../kept-folder.ts';
import {
  flipByte,
  forgeCommand,
  forgeOrder,
  inAnalytics,
  inCatalog,
  inJournal,
  type Plant,
  planting,
} from './plants.ts';

export type Case = readonly [name: string, plant: Plant, kind: string, sentence: RegExp];

const JOURNAL_CASES: readonly Case[] = [
  [
    'a checksum',
    inJournal('UPDATE commands SET checksum = checksum + 1 WHERE seq = 9'),
    'journal',
    /^the journal's command 9 does not match its checksum/,
  ],
  [
    'a missing command',
    inJournal('DELETE FROM commands WHERE seq = 9'),
    'journal',
    /command 9 is missing/,
  ],
  [
    'a changed time',
    inJournal('UPDATE commands SET time_ms = time_ms + 1 WHERE seq = 9'),
    'journal',
    /command 9 does not match its checksum/,
  ],
  [
    'a command of an unknown kind',
    forgeCommand(14, '"kind":"deposit"', '"kind":"no_such_thing"'),
    'journal',
    /^command 14: a payload is of the kind of its row/,
  ],
  [
    'an order that lacks a value',
    forgeOrder(9, (packed) => packed.subarray(0, -1)),
    'journal',
    /^command 9: a payload is complete/,
  ],
  [
    'an order forged with its checksum',
    forgeOrder(8, (packed) => {
      const lotsAt = 38; // after flags, id, account, owner, token and a price of two bytes
      assert.equal(packed[lotsAt], 10 + 1);
      return Buffer.from(packed).fill(9 + 1, lotsAt, lotsAt + 1);
    }),
    'journal',
    /command \d+ does not replay as it ran: the balances after it are other ones/,
  ],
  [
    'rules that begin too late',
    inJournal('UPDATE rules SET from_seq = 3'),
    'journal',
    /rules \d+ from seq 3 on, after rules 0: the first must begin at seq 1/,
  ],
  [
    'rules of a newer version',
    inJournal('UPDATE rules SET version = 99'),
    'journal',
    /rules version 99 and this program knows/,
  ],
  [
    'rules with a falling version',
    inJournal('INSERT INTO rules VALUES (5, 0)'),
    'journal',
    /rules 0 from seq 5 on, after rules \d+/,
  ],
  [
    'a changed fill',
    inJournal('UPDATE fills SET lots = lots + 1 WHERE seq = 12'),
    'fills',
    /command 12: fill 0 has lots 11 stored and 10 replayed/,
  ],
  [
    'a missing fill',
    inJournal('DELETE FROM fills WHERE seq = 12'),
    'fills',
    /command 12: fill 0 was replayed and is not stored/,
  ],
  [
    'a fill with a seq after the end',
    inJournal('UPDATE fills SET seq = 999 WHERE seq = 9'),
    'fills',
    /command 9: fill 0 was replayed and is not stored/,
  ],
  [
    'a command with a negative seq',
    inJournal("INSERT INTO commands VALUES (-7, 1, 'deposit', '{}', 0, 1, 0)"),
    'journal',
    /has a command of seq -7, which no exchange writes/,
  ],
  [
    'a fill with seq 0',
    inJournal('UPDATE fills SET seq = 0 WHERE seq = (SELECT min(seq) FROM fills)'),
    'journal',
    /has a fill of seq 0, which no exchange writes/,
  ],
  [
    'a trigger',
    planting('CREATE TRIGGER t AFTER INSERT ON commands BEGIN DELETE FROM order_ids; END'),
    'journal',
    /has the trigger t, which no exchange writes/,
  ],
];

/** For each table of analytics.db, a column outside its key. */
const ANALYTICS_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['progress', 'notification_key'],
  ['owners', 'address'],
  ['accounts', 'owner_key'],
  ['markets', 'yes_token'],
  ['orders', 'filled_micros'],
  ['trades', 'price_ticks'],
  ['trade_parties', 'fee_micros'],
  ['trade_peaks', 'most_lots'],
  ['notifications', 'filled_lots'],
  ['actions', 'reason'],
  ['price_points', 'half_ticks'],
  ['market_volumes', 'micros'],
  ['market_hours', 'micros_before'],
  ['positions', 'cost_micros'],
  ['activities', 'lots'],
  ['market_states', 'yes_lots'],
  ['account_totals', 'week_volume_micros'],
];

function changeRow(table: string, column: string): Plant {
  return inAnalytics(
    `UPDATE ${table} SET ${column} = CASE WHEN typeof(${column}) = 'text' THEN ${column} || '9' ` +
      `ELSE coalesce(${column}, 0) + 1 END WHERE (${column} IS NOT NULL) ` +
      `AND ${column} = (SELECT max(${column}) FROM ${table})`,
  );
}

const ANALYTICS_CASES: readonly Case[] = [
  ...ANALYTICS_COLUMNS.flatMap(([table, column]): Case[] => [
    [
      `a changed ${column} of ${table}`,
      changeRow(table, column),
      'projection',
      new RegExp(
        `analytics.db at seq \\d+: ${table} row .* has ${column} .*, and by the journal it is `,
      ),
    ],
    ...(table === 'progress'
      ? []
      : [
          [
            `a row of ${table} that is gone`,
            inAnalytics(`DELETE FROM ${table}`),
            'projection',
            new RegExp(`${table} row .* is missing`),
          ] as const,
        ]),
  ]),
  [
    'an extra row',
    inAnalytics("INSERT INTO market_volumes VALUES (99, '011', '011')"),
    'projection',
    /market_volumes row market_key 99 should not be there/,
  ],
  [
    'a cursor beyond the journal',
    inAnalytics('UPDATE progress SET seq = 999'),
    'projection',
    /went to seq 999, and this one ends at \d+/,
  ],
  [
    'a cursor of another journal',
    inAnalytics('UPDATE progress SET checksum = checksum + 1'),
    'projection',
    /made from another journal: command \d+ has checksum/,
  ],
  [
    'a missing index',
    (folder) => {
      const database = new SqliteDatabase(join(folder, 'analytics.db'));
      database.exec('DROP INDEX trades_by_time');
      database.close();
    },
    'projection',
    /in analytics.db the index trades_by_time is missing/,
  ],
];

/** The one snapshot of the folder. */
function snapshotOf(folder: string): string {
  return listSnapshots(join(folder, 'snapshots'))[0]?.path ?? 'none';
}

/** Rewrites the whole file with another head or other parts. */
function rewriteSnapshot(changes: {
  readonly head?: object;
  readonly parts?: (parts: readonly SnapshotPart[]) => readonly SnapshotPart[];
}): Plant {
  return (folder) => {
    const path = snapshotOf(folder);
    const { head, parts, close } = openSnapshot(path);
    const change = changes.parts ?? ((same) => same);
    const kept: SnapshotPart[] = [];
    for (const { name, bytes } of parts()) kept.push({ name, bytes: Buffer.from(bytes) });
    writeSnapshotFile(path, { ...head, ...changes.head }, change(kept));
    close();
  };
}

/** Changes one byte in the middle of the first part. */
function flipIn([first, ...others]: readonly SnapshotPart[]): readonly SnapshotPart[] {
  if (first === undefined) throw new Error('a snapshot has parts');
  const bytes = Buffer.from(first.bytes);
  const place = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  return [{ name: first.name, bytes }, ...others];
}

/** A place within the content of a part, in a snapshot of this length. */
function fourFifths(length: number): number {
  return Math.floor(length * 0.8);
}

const SNAPSHOT_CASES: readonly Case[] = [
  [
    'a changed byte of a snapshot',
    (folder) => flipByte(snapshotOf(folder).slice(folder.length), fourFifths)(folder),
    'snapshots',
    /snapshot .*\.snapshot is damaged at byte \d+, because a part does not match its checksum/,
  ],
  [
    'a snapshot that was cut short',
    (folder) => truncateSync(snapshotOf(folder), 400),
    'snapshots',
    /is damaged at byte \d+, because it ends too early/,
  ],
  [
    'a snapshot of another state',
    rewriteSnapshot({ parts: flipIn }),
    'snapshots',
    /differs from the replayed state: part 1 \(.*\) differs from byte \d+ on/,
  ],
  [
    'a snapshot that lacks a part',
    rewriteSnapshot({ parts: (parts) => parts.slice(0, -1) }),
    'snapshots',
    /lacks the part facts\.\S* of the replayed state/,
  ],
  [
    'a snapshot with an extra part',
    rewriteSnapshot({ parts: (parts) => [...parts, ...parts.slice(-1)] }),
    'snapshots',
    /part \d+ \(facts\..*\) should not be there/,
  ],
  [
    'a snapshot of another journal',
    rewriteSnapshot({ head: { commandChecksum: 1 } }),
    'snapshots',
    /says that its command checksum is 1, and the journal has \d+/,
  ],
  [
    'a snapshot of another seq',
    rewriteSnapshot({ head: { seq: 3 } }),
    'snapshots',
    /says that its seq is 3, and the journal has 21/,
  ],
  [
    'a snapshot ahead of the journal',
    (folder) =>
      renameSync(snapshotOf(folder), join(folder, 'snapshots', '000000000000999.snapshot')),
    'snapshots',
    /shows that seq 999 was durable, and the journal ends at 21/,
  ],
];

const OTHER_CASES: readonly Case[] = [
  [
    'an ended market that the catalog does not record, before a recorded one',
    inCatalog(`DELETE FROM ended_markets WHERE condition_id = '${conditionOf(2)}'`),
    'catalog',
    /c2 ended at .* and is not recorded as ended/,
  ],
  [
    'an open market that is recorded as ended',
    inCatalog(`INSERT INTO ended_markets VALUES ('${conditionOf(4)}', '2026-01-01T00:00:00Z')`),
    'catalog',
    /c4 is recorded as ended at 2026-01-01T00:00:00Z, and by the journal it did not end/,
  ],
  [
    'an ended market with another end time',
    inCatalog(
      "UPDATE ended_markets SET ended_at = '2020-01-01T00:00:00Z' " +
        `WHERE condition_id = '${conditionOf(1)}'`,
    ),
    'catalog',
    /c1 is recorded as ended at 2020-01-01T00:00:00Z, and by the journal it ended at/,
  ],
  [
    'an ended market whose row is open',
    inCatalog(`UPDATE markets SET closed = 0 WHERE condition_id = '${conditionOf(1)}'`),
    'catalog',
    /c1 is recorded as ended, and its row says that it is open/,
  ],
  [
    'a market without a row in the catalog',
    inCatalog(`DELETE FROM markets WHERE condition_id = '${conditionOf(4)}'`),
    'catalog',
    /c4 of the journal has no row/,
  ],
  [
    'a market with another token',
    inCatalog("UPDATE market_tokens SET token_id = '999' WHERE token_id = '41'"),
    'catalog',
    /c4 has tokens 999 and 42, and in the journal 41 and 42/,
  ],
  [
    'a mark ahead of the journal',
    (folder) => writeFileSync(join(folder, 'durable.seq'), '999\n'),
    'durable_mark',
    /ends at seq \d+, but seq 999 was durable/,
  ],
  [
    'a mark that is not a number',
    (folder) => writeFileSync(join(folder, 'durable.seq'), 'x'),
    'durable_mark',
    /should hold one number/,
  ],
  [
    'a missing master secret',
    (folder) => rmSync(join(folder, 'master.secret')),
    'secrets',
    /master.secret is missing, and API keys/,
  ],
  [
    'a master secret that was cut short',
    (folder) => writeFileSync(join(folder, 'master.secret'), 'x'),
    'secrets',
    /master.secret has 1 bytes instead of 32/,
  ],
  [
    'a master secret of another folder',
    (folder) => writeFileSync(join(folder, 'master.secret'), Buffer.alloc(32, 7), { mode: 0o600 }),
    'secrets',
    /master.secret is not the one that the journal's API keys were derived from/,
  ],
  [
    'a changed funding mode',
    inJournal("UPDATE meta SET value = 'ledger' WHERE key = 'funding'"),
    'snapshots',
    /says that its funding is paper, and the journal has ledger/,
  ],
  [
    'a folder in the place of the mark',
    (folder) => {
      rmSync(join(folder, 'durable.seq'));
      mkdirSync(join(folder, 'durable.seq'));
    },
    'durable_mark',
    /durable.seq should be a file with one number and is a folder/,
  ],
  [
    'a master secret that others can read',
    (folder) => chmodSync(join(folder, 'master.secret'), 0o640),
    'secrets',
    /master.secret has mode 0640/,
  ],
  [
    'a token that others can read',
    (folder) => chmodSync(join(folder, 'admin.token'), 0o604),
    'secrets',
    /admin.token has mode 0604/,
  ],
  [
    'an empty token file',
    (folder) => writeFileSync(join(folder, 'admin.token'), ''),
    'secrets',
    /admin.token has 0 characters/,
  ],
  [
    'a short token',
    (folder) => writeFileSync(join(folder, 'admin.token'), 'fifteen letters\n'),
    'secrets',
    /admin.token has 15 characters; it must have 16 or more/,
  ],
  [
    'a damaged page of the journal',
    flipByte('journal.db', () => 4096 * 3 + 5),
    'file',
    /journal.db/,
  ],
  [
    'a projection that is not a database',
    flipByte('analytics.db', () => 3),
    'file',
    /analytics.db can't be read: file is not a database/,
  ],
  [
    'a lost catalog',
    (folder) => rmSync(join(folder, 'catalog.db')),
    'catalog',
    /catalog.db is missing: a start is refused without it/,
  ],
  [
    'a catalog that is not a database',
    flipByte('catalog.db', () => 3),
    'catalog',
    /catalog.db can't be read: file is not a database/,
  ],
  [
    'a journal that is not a database',
    flipByte('journal.db', () => 3),
    'journal',
    /journal.db can't be read: file is not a database/,
  ],
];

/** Planted into the folder of kept-folder.ts. */
export const PLANTED_FAULTS: readonly Case[] = [
  ...JOURNAL_CASES,
  ...SNAPSHOT_CASES,
  ...ANALYTICS_CASES,
  ...OTHER_CASES,
];
