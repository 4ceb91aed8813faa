/**
 * Made-up trading for the analytics benchmark, with the requested number of fills. A few accounts
 * and markets do most of the trading. Splits and resolutions come in between. The same
 * AnalyticsSize, seed included, makes the same commands. A refused order is left out.
 *
 * Bound: it remembers the last HOLDERS_KEPT buyers of each outcome of each market.
 */
import {
  type Command,
  type EngineEvent,
  lots,
  type Outcome,
  type Side,
  ticks,
} from '../../engine/index.ts';
import { Random } from '../../http/codec/random.ts';
import {
  addressOf,
  apiKeyOf,
  createMarket,
  openAccount,
  placeOrder,
  word,
} from '../harness/commands.ts';
import type { MadeMarket } from './catalog-generator.ts';

export interface AnalyticsSize {
  readonly seed: number;
  readonly fills: number;
  readonly accounts: number;
  readonly markets: number;
}

/** Applies a command at `progress` of the history, from 0 to 1, and returns its events. */
export type Apply = (progress: number, command: Command) => readonly EngineEvent[];

/** An account that bought an outcome and may still have it. */
interface Holder {
  readonly account: string;
  readonly lots: number;
}

interface Market extends MadeMarket {
  cents: number;
  isOpen: boolean;
  readonly holders: readonly [Holder[], Holder[]];
}

interface Terms extends Holder {
  readonly market: Market;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly cents: number;
}

/** An account gets LEAST_MICROS, and a share of SHARED_MICROS as large as its share of trades. */
const LEAST_MICROS = 10_000_000_000;
const SHARED_MICROS = 2_000_000_000_000_000;
const HOLDERS_KEPT = 48;
const LEAST_LOTS = 500;
const LARGEST_LOTS = 5_000_000;
/** The first 1% of the accounts, and of the markets, do a fifth of everything. */
const SKEW = 3;
const RESOLVED_SHARE = 0.1;

/** One for all accounts: analytics do not read it. */
const API_KEY = apiKeyOf(0);

/** A number below `count`; small ones are drawn more often. */
export function skewed(random: Random, count: number): number {
  return Math.floor(count * (random.next() / 2 ** 32) ** SKEW);
}

export class AnalyticsGenerator {
  readonly #size: AnalyticsSize;
  readonly #random: Random;
  readonly #apply: Apply;
  readonly #markets: readonly Market[];
  readonly #accounts: readonly string[];
  #fills = 0;
  #orders = 0;
  #splits = 0;
  #resolved = 0;

