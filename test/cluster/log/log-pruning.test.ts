import t from 'tap';
import { LOG_START } from '../../../cluster/log/index.ts';
import { pruneLog, registerNode } from '../../../cluster/log/log-pruning.ts';
import { decodeHolder } from '../../../cluster/log/log-records.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/index.ts';
import { KEYS, part, startCore, storedEntries, TestNode } from './log-fixture.ts';
import type { MemoryStore } from './memory-store.ts';
import { settle } from './test-clock.ts';

/** A log of 50 entries, the first a beat. */
async function longLog() {
  const started = await startCore();
  for (let seq = 1; seq < 50; seq += 1) {
    started.core.log.append(part(seq));
    await settle();
  }
  const holder = decodeHolder(KEYS.epoch, started.store.values.get(KEYS.epoch)!);
  return { ...started, holder };
}

function oldestOf(store: MemoryStore): number | undefined {
  return storedEntries(store)[0]?.number;
}

function placeOf(store: MemoryStore, node = 'core') {
  return { store, keys: KEYS, node, rules: 8 };
}

t.test('entries that all registered nodes have synced are pruned', async (t) => {
  const table: readonly (readonly [string, Readonly<Record<string, number>>, number])[] = [
    ['nobody is registered', {}, 1],
    ['the holder is not registered', { gateway: 30 }, 1],
    ['the holder alone', { core: 30 }, 31],
    ['another node lags', { core: 30, gateway: 12 }, 13],
    ['the holder lags', { core: 5, gateway: 12 }, 6],
    ['a new node has none', { core: 30, gateway: 0 }, 1],
    ['all have all', { core: 50, gateway: 50 }, 50],
    ['a node is ahead of the log', { core: 99 }, 50],
  ];
  for (const [name, nodes, oldest] of table) {
    const { store, core, holder } = await longLog();
    for (const [node, number] of Object.entries(nodes)) {
      await registerNode(placeOf(store, node), { ...LOG_START, number });
    }
    const { hasPruned } = await pruneLog(placeOf(store), { holder });
    t.same(oldestOf(store), oldest, name);
    t.same(hasPruned, oldest > 1, name);
    t.match(await core.log.look({ number: 50, check: storedEntries(store).at(-1)!.check }), {
      oldest,
    });
    core.log.append(part(50));
    await settle();
    t.same(core.last?.kind, 'committed', name);
    core.log.close();
  }
});

t.test('a log that is too large does not wait for nodes that lag', async (t) => {
  const { store, core, holder } = await longLog();
  await registerNode(placeOf(store, 'core'), { ...LOG_START, number: 40 });
  await registerNode(placeOf(store, 'gone'), { ...LOG_START, number: 2 });
  await pruneLog(placeOf(store), { holder });
  t.same(oldestOf(store), 3);
  await pruneLog(placeOf(store), { holder, keptBytes: 1_000 });
  t.same(oldestOf(store), 41, 'but for the holder');
  core.log.close();
});

t.test('a deposed node prunes nothing', async (t) => {
  const { store, clock, core, holder } = await longLog();
  await registerNode(placeOf(store), { ...LOG_START, number: 40 });
  const standby = new TestNode(store, clock, 'standby');
  await standby.log.look(LOG_START);
  await standby.log.claim(LOG_START);
  t.match(await pruneLog(placeOf(store), { holder }), { hasPruned: false });
  t.same(oldestOf(store), 1);
  core.log.close();
  standby.log.close();
});

t.test('the holder prunes from time to time and gives back the space', async (t) => {
  const { store, clock, core } = await longLog();
  await core.log.keepFor({ ...LOG_START, number: 20 });
  await clock.advance(10_000);
  t.same(oldestOf(store), 21);
  t.same(store.compacted, [], 'readers may need what was removed just now');
  const { revision } = store;
  await core.log.keepFor({ ...LOG_START, number: 30 });
  store.fates.push('done', 'request_lost');
  await clock.advance(10_000);
  t.ok((store.compacted[0] ?? revision) < revision);
  await clock.advance(10_000);
  t.same(oldestOf(store), 31, 'an outage only delays it');
  core.log.close();
  t.same(clock.timerCount, 0);
});

t.test('many entries are pruned in several transactions', async (t) => {
  const { store, core, clock } = await longLog();
  for (let seq = 50; seq < 50 + 1.5 * STORE_BOUNDS.entriesPruned; seq += 1) {
    core.log.append(part(seq));
    await settle();
  }
  await core.log.keepFor({ ...LOG_START, number: 1_400 });
  await clock.advance(10_000);
  t.same(oldestOf(store), 1_401);
  core.log.close();
});

t.test('the number of registered nodes has a bound', async (t) => {
  const { store, core } = await startCore();
  for (let count = 0; count < STORE_BOUNDS.registeredNodes; count += 1) {
    await registerNode(placeOf(store, `node-${count}`), LOG_START);
  }
  await registerNode(placeOf(store, 'node-0'), { ...LOG_START, number: 1 });
  const refusal = {
    code: 'log_refused',
    message: /256 nodes are registered .*, which is the limit/,
  };
  await t.rejects(core.log.keepFor(LOG_START), refusal);
  const nodes = async () => new Map((await core.log.registered()).map((one) => [one.node, one]));
  t.notOk((await nodes()).has('core'));
  await core.log.forget('node-7');
  await core.log.keepFor(LOG_START);
  t.match((await nodes()).get('node-0'), { number: 1 });
  core.log.close();
});
