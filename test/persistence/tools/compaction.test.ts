import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { takeLock } from '../../../persistence/folder/data-folder.ts';
import { archiveName } from '../../../persistence/journal/archive.ts';
import { openOrderIdIndex } from '../../../persistence/journal/order-ids.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { putLogPlace } from '../../../persistence/journal/schema.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/store-bounds.ts';
import { type CompactionStep, compactJournal } from '../../../persistence/tools/compaction.ts';
import { times } from '../../long-set.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { journalOf, makeFolder, makeSnapshot } from '../journal/fixture.ts';
import {
  contentOf,
  contentsOf,
  countIn,
  type Everything,
  readAll,
} from '../journal/read-journal.ts';
import { randomStream } from '../store-fixture.ts';

const { durable } = randomStream(11, times(2_000, 6_000));
const LAST = durable.length;
/** The seqs of the snapshots in most folders here. Compaction ends at the second newest. */
const [OLDER, SAFE, NEWEST] = [Math.floor(LAST / 4), Math.floor(LAST / 2), LAST - 10];

function archivesIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'archive')).filter((name) => name !== 'compact-lock');
}

/** A folder of which tests get copies. */
const MADE = makeFolder(t, { durable, snapshots: [OLDER, SAFE, NEWEST] });

function folderOf(scope: Scope): string {
  const dataDir = temporaryFolder(scope);
  cpSync(MADE, dataDir, { recursive: true });
  return dataDir;
}

t.test('compacted commands and fills read as before, and order ids stay', async (t) => {
  const dataDir = folderOf(t);
  const before = readAll(dataDir);
  const ids = countIn(dataDir, 'order_ids', LAST);
  const fills = countIn(dataDir, 'fills', SAFE);
  t.ok(Number(fills) > 50, 'there are enough fills to move');
  const progress: number[][] = [];
  const report = await compactJournal({
    dataDir,
    onProgress: (done, total) => progress.push([done, total]),
  });
  const archive = archiveName({ firstSeq: 1, lastSeq: SAFE });
  t.match(report, {
    archive,
    firstSeq: 1,
    lastSeq: SAFE,
    commands: SAFE,
    fills,
    limitedBy: 'snapshots',
    leftovers: 0,
  });
  const versionOf = (path: string) => new SqliteDatabase(path).pragma('user_version');
  t.strictSame(versionOf(join(dataDir, 'archive', archive)), versionOf(journalOf(dataDir)));
  t.equal(report.journalBytes, statSync(journalOf(dataDir)).size);
  t.ok(report.freeBytes > report.journalBytes / 8);
  t.same(progress.at(-1), [3 * SAFE, 3 * SAFE]);
  t.same(
    [...progress].sort(([a = 0], [b = 0]) => a - b),
    progress,
    'progress never goes back',
  );
  t.same(archivesIn(dataDir), [archive]);
  t.equal(statSync(join(dataDir, 'archive', archive)).mode & 0o777, 0o400);
  t.equal(countIn(dataDir, 'commands', LAST), LAST - SAFE);
  t.equal(countIn(dataDir, 'fills', SAFE), 0);
  t.equal(countIn(dataDir, 'order_ids', LAST), ids);
  const after = readAll(dataDir);
  t.same(contentsOf(after), contentsOf(before));
  t.ok(after.steps.includes(SAFE), 'a step ends where the archive does');
  const journal = new JournalReader(journalOf(dataDir));
  t.same(
    contentsOf({ ...before, commands: contentOf(journal.commands(0, LAST)) }),
    contentsOf(before),
  );
  t.same(journal.fills(0, LAST), before.fills, 'the same fills come in one read');
  t.same([journal.firstSeq, journal.archivedSeq], [1, SAFE]);
  journal.close();
});

// Journals of cores and standbys grew until their disks were full.
t.test('a core has no projection to wait for, other folders wait for theirs', async (t) => {
  for (const [isNode, lastSeq] of [
    [true, SAFE],
    [false, 0],
  ] as const) {
    const dataDir = folderOf(t);
    rmSync(join(dataDir, 'analytics.db'));
    const database = new SqliteDatabase(journalOf(dataDir));
    const place = { logId: 'a log', number: 1, check: '0'.repeat(32) };
    if (isNode) putLogPlace(database, place);
    database.close();
    t.equal((await compactJournal({ dataDir })).lastSeq, lastSeq, isNode ? 'a core' : 'alone');
  }
});

