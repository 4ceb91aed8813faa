// Random faults of every kind. Clients that follow the documented rules end with exactly the orders
// that they wanted, and the journal is whole.
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { TRADE_STATUSES } from '../../../http/format/trade.ts';
import type { MarketEntry } from '../../../http/views/registry.ts';
import { verifyFolder } from '../../../persistence/tools/verify.ts';
import { FAULT_KINDS } from '../../../sandbox/faults/kinds.ts';
import { startTestExchange, type Trader } from '../../http/exchange-fixture.ts';
import { times } from '../../long-set.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { makeFault, type ShownFault, sendOperator } from '../fault-fixture.ts';

const dataDir = join(temporaryFolder(t), 'data');
const exchange = await startTestExchange(t, { dataDir, temporary: false });
const { registry } = exchange.running.services;

/** Plain markets: the first with faults, the second without, the others for acts on markets. */
const [faulted, clean, ...spare] = [...registry.markets()].filter(
  ({ tickTicks, minimumLots, negRisk }) => tickTicks === 100 && minimumLots === 500 && !negRisk,
);
if (faulted === undefined || clean === undefined) throw new Error('there are too few markets');

const TRADERS = [1, 2, 3] as const;
async function tradersFrom(first: number): Promise<readonly Trader[]> {
  return Promise.all(TRADERS.map((nth) => exchange.trader(first + nth)));
}
/** Those who meet faults, and their twins, who do the same in the other market. */
const unlucky = await tradersFrom(0);
const lucky = await tradersFrom(TRADERS.length);
const firedKinds = new Set<string>();
/** What faults did, in words, with the method and path. */
const deeds = new Set<string>();

interface Order {
  readonly outcome: number;
  readonly side: 'BUY' | 'SELL';
  readonly cents: number;
  readonly lots: number;
  readonly orderType: string;
  readonly postOnly: boolean;
}

/** What a trader wants to do. */
type Wish =
  | { readonly kind: 'place'; readonly trader: number; readonly order: Order }
  | { readonly kind: 'batch'; readonly trader: number; readonly orders: readonly Order[] }
  | { readonly kind: 'cancel'; readonly trader: number; readonly nth: number }
  | { readonly kind: 'cancel_market'; readonly trader: number };

const trader = fc.nat(TRADERS.length - 1);

function orders(postOnly: fc.Arbitrary<boolean>): fc.Arbitrary<Order> {
  return fc.record({
    outcome: fc.nat(1),
    side: fc.constantFrom('BUY' as const, 'BUY' as const, 'SELL' as const),
    cents: fc.integer({ min: 45, max: 55 }),
    lots: fc.integer({ min: 500, max: 1_500 }),
    orderType: fc.constantFrom('GTC', 'GTC', 'GTC', 'FAK', 'FOK'),
    postOnly,
  });
}

/**
 * Orders of a batch: none is post-only, since in post-only mode it would go before the others; and
 * none is refused, since a batch that is sent again tries its refused orders once more, after all
 * others.
 */
const batched = orders(fc.constant(false)).map(
  (order): Order => ({ ...order, side: 'BUY', orderType: 'GTC' }),
);

