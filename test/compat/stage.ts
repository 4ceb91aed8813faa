// The scene for calls of the published client: two traders with a history in one market, and a
// book with both sides. Each call gets a client that has not sent a request yet.
import { Chain, type ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import type { Test } from 'tap';
import { shareTestExchange, type TestExchange } from '../http/exchange-fixture.ts';
import { newTrader, type Trader } from '../published-client.ts';
import { type RequestRecorder, startRecorder } from './request-recorder.ts';

export interface Stage {
  readonly exchange: TestExchange;
  readonly recorder: RequestRecorder;
  /** Sold YES to Bob, and has orders on both sides: 50 at 0.45, 50 at 0.55. */
  readonly alice: Trader;
  readonly bob: Trader;
  readonly conditionId: string;
  readonly yes: string;
  readonly no: string;
  /** Alice's resting bid. */
  readonly bidId: string;
  /** The builder code that Bob's orders carried. */
  readonly builderCode: string;
  /** A fresh client of a trader. */
  clientOf(trader: Trader): ClobClient;
  /** Makes one more trader with the client that is tested. */
  newTrader(name: string, chain: Chain): Promise<Trader>;
}

/** Makes a trader with one version of the client. */
export type TraderMaker = typeof newTrader;

/** One method of the client: the routes that it must call, and a check of what it returns. */
export interface Call {
  readonly method: string;
  /** The routes that it calls, each listed once. */
  readonly routes: readonly string[];
  /** Routes that the test calls besides, to prepare the call or to check its effect. */
  readonly besides?: readonly string[];
  readonly run: (t: Test, stage: Stage) => Promise<unknown>;
}

/** The answer to an order, which the client returns unchanged. */
export interface Placed {
  readonly error?: string;
  readonly success: boolean;
  readonly status: string;
  readonly orderID: string;
  readonly tradeIDs: readonly string[];
  readonly transactionsHashes: readonly string[];
  readonly makingAmount: string;
  readonly takingAmount: string;
}

const BUILDER_CODE = `0x${'00'.repeat(12)}${'b7'.repeat(20)}`;

interface Limit {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly builderCode?: string;
}

/** Places a GTC order that must be accepted. */
export async function place(client: ClobClient, tokenID: string, limit: Limit): Promise<Placed> {
  // Safe: the answer has these fields; the client's types leave some out.
  const placed = (await client.createAndPostOrder(
    { tokenID, ...limit },
    {},
    OrderType.GTC,
  )) as Placed;
  if (placed.success) return placed;
  throw new Error(JSON.stringify(placed));
}

/** A part of the shared exchange whose plain market has the outcomes Yes and No. */
async function shareYesNo(t: Pick<Test, 'teardown'>): Promise<TestExchange> {
  const share = await shareTestExchange(t, { now: Date.now });
  for (;;) {
    const exchange = share();
    const { lookup } = exchange.running.services.exchange.catalog;
    const market = lookup.marketByCondition(exchange.plain.conditionId);
    if (market?.outcomes[0] === 'Yes') return exchange;
  }
}

/** A scene of its own on the exchange that the files of a folder share. */
export async function startStage(
  t: Pick<Test, 'teardown'>,
  makeTrader: TraderMaker = newTrader,
): Promise<Stage> {
  const exchange = await shareYesNo(t);
  const recorder = await startRecorder(t, exchange.running.port);
  const alice = await makeTrader('Alice', recorder.url, Chain.POLYGON);
  const bob = await makeTrader('Bob', recorder.url, Chain.AMOY);
  const [yes, no] = exchange.plain.tokenIds;
  const { BUY, SELL } = Side;
  await place(alice.client, yes, { side: BUY, price: 0.4, size: 200 });
  await place(bob.client, no, { side: BUY, price: 0.6, size: 200 });
  const bid = await place(alice.client, yes, { side: BUY, price: 0.45, size: 50 });
  await place(alice.client, yes, { side: SELL, price: 0.55, size: 60 });
  const builderCode = BUILDER_CODE;
  await place(bob.client, yes, { side: BUY, price: 0.55, size: 10, builderCode });
  return {
    exchange,
    recorder,
    alice,
    bob,
    conditionId: exchange.plain.conditionId,
    yes,
    no,
    bidId: bid.orderID,
    builderCode,
    clientOf: (trader) => trader.clientAt(recorder.url),
    newTrader: (name, chain) => makeTrader(name, recorder.url, chain),
  };
}
