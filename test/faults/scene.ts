/**
 * The traders and markets of a campaign, the same over all crashes of its exchange. Nothing here is
 * random: the markets are found on the running exchange.
 */

import { builtinEvents } from '../../catalog/builtin/index.ts';
import { walletOf } from '../../http/signing/wrapped-signature.ts';
import { type Answer, type SendOptions, sendTo, Trader } from '../http/exchange-fixture.ts';
import { makeSigner } from '../http/signing/fixtures.ts';
import type { ExchangeChild, ReadyLine } from './exchange-child.ts';

const TRADERS = 5;
/** The number of the first private key. No other test uses these keys at the same time. */
const FIRST_SIGNER = 200;
const MARKETS = 3;

export interface SceneMarket {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
}

/** The used fields of a market in GET /simplified-markets. */
interface ListedMarket {
  readonly condition_id: string;
  readonly neg_risk: boolean;
  readonly accepting_orders: boolean;
  readonly tokens: readonly [{ readonly token_id: string }, { readonly token_id: string }];
}

/** A neg-risk event. Traders who have NO tokens of some of its markets convert them. */
export interface SceneEvent {
  readonly eventId: string;
  readonly markets: readonly SceneMarket[];
}

/** The addresses of the exchange. Its ports change with each start. */
export interface Place {
  url: string;
  adminUrl: string;
  adminToken: string;
  /** Of every request. */
  readonly limits?: Pick<SendOptions, 'timeoutMs'>;
}

/** One request to a place. */
export type Attempt = (place: Place) => Promise<Answer>;

/** Makes a request of a trader, by its index, or of the operator (-1), at a place of its choice. */
export type Ask = (attempt: Attempt, trader: number) => Promise<Answer>;

export class Scene {
  readonly place: Place = { url: '', adminUrl: '', adminToken: '' };
  /** Every request of its traders and of its clients goes through this. */
  readonly ask: Ask;
  readonly traders: readonly Trader[];
  /** The markets in which orders are placed. */
  traded: readonly SceneMarket[] = [];
  event: SceneEvent = { eventId: '', markets: [] };

  /** By default each request is made once, at `place`. */
  constructor(ask?: Ask) {
    const { place } = this;
    this.ask = ask ?? ((attempt) => attempt(place));
    const clock = {
      get ms() {
        return Date.now();
      },
    };
    this.traders = Array.from({ length: TRADERS }, (_, index) => {
      const plain = makeSigner(FIRST_SIGNER + index);
      // Signs by the native library, because clients share the processors with the exchange.
      const { sign } = walletOf(`0x${Buffer.from(plain.privateKey).toString('hex')}`);
      const signer = { ...plain, sign };
      const options = {
        get url() {
          return place.url;
        },
        clock,
        send: (_url: string, method: string, path: string, wishes: SendOptions = {}) =>
          this.ask((one) => sendTo(one.url, method, path, { ...wishes, ...one.limits }), index),
        signer,
        prefix: 'POLY' as const,
      };
      return new Trader(options);
    });
  }

  get addresses(): string[] {
    return this.traders.map(({ address }) => address);
  }

  /** All markets whose books and balances are watched. */
  get markets(): readonly SceneMarket[] {
    return [...this.traded, ...this.event.markets];
  }

  get tokenIds(): string[] {
    return this.markets.flatMap(({ tokenIds }) => [...tokenIds]);
  }

  moveTo(child: ExchangeChild, line: ReadyLine): void {
    this.place.url = line.url;
    this.place.adminUrl = `http://127.0.0.1:${line.adminPort}`;
    this.place.adminToken = child.adminToken;
  }

  /** Finds the first plain markets with a tick size of 0.01, the same at every start. */
  async findMarkets(): Promise<void> {
    const response = await fetch(`${this.place.url}/simplified-markets`);
    const { data } = (await response.json()) as { readonly data: readonly ListedMarket[] };
    const found: SceneMarket[] = [];
    for (const market of data) {
      if (market.neg_risk || !market.accepting_orders) continue;
      const tokenIds = [market.tokens[0].token_id, market.tokens[1].token_id] as const;
      const tick = await fetch(`${this.place.url}/tick-size?token_id=${tokenIds[0]}`);
      if (!(await tick.text()).includes('0.01')) continue;
      found.push({ conditionId: market.condition_id, tokenIds });
      if (found.length === MARKETS) break;
    }
    if (found.length < MARKETS) throw new Error('the built-in catalog has no such markets');
    this.traded = found;
    this.event = smallestNegRiskEvent();
  }

  /** The market and the outcome of a token. */
  tokenPlace(tokenId: string): { readonly conditionId: string; readonly outcome: number } {
    for (const { conditionId, tokenIds } of this.markets) {
      const outcome = tokenIds.indexOf(tokenId);
      if (outcome >= 0) return { conditionId, outcome };
    }
    throw new Error(`token ${tokenId} is of no market of the scene`);
  }
}

/** The smallest neg-risk event of the built-in catalog, which every new folder has. */
function smallestNegRiskEvent(): SceneEvent {
  const [event] = builtinEvents()
    .filter(({ negRisk }) => negRisk)
    .sort((one, other) => one.markets.length - other.markets.length);
  if (event === undefined) throw new Error('the built-in catalog has no neg-risk event');
  const markets = event.markets.map(({ conditionId, clobTokenIds }) => {
    const [yes, no] = JSON.parse(clobTokenIds) as [string, string];
    return { conditionId, tokenIds: [yes, no] as const };
  });
  return { eventId: event.id, markets };
}
