// The time of commands: it follows the wall clock while that keeps pace with the monotonic clock.
// And what the exchange does when it does not.
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { TradingState } from '../../../engine/index.ts';
import { DEFAULT_PROFILE } from '../../../http/profiles/profiles.ts';
import { times } from '../../long-set.ts';
import { until } from '../../persistence/store-fixture.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { START_MS, startTestExchange, type TestExchange } from '../exchange-fixture.ts';
import { scrape, total } from '../metrics/scrape.ts';
import { makeClock } from './make-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

t.test('a wall clock is followed up to clockJumpMs', async (t) => {
  const rows: readonly (readonly [what: string, more: number, jumpMs: number])[] = [
    ['not at all', 0, 0],
    ['a slew', 3, 0],
    ['a minute forward', MINUTE, 0],
    ['a minute back', -MINUTE, 0],
    ['more than a minute forward', MINUTE + 1, MINUTE + 1],
    ['more than a minute back', -MINUTE - 1, -MINUTE - 1],
    ['a night of sleep', 8 * HOUR, 8 * HOUR],
  ];
  for (const [what, more, jumpMs] of rows) {
    const { clock, sides, pass } = makeClock();
    const timeMs = pass(1_000, more);
    t.equal(clock.jumpMs, jumpMs, what);
    t.equal(timeMs, jumpMs === 0 ? sides.wallMs : START_MS + 1_000, `${what}: the time`);
  }
});

t.test('slow drift is followed without limit', async (t) => {
  const { clock, sides, pass } = makeClock();
  for (let second = 0; second < times(100_000, 1_000_000); second += 1) pass(1_000, 1);
  t.equal(clock.now(), sides.wallMs);
  t.equal(clock.jumps, 0, 'a thousand seconds in twelve days');
});

t.test('a jump is logged once, and the clock is not followed until it is trusted', async (t) => {
  const { clock, told, sides, pass } = makeClock();
  pass(10, HOUR);
  t.equal(pass(500.7), START_MS + 510, 'whole milliseconds of the monotonic clock');
  t.equal(pass(100, -HOUR), START_MS + 610, 'also when it comes back by itself');
  pass(100, 5 * HOUR);
  t.equal(told.length, 1);
  t.match(told[0], /^warn the wall clock jumped/);
  t.equal(clock.jumps, 1);
  clock.trust();
  t.equal(clock.now(), sides.wallMs);
  t.equal(clock.jumpMs, 0);
  t.match(told.slice(1), [/^info/]);
  pass(1_000, -HOUR);
  t.equal(clock.jumps, 2, 'and it may jump again');
});

const step = fc.record({
  passMs: fc.integer({ min: 0, max: 5 * MINUTE }),
  more: fc.oneof(
    fc.constant(0),
    fc.integer({ min: -MINUTE - 3, max: MINUTE + 3 }),
    fc.integer({ min: -HOUR, max: HOUR }),
  ),
  isTrusted: fc.boolean(),
});

t.test('the time never moves by a jump', (t) => {
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const { clock, sides, pass } = makeClock();
    let timeMs = START_MS;
    /** Expected times: by the wall clock without jumps, and from a lead on (0 without a lead). */
    let followedMs = START_MS;
    let leadingMs = 0;
    let hasJumped = false;
    for (const { passMs, more, isTrusted } of steps) {
      if (isTrusted && hasJumped) {
        clock.trust();
        hasJumped = false;
        followedMs = sides.wallMs;
        leadingMs = timeMs - followedMs > MINUTE ? timeMs : 0;
      }
      const nextMs = pass(passMs, more);
      hasJumped ||= Math.abs(more) > MINUTE;
      followedMs += passMs + (hasJumped ? 0 : more);
      leadingMs = leadingMs === 0 || leadingMs + passMs <= followedMs ? 0 : leadingMs + passMs;
      if (nextMs !== Math.max(followedMs, leadingMs)) return false;
      timeMs = nextMs;
    }
    return true;
  });
  fc.assert(property, { numRuns: times(60, 500) });
  t.end();
});

