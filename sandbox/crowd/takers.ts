/**
 * The traders who take from the book. Noise traders buy and sell at random; informed traders know
 * the fair value and take what is offered at a better price.
 *
 * Invariant: a trader sells tokens that it has before it buys those of the other outcome. The book
 * of a market with only one side gets no other side.
 * Bound: `RESTING` orders of noise traders rest in a market.
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
import { normal } from './characters.ts';
import type { Desk, DeskOrder } from './desk.ts';
import type { TurnDone } from './maker.ts';
import type { CrowdMarket } from './market.ts';
import type { Participant } from './roster.ts';

/** Noise orders that rest in one market; the oldest leaves for the next one. */
const RESTING = 2;
/** How many of a hundred noise orders take from the book at once. */
const TAKES_PERCENT = 70;
const MOST_LEVELS = 4;
const NOTHING: TurnDone = { writes: 0, isRefused: false };

interface Wish {
  readonly participant: Participant;
  readonly buysYes: boolean;
  /** The worst price, in YES ticks. */
  readonly priceTicks: Ticks;
  readonly lots: number;
  readonly type: 'GTC' | 'FAK';
}

export interface Takers {
  readonly noise: readonly Participant[];
  readonly informed: readonly Participant[];
}

/** A random size: usually some tenths of a maker's level, seldom several levels. */
function randomLots(random: Random, market: CrowdMarket): number {
  const levels = Math.min(Math.exp(normal(random) - 1), MOST_LEVELS);
  const tokens = Math.max(1, Math.round((levels * market.levelLots) / LOTS_PER_TOKEN));
  return Math.max(tokens * LOTS_PER_TOKEN, market.entry.minimumLots);
}

/** The order that carries out a wish with what the participant has. */
function orderFor(desk: Desk, market: CrowdMarket, wish: Wish): DeskOrder {
  const { participant, buysYes, type } = wish;
  const { tokenIds, minimumBudgetMicros } = market.entry;
  const [yes, no] = tokenIds;
  const [wanted, other] = buysYes ? [yes, no] : [no, yes];
  const wantedTicks = buysYes ? wish.priceTicks : complement(wish.priceTicks);
  const common = { type, postOnly: false } as const;
  if (desk.lotsOf(participant, other) >= wish.lots) {
    const priceTicks = complement(wantedTicks);
    const size = { lots: lots(wish.lots), budgetMicros: micros(0) };
    return { ...common, tokenId: other, side: 'SELL', priceTicks, ...size };
  }
  const least = type === 'FAK' ? Math.ceil(minimumBudgetMicros / wantedTicks) : 0;
  const size = lots(Math.max(wish.lots, least));
  const isBudget = type === 'FAK';
  return {
    ...common,
    tokenId: wanted,
    side: 'BUY',
    priceTicks: wantedTicks,
    lots: isBudget ? lots(0) : size,
    budgetMicros: isBudget ? wholeCents(cashFor(size, wantedTicks)) : micros(0),
  };
}

async function send(desk: Desk, market: CrowdMarket, wish: Wish): Promise<TurnDone> {
  const { participant } = wish;
  await desk.topUp(participant);
  const order = orderFor(desk, market, wish);
  const { resting, accepted } = await desk.place(participant, [order], market.entry);
  const orderId = resting[0] ?? '';
  // An order that takes is open only while its market delays it.
  if (orderId !== '' && wish.type === 'GTC') market.resting.push({ participant, orderId });
  const oldest = market.resting.length > RESTING ? market.resting.shift() : undefined;
  const isRefused = accepted === 0;
  if (oldest === undefined) return { writes: 1, isRefused };
  await desk.cancel(oldest.participant, [oldest.orderId]);
  return { writes: 2, isRefused };
}

/** One order of a noise trader; none if the book has nothing to trade with. */
export async function tradeNoise(
  desk: Desk,
  market: CrowdMarket,
  noise: Takers['noise'],
  random: Random,
): Promise<TurnDone> {
  const { bids, asks } = market.book;
  const participant = random.pick(noise);
  const buysYes = random.chance(50);
  const size = randomLots(random, market);
  const takes = random.chance(TAKES_PERCENT);
  const [own, opposite] = buysYes ? [bids, asks] : [asks, bids];
  if ((takes ? opposite : own).levels.length === 0) return NOTHING;
  const { tickTicks: tick } = market.entry;
  const outwards = buysYes ? 1 : -1;
  const hasRoom = asks.bestTicks - bids.bestTicks > 2 * tick;
  // A taker accepts one step worse than the best price; others improve it if there is room.
  const price = takes
    ? opposite.bestTicks + outwards * market.stepTicks
    : own.bestTicks + (hasRoom ? outwards * tick : 0);
  const priceTicks = onGrid(price, tick, buysYes);
  const type = takes ? 'FAK' : 'GTC';
  return send(desk, market, { participant, buysYes, priceTicks, lots: size, type });
}

/** An informed trader takes what is a step better than the fair value; none without that. */
export async function tradeInformed(
  desk: Desk,
  market: CrowdMarket,
  informed: Takers['informed'],
  { random, probability }: { readonly random: Random; readonly probability: number },
): Promise<TurnDone> {
  const { bids, asks } = market.book;
  const { tickTicks: tick } = market.entry;
  const participant = random.pick(informed);
  const size = market.levelLots * random.between(1, 3);
  const fair = ONE_TICKS * probability;
  const edge = market.stepTicks;
  const wish = { participant, lots: size, type: 'FAK' } as const;
  if (asks.levels.length > 0 && asks.bestTicks + edge <= fair) {
    return send(desk, market, { ...wish, buysYes: true, priceTicks: onGrid(fair, tick, true) });
  }
  if (bids.levels.length > 0 && bids.bestTicks - edge >= fair) {
    return send(desk, market, { ...wish, buysYes: false, priceTicks: onGrid(fair, tick, false) });
  }
  return NOTHING;
}

/** The nearest price on the grid that is no worse for a trader, above 0 and below 1. */
function onGrid(price: number, tick: Ticks, isBuy: boolean): Ticks {
  const steps = isBuy ? Math.floor(price / tick) : Math.ceil(price / tick);
  return ticks(Math.min(Math.max(steps * tick, tick), ONE_TICKS - tick));
}
