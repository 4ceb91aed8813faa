/** Replicas and a core over real sockets: the same state, one's own writes, lost connections. */
import t from 'tap';
import { decodeEntry } from '../../../cluster/log/index.ts';
import { type Engine, stateHash } from '../../../engine/index.ts';
import { type Exchange, StoreError } from '../../../persistence/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { journalOf } from '../../persistence/journal/fixture.ts';
import { contentsOf, readAll } from '../../persistence/journal/read-journal.ts';
import {
  ALICE,
  counterOrder,
  order,
  randomStream,
  type StreamStep,
  submitAll,
  until,
  WORLD,
} from '../../persistence/store-fixture.ts';
import type { OpenLog } from '../open-node.ts';
import { CuttingProxy, freePort, submitUntilAnswered, TestCluster } from './test-cluster.ts';

/** Sends the commands of a random life through some nodes, at their times. */
async function live(
  nodes: readonly Exchange[],
  steps: readonly StreamStep[],
  clock: { ms: number },
) {
  for (const [index, { timeMs, command }] of steps.entries()) {
    clock.ms = timeMs;
    await submitUntilAnswered(nodes[index % nodes.length]!, command);
  }
}

/** Journals are written behind the log. */
function journaledSeq(folder: string): number {
  const journal = new JournalReader(journalOf(folder));
  try {
    return journal.lastSeq;
  } finally {
    journal.close();
  }
}

async function together(nodes: readonly Exchange[]): Promise<void> {
  const newest = Math.max(...nodes.map(({ appliedSeq }) => appliedSeq));
  await until(() => nodes.every(({ appliedSeq }) => appliedSeq === newest));
}

t.test('after a random life all nodes have the same state and journal', async (t) => {
  const cluster = new TestCluster(t);
  const clock = { ms: 0 };
  const core = await cluster.open('core', 'core', { now: () => clock.ms });
  const { steps, engine } = randomStream(7, 1_200);
  await live([core], steps.slice(0, 40), clock);
  const gateways = [await cluster.open('gateway', 'one'), await cluster.open('gateway', 'two')];
  t.equal(gateways[0]!.stateHash(), core.stateHash(), 'a new replica has what came before it');
  await live(gateways, steps.slice(40), clock);
  await together([core, ...gateways]);
  t.equal(core.stateHash(), stateHash(engine.state()));
  for (const gateway of gateways) t.equal(gateway.stateHash(), core.stateHash());
  const { appliedSeq } = core;
  t.ok(appliedSeq > 100, `the life changed something ${appliedSeq} times`);
  for (const node of ['core', 'one', 'two']) {
    await until(() => journaledSeq(cluster.folderOf(node)) === appliedSeq);
  }
  const [expected, ...others] = ['core', 'one', 'two'].map((node) =>
    contentsOf(readAll(cluster.folderOf(node))),
  );
  for (const other of others) t.strictSame(other, expected);
});

t.test('a gateway reads its own writes', async (t) => {
  const cluster = new TestCluster(t);
  await submitAll(await cluster.open('core', 'core'), WORLD);
  const gateway = await cluster.open('gateway', 'gateway');
  for (let number = 1; number <= 20; number += 1) {
    const before = gateway.appliedSeq;
    // In one synchronous run, as a cancel and the read of what it left.
    const answer = gateway.submit(order(number));
    const seen = gateway.read((state) => state.owner(ALICE).orders.length);
    t.equal(await seen, number);
    const { seq, events } = await answer;
    t.equal(seq, before + 1);
    t.equal(events[0]?.kind, 'order_accepted');
  }
  const again = await gateway.submit(order(20));
  t.match(again.events, [{ kind: 'order_duplicate' }], 'what changes nothing carries its events');
  t.equal(again.seq, gateway.appliedSeq);
  const nothing = Number.NaN as never;
  await t.rejects(
    gateway.submit(order(21, { lots: nothing })),
    /lots of a command must be a finite/,
  );
});