t.test('an open exchange is paused once, with the reason; other states are kept', async (t) => {
  const rows: readonly (readonly [TradingState, number, string])[] = [
    ['open', HOUR, 'the wall clock jumped forward by 3600 seconds'],
    ['open', -2 * MINUTE, 'the wall clock jumped back by 120 seconds'],
    ['cancel_only', HOUR, ''],
    ['halted', HOUR, ''],
  ];
  for (const [state, more, reason] of rows) {
    const { clock, submitted, watch, pass } = makeClock(state);
    watch(t);
    pass(0, more);
    await Promise.resolve();
    clock.look();
    pass(10);
    clock.look();
    const command = { kind: 'set_trading_state', conditionId: '', state: 'cancel_only' };
    const expected = reason === '' ? [] : [[command, { by: 'clock', reason }]];
    t.strictSame(submitted, expected, `${state} ${more}`);
  }
});

t.test('the command that reads the time is not disturbed by the pause', async (t) => {
  const { submitted, watch, pass } = makeClock();
  watch(t);
  pass(0, HOUR);
  t.equal(submitted.length, 0);
  await Promise.resolve();
  t.equal(submitted.length, 1);
});

t.test('a jump before the exchange is open pauses it then', async (t) => {
  const { submitted, watch, pass } = makeClock();
  pass(0, HOUR);
  await Promise.resolve();
  watch(t);
  t.equal(submitted.length, 1);
});

t.test('a pause that is refused is tried again', async (t) => {
  const { clock, exchange, submitted, told, watch, pass } = makeClock();
  watch(t);
  exchange.isFull = true;
  pass(0, HOUR);
  await Promise.resolve();
  await Promise.resolve();
  t.match(told.at(-1), /could not be paused yet/);
  exchange.isFull = false;
  clock.look();
  t.equal(submitted.length, 1);
});

t.test('a journal ahead of the wall clock is logged at the start', async (t) => {
  for (const [leadMs, lines, isFar] of [
    [0, 0, false],
    [999, 0, false],
    [MINUTE, 1, false],
    [MINUTE + 1, 1, true],
    [HOUR, 1, true],
  ] as const) {
    const { clock, exchange, told, submitted, watch, pass } = makeClock();
    exchange.appliedMs = START_MS + leadMs;
    watch(t);
    t.equal(told.length, lines, `${leadMs} ms`);
    t.equal(clock.journalLeadMs, leadMs);
    t.equal(clock.isTrusted, !isFar, `${leadMs} ms: whether it goes by the wall clock`);
    t.equal(submitted.length, isFar ? 1 : 0, `${leadMs} ms: whether it is paused`);
    t.equal(pass(100), START_MS + 100 + (isFar ? leadMs : 0), `${leadMs} ms: the time`);
  }
});

t.test('a start with a journal far ahead is paused once, with the reason', async (t) => {
  for (const state of ['open', 'cancel_only', 'halted'] as const) {
    const { clock, exchange, submitted, watch } = makeClock(state);
    exchange.appliedMs = START_MS + HOUR;
    watch(t);
    clock.look();
    const command = { kind: 'set_trading_state', conditionId: '', state: 'cancel_only' };
    const reason = 'the journal is ahead of the wall clock by 3600 seconds';
    t.strictSame(submitted, state === 'open' ? [[command, { by: 'clock', reason }]] : [], state);
    clock.trust();
    exchange.tradingState = 'open';
    clock.look();
    t.equal(submitted.length, state === 'open' ? 1 : 0, 'opening accepts the time');
  }
});

t.test('leading time continues until the wall clock is ahead', async (t) => {
  const { clock, exchange, sides, watch, pass } = makeClock();
  exchange.appliedMs = START_MS + HOUR;
  watch(t);
  sides.monotonicMs += 0.5;
  t.equal(pass(5_000), START_MS + HOUR + 5_000, 'whole milliseconds');
  t.equal(pass(10_000, MINUTE), START_MS + HOUR + 15_000, 'also while the wall clock gains');
  clock.trust();
  t.equal(pass(1_000), START_MS + HOUR + 16_000, 'also after it was accepted');
  for (let minute = 0; minute < 60; minute += 1) pass(0, MINUTE);
  t.equal(clock.now(), sides.wallMs);
  t.equal(clock.isTrusted, true);
  t.equal(clock.jumps, 0);
});