t.test('a retry is recognised whether or not its order is archived', async (t) => {
  const dataDir = folderOf(t);
  await compactJournal({ dataDir });
  const index = openOrderIdIndex(journalOf(dataDir));
  t.teardown(() => index.close());
  const placed = durable.flatMap(({ seq, command, events }) =>
    command.kind === 'place_order' && events.some(({ kind }) => kind === 'order_accepted')
      ? [{ seq, orderId: command.orderId }]
      : [],
  );
  t.ok(placed.some(({ seq }) => seq <= SAFE));
  t.ok(placed.some(({ seq }) => seq > SAFE));
  for (const { seq, orderId } of placed) {
    const { checkedSeq, known } = index.lookup(orderId);
    if (known?.acceptedSeq !== seq || checkedSeq !== LAST) t.fail(`order of seq ${seq} is unknown`);
  }
});

t.test('the archives of successive compactions have no gap and no overlap', async (t) => {
  const dataDir = folderOf(t);
  const before = readAll(dataDir);
  await compactJournal({ dataDir });
  t.match(await compactJournal({ dataDir }), { archive: undefined, commands: 0, firstSeq: 0 });
  const journal = new JournalReader(journalOf(dataDir));
  makeSnapshot(dataDir, LAST - 5, journal);
  makeSnapshot(dataDir, LAST, journal);
  t.match(await compactJournal({ dataDir }), { firstSeq: SAFE + 1, lastSeq: LAST - 5 });
  t.same(archivesIn(dataDir), [
    archiveName({ firstSeq: 1, lastSeq: SAFE }),
    archiveName({ firstSeq: SAFE + 1, lastSeq: LAST - 5 }),
  ]);
  t.same(contentsOf(readAll(dataDir)), contentsOf(before));
  t.equal(journal.archivedSeq, LAST - 5, 'a reader that was open before sees the new archive');
  t.same(contentOf(journal.commands(0, LAST)), before.commands);
  journal.close();
});

t.test('a reader in the middle of a replay finds commands that move to an archive', async (t) => {
  const dataDir = folderOf(t);
  const { commands, fills } = readAll(dataDir);
  const journal = new JournalReader(journalOf(dataDir));
  const first = journal.commands(0, 100);
  const compacted = compactJournal({ dataDir });
  const rest = [...first];
  const restFills: unknown[] = [...journal.fills(0, 100)];
  for (let seq = 100; seq < LAST; seq += 1) {
    rest.push(...journal.commands(seq, seq + 1));
    restFills.push(...journal.fills(seq, seq + 1));
    if (seq % 8 === 0) await new Promise((done) => setImmediate(done));
  }
  await compacted;
  journal.close();
  t.same(contentOf(rest), commands);
  t.same(restFills, fills);
});

t.test('shrinking returns free space, but only if no exchange is running', async (t) => {
  const dataDir = folderOf(t);
  const before = readAll(dataDir);
  const lock = takeLock(dataDir);
  await t.rejects(compactJournal({ dataDir, shrink: true }), {
    code: 'folder_locked',
    message: /stop the exchange first/,
  });
  t.match(await compactJournal({ dataDir }), { lastSeq: SAFE }, 'works without `shrink`');
  lock?.close();
  const bytes = statSync(journalOf(dataDir)).size;
  const report = await compactJournal({ dataDir, shrink: true });
  t.match(report, { archive: undefined, freeBytes: 0 });
  t.equal(report.journalBytes, statSync(journalOf(dataDir)).size);
  t.ok(report.journalBytes < bytes);
  t.same(contentsOf(readAll(dataDir)), contentsOf(before));
});

