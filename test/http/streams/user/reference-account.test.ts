// Subscribers who rebuild an owner's orders, trades and balances from the stream alone, while
// seeded random traders place, cancel, trade, split and merge in markets with fees and delays, and
// while connections drop and come back.
import t, { type Test } from 'tap';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { ANSWERS_AT_ONCE } from '../../../default-settings.ts';
import { times } from '../../../long-set.ts';
import {
  NEG_RISK_DOMAIN,
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../../exchange-fixture.ts';
import { type Random, randomBy } from '../seeded-random.ts';
import type { Message, StreamClient } from '../stream-client.ts';
import { ReferenceAccount } from './reference-account.ts';
import { authOf, connectUser } from './user-fixture.ts';

/** The account that a subscriber has rebuilt, and its connection if it has one. */
class Subscriber {
  readonly account = new ReferenceAccount();
  readonly trader: Trader;
  /** The market that it subscribes to; undefined for all markets. */
  readonly market: MarketEntry | undefined;
  readonly #exchange: TestExchange;
  #client: StreamClient | undefined;

  constructor(exchange: TestExchange, trader: Trader, market?: MarketEntry) {
    this.#exchange = exchange;
    this.trader = trader;
    this.market = market;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  async connect(): Promise<void> {
    this.#client = await connectUser(this.#exchange);
    const { sequence, streamId } = this.account;
    this.#client.send({
      auth: authOf(this.trader),
      custom_feature_enabled: true,
      markets: this.market === undefined ? [] : [this.market.conditionId],
      ...(sequence < 0 ? {} : { operation: 'resume', stream_id: streamId, sequence }),
    });
  }

  /** Reads only the first part of what was received, like a connection that breaks. */
  async drop(random: Random): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    await client.settled();
    // A client can resume only after a complete snapshot, so it reads at least that.
    const least = this.account.sequence < 0 ? client.messages.length : 0;
    const count = least + random(client.messages.length - least + 1);
    for (const message of client.messages.slice(0, count)) this.account.take(message);
    this.#client = undefined;
    client.close();
    await client.closed;
  }

  /** Reads everything that was sent by now. */
  async catchUp(): Promise<void> {
    await this.#client?.settled();
    for (const message of this.#client?.messages.splice(0) ?? []) this.account.take(message);
  }
}

const UNKNOWN_ID = `0x${'00'.repeat(32)}`;
const DELAY_MS = 4;

interface Scene {
  readonly exchange: TestExchange;
  readonly markets: readonly MarketEntry[];
  readonly traders: readonly Trader[];
  readonly random: Random;
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

let moves = 0;

/** One random request of a random trader. */
function move({ exchange, markets, traders, random }: Scene): Promise<unknown> {
  const trader = pick(traders, random);
  const market = pick(markets, random);
  const kind = random(20);
  moves += 1;
  if (kind === 0) return trader.signed('DELETE', '/cancel-all');
  if (kind === 1) {
    const deposit = { account: trader.address, amount: `${1 + random(9)}`, key: `d${moves}` };
    return exchange.operator('POST', '/deposits', deposit);
  }
  if (kind < 4) {
    const sets = { market: market.conditionId, amount: `${1 + random(30)}`, key: `s${moves}` };
    return trader.signed('POST', kind === 2 ? '/sets/split' : '/sets/merge', sets);
  }
  const orderType = pick(['GTC', 'GTC', 'GTC', 'GTC', 'FAK', 'FOK', 'GTD'], random);
  const seconds = Math.floor(exchange.clock.ms / 1_000) + 181 + random(30);
  return trader.place({
    tokenId: pick(market.tokenIds, random),
    side: random(3) === 0 ? 'SELL' : 'BUY',
    priceTicks: 100 * (42 + random(16)),
    lots: 500 + 100 * random(10),
    orderType,
    ...(orderType === 'GTD' ? { changes: { expiration: `${seconds}` } } : {}),
    ...(market.negRisk ? { domain: NEG_RISK_DOMAIN } : {}),
  });
}

/** Several at once, so that batches have more than one command. */
async function act(scene: Scene): Promise<void> {
  const { clock } = scene.exchange;
  clock.ms += scene.random(6) === 0 ? 30_000 : scene.random(4);
  await Promise.all(Array.from({ length: 1 + scene.random(5) }, () => move(scene)));
}

function orderShown(order: Message) {
  const { id, market, asset_id, side, price, original_size, size_matched, outcome } = order;
  const { maker_address, order_type, expiration, associate_trades, created_at, status } = order;
  return {
    ...{ id, market, asset_id, side, price, original_size, size_matched, outcome },
    ...{ maker_address, order_type, expiration },
    associate_trades: associate_trades ?? [],
    created_at: Number(created_at),
    status: String(status).toLowerCase(),
  };
}

/** A trade without times, whose form differs in REST, and without the receiver's keys. */
function tradeShown(trade: Message) {
  const { id, taker_order_id, market, asset_id, side, size, price, status, outcome } = trade;
  const { fee_rate_bps, fee, bucket_index, maker_address, transaction_hash, trader_side } = trade;
  const { maker_orders } = trade;
  return {
    ...{ id, taker_order_id, market, asset_id, side, size, price, status, outcome },
    ...{ fee_rate_bps, fee, bucket_index, maker_address, transaction_hash, trader_side },
    maker_orders,
  };
}

function byId(a: { readonly id?: unknown }, b: { readonly id?: unknown }): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}

