import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import type { EventHandlers } from '../event-handlers.ts';
import { counterOrder, openFor, order, submitAll, WORLD } from '../store-fixture.ts';
import { durableOf, journalOf, makeFolder } from './fixture.ts';

/** Makes a start replay the whole journal. For snapshots see snapshots.test.ts. */
const WHOLE_JOURNAL = { snapshotPace: 'never' } as const;

/** A closed data folder: a market, two accounts, and from seq 5 on orders that fill each other. */
const TRADED = temporaryFolder(t);
{
  const exchange = await openFor(t, TRADED, WHOLE_JOURNAL);
  await submitAll(exchange, [...WORLD, order(1), counterOrder(2), order(3), counterOrder(4)]);
  await exchange.close();
}

/** A copy of that folder, which a test may alter. */
function tradedFolder(scope: Scope): string {
  const dataDir = temporaryFolder(scope);
  cpSync(TRADED, dataDir, { recursive: true });
  return dataDir;
}

function alterJournal(dataDir: string, sql: string): void {
  const database = new SqliteDatabase(join(dataDir, 'journal.db'));
  database.exec(sql);
  database.close();
}

interface Refusal {
  readonly code: string;
  readonly message?: RegExp;
}

const ALTERED: readonly (readonly [what: string, sql: string, refusal: Refusal])[] = [
  [
    'a changed payload',
    `UPDATE commands SET payload = replace(payload, 'event', 'evens') WHERE seq = 1`,
    { code: 'journal_damaged', message: /command 1 does not match its checksum/ },
  ],
  [
    'a changed byte of an order',
    "UPDATE commands SET payload = CAST(substr(payload, 1, 40) || x'7f' AS BLOB) WHERE seq = 4",
    { code: 'journal_damaged', message: /command 4 does not match its checksum/ },
  ],
  [
    'an order without its bytes',
    "UPDATE commands SET payload = x'' WHERE seq = 4",
    { code: 'journal_damaged', message: /command 4 does not match its checksum/ },
  ],
  [
    'another end of a batch',
    'UPDATE commands SET ends_batch = 1 - ends_batch WHERE seq = 2',
    { code: 'journal_damaged', message: /command 2 does not match its checksum/ },
  ],
  [
    'a changed time',
    'UPDATE commands SET time_ms = time_ms + 1 WHERE seq = 2',
    { code: 'journal_damaged', message: /command 2 does not match its checksum/ },
  ],
  [
    'a missing command',
    'DELETE FROM commands WHERE seq = 3',
    { code: 'journal_damaged', message: /command 3 is missing/ },
  ],
  [
    'a changed size of a fill',
    'UPDATE fills SET lots = 9 WHERE seq = 5',
    { code: 'replay_differs', message: /command 5 .* fill 0 has lots 9 stored and 10 replayed/ },
  ],
  [
    'a changed maker of a fill',
    "UPDATE fills SET maker_account = x'00' WHERE seq = 7",
    { code: 'replay_differs', message: /command 7 .* fill 0 has makerAccount 0x00 stored/ },
  ],
  [
    'a changed fee of a fill',
    'UPDATE fills SET maker_builder_micros = 10 WHERE seq = 5',
    { code: 'replay_differs', message: /fill 0 has makerBuilderMicros 10 stored and 0 replayed/ },
  ],
  [
    'a missing fill',
    'DELETE FROM fills WHERE seq = 7',
    { code: 'replay_differs', message: /command 7 .* fill 0 was replayed and is not stored/ },
  ],
  [
    'an extra fill',
    `INSERT INTO fills SELECT seq, 1, bucket, match, condition_id, taker_order_id, maker_order_id,
       taker_account, maker_account, taker_outcome, taker_side, maker_outcome, maker_side,
       taker_price_ticks, maker_price_ticks, lots, 0, 0, 0, 0, 0, 0 FROM fills WHERE seq = 7`,
    { code: 'replay_differs', message: /command 7 .* fill 1 is stored and was not replayed/ },
  ],
  [
    'a newer format',
    'PRAGMA user_version = 2',
    { code: 'journal_newer', message: /format version 2 and this program knows 1/ },
  ],
  [
    'newer rules',
    'UPDATE rules SET version = 99',
    { code: 'journal_newer', message: /rules version 99 and this program knows \d+/ },
  ],
  [
    'malformed new order ids',
    "INSERT INTO new_order_ids VALUES (1, x'00')",
    { code: 'journal_damaged', message: /command 1 is in a row of 1 bytes.*Put back/ },
  ],
  [
    'an empty table of rules',
    'DELETE FROM rules',
    { code: 'journal_damaged', message: /table rules is empty/ },
  ],
  [
    'no version',
    'PRAGMA user_version = 0',
    { code: 'journal_damaged', message: /has no format version/ },
  ],
  [
    'an empty meta',
    'DELETE FROM meta',
    { code: 'journal_damaged', message: /meta has no funding/ },
  ],
  ['a missing table', 'DROP TABLE meta', { code: 'journal_damaged' }],
];