const wishes: fc.Arbitrary<readonly Wish[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('place' as const),
        trader,
        order: orders(fc.boolean()),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('batch' as const),
        trader,
        orders: fc.array(batched, { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('cancel' as const), trader, nth: fc.nat(5) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel_market' as const), trader }) },
  ),
  { minLength: 8, maxLength: 14 },
);

const staleBook = fc.record({
  kind: fc.constant('stale_book'),
  seconds: fc.integer({ min: 1, max: 60 }),
});

const toldTrade = fc.record({
  kind: fc.constant('trade_status'),
  steps: fc.array(
    fc.record({ status: fc.constantFrom(...TRADE_STATUSES), after_seconds: fc.nat(60) }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Faults that end: by their count, or by the clock, which a waiting client moves. */
const passing: fc.Arbitrary<object> = fc
  .tuple(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('lost_acknowledgement'),
          answer: fc.constantFrom('close', '500', '502', 'timeout'),
          timeout_seconds: fc.constant(0),
        }),
      },
      fc.record({
        kind: fc.constantFrom('slow_answer', 'late_order'),
        seconds: fc.constant(0),
      }),
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constantFrom(
            ...['too_early', 'unavailable', 'rate_limited', 'post_only'],
            ...['not_executed', 'edge_page'],
          ),
        }),
      },
      fc.oneof(staleBook, toldTrade, fc.record({ kind: fc.constant('sequence_gap') })),
    ),
    fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      skip: fc.nat(2),
      probability: fc.constantFrom(1, 0.5),
      seed: fc.nat(1_000),
    }),
  )
  .map(([kind, shared]) => ({ ...kind, ...shared }));

const restart: fc.Arbitrary<object> = fc.record({
  kind: fc.constant('restart'),
  unavailable_seconds: fc.nat(90),
  post_only_seconds: fc.nat(120),
});

const faults: fc.Arbitrary<readonly object[]> = fc.array(
  fc
    .tuple(fc.oneof({ weight: 6, arbitrary: passing }, { weight: 1, arbitrary: restart }), trader)
    .chain(([fault, nth]) =>
      fc.constantFrom<object>(
        { ...fault, match: { market: faulted.conditionId } },
        { ...fault, match: { owner: unlucky[nth]?.address } },
        { ...fault, match: { account: unlucky[nth]?.address, market: faulted.conditionId } },
        { ...fault, match: { api_key: unlucky[nth]?.credentials.apiKey } },
      ),
    ),
  { minLength: 2, maxLength: 6 },
);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The codes of refusals that say: nothing was done, send it again later. */
const PASSING: ReadonlySet<unknown> = new Set(['post_only_mode']);
const PASSING_STATUSES: ReadonlySet<number> = new Set([403, 425, 429, 500, 502, 503]);
const MAX_TRIES = 200;

/**
 * Sends a request by the documented rules: after a lost reply, a 5xx, 425 or 429 the same again,
 * and not before `Retry-After`.
 */
async function sendByRules(
  sender: Trader,
  [method, path, value]: readonly [string, string, unknown],
): Promise<Answer> {
  const body = JSON.stringify(value);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const headers = sender.keyHeaders(method, path, body);
    const response = await fetch(exchange.running.url + path, { method, headers, body }).catch(
      () => undefined,
    );
    if (response === undefined) continue;
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    exchange.clock.ms += seconds * 1_000;
    const text = await response.text();
    if (!PASSING_STATUSES.has(response.status)) {
      return { status: response.status, body: JSON.parse(text) };
    }
  }
  throw new Error(`${method} ${path} did not succeed in ${MAX_TRIES} tries`);
}

/** What of an answer to an order must not depend on faults. */
function resultOf(result: unknown): unknown {
  const { success, status, code, makingAmount, takingAmount } = Object(result);
  return { success, status, code, makingAmount, takingAmount };
}

/** The result of an order of a batch; a retry shows what became of it since. */
function successOf(result: unknown): unknown {
  const { success, code } = Object(result);
  return { success, code };
}

/** Sends the orders of a batch again that were refused only because of the time. */
async function placeBatch(sender: Trader, payloads: readonly object[]): Promise<unknown[]> {
  const { body } = await sendByRules(sender, ['POST', '/orders', payloads]);
  if (!Array.isArray(body)) throw new Error('a batch has a list of results');
  const again = body.flatMap((result, index) => (PASSING.has(Object(result).code) ? [index] : []));
  if (again.length === 0) return body.map(successOf);
  exchange.clock.ms += Number(Object(body[again[0] ?? 0]).retry_after_seconds) * 1_000;
  const results = await placeBatch(
    sender,
    again.map((index) => payloads[index] ?? {}),
  );
  return body.map((result, index) =>
    again.includes(index) ? results[again.indexOf(index)] : successOf(result),
  );
}

