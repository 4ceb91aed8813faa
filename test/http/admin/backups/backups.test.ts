// Backups and snapshots that the operator makes while the exchange runs.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { shareTestExchange, startTestExchange } from '../../exchange-fixture.ts';
import { scrape, total } from '../../metrics/scrape.ts';

const dataDir = join(temporaryFolder(t), 'data');
const exchange = await startTestExchange(t, { temporary: false, dataDir, snapshotMs: 0 });
const { operator, running, plain } = exchange;

/** Safe: a wrong field fails the comparison that uses it. */
async function read(path: string) {
  return JSON.parse((await operator('GET', path)).text);
}

t.test('a backup is made while the exchange trades', async (t) => {
  const folder = join(dataDir, 'backups');
  t.strictSame(await read('/backups'), { folder, running: null, last: null, data: [] });
  for (const name of ['backup_seq', 'backup_time_seconds', 'snapshot_seq']) {
    t.equal((await scrape(exchange)).get(`outcome_exchange_${name}`)?.values.size, 0, name);
  }
  const alice = await exchange.trader(1);
  const { durableSeq } = running.services.exchange;
  const begun = await operator('POST', '/backups');
  t.match([begun.status, begun.body], [200, { name: /^backup-\d{8}T\d{6}\.\d{3}Z\.tar$/ }]);
  const second = await operator('POST', '/backups');
  t.match([second.status, second.body.code], [409, 'backup_busy']);
  t.match(await read('/backups'), { running: { name: /^backup-/, bytes: Number }, data: [] });
  t.equal((await alice.place({ tokenId: plain.tokenIds[0] })).status, 200);
  let shown = await read('/backups');
  for (; shown.running !== null; shown = await read('/backups')) await setTimeout(20);
  const [made] = shown.data;
  const { name, seq, bytes } = made;
  t.ok(seq >= durableSeq, 'it has everything from before');
  t.match(shown.last, { name, seq, bytes, error: '', sha256: /^[0-9a-f]{64}$/ });
  const families = await scrape(exchange);
  t.equal(total(families, 'outcome_exchange_backup_seq'), seq);
  const madeMs = total(families, 'outcome_exchange_backup_time_seconds') * 1_000;
  t.equal(new Date(madeMs).toISOString(), made.made_at);
  const unknown = await operator('DELETE', '/backups/..%2fjournal.db');
  t.match([unknown.status, unknown.body.code], [404, 'backup_unknown']);
  t.strictSame((await operator('DELETE', `/backups/${name}`)).body, made);
  t.strictSame((await read('/backups')).data, []);
});

t.test('a snapshot is made on request, of everything before it', async (t) => {
  const alice = await exchange.trader(2);
  t.match(await read('/snapshots'), { every_seconds: 0, data: [] });
  const { durableSeq } = running.services.exchange;
  const made = await operator('POST', '/snapshots');
  t.match([made.status, made.body], [200, { seq: durableSeq, bytes: Number, made_at: String }]);
  t.match(await read('/snapshots'), { durable_seq: durableSeq, data: [made.body] });
  const families = await scrape(exchange);
  t.equal(total(families, 'outcome_exchange_snapshot_seq'), durableSeq);
  const madeMs = total(families, 'outcome_exchange_snapshot_time_seconds') * 1_000;
  t.match(made.body, { made_at: new Date(madeMs).toISOString() });
  t.strictSame((await operator('POST', '/snapshots')).body, made.body, 'nothing changed since');
  t.equal((await alice.place({ tokenId: plain.tokenIds[0] })).status, 200);
  const [next, same] = await Promise.all(
    ['/snapshots', '/snapshots'].map((path) => operator('POST', path)),
  );
  t.match(next?.body, { seq: durableSeq + 1 });
  t.strictSame(same?.body, next?.body);
  t.equal((await read('/snapshots')).data.length, 2);
});

t.test('an exchange in memory has neither', async (t) => {
  const inMemory = (await shareTestExchange(t))();
  const rows = [
    ['GET', '/backups', 'backups'],
    ['POST', '/backups', 'backups'],
    ['DELETE', '/backups/x', 'backups'],
    ['GET', '/snapshots', 'snapshots'],
    ['POST', '/snapshots', 'snapshots'],
  ] as const;
  for (const [method, path, field] of rows) {
    const { status, body } = await inMemory.operator(method, path);
    t.match([status, body], [409, { code: 'nothing_kept', field }], `${method} ${path}`);
  }
});
