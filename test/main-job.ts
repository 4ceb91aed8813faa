// The main job, on real input: the published client, unchanged, trades on an exchange that starts
// from nothing; the process is killed with SIGKILL and started again; everything that was
// acknowledged is still there. `npm run example` prints the steps; main-job.test.ts is the test.
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Chain,
  type OpenOrder,
  type OrderResponse,
  OrderType,
  Side,
  type Trade,
} from '@polymarket/clob-client-v2';
import { type ExchangeProcess, startExchangeProcess } from './exchange-process.ts';
import { newTrader, type Trader } from './published-client.ts';

/** Called with a sentence for each step that was done and checked. */
export type Tell = (sentence: string) => void;

/** The answer to an order (wire 3.10), with fields that the client's types leave out. */
interface OrderAnswer extends OrderResponse {
  readonly duplicate?: boolean;
  readonly error?: string;
}

interface Market {
  readonly conditionId: string;
  readonly question: string;
  readonly yes: string;
  readonly no: string;
}

interface Story {
  readonly tell: Tell;
  readonly host: string;
  readonly alice: Trader;
  readonly bob: Trader;
  readonly market: Market;
}

/** Everything that was acknowledged, as the exchange returns it. */
interface Remembered {
  readonly books: readonly string[];
  readonly orders: readonly (readonly OpenOrder[])[];
  readonly trades: readonly (readonly Trade[])[];
  readonly order: OpenOrder;
}

/** A market in the order book's list (wire 1.4): the fields that are read here. */
interface ListedMarket {
  readonly condition_id: string;
  readonly question: string;
  readonly neg_risk: boolean;
  readonly accepting_orders: boolean;
  readonly tokens: readonly [{ readonly token_id: string }, { readonly token_id: string }];
}

async function findMarket({ client }: Trader, isNegRisk: boolean): Promise<Market> {
  const { data } = await client.getSimplifiedMarkets();
  const listed: readonly ListedMarket[] = data;
  for (const market of listed) {
    const [{ token_id: yes }, { token_id: no }] = market.tokens;
    if (!market.accepting_orders || market.neg_risk !== isNegRisk) continue;
    if ((await client.getTickSize(yes)) !== '0.01') continue;
    return { conditionId: market.condition_id, question: market.question, yes, no };
  }
  throw new Error(`no open market with a tick of 0.01 among ${listed.length}`);
}

interface Limit {
  readonly side: 'BUY' | 'SELL';
  readonly size: number;
  readonly price: number;
}

/** Signs and sends a GTC order. */
function place(trader: Trader, tokenID: string, { side, size, price }: Limit) {
  return trader.client.createAndPostOrder(
    { tokenID, side: Side[side], size, price },
    {},
    OrderType.GTC,
  ) as Promise<OrderAnswer>;
} // Safe: the client returns the answer of the exchange, without a type.

/** Signs and sends a FOK buy for an amount of cash; without a price the client reads the book. */
function buyAtOnce(trader: Trader, tokenID: string, amount: number, price?: number) {
  return trader.client.createAndPostMarketOrder(
    { tokenID, side: Side.BUY, amount, ...(price === undefined ? {} : { price }) },
    {},
    OrderType.FOK,
  ) as Promise<OrderAnswer>;
} // as above

/** A token's book as "bids | asks", after the client's own function has checked its hash. */
async function readBook({ client }: Trader, tokenId: string): Promise<string> {
  const book = await client.getOrderBook(tokenId);
  const { hash } = book;
  assert.equal(await client.getOrderBookHash(structuredClone(book)), hash, "the book's hash");
  return [book.bids, book.asks]
    .map((side) => side.map(({ price, size }) => `${size}@${price}`).join(' '))
    .join(' | ');
}

function assertMatched(answer: OrderAnswer, making: string, taking: string): void {
  assert.equal(answer.error, undefined);
  assert.deepEqual(
    [answer.success, answer.status, answer.makingAmount, answer.takingAmount],
    [true, 'matched', making, taking],
  );
  const { tradeIDs = [], transactionsHashes = [] } = answer;
  assert.ok(tradeIDs.length > 0, 'a match has trades');
  assert.equal(transactionsHashes.length, tradeIDs.length);
}

function assertLive(answer: OrderAnswer): void {
  assert.equal(answer.error, undefined);
  assert.deepEqual([answer.success, answer.status], [true, 'live']);
}

