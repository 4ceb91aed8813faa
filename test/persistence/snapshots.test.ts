import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFor, order, submitAll, WORLD } from './store-fixture.ts';

t.test('an exchange that stops leaves a snapshot that the next start begins from', async (t) => {
  const dataDir = temporaryFolder(t);
  const failed: Error[] = [];
  const exchange = await openFor(t, dataDir, { onSnapshotFailed: (error) => failed.push(error) });
  await submitAll(exchange, [...WORLD, order(1), order(2)]);
  const hash = exchange.stateHash();
  await exchange.close();
  t.same(failed, []);
  t.same(readdirSync(join(dataDir, 'snapshots')), ['000000000000005.snapshot']);
  const again = await openFor(t, dataDir);
  t.match(again.recovered, { snapshotSeq: 5, replayed: 0 });
  t.equal(again.stateHash(), hash);
});
