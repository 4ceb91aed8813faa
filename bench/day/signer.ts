/**
 * The acts of a made-up day as bytes of HTTP requests: orders signed by their accounts, writes
 * authenticated. An order's id is known when it is signed, so a cancel can name it before it was
 * answered.
 *
 * Bound: the orders of the day. An id is kept until its order is cancelled by it: quotes in a quiet
 * market live for minutes, whatever the others do.
 */
import { lots, micros, ticks } from '../../engine/index.ts';
import { signKnownOrder } from '../../http/command-line/place-order/sign-order.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../../http/signing/domains.ts';
import { signL2 } from '../../http/signing/l2.ts';
import { type Wallet, walletOf } from '../../http/signing/wallet.ts';
import type { LoadAccount } from '../harness/server-process.ts';
import type { DayAct, DayOrder, Move, Read } from './plan.ts';

export interface VenueMarket {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
  /** Of a neg-risk event; '' for others. */
  readonly negRiskEvent: string;
}

/** What the numbers of markets and accounts stand for. */
export interface Venue {
  readonly markets: readonly VenueMarket[];
  readonly accounts: readonly LoadAccount[];
}

export const CHAIN_ID = 137;
/** Of the titles that day-venue.ts gives. */
export const WORDS = ['rain', 'match', 'vote', 'price', 'goal', 'storm', 'court', 'launch'];

/** One of them, always the same for a token. */
function wordOf(tokenId: string): string {
  return WORDS[Number(tokenId.slice(-2)) % WORDS.length]!;
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
const DOMAINS = { plain: domainOf(false), negRisk: domainOf(true) };

interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: string;
  readonly body?: string;
  /** Whose credentials it carries; left out, nobody's. */
  readonly account?: LoadAccount;
}

export class DaySigner {
  readonly #venue: Venue;
  readonly #wallets: readonly Wallet[];
  readonly #ids = new Map<number, string>();
  #keys = 0;

  constructor(venue: Venue) {
    this.#venue = venue;
    this.#wallets = venue.accounts.map(({ privateKey }) => walletOf(privateKey));
  }

  /** The request of an act that is sent at a time since the epoch. */
  requestOf(act: Exclude<DayAct, { kind: 'resolve' }>, atMs: number): Buffer {
    return requestBytes(this.#ask(act, atMs), atMs);
  }

  #ask(act: Exclude<DayAct, { kind: 'resolve' }>, atMs: number): Asked {
    const account = this.#venue.accounts[act.account]!;
    switch (act.kind) {
      case 'orders': {
        const orders = act.orders.map((order) => this.#sign(order, act.account, atMs));
        return { method: 'POST', path: '/orders', body: JSON.stringify(orders), account };
      }
      case 'order': {
        const order = this.#sign(act.order, act.account, atMs);
        return { method: 'POST', path: '/order', body: JSON.stringify(order), account };
      }
      case 'cancel': {
        const body = JSON.stringify(act.numbers.map((number) => this.#forget(number)));
        return { method: 'DELETE', path: '/orders', body, account };
      }
      case 'clear': {
        const body = JSON.stringify({ market: this.#market(act.market).conditionId });
        return { method: 'DELETE', path: '/cancel-market-orders', body, account };
      }
      case 'move': {
        const body = JSON.stringify(this.#move(act));
        return { method: 'POST', path: `/sets/${act.move}`, body, account };
      }
      case 'read':
        return readOf(act.read, this.#market(act.market), account);
    }
  }

  #sign(order: DayOrder, account: number, atMs: number): Readonly<Record<string, unknown>> {
    const { tokenIds, negRiskEvent } = this.#market(order.market);
    const { livesSeconds } = order;
    const { orderId, body } = signKnownOrder(
      {
        tokenId: tokenIds[order.outcome],
        side: order.side,
        type: order.type,
        priceTicks: ticks(order.cents * 100),
        lots: lots(order.lots),
        budgetMicros: micros(order.budgetMicros),
        expirationSeconds: livesSeconds === 0 ? 0 : Math.floor(atMs / 1_000) + livesSeconds,
        postOnly: order.postOnly,
      },
      {
        wallet: this.#wallets[account]!,
        domain: negRiskEvent === '' ? DOMAINS.plain : DOMAINS.negRisk,
        salt: order.number + 1,
        nowMs: Math.floor(atMs),
      },
    );
    this.#ids.set(order.number, orderId);
    return { ...body, owner: this.#venue.accounts[account]!.apiKey };
  }

  #forget(number: number): string {
    const orderId = this.#ids.get(number);
    if (orderId === undefined) throw new Error(`order ${number} was not signed before its cancel`);
    this.#ids.delete(number);
    return orderId;
  }

  #move(act: { readonly move: Move; readonly market: number; readonly lots: number }) {
    this.#keys += 1;
    const key = `day-${this.#keys}`;
    const { conditionId, negRiskEvent } = this.#market(act.market);
    const amount = String(act.lots / 100);
    switch (act.move) {
      case 'split':
      case 'merge':
        return { market: conditionId, amount, key };
      case 'redeem':
        return { market: conditionId, key };
      case 'convert':
        return { event_id: negRiskEvent, markets: [conditionId], amount, key };
    }
  }

  #market(rank: number): VenueMarket {
    return this.#venue.markets[rank]!;
  }
}

function readOf(read: Read, market: VenueMarket, account: LoadAccount): Asked {
  const token = market.tokenIds[0];
  const get = (path: string, query: string): Asked => ({ method: 'GET', path, query });
  switch (read) {
    case 'book':
      return get('/book', `token_id=${token}`);
    case 'price':
      return get('/price', `token_id=${token}&side=BUY`);
    case 'midpoint':
      return get('/midpoint', `token_id=${token}`);
    case 'history':
      return get('/prices-history', `market=${token}&interval=1d`);
    case 'own orders':
      return { ...get('/data/orders', `market=${market.conditionId}`), account };
    case 'own trades':
      return { ...get('/data/trades', `market=${market.conditionId}`), account };
    case 'trades':
      return get('/trades', `market=${market.conditionId}&limit=50`);
    case 'positions':
      return get('/positions', `user=${account.address}&limit=50`);
    case 'activity':
      return get('/activity', `user=${account.address}&limit=50`);
    case 'events':
      return get('/events', 'limit=20&closed=false');
    case 'markets':
      return get('/markets', 'limit=20&closed=false');
    case 'search':
      return get('/public-search', `q=${wordOf(token)}`);
  }
}

function requestBytes({ method, path, query, body = '', account }: Asked, atMs: number): Buffer {
  const target = query === undefined ? path : `${path}?${query}`;
  const lines = [`${method} ${target} HTTP/1.1`, 'host: day'];
  const content = Buffer.from(body);
  if (account !== undefined) {
    const timestamp = String(Math.floor(atMs / 1_000));
    const signature = signL2(account.secret, { timestamp, method, path }, content);
    lines.push(
      'content-type: application/json',
      `POLY_ADDRESS: ${account.address}`,
      `POLY_API_KEY: ${account.apiKey}`,
      `POLY_PASSPHRASE: ${account.passphrase}`,
      `POLY_TIMESTAMP: ${timestamp}`,
      `POLY_SIGNATURE: ${signature}`,
    );
  }
  if (method !== 'GET') lines.push(`content-length: ${content.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content]);
}