async function begin(host: string, tell: Tell): Promise<Story> {
  // They sign for different public chains: the exchange accepts both.
  const alice = await newTrader('Alice', host, Chain.POLYGON);
  const bob = await newTrader('Bob', host, Chain.AMOY);
  for (const { name, address, credentials } of [alice, bob]) {
    assert.match(credentials.key, /^[0-9a-f-]{36}$/);
    tell(`${name}, ${address}, has API key ${credentials.key}`);
  }
  assert.deepEqual(await alice.client.deriveApiKey(), alice.credentials);
  const market = await findMarket(alice, false);
  assert.equal(await readBook(alice, market.yes), ' | ');
  tell(`The book of "${market.question}" is read, and is empty`);
  return { tell, host, alice, bob, market };
}

async function mintPair({ tell, alice, bob, market }: Story): Promise<void> {
  assertLive(await place(alice, market.yes, { side: 'BUY', size: 100, price: 0.4 }));
  assert.equal(await readBook(alice, market.yes), '100@0.4 | ');
  assert.equal(await readBook(bob, market.no), ' | 100@0.6');
  tell('Alice bids 0.4 for 100 YES; in the book of NO that is an ask at 0.6');
  assertMatched(await place(bob, market.no, { side: 'BUY', size: 100, price: 0.6 }), '60', '100');
  assert.equal(await readBook(alice, market.yes), ' | ');
  tell('Bob buys 100 NO at 0.6: 100 pairs are minted from what both pay');
}

async function crossOrder({ tell, alice, bob, market }: Story): Promise<void> {
  assertLive(await place(alice, market.yes, { side: 'SELL', size: 60, price: 0.45 }));
  tell('Alice offers 60 of her YES at 0.45, good till cancelled');
  assertMatched(await place(bob, market.yes, { side: 'BUY', size: 20, price: 0.5 }), '9', '20');
  assert.equal(await readBook(bob, market.yes), ' | 40@0.45');
  tell('Bob crosses it with a bid of 0.5 for 20, and pays 0.45');
}

async function readPrices({ tell, bob, market }: Story): Promise<void> {
  const { client } = bob;
  const { yes, no } = market;
  // The only order is an ask for YES at 0.45, which is a bid for NO at 0.55.
  assert.deepEqual(await client.getPrice(yes, 'SELL'), { price: '0.45' });
  assert.deepEqual(await client.getMidpoint(no), { mid: '0.775' });
  const both = [yes, no].map((token_id) => ({ token_id, side: Side.SELL }));
  assert.deepEqual(await client.getPrices(both), { [yes]: { SELL: '0.45' }, [no]: {} });
  const books = await client.getOrderBooks(both);
  assert.deepEqual(books, [await client.getOrderBook(yes), await client.getOrderBook(no)]);
  tell('Bob reads prices, midpoints and both books at once');
}

async function fillOrKill({ tell, bob, market }: Story): Promise<void> {
  const killed = await buyAtOnce(bob, market.yes, 1_000, 0.45);
  assert.match(killed.error ?? '', /fully filled/);
  assert.equal(await readBook(bob, market.yes), ' | 40@0.45');
  tell('Bob tries to buy YES for 1,000 at once: there is too little, and nothing happens');
  assertMatched(await buyAtOnce(bob, market.yes, 4.5), '4.5', '10');
  assert.equal(await readBook(bob, market.yes), ' | 30@0.45');
  tell('Bob buys YES for 4.50 at once, and gets 10');
}

async function mergePair({ tell, bob, market }: Story): Promise<void> {
  const sale = await place(bob, market.no, { side: 'SELL', size: 10, price: 0.5 });
  assertMatched(sale, '10', '5.5');
  assert.equal(await readBook(bob, market.yes), ' | 20@0.45');
  tell("Bob sells 10 NO into Alice's offer of YES: 10 pairs are merged, and he gets 0.55 each");
}

async function cancelOne({ tell, alice, market }: Story): Promise<void> {
  const { orderID } = await place(alice, market.yes, { side: 'BUY', size: 10, price: 0.1 });
  assert.equal(await readBook(alice, market.yes), '10@0.1 | 20@0.45');
  assert.deepEqual(await alice.client.cancelOrder({ orderID }), {
    canceled: [orderID],
    not_canceled: {},
  });
  assert.equal(await readBook(alice, market.yes), ' | 20@0.45');
  const again = await alice.client.cancelOrder({ orderID });
  assert.deepEqual(again.canceled, []);
  assert.match(again.not_canceled[orderID], /\w/);
  assert.equal((await alice.client.getOrder(orderID)).status.toLowerCase(), 'canceled');
  tell('Alice bids once more and cancels; cancelling again says that it is gone');
}

async function tradeNegRisk({ tell, alice }: Story): Promise<void> {
  const market = await findMarket(alice, true);
  assertLive(await place(alice, market.yes, { side: 'BUY', size: 25, price: 0.12 }));
  assert.equal(await readBook(alice, market.no), ' | 25@0.88');
  tell(`Alice bids in a neg-risk market, signed for its own contract: "${market.question}"`);
}

