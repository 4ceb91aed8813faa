/**
 * Generates the requests of a made-up trading day, one second at a time. Runs in its own process,
 * which signs the requests ahead of time. Makers keep replacing their quotes, and the sizes of
 * takers are mostly small with a heavy tail. News moves a market's fair price, after which takers
 * rush. Reads are mixed in. Activity follows Zipf's law: the second market trades half as often as
 * the first. Quotes, taking orders, reads and news are Poisson streams, each at a fixed rate.
 *
 * Invariant: the same terms make the same day. A maker's quotes never cross each other, and a
 * replacement has as many quotes as the set before. A cancel names only orders sent before it.
 */
import { Random } from '../../http/codec/random.ts';
import type { LoadAccount } from '../harness/exchange.ts';
import type { DueRequest } from '../harness/open-loop.ts';
import { readRequest, Signer } from '../harness/signing.ts';
import type { MadeMarket } from '../reads/catalog-generator.ts';

export interface DayTerms {
  readonly seed: number;
  readonly minutes: number;
  /** Quotes and taking orders per second, without the extra ones after news. */
  readonly rate: number;
  readonly markets: number;
  readonly makers: number;
  readonly takers: number;
}

/** Markets in falling order of activity, and accounts: makers first, then takers. */
export interface Venue {
  readonly markets: readonly Pick<MadeMarket, 'conditionId' | 'tokenIds'>[];
  readonly accounts: readonly LoadAccount[];
}

/** Kinds of requests. Latencies and answers are counted for each kind. */
export const LANES = ['orders', 'cancels', 'reads'] as const;
export type Lane = (typeof LANES)[number];

/** A request of a trading day. Its due time counts from the beginning of the opening. */
export interface DayRequest extends DueRequest {
  readonly lane: Lane;
  /** The number of orders, or of ids to cancel, in the request; 1 for a read. */
  readonly items: number;
}

/** A maker's quotes in one market. */
interface QuoteSet {
  readonly market: Market;
  readonly maker: number;
  /** How many orders each set has, bids and asks alternately. */
  readonly quotes: number;
  readonly lots: number;
  /** Ids of the last set. */
  live: readonly string[];
  replacedMs: number;
}

interface Market {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
  readonly quoteSets: QuoteSet[];
  fairCents: number;
}

/** How many makers quote in each of the first 20 markets, of the next 180, and of the rest. */
const MAKERS_OF = [
  { ranks: 20, makers: 8 },
  { ranks: 200, makers: 3 },
  { ranks: Number.POSITIVE_INFINITY, makers: 1 },
];
const QUOTES = { least: 4, most: 15 };
const MEAN_QUOTES = (QUOTES.least + QUOTES.most) / 2;
const TAKER_SHARE = 0.15;
const SECONDS_BETWEEN_NEWS = 12;
export const READS_PER_SECOND = 200;
/** From a cancel to the quotes that replace the canceled ones. */
const GAP_MS = 15;
/** The least time from one set of quotes to its replacement. */
const REST_MS = 250;
const TRIES = 20;
/** News is about one of this many markets, the most active ones. */
const NEWS_RANKS = 200;
/** How many takers trade on a piece of news, and the mean time until one does. */
const RUSH_TAKERS = 60;
const RUSH_MEAN_MS = 300;
/** When makers replace their quotes after news, at the earliest. */
const REQUOTES_MS = [50, 1_100, 2_300];

/** How often each path is read, in percent. Paths that begin with /data need credentials. */
const READS: readonly (readonly [percent: number, path: string])[] = [
  [35, '/book?token_id=TOKEN'],
  [20, '/price?token_id=TOKEN&side=BUY'],
  [15, '/midpoint?token_id=TOKEN'],
  [5, '/prices-history?market=TOKEN&interval=1d'],
  [6, '/data/orders?market=CONDITION'],
  [4, '/data/trades?market=CONDITION'],
  [3, '/trades?market=CONDITION&limit=50'],
  [3, '/positions?user=USER&limit=50'],
  [2, '/activity?user=USER&limit=50'],
  [3, '/events?limit=20&closed=false'],
  [3, '/markets?limit=20&closed=false'],
  [1, '/public-search?q=bitcoin'],
];

function makersOf(rank: number, { makers }: DayTerms): number {
  return Math.min(makers, MAKERS_OF.find(({ ranks }) => rank < ranks)!.makers);
}

