/**
 * Made-up trading for the analytics benchmark: as many fills as are asked for, among accounts and
 * markets of which few do most, with complete sets, cancels, closings, resolutions and redemptions
 * in between. The same size makes the same commands. A refused order is left out.
 *
 * Bound: of each market the last HOLDERS_KEPT buyers of either outcome are remembered.
 */
import {
  type Command,
  type EngineEvent,
  type Fill,
  lots,
  type Outcome,
  type Side,
  ticks,
} from '../../engine/index.ts';
import { Random } from '../../test/engine/random/random.ts';
import {
  addressOf,
  apiKeyOf,
  createMarket,
  openAccount,
  placeOrder,
  word,
} from '../harness/commands.ts';

export interface AnalyticsSize {
  readonly seed: number;
  readonly fills: number;
  readonly accounts: number;
  readonly markets: number;
}

export interface MadeMarket {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
  readonly eventId: string;
}

/** Applies a command at `progress` of the history, from 0 to 1, and returns its events. */
export type Apply = (progress: number, command: Command) => readonly EngineEvent[];

/** An account that bought an outcome and may still have it. */
interface Holder {
  readonly account: number;
  readonly lots: number;
}

interface Market extends MadeMarket {
  readonly number: number;
  cents: number;
  isOpen: boolean;
  readonly holders: readonly [Holder[], Holder[]];
}

interface Terms {
  readonly market: Market;
  readonly account: number;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly cents: number;
  readonly lots: number;
}

/** Every account has this, and a share of the rest as large as its share of all trades. */
const LEAST_MICROS = 10_000_000_000;
const SHARED_MICROS = 2_000_000_000_000_000;
const HOLDERS_KEPT = 48;
const LEAST_LOTS = 500;
const LARGEST_LOTS = 5_000_000;
/** The first 1% of the accounts, and of the markets, do a fifth of everything. */
const SKEW = 3;
const RESOLVED_PERCENT = 10;
const REDEMPTIONS_EACH = 60;

export class AnalyticsGenerator {
  readonly #size: AnalyticsSize;
  readonly #random: Random;
  readonly #apply: Apply;
  readonly #markets: readonly Market[];
  readonly #addresses: readonly string[];
  readonly #apiKeys: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  #fills = 0;
  #orders = 0;
  #keys = 0;
  #resolved = 0;

