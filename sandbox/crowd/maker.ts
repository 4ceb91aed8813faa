/**
 * A market maker in one market. It keeps quotes around what it believes, and learns the fair value
 * a little later than informed traders do.
 *
 * The ask side is bought NO: two makers' orders then make complete sets, and a maker needs no
 * tokens to begin with. It turns sets back into cash when it has many.
 *
 * Invariant: it looks at the book before it trusts that an order of its own still rests there, so
 * fills, cancels of the operator, restarts and restored states need no messages.
 * Bound: `levels` orders a side.
 */
import { complement, LOTS_PER_TOKEN, lots, micros, type Side } from '../../engine/model/index.ts';
import type { CrowdModel } from '../../http/settings/crowd.ts';
import type { MarketEntry } from '../../http/views/index.ts';
import { logOddsOf } from './characters.ts';
import type { Desk, DeskOrder } from './desk.ts';
import type { CrowdMarket } from './market.ts';
import { type Quote, quotesFor } from './quotes.ts';
import type { Participant } from './roster.ts';

/** How much of the distance to the fair value a maker learns in a turn. */
const LEARNING = 0.8;
/** Complete sets, in sizes of a level, that a maker turns back into cash. */
const MANY_SETS = 10;

export interface MakerParts {
  readonly participant: Participant;
  readonly desk: Desk;
  readonly model: CrowdModel;
  /** How far behind the best maker it quotes: 0 for the first maker of a market. */
  readonly rank: number;
}

/** What a turn did: how many orders and cancels it sent, and whether every order was refused. */
export interface TurnDone {
  readonly writes: number;
  readonly isRefused: boolean;
}

/** YES bids are bought YES; YES asks are bought NO at the complement. */
function orderOf({ side, priceTicks, lots }: Quote, { tokenIds }: MarketEntry): DeskOrder {
  const isBid = side === 'bid';
  return {
    tokenId: isBid ? tokenIds[0] : tokenIds[1],
    side: 'BUY' satisfies Side,
    type: 'GTC',
    priceTicks: isBid ? priceTicks : complement(priceTicks),
    lots,
    budgetMicros: micros(0),
    postOnly: false,
  };
}

export class Maker {
  readonly #parts: MakerParts;
  readonly #market: CrowdMarket;
  /** Its orders that were open when it last looked, by id. */
  #orders = new Map<string, Quote>();
  /** In log-odds; undefined before its first turn. */
  #belief: number | undefined;

  constructor(market: CrowdMarket, parts: MakerParts) {
    this.#market = market;
    this.#parts = parts;
  }

  get participant(): Participant {
    return this.#parts.participant;
  }

  get orderCount(): number {
    return this.#orders.size;
  }

  /** Forgets its orders, which have been cancelled. */
  forgetOrders(): void {
    this.#orders.clear();
  }

  /**
   * Cancels the orders that are gone or no longer where they should be, and returns the quotes that
   * are missing. A side on which an old order stays, because its market delays it, waits for that
   * order. All makers of a market do this before one of them places an order, so that none trades
   * with the old quotes of another.
   */
  async withdraw(probability: number): Promise<{ readonly writes: number; missing: Quote[] }> {
    const { desk, participant } = this.#parts;
    const wanted = this.#wanted(probability);
    const kept = new Map(
      [...this.#orders].filter(
        ([, order]) => wanted.some((quote) => isSame(quote, order)) && this.#rests(order),
      ),
    );
    const stale = [...this.#orders.keys()].filter((orderId) => !kept.has(orderId));
    const left = new Set(await desk.cancel(participant, stale));
    const staying = [...this.#orders].filter(([orderId]) => left.has(orderId));
    this.#orders = new Map([...kept, ...staying]);
    const missing = wanted.filter(
      (quote) =>
        ![...kept.values()].some((order) => isSame(quote, order)) &&
        !staying.some(([, { side }]) => side === quote.side),
    );
    return { writes: stale.length > 0 ? 1 : 0, missing };
  }

  /** Places the missing quotes. One that meets a better order of somebody else trades with it. */
  async place(missing: readonly Quote[]): Promise<TurnDone> {
    const { desk, participant } = this.#parts;
    const { entry } = this.#market;
    await desk.topUp(participant);
    const orders = missing.map((quote) => orderOf(quote, entry));
    const { resting, accepted } = await desk.place(participant, orders, entry);
    for (const [index, orderId] of resting.entries()) {
      const quote = missing[index];
      if (orderId !== '' && quote !== undefined) this.#orders.set(orderId, quote);
    }
    const merges = await this.#mergeSets();
    const isRefused = missing.length > 0 && accepted === 0;
    return { writes: missing.length + merges, isRefused };
  }

  #wanted(probability: number): Quote[] {
    const { model, rank } = this.#parts;
    const { traits, entry, stepTicks, levelLots } = this.#market;
    const fair = logOddsOf(probability);
    this.#belief = this.#belief === undefined ? fair : mix(this.#belief, fair);
    return quotesFor({
      // A second maker is more careful, so that its quotes lie behind those of the first.
      model: { ...model, riskAversion: model.riskAversion * (1 + 2 * rank) },
      traits,
      belief: this.#belief,
      inventory: (this.#lotsOf(0) - this.#lotsOf(1)) / levelLots,
      tickTicks: entry.tickTicks,
      stepTicks,
      lots: levelLots,
    });
  }

  /** Whether at least half of an order can still be on the book. */
  #rests({ side, priceTicks, lots }: Quote): boolean {
    const { bids, asks } = this.#market.book;
    const level = (side === 'bid' ? bids : asks).levels.get(priceTicks);
    return level !== undefined && level.lots >= lots / 2;
  }

  #lotsOf(outcome: 0 | 1): number {
    const { desk, participant } = this.#parts;
    return desk.lotsOf(participant, this.#market.entry.tokenIds[outcome]);
  }

  /** The number of merges. */
  async #mergeSets(): Promise<number> {
    const { desk, participant } = this.#parts;
    const { conditionId, levelLots } = this.#market;
    const sets = Math.min(this.#lotsOf(0), this.#lotsOf(1));
    if (sets < MANY_SETS * levelLots) return 0;
    const whole = Math.floor(sets / LOTS_PER_TOKEN) * LOTS_PER_TOKEN;
    await desk.merge(participant, conditionId, lots(whole));
    return 1;
  }
}

/** The makers of a market replace their quotes, for this fair value. */
export async function quoteAll(makers: readonly Maker[], probability: number): Promise<TurnDone> {
  const withdrawn: (readonly [Maker, Quote[]])[] = [];
  let writes = 0;
  for (const maker of makers) {
    const done = await maker.withdraw(probability);
    withdrawn.push([maker, done.missing]);
    writes += done.writes;
  }
  let refusals = 0;
  for (const [maker, missing] of withdrawn) {
    const done = await maker.place(missing);
    writes += done.writes;
    if (done.isRefused) refusals += 1;
  }
  return { writes, isRefused: refusals > 0 && refusals === makers.length };
}

function isSame(one: Quote, other: Quote): boolean {
  return one.side === other.side && one.priceTicks === other.priceTicks;
}

function mix(belief: number, fair: number): number {
  return belief + LEARNING * (fair - belief);
}
