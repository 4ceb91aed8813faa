/** A market: its terms, its book, and what its tokens are backed by. */
import { Book, NONE, type OrderStore } from '../book/index.ts';
import { MarketSchedules } from '../fees/schedules.ts';
import {
  type CreateMarket,
  ONE_TICKS,
  OPEN,
  type Outcome,
  TRADING_TERMS,
  type TradingTerms,
} from '../model/index.ts';

/** The terms of a market; those that its creation left out are 0. */
export type MarketTerms = Omit<CreateMarket, 'kind' | keyof TradingTerms> & TradingTerms;

/** The changeable terms alone, with some of them replaced. */
export function tradingTermsOf(
  terms: TradingTerms,
  changes: Partial<TradingTerms> = {},
): TradingTerms {
  const entries = TRADING_TERMS.map((field) => [field, changes[field] ?? terms[field]]);
  // Safe: there is an entry for each of the terms.
  return Object.fromEntries(entries) as unknown as TradingTerms;
}

export class Market {
  readonly index: number;
  /** The terms at creation, so that a repeated creation is recognised. */
  readonly original: MarketTerms;
  /** The terms in force. */
  terms: MarketTerms;
  /** The fee schedules of the terms in force. */
  schedules: MarketSchedules;
  readonly book: Book;
  /** YES, NO. */
  readonly tokens: readonly [Token, Token];
  /** Complete sets in existence: one unit of collateral is locked for each 100 lots. */
  setsLots = 0;
  /** See model/state-view.ts. */
  status: number = OPEN;
  /** What a YES lot pays once the market is resolved; NONE before. */
  payoutTicks: number = NONE;
  /** What all unredeemed tokens are worth once it is resolved; `setsLots` is 0 from then on. */
  owedMicros = 0;
  /** Lots converted in its neg-risk event, equal in all its markets: NO held = sets - bundles. */
  bundlesLots = 0;
  /** How many of its orders are delayed. */
  delayedCount = 0;

  constructor(index: number, terms: MarketTerms, orders: OrderStore) {
    this.index = index;
    this.original = terms;
    this.terms = terms;
    this.schedules = new MarketSchedules(terms);
    this.book = new Book(orders, terms.tickTicks);
    const [yes, no] = terms.tokenIds;
    this.tokens = [
      { tokenId: yes, market: this, outcome: 0 },
      { tokenId: no, market: this, outcome: 1 },
    ];
  }
}

export interface Token {
  readonly tokenId: string;
  readonly market: Market;
  readonly outcome: Outcome;
}

// Neg-risk events: groups of markets of which exactly one resolves to YES, so that NO in several of
// them can be converted into cash and YES (docs/decisions/0011-market-lives.md). An event is
// opened once, with the markets that it has then; its markets trade before and after. Bundles are
// the lots converted so far. Invariants: in each of its n markets YES held = sets and NO held =
// sets - bundles; its locked collateral = all sets - (n - 1) x bundles. Bound: `marketsPerEvent`.

export interface NegRiskEvent {
  readonly eventId: string;
  readonly noneConditionId: string;
  /** In order of creation. */
  readonly markets: readonly Market[];
  /** Places in `markets` by condition id. */
  readonly places: ReadonlyMap<string, number>;
  /** The market that resolved to YES. */
  winner: Market | undefined;
}

/** The collateral locked for an event. Adds lots first: the sets' micros alone may exceed 2^53. */
export function lockedMicrosOf({ markets }: NegRiskEvent): number {
  const sets = markets.reduce((sum, { setsLots }) => sum + setsLots, 0);
  const bundles = markets[0]?.bundlesLots ?? 0;
  return (sets - (markets.length - 1) * bundles) * ONE_TICKS;
}
