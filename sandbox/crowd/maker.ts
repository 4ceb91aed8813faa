/**
 * The market maker of a market: it keeps the book in the shape of `quotes.ts` around the fair
 * value. In each turn it cancels an order or two and places others, so the book lives between
 * trades; quotes that the fair value has passed are cancelled before anything else.
 *
 * The ask side is bought NO: a maker needs no tokens to begin with. It turns sets back into cash
 * when it has many.
 *
 * Invariant: the engine's state says which of its orders are live, so fills, restarts, restored
 * states and cancels of the operator need no messages.
 * Bound: `model.orders` times the market's depth on each side.
 */
import { complement, LOTS_PER_TOKEN, lots, micros } from '../../engine/model/index.ts';
import type { Random } from '../../http/codec/index.ts';
import type { CrowdDesk, DeskOrder } from './desk.ts';
import type { CrowdMarket } from './market.ts';
import {
  bestQuote,
  distanceOf,
  drawLots,
  drawPrice,
  hazard,
  orderCount,
  QUOTE_SIDES,
  type Quote,
  type QuoteSide,
  type QuoteTerms,
} from './quotes.ts';

/** Complete sets, in median orders, that a maker turns back into cash. */
const MANY_SETS = 20;
/** The chance, in percent, that a turn restores a missing best price. */
const RESTORES_PERCENT = 35;
/** Distances in units are compared with this error. */
const ROUNDING = 0.01;

/** What a turn did: how many orders and cancels it sent, and whether every order was refused. */
export interface TurnDone {
  readonly writes: number;
  readonly isRefused: boolean;
}

interface Resting {
  readonly orderId: string;
  readonly distance: number;
}

/** The maker's turn. */
export async function quote(
  desk: CrowdDesk,
  market: CrowdMarket,
  random: Random,
): Promise<TurnDone> {
  const { maker, entry } = market;
  const quotes = liveQuotes(desk, market);
  market.quotes = quotes;
  const { leaving, arriving } = changes(market, quotes, random);
  // The old quotes leave first, so that the new ones do not meet them.
  const delayed = await desk.cancel(maker, leaving);
  for (const orderId of leaving) if (!delayed.includes(orderId)) quotes.delete(orderId);
  market.quoted = market.fair;
  // A market that delays orders keeps the old quotes for a while.
  const placed = delayed.length > 0 ? [] : arriving;
  await desk.topUp(maker);
  const orders = placed.map((one) => orderOf(market, one, random));
  const { resting, accepted } = await desk.place(maker, orders, entry);
  for (const [index, orderId] of resting.entries()) {
    const one = placed[index];
    if (orderId !== '' && one !== undefined) quotes.set(orderId, one);
  }
  const merges = await mergeSets(desk, market);
  const isRefused = placed.length > 0 && accepted === 0;
  return { writes: Math.sign(leaving.length) + placed.length + merges, isRefused };
}

/** Which orders leave, by id, and which quotes come. */
function changes(market: CrowdMarket, quotes: ReadonlyMap<string, Quote>, random: Random) {
  const leaving: string[] = [];
  const arriving: Quote[] = [];
  const { sides, terms, wishedOrders, isQuoted } = market;
  const churned = sides.length === 0 ? undefined : random.pick(sides);
  for (const side of QUOTE_SIDES) {
    const wished = sides.includes(side) ? orderCount(side, wishedOrders, terms) : 0;
    const resting = restingOn(side, quotes, terms);
    // Better than the best quote, now that the fair value has moved.
    const wrong = resting.filter(({ distance }) => wished === 0 || distance < -ROUNDING);
    const staying = resting.filter((order) => !wrong.includes(order));
    if (side === churned && isQuoted && staying.length >= wished) {
      wrong.push(...staying.splice(nextToLeave(random, staying), 1));
    }
    leaving.push(...wrong.map(({ orderId }) => orderId));
    const isFilling = staying.length < wished / 2;
    const isBestGone = !staying.some(({ distance }) => distance < ROUNDING);
    let restores = isBestGone && (isFilling || random.chance(RESTORES_PERCENT));
    for (let count = staying.length; count < wished; count += 1) {
      const priceTicks = restores
        ? bestQuote(side, terms)
        : drawPrice(random, side, terms, isFilling);
      restores = false;
      if (priceTicks !== undefined) arriving.push({ side, priceTicks });
    }
  }
  return { leaving, arriving };
}

/** The maker's orders that are live: those that it knows, or at first all that the engine has. */
function liveQuotes(desk: CrowdDesk, market: CrowdMarket): Map<string, Quote> {
  const { maker, conditionId, quotes, entry } = market;
  if (quotes !== undefined) return new Map([...quotes].filter(([id]) => desk.isLive(id)));
  const orders = desk.ordersOf(maker).filter((order) => order.conditionId === conditionId);
  return new Map(
    orders.map(({ orderId, tokenId, priceTicks }) => [
      orderId,
      tokenId === entry.tokenIds[0]
        ? { side: 'bid', priceTicks }
        : { side: 'ask', priceTicks: complement(priceTicks) },
    ]),
  );
}

function restingOn(
  side: QuoteSide,
  quotes: ReadonlyMap<string, Quote>,
  terms: QuoteTerms,
): Resting[] {
  return [...quotes]
    .filter(([, one]) => one.side === side)
    .map(([orderId, one]) => ({ orderId, distance: distanceOf(one, terms) }));
}

/** The index of an order, by how soon orders at its distance leave. */
function nextToLeave(random: Random, resting: readonly Resting[]): number {
  const total = resting.reduce((sum, { distance }) => sum + hazard(distance), 0);
  let left = (total * random.below(1_000_000)) / 1_000_000;
  const found = resting.findIndex(({ distance }) => {
    left -= hazard(distance);
    return left < 0;
  });
  return Math.max(found, 0);
}

/** YES bids are bought YES; YES asks are bought NO at the complement. */
function orderOf(market: CrowdMarket, { side, priceTicks }: Quote, random: Random): DeskOrder {
  const { tokenIds, minimumLots } = market.entry;
  const isBid = side === 'bid';
  return {
    tokenId: isBid ? tokenIds[0] : tokenIds[1],
    side: 'BUY',
    type: 'GTC',
    priceTicks: isBid ? priceTicks : complement(priceTicks),
    lots: drawLots(random, market.medianTokens, minimumLots),
    budgetMicros: micros(0),
    postOnly: false,
  };
}

/** The number of merges. */
async function mergeSets(desk: CrowdDesk, market: CrowdMarket): Promise<number> {
  const { maker, conditionId, medianTokens } = market;
  const [yes, no] = market.entry.tokenIds.map((tokenId) => desk.lotsOf(maker, tokenId));
  const sets = Math.floor(Math.min(yes ?? 0, no ?? 0) / LOTS_PER_TOKEN) * LOTS_PER_TOKEN;
  if (sets < MANY_SETS * medianTokens * LOTS_PER_TOKEN) return 0;
  await desk.merge(maker, conditionId, lots(sets));
  return 1;
}