for (const [index, [what, sql, refusal]] of ALTERED.entries()) {
  t.test(`a journal with ${what} is refused and its folder is unlocked`, async (t) => {
    const dataDir = tradedFolder(t);
    alterJournal(dataDir, sql);
    await t.rejects(openFor(t, dataDir), { ...refusal });
    // The second start is tried for the first and the last case, refused at different steps.
    if (index > 0 && index < ALTERED.length - 1) return;
    await t.rejects(
      openFor(t, dataDir),
      { ...refusal },
      'for the same reason, not for a lock left behind',
    );
  });
}

function rulesOf(dataDir: string): unknown {
  const journal = new JournalReader(join(dataDir, 'journal.db'));
  const borders = journal.rulesBorders();
  journal.close();
  return borders;
}

t.test('a refused journal of older rules keeps its rules', async (t) => {
  const dataDir = tradedFolder(t);
  alterJournal(dataDir, 'UPDATE rules SET version = 0');
  writeFileSync(join(dataDir, 'durable.seq'), '9');
  await t.rejects(openFor(t, dataDir), { code: 'journal_behind' });
  t.same(rulesOf(dataDir), [{ fromSeq: 1, version: 0 }]);
});

t.test('another funding mode is refused', async (t) => {
  const dataDir = tradedFolder(t);
  await t.rejects(openFor(t, dataDir, { funding: 'ledger' }), {
    code: 'funding_changed',
    message: /made with --funding paper and can't be opened with ledger/,
  });
  await openFor(t, dataDir, { funding: 'paper' });
});

t.test('a file that is not a journal is refused', async (t) => {
  const dataDir = temporaryFolder(t);
  writeFileSync(join(dataDir, 'journal.db'), 'not a database, but long enough to be read as one');
  await t.rejects(openFor(t, dataDir), { code: 'journal_damaged' });
});

t.test('a journal that the disk cannot read is not called damaged', async (t) => {
  const dataDir = temporaryFolder(t);
  mkdirSync(join(dataDir, 'journal.db'));
  await t.rejects(openFor(t, dataDir), {
    code: 'disk_failed',
    message: /its disk failed, or this user may not write there\. Repair that and start again/,
  });
});

t.test('a journal that lost its end is refused, and the error says what to do', async (t) => {
  const dataDir = tradedFolder(t);
  t.equal(readFileSync(join(dataDir, 'durable.seq'), 'utf8'), '7\n');
  alterJournal(dataDir, 'DELETE FROM fills WHERE seq > 5; DELETE FROM commands WHERE seq > 5');
  await t.rejects(openFor(t, dataDir), {
    code: 'journal_behind',
    message: /ends at seq 5, but seq 7 was durable .* Put back .* commands 6 to 7/,
  });
});

t.test('a missing journal is refused if durable.seq is there', async (t) => {
  const dataDir = tradedFolder(t);
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('journal.db')) rmSync(join(dataDir, name));
  }
  await t.rejects(openFor(t, dataDir), { code: 'journal_behind' });
});

t.test('a malformed durable.seq is refused', async (t) => {
  const dataDir = tradedFolder(t);
  writeFileSync(join(dataDir, 'durable.seq'), 'seven');
  await t.rejects(openFor(t, dataDir), { code: 'journal_behind', message: /holds "seven"/ });
});

t.test('a projection that is ahead of the journal is refused', async (t) => {
  const durable = durableOf([...WORLD, order(1)]);
  const dataDir = makeFolder(t, { durable });
  const older = makeFolder(t, { durable: durable.slice(0, 3) });
  copyFileSync(journalOf(older), journalOf(dataDir));
  await t.rejects(openFor(t, dataDir), {
    code: 'projection_ahead',
    message: /went to seq 4, and this journal ends before that/,
  });
});

t.test('a listener that cannot take the state stops the start', async (t) => {
  const dataDir = tradedFolder(t);
  const on: EventHandlers = {
    restored: ({ state }) => {
      throw new Error(`can not take the state of seq ${state.seq}`);
    },
  };
  await t.rejects(openFor(t, dataDir, { on }), /can not take the state of seq 7/);
});
