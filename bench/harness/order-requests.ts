/**
 * Orders for the load tests, signed and authenticated beforehand: by the dev accounts in turn, over
 * several markets, good until cancelled. Most rest below the middle; a share of them buys the
 * opposite outcome and crosses what rests, so that complete sets are minted.
 */
import type { Request } from 'autocannon';
import { lots, micros, ticks } from '../../engine/index.ts';
import { signOrder } from '../../http/command-line/place-order/sign-order.ts';
import { domainSeparator } from '../../http/signing/domain-table.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../../http/signing/domains.ts';
import { bytesToHex } from '../../http/signing/hash.ts';
import { signL2 } from '../../http/signing/l2.ts';
import { structHash } from '../../http/signing/order-hash.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { type Wallet, walletOf } from '../../http/signing/wallet.ts';
import { Random } from '../../test/engine/random/random.ts';
import type { OrderBody } from '../reference/order-server.ts';
import type { OrderFields } from '../reference/order-signature.ts';
import type { LoadAccount, ServerProcess } from './server-process.ts';

const MARKETS = 20;
const CHAIN_ID = 137;
const CROSSING_PERCENT = 20;
/** Of a unit, what a price in cents is a multiple of. */
const CENT = 0.01;
/** Of each order. */
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

async function get<Reply>(server: ServerProcess, path: string): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`);
  if (!response.ok) throw new Error(`GET ${path} answers ${response.status}`);
  return (await response.json()) as Reply; // our own routes
}

/** The first markets that trade in cents. */
async function loadMarkets(server: ServerProcess): Promise<LoadMarket[]> {
  const { data } = await get<SimplifiedMarkets>(server, '/simplified-markets');
  const markets: LoadMarket[] = [];
  for (const { tokens } of data) {
    const [yes, no] = tokens.map((token) => token.token_id);
    if (yes === undefined || no === undefined) continue;
    const query = `?token_id=${yes}`;
    const tick = await get<{ minimum_tick_size: number }>(server, `/tick-size${query}`);
    const step = Number(tick.minimum_tick_size);
    if (step > CENT) continue;
    const { neg_risk: negRisk } = await get<{ neg_risk: boolean }>(server, `/neg-risk${query}`);
    markets.push({ tokenIds: [yes, no], negRisk, step });
    if (markets.length === MARKETS) break;
  }
  return markets;
}

/** The one that orders of a kind of market are signed for. */
export function domainOf(negRisk: boolean): SigningDomain {
  const domain = DEFAULT_DOMAINS.find(
    (one) =>
      one.struct === 'order11' &&
      one.chainId === CHAIN_ID &&
      (one.negRisk === undefined || one.negRisk === negRisk),
  );
  if (domain === undefined) throw new Error('no signing domain');
  return domain;
}

/** An order that rests: its id and the body of its request. */
export interface RestingOrder {
  readonly id: string;
  readonly body: OrderBody;
}

export interface RestingBatches {
  readonly requests: readonly Request[];
  readonly resting: readonly RestingOrder[];
}

/** The hash that is signed. */
function idOf(order: OrderFields, negRisk: boolean): string {
  const side = order.side === 'BUY' ? 0 : 1;
  const contents = structHash({ struct: 'order11', ...order, side, signatureType: 0 });
  if (!contents.ok) throw new Error(`${contents.field} is ${contents.actual}`);
  return bytesToHex(typedDataDigest(domainSeparator(domainOf(negRisk)), contents.hash));
}

interface Signer {
  readonly account: LoadAccount;
  readonly wallet: Wallet;
}

/** What an order does: it rests below the middle, or buys the opposite outcome above it. */
interface Intent {
  readonly market: LoadMarket;
  readonly crosses: boolean;
  readonly cents: number;
}

/** Makes requests, each of another order, as many as are asked for. */
export class OrderRequests {
  readonly #random = new Random(1);
  /** Those that are traded. */
  readonly markets: readonly LoadMarket[];
  readonly #signers: readonly Signer[];
  #turns = 0;
  #made = 0;

  private constructor(markets: readonly LoadMarket[], accounts: readonly LoadAccount[]) {
    this.markets = markets;
    this.#signers = accounts.map((account) => ({ account, wallet: walletOf(account.privateKey) }));
  }

  static async of(server: ServerProcess): Promise<OrderRequests> {
    return new OrderRequests(await loadMarkets(server), server.devAccounts);
  }

  make(count: number): Request[] {
    return Array.from({ length: count }, () => this.#postOf(this.#next()));
  }

  /** Requests of several orders each, all of one account. */
  makeBatches(count: number, size: number): Request[] {
    return Array.from({ length: count }, () => this.#batchOf(size, () => this.#next()));
  }

  /** The same of orders that rest and that none of the others crosses, and what they are. */
  makeRestingBatches(count: number, size: number): RestingBatches {
    const resting: RestingOrder[] = [];
    const next = (): Intent => {
      const market = this.#random.pick(this.markets);
      return { market, crosses: false, cents: this.#random.between(1, 15) };
    };
    const requests = Array.from({ length: count }, () =>
      this.#batchOf(size, next, (text, { negRisk }) => {
        const body = JSON.parse(text) as OrderBody; // ours
        resting.push({ id: idOf(body.order, negRisk), body });
      }),
    );
    return { requests, resting };
  }

  /** The token that `makeOne` buys. */
  get firstTokenId(): string {
    return this.markets[0]!.tokenIds[0];
  }

  /** An order that rests in the first market, if nothing has crossed it. */
  makeOne(cents: number): Request {
    return this.#postOf({ market: this.markets[0]!, crosses: false, cents });
  }

  /** A cancel of an order that nobody has placed. */
  makeCancel(): Request {
    const { account } = this.#signers[0]!;
    return this.#cancelOf(account, `0x${'0'.repeat(64)}`);
  }

  /** Cancels of orders, each by the account whose API key is its `owner`. */
  makeCancels(orders: readonly { readonly id: string; readonly owner: string }[]): Request[] {
    const accounts = new Map(this.#signers.map(({ account }) => [account.apiKey, account]));
    return orders.map(({ id, owner }) => {
      const account = accounts.get(owner);
      if (account === undefined) throw new Error(`no account has the key ${owner}`);
      return this.#cancelOf(account, id);
    });
  }

  #cancelOf(account: LoadAccount, id: string): Request {
    const body = JSON.stringify({ orderID: id });
    const head = { method: 'DELETE', path: '/order' } as const;
    return { ...head, headers: headersOf(account, body, head), body };
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

  #batchOf(
    size: number,
    next: () => Intent,
    onMade: (text: string, market: LoadMarket) => void = () => {},
  ): Request {
    const signer = this.#nextSigner();
    const orders = Array.from({ length: size }, () => {
      const intent = next();
      const text = this.#submission(signer, intent);
      onMade(text, intent.market);
      return text;
    });
    const body = `[${orders.join()}]`;
    const head = { method: 'POST', path: '/orders' } as const;
    return { ...head, headers: headersOf(signer.account, body, head), body };
  }

  #postOf(intent: Intent): Request {
    const signer = this.#nextSigner();
    const body = this.#submission(signer, intent);
    const head = { method: 'POST', path: '/order' } as const;
    return { ...head, headers: headersOf(signer.account, body, head), body };
  }

  /** The body of POST /order. */
  #submission({ account, wallet }: Signer, { market, crosses, cents }: Intent): string {
    this.#made += 1;
    const order = signOrder(
      {
        tokenId: market.tokenIds[crosses ? 1 : 0],
        side: 'BUY',
        type: 'GTC',
        priceTicks: ticks(cents * 100),
        lots: lots(SIZE_LOTS),
        budgetMicros: micros(0),
        expirationSeconds: 0,
        postOnly: false,
      },
      { wallet, domain: domainOf(market.negRisk), salt: this.#made, nowMs: Date.now() },
    );
    return JSON.stringify({ ...order, owner: account.apiKey });
  }
}

interface Head {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
}

function headersOf(account: LoadAccount, body: string, head: Head): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    'content-type': 'application/json',
    POLY_ADDRESS: account.address,
    POLY_API_KEY: account.apiKey,
    POLY_PASSPHRASE: account.passphrase,
    POLY_TIMESTAMP: timestamp,
    POLY_SIGNATURE: signL2(account.secret, { timestamp, ...head }, Buffer.from(body)),
  };
}
