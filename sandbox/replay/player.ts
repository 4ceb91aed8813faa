/**
 * Brings a market of a running exchange to what a recording says, step by step.
 *
 * Each level is made of orders of the replay's maker, so that their sizes add up to the recorded
 * one. Orders of others stand beside them: one that is as good as a recorded level meets it, as it
 * would have met the recorded market, and what others take is placed again with the next message.
 *
 * Invariant: after a step without faults, what the maker has at each price is the recorded size.
 * Bound: ROUNDS of cancels and placements for each step.
 */
import { type Lots, lots, type Ticks, ticks } from '../../engine/model/index.ts';
import { lotsText, ticksText } from '../../http/codec/index.ts';
import type { FaultList } from './faults.ts';
import type { OpenMarket } from './open-market.ts';
import { BOOK_SIDES, OwnOrders } from './own-orders.ts';
import type { BookLevel, BookSide, LevelSizes } from './recorded-book.ts';
import type { RecordedMarket, ReplayStep } from './recorded-market.ts';
import { type Placed, restingCost, type TradingAccount } from './trading-account.ts';

/** One for what is planned, and one each for money, and for what others filled in the meantime. */
const ROUNDS = 4;
/** The exchange could not judge the order; the same one may be placed later. */
const PASSING_CODES = new Set([
  'overloaded',
  'verifier_lost',
  'order_id_unchecked',
  'post_only_mode',
]);

export interface PlayedCounts {
  levels: number;
  placed: number;
  cancelled: number;
  trades: number;
  tickChanges: number;
}

function levelText({ side, priceTicks, lots: size }: BookLevel): string {
  return `${side} of ${lotsText(size)} at ${ticksText(priceTicks)}`;
}

function keyOf(side: BookSide, priceTicks: Ticks): string {
  return `${side} ${priceTicks}`;
}

export class Player {
  readonly counts: PlayedCounts = { levels: 0, placed: 0, cancelled: 0, trades: 0, tickChanges: 0 };
  readonly #market: OpenMarket;
  readonly #recorded: RecordedMarket;
  readonly #faults: FaultList;
  readonly #own = new OwnOrders();
  /** Sizes that the exchange refused, by level: not tried again until the recorded size changes. */
  readonly #refused = new Map<string, Lots>();

  constructor(market: OpenMarket, recorded: RecordedMarket, faults: FaultList) {
    this.#market = market;
    this.#recorded = recorded;
    this.#faults = faults;
  }

  async play(step: ReplayStep): Promise<void> {
    switch (step.kind) {
      case 'tick':
        return this.#changeTick(step);
      case 'book':
        await this.#noticeFills();
        return this.#reach();
      case 'trade':
        return this.#trade(step.level);
    }
  }