t.test('a connection that breaks at any byte loses and repeats nothing', async (t) => {
  const cluster = new TestCluster(t);
  const proxy = new CuttingProxy(t);
  const port = await proxy.listen();
  const feedPort = await freePort();
  const core = await cluster.open('core', 'core', {
    cluster: { feedAddress: `127.0.0.1:${port}`, feedPort },
  });
  proxy.targetPort = feedPort;
  await submitAll(core, WORLD);
  const gateway = await cluster.open('gateway', 'gateway');
  let bytes = 1;
  for (let number = 1; number <= 60; number += 1) {
    if (number % 4 === 0) {
      proxy.bytesUntilCut = bytes;
      bytes = (bytes * 7 + 3) % 900;
    }
    const place = number % 2 === 0 ? counterOrder : order;
    const { events } = await submitUntilAnswered(gateway, place(number));
    const isKnown = events.some(({ kind }) => kind === 'order_duplicate');
    t.ok(isKnown || events.some(({ kind }) => kind === 'order_accepted'), `order ${number}`);
  }
  t.ok(proxy.cuts >= 10, `${proxy.cuts} connections broke`);
  await together([core, gateway]);
  t.equal(gateway.stateHash(), core.stateHash());
  t.equal(core.appliedSeq, WORLD.length + 60);
});

t.test('what is lost with the connection is refused as no_core', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core');
  await submitAll(core, WORLD);
  const gateway = await cluster.open('gateway', 'gateway');
  cluster.logs.cutOff.add('core');
  const isNoCore = (error: unknown) => error instanceof StoreError && error.code === 'no_core';
  const error = await gateway.submit(order(1)).then(
    () => undefined,
    (failure) => failure,
  );
  t.ok(isNoCore(error), 'the core could not commit it');
  t.notOk(gateway.cluster?.isCurrent);
  const read = await gateway
    .read(() => 1)
    .then(
      () => undefined,
      (failure) => failure,
    );
  t.ok(isNoCore(read), 'and the state is not shown while it is not current');
  cluster.logs.cutOff.delete('core');
  const { events } = await submitUntilAnswered(gateway, order(1));
  t.match(events, [{ kind: 'order_duplicate' }], 'the core committed it when the log was back');
});

// The journal noted places of entries whose commands it did not have.
t.test('a replica that can not apply an entry keeps its place before it', async (t) => {
  const cluster = new TestCluster(t);
  let isDamaging = false;
  const openLog: OpenLog = async (options) => {
    const log = await cluster.logs.open(options);
    const unknown = (kinds: readonly string[]) => kinds.map(() => 'no_such_kind');
    return {
      ...log,
      append: (batch, content) =>
        log.append(isDamaging ? { ...batch, kinds: unknown(batch.kinds) } : batch, content),
    };
  };
  const core = await cluster.open('core', 'core', { openLog });
  await submitAll(core, WORLD);
  const gateway = await cluster.open('gateway', 'gateway');
  isDamaging = true;
  await core.submit(order(1));
  await until(() => cluster.failures.has('gateway'));
  await gateway.close().catch(() => undefined);
  const journal = new JournalReader(journalOf(cluster.folderOf('gateway')));
  const { values } = cluster.logs.store;
  const entries = [...values.keys()].filter((key) => key.startsWith('/test/log/'));
  const damaged = entries
    .map((key) => decodeEntry(key, values.get(key)!))
    .find(({ kinds }) => kinds.includes('no_such_kind'));
  t.ok(journal.end().place!.number < damaged!.number);
  t.equal(journal.lastSeq, WORLD.length);
  journal.close();
});

t.test('a replica of another cluster is refused, and says why', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core');
  await submitAll(core, WORLD);
  const secret = { cluster: { masterSecret: Buffer.alloc(32, 8) } };
  await t.rejects(cluster.open('gateway', 'one', secret), /secret/);
  const same = { cluster: { node: 'core' } };
  await t.rejects(cluster.open('gateway', 'two', same), /both called core: give each node/);
  await t.rejects(cluster.open('core', 'three'), /alive: start this node with --role standby/);
});

// It was not noticed, and its snapshot replaced the state of the core.
t.test(
  'a standby whose balances differ from those of the core stops, and says where',
  async (t) => {
    const cluster = new TestCluster(t);
    const core = await cluster.open('core', 'core');
    await submitAll(core, WORLD);
    const standby = await cluster.open('standby', 'standby');
    // Safe: the state of an exchange is its engine. This command comes from nowhere.
    const engine = standby.state as Engine;
    const gift = { kind: 'deposit', account: ALICE, amountMicros: 1, key: 'gift' } as const;
    engine.apply(WORLD.length + 0.5, standby.appliedMs, engine.inputOf({ ...gift } as never));
    await submitAll(core, [order(1)]);
    await until(() => cluster.failures.has('standby'));
    t.match(cluster.failures.get('standby'), {
      code: 'replay_differs',
      message: new RegExp(`command ${WORLD.length + 1} does not replay .* the balances after it`),
    });
  },
);
