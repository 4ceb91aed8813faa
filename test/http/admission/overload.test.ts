// When orders are refused under overload, with a simulated clock and timer.
import { strict as assert } from 'node:assert';
import t from 'tap';
import { Overload, type WaitingOrders } from '../../../http/admission/overload.ts';
import type { Sender } from '../../../http/api/server-hooks.ts';
import { HTTP_BOUNDS, OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/store-bounds.ts';
import { refusalIn } from './limits-fixture.ts';

const BOUNDS = OVERLOAD_BOUNDS;
const { pulseMs, freeOrders, burstWaitMs, congestedWaitMs, lateLoopMs, stalledMs, easedMs } =
  BOUNDS;

const ALICE = { address: '192.0.2.1', owner: '0xa' };
const BOB = { address: '192.0.2.1', owner: '0xb' };
const CAROL = { address: '198.51.100.1', owner: '0xc' };

/** A server that answers orders in order of arrival, some in each pulse. */
class Model {
  nowMs = 1_000;
  commitMs = 0;
  readonly waiting: WaitingOrders[] = [];
  #pulse: (() => void) | undefined;
  readonly overload: Overload;

  /** `assumedOrderMs`: the assumed time for one order, until it has been measured. */
  constructor(assumedOrderMs: number = BOUNDS.assumedOrderMs) {
    this.overload = new Overload({
      bounds: { ...BOUNDS, assumedOrderMs },
      clock: () => this.nowMs,
      commitMs: () => this.commitMs,
      later: (pulse, delayMs) => {
        assert.equal(delayMs, pulseMs);
        assert.equal(this.#pulse, undefined, 'one timer at most');
        this.#pulse = pulse;
      },
    });
  }

  get hasTimer(): boolean {
    return this.#pulse !== undefined;
  }

  /** The details of the refusal; undefined if the request is admitted. */
  refusal(sender: Sender = ALICE): Record<string, unknown> | undefined {
    const error = refusalIn(() => this.overload.admit(sender));
    if (error === undefined) return undefined;
    assert.equal(error.code, 'overloaded');
    return error.details;
  }

  /** Sends `count` orders; returns how many were admitted. */
  send(count: number, sender: Sender = ALICE): number {
    let taken = 0;
    for (let sent = 0; sent < count; sent += 1) {
      if (this.refusal(sender) !== undefined) continue;
      this.waiting.push(this.overload.add(sender, 1));
      taken += 1;
    }
    return taken;
  }

  /** Lets a pulse time plus `lateMs` pass, answers some orders, then runs the pulse. */
  pass(answers: number, lateMs = 0): void {
    this.nowMs += pulseMs + lateMs;
    for (const waiting of this.waiting.splice(0, answers)) waiting.answerAll();
    const pulse = this.#pulse;
    this.#pulse = undefined;
    pulse?.();
  }
}

t.test('a load of half the capacity is never refused', async (t) => {
  const model = new Model();
  for (let pulse = 0; pulse < 500; pulse += 1) {
    if (model.send(80) !== 80) t.fail(`refused at pulse ${pulse}`);
    model.pass(160);
  }
  t.equal(model.overload.isCongested, false);
});

t.test('at twice the capacity the rest is refused and waits do not grow', async (t) => {
  const model = new Model();
  const answersAPulse = 160;
  const waits: number[] = [];
  let taken = 0;
  for (let pulse = 0; pulse < 500; pulse += 1) {
    taken += model.send(2 * answersAPulse);
    model.pass(answersAPulse);
    waits.push(model.overload.oldestMs);
  }
  t.ok(Math.max(...waits) <= burstWaitMs, `${Math.max(...waits)} ms`);
  const late = Math.max(...waits.slice(100));
  t.ok(late <= congestedWaitMs + pulseMs, `a congested queue has the lower target: ${late} ms`);
  t.ok(taken >= 499 * answersAPulse, `refusals cost no capacity: ${taken}`);
  t.equal(model.overload.isCongested, true);
});

t.test('at a hundred times the capacity waits are no longer', async (t) => {
  const model = new Model();
  const waits: number[] = [];
  // The capacity has been measured after these.
  for (let pulse = 0; pulse < 20; pulse += 1) {
    model.send(100);
    model.pass(70);
  }
  for (let pulse = 0; pulse < 100; pulse += 1) {
    model.send(100 * 70);
    model.pass(70);
    waits.push(model.overload.oldestMs);
  }
  t.ok(Math.max(...waits) <= burstWaitMs + pulseMs, `${Math.max(...waits)} ms`);
  const late = Math.max(...waits.slice(50));
  t.ok(late <= congestedWaitMs + pulseMs, `${late} ms`);
});

t.test('a burst that is answered in time is not refused and is no congestion', async (t) => {
  const answersAPulse = 160;
  const model = new Model(pulseMs / answersAPulse);
  const burst = Math.floor((burstWaitMs / pulseMs - 1) * answersAPulse);
  for (let round = 0; round < 5; round += 1) {
    t.equal(model.send(burst), burst);
    while (model.waiting.length > 0) {
      model.pass(answersAPulse);
      t.equal(model.refusal(), undefined);
    }
    model.pass(0);
  }
  t.equal(model.overload.isCongested, false);
});

t.test('the refusal says what is full', async (t) => {
  const model = new Model();
  const answers = 100;
  while (model.refusal() === undefined) {
    model.send(3 * answers);
    model.pass(answers);
  }
  const waitMs = model.refusal();
  t.match(waitMs, { field: 'waitMs', limit: congestedWaitMs, retryAfterSeconds: 1 });
  t.ok(Number(waitMs?.actual) > congestedWaitMs);

  const full = new Model(0);
  for (let order = 0; order < BOUNDS.waitingOrders - 15; order += 1) {
    full.overload.add({ address: `192.0.2.${order % 200}`, owner: '0xa' }, 1);
  }
  t.equal(full.refusal(CAROL), undefined, 'with an assumed time of 0 no wait is expected');
  full.overload.add(BOB, 15);
  t.match(full.refusal(CAROL), {
    field: 'waitingOrders',
    limit: BOUNDS.waitingOrders,
    actual: BOUNDS.waitingOrders,
  });
});

t.test('one owner may fill a quarter of the queue, one network half of it', async (t) => {
  const model = new Model(0);
  const { waitingOrdersPerOwner, waitingOrdersPerNetwork } = BOUNDS;
  t.equal(model.send(10_000), waitingOrdersPerOwner);
  t.match(model.refusal(), { field: 'waitingOrdersPerOwner', limit: waitingOrdersPerOwner });
  t.equal(model.send(10_000, BOB), waitingOrdersPerNetwork - waitingOrdersPerOwner);
  const other = { ...ALICE, owner: '0xd' };
  t.match(model.refusal(other), { field: 'waitingOrdersPerNetwork' }, 'owners cost nothing');
  t.equal(model.refusal({ ...ALICE, address: CAROL.address }), undefined);
  t.equal(model.refusal(CAROL), undefined);
});

t.test('an owner that sends little is not refused for the flood of another', async (t) => {
  for (const quiet of [BOB, CAROL]) {
    const model = new Model();
    const taken = { flood: 0, quiet: 0 };
    for (let pulse = 0; pulse < 200; pulse += 1) {
      taken.flood += model.send(300);
      // The fair queue serves the quiet owner at once, not behind the flood.
      taken.quiet += model.send(3, quiet);
      for (const waiting of model.waiting.splice(-3)) waiting.answerAll();
      model.pass(100);
    }
    t.equal(taken.quiet, 600, quiet.owner);
    t.ok(taken.flood < 200 * 140 && taken.flood > 150 * 100, `of the flood ${taken.flood}`);
  }
});

t.test('an old order counts only against its owner, as long as others are answered', async (t) => {
  const model = new Model();
  const stuck = model.overload.add(ALICE, 1);
  for (let spentMs = 0; spentMs <= stalledMs; spentMs += pulseMs) {
    model.send(1, BOB);
    model.pass(1);
  }
  t.match(model.refusal(), { field: 'oldestOrderMs', limit: stalledMs });
  t.equal(model.refusal(BOB), undefined);
  for (let spentMs = 0; spentMs <= stalledMs; spentMs += pulseMs) model.pass(0);
  t.match(model.refusal(BOB), { field: 'oldestOrderMs' }, 'nothing is answered at all');
  stuck.answerAll();
  t.equal(model.refusal(), undefined);
});

t.test('many wallets behind one address do not crowd out another address', async (t) => {
  const model = new Model();
  let [swarm, most] = [0, 0];
  for (let pulse = 0; pulse < 200; pulse += 1) {
    for (let owner = 0; owner < 300; owner += 1) {
      swarm += model.send(1, { ...ALICE, owner: `0x${pulse}-${owner}` });
    }
    if (model.refusal(CAROL) !== undefined) t.fail(`refused at pulse ${pulse}`);
    model.pass(100);
    if (pulse > 20) most = Math.max(most, model.overload.oldestMs);
  }
  t.ok(swarm > 15_000, `${swarm} taken`);
  t.ok(most <= burstWaitMs + pulseMs, `${most} ms`);
});

t.test('two flooding owners have nearly equal shares, whatever each sends', async (t) => {
  const model = new Model();
  let [first, second] = [0, 0];
  for (let pulse = 0; pulse < 300; pulse += 1) {
    first += model.send(900);
    second += model.send(150, CAROL);
    model.pass(100);
  }
  t.ok(second > 0.6 * first && first > 0.6 * second, `${first} and ${second}`);
});

t.test('a request without a known key has no fair share', async (t) => {
  const model = new Model();
  while (model.refusal() === undefined) {
    model.send(300);
    model.pass(100);
  }
  t.equal(model.refusal(BOB), undefined);
  t.match(model.refusal({ ...BOB, owner: '' }), { code: undefined, limit: congestedWaitMs });
});

t.test('batches count by their orders', async (t) => {
  const one = new Model();
  const waiting = one.overload.add(ALICE, 15);
  t.equal(one.overload.waitingOrders, 15);
  waiting.answerOne();
  t.equal(one.overload.waitingOrders, 14);
  waiting.answerAll();
  waiting.answerAll();
  waiting.answerOne();
  t.equal(one.overload.waitingOrders, 0, 'no order is counted down twice');
});

t.test('a stalled disk refuses orders, however few wait', async (t) => {
  const model = new Model();
  t.equal(model.send(3), 3);
  while (model.overload.oldestMs <= stalledMs) {
    t.equal(model.refusal(), undefined, `after ${model.overload.oldestMs} ms`);
    model.pass(0);
  }
  t.match(model.refusal(), { field: 'oldestOrderMs', limit: stalledMs });
  model.pass(3);
  t.equal(model.refusal(), undefined, 'once the orders are answered');
  t.equal(model.hasTimer, false);
});

// The limit was shown with up to fourteen decimals.
t.test('times in a refusal are whole milliseconds, the actual one above the limit', async (t) => {
  const model = new Model(3.3);
  model.commitMs = 15.849999999999996;
  let refusal: Record<string, unknown> | undefined;
  for (; refusal === undefined; refusal = model.refusal())
    model.waiting.push(model.overload.add(ALICE, 1));
  t.match(refusal, { field: 'waitMs' });
  const { limit, actual } = refusal as { limit: number; actual: number }; // safe: a refusal by time
  t.ok(
    Number.isInteger(limit) && Number.isInteger(actual) && actual > limit,
    `${actual} > ${limit}`,
  );
});

t.test('a slow disk with few orders refuses none', async (t) => {
  const model = new Model();
  for (let commit = 0; commit < 40; commit += 1) {
    t.equal(model.send(freeOrders / 2), freeOrders / 2);
    for (let pulse = 0; pulse < 15; pulse += 1) model.pass(0);
    t.equal(model.refusal(), undefined);
    model.pass(freeOrders / 2);
  }
});

t.test('one long pause is not overload, a loop that stays late is', async (t) => {
  const model = new Model();
  model.send(20);
  model.pass(0, lateLoopMs + 1);
  t.equal(model.refusal(), undefined, 'after one pause');
  model.pass(2);
  model.pass(0, lateLoopMs + 1);
  t.equal(model.refusal(), undefined, 'after another one');
  model.pass(0, lateLoopMs + 1);
  t.match(model.refusal(), { field: 'eventLoopMs', limit: lateLoopMs, actual: lateLoopMs + 1 });
  t.equal(model.refusal(BOB), undefined, 'few orders of this owner wait');
  model.pass(18);
  t.equal(model.refusal(), undefined, 'lateness does not matter while nothing waits');
});

t.test('one pause does not change the measured time of an answer', async (t) => {
  const answers = 160;
  const model = new Model(pulseMs / answers);
  const burst = Math.floor((burstWaitMs / pulseMs / 2) * answers);
  for (let round = 0; round < 3; round += 1) {
    t.equal(model.send(answers), answers);
    // Half of them are answered, and this pulse takes eight times as long as others.
    model.pass(answers / 2, 7 * pulseMs);
    t.equal(model.send(burst), burst, 'a burst is still admitted');
    while (model.waiting.length > 0) model.pass(answers);
  }
  model.send(answers);
  for (let pulse = 0; pulse < 2; pulse += 1) {
    model.send(answers / 2);
    model.pass(answers / 2, 7 * pulseMs);
  }
  t.match(model.refusal(), { field: 'waitMs' }, 'two slow pulses in a row count');
});

t.test('after congestion the lower target applies until waits are short', async (t) => {
  const model = new Model();
  const answers = 160;
  while (model.refusal() === undefined) {
    model.send(2 * answers);
    model.pass(answers);
  }
  t.equal(model.overload.isCongested, true);
  const drained: number[] = [];
  while (model.overload.isCongested) {
    model.send(answers / 2);
    if (model.overload.oldestMs < congestedWaitMs / 2) drained.push(model.nowMs);
    model.pass(answers);
  }
  const easedForMs = model.nowMs - (drained[0] ?? Number.NaN);
  t.ok(easedForMs > easedMs / 2, `${easedForMs} ms`);
  t.ok(easedForMs <= easedMs + 2 * pulseMs, `${easedForMs} ms`);
  t.equal(model.refusal(), undefined);
});

t.test('no timer runs while no order waits, and the measured time is kept', async (t) => {
  const model = new Model();
  t.equal(model.hasTimer, false);
  for (let pulse = 0; pulse < 100; pulse += 1) {
    model.send(1_000);
    model.pass(100);
  }
  t.equal(model.overload.isCongested, true);
  model.pass(Number.POSITIVE_INFINITY);
  t.equal(model.overload.oldestMs, 0);
  t.equal(model.hasTimer, false);
  t.equal(model.refusal(), undefined, 'orders are admitted at once');
  model.nowMs += easedMs + 1;
  t.equal(model.overload.isCongested, false);
  const possible = (burstWaitMs / pulseMs) * 100;
  const taken = model.send(2_000);
  t.ok(Math.abs(taken - possible) < 0.1 * possible, `admits what it can answer: ${taken}`);
});

t.test('orders are refused long before any queue behind them is full', async (t) => {
  for (const limit of [
    HTTP_BOUNDS.pendingRequests,
    HTTP_BOUNDS.pendingVerifications,
    STORE_BOUNDS.waitingCommands,
  ]) {
    t.ok(2 * BOUNDS.waitingOrders <= limit);
  }
});