/** One of the two sides: its market, its traders, and the orders that each of them has sent. */
class Side {
  readonly market: MarketEntry;
  readonly traders: readonly Trader[];
  #sent: string[][] = [];

  constructor(market: MarketEntry, traders: readonly Trader[]) {
    this.market = market;
    this.traders = traders;
  }

  begin(): void {
    this.#sent = this.traders.map(() => []);
  }

  /** Carries a wish out, and returns what its answer must tell. */
  async carryOut(wish: Wish): Promise<unknown> {
    const sender = this.#trader(wish.trader);
    switch (wish.kind) {
      case 'place': {
        const [payload] = this.#payloads(wish.trader, [wish.order]);
        return resultOf((await sendByRules(sender, ['POST', '/order', payload])).body);
      }
      case 'batch':
        return placeBatch(sender, this.#payloads(wish.trader, wish.orders));
      case 'cancel': {
        const sent = this.#sent[wish.trader] ?? [];
        const orderID = sent[wish.nth % Math.max(sent.length, 1)];
        if (orderID !== undefined) await sendByRules(sender, ['DELETE', '/order', { orderID }]);
        return undefined;
      }
      case 'cancel_market': {
        const { conditionId: market } = this.market;
        await sendByRules(sender, ['DELETE', '/cancel-market-orders', { market }]);
        return undefined;
      }
    }
  }

  /** What each trader has: open orders, and what cash and tokens it has besides them. */
  async holdings(): Promise<readonly Holding[]> {
    const { exchange: store } = exchange.running.services;
    return Promise.all(
      this.traders.map(async ({ address }) => {
        const { orders: open } = store.state.owner(address);
        const cash = await store.balance(address, '');
        const tokens = this.market.tokenIds.map((tokenId) => store.balance(address, tokenId));
        return {
          open: open.map(({ priceTicks, remainingLots, tokenId, side }) =>
            [priceTicks, remainingLots, this.market.tokenIds.indexOf(tokenId), side].join(' '),
          ),
          amounts: [cash, ...(await Promise.all(tokens))].map(({ available, held }) => ({
            available,
            held,
          })),
        };
      }),
    );
  }

  async cancelAll(): Promise<void> {
    for (const one of this.traders) await one.signed('DELETE', '/cancel-all');
  }

  #payloads(nth: number, wished: readonly Order[]): readonly object[] {
    const sender = this.#trader(nth);
    return wished.map(({ outcome, cents, ...order }) => {
      const tokenId = this.market.tokenIds[outcome] ?? '';
      const payload = sender.order({ ...order, tokenId, priceTicks: cents * 100 });
      this.#sent[nth]?.push(sender.idOf(payload));
      return payload;
    });
  }

  #trader(nth: number): Trader {
    const found = this.traders[nth];
    if (found === undefined) throw new Error('there is no such trader');
    return found;
  }
}

interface Holding {
  readonly open: readonly string[];
  readonly amounts: readonly { readonly available: number; readonly held: number }[];
}

async function removeFaults(): Promise<void> {
  const { text } = await sendOperator(exchange, 'DELETE', '/faults');
  const { data }: { readonly data: readonly ShownFault[] } = JSON.parse(text);
  for (const { kind, fired, hits } of data) {
    if (fired > 0) firedKinds.add(kind);
    for (const { path, done } of hits) deeds.add(`${path}: ${done}`);
  }
}

t.test('clients that retry by the rules end with exactly the orders they wanted', async (t) => {
  const bad = new Side(faulted, unlucky);
  const good = new Side(clean, lucky);
  const property = fc.asyncProperty(faults, wishes, async (made, wanted) => {
    for (const fault of made) await makeFault(exchange, fault);
    for (const side of [bad, good]) side.begin();
    try {
      for (const wish of wanted) {
        const [actual, expected] = [await bad.carryOut(wish), await good.carryOut(wish)];
        t.strictSame(actual, expected);
      }
      t.strictSame(await bad.holdings(), await good.holdings());
    } finally {
      await removeFaults();
      for (const side of [bad, good]) await side.cancelAll();
    }
    return t.passing();
  });
  await fc.assert(property, { numRuns: times(25, 300), seed: 23, endOnFailure: true });
});

