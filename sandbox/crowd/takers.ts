/**
 * The traders who take from the book. Noise traders carry out large orders in small ones: their
 * lengths have the tail of a power law with exponent 1.5, which gives the long memory of the signs
 * of trades (Lillo, Mike and Farmer, "Theory for long memory in supply and demand", Physical Review
 * E 71, 2005). Informed traders know the fair value and take what is offered at a better price.
 *
 * Trades come in bursts: each raises the chance of the next one for some turns (Hawkes, "Spectra of
 * some self-exciting and mutually exciting point processes", Biometrika 58, 1971).
 *
 * Invariant: a trader sells tokens that it has before it buys those of the other outcome. The book
 * of a market with only one side gets no other side.
 * Bound: `METAORDERS` large orders in a market, of at most `MOST_CHILDREN` small ones.
 */
import {
  cashFor,
  complement,
  LOTS_PER_TOKEN,
  lots,
  micros,
  ONE_TICKS,
  type Ticks,
  ticks,
  wholeCents,
} from '../../engine/model/index.ts';
import type { Random } from '../../http/codec/index.ts';
import { happens, logNormal, pareto } from './characters.ts';
import type { CrowdDesk, DeskOrder } from './desk.ts';
import type { TurnDone } from './maker.ts';
import type { CrowdMarket, Metaorder } from './market.ts';
import { unitTicks } from './quotes.ts';
import type { Participant } from './roster.ts';

const METAORDERS = 2;
const MOST_CHILDREN = 200;
export const LENGTH_EXPONENT = 1.5;
/** The median small order, in median resting orders, and how far those of large orders differ. */
export const CHILD_SIZE = 0.4;
export const SIZE_DEVIATION = 1.3;
/** How far the small orders of one large order differ. */
const CHILD_DEVIATION = 0.3;
/** How many further trades a trade causes, on average. */
const BRANCHING = 0.65;
/** In a market that nobody watches, a turn begins a trade this many times as often. */
const UNWATCHED = 3;
/** How much of the excitement lasts until the market's next turn. */
const LASTING = 0.9;
/** The percentage of small orders that may take several levels. */
const SWEEP_PERCENT = 14;
/** How far behind the best price such an order may trade, in units. */
const SWEEP_UNITS = { least: 2, most: 6 } as const;
/** How large such an order is, compared with other small orders. */
const SWEEP_SIZES = 4;
const NOTHING: TurnDone = { writes: 0, isRefused: false };

interface Wish {
  readonly participant: Participant;
  readonly buysYes: boolean;
  /** The worst price, in YES ticks. */
  readonly priceTicks: Ticks;
  readonly tokens: number;
}

/** Whether a noise trader trades in this turn. */
export function tradesNow(market: CrowdMarket, random: Random): boolean {
  market.excitement *= LASTING;
  const usual = market.traits.trades * (market.isWatched ? 1 : UNWATCHED);
  const trades = happens(random, usual + market.excitement);
  if (trades) market.excitement += BRANCHING * (1 - LASTING);
  return trades;
}

/** The order that carries out a wish with what the participant has. */
function orderFor(desk: CrowdDesk, market: CrowdMarket, wish: Wish): DeskOrder {
  const { participant, buysYes } = wish;
  const { tokenIds, minimumBudgetMicros, minimumLots } = market.entry;
  const [yes, no] = tokenIds;
  const [wanted, other] = buysYes ? [yes, no] : [no, yes];
  const price = buysYes ? wish.priceTicks : complement(wish.priceTicks);
  const size = Math.max(Math.round(wish.tokens * LOTS_PER_TOKEN), minimumLots);
  const common = { type: 'FAK', postOnly: false } as const;
  if (desk.lotsOf(participant, other) >= size) {
    const amount = { lots: lots(size), budgetMicros: micros(0) };
    return { ...common, tokenId: other, side: 'SELL', priceTicks: complement(price), ...amount };
  }
  const least = Math.ceil(minimumBudgetMicros / price);
  const budgetMicros = wholeCents(cashFor(lots(Math.max(size, least)), price));
  // Below a cent nothing is left of a budget.
  const amount = { lots: lots(0), budgetMicros: micros(Math.max(budgetMicros, 10_000)) };
  return { ...common, tokenId: wanted, side: 'BUY', priceTicks: price, ...amount };
}

async function send(desk: CrowdDesk, market: CrowdMarket, wish: Wish): Promise<TurnDone> {
  await desk.topUp(wish.participant);
  const order = orderFor(desk, market, wish);
  const { accepted } = await desk.place(wish.participant, [order], market.entry);
  return { writes: 1, isRefused: accepted === 0 };
}

function beginMetaorder(
  market: CrowdMarket,
  noise: readonly Participant[],
  random: Random,
): Metaorder {
  return {
    participant: random.pick(noise),
    buysYes: random.chance(50),
    tokens: CHILD_SIZE * market.medianTokens * logNormal(random, SIZE_DEVIATION),
    left: Math.ceil(Math.min(pareto(random, LENGTH_EXPONENT), MOST_CHILDREN)),
  };
}

/** The next small order of a noise trader; none if there is nothing to trade with. */
export async function tradeNoise(
  desk: CrowdDesk,
  market: CrowdMarket,
  noise: readonly Participant[],
  random: Random,
): Promise<TurnDone> {
  const { metaorders } = market;
  while (metaorders.length < METAORDERS) metaorders.push(beginMetaorder(market, noise, random));
  const metaorder = random.pick(metaorders);
  metaorder.left -= 1;
  if (metaorder.left <= 0) metaorders.splice(metaorders.indexOf(metaorder), 1);
  const { participant, buysYes } = metaorder;
  const best = market.best(buysYes ? 'ask' : 'bid');
  if (best === undefined) return NOTHING;
  const isSweep = random.chance(SWEEP_PERCENT);
  const units = isSweep ? random.between(SWEEP_UNITS.least, SWEEP_UNITS.most) : 0;
  const further = units * unitTicks(market.terms) * (buysYes ? 1 : -1);
  const size = metaorder.tokens * logNormal(random, CHILD_DEVIATION);
  return send(desk, market, {
    participant,
    buysYes,
    priceTicks: onGrid(best + further, market.entry.tickTicks, buysYes),
    tokens: isSweep ? SWEEP_SIZES * size : size,
  });
}

/** An informed trader takes what is a unit better than the fair value; none without that. */
export async function tradeInformed(
  desk: CrowdDesk,
  market: CrowdMarket,
  informed: readonly Participant[],
  random: Random,
): Promise<TurnDone> {
  const { terms, medianTokens } = market;
  const fair = ONE_TICKS * terms.fair;
  const edge = unitTicks(terms);
  const [bid, ask] = [market.best('bid'), market.best('ask')];
  const buysYes = ask !== undefined && ask + edge <= fair;
  if (!buysYes && (bid === undefined || bid - edge < fair)) return NOTHING;
  return send(desk, market, {
    participant: random.pick(informed),
    buysYes,
    priceTicks: onGrid(fair, terms.tickTicks, buysYes),
    tokens: medianTokens * Math.min(2 * logNormal(random, SIZE_DEVIATION), 20),
  });
}

/** The nearest price on the grid that is no worse for a trader, above 0 and below 1. */
function onGrid(price: number, tick: Ticks, isBuy: boolean): Ticks {
  const steps = isBuy ? Math.floor(price / tick) : Math.ceil(price / tick);
  return ticks(Math.min(Math.max(steps * tick, tick), ONE_TICKS - tick));
}