/** All pages of a list. */
async function listOf(trader: Trader, path: string): Promise<Message[]> {
  const rows: Message[] = [];
  for (let cursor = 'MA=='; cursor !== 'LTE='; ) {
    const { text } = await trader.signed('GET', `${path}?next_cursor=${cursor}`);
    const page = JSON.parse(text);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

async function checkBalances(t: Test, { account, trader, market }: Subscriber): Promise<void> {
  const tokenIds = market?.tokenIds ?? [];
  for (const tokenId of ['', ...tokenIds]) {
    const asset = tokenId === '' ? 'COLLATERAL' : `CONDITIONAL&token_id=${tokenId}`;
    const { text } = await trader.signed('GET', `/balance-allowance?asset_type=${asset}`);
    const { available, held, address } = JSON.parse(text);
    t.strictSame(account.balance(address, tokenId), { available, held });
  }
}

/** Compares with REST after everything that is due has happened and has been read. */
async function check(
  t: Test,
  { traders: [first] }: Scene,
  subscribers: readonly Subscriber[],
): Promise<void> {
  await first?.cancel(UNKNOWN_ID);
  for (const subscriber of subscribers) {
    if (!subscriber.isConnected) continue;
    await subscriber.catchUp();
    const { account, trader, market } = subscriber;
    const isWanted = (row: Message): boolean =>
      market === undefined || row.market === market.conditionId;
    const orders = (await listOf(trader, '/data/orders')).filter(isWanted);
    t.strictSame(
      [...account.orders.values()].map(orderShown).sort(byId),
      orders.map(orderShown).sort(byId),
    );
    const trades = (await listOf(trader, '/data/trades')).filter(isWanted);
    t.strictSame(
      [...account.trades.values()].map(tradeShown).sort(byId),
      trades.map(tradeShown).sort(byId),
    );
    await checkBalances(t, subscriber);
  }
}

const SEEDS = times(1, 20);
const STEPS = 120;
const STEPS_A_CHECK = 20;

const share = await shareTestExchange(t, { profile: ANSWERS_AT_ONCE });

async function startScene(t: Test, seed: number): Promise<Scene> {
  const exchange = share();
  const { plain, negRisk, trader, operator } = exchange;
  const fees = { taker_fee_bps: 150, maker_fee_bps: 50, fee_exponent: 1 };
  const delay = { taker_order_delay_ms: DELAY_MS };
  const changes = [
    await operator('POST', `/markets/${plain.conditionId}/terms`, fees),
    await operator('POST', `/markets/${negRisk.conditionId}/terms`, delay),
  ];
  for (const { status, text } of changes) t.equal(status, 200, text);
  const traders = [await trader(1), await trader(2), await trader(3)];
  return { exchange, markets: [plain, negRisk], traders, random: randomBy(seed) };
}

for (let seed = 1; seed <= SEEDS; seed += 1) {
  t.test(`accounts rebuilt from the stream equal those of REST, seed ${seed}`, async (t) => {
    const scene = await startScene(t, seed);
    const { exchange, markets, random } = scene;
    const [alice, bob] = scene.traders;
    if (alice === undefined || bob === undefined) throw new Error('there are three traders');
    const wishes = [
      [alice],
      [alice, ...markets.slice(0, 1)],
      [alice, ...markets.slice(1)],
      [bob],
    ] as const;
    const subscribers = wishes.map(([who, market]) => new Subscriber(exchange, who, market));
    for (const subscriber of subscribers) await subscriber.connect();
    for (let step = 1; step <= STEPS; step += 1) {
      await act(scene);
      // The last one never drops.
      const one = pick(subscribers.slice(0, -1), random);
      if (random(3) > 0) await (one.isConnected ? one.drop(random) : one.connect());
      if (step % STEPS_A_CHECK === 0) await check(t, scene, subscribers);
    }
    for (const subscriber of subscribers) if (!subscriber.isConnected) await subscriber.connect();
    // Every filter includes cash, so steps skipped before this deposit are reported by then.
    const deposit = { account: alice.address, amount: '1', key: `end ${seed}` };
    await exchange.operator('POST', '/deposits', deposit);
    await check(t, scene, subscribers);
    for (const { account } of subscribers) {
      t.equal(account.isComplete, true, 'everything was still in the ring');
      t.equal(account.snapshots, 1, 'once, at the start');
    }
    const [all, one, other] = subscribers.map(({ account }) => account);
    t.ok((all?.trades.size ?? 0) > 20, `${all?.trades.size} trades`);
    t.ok((all?.replayed ?? 0) > 20, `${all?.replayed} messages were replayed`);
    t.ok((one?.skipped ?? 0) > 20 && (other?.skipped ?? 0) > 20);
    t.equal(all?.skipped, 0, 'without a filter nothing is skipped');
    t.equal(one?.sequence, all?.sequence, 'filters do not change the sequence');
  });
}
