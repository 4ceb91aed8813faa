/**
 * Signed GTC orders for the load tests, made beforehand by the dev accounts in turn, in several
 * markets. Most buy YES at 0.20 to 0.40 and rest. The others buy NO at 0.80, which crosses them and
 * mints complete sets.
 */
import { Random } from '../../http/codec/random.ts';
import type { LoadRequest } from './closed-loop.ts';
import type { Exchange, LoadMarket } from './exchange.ts';
import { type SignedOrder, Signer } from './signing.ts';

const MARKETS = 20;
const CROSSING_PERCENT = 20;
/** A price step of a cent, the largest with which every price in cents is valid. */
const CENT_TICKS = 100;
const TICKS = 10_000;
const SIZE_LOTS = 500;

/** A part of the answer of GET /sampling-markets. */
interface Markets {
  readonly data: readonly {
    readonly tokens: readonly [{ readonly token_id: string }, { readonly token_id: string }];
    readonly neg_risk: boolean;
    readonly minimum_tick_size: number;
  }[];
}

/** Where orders go: an exchange, or a gateway of a cluster. */
type OrderPlace = Pick<Exchange, 'devAccounts' | 'get'>;

/** The first markets with prices in cents, or finer ones. */
async function loadMarkets(exchange: OrderPlace): Promise<LoadMarket[]> {
  const { data } = await exchange.get<Markets>('/sampling-markets');
  return data
    .map(({ tokens: [yes, no], neg_risk: negRisk, minimum_tick_size: step }) => {
      const stepTicks = Math.round(step * TICKS);
      return { tokenIds: [yes.token_id, no.token_id] as const, negRisk, stepTicks };
    })
    .filter(({ stepTicks }) => stepTicks <= CENT_TICKS)
    .slice(0, MARKETS);
}

/** An order to sign: a BUY of YES that rests, or a BUY of NO if it crosses such orders. */
interface Intent {
  readonly market: LoadMarket;
  readonly crosses: boolean;
  readonly cents: number;
}

/** Makes signed requests. Every order is different. */
export class Orders {
  readonly markets: readonly LoadMarket[];
  readonly #random = new Random(1);
  readonly #signers: readonly Signer[];
  #turns = 0;

  private constructor(markets: readonly LoadMarket[], { devAccounts }: OrderPlace) {
    this.markets = markets;
    this.#signers = devAccounts.map((account) => new Signer(account));
  }

  static async of(exchange: OrderPlace): Promise<Orders> {
    return new Orders(await loadMarkets(exchange), exchange);
  }

  make(count: number): LoadRequest[] {
    return Array.from({ length: count }, () => this.#single(this.#next()));
  }

  /** Requests of several orders each, all of one account. */
  makeBatches(count: number, size: number): LoadRequest[] {
    return Array.from({ length: count }, () => this.#batch(size, () => this.#next()).request);
  }

  /** Batches of orders at 0.01 to 0.15, which no other order crosses, and these orders. */
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
