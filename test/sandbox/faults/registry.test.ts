import t from 'tap';
import { FAULT_BOUNDS } from '../../../sandbox/faults/bounds.ts';
import type { FaultDefinition } from '../../../sandbox/faults/fault.ts';
import type { FaultMatch, FaultSubject } from '../../../sandbox/faults/match.ts';
import { FaultRegistry } from '../../../sandbox/faults/registry.ts';
import { RATE_LIMITED, UNAVAILABLE } from '../../../sandbox/faults/request-kinds.ts';

const SUBJECT: FaultSubject = {
  requestId: 'r',
  method: 'GET',
  path: '/data/order/0xab',
  pattern: '/data/order/{id}',
  apiKey: 'key',
  owner: '0xowner',
  accounts: ['0xone', '0xtwo'],
  markets: ['0xm1', '0xm2'],
  userAgent: 'Mozilla/5.0 Chrome/140',
};

function definition(changes: Partial<FaultDefinition> = {}): FaultDefinition {
  return {
    kind: UNAVAILABLE,
    match: {},
    probability: 1,
    count: undefined,
    skip: 0,
    seed: 1,
    afterSeconds: 0,
    forSeconds: undefined,
    parameters: { retry_after_seconds: 1 },
    ...changes,
  };
}

/** For each of `times` subjects, whether a fault fires. */
function firings(changes: Partial<FaultDefinition>, times: number): readonly boolean[] {
  const faults = new FaultRegistry(() => 0);
  faults.add(definition(changes));
  const ask = (): boolean => faults.sites.request.fire(UNAVAILABLE, SUBJECT) !== undefined;
  return Array.from({ length: times }, ask);
}

t.test('a fault matches what has all the values that it names', async (t) => {
  const rows: [FaultMatch, boolean][] = [
    [{}, true],
    [{ apiKey: 'key' }, true],
    [{ apiKey: 'other' }, false],
    [{ owner: '0xowner' }, true],
    [{ owner: '0xone' }, false],
    [{ account: '0xtwo' }, true],
    [{ account: '0xowner' }, false],
    [{ market: '0xm2' }, true],
    [{ market: '0xm3' }, false],
    [{ method: 'GET' }, true],
    [{ method: 'POST' }, false],
    [{ path: '/data/order/0xab' }, true],
    [{ path: '/data/order/{id}' }, true],
    [{ path: '/data/order' }, false],
    [{ userAgent: 'mozilla' }, true],
    [{ userAgent: 'node' }, false],
    [{ method: 'GET', path: '/data/order/{id}', market: '0xm1', account: '0xone' }, true],
    [{ method: 'GET', path: '/data/order/{id}', market: '0xm1', account: '0xthree' }, false],
  ];
  for (const [match, matches] of rows) {
    t.strictSame(firings({ match }, 1), [matches], JSON.stringify(match));
  }
});

t.test('a fault for a key and an owner matches a trade in which one party has both', async (t) => {
  const subject = { ...SUBJECT, others: [{ apiKey: 'maker', owner: '0xmaker' }] };
  const rows: [FaultMatch, boolean][] = [
    [{ apiKey: 'maker' }, true],
    [{ apiKey: 'maker', owner: '0xmaker' }, true],
    [{ apiKey: 'key', owner: '0xowner' }, true],
    [{ apiKey: 'key', owner: '0xmaker' }, false],
  ];
  for (const [match, matches] of rows) {
    const faults = new FaultRegistry(() => 0);
    faults.add(definition({ match }));
    const firing = faults.sites.request.fire(UNAVAILABLE, subject);
    t.equal(firing !== undefined, matches, JSON.stringify(match));
  }
});

t.test('skip and count choose which matches it fires for', async (t) => {
  t.strictSame(firings({ skip: 2, count: 2 }, 6), [false, false, true, true, false, false]);
});

t.test('the same seed gives the same firings, another seed others', async (t) => {
  const first = firings({ probability: 0.3, seed: 7 }, 1_000);
  t.strictSame(firings({ probability: 0.3, seed: 7 }, 1_000), first);
  t.notSame(firings({ probability: 0.3, seed: 8 }, 1_000), first);
  const fired = first.filter(Boolean).length;
  t.ok(fired > 250 && fired < 350, `${fired} of 1,000 at a probability of 0.3`);
});