  constructor(size: AnalyticsSize, markets: readonly MadeMarket[], apply: Apply) {
    this.#size = size;
    this.#random = new Random(size.seed);
    this.#apply = apply;
    this.#markets = markets.map((market, number) => ({
      ...market,
      number,
      cents: this.#random.between(10, 90),
      isOpen: true,
      holders: [[], []],
    }));
    const numbers = Array.from({ length: size.accounts }, (_, account) => account);
    this.#addresses = numbers.map(addressOf);
    this.#apiKeys = numbers.map(apiKeyOf);
    this.#numbers = new Map(this.#addresses.map((address, account) => [address, account]));
  }

  get fills(): number {
    return this.#fills;
  }

  /** Makes everything; `fills` is then at least the wanted number. */
  run(): void {
    for (const market of this.#markets) this.#createMarket(market);
    for (const [account, address] of this.#addresses.entries()) {
      const [from, to] = [account, account + 1].map((n) => (n / this.#size.accounts) ** (1 / SKEW));
      const share = Math.floor(SHARED_MICROS * ((to ?? 0) - (from ?? 0)));
      this.#do(openAccount(address, LEAST_MICROS + share));
    }
    const toResolve = Math.floor((this.#markets.length * RESOLVED_PERCENT) / 100);
    while (this.#fills < this.#size.fills) {
      this.#step();
      if (this.#resolved < toResolve * this.#progress - 1) this.#resolveOne();
    }
  }

  get #progress(): number {
    return Math.min(1, this.#fills / this.#size.fills);
  }

  #step(): void {
    const market = this.#openMarket();
    const kind = this.#random.below(1_000);
    if (kind < 15) this.#split(market);
    else if (kind < 22) this.#merge(market);
    else if (kind < 30) this.#cancelAll();
    else if (kind < 130) this.#quote(market);
    else this.#trade(market);
  }

  /** Makers at one price, and an order that takes all of them. */
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
    const [other, price] = [outcome === 0 ? 1 : 0, 100 - cents] as const;
    const type = random.chance(70) ? 'GTC' : 'FAK';
    const account = this.#account();
    this.#buyOrSell({ market, outcome: other, cents: price, lots: taken, account }, type);
  }

  /** Bids for an outcome: buys it, or sells the other one to the same effect. */
  #buyOrSell(terms: Omit<Terms, 'side'>, type: 'GTC' | 'FAK'): void {
    const { market, outcome, cents } = terms;
    const other: Outcome = outcome === 0 ? 1 : 0;
    const sellers = market.holders[other];
    if (!this.#random.chance(40) || sellers.length === 0) {
      this.#order({ ...terms, side: 'BUY' }, type);
      return;
    }
    const place = this.#random.below(sellers.length);
    const seller = sellers[place]!;
    sellers[place] = sellers.at(-1)!;
    sellers.pop();
    const sold = Math.min(terms.lots, seller.lots);
    const of = { market, account: seller.account, outcome: other, cents: 100 - cents, lots: sold };
    this.#order({ ...of, side: 'SELL' }, type);
  }

  /** Rests on both sides of the price. */
  #quote(market: Market): void {
    const account = this.#account();
    for (const outcome of [0, 1] as const) {
      const own = outcome === 0 ? market.cents : 100 - market.cents;
      const cents = Math.max(1, own - this.#random.between(1, 4));
      this.#order({ market, account, outcome, side: 'BUY', cents, lots: this.#lots() }, 'GTC');
    }
  }

  #order(terms: Terms, type: 'GTC' | 'FAK'): void {
    const { market, account, outcome, side, cents } = terms;
    const isBudget = type === 'FAK' && side === 'BUY';
    this.#orders += 1;
    const order = placeOrder({
      orderId: word('order', this.#size.seed, this.#orders),
      account: this.#addresses[account]!,
      tokenId: market.tokenIds[outcome],
      side,
      type,
      priceTicks: cents * 100,
      lots: isBudget ? 0 : terms.lots,
      budgetMicros: isBudget ? terms.lots * cents * 100 : 0,
      apiKey: this.#apiKeys[account]!,
    });
    for (const event of this.#do(order)) if (event.kind === 'fill') this.#noteFill(market, event);
  }

  #noteFill(market: Market, fill: Fill): void {
    this.#fills += 1;
    if (fill.takerSide === 'BUY') this.#hold(market, fill.takerOutcome, fill.takerAccount, fill);
    if (fill.makerSide === 'BUY') this.#hold(market, fill.makerOutcome, fill.makerAccount, fill);
  }

  #hold(market: Market, outcome: Outcome, address: string, { lots }: { lots: number }): void {
    const account = this.#numbers.get(address);
    if (account === undefined) return;
    const holders = market.holders[outcome];
    if (holders.length < HOLDERS_KEPT) holders.push({ account, lots });
    else holders[this.#random.below(HOLDERS_KEPT)] = { account, lots };
  }

  #split(market: Market): void {
    const [account, size] = [this.#account(), this.#lots()];
    this.#move('split', market, account, size);
    for (const outcome of [0, 1] as const) {
      this.#hold(market, outcome, this.#addresses[account]!, { lots: size });
    }
  }

  /** By an account that has both outcomes, if one is known. */
  #merge(market: Market): void {
    const [yes, no] = market.holders;
    const holder = yes.find(({ account }) => no.some((other) => other.account === account));
    if (holder !== undefined) this.#move('merge', market, holder.account, holder.lots);
  }

  #move(kind: 'split' | 'merge', market: Market, account: number, size: number): void {
    const owner = this.#addresses[account]!;
    const { conditionId } = market;
    this.#do({ kind, account: owner, owner, conditionId, lots: lots(size), key: this.#key() });
  }

  #cancelAll(): void {
    const owner = this.#addresses[this.#account()]!;
    this.#do({ kind: 'cancel_all', owner, conditionId: '', tokenId: '' });
  }

  /** Resolves a market that is not one of the busiest; some redeem all holders at once. */
  #resolveOne(): void {
    const random = this.#random;
    const count = this.#markets.length;
    const market = this.#markets[random.between(Math.min(count - 1, 20), count - 1)]!;
    this.#resolved += 1;
    if (!market.isOpen) return;
    market.isOpen = false;
    const { conditionId } = market;
    const payoutTicks = ticks(random.pick([0, 10_000, 0, 10_000, 0, 10_000, 5_000]));
    const redeemAll = random.chance(30);
    this.#do({ kind: 'close_market', conditionId });
    this.#do({ kind: 'resolve_market', conditionId, payoutTicks, redeemAll });
    if (redeemAll) return;
    const holders = new Set(market.holders.flat().map(({ account }) => account));
    for (const account of [...holders].slice(0, REDEMPTIONS_EACH)) {
      const owner = this.#addresses[account]!;
      this.#do({ kind: 'redeem', account: owner, owner, conditionId, key: this.#key() });
    }
  }

  #createMarket({ conditionId, tokenIds, eventId, number }: Market): void {
    // Some charge their takers.
    const fees =
      number % 5 === 0 ? { takerFeeBps: 200, makerFeeBps: 0, feeExponent: 1 as const } : {};
    this.#do(createMarket({ conditionId, tokenIds, eventId, ...fees }));
  }

  #do(command: Command): readonly EngineEvent[] {
    return this.#apply(this.#progress, command);
  }

  #key(): string {
    this.#keys += 1;
    return `bench-${this.#keys}`;
  }

  #account(): number {
    return this.#skewed(this.#size.accounts);
  }

  #openMarket(): Market {
    for (;;) {
      const market = this.#markets[this.#skewed(this.#markets.length)]!;
      if (market.isOpen) return market;
    }
  }

  #skewed(count: number): number {
    return Math.floor(count * this.#share() ** SKEW);
  }

  #lots(): number {
    return Math.min(LARGEST_LOTS, Math.floor(LEAST_LOTS / (1.0001 - this.#share()) ** 1.1));
  }

  /** From 0 to below 1. */
  #share(): number {
    return this.#random.next() / 2 ** 32;
  }
}