t.test('a wall clock corrected soon after a leading start is trusted again', async (t) => {
  const { clock, exchange, sides, submitted, watch, pass } = makeClock();
  exchange.appliedMs = START_MS + HOUR;
  watch(t);
  t.equal(pass(1_000, HOUR + 10), START_MS + HOUR + 1_000, 'that is a jump: it is not followed');
  t.equal(submitted.length, 1);
  clock.trust();
  t.equal(clock.now(), sides.wallMs);
  t.strictSame([clock.isTrusted, clock.journalLeadMs], [true, 0]);
});

// The next tests use a running exchange whose wall and monotonic clocks they move.

interface Moved {
  readonly exchange: TestExchange;
  readonly monotonic: { ms: number };
}

async function start(t: Test, dataDir?: string, startMs = START_MS): Promise<Moved> {
  const monotonic = { ms: 1_000 };
  const folder = dataDir === undefined ? {} : { dataDir, temporary: false };
  const settings = { monotonicMs: () => monotonic.ms, clockJumpMs: MINUTE, ...folder };
  const exchange = await startTestExchange(t, settings, startMs);
  return { exchange, monotonic };
}

async function actionsOf(exchange: TestExchange, by: string) {
  const { body } = await exchange.operator('GET', '/actions?limit=100');
  return body.data.filter((action) => 'by' in action && action.by === by);
}

/** Seconds until the expiration of a GTD order that rests. */
const GTD_SECONDS = 600;
async function placeGtd(exchange: TestExchange, number = 1) {
  const trader = await exchange.trader(number);
  const nowMs = exchange.running.services.clock.now();
  const expiration = `${Math.floor(nowMs / 1_000) + GTD_SECONDS}`;
  const tokenId = exchange.plain.tokenIds[0];
  const placed = await trader.place({ tokenId, orderType: 'GTD', changes: { expiration } });
  return { trader, tokenId, orderId: placed.body.orderID };
}

function setState(exchange: TestExchange, state: TradingState) {
  return exchange.operator('POST', '/exchange/state', { state });
}

/** Ids of the owner's live orders in the engine. */
function liveOf({ running }: TestExchange, owner: string): readonly string[] {
  return running.services.exchange.state.owner(owner).orders.map(({ orderId }) => orderId);
}

/** Shared by the tests of jumps, each of which leaves it open. It starts at its first use. */
let shared: Promise<Moved> | undefined;
let lastNumber = 0;
/** Shares an exchange; each test gets two traders of its own, by number. */
async function share() {
  shared ??= start(t);
  lastNumber += 2;
  return { ...(await shared), numbers: [lastNumber - 1, lastNumber] as const };
}

function noticedByCommand(what: string, more: number): void {
  t.test(`a jump ${what} is noticed by a command, although nothing is due`, async (t) => {
    const { exchange, monotonic, numbers } = await share();
    const { trader, tokenId, orderId } = await placeGtd(exchange, numbers[0]);
    const other = await exchange.trader(numbers[1]);
    const before = await actionsOf(exchange, 'clock');
    exchange.clock.ms += more;
    monotonic.ms += 1;
    const wishes = { tokenId, side: 'BUY', priceTicks: 3_000 } as const;
    const noticing = await other.place(wishes);
    t.equal(noticing.status, 200, 'its time is from before the jump');
    t.strictSame(liveOf(exchange, trader.address), [orderId]);
    t.equal(exchange.running.services.registry.tradingState, 'cancel_only');
    const answer = await other.place(wishes);
    t.match(answer, { status: 409, body: { code: 'exchange_paused' } });
    t.equal((await other.cancel(noticing.body.orderID)).body.canceled.length, 1, 'cancels work');
    const actions = await actionsOf(exchange, 'clock');
    t.equal(actions.length, before.length + 1);
    const direction = more > 0 ? 'forward' : 'back';
    const reason = `the wall clock jumped ${direction} by ${Math.abs(more) / 1_000} seconds`;
    t.ok(JSON.stringify(actions).includes(reason), reason);
    const health = await exchange.send('GET', '/readyz');
    t.match(health, {
      status: 200,
      body: { clock: { pausesOrders: true, trusted: false, jumpMs: more - 1 } },
    });
    const pauses = async (): Promise<number> =>
      total(await scrape(exchange), 'outcome_exchange_clock_pauses_orders');
    t.equal(await pauses(), 1);

    t.equal((await setState(exchange, 'open')).status, 200);
    t.strictSame(liveOf(exchange, trader.address), more > 0 ? [] : [orderId], 'it is due now');
    t.equal((await other.place(wishes)).status, 200);
    const trusted = more > 0;
    const said = await exchange.send('GET', '/readyz');
    t.match(
      said,
      { body: { clock: { pausesOrders: false, trusted, jumpMs: 0 } } },
      'time never goes back',
    );
    t.equal(await pauses(), 0);
  });
}

