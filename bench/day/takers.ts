/**
 * Who takes on a made-up day: small sizes with a heavy tail, few accounts more often than the rest.
 * Most orders are budgets that fill at once or die; some sell what was bought before, some rest a
 * while.
 *
 * Bound: of what was bought the last PURCHASES are remembered, of each market HOLDERS accounts.
 */
import type { Outcome } from '../../engine/index.ts';
import type { Random } from '../../test/engine/random/random.ts';
import { type DayBoard, type DayMarket, share } from './board.ts';
import type { DayOrder, DayTerms } from './plan.ts';

interface Purchase {
  readonly account: number;
  readonly market: DayMarket;
  readonly outcome: Outcome;
  readonly lots: number;
}

interface Taken {
  readonly account: number;
  readonly order: DayOrder;
  /** After how long it is cancelled; 0 for never. */
  readonly cancelMs: number;
}

const PURCHASES = 4_000;
const HOLDERS = 60;
/** Of an account by its number: few do much. */
const SKEW = 2;
const LEAST_CENTS = 150;
const MOST_CENTS = 300_000;
/** The smaller, the heavier the tail of sizes. */
const TAIL = 1.3;
const RUSH_TIMES = 3;
/** How much worse than the fair price one pays at most. */
const SLIP_CENTS = 4;
/** Of a resting order: on its own side of the fair price. */
const AWAY_CENTS = 6;
const LEAST_LOTS = 500;
const LIVES_SECONDS = 90;
const CANCEL_MS = { least: 3_000, most: 30_000 };

export class DayTakers {
  readonly #terms: DayTerms;
  readonly #board: DayBoard;
  readonly #random: Random;
  readonly #purchases: Purchase[] = [];
  readonly #holders = new Map<number, Set<number>>();

  constructor(terms: DayTerms, board: DayBoard, random: Random) {
    this.#terms = terms;
    this.#board = board;
    this.#random = random;
  }

  /** Who may have something of a market. */
  holdersOf(rank: number): Iterable<number> {
    return this.#holders.get(rank) ?? [];
  }

  /** An order that takes, in most cases; in a rush always, and more. */
  take(market: DayMarket, isRush: boolean): Taken {
    const percent = isRush ? 0 : this.#random.below(100);
    if (percent < 70) return this.#buy(market, 'FAK', isRush);
    if (percent < 78) return this.#buy(market, 'FOK', isRush);
    if (percent < 88) return this.#sell(market);
    return this.#rest(market, percent < 97 ? 'GTC' : 'GTD');
  }

  #buy(market: DayMarket, type: 'FAK' | 'FOK', isRush: boolean): Taken {
    const account = this.#account();
    const outcome = this.#random.chance(50) ? 0 : 1;
    const cents = within(fairOf(market, outcome) + SLIP_CENTS);
    const budgetCents = this.#budgetCents(isRush);
    const lots = Math.floor((budgetCents / cents) * 100 * 0.9);
    this.#note({ account, market, outcome, lots });
    const budgetMicros = budgetCents * 10_000;
    const terms = { outcome, side: 'BUY', type, cents, lots: 0, budgetMicros } as const;
    return { account, order: this.#order(market, terms), cancelMs: 0 };
  }

  /** Of what was bought; an order that found too little may have brought less. */
  #sell(market: DayMarket): Taken {
    const place = this.#random.below(Math.max(1, this.#purchases.length));
    const sold = this.#purchases[place];
    if (sold === undefined || !sold.market.isOpen) return this.#buy(market, 'FAK', false);
    this.#purchases[place] = this.#purchases.at(-1) ?? sold;
    this.#purchases.pop();
    const { account, outcome, lots } = sold;
    const cents = within(fairOf(sold.market, outcome) - SLIP_CENTS);
    const terms = { outcome, side: 'SELL', type: 'FAK', cents, lots, budgetMicros: 0 } as const;
    return { account, order: this.#order(sold.market, terms), cancelMs: 0 };
  }

  #rest(market: DayMarket, type: 'GTC' | 'GTD'): Taken {
    const account = this.#account();
    const outcome = this.#random.chance(50) ? 0 : 1;
    const cents = within(fairOf(market, outcome) - this.#random.below(AWAY_CENTS));
    const lots = LEAST_LOTS + Math.floor((this.#budgetCents(false) / cents) * 100);
    const terms = { outcome, side: 'BUY', type, cents, lots, budgetMicros: 0 } as const;
    const cancelMs = type === 'GTD' ? 0 : this.#random.between(CANCEL_MS.least, CANCEL_MS.most);
    return { account, order: this.#order(market, terms), cancelMs };
  }

  #order(
    { rank }: DayMarket,
    terms: Pick<DayOrder, 'outcome' | 'side' | 'type' | 'cents' | 'lots' | 'budgetMicros'>,
  ): DayOrder {
    const livesSeconds = terms.type === 'GTD' ? LIVES_SECONDS : 0;
    const number = this.#board.nextNumber();
    return { ...terms, number, market: rank, postOnly: false, livesSeconds };
  }

  #note(purchase: Purchase): void {
    if (purchase.lots === 0) return;
    const { account, market } = purchase;
    const { length } = this.#purchases;
    this.#purchases[length < PURCHASES ? length : this.#random.below(PURCHASES)] = purchase;
    const holders = this.#holders.get(market.rank) ?? new Set();
    this.#holders.set(market.rank, holders);
    if (holders.size < HOLDERS) holders.add(account);
  }

  #account(): number {
    const { makers, takers } = this.#terms;
    return makers + Math.floor(takers * share(this.#random) ** SKEW);
  }

  #budgetCents(isRush: boolean): number {
    const tail = (1 - share(this.#random)) ** (-1 / TAIL);
    return Math.floor(Math.min(MOST_CENTS, LEAST_CENTS * (isRush ? RUSH_TIMES : 1) * tail));
  }
}

function within(cents: number): number {
  return Math.min(99, Math.max(1, Math.round(cents)));
}

function fairOf({ fairCents }: DayMarket, outcome: Outcome): number {
  return outcome === 0 ? fairCents : 100 - fairCents;
}