/** Acts of each kind on a market, each at some order, and other faults. */
function faultsWithActs(market: string): fc.Arbitrary<readonly object[]> {
  const act = <Rest>(kind: string, rest: fc.Arbitrary<Rest>): fc.Arbitrary<object> =>
    fc
      .tuple(fc.record({ when: fc.constantFrom('before', 'after'), skip: fc.nat(6) }), rest)
      .map(([shared, own]) => ({ kind, ...shared, ...own }));
  const acts = fc.tuple(
    act('tick_size_change', fc.record({ tick_size: fc.constantFrom('0.01', '0.001') })),
    act('pause_market', fc.record({ resume_seconds: fc.nat(20) })),
    act('resolve_market', fc.record({ payout: fc.constantFrom('0', '1', '0.5') })),
  );
  const told = fc.tuple(staleBook, toldTrade);
  return fc
    .tuple(acts, told, fc.array(fc.oneof(passing, passing, restart), { maxLength: 4 }))
    .map(([first, second, others]) =>
      [...first, ...second, ...others].map((fault) => ({ ...fault, match: { market } })),
    );
}

/** Sends a request once, and takes whatever comes of it. */
async function sendOnce(sender: Trader, method: string, path: string, value: unknown) {
  const body = JSON.stringify(value);
  const headers = sender.keyHeaders(method, path, body);
  await fetch(exchange.running.url + path, { method, headers, body }).then(
    (response) => response.text(),
    () => undefined,
  );
}

const MARKETS = times(5, 20);

t.test('after random faults and acts the audit adds up', async (t) => {
  for (const [index, { conditionId, tokenIds }] of spare.slice(0, MARKETS).entries()) {
    const [made = []] = fc.sample(faultsWithActs(conditionId), { numRuns: 1, seed: index });
    for (const fault of made) await makeFault(exchange, fault);
    const rounds = fc.sample(fc.array(orders(fc.boolean()), { minLength: 3, maxLength: 6 }), {
      numRuns: 6,
      seed: index,
    });
    for (const round of rounds) {
      exchange.clock.ms += 10_000;
      await Promise.all(
        round.map(({ outcome, cents, ...order }, nth) => {
          const sender = unlucky[nth % unlucky.length];
          const tokenId = tokenIds[outcome] ?? '';
          const payload = sender?.order({ ...order, tokenId, priceTicks: cents * 100 });
          if (sender === undefined) return undefined;
          return nth === 4
            ? sendOnce(sender, 'DELETE', '/cancel-market-orders', { market: conditionId })
            : sendOnce(sender, 'POST', '/order', payload);
        }),
      );
    }
    await removeFaults();
  }
  const { body } = await sendOperator(exchange, 'GET', '/audit');
  t.match(body, { ok: true, fault: '' });
});

/** Only these need sockets: test/sandbox/stream-faults/rule-bots.test.ts has some. */
const OF_SOCKETS = ['muted_socket', 'closed_socket', 'sequence_gap'];

t.test('each kind of fault but those of sockets has fired, the folder verifies', async (t) => {
  const names = FAULT_KINDS.map(({ name }) => name);
  const kinds = names.filter((name) => !OF_SOCKETS.includes(name));
  t.strictSame(
    kinds.filter((name) => !firedKinds.has(name)),
    [],
  );
  for (const done of ['closed the connection', 'answered 500', 'answered 502']) {
    for (const path of ['/order', '/orders']) {
      t.ok(deeds.has(`${path}: carried it out, and ${done}`), `${path}: ${done}`);
    }
  }
  await exchange.running.close();
  t.strictSame((await verifyFolder({ dataDir })).findings, []);
});
