/**
 * The past of a new sandbox: trades, prices, volumes, holders and money agree with each other,
 * since all of them follow from the journal. It is made once, and only in a sandbox with a crowd.
 */
import { strict as assert } from 'node:assert';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { DAY_MS, HOUR_MS, ONE_TICKS } from '../../../engine/model/index.ts';
import { DEFAULT_CROWD_MODEL } from '../../../http/settings/crowd.ts';
import type { Settings } from '../../../http/settings/settings.ts';
import type { Crowd } from '../../../sandbox/crowd/crowd.ts';
import { unitTicks } from '../../../sandbox/crowd/quotes.ts';
import { START_MS, startTestExchange, type TestExchange } from '../../http/exchange-fixture.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { contradicts, groupsOf } from './statistics.ts';

interface Trade {
  readonly conditionId: string;
  readonly proxyWallet: string;
  readonly name: string;
  readonly outcomeIndex: number;
  readonly price: number;
  readonly size: number;
  readonly usdcSize: number;
  /** In seconds. */
  readonly timestamp: number;
  readonly transactionHash: string;
}

/** One quote a side, because to sign the usual number takes seconds, and no news. */
const FEW = { ...DEFAULT_CROWD_MODEL, orders: 1, newsPerDay: 0 };

function start(t: Test, settings: Partial<Settings> = {}): Promise<TestExchange> {
  return startTestExchange(t, { crowd: 'still', crowdModel: FEW, ...settings });
}