noticedByCommand('forward', HOUR);
noticedByCommand('forward over a suspended machine', 30 * HOUR);

t.test('the timer notices a jump; opening the exchange trusts the clock', async (t) => {
  const { exchange, numbers } = await share();
  const { trader, orderId } = await placeGtd(exchange, numbers[0]);
  const before = await actionsOf(exchange, 'clock');
  exchange.clock.ms += HOUR;
  await until(() => exchange.running.services.registry.tradingState === 'cancel_only');
  t.strictSame(liveOf(exchange, trader.address), [orderId]);
  for (const state of ['cancel_only', 'halted', 'cancel_only'] as const) {
    await setState(exchange, state);
    t.strictSame(liveOf(exchange, trader.address), [orderId], state);
  }
  await setState(exchange, 'open');
  t.strictSame(liveOf(exchange, trader.address), []);
  const actions = await actionsOf(exchange, 'clock');
  t.equal(actions.length, before.length + 1, 'and it was paused once in all');
});

t.test('a halted exchange stays halted when its clock jumps', async (t) => {
  const { exchange } = await share();
  const before = await actionsOf(exchange, 'clock');
  await setState(exchange, 'halted');
  exchange.clock.ms += HOUR;
  exchange.running.services.clock.look();
  await setState(exchange, 'halted');
  t.equal(exchange.running.services.registry.tradingState, 'halted');
  t.equal((await actionsOf(exchange, 'clock')).length, before.length);
  t.ok(exchange.running.services.clock.jumpMs > 0);
  await setState(exchange, 'open');
});

// The last test of the shared exchange: its time is ahead from then on.
noticedByCommand('back', -HOUR);

t.test('time continues by the monotonic clock, and orders come due by it', async (t) => {
  const { exchange, monotonic } = await start(t);
  const { trader, orderId } = await placeGtd(exchange);
  exchange.clock.ms -= 5 * HOUR;
  const endSeconds = GTD_SECONDS - DEFAULT_PROFILE.gtdEarlyEndSeconds;
  monotonic.ms += (endSeconds - 10) * 1_000;
  await until(() => exchange.running.services.registry.tradingState === 'cancel_only');
  t.strictSame(liveOf(exchange, trader.address), [orderId]);
  monotonic.ms += 10_000;
  await until(() => liveOf(exchange, trader.address).length === 0);
  t.pass();
});

