import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import { isoTime } from '../../../http/codec/time.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type Answer, START_MS, startTestExchange } from '../exchange-fixture.ts';

/** The exchange starts without accounts. */
const { trader, operator, plain, stateHash, running } = await startTestExchange(t);

t.test('the sums of an audit add up', async (t) => {
  const [alice, bob] = [await trader(1), await trader(2)];
  const [yes, no] = plain.tokenIds;
  await alice.place({ tokenId: yes, priceTicks: 6_000, lots: 1_500 });
  await bob.place({ tokenId: no, priceTicks: 4_000, lots: 1_000 });
  const withdrawal = { account: bob.address, amount: '0.000001', key: 'k1' };
  t.equal((await operator('POST', '/withdrawals', withdrawal)).status, 200);
  const { exchange, registry } = running.services;
  t.strictSame((await operator('GET', '/audit')).body, {
    ok: true,
    fault: '',
    seq: exchange.appliedSeq,
    time: isoTime(START_MS),
    stateHash: stateHash(),
    collateral: {
      available: '19986.999999',
      held: '3',
      fees: '0',
      locked: '10',
      deposits: '20000',
      withdrawals: '0.000001',
    },
    liveOrders: 1,
    markets: registry.counts.markets,
    accounts: 2,
  });
});

/** The sums of collateral less deposits plus withdrawals, in micros: 0 if the books balance. */
function leftOf({ text }: Answer): number {
  const sums: Record<string, string> = JSON.parse(text).collateral;
  const { available, held, locked, deposits, withdrawals } = sums;
  const micros = (decimal = ''): number => Math.round(Number(decimal) * 1e6);
  return micros(available) + micros(held) + micros(locked) - micros(deposits) + micros(withdrawals);
}

t.test('an audit during trading includes every command answered before it', async (t) => {
  const [alice, bob] = [await trader(1), await trader(2)];
  const [yes, no] = plain.tokenIds;
  for (let round = 0; round < 8; round += 1) {
    const first = await alice.place({ tokenId: yes, priceTicks: 5_000 + 100 * round });
    t.match(first.body, { success: true });
    const answered = running.services.exchange.durableSeq;
    const [audit, ...placed] = await Promise.all([
      operator('GET', '/audit'),
      bob.place({ tokenId: no, priceTicks: 5_000, lots: 500 + 100 * round }),
      alice.place({ tokenId: yes, priceTicks: 100 }),
    ]);
    t.match(audit, { status: 200, body: { ok: true, fault: '' } });
    const { seq } = JSON.parse(audit.text);
    t.ok(seq >= answered, `${seq} of ${answered}`);
    t.equal(leftOf(audit), 0);
    for (const { body } of placed) t.match(body, { success: true });
  }
});

/** An exchange in a data folder, and a second connection to its journal. */
async function startBeside(t: Test) {
  const dataDir = temporaryFolder(t);
  // Without snapshots the thread starts at the first audit and reads changes made before it.
  const snapshotMs = Number.POSITIVE_INFINITY;
  const exchange = await startTestExchange(t, { temporary: false, dataDir, snapshotMs });
  const journal = new SqliteDatabase(join(dataDir, 'journal.db'), { timeout: 10_000 });
  t.teardown(() => journal.close());
  return { exchange, journal };
}

t.test('while the audit thread is down, audits are refused and nothing else', async (t) => {
  const { exchange, journal } = await startBeside(t);
  const { operator, trader, plain, send } = exchange;
  const [alice, bob] = [await trader(1), await trader(2)];
  await alice.place({ tokenId: plain.tokenIds[0] });
  t.match((await bob.place({ tokenId: plain.tokenIds[1] })).body, { status: 'matched' });
  // Makes reads of all columns of fills fail. Only the audit thread reads them.
  journal.exec(
    'ALTER TABLE fills RENAME TO hidden; ' +
      'CREATE VIEW fills AS SELECT seq, ordinal, abs(-9223372036854775807 - 1) FROM hidden',
  );
  const refused = await operator('GET', '/audit');
  t.match(refused, { status: 503, body: { code: 'reader_unavailable' } });
  t.equal((await send('GET', '/readyz')).status, 200, 'the exchange is still ready');
  t.match((await alice.place({ tokenId: plain.tokenIds[0] })).body, { success: true });
  journal.exec('DROP VIEW fills; ALTER TABLE hidden RENAME TO fills');
  let again = refused;
  while (again.status === 503) {
    await setTimeout(20);
    again = await operator('GET', '/audit');
  }
  t.match(again, { status: 200, body: { ok: true } });
});

t.test('an audit that finds a fault reports it and is counted', async (t) => {
  const { exchange, journal } = await startBeside(t);
  const { operator, trader, plain, running } = exchange;
  const alice = await trader(1);
  await alice.place({ tokenId: plain.tokenIds[0] });
  // A read waits for the projector, which must not meet the fault: it would die of it too.
  t.equal((await operator('GET', '/actions')).status, 200);
  journal.exec('UPDATE commands SET time_ms = time_ms + 1 WHERE seq = 3');
  const { metrics } = running.services;
  const answer = await operator('GET', '/audit');
  t.equal(answer.status, 500);
  t.match(answer.body, { ok: false, fault: /command 3 does not match its checksum/, seq: 0 });
  t.match(answer.body, { collateral: { deposits: '0' }, accounts: 0 }, 'state before the fault');
  t.equal(metrics.violations, 1);
  t.strictSame([...metrics.audits.all()], [['broken', '', 1]]);
  t.match((await alice.place({ tokenId: plain.tokenIds[0] })).body, { success: true });
  // The follower dies of the fault. If it dies while the exchange closes, the close fails.
  const { exchange: store } = running.services;
  const follower = () => store.health().threads.find(({ name }) => name === 'follower');
  while (follower()?.isUp) await setTimeout(5);
});
