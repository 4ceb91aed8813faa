/** Every kind of finding, planted in a folder without faults; and folders without findings. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { compactJournal } from '../../../persistence/index.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { conditionOf, copyFolder, keptFolder } from '../kept-folder.ts';
import { counterOrder, openFollowed, order, submitAll, WORLD } from '../store-fixture.ts';
import { inCatalog, inJournal } from './plants.ts';
import { PLANTED_FAULTS } from './verify-faults.ts';
import { ORDER_ID_FAULTS, withNewIds } from './verify-order-id-faults.ts';

const good = await keptFolder();

t.test('a folder that was closed normally has no findings and is not changed', async (t) => {
  const folder = copyFolder(t, good);
  const contentOf = () =>
    new Map(
      readdirSync(good).map((name) => {
        const path = join(folder, name);
        return [name, name === 'snapshots' ? '' : readFileSync(path).toString('hex')];
      }),
    );
  const before = contentOf();
  const report = await verifyFolder({ dataDir: folder });
  t.strictSame([report.findings, report.notes, report.ok], [[], [], true]);
  t.strictSame(contentOf(), before);
  t.match(report, { seq: 21, fills: 3, orders: 9, snapshots: 2, stateHash: /^[0-9a-f]{64}$/ });
});

for (const [name, plant, kind, sentence] of [...PLANTED_FAULTS, ...ORDER_ID_FAULTS]) {
  t.test(`found: ${name}`, async (t) => {
    const folder = copyFolder(t, good);
    plant(folder);
    const { ok, findings } = await verifyFolder({ dataDir: folder });
    t.notOk(ok);
    const found = findings.filter((finding) => finding.kind === kind);
    t.ok(
      found.some((finding) => sentence.test(finding.sentence)),
      JSON.stringify(findings),
    );
    for (const finding of findings) t.notMatch(finding.sentence, /\n|\.ts:\d/, 'no stack');
  });
}

t.test('order ids may be in `new_order_ids`, or in it and the index', async (t) => {
  for (const leavesIndexed of [false, true]) {
    const folder = copyFolder(t, good);
    withNewIds((rows) => rows, leavesIndexed)(folder);
    const { findings, orders } = await verifyFolder({ dataDir: folder });
    t.strictSame([findings, orders], [[], 9]);
  }
});

// A first start that was killed leaves such a folder. It was called damaged, and started well.
t.test('a folder without commands needs no catalog, because a start makes it', async (t) => {
  const dataDir = join(temporaryFolder(t), 'empty');
  await (await openFollowed(t, dataDir)).close();
  rmSync(join(dataDir, 'catalog.db'));
  t.strictSame((await verifyFolder({ dataDir })).findings, []);
  await (await openFollowed(t, dataDir)).close();
});

t.test('missing files that a start can do without are notes, not findings', async (t) => {
  const folder = copyFolder(t, good);
  for (const name of ['snapshots', 'analytics.db', 'admin.token', 'durable.seq']) {
    rmSync(join(folder, name), { recursive: true });
  }
  const { ok, notes } = await verifyFolder({ dataDir: folder });
  t.ok(ok);
  t.strictSame(
    ['snapshot', 'analytics.db', 'admin.token'].filter(
      (name) => !notes.some((note) => note.includes(name)),
    ),
    [],
  );
});

t.test('it is no fault if the last ended markets are not recorded yet', async (t) => {
  const folder = copyFolder(t, good);
  inCatalog(`DELETE FROM ended_markets WHERE condition_id = '${conditionOf(3)}'`)(folder);
  const { ok, notes } = await verifyFolder({ dataDir: folder });
  t.ok(ok);
  t.match(notes, [
    /catalog.db does not record yet that the last 1 markets ended, beginning with 0xc3/,
  ]);
});

t.test('an unknown file in the archive folder is a note, not a finding', async (t) => {
  const folder = copyFolder(t, good);
  mkdirSync(join(folder, 'archive', 'compact-lock'), { recursive: true });
  writeFileSync(join(folder, 'archive', 'mine.txt'), 'x');
  const { ok, notes } = await verifyFolder({ dataDir: folder });
  t.ok(ok);
  t.match(notes, [/^archive\/mine.txt is not an archive that the journal lists/]);
  t.equal(notes.length, 1);
});

t.test('a folder without a journal is a finding', async (t) => {
  const { ok, findings } = await verifyFolder({ dataDir: join(good, 'nothing-here') });
  t.notOk(ok);
  t.match(findings, [{ kind: 'journal', sentence: /is not the data folder of an exchange/ }]);
});

t.test('archives are verified as part of the journal', async (t) => {
  const folder = copyFolder(t, good);
  const before = await verifyFolder({ dataDir: folder });
  const { archive = '' } = await compactJournal({ dataDir: folder });
  t.match(archive, /journal-/);
  const after = await verifyFolder({ dataDir: folder });
  t.strictSame({ ...after, ms: 0 }, { ...before, ms: 0 });
  const path = join(folder, 'archive', archive);
  const database = new SqliteDatabase(path);
  database.exec('UPDATE archives SET commands_checksum = 1');
  database.close();
  inJournal('UPDATE archives SET commands_checksum = 1')(folder);
  t.match(await verifyFolder({ dataDir: folder }), {
    findings: [{ kind: 'journal', of: archive, sentence: /but the journal lists checksum 1, / }],
  });
  rmSync(path);
  t.match(await verifyFolder({ dataDir: folder }), {
    findings: [{ kind: 'journal', sentence: /is missing. .*: put the file back/ }],
  });
});

t.test('a running exchange has no findings, and trading continues', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const pace = { everyMs: 50, everyCommands: 100 };
  const exchange = await openFollowed(t, dataDir, { snapshotPace: pace });
  exchange.masterSecret();
  await submitAll(exchange, WORLD);
  let isTrading = true;
  const trading = (async () => {
    for (let number = 1; isTrading; number += 10) {
      const numbers = Array.from({ length: 10 }, (_, index) => number + index);
      await submitAll(
        exchange,
        numbers.flatMap((one) => [order(one), counterOrder(1_000_000 + one)]),
      );
    }
  })();
  for (let round = 0; round < 5; round += 1) {
    const durableSeq = exchange.durableSeq;
    const { findings, seq } = await verifyFolder({ dataDir });
    t.strictSame(findings, []);
    t.ok(seq >= durableSeq, 'all that was durable is replayed');
  }
  isTrading = false;
  await trading;
  t.ok(exchange.health().isAccepting);
  await exchange.close();
  t.equal((await verifyFolder({ dataDir })).stateHash, exchange.stateHash());
});