/** A folder, a change made to it, how far compaction then goes, and what limits it. */
const LIMITS: readonly (readonly [
  what: string,
  plan: { readonly snapshots: readonly number[]; readonly projectedSeq?: number },
  harm: (dataDir: string) => void,
  expected: { readonly lastSeq: number; readonly limitedBy: string },
])[] = [
  ['no snapshot', { snapshots: [] }, noHarm, { lastSeq: 0, limitedBy: 'snapshots' }],
  ['one snapshot', { snapshots: [SAFE] }, noHarm, { lastSeq: 0, limitedBy: 'snapshots' }],
  ['two snapshots', { snapshots: [SAFE, LAST] }, noHarm, { lastSeq: SAFE, limitedBy: 'snapshots' }],
  [
    'a damaged newest snapshot',
    { snapshots: [OLDER, SAFE, NEWEST] },
    (dataDir) => breakSnapshot(dataDir, NEWEST),
    { lastSeq: OLDER, limitedBy: 'snapshots' },
  ],
  [
    'a damaged second newest snapshot',
    { snapshots: [OLDER, SAFE, NEWEST] },
    (dataDir) => breakSnapshot(dataDir, SAFE),
    { lastSeq: OLDER, limitedBy: 'snapshots' },
  ],
  [
    'a snapshot of another journal',
    { snapshots: [OLDER, SAFE] },
    (dataDir) => copyFileSync(snapshotOf(dataDir, SAFE), snapshotOf(dataDir, NEWEST)),
    { lastSeq: OLDER, limitedBy: 'snapshots' },
  ],
  [
    'a projection that lags',
    { snapshots: [OLDER, SAFE, NEWEST], projectedSeq: SAFE - 1 },
    noHarm,
    { lastSeq: OLDER, limitedBy: 'projection' },
  ],
  [
    'a projection at the same seq',
    { snapshots: [OLDER, SAFE, NEWEST], projectedSeq: SAFE },
    noHarm,
    { lastSeq: SAFE, limitedBy: 'snapshots' },
  ],
  [
    'no projection',
    { snapshots: [OLDER, SAFE, NEWEST] },
    (dataDir) => rmSync(join(dataDir, 'analytics.db')),
    { lastSeq: 0, limitedBy: 'projection' },
  ],
  [
    'a projection that is not a database',
    { snapshots: [OLDER, SAFE, NEWEST] },
    (dataDir) => writeFileSync(join(dataDir, 'analytics.db'), 'x'.repeat(4_096)),
    { lastSeq: 0, limitedBy: 'projection' },
  ],
  [
    'a projection of another journal',
    { snapshots: [OLDER, SAFE, NEWEST] },
    (dataDir) => alter(join(dataDir, 'analytics.db'), 'UPDATE progress SET checksum = 1'),
    { lastSeq: 0, limitedBy: 'projection' },
  ],
];

function noHarm(): void {
  // The folder stays as it was made.
}

function snapshotOf(dataDir: string, seq: number): string {
  return join(dataDir, 'snapshots', `${String(seq).padStart(15, '0')}.snapshot`);
}

function breakSnapshot(dataDir: string, seq: number): void {
  writeFileSync(snapshotOf(dataDir, seq), 'no snapshot');
}

function alter(path: string, sql: string): void {
  const database = new SqliteDatabase(path);
  database.exec(sql);
  database.close();
}

for (const [what, plan, harm, { lastSeq, limitedBy }] of LIMITS) {
  t.test(`with ${what} it archives only what no start needs`, async (t) => {
    const dataDir = makeFolder(t, { durable, ...plan });
    harm(dataDir);
    t.match(await compactJournal({ dataDir }), { lastSeq, limitedBy });
    t.equal(countIn(dataDir, 'commands', LAST), LAST - lastSeq);
  });
}

const STEPS: readonly CompactionStep[] = [
  'written',
  'compared',
  'renamed',
  'noted',
  'fills_deleted',
];

for (const stopAt of STEPS) {
  t.test(`a compaction that stopped after step ${stopAt} is finished by the next`, async (t) => {
    const dataDir = folderOf(t);
    const before = readAll(dataDir);
    const onStep = (step: CompactionStep): void => {
      if (step === stopAt) throw new Error(`stopped when ${step}`);
    };
    await t.rejects(compactJournal({ dataDir, onStep }), { message: `stopped when ${stopAt}` });
    t.same(contentsOf(readAll(dataDir)), contentsOf(before), 'nothing is missing meanwhile');
    const isNoted = stopAt === 'noted' || stopAt === 'fills_deleted';
    const report = await compactJournal({ dataDir });
    t.equal(report.lastSeq, isNoted ? 0 : SAFE);
    t.equal(report.leftovers > 0, isNoted);
    t.same(archivesIn(dataDir), [archiveName({ firstSeq: 1, lastSeq: SAFE })]);
    t.equal(countIn(dataDir, 'commands', LAST), LAST - SAFE);
    t.equal(countIn(dataDir, 'fills', SAFE), 0);
    t.same(contentsOf(readAll(dataDir)), contentsOf(before));
  });
}

