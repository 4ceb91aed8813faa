import t from 'tap';
import type { Caller } from '../../../http/api/request.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { type HeartbeatClock, Heartbeats } from '../../../http/orders/heartbeats.ts';
import { StoreError } from '../../../persistence/index.ts';

const WINDOW_MS = 15_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OTHER_ID = '00000000-0000-4000-8000-000000000001';

function callerOf(owner: string): Caller {
  return {
    owner,
    apiKey: 'key',
    purpose: 'trading',
    nonce: '',
    hmac: new Uint8Array(0),
  };
}

/** A clock that a test moves. Due timers then act in order. */
class TestClock implements HeartbeatClock {
  nowMs = 1_000;
  readonly #timers = new Set<{ atMs: number; act: () => void }>();

  now(): number {
    return this.nowMs;
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Moves the clock by `ms`, and waits until what this starts is done. */
  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    for (const timer of [...this.#timers]) {
      if (timer.atMs > this.nowMs || !this.#timers.delete(timer)) continue;
      timer.act();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type Trip = (owner: string, id: string) => Promise<number>;

/** Heartbeats with an intake that records its calls. */
function start({ trip = async () => 0 }: { trip?: Trip } = {}) {
  const clock = new TestClock();
  const asked: string[] = [];
  const logged: string[] = [];
  const heartbeats = new Heartbeats({
    intake: {
      armSwitch: async ({ owner }, id) => {
        asked.push(`arm ${owner} ${id}`);
      },
      tripSwitch: (owner, id) => {
        asked.push(`trip ${owner} ${id}`);
        return trip(owner, id);
      },
    },
    windowMs: WINDOW_MS,
    clock,
    log: {
      info: (_: unknown, text?: string) => logged.push(text ?? ''),
      warn: (_: unknown, text?: string) => logged.push(text ?? ''),
    },
  });
  const beat = (owner: string, id = ''): Promise<string> => heartbeats.beat(callerOf(owner), id);
  /** The id in the error of a refused beat. */
  const told = async (owner: string, id: string): Promise<string> => {
    const failure: unknown = await beat(owner, id).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof ApiError)) throw new Error('the beat was not refused');
    t.equal(failure.code, 'invalid_heartbeat_id');
    t.match(failure.details, { field: 'heartbeat_id', actual: id, heartbeat_id: UUID });
    return String(failure.details.heartbeat_id);
  };
  return { heartbeats, clock, asked, logged, beat, told };
}

t.test('the first beat arms, later ones keep it alive, and silence trips it once', async (t) => {
  const { clock, asked, logged, beat } = start();
  const id = await beat('alice');
  t.match(id, UUID);
  for (let round = 0; round < 10; round++) {
    await clock.pass(WINDOW_MS - 1);
    t.equal(await beat('alice', round % 2 === 0 ? id : ''), id, 'with its id or without');
  }
  t.strictSame(asked, [`arm alice ${id}`], 'later beats are no commands');
  await clock.pass(WINDOW_MS - 1);
  t.strictSame(asked, [`arm alice ${id}`]);
  await clock.pass(1);
  t.strictSame(asked, [`arm alice ${id}`, `trip alice ${id}`]);
  await clock.pass(10 * WINDOW_MS);
  t.equal(asked.length, 2, 'nothing is armed any more');
  t.strictSame(logged, ["a dead man's switch tripped"]);
  t.equal(clock.timers, 0);
});

t.test('a wrong id is refused with the right one and is no heartbeat', async (t) => {
  const { clock, asked, beat, told } = start();
  const id = await beat('alice');
  await clock.pass(WINDOW_MS - 1);
  t.equal(await told('alice', OTHER_ID), id);
  t.equal(await told('alice', 'x'), id);
  await clock.pass(1);
  t.equal(asked.at(-1), `trip alice ${id}`);
});

t.test('after a trip the old id is refused once, and the offered id arms again', async (t) => {
  const { clock, asked, beat, told } = start();
  const old = await beat('alice');
  await clock.pass(WINDOW_MS);
  const offered = await told('alice', old);
  t.not(offered, old);
  t.equal(await told('alice', old), offered, 'the offer is repeated');
  t.equal(await beat('alice', offered), offered);
  t.equal(asked.at(-1), `arm alice ${offered}`);
  t.equal(await beat('alice', offered), offered);
  t.equal(await told('alice', old), offered);
  t.equal(asked.length, 3);
});

t.test('after a trip a client can arm with an empty id', async (t) => {
  const { clock, asked, beat } = start();
  await beat('alice');
  await clock.pass(WINDOW_MS);
  const id = await beat('alice');
  t.equal(asked.at(-1), `arm alice ${id}`);
});

t.test('every client loop recovers, whatever it sends first', async (t) => {
  for (const first of ['', OTHER_ID, 'x']) {
    const { clock, beat } = start();
    let id = first;
    let refusals = 0;
    for (let round = 0; round < 12; round++) {
      try {
        id = await beat('alice', id);
      } catch (failure) {
        refusals += 1;
        id = failure instanceof ApiError ? String(failure.details.heartbeat_id) : '';
      }
      // Twice the client sleeps too long.
      await clock.pass(round === 4 || round === 8 ? WINDOW_MS : 5_000);
    }
    t.equal(refusals, first === '' ? 2 : 3, `"${first}"`);
    t.equal(await beat('alice', id), id);
  }
});

t.test('one timer serves all owners', async (t) => {
  const { clock, asked, beat } = start();
  const ids = new Map<string, string>();
  for (const owner of ['alice', 'bob', 'carol']) {
    ids.set(owner, await beat(owner));
    await clock.pass(1_000);
    t.equal(clock.timers, 1);
  }
  await beat('alice', ids.get('alice'));
  await clock.pass(WINDOW_MS - 2_000);
  t.strictSame(asked.slice(3), [`trip bob ${ids.get('bob')}`]);
  await clock.pass(1_000);
  t.strictSame(asked.slice(4), [`trip carol ${ids.get('carol')}`]);
  await clock.pass(1_000);
  t.strictSame(asked.slice(5), [`trip alice ${ids.get('alice')}`]);
});

t.test('first beats that arrive together arm one switch', async (t) => {
  const { asked, beat } = start();
  const [first, second] = await Promise.all([beat('alice'), beat('alice')]);
  t.equal(first, second);
  t.equal(asked.length, 1);
});

t.test('a beat during a trip waits for its end', async (t) => {
  const gate = Promise.withResolvers<number>();
  const { clock, asked, beat, told } = start({ trip: () => gate.promise });
  const id = await beat('alice');
  await clock.pass(WINDOW_MS);
  const answers = [beat('alice'), told('alice', id)];
  await clock.pass(1);
  t.equal(asked.length, 2, 'nothing is armed before the trip is done');
  gate.resolve(3);
  const [armed, offered] = await Promise.all(answers);
  t.strictSame(asked.slice(2), [`arm alice ${armed}`]);
  t.equal(offered, armed);
});

t.test('a trip that is refused is tried again until it is done', async (t) => {
  let refusals = 3;
  const { clock, asked, logged, beat } = start({
    trip: async () => {
      refusals -= 1;
      if (refusals >= 0) throw new ApiError('overloaded');
      return 0;
    },
  });
  const id = await beat('alice');
  await clock.pass(WINDOW_MS);
  await clock.pass(999);
  t.equal(asked.length, 2);
  for (let round = 0; round < 10; round++) await clock.pass(1_000);
  t.strictSame(asked.slice(1), Array(4).fill(`trip alice ${id}`));
  t.match(logged, [/tried again/, /tried again/, /tried again/, /tripped/]);
  t.equal(clock.timers, 0);
});

t.test('a trip that fails because the exchange stops is harmless', async (t) => {
  const { clock, asked, logged, beat } = start({
    trip: () => Promise.reject(new StoreError('stopping', 'the exchange is stopping')),
  });
  await beat('alice');
  await clock.pass(WINDOW_MS);
  await clock.pass(WINDOW_MS);
  t.equal(asked.length, 2, 'it is not tried again');
  t.strictSame(logged, []);
});

t.test('after a stop nothing trips and no timer runs', async (t) => {
  const { heartbeats, clock, asked, beat } = start();
  const id = await beat('alice');
  heartbeats.stop();
  t.equal(clock.timers, 0);
  await beat('alice', id);
  await beat('bob');
  t.equal(clock.timers, 0);
  await clock.pass(2 * WINDOW_MS);
  t.equal(asked.filter((command) => command.startsWith('trip')).length, 0);
});

t.test('switches from the journal get a new window', async (t) => {
  const { heartbeats, clock, asked, beat } = start();
  heartbeats.restore([
    { owner: 'alice', heartbeatId: OTHER_ID },
    { owner: 'bob', heartbeatId: OTHER_ID },
  ]);
  await clock.pass(WINDOW_MS - 1);
  t.equal(await beat('alice', OTHER_ID), OTHER_ID);
  await clock.pass(1);
  t.strictSame(asked, [`trip bob ${OTHER_ID}`]);
});

t.test('many due switches trip a few at a time', async (t) => {
  let underWay = 0;
  let most = 0;
  const { heartbeats, clock, asked } = start({
    trip: async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return 0;
    },
  });
  const owners = Array.from({ length: 1_000 }, (_, index) => `owner ${index}`);
  heartbeats.restore(owners.map((owner) => ({ owner, heartbeatId: OTHER_ID })));
  await clock.pass(WINDOW_MS);
  for (let round = 0; round < 20; round++) await clock.pass(0);
  t.strictSame(
    asked,
    owners.map((owner) => `trip ${owner} ${OTHER_ID}`),
  );
  t.ok(most < owners.length / 2, `${most} at a time`);
});

t.test('a refused arming is reported and arms nothing', async (t) => {
  const clock = new TestClock();
  const logged: unknown[] = [];
  const heartbeats = new Heartbeats({
    intake: {
      armSwitch: () => Promise.reject(new ApiError('api_key_revoked')),
      tripSwitch: () => Promise.reject(new Error('nothing is armed')),
    },
    windowMs: WINDOW_MS,
    clock,
    log: {
      info: (fields: unknown) => logged.push(fields),
      warn: (fields: unknown) => logged.push(fields),
    },
  });
  await t.rejects(heartbeats.beat(callerOf('alice'), ''), { code: 'api_key_revoked' });
  await clock.pass(WINDOW_MS);
  t.strictSame(logged, []);
});