/** Length of the opening, in which every maker quotes once in each of its markets. */
export function openingSeconds(terms: DayTerms): number {
  let quoteSets = 0;
  for (let rank = 0; rank < terms.markets; rank += 1) quoteSets += makersOf(rank, terms);
  return Math.ceil((MEAN_QUOTES * quoteSets) / terms.rate) + 1;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

type Work = (dueMs: number) => void;

export class Trading {
  readonly #terms: DayTerms;
  readonly #startMs: number;
  readonly #random: Random;
  readonly #signers: readonly Signer[];
  readonly #markets: readonly Market[];
  /** Cumulative weights of the markets: the sum of 1 / (rank + 1) up to each rank. */
  readonly #sums: readonly number[];
  /** When the next arrival of each stream comes, and the mean time between two. */
  readonly #streams: readonly { nextMs: number; readonly meanMs: number; readonly work: Work }[];
  /** Planned work that has not been done. */
  #later: { readonly dueMs: number; readonly work: Work }[] = [];
  #requests: DayRequest[] = [];
  #seconds = 0;

  /** `startMs`: when the opening begins, since the epoch. */
  constructor(terms: DayTerms, venue: Venue, startMs: number) {
    const random = new Random(terms.seed);
    this.#terms = terms;
    this.#startMs = startMs;
    this.#random = random;
    this.#signers = venue.accounts.map((account) => new Signer(account));
    let sum = 0;
    this.#sums = venue.markets.map((_, rank) => {
      sum += 1 / (rank + 1);
      return sum;
    });
    this.#markets = venue.markets.map(({ conditionId, tokenIds }, rank) => {
      const fairCents = random.between(5, 95);
      const market: Market = { conditionId, tokenIds, quoteSets: [], fairCents };
      const first = random.below(terms.makers);
      for (let at = 0; at < makersOf(rank, terms); at += 1) {
        const quotes = random.between(QUOTES.least, QUOTES.most);
        const lots = 100 * random.between(5, 40);
        const maker = (first + at) % terms.makers;
        market.quoteSets.push({ market, maker, quotes, lots, live: [], replacedMs: -REST_MS });
      }
      return market;
    });
    const openingMs = openingSeconds(terms) * 1_000;
    const quoteSets = this.#markets.flatMap((market) => market.quoteSets);
    for (const [at, set] of quoteSets.entries()) {
      const dueMs = ((openingMs - 1_000) * at) / quoteSets.length;
      this.#plan(dueMs, (ms) => this.#quote(set, ms));
    }
    const stream = (perSecond: number, work: Work) => {
      return { nextMs: openingMs, meanMs: 1_000 / perSecond, work };
    };
    const quotesPerSecond = ((1 - TAKER_SHARE) * terms.rate) / MEAN_QUOTES;
    this.#streams = [
      stream(quotesPerSecond, (dueMs) => this.#requoteSome(dueMs)),
      stream(TAKER_SHARE * terms.rate, (dueMs) => this.#take(this.#draw(), dueMs, 150)),
      stream(READS_PER_SECOND, (dueMs) => this.#read(dueMs)),
      stream(1 / SECONDS_BETWEEN_NEWS, (dueMs) => this.#news(dueMs)),
    ];
  }

  /** The requests that are due in the next second, in the order of their times. */
  nextSecond(): readonly DayRequest[] {
    this.#seconds += 1;
    const endMs = this.#seconds * 1_000;
    for (const stream of this.#streams) {
      while (stream.nextMs < endMs) {
        this.#plan(stream.nextMs, stream.work);
        stream.nextMs += this.#wait(stream.meanMs);
      }
    }
    for (;;) {
      const due = this.#later.filter(({ dueMs }) => dueMs < endMs);
      if (due.length === 0) break;
      this.#later = this.#later.filter(({ dueMs }) => dueMs >= endMs);
      due.sort((a, b) => a.dueMs - b.dueMs);
      for (const { dueMs, work } of due) work(dueMs);
    }
    const requests = this.#requests.sort((a, b) => a.dueMs - b.dueMs);
    this.#requests = [];
    return requests;
  }

  /** Replaces a random set of quotes that has not been replaced for REST_MS. */
  #requoteSome(dueMs: number): void {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const set = this.#random.pick(this.#draw().quoteSets);
      if (dueMs - set.replacedMs < REST_MS) continue;
      const { market } = set;
      market.fairCents = clamp(market.fairCents + (this.#share() - 0.5) * 0.8, 5, 95);
      this.#requote(set, dueMs);
      return;
    }
  }

  #requote(set: QuoteSet, dueMs: number): void {
    const items = set.live.length;
    if (items > 0) {
      this.#send(set.maker, ['DELETE', '/orders', set.live], { dueMs, lane: 'cancels', items });
    }
    set.live = [];
    set.replacedMs = dueMs;
    this.#plan(dueMs + GAP_MS, (ms) => this.#quote(set, ms));
  }

  /** A bid buys YES below the fair price. An ask buys NO, which is a YES ask above that price. */
  #quote(set: QuoteSet, dueMs: number): void {
    const { market, maker, quotes, lots } = set;
    if (set.live.length > 0) return;
    const postOnly = this.#random.chance(40);
    const orders = Array.from({ length: quotes }, (_, at) => {
      const level = at >>> 1;
      const isBid = at % 2 === 0;
      const fair = isBid ? Math.ceil(market.fairCents) : 100 - Math.floor(market.fairCents);
      const tokenId = market.tokenIds[isBid ? 0 : 1];
      const cents = clamp(fair - 1 - level, 1, 99);
      const terms = { tokenId, cents, lots: lots * (1 + level), postOnly };
      return this.#sign(maker, { ...terms, side: 'BUY', type: 'GTC' }, dueMs);
    });
    set.live = orders.map(({ id }) => id);
    set.replacedMs = dueMs;
    const bodies = orders.map(({ body }) => body);
    this.#send(maker, ['POST', '/orders', bodies], { dueMs, lane: 'orders', items: quotes });
  }

  /** A FAK or FOK BUY with a budget, mostly small: from `leastCents` to 300,000 cents. */
  #take(market: Market, dueMs: number, leastCents: number): void {
    const { makers, takers } = this.#terms;
    const taker = makers + Math.floor(takers * this.#share() ** 2);
    const outcome = this.#random.chance(50) ? 0 : 1;
    const fair = outcome === 0 ? market.fairCents : 100 - market.fairCents;
    const cents = clamp(Math.round(fair) + 4, 1, 99);
    const budget = Math.min(300_000, leastCents * (1 - this.#share()) ** (-1 / 1.3));
    const budgetMicros = Math.floor(budget) * 10_000;
    const type = this.#random.chance(75) ? 'FAK' : 'FOK';
    const terms = { tokenId: market.tokenIds[outcome], cents, lots: 0, budgetMicros } as const;
    const { body } = this.#sign(taker, { ...terms, side: 'BUY', type }, dueMs);
    this.#send(taker, ['POST', '/order', body], { dueMs, lane: 'orders' });
  }

  /** The fair price jumps: all makers replace their quotes again and again, and takers rush. */
  #news(dueMs: number): void {
    const market = this.#draw(NEWS_RANKS);
    const jump = this.#random.between(8, 35) * (this.#random.chance(50) ? 1 : -1);
    market.fairCents = clamp(market.fairCents + jump, 5, 95);
    for (let at = 0; at < RUSH_TAKERS; at += 1) {
      this.#plan(dueMs + this.#wait(RUSH_MEAN_MS), (ms) => this.#take(market, ms, 450));
    }
    for (const set of market.quoteSets) {
      for (const afterMs of REQUOTES_MS) {
        const ms = dueMs + afterMs + this.#random.below(900);
        this.#plan(ms, (setMs) => this.#requote(set, setMs));
      }
    }
  }

  #read(dueMs: number): void {
    let left = this.#random.below(100);
    const [, template] = READS.find(([percent]) => {
      left -= percent;
      return left < 0;
    })!;
    const { tokenIds, conditionId, quoteSets } = this.#draw();
    const { maker } = this.#random.pick(quoteSets);
    const path = template
      .replace('TOKEN', tokenIds[0])
      .replace('CONDITION', conditionId)
      .replace('USER', this.#signers[maker]!.account.address);
    if (path.startsWith('/data')) this.#send(maker, ['GET', path], { dueMs, lane: 'reads' });
    else this.#requests.push({ request: readRequest(path), dueMs, lane: 'reads', items: 1 });
  }

  #sign(account: number, order: Omit<Parameters<Signer['order']>[0], 'negRisk'>, dueMs: number) {
    return this.#signers[account]!.order({ ...order, negRisk: false }, this.#startMs + dueMs);
  }

  #send(
    account: number,
    [method, path, body]: readonly ['GET' | 'POST' | 'DELETE', string, unknown?],
    { dueMs, lane, items = 1 }: Pick<DayRequest, 'dueMs' | 'lane'> & { readonly items?: number },
  ): void {
    const request = this.#signers[account]!.request(method, path, body, this.#startMs + dueMs);
    this.#requests.push({ request, dueMs, lane, items });
  }

  #plan(dueMs: number, work: Work): void {
    this.#later.push({ dueMs, work });
  }

  /** Draws one of the first `ranks` markets, weighted by how often each is traded. */
  #draw(ranks = this.#markets.length): Market {
    const most = this.#sums[Math.min(ranks, this.#sums.length) - 1]!;
    const wanted = this.#share() * most;
    return this.#markets[this.#sums.findIndex((sum) => sum > wanted)]!;
  }

  /** Milliseconds to the next arrival of a Poisson stream. */
  #wait(meanMs: number): number {
    return -Math.log(1 - this.#share()) * meanMs;
  }

  /** A random number, at least 0 and below 1. */
  #share(): number {
    return this.#random.next() / 2 ** 32;
  }
}

let trading: Trading | undefined;

export function open(terms: DayTerms, venue: Venue, startMs: number): void {
  trading = new Trading(terms, venue, startMs);
}

export function nextSecond(): readonly DayRequest[] {
  if (trading === undefined) throw new Error('call open() before nextSecond()');
  return trading.nextSecond();
}