t.test(
  'an archive that was complete before a crash is used, even if more could be archived now',
  async (t) => {
    const dataDir = folderOf(t);
    const onStep = (step: CompactionStep): void => {
      if (step === 'renamed') throw new Error('stopped');
    };
    await t.rejects(compactJournal({ dataDir, onStep }));
    const journal = new JournalReader(journalOf(dataDir));
    makeSnapshot(dataDir, LAST, journal);
    journal.close();
    t.match(await compactJournal({ dataDir }), { firstSeq: 1, lastSeq: SAFE });
    t.match(await compactJournal({ dataDir }), { firstSeq: SAFE + 1, lastSeq: NEWEST });
  },
);

t.test('nothing is deleted from the journal if the archive differs from it', async (t) => {
  for (const sql of [
    'DELETE FROM fills WHERE seq = (SELECT max(seq) FROM fills)',
    'UPDATE fills SET lots = lots + 1 WHERE seq = (SELECT min(seq) FROM fills)',
    'UPDATE commands SET time_ms = time_ms + 1 WHERE seq = 5',
    'UPDATE commands SET checksum = checksum + 1 WHERE seq = 5',
    'DELETE FROM commands WHERE seq = 5',
    'UPDATE archives SET commands_checksum = 5',
    'UPDATE archives SET fill_count = fill_count - 1',
    'DELETE FROM archives',
  ]) {
    const dataDir = folderOf(t);
    const path = join(dataDir, 'archive', archiveName({ firstSeq: 1, lastSeq: SAFE }));
    const onStep = (step: CompactionStep): void => {
      if (step === 'renamed') throw new Error('stopped');
    };
    await t.rejects(compactJournal({ dataDir, onStep }));
    chmodSync(path, 0o600);
    alter(path, sql);
    await t.rejects(compactJournal({ dataDir }), { code: 'archive_damaged' }, sql);
    t.equal(countIn(dataDir, 'commands', LAST), LAST);
    t.ok(existsSync(path), 'the archive is kept for the operator');
  }
});

t.test('an archive of another journal is not touched', async (t) => {
  const dataDir = folderOf(t);
  const other = join(dataDir, 'archive', archiveName({ firstSeq: 1, lastSeq: LAST + 1 }));
  mkdirSync(join(dataDir, 'archive'));
  writeFileSync(other, 'of a newer journal');
  await t.rejects(compactJournal({ dataDir }), {
    code: 'archive_damaged',
    message: /Another journal, or a newer copy of this one, wrote that file: move it away/,
  });
  t.ok(existsSync(other));
});

t.test('a journal that has lost its rows about archives is refused', async (t) => {
  const dataDir = folderOf(t);
  await compactJournal({ dataDir });
  alter(journalOf(dataDir), 'DELETE FROM archives');
  const before = countIn(dataDir, 'commands', LAST);
  await t.rejects(compactJournal({ dataDir }), {
    name: 'StoreError',
    code: 'journal_damaged',
    message: new RegExp(`begins at command ${SAFE + 1}, but its last archive ends at command 0`),
  });
  t.equal(countIn(dataDir, 'commands', LAST), before);
});

t.test('a missing archive fails only the reads that need it, and the error names it', async (t) => {
  const dataDir = folderOf(t);
  const before = readAll(dataDir);
  await compactJournal({ dataDir });
  const path = join(dataDir, 'archive', archiveName({ firstSeq: 1, lastSeq: SAFE }));
  renameSync(path, `${path}.away`);
  const journal = new JournalReader(journalOf(dataDir));
  t.equal(journal.firstSeq, SAFE + 1);
  t.equal(journal.commands(SAFE, LAST).length, LAST - SAFE);
  t.equal(journal.checksumAt(SAFE), durableChecksum(before, SAFE), 'the journal has it');
  const refusal = {
    code: 'archive_missing',
    message: new RegExp(`${path} is missing. It has commands 1 to ${SAFE}, .*: put the file back`),
  };
  t.throws(() => journal.commands(SAFE - 1, LAST), refusal);
  t.throws(() => journal.fills(0, 1), refusal);
  t.throws(() => journal.stepEnd(0, LAST), refusal);
  t.throws(() => journal.checksumAt(SAFE - 1), refusal);
  renameSync(`${path}.away`, path);
  t.equal(journal.firstSeq, 1);
  t.equal(journal.commands(0, LAST).length, LAST, 'it is found when it is back');
  journal.close();
});

function durableChecksum({ checksums }: Everything, seq: number): unknown {
  return Array.isArray(checksums) ? checksums[seq] : undefined;
}