async function listAll({ tell, alice, bob, market }: Story): Promise<void> {
  const orders = await alice.client.getOpenOrders({ market: market.conditionId });
  assert.deepEqual(
    orders.map((order) => [order.side, order.price, order.original_size, order.size_matched]),
    [['SELL', '0.45', '60', '40']],
  );
  assert.equal((await alice.client.getOpenOrders()).length, 2);
  assert.deepEqual(await bob.client.getOpenOrders(), []);
  tell('Alice has two open orders, one of them filled to 40 of 60; Bob has none');
  const roles = async ({ client }: Trader) =>
    (await client.getTrades()).map((trade) => `${trade.trader_side} ${trade.size}@${trade.price}`);
  const all = ['10@0.55', '10@0.45', '20@0.45', '100@0.6'];
  assert.deepEqual(
    await roles(bob),
    all.map((trade) => `TAKER ${trade}`),
  );
  assert.deepEqual(
    await roles(alice),
    all.map((trade) => `MAKER ${trade}`),
  );
  const sold = await alice.client.getTrades({ asset_id: market.yes });
  assert.ok(sold.length > 0, 'trades of one token');
  tell('Both list the same four trades, Bob as taker and Alice as maker');
}

/** Everything that both traders can see, from an exchange at an address. */
async function remember({ alice, bob, market }: Story, host: string): Promise<Remembered> {
  const clients = [alice.clientAt(host), bob.clientAt(host)];
  const [client] = clients;
  assert.ok(client !== undefined);
  const orders = await Promise.all(clients.map((each) => each.getOpenOrders()));
  const [first] = orders.flat();
  assert.ok(first !== undefined);
  const tokens = [market.yes, market.no];
  return {
    books: await Promise.all(
      tokens.map(async (token) => JSON.stringify(await client.getOrderBook(token))),
    ),
    orders,
    trades: await Promise.all(clients.map((each) => each.getTrades())),
    order: await client.getOrder(first.id),
  };
}

/** The last order before the crash. Sent again, it must be a duplicate. */
function lastOrder({ bob, market }: Story) {
  return bob.client.createOrder({ tokenID: market.yes, side: Side.BUY, size: 5, price: 0.2 }, {});
}
type SignedOrder = Awaited<ReturnType<typeof lastOrder>>;

async function crashAndReturn(story: Story, crash: () => Promise<string>): Promise<void> {
  const { tell, bob, market } = story;
  const signed: SignedOrder = await lastOrder(story);
  const placed: OrderAnswer = await bob.client.postOrder(signed, OrderType.GTC);
  assertLive(placed);
  const before = await remember(story, story.host);
  const host = await crash();
  assert.deepEqual(await remember(story, host), before);
  tell('Both books to the byte, all open orders and all trades are as they were');
  const client = bob.clientAt(host);
  assert.deepEqual(await client.deriveApiKey(), bob.credentials);
  const again: OrderAnswer = await client.postOrder(signed, OrderType.GTC);
  assert.deepEqual([again.orderID, again.status, again.duplicate], [placed.orderID, 'live', true]);
  tell("Bob's last order, sent again, is known and not placed twice");
  const sale = await place({ ...bob, client }, market.yes, { side: 'SELL', size: 31, price: 0.9 });
  assert.match(sale.error ?? '', /not enough balance/);
  assertLive(await place({ ...bob, client }, market.yes, { side: 'SELL', size: 30, price: 0.9 }));
  tell('Bob still has the 30 YES that he bought, and not one more');
}

const STEPS: readonly ((story: Story) => Promise<void>)[] = [
  mintPair,
  crossOrder,
  readPrices,
  fillOrKill,
  mergePair,
  cancelOne,
  tradeNegRisk,
  listAll,
];

/** Runs the whole job in a data folder of its own; throws if a check fails. */
export async function runMainJob(tell: Tell): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'outcome-exchange-example-'));
  let exchange: ExchangeProcess | undefined;
  try {
    exchange = await startExchangeProcess(dataDir);
    tell(`An exchange starts from nothing at ${exchange.url}`);
    const story = await begin(exchange.url, tell);
    const { killHard } = exchange;
    for (const step of STEPS) await step(story);
    await crashAndReturn(story, async () => {
      await killHard();
      exchange = await startExchangeProcess(dataDir);
      tell(`The process is killed with SIGKILL, and started again at ${exchange.url}`);
      return exchange.url;
    });
    assert.equal(await exchange.stop(), 0);
    tell('SIGTERM ends it in good order');
  } finally {
    await exchange?.killHard();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let count = 0;
  await runMainJob((sentence) => {
    count += 1;
    process.stdout.write(`${String(count).padStart(2)}. ${sentence}.\n`);
  });
  process.stdout.write('\nThe whole job went through.\n');
}
