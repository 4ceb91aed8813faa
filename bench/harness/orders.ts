/**
 * Signed orders for the load tests, made beforehand: by the dev accounts in turn, over several
 * markets, good until cancelled. Most rest below the middle. Some buy the opposite outcome and
 * cross what rests, so that complete sets are minted.
 */
import { Random } from '../../test/engine/random/random.ts';
import type { LoadRequest } from './closed-loop.ts';
import type { Exchange } from './exchange.ts';
import { type SignedOrder, Signer } from './signing.ts';

const MARKETS = 20;
const CROSSING_PERCENT = 20;
/** The price step of a market in cents; finer ones will do too. */
const CENT = 0.01;
export const SIZE_LOTS = 500;

export interface LoadMarket {
  readonly tokenIds: readonly [string, string];
  readonly negRisk: boolean;
  /** The price step, in units of cash. */
  readonly step: number;
}

interface SimplifiedMarkets {
  readonly data: readonly { readonly tokens: readonly { readonly token_id: string }[] }[];
}

/** The first markets that trade in cents. */
async function loadMarkets(exchange: Exchange): Promise<LoadMarket[]> {
  const { data } = await exchange.get<SimplifiedMarkets>('/simplified-markets');
  const markets: LoadMarket[] = [];
  for (const { tokens } of data) {
    const [yes, no] = tokens.map((token) => token.token_id);
    if (yes === undefined || no === undefined) continue;
    const query = `?token_id=${yes}`;
    const tick = await exchange.get<{ minimum_tick_size: number }>(`/tick-size${query}`);
    const step = Number(tick.minimum_tick_size);
    if (step > CENT) continue;
    const { neg_risk: negRisk } = await exchange.get<{ neg_risk: boolean }>(`/neg-risk${query}`);
    markets.push({ tokenIds: [yes, no], negRisk, step });
    if (markets.length === MARKETS) break;
  }
  return markets;
}

/** An order that rests below the middle, or buys the opposite outcome above it. */
interface Intent {
  readonly market: LoadMarket;
  readonly crosses: boolean;
  readonly cents: number;
}

/** Makes as many requests as are asked for, each with other orders. */
export class Orders {
  readonly markets: readonly LoadMarket[];
  readonly #random = new Random(1);
  readonly #signers: readonly Signer[];
  #turns = 0;

  private constructor(markets: readonly LoadMarket[], { devAccounts }: Exchange) {
    this.markets = markets;
    this.#signers = devAccounts.map((account) => new Signer(account));
  }

  static async of(exchange: Exchange): Promise<Orders> {
    return new Orders(await loadMarkets(exchange), exchange);
  }

  make(count: number): LoadRequest[] {
    return Array.from({ length: count }, () => this.#single(this.#next()));
  }

  /** Requests of several orders each, all of one account. */
  makeBatches(count: number, size: number): LoadRequest[] {
    return Array.from({ length: count }, () => this.#batch(size, () => this.#next()).request);
  }

  /** The same with orders that rest and that no other order crosses, and what they are. */
  makeRestingBatches(count: number, size: number) {
    const next = (): Intent => {
      const market = this.#random.pick(this.markets);
      return { market, crosses: false, cents: this.#random.between(1, 15) };
    };
    const batches = Array.from({ length: count }, () => this.#batch(size, next));
    return {
      requests: batches.map(({ request }) => request),
      resting: batches.flatMap(({ orders }) => orders),
    };
  }

  /** The token that `makeOne` buys. */
  get firstTokenId(): string {
    return this.markets[0]!.tokenIds[0];
  }

  /** An order that rests in the first market, if nothing has crossed it. */
  makeOne(cents: number): LoadRequest {
    return this.#single({ market: this.markets[0]!, crosses: false, cents });
  }

  /** A cancel of an order that does not exist. */
  makeCancel(): LoadRequest {
    return this.#signers[0]!.request('DELETE', '/order', { orderID: `0x${'0'.repeat(64)}` });
  }

  /** Cancels of orders, each by the account whose API key is its `owner`. */
  makeCancels(orders: readonly { readonly id: string; readonly owner: string }[]): LoadRequest[] {
    const signers = new Map(this.#signers.map((signer) => [signer.account.apiKey, signer]));
    return orders.map(({ id, owner }) => {
      const signer = signers.get(owner);
      if (signer === undefined) throw new Error(`no account has the key ${owner}`);
      return signer.request('DELETE', '/order', { orderID: id });
    });
  }

  #next(): Intent {
    const market = this.#random.pick(this.markets);
    const crosses = this.#random.chance(CROSSING_PERCENT);
    return { market, crosses, cents: crosses ? 80 : this.#random.between(20, 40) };
  }

  #nextSigner(): Signer {
    this.#turns += 1;
    return this.#signers[this.#turns % this.#signers.length]!;
  }

  #sign(signer: Signer, { market, crosses, cents }: Intent): SignedOrder {
    const { tokenIds, negRisk } = market;
    const tokenId = tokenIds[crosses ? 1 : 0];
    return signer.order({ tokenId, negRisk, side: 'BUY', type: 'GTC', cents, lots: SIZE_LOTS });
  }

  #single(intent: Intent): LoadRequest {
    const signer = this.#nextSigner();
    return signer.request('POST', '/order', this.#sign(signer, intent).body);
  }

  #batch(size: number, next: () => Intent) {
    const signer = this.#nextSigner();
    const orders = Array.from({ length: size }, () => this.#sign(signer, next()));
    const request = signer.request(
      'POST',
      '/orders',
      orders.map(({ body }) => body),
    );
    return { request, orders };
  }
}