t.test('of two faults of a kind the oldest that fires is the one', async (t) => {
  const faults = new FaultRegistry(() => 0);
  const first = faults.add(definition({ skip: 1, count: 1 }));
  const second = faults.add(definition());
  const ask = () => faults.sites.request.fire(UNAVAILABLE, SUBJECT)?.fault.id;
  t.strictSame([ask(), ask(), ask()], [second.id, first.id, second.id]);
});

t.test('a fault of another kind or of another site does not fire', async (t) => {
  const faults = new FaultRegistry(() => 0);
  faults.add(definition());
  t.equal(faults.sites.request.fire(RATE_LIMITED, SUBJECT), undefined);
  t.equal(faults.sites.stream.isArmed, false);
});

t.test('it lasts from and to a time of the clock that the registry is given', async (t) => {
  let nowMs = 1_000;
  const faults = new FaultRegistry(() => nowMs);
  const fault = faults.add(definition({ afterSeconds: 2, forSeconds: 3 }));
  const rows: [number, string, number | undefined][] = [
    [1_000, 'waiting', undefined],
    [2_999, 'waiting', undefined],
    [3_000, 'active', 0],
    [5_999, 'active', 2_999],
    [6_000, 'over', undefined],
  ];
  for (const [timeMs, state, sinceMs] of rows) {
    nowMs = timeMs;
    t.equal(fault.stateAt(nowMs), state);
    t.equal(faults.sites.request.fire(UNAVAILABLE, SUBJECT)?.sinceMs, sinceMs, `${timeMs}`);
  }
  t.equal(fault.matched, 2, 'outside of its time nothing matches');
});

t.test('a site is armed while a fault may fire', async (t) => {
  const faults = new FaultRegistry(() => 0);
  const { request } = faults.sites;
  t.equal(request.isArmed, false);
  const fault = faults.add(definition({ count: 1 }));
  t.equal(request.isArmed, true);
  request.fire(UNAVAILABLE, SUBJECT);
  t.equal(request.isArmed, false, 'it is spent');
  t.equal(fault.stateAt(0), 'spent');
  faults.add(definition());
  t.equal(request.isArmed, true);
  faults.clear();
  t.equal(request.isArmed, false);
});

t.test('a hit has the beginning of a long path', async (t) => {
  const faults = new FaultRegistry(() => 5);
  const fault = faults.add(definition());
  const path = `/${'x'.repeat(5_000)}`;
  faults.sites.request.fire(UNAVAILABLE, { ...SUBJECT, path });
  t.equal(fault.hits[0]?.path, path.slice(0, FAULT_BOUNDS.pathCharacters));
});

t.test('the newest hits are kept, each with what was done', async (t) => {
  const faults = new FaultRegistry(() => 5);
  const fault = faults.add(definition());
  const all = FAULT_BOUNDS.hitsPerFault + 3;
  for (let turn = 1; turn <= all; turn += 1) {
    faults.sites.request.fire(UNAVAILABLE, SUBJECT)?.note(`turn ${turn}`);
  }
  t.equal(fault.fired, all);
  t.equal(fault.hits.length, FAULT_BOUNDS.hitsPerFault);
  const { requestId, method, path, owner } = SUBJECT;
  const hit = { requestId, method, path, owner, account: '0xone', market: '0xm1', timeMs: 5 };
  t.strictSame(fault.hits[0], { ...hit, done: 'turn 4' });
});

t.test('what was removed lets go of what it holds, and is not in the list', async (t) => {
  const faults = new FaultRegistry(() => 0);
  const [first, second] = [faults.add(definition()), faults.add(definition())];
  t.equal(faults.remove(first.id), first);
  t.equal(first.removal.aborted, true);
  t.equal(second.removal.aborted, false);
  t.equal(faults.remove(first.id), undefined);
  t.strictSame(faults.clear(), [second]);
  t.equal(second.removal.aborted, true);
  t.strictSame(faults.faults, []);
});

t.test('there is room for a bounded number of faults, also of those that are over', async (t) => {
  const faults = new FaultRegistry(() => 0);
  for (let nth = 0; nth < FAULT_BOUNDS.faults; nth += 1) faults.add(definition());
  const details = { limit: FAULT_BOUNDS.faults, actual: FAULT_BOUNDS.faults };
  t.throws(() => faults.add(definition()), { code: 'too_many_faults', details });
  faults.remove('1');
  t.equal(faults.add(definition()).id, String(FAULT_BOUNDS.faults + 1));
});
