/**
 * What clients sign for a price that a user may enter is that price, whatever they round: limit
 * and market orders of every published client, at every tick, in every type and side. Market orders
 * have the limit that the user gave.
 */

import { createSecureClient, OrderSide, OrderType as SdkType } from '@polymarket/client';
import { privateKey } from '@polymarket/client/viem';
import { ClobClient as FirstClient, Side as FirstSide } from '@polymarket/clob-client';
import { OrderBuilder, Side } from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import t from 'tap';
import { type OrderType, ticks } from '../../../engine/model/index.ts';
import { measure } from '../../../http/orders/measure.ts';
import type { SignedOrder } from '../../../http/signing/order-struct.ts';
import { PRIVATE_KEY, walletClient } from '../../console/browser/signing/published-signer.ts';
import { OPEN } from '../../default-settings.ts';
import { shareTestExchange } from '../../http/exchange-fixture.ts';
import { times } from '../../long-set.ts';
import { environmentOf } from './unified.ts';

const CHAIN = 137;
const share = await shareTestExchange(t, { now: Date.now });

interface Wish {
  readonly price: number;
  readonly tickSize: '0.1' | '0.01' | '0.001' | '0.0001';
  /** Tokens; of a market BUY, cash. */
  readonly quantity: number;
  readonly side: 'BUY' | 'SELL';
  readonly type: OrderType;
}

type Amounts = Pick<SignedOrder, 'makerAmount' | 'takerAmount'>;
type Sign = (wish: Wish, tokenID: string) => Promise<{ makerAmount: string; takerAmount: string }>;

function isMarket({ type }: Wish): boolean {
  return type === 'FOK' || type === 'FAK';
}

const second = new OrderBuilder(walletClient, CHAIN);
const { orderBuilder: first } = new FirstClient('http://127.0.0.1:1', CHAIN, walletClient);

const signSecond: Sign = async (wish, tokenID) => {
  const { price, tickSize, quantity } = wish;
  const shared = { tokenID, price, side: Side[wish.side] };
  const options = { tickSize, negRisk: false };
  return isMarket(wish)
    ? await second.buildMarketOrder({ ...shared, amount: quantity }, options, 2)
    : await second.buildOrder({ ...shared, size: quantity }, options, 2);
};

const signFirst: Sign = async (wish, tokenID) => {
  const { price, tickSize, quantity } = wish;
  const shared = { tokenID, price, side: FirstSide[wish.side] };
  const options = { tickSize, negRisk: false };
  return isMarket(wish)
    ? await first.buildMarketOrder({ ...shared, amount: quantity }, options)
    : await first.buildOrder({ ...shared, size: quantity }, options);
};

/** A venue with a market of each tick, and the SDK's client on it. */
async function makeSdk(url: string): Promise<Sign> {
  const client = await createSecureClient({
    environment: environmentOf(url),
    signer: privateKey(PRIVATE_KEY),
    wallet: walletClient.account.address,
  });
  return async (wish, tokenId) => {
    const { price, quantity, side } = wish;
    if (!isMarket(wish)) {
      return client.createLimitOrder({ tokenId, price, size: quantity, side: OrderSide[side] });
    }
    const orderType = wish.type === 'FOK' ? SdkType.FOK : SdkType.FAK;
    return side === 'BUY'
      ? client.createMarketOrder({
          ...{ tokenId, orderType, side: OrderSide.BUY, amount: quantity, maxPrice: price },
        })
      : client.createMarketOrder({
          ...{ tokenId, orderType, side: OrderSide.SELL, shares: quantity, minPrice: price },
        });
  };
}

const wishes = fc.record({
  steps: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  hundredths: fc.oneof(fc.integer({ min: 500, max: 5_000 }), fc.integer({ min: 500, max: 1e7 })),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  type: fc.constantFrom('GTC' as const, 'GTD' as const, 'FOK' as const, 'FAK' as const),
});

t.test('each client signs the price that its user entered', async (t) => {
  const exchange = share();
  const { conditionId, tokenIds } = exchange.plain;
  const clients: Readonly<Record<string, Sign>> = {
    'clob-client': signFirst,
    'clob-client-v2': signSecond,
    client: await makeSdk(exchange.running.url),
  };
  for (const tickSize of ['0.1', '0.01', '0.001', '0.0001'] as const) {
    const tick = ticks(Number(tickSize) * 10_000);
    const terms = { tick_size: tickSize };
    const set = await exchange.operator('POST', `/markets/${conditionId}/terms`, terms);
    t.equal(set.status, 200, set.text);
    for (const [name, sign] of Object.entries(clients)) {
      await fc.assert(
        fc.asyncProperty(wishes, async ({ steps, hundredths, side, type }) => {
          const priceTicks = (1 + Math.floor(steps * (10_000 / tick - 1))) * tick;
          const wish = {
            price: priceTicks / 10_000,
            quantity: hundredths / 100,
            tickSize,
            side,
            type,
          };
          const { makerAmount, takerAmount } = await sign(wish, tokenIds[0]);
          const amounts: Amounts = {
            makerAmount: String(makerAmount),
            takerAmount: String(takerAmount),
          };
          // Safe: nothing else of an order is measured.
          const order = { ...amounts, side: side === 'BUY' ? 0 : 1 } as SignedOrder;
          return measure(order, type, tick, OPEN).priceTicks === priceTicks;
        }),
        { numRuns: times(20, 500) },
      );
      t.pass(`${name} at ${tickSize}`);
    }
  }
});
