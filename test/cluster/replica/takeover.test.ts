/** A standby takes over: nothing that was acknowledged is lost, and the old core ends. */
import t from 'tap';
import { StoreError } from '../../../persistence/index.ts';
import { order, submitAll, until, WORLD } from '../../persistence/store-fixture.ts';
import { submitUntilAnswered, TestCluster } from './test-cluster.ts';

t.test('a standby takes over in the middle of a load', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core');
  await submitAll(core, WORLD);
  const standby = await cluster.open('standby', 'standby');
  const gateway = await cluster.open('gateway', 'gateway');
  const seqs = new Map<number, number>();
  let isOver = false;
  const load = async (first: number): Promise<void> => {
    for (let number = first; !isOver; number += 4) {
      const { seq, events } = await submitUntilAnswered(gateway, order(number));
      const [event] = events;
      seqs.set(number, event?.kind === 'order_duplicate' ? event.acceptedSeq : seq);
    }
  };
  const loads = [1, 2, 3, 4].map(load);
  await until(() => seqs.size > 20);
  cluster.logs.cutOff.add('core');
  const late = core.submit(order(1_000_000));
  let isAnswered = false;
  late.then(
    () => {
      isAnswered = true;
    },
    () => undefined,
  );
  await until(() => standby.cluster?.state === 'leading');
  const before = seqs.size;
  await until(() => seqs.size > before + 20);
  isOver = true;
  await Promise.all(loads);
  t.equal(standby.cluster?.epoch, 2);
  await until(() => gateway.appliedSeq === standby.appliedSeq);
  t.equal(gateway.stateHash(), standby.stateHash());
  const owner = gateway.state.owner(order(1).owner);
  const known = new Set(owner.orders.map(({ orderId }) => orderId));
  for (const number of seqs.keys()) {
    t.ok(known.has(order(number).orderId), `order ${number} was answered and is there`);
  }
  t.equal(new Set(seqs.values()).size, seqs.size, 'each order was accepted once');

  cluster.logs.cutOff.delete('core');
  await until(() => cluster.failures.has('core'));
  const failure = cluster.failures.get('core');
  t.ok(failure instanceof StoreError && failure.code === 'deposed');
  t.match(failure?.message, /standby has become the core with epoch 2/);
  t.notOk(isAnswered, 'it acknowledged nothing');
  t.notOk(known.has(order(1_000_000).orderId));
});

t.test('a core that stops gives its place away, and nobody waits for a silence', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core');
  await submitAll(core, WORLD);
  const acknowledged = core.submit(order(1));
  const closed = core.close();
  await acknowledged;
  await closed;
  const holder = cluster.logs.store.values.get('/test/epoch');
  t.match(JSON.parse(`${holder}`), { epoch: 1, node: 'core', hasResigned: true });
  const next = await cluster.open('core', 'next');
  t.match([next.cluster?.epoch, next.appliedSeq], [2, WORLD.length + 1]);
});

t.test('a node that starts again has what it missed', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core');
  await submitAll(core, WORLD);
  const gateway = await cluster.open('gateway', 'gateway');
  await gateway.submit(order(1));
  await gateway.close();
  for (let number = 2; number <= 30; number += 1) await core.submit(order(number));
  const again = await cluster.open('gateway', 'gateway');
  t.equal(again.recovered.replayed, WORLD.length + 1, 'its journal has what it had');
  t.equal(again.stateHash(), core.stateHash());
  await core.close();
  const next = await cluster.open('core', 'core');
  t.equal(next.cluster?.epoch, 2, 'a core starts again when the log is silent');
  await until(() => again.cluster?.isCurrent === true && again.cluster.epoch === 2);
  const { events } = await submitUntilAnswered(again, order(31));
  t.match(events, [{ kind: 'order_accepted' }]);
});

// It took over and expired the orders of the next hour.
t.test('a standby whose clock is ahead of the core does not take over', async (t) => {
  const cluster = new TestCluster(t);
  const core = await cluster.open('core', 'core');
  await submitAll(core, WORLD);
  let aheadMs = 120_000;
  const troubles: string[] = [];
  const standby = await cluster.open('standby', 'standby', {
    now: () => Date.now() + aheadMs,
    cluster: { clockJumpMs: 60_000 },
    onEvent: (event) => {
      if (event.kind === 'cluster_trouble') troubles.push(event.error.message);
    },
  });
  await until(() => standby.cluster.isCurrent);
  await core.close();
  await until(() => troubles.some((one) => /1[12]\d seconds ahead .* 60 are allowed/.test(one)));
  t.equal(standby.cluster.state, 'connecting');
  aheadMs = 30_000;
  await until(() => standby.cluster.state === 'leading');
});