const DAMAGES: readonly (readonly [what: string, sql: string, message: RegExp])[] = [
  ['another row', 'UPDATE archives SET fill_count = 1', /other content than the journal lists/],
  ['no row', 'DELETE FROM archives', /it was not written to its end/],
  ['no tables', 'DROP TABLE archives', /no such table/],
  [
    'a changed command',
    "UPDATE commands SET payload = payload || ' ' WHERE seq = 5",
    /its command 5 does not match its checksum/,
  ],
  ['a lost command', 'DELETE FROM commands WHERE seq = 5', /its command 5 is missing/],
  ['a newer format', 'PRAGMA user_version = 2', /has format version 2 and this program knows 1/],
];

for (const [what, sql, message] of DAMAGES) {
  t.test(`an archive with ${what} is refused`, async (t) => {
    const dataDir = folderOf(t);
    await compactJournal({ dataDir });
    const path = join(dataDir, 'archive', archiveName({ firstSeq: 1, lastSeq: SAFE }));
    chmodSync(path, 0o600);
    alter(path, sql);
    const journal = new JournalReader(journalOf(dataDir));
    t.teardown(() => journal.close());
    const code = what === 'a newer format' ? 'journal_newer' : 'archive_damaged';
    t.throws(() => journal.commands(0, 10), { code, message });
  });
}

t.test('archives that leave a gap or overlap are refused', async (t) => {
  for (const sql of [
    'UPDATE archives SET first_seq = 2',
    'INSERT INTO archives VALUES (5, 1, 0, 0, 0)',
    `INSERT INTO archives VALUES (${SAFE + 9}, ${SAFE + 2}, 0, 0, 0)`,
  ]) {
    const dataDir = folderOf(t);
    await compactJournal({ dataDir });
    alter(journalOf(dataDir), sql);
    const journal = new JournalReader(journalOf(dataDir));
    t.throws(() => journal.commands(0, LAST), {
      code: 'journal_damaged',
      message: /archives must follow each other without gap or overlap/,
    });
    journal.close();
  }
  const dataDir = folderOf(t);
  await compactJournal({ dataDir });
  alter(journalOf(dataDir), `DELETE FROM commands WHERE seq = ${SAFE + 1}`);
  const journal = new JournalReader(journalOf(dataDir));
  t.throws(() => journal.commands(0, LAST), {
    code: 'journal_damaged',
    message: new RegExp(`command ${SAFE + 1} is missing`),
  });
  journal.close();
});

t.test('a second compaction at the same time is refused', async (t) => {
  const dataDir = folderOf(t);
  const [first, second] = await Promise.allSettled([
    compactJournal({ dataDir }),
    compactJournal({ dataDir }),
  ]);
  t.equal(first.status, 'fulfilled');
  t.match(second, { status: 'rejected', reason: { code: 'compacting' } });
});

t.test('a folder without a journal is refused, and no journal is made', async (t) => {
  const dataDir = folderOf(t);
  const empty = join(dataDir, 'empty');
  mkdirSync(empty);
  await t.rejects(compactJournal({ dataDir: empty }), { message: /is missing/ });
  t.same(readdirSync(empty), []);
});

t.test('a step never crosses a change of rules, archived or not', async (t) => {
  const dataDir = folderOf(t);
  alter(
    journalOf(dataDir),
    `UPDATE rules SET version = -1; INSERT INTO rules VALUES (50, 0), (${SAFE + 20}, 1)`,
  );
  const expected = (seq: number): number => (seq < 50 ? -1 : seq < SAFE + 20 ? 0 : 1);
  for (const round of ['before', 'after']) {
    const journal = new JournalReader(journalOf(dataDir));
    for (let fromSeq = 0; fromSeq < LAST; ) {
      const toSeq = journal.stepEnd(fromSeq, LAST);
      t.ok(toSeq > fromSeq && toSeq <= fromSeq + STORE_BOUNDS.replayCommands);
      for (const seq of [fromSeq + 1, toSeq]) {
        t.equal(journal.rulesAt(seq), expected(fromSeq + 1), `${round}: ${seq}`);
      }
      fromSeq = toSeq;
    }
    journal.close();
    if (round === 'before') await compactJournal({ dataDir });
  }
  const path = join(dataDir, 'archive', archiveName({ firstSeq: 1, lastSeq: SAFE }));
  const archive = new SqliteDatabase(path, { readonly: true });
  const rules = archive.prepare('SELECT version FROM rules ORDER BY from_seq').pluck().all();
  t.same(rules, [-1, 0]);
  archive.close();
});