t.test('after a restart it is still paused, once, and its wall clock is trusted', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await start(t, dataDir);
  const { trader, orderId } = await placeGtd(first.exchange);
  first.exchange.clock.ms += HOUR;
  first.exchange.running.services.clock.look();
  await until(() => first.exchange.running.services.registry.tradingState === 'cancel_only');
  t.strictSame(liveOf(first.exchange, trader.address), [orderId]);
  await first.exchange.running.close();
  const { exchange } = await start(t, dataDir, START_MS + HOUR);
  t.equal(exchange.running.services.registry.tradingState, 'cancel_only');
  t.equal(exchange.running.services.clock.jumpMs, 0);
  t.strictSame(liveOf(exchange, trader.address), [], 'the expired order has ended');
  // The report did not say so after a restart, nor that the operator had opened the exchange.
  const { clock } = exchange.running.services;
  await until(() => clock.pausesOrders);
  const report = await exchange.send('GET', '/readyz');
  t.match(report, { status: 200, body: { clock: { pausesOrders: true, trusted: true } } });
  await setState(exchange, 'halted');
  t.ok(clock.pausesOrders, 'until it is opened');
  await setState(exchange, 'open');
  await setState(exchange, 'cancel_only');
  const opened = await exchange.send('GET', '/readyz');
  t.match(opened.body, { clock: { pausesOrders: false } }, 'this pause is the operator’s');
  t.equal((await actionsOf(exchange, 'clock')).length, 1);
});

t.test(
  'after a start with a wall clock a little behind, time stands still that long',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const first = await start(t, dataDir);
    const { trader, tokenId } = await placeGtd(first.exchange);
    await first.exchange.running.close();
    const { exchange } = await start(t, dataDir, START_MS - MINUTE);
    const { clock, exchange: store } = exchange.running.services;
    t.equal(clock.leadMs, MINUTE);
    t.equal(clock.jumpMs, 0, 'no jump: the clock was set while nothing ran');
    const again = await exchange.trader(1);
    t.equal(again.address, trader.address);
    t.equal((await again.place({ tokenId, priceTicks: 2_000 })).status, 200);
    t.equal(store.appliedMs, START_MS);
  },
);

t.test('a journal from a clock a year ahead: paused, logged, and time continues', async (t) => {
  const YEAR = 365 * 24 * HOUR;
  const dataDir = temporaryFolder(t);
  const first = await start(t, dataDir, START_MS + YEAR);
  const early = await first.exchange.trader(1);
  const tokenId = first.exchange.plain.tokenIds[0];
  const yearAhead = Math.floor((START_MS + YEAR) / 1_000);
  const expiration = `${yearAhead + GTD_SECONDS}`;
  const gtd = { tokenId, orderType: 'GTD', changes: { expiration } } as const;
  const placed = await early.place(gtd);
  t.equal(placed.status, 200);
  await first.exchange.running.close();

  const { exchange, monotonic } = await start(t, dataDir);
  const { registry, exchange: store } = exchange.running.services;
  await until(() => registry.tradingState === 'cancel_only');
  t.match(await actionsOf(exchange, 'clock'), [
    { reason: `the journal is ahead of the wall clock by ${YEAR / 1_000} seconds` },
  ]);
  t.match(await exchange.send('GET', '/readyz'), {
    status: 200,
    body: { clock: { pausesOrders: true, trusted: false, jumpMs: 0, journalLeadMs: YEAR } },
  });
  t.equal(exchange.running.services.clock.leadMs, YEAR, 'which is clock_lead_seconds');
  const other = await exchange.trader(2);
  t.match(await other.place({ tokenId }), { status: 409, body: { code: 'exchange_paused' } });

  t.equal((await exchange.operator('POST', '/exchange/state', { state: 'open' })).status, 200);
  t.match((await exchange.send('GET', '/readyz')).body, { clock: { pausesOrders: false } });
  const soon = `${Math.floor(START_MS / 1_000) + GTD_SECONDS}`;
  const late = await other.place({ ...gtd, changes: { expiration: soon } });
  t.match(late.body, { code: 'expiration_too_soon' }, 'expirations go by the time of commands');
  t.equal((await other.place({ ...gtd, priceTicks: 2_000 })).status, 200);
  monotonic.ms += GTD_SECONDS * 1_000;
  exchange.clock.ms += GTD_SECONDS * 1_000;
  await until(() => liveOf(exchange, early.address).length === 0);
  await until(() => liveOf(exchange, other.address).length === 0);
  t.ok(store.appliedMs >= START_MS + YEAR + GTD_SECONDS * 1_000, 'what waits comes due');
  t.equal(registry.tradingState, 'open');
  t.equal((await actionsOf(exchange, 'clock')).length, 1);
});
