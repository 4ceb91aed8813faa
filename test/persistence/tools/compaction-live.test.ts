import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Command } from '../../../engine/index.ts';
import { micros } from '../../../engine/index.ts';
import { compactJournal, type Exchange, openOrderIdIndex } from '../../../persistence/index.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import {
  ALICE,
  counterOrder,
  openBeside,
  openFollowed,
  order,
  orderIdOf,
  submitAll,
  until,
  WORLD,
} from '../store-fixture.ts';

const KEY: Command = {
  kind: 'issue_api_key',
  owner: ALICE,
  nonce: '0',
  apiKey: '00000000-0000-4000-8000-000000000001',
  purpose: 'trading',
};
const REVOKED: Command = { kind: 'revoke_api_key', owner: ALICE, apiKey: KEY.apiKey };
function deposit(amountMicros: number): Command {
  return {
    kind: 'deposit',
    account: ALICE,
    amountMicros: micros(amountMicros),
    key: 'one',
  };
}
const DEPOSIT = deposit(5_000_000);
const WHY = { by: 'ann', reason: 'to try' };

/** `count` pairs of orders that trade with each other. */
function pairs(first: number, count: number): Command[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + 2 * index;
    return [order(number), counterOrder(number + 1)];
  }).flat();
}

const ORDERS = 400;

/** A folder with the snapshots of two stops. The commands to compact are before the first one. */
const MADE = temporaryFolder(t);
{
  const first = await openFollowed(t, MADE);
  first.masterSecret();
  await submitAll(first, [...WORLD, KEY, REVOKED]);
  await first.submit(DEPOSIT, WHY);
  await submitAll(first, pairs(1, ORDERS / 2));
  await first.close();
  const second = await openFollowed(t, MADE);
  await submitAll(second, pairs(10_001, 2));
  await second.close();
}

function twiceStopped(scope: Scope): string {
  const dataDir = temporaryFolder(scope);
  cpSync(MADE, dataDir, { recursive: true });
  return dataDir;
}

function archivesIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'archive')).filter((name) => name.startsWith('journal-'));
}

/** Checks that commands from before the compaction are still known. */
async function checkMemory(test: Test, exchange: Exchange): Promise<void> {
  test.match((await exchange.submit(DEPOSIT, WHY)).events, [{ kind: 'known' }]);
  const { events } = await exchange.submit(deposit(1), WHY);
  test.match(events, [{ kind: 'rejected' }]);
  test.match((await exchange.submit(KEY)).events, [{ kind: 'rejected' }], 'it stays revoked');
  const { records } = await exchange.reader.actions({ limit: 10 });
  test.match(records, [{ kind: 'deposit', by: 'ann' }]);
  test.match(await exchange.reader.order(orderIdOf(1)), { status: 'matched' });
  const index = openOrderIdIndex(exchange.journalPath);
  for (let number = 1; number <= ORDERS; number += 1) {
    if (index.lookup(orderIdOf(number)).known === undefined) test.fail(`order ${number} is lost`);
  }
  index.close();
}

t.test('compaction beside a loaded exchange loses nothing', async (t) => {
  const dataDir = twiceStopped(t);
  const exchange = await openFollowed(t, dataDir);
  let isDone = false;
  let placed = 0;
  const load = Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let number = 100_001 + lane * 10_000; !isDone; number += 20) {
        await submitAll(exchange, pairs(number, 10));
        placed += 20;
      }
    }),
  );
  const report = await compactJournal({ dataDir });
  const placedBeside = placed;
  isDone = true;
  await load;
  t.ok(placedBeside > 0, 'orders were placed meanwhile');
  t.ok(report.commands > ORDERS, 'commands were moved');
  t.equal(archivesIn(dataDir).length, 1);
  await checkMemory(t, exchange);
  const hash = exchange.stateHash();
  t.match(await exchange.audit(), { ok: true });
  await exchange.close();
  const verified = await verifyFolder({ dataDir });
  t.match(verified, { ok: true, findings: [], stateHash: hash });
  const again = await openFollowed(t, dataDir);
  t.equal(again.stateHash(), hash);
  for (let lane = 0; lane < 4; lane += 1) {
    t.match(await again.reader.order(orderIdOf(100_001 + lane * 10_000)), { status: 'matched' });
  }
  await checkMemory(t, again);
});

t.test(
  'a start needs neither archives nor the newest snapshot; reads that need an archive name it',
  async (t) => {
    const dataDir = twiceStopped(t);
    await compactJournal({ dataDir });
    const [name = ''] = archivesIn(dataDir);
    const archive = join(dataDir, 'archive', name);
    renameSync(archive, join(dataDir, 'away'));
    // Without the newest snapshot it begins from the one before, which is at the archive's end.
    const folder = join(dataDir, 'snapshots');
    rmSync(join(folder, readdirSync(folder).sort().at(-1) ?? ''));
    const started = await openFollowed(t, dataDir);
    t.match(started.recovered, { replayed: 4 });
    const count = 'SELECT count(*) FROM commands';
    t.equal(openBeside(t, join(dataDir, 'journal.db')).prepare(count).pluck().get(), 4);
    t.match(await started.reader.order(orderIdOf(1)), { status: 'matched' });
    await checkMemory(t, started);
    const hash = started.stateHash();
    await started.close();

    for (const ending of ['', '-wal', '-shm']) {
      rmSync(join(dataDir, `analytics.db${ending}`), { force: true });
    }
    const downs: string[] = [];
    const again = await openFollowed(t, dataDir, {
      on: { thread_down: ({ error }) => downs.push(error.message) },
    });
    t.equal(again.stateHash(), hash);
    await t.rejects(again.reader.order(orderIdOf(1)), {
      code: 'reader_unavailable',
      message: new RegExp(`${name} is missing. It has commands 1 to .*: put the file back`),
    });
    await submitAll(again, pairs(50_001, 1));
    renameSync(join(dataDir, 'away'), archive);
    await until(async () => {
      const found = await again.reader.order(orderIdOf(1)).catch(() => undefined);
      return found?.status === 'matched';
    });
    t.match(await again.reader.order(orderIdOf(50_001)), { status: 'matched' });
    t.match(downs[0], /is missing/);
    await again.close();
    t.match(await verifyFolder({ dataDir }), { ok: true, findings: [] });
  },
);