  async #changeTick({ tickTicks, oldTicks }: ReplayStep & { kind: 'tick' }): Promise<void> {
    const refusal = await this.#market.changeTerms({ tick_size: ticksText(tickTicks) });
    if (refusal !== undefined) {
      this.#recorded.keepTick(oldTicks);
      this.#faults.add('terms_refused', refusal);
      return;
    }
    this.counts.tickChanges += 1;
    // What was refused for the old step may fit the new one.
    this.#refused.clear();
  }

  /** Reads the book, and the orders of each level that shows less than the maker had there. */
  async #noticeFills(): Promise<void> {
    const shown = await this.#market.book();
    const touched = BOOK_SIDES.flatMap((side) =>
      [...this.#own.prices(side)]
        .filter((price) => (shown[side].get(price) ?? 0) < this.#own.sizeAt(side, price))
        .flatMap((price) => this.#own.idsAt(side, price)),
    );
    await this.#readRests(touched);
  }

  async #readRests(ids: readonly string[]): Promise<void> {
    for (const { id, rest } of await this.#market.maker.restsOf(ids)) this.#own.setRest(id, rest);
  }

  /** The recorded sizes; where the exchange refused one, the size that is there. */
  #target(side: BookSide): LevelSizes {
    const recorded = this.#recorded.book.levels(side);
    if (this.#refused.size === 0) return recorded;
    const sizes = new Map<Ticks, Lots>();
    for (const [price, size] of recorded) {
      const isRefused = this.#refused.get(keyOf(side, price)) === size;
      const possible = isRefused ? this.#own.sizeAt(side, price) : size;
      if (possible > 0) sizes.set(price, possible);
    }
    return sizes;
  }

  /** Brings the maker's orders to the recorded sizes. */
  async #reach(): Promise<void> {
    this.#forgetRefusals();
    /** Levels that others' orders met: they get the rest with the next message. */
    const met = new Set<string>();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const change = this.#own.changeTo((side) => this.#target(side));
      const places = change.places.filter(
        ({ side, priceTicks }) => !met.has(keyOf(side, priceTicks)),
      );
      if (change.cancels.length === 0 && places.length === 0) return;
      if (round === 1) this.counts.levels += change.levels;
      if (!(await this.#cancel(change.cancels))) continue;
      await this.#place(places, { met, isLast: round === ROUNDS });
    }
    const { cancels } = this.#own.changeTo((side) => this.#target(side));
    if (cancels.length === 0) return;
    this.#faults.add('order_refused', `${cancels.length} orders to cancel stay in the book`);
  }

  /** Whether all orders were there; if not, the plan was made of wrong sizes. */
  async #cancel(ids: readonly string[]): Promise<boolean> {
    const missing = await this.#market.maker.cancel(ids);
    const gone = new Set(missing);
    for (const id of ids) if (!gone.has(id)) this.#own.setRest(id, lots(0));
    this.counts.cancelled += ids.length - missing.length;
    await this.#readRests(missing);
    return missing.length === 0;
  }

  async #place(
    levels: readonly BookLevel[],
    { met, isLast }: { readonly met: Set<string>; readonly isLast: boolean },
  ): Promise<void> {
    const placed = await this.#market.maker.place(levels);
    const unpaid: BookLevel[] = [];
    for (const [index, level] of levels.entries()) {
      const result = placed[index];
      if (result === undefined) continue;
      const key = keyOf(level.side, level.priceTicks);
      if (result.ok) {
        this.#note(result.id, level, result.rest);
        if (result.rest < level.lots) met.add(key);
      } else if (result.code === 'not_enough_cash' && !isLast) unpaid.push(level);
      else if (isLast || !PASSING_CODES.has(result.code)) this.#refuse(level, result);
    }
    if (unpaid.length > 0) await this.#fund(this.#market.maker, costOfAll(unpaid));
  }

  async #fund(account: TradingAccount, leastMicros: number): Promise<void> {
    const refusal = await this.#market.fund(account, leastMicros);
    if (refusal !== undefined) this.#faults.add('money_refused', refusal);
  }

  #note(id: string, level: BookLevel, rest: Lots): void {
    this.counts.placed += 1;
    if (rest > 0) this.#own.add(id, { ...level, lots: rest });
  }

  #refuse(level: BookLevel, { code, sentence }: Placed & { ok: false }): void {
    const { side, priceTicks } = level;
    const size = this.#recorded.book.sizeAt(side, priceTicks);
    if (!PASSING_CODES.has(code)) this.#refused.set(keyOf(side, priceTicks), size);
    const has = lotsText(this.#own.sizeAt(side, priceTicks));
    this.#faults.add(
      'order_refused',
      `${levelText({ ...level, lots: size })} stays at ${has}: ${sentence} (${code})`,
    );
  }

  #forgetRefusals(): void {
    for (const [key, size] of this.#refused) {
      const [side, price] = key.split(' ');
      const recorded = this.#recorded.book.sizeAt(
        side === 'bid' ? 'bid' : 'ask',
        ticks(Number(price)),
      );
      if (recorded !== size) this.#refused.delete(key);
    }
  }

  /** The maker's orders that would trade in its place: better ones, and those of the other side. */
  #inTheWay({ side, priceTicks }: BookLevel): readonly string[] {
    const other = side === 'ask' ? 'bid' : 'ask';
    /** How far a price is on the maker's side of this one. */
    const beyond = (price: Ticks): number =>
      side === 'ask' ? price - priceTicks : priceTicks - price;
    return [
      ...[...this.#own.prices(side)]
        .filter((price) => beyond(price) < 0)
        .flatMap((price) => this.#own.idsAt(side, price)),
      ...[...this.#own.prices(other)]
        .filter((price) => beyond(price) >= 0)
        .flatMap((price) => this.#own.idsAt(other, price)),
    ];
  }

  /**
   * Plays a trade: the maker adds its size to the level, and the taker takes it. A trade message
   * does not change the recorded book, so the levels have their recorded sizes afterwards. A sweep
   * comes as trades at several prices and then the levels, so what stands in the way leaves first.
   */
  async #trade(level: BookLevel): Promise<void> {
    const { maker, taker } = this.#market;
    const shown = `a trade of ${lotsText(level.lots)} at ${ticksText(level.priceTicks)}`;
    if (this.#recorded.book.isCrossed) {
      const why = 'the recorded book is crossed';
      this.#faults.add('trade_not_possible', `${shown} can't happen: ${why}`);
      return;
    }
    await this.#cancel(this.#inTheWay(level));
    const offered = await this.#placeFunded(maker, level);
    if (offered.ok) this.#note(offered.id, level, offered.rest);
    const taken = await this.#take(offered, level);
    if (taken.ok && taken.rest > 0) await taker.cancel([taken.id]);
    if (taken.ok && taken.rest < level.lots) this.counts.trades += 1;
    else {
      const why = taken.ok ? 'nothing was there to take' : `${taken.sentence} (${taken.code})`;
      this.#faults.add('trade_not_possible', `${shown} did not happen: ${why}`);
    }
    await this.#readRests(this.#own.idsAt(level.side, level.priceTicks));
    await this.#reach();
  }

  /** Takes what rests of an offer; an order of others may have met it before. */
  async #take(offered: Placed, level: BookLevel): Promise<Placed> {
    if (!offered.ok || offered.rest === 0) return offered;
    const side = level.side === 'ask' ? 'bid' : 'ask';
    return this.#placeFunded(this.#market.taker, { ...level, side, lots: offered.rest });
  }

  async #placeFunded(account: TradingAccount, level: BookLevel): Promise<Placed> {
    const [first] = await account.place([level]);
    if (first?.ok === false && first.code === 'not_enough_cash') {
      await this.#fund(account, restingCost(level));
      const [second] = await account.place([level]);
      if (second !== undefined) return second;
    }
    return first ?? { ok: false, code: 'no_answer', sentence: 'the exchange did not answer' };
  }
}

function costOfAll(levels: readonly BookLevel[]): number {
  return levels.reduce((sum, level) => sum + restingCost(level), 0);
}
