/**
 * Orders for the load test, signed and authenticated beforehand: by the dev accounts in turn, over
 * several markets, good until cancelled. Most rest below the middle; a share of them buys the
 * opposite outcome and crosses what rests, so that complete sets are minted.
 */
import type { Request } from 'autocannon';
import { lots, micros, ticks } from '../engine/index.ts';
import { signOrder } from '../http/command-line/sign-order.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../http/signing/domains.ts';
import { signL2 } from '../http/signing/l2.ts';
import { type Wallet, walletOf } from '../http/signing/wallet.ts';
import { Random } from '../test/engine/random.ts';
import type { LoadAccount, ServerProcess } from './server-process.ts';

const MARKETS = 20;
const CHAIN_ID = 137;
const CROSSING_PERCENT = 20;
/** Of each order. */
export const SIZE_LOTS = 500;

interface LoadMarket {
  readonly tokenIds: readonly [string, string];
  readonly negRisk: boolean;
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
    if (Number(tick.minimum_tick_size) > 0.01) continue;
    const { neg_risk: negRisk } = await get<{ neg_risk: boolean }>(server, `/neg-risk${query}`);
    markets.push({ tokenIds: [yes, no], negRisk });
    if (markets.length === MARKETS) break;
  }
  return markets;
}

function domainOf(negRisk: boolean): SigningDomain {
  const domain = DEFAULT_DOMAINS.find(
    (one) =>
      one.struct === 'order11' &&
      one.chainId === CHAIN_ID &&
      (one.negRisk === undefined || one.negRisk === negRisk),
  );
  if (domain === undefined) throw new Error('no signing domain');
  return domain;
}

/** Makes requests, each of another order, as many as are asked for. */
export class OrderRequests {
  readonly #random = new Random(1);
  readonly #markets: readonly LoadMarket[];
  readonly #accounts: readonly { readonly account: LoadAccount; readonly wallet: Wallet }[];
  #made = 0;

  private constructor(markets: readonly LoadMarket[], accounts: readonly LoadAccount[]) {
    this.#markets = markets;
    this.#accounts = accounts.map((account) => ({
      account,
      wallet: walletOf(account.privateKey),
    }));
  }

  static async of(server: ServerProcess): Promise<OrderRequests> {
    return new OrderRequests(await loadMarkets(server), server.devAccounts);
  }

  make(count: number): Request[] {
    return Array.from({ length: count }, () => this.#next());
  }

  /** The token that `makeOne` buys. */
  get firstTokenId(): string {
    return this.#markets[0]!.tokenIds[0];
  }

  /** An order that rests in the first market, if nothing has crossed it. */
  makeOne(cents: number): Request {
    return this.#requestFor(this.#markets[0]!, false, cents);
  }

  /** A cancel of an order that nobody has placed. */
  makeCancel(): Request {
    const { account } = this.#accounts[0]!;
    const body = JSON.stringify({ orderID: `0x${'0'.repeat(64)}` });
    const head = { method: 'DELETE', path: '/order' } as const;
    return { ...head, headers: headersOf(account, body, head.method), body };
  }

  #next(): Request {
    const market = this.#random.pick(this.#markets);
    const crosses = this.#random.chance(CROSSING_PERCENT);
    return this.#requestFor(market, crosses, crosses ? 80 : this.#random.between(20, 40));
  }

  #requestFor(market: LoadMarket, crosses: boolean, cents: number): Request {
    this.#made += 1;
    const { account, wallet } = this.#accounts[this.#made % this.#accounts.length]!;
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
    const body = JSON.stringify({ ...order, owner: account.apiKey });
    return { method: 'POST', path: '/order', headers: headersOf(account, body), body };
  }
}

function headersOf(account: LoadAccount, body: string, method = 'POST'): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const head = { timestamp, method, path: '/order' };
  return {
    'content-type': 'application/json',
    POLY_ADDRESS: account.address,
    POLY_API_KEY: account.apiKey,
    POLY_PASSPHRASE: account.passphrase,
    POLY_TIMESTAMP: timestamp,
    POLY_SIGNATURE: signL2(account.secret, head, Buffer.from(body)),
  };
}