async function read<Body>({ send }: TestExchange, path: string): Promise<Body> {
  const { status, text } = await send('GET', path);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

function crowdOf({ running }: TestExchange): Crowd {
  // Safe: the sandbox's plot gives its crowd for this service.
  return running.services.simulated as Crowd;
}

/** The trades of each market, the oldest first. */
async function tradesOf(exchange: TestExchange): Promise<Map<string, readonly Trade[]>> {
  const markets = [...exchange.running.services.registry.markets()];
  const all = await Promise.all(
    markets.map(async ({ conditionId }) => {
      const found = await read<Trade[]>(exchange, `/trades?market=${conditionId}&limit=500`);
      return [conditionId, found.reverse()] as const;
    }),
  );
  return new Map(all);
}

function yesTicks({ outcomeIndex, price }: Trade): number {
  return Math.round(ONE_TICKS * (outcomeIndex === 0 ? price : 1 - price));
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((all, value) => all + value, 0);
}

const exchange = await start(t);

t.test('a month of trades, which prices, volumes, holders and money agree with', async (t) => {
  const { exchange: store } = exchange.running.services;
  const trades = await tradesOf(exchange);
  const all = [...trades.values()].flat();
  t.ok(all.length > 1_000 && all.length < 6_000, `${all.length} trades`);
  t.ok(all.every(({ name }) => name.startsWith('Crowd ')));
  const times = all.map(({ timestamp }) => START_MS - 1_000 * timestamp);
  t.ok(times.every((ageMs) => ageMs >= 0 && ageMs <= 30 * DAY_MS));
  t.ok(Math.max(...times) > 29 * DAY_MS && Math.min(...times) < DAY_MS, 'from first to last day');
  t.equal(
    [...trades.values()].filter(({ length }) => length === 0).length,
    0,
    'every market has traded',
  );
  for (const { conditionId, tokenIds } of exchange.running.services.registry.markets()) {
    const own = trades.get(conditionId) ?? [];
    const cash = sum(own.map(({ usdcSize }) => usdcSize));
    const readMarket = () =>
      read<{ volumeNum: number; oneDayPriceChange: number }[]>(
        exchange,
        `/markets?condition_ids=${conditionId}`,
      );
    let [market] = await readMarket();
    // The catalog gets its figures every few moments. If they never agree, the file's time is over.
    while (Math.abs((market?.volumeNum ?? 0) - cash) >= 0.01) {
      await setTimeout(50);
      [market] = await readMarket();
    }
    t.ok(market, 'the volume is that of the trades');
    const holders = await read<{ holders: { amount: number }[] }[]>(
      exchange,
      `/holders?market=${conditionId}&limit=20&minBalance=0`,
    );
    const [yes, no] = holders.map((side) => sum(side.holders.map(({ amount }) => amount)));
    t.ok((yes ?? 0) > 0);
    t.equal(yes?.toFixed(2), no?.toFixed(2), 'as many hold Yes as No');
    const { history } = await read<{ history: { t: number; p: number }[] }>(
      exchange,
      `/prices-history?market=${tokenIds[0]}&interval=max&fidelity=60`,
    );
    t.ok(history.length > 0 && (history[0]?.t ?? 0) * 1_000 < START_MS - 29 * DAY_MS);
  }
  const { fault } = await store.audit();
  t.equal(fault, '');
  const comments = await read<{ createdAt: string }[]>(
    exchange,
    `/comments?parent_entity_type=Event&parent_entity_id=11&limit=10`,
  );
  t.ok(comments.length >= 1 && comments.every(({ createdAt }) => Date.parse(createdAt) < START_MS));
});

t.test('prices move as live ones do, and never contradict each other', async (t) => {
  const trades = await tradesOf(exchange);
  const priceAt = (conditionId: string, timeMs: number): number => {
    const before = trades
      .get(conditionId)
      ?.findLast(({ timestamp }) => 1_000 * timestamp <= timeMs);
    return before === undefined ? 0 : yesTicks(before);
  };
  for (const { conditionId, tickTicks } of exchange.running.services.registry.markets()) {
    const own = trades.get(conditionId) ?? [];
    const moves = own.slice(1).map((trade, at) => {
      const before = own[at];
      return before === undefined ? 0 : Math.abs(yesTicks(trade) - yesTicks(before));
    });
    t.ok(
      Math.max(0, ...moves) < Math.max(1_000, 4 * tickTicks),
      'no step of 10 cents without news',
    );
  }
  const { markets } = crowdOf(exchange);
  let contradictions = 0;
  const groups = groupsOf(markets);
  t.ok(groups.length > 5);
  for (const group of groups) {
    for (let age = 29 * DAY_MS; age >= 0; age -= HOUR_MS) {
      const prices = group.map((market) => priceAt(market.conditionId, START_MS - age));
      const margins = group.map(({ terms }) => 2 * unitTicks(terms));
      const bids = prices.map((price, at) => price - (margins[at] ?? 0));
      const asks = prices.map((price, at) => price + (margins[at] ?? 0));
      if (contradicts(group[0]?.entry.negRisk === true, bids, asks)) contradictions += 1;
    }
  }
  t.equal(contradictions, 0);
  for (const { conditionId, terms, traits, entry } of markets) {
    const last = priceAt(conditionId, START_MS);
    const margin = 2 * (traits.halfSpread + 1) * unitTicks(terms) + entry.tickTicks;
    t.ok(Math.abs(ONE_TICKS * terms.fair - last) <= margin, `${last} and ${terms.fair}`);
  }
});

t.test('the same seed gives the same past, and a restart keeps it', async (t) => {
  const dataDir = temporaryFolder(t);
  const kept = { temporary: false, dataDir };
  const fills = async (exchange: TestExchange): Promise<string> => {
    const own = [...(await tradesOf(exchange)).values()];
    return JSON.stringify(own.flat().map(({ price, size, timestamp }) => [price, size, timestamp]));
  };
  const facts = (exchange: TestExchange) =>
    read<{ madeUpUntilMs: number }>(exchange, '/ui/facts.json');
  const one = await start(t, kept);
  const past = await fills(one);
  t.equal(await fills(exchange), past);
  t.equal((await facts(one)).madeUpUntilMs, START_MS);
  await one.running.close();
  const two = await start(t, { ...kept, now: () => START_MS + DAY_MS });
  t.equal(await fills(two), past);
  t.equal((await facts(two)).madeUpUntilMs, START_MS);
});

const WITHOUT: readonly (readonly [string, Partial<Settings>])[] = [
  ['without play money', { funding: 'ledger' }],
  ['with a past of 0 days', { crowdModel: { ...FEW, pastDays: 0 } }],
];

for (const [what, settings] of WITHOUT) {
  t.test(`there is no past ${what}`, async (t) => {
    const exchange = await start(t, settings);
    t.equal(exchange.running.services.exchange.appliedMs, START_MS);
    t.same(await read(exchange, '/trades'), []);
    const { madeUpUntilMs } = await read<{ madeUpUntilMs: null }>(exchange, '/ui/facts.json');
    t.equal(madeUpUntilMs, null);
  });
}