  constructor(size: AnalyticsSize, markets: readonly MadeMarket[], apply: Apply) {
    this.#size = size;
    this.#random = new Random(size.seed);
    this.#apply = apply;
    this.#markets = markets.map((market) => {
      return { ...market, cents: this.#random.between(10, 90), isOpen: true, holders: [[], []] };
    });
    this.#accounts = Array.from({ length: size.accounts }, (_, account) => addressOf(account));
  }

  get fills(): number {
    return this.#fills;
  }

  /** Makes all commands of the history. Afterwards `fills` is at least `size.fills`. */
  run(): void {
    for (const [number, { conditionId, tokenIds, eventId }] of this.#markets.entries()) {
      // Every fifth market charges a taker fee.
      const fees = number % 5 === 0 ? { takerFeeBps: 200, feeExponent: 1 as const } : {};
      this.#do(createMarket({ conditionId, tokenIds, eventId, ...fees }));
    }
    for (const [account, address] of this.#accounts.entries()) {
      const shareBelow = (number: number): number => (number / this.#size.accounts) ** (1 / SKEW);
      const share = shareBelow(account + 1) - shareBelow(account);
      this.#do(openAccount(address, LEAST_MICROS + Math.floor(SHARED_MICROS * share)));
    }
    while (this.#fills < this.#size.fills) {
      this.#step();
      const wanted = RESOLVED_SHARE * this.#markets.length * this.#progress;
      if (this.#resolved < Math.floor(wanted)) this.#resolveOne();
    }
  }

  get #progress(): number {
    return Math.min(1, this.#fills / this.#size.fills);
  }

  #step(): void {
    const market = this.#openMarket();
    if (this.#random.chance(2)) this.#split(market);
    else this.#trade(market);
  }

  /** Places one to three orders at one price, and an order that takes all of them. */
  #trade(market: Market): void {
    const random = this.#random;
    if (random.chance(30)) market.cents += random.pick([-1, 1]);
    market.cents = Math.min(97, Math.max(3, market.cents));
    const outcome: Outcome = random.chance(50) ? 0 : 1;
    const cents = outcome === 0 ? market.cents : 100 - market.cents;
    let taken = 0;
    for (let maker = random.between(1, 3); maker > 0; maker -= 1) {
      const size = this.#lots();
      taken += size;
      this.#buyOrSell({ market, outcome, cents, lots: size, account: this.#account() }, 'GTC');
    }
    const taker = { account: this.#account(), lots: taken };
    const type = random.chance(70) ? 'GTC' : 'FAK';
    this.#buyOrSell({ ...taker, market, outcome: other(outcome), cents: 100 - cents }, type);
  }

  /** Bids for an outcome: buys it, or sells the other one to the same effect. */
  #buyOrSell(terms: Omit<Terms, 'side'>, type: 'GTC' | 'FAK'): void {
    const { market, outcome, cents } = terms;
    const seller = this.#random.chance(40) ? market.holders[other(outcome)].shift() : undefined;
    if (seller === undefined) this.#order({ ...terms, side: 'BUY' }, type);
    else {
      const sold = { account: seller.account, lots: Math.min(terms.lots, seller.lots) };
      const sale = { ...sold, market, outcome: other(outcome), cents: 100 - cents };
      this.#order({ ...sale, side: 'SELL' }, type);
    }
  }

  #order(terms: Terms, type: 'GTC' | 'FAK'): void {
    const { market, account, outcome, side, cents } = terms;
    const isBudget = type === 'FAK' && side === 'BUY';
    this.#orders += 1;
    const order = placeOrder({
      orderId: word('order', this.#size.seed, this.#orders),
      account,
      tokenId: market.tokenIds[outcome],
      side,
      type,
      priceTicks: cents * 100,
      lots: isBudget ? 0 : terms.lots,
      budgetMicros: isBudget ? terms.lots * cents * 100 : 0,
      apiKey: API_KEY,
    });
    for (const event of this.#do(order)) {
      if (event.kind !== 'fill') continue;
      this.#fills += 1;
      const { takerAccount, makerAccount, lots: size } = event;
      const [taker, maker] = [takerAccount, makerAccount].map((to) => ({
        account: to,
        lots: size,
      }));
      if (event.takerSide === 'BUY') hold(market, event.takerOutcome, taker!);
      if (event.makerSide === 'BUY') hold(market, event.makerOutcome, maker!);
    }
  }

  #split(market: Market): void {
    const [account, size] = [this.#account(), this.#lots()];
    const { conditionId } = market;
    this.#splits += 1;
    const sets = { conditionId, lots: lots(size), key: `bench-${this.#splits}` };
    this.#do({ kind: 'split', account, owner: account, ...sets });
    for (const outcome of [0, 1] as const) hold(market, outcome, { account, lots: size });
  }

  /** Resolves a market that is not one of the busiest, and redeems all holders at once. */
  #resolveOne(): void {
    const random = this.#random;
    const last = this.#markets.length - 1;
    const market = this.#markets[random.between(Math.min(last, 20), last)]!;
    this.#resolved += 1;
    if (!market.isOpen) return;
    market.isOpen = false;
    const { conditionId } = market;
    const payoutTicks = ticks(random.pick([0, 10_000, 0, 10_000, 0, 10_000, 5_000]));
    this.#do({ kind: 'close_market', conditionId });
    this.#do({ kind: 'resolve_market', conditionId, payoutTicks, redeemAll: true });
  }

  #do(command: Command): readonly EngineEvent[] {
    return this.#apply(this.#progress, command);
  }

  #account(): string {
    return this.#accounts[skewed(this.#random, this.#accounts.length)]!;
  }

  #openMarket(): Market {
    for (;;) {
      const market = this.#markets[skewed(this.#random, this.#markets.length)]!;
      if (market.isOpen) return market;
    }
  }

  #lots(): number {
    const share = this.#random.next() / 2 ** 32;
    return Math.min(LARGEST_LOTS, Math.floor(LEAST_LOTS / (1.0001 - share) ** 1.1));
  }
}

function other(outcome: Outcome): Outcome {
  return outcome === 0 ? 1 : 0;
}

/** Remembers a holder and forgets the oldest one above HOLDERS_KEPT. */
function hold(market: Market, outcome: Outcome, holder: Holder): void {
  const holders = market.holders[outcome];
  holders.push(holder);
  if (holders.length > HOLDERS_KEPT) holders.shift();
}
