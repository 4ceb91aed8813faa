/**
 * An account that the replay trades with in one market: it places, cancels and reads orders.
 *
 * It only buys: YES at a price for a bid, and NO at the complement for an ask, which is the same
 * level of the one book. So it needs play money and never tokens.
 *
 * Bound: as many orders and ids in a request as the exchange takes; further ones follow in others.
 */
import { randomInt } from 'node:crypto';
import { fieldsOf, type JsonFields, SALT_RANGE } from '../../cli/place-order/index.ts';
import { complement, type Lots, lots, micros } from '../../engine/model/index.ts';
import { READ_BOUNDS } from '../../http/bounds/read-bounds.ts';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import type { SigningDomain } from '../../http/signing/domains.ts';
import { signOrder } from '../../http/signing/sign-order.ts';
import type { SignedRequests, TradingClock } from './exchange-requests.ts';
import type { BookLevel } from './recorded-book.ts';
import { sizeIn } from './recorded-numbers.ts';

/** What became of an order. */
export type Placed =
  | {
      readonly ok: true;
      readonly id: string;
      /** What rests on the book. */
      readonly rest: Lots;
    }
  | { readonly ok: false; readonly code: string; readonly sentence: string };

export interface OrderRest {
  readonly id: string;
  readonly rest: Lots;
}

export interface TradingContext {
  readonly tokenIds: readonly [yes: string, no: string];
  readonly domain: SigningDomain;
  readonly clock: TradingClock;
}

/** Parts of at most `size`, in order. */
function* partsOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function listOf(json: unknown): readonly JsonFields[] {
  if (Array.isArray(json)) return json.map(fieldsOf);
  throw new Error('The answer of the exchange is not a list. Is an outcome-exchange there?');
}

/** A size in an answer of the exchange; "" is none. */
function lotsIn(value: unknown): Lots {
  if (value === '') return lots(0);
  const size = sizeIn(value);
  if ('lots' in size) return size.lots;
  throw new Error(`The answer of the exchange is not a size: ${size.sentence}`);
}

/** In the answer of POST /order; records of orders have them in upper case. */
const RESTING = new Set(['live', 'delayed']);

/** The micros that an order to rest at this level holds, without fees. */
export function restingCost({ side, priceTicks, lots: size }: BookLevel): number {
  return size * (side === 'bid' ? priceTicks : complement(priceTicks));
}

export class TradingAccount {
  readonly #requests: SignedRequests;
  readonly #context: TradingContext;

  constructor(requests: SignedRequests, context: TradingContext) {
    this.#requests = requests;
    this.#context = context;
  }

  get address(): string {
    return this.#requests.wallet.address;
  }

  /** Places an order for each level, in order. Each is accepted or refused by itself. */
  async place(levels: readonly BookLevel[]): Promise<readonly Placed[]> {
    const placed: Placed[] = [];
    for (const part of partsOf(levels, HTTP_BOUNDS.ordersPerRequest)) {
      const body = JSON.stringify(part.map((level) => this.#signed(level)));
      const answers = listOf(await this.#requests.send({ method: 'POST', path: '/orders', body }));
      placed.push(...part.map((level, place) => placedIn(fieldsOf(answers[place]), level)));
    }
    return placed;
  }

  /** Cancels orders and returns the ids of those that were not there any more. */
  async cancel(ids: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const part of partsOf(ids, HTTP_BOUNDS.ordersPerCancel)) {
      const body = JSON.stringify(part);
      const answer = await this.#requests.send({ method: 'DELETE', path: '/orders', body });
      missing.push(...Object.keys(fieldsOf(fieldsOf(answer).not_canceled)));
    }
    return missing;
  }

  /** Cancels all orders of the account in a market. */
  async cancelMarket(conditionId: string): Promise<void> {
    const body = JSON.stringify({ market: conditionId });
    await this.#requests.send({ method: 'DELETE', path: '/cancel-market-orders', body });
  }

  /** What rests of orders, in their order. The answer includes all that was done before. */
  async restsOf(ids: readonly string[]): Promise<readonly OrderRest[]> {
    const rests: OrderRest[] = [];
    for (const part of partsOf(ids, READ_BOUNDS.listedOrders)) {
      const body = JSON.stringify(part.map((orderId) => ({ orderId })));
      const found = listOf(
        await this.#requests.send({ method: 'POST', path: '/data/orders', body }),
      );
      rests.push(...part.map((id, place) => ({ id, rest: restIn(fieldsOf(found[place]).order) })));
    }
    return rests;
  }

  #signed({ side, priceTicks, lots: size }: BookLevel): JsonFields {
    const { tokenIds, domain, clock } = this.#context;
    const signed = signOrder(
      {
        tokenId: tokenIds[side === 'bid' ? 0 : 1],
        side: 'BUY',
        type: 'GTC',
        priceTicks: side === 'bid' ? priceTicks : complement(priceTicks),
        lots: size,
        budgetMicros: micros(0),
        expirationSeconds: 0,
        postOnly: false,
      },
      {
        wallet: this.#requests.wallet,
        domain,
        salt: randomInt(SALT_RANGE),
        nowMs: Math.floor(clock.nowMs()),
      },
    );
    return { ...signed, owner: this.#requests.apiKey };
  }
}

function placedIn(answer: JsonFields, level: BookLevel): Placed {
  const { success, status, orderID, takingAmount, code, error } = answer;
  if (success === true && typeof orderID === 'string' && typeof status === 'string') {
    const rest = RESTING.has(status) ? level.lots - lotsIn(takingAmount) : 0;
    return { ok: true, id: orderID, rest: lots(rest) };
  }
  return { ok: false, code: `${code}`, sentence: `${error}` };
}

function restIn(order: unknown): Lots {
  const { status, original_size: original, size_matched: matched } = fieldsOf(order);
  if (typeof status !== 'string' || !RESTING.has(status.toLowerCase())) return lots(0);
  return lots(lotsIn(original) - lotsIn(matched));
}
