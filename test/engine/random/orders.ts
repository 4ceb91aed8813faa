/**
 * Random orders with prices near the best levels, so that they often cross: partially, over several
 * levels, and with orders for the other outcome.
 */
import type { CreateMarket, OrderType, Outcome, PlaceOrder, Side } from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { Random } from '../../../http/codec/random.ts';
import type { EventObserver, SeenAccount } from './event-observer.ts';
import { randomCode } from './operator.ts';
import type { RandomScene } from './scene.ts';

/** Settings for random orders, drawn again every few hundred commands. */
export interface Mood {
  /** Per cent of orders that cross, when there is something to cross. */
  readonly crossing: number;
  /** Sizes are spread over this many lots above the minimum. */
  readonly sizeSpread: number;
  /** Prices are spread over this many ticks of the market. */
  readonly priceSpread: number;
  /** Order types, each as often as it is listed. */
  readonly types: readonly OrderType[];
  /** Per cent of orders that are as large as the best few levels together. */
  readonly sweeping: number;
  /** The middle of the prices, in YES ticks. */
  readonly middleTicks: number;
  readonly postOnly: number;
}

const TYPE_MIXES: readonly (readonly OrderType[])[] = [
  ['GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK'],
  ['GTC', 'GTD', 'FOK', 'FAK'],
  ['GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'FAK'],
  ['GTD', 'GTD', 'GTD', 'FOK'],
];

export function randomMood(random: Random): Mood {
  return {
    crossing: random.pick([2, 10, 30, 60]),
    sizeSpread: random.pick([1, 4, 20, 300, 2_000]),
    priceSpread: random.pick([1, 3, 6, 20]),
    types: random.pick(TYPE_MIXES),
    sweeping: random.pick([5, 15, 30]),
    postOnly: random.pick([0, 10, 40]),
    middleTicks: random.pick([300, 1_000, 4_000, 5_000, 6_000, 6_000, 6_000, 6_000, 9_700]),
  };
}

interface OrderScene {
  readonly random: Random;
  readonly seen: EventObserver;
  readonly markets: readonly CreateMarket[];
  readonly size: RandomScene;
  readonly mood: Mood;
  /** The factor of order sizes. */
  readonly scale: number;
  readonly lastSeq: number;
  readonly timeMs: number;
}

interface Choice {
  readonly market: CreateMarket;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly isBid: boolean;
}

/** A mostly valid order; undefined while there are no accounts or no markets. */
export function randomOrder(scene: OrderScene): PlaceOrder | undefined {
  const { random, seen, markets, mood, lastSeq, timeMs } = scene;
  if (markets.length === 0 || seen.accounts.size === 0) return undefined;
  const open = markets.filter(({ conditionId }) => seen.stateOf(conditionId) === 'open');
  const market = random.pick(open.length === 0 || random.chance(3) ? markets : open);
  const outcome = random.pick([0, 1] as const);
  const tokenId = market.tokenIds[outcome];
  const side = randomSide(scene, tokenId);
  const choice: Choice = { market, outcome, side, isBid: (side === 'BUY') === (outcome === 0) };
  const type = random.pick(mood.types);
  const takes = type === 'FOK' || type === 'FAK';
  const hasBudget = takes && side === 'BUY';
  const isAllIn = hasBudget && random.chance(25);
  const [account, { owner }] = isAllIn
    ? poorTrader(scene)
    : randomTrader(scene, side === 'SELL' ? tokenId : undefined);
  // Sometimes the limit is the worst price.
  const isAnyPrice = takes && random.chance(10);
  const atAnyPrice = choice.isBid ? 10_000 - market.tickTicks : market.tickTicks;
  const yesPrice = isAnyPrice ? atAnyPrice : randomYesTicks(scene, choice, takes);
  const priceTicks = outcome === 0 ? yesPrice : 10_000 - yesPrice;
  const free = freeAssets(seen, account, tokenId);
  const wanted = randomLots(scene, choice);
  const isShort = side === 'SELL' && free.lots > 0 && wanted > free.lots && random.chance(80);
  const isAll = side === 'SELL' && free.lots > 0 && random.chance(3);
  const size = isAll ? free.lots : isShort ? random.between(1, free.lots) : wanted;
  const allIn = randomAllIn(random, market, free.micros, priceTicks);
  const budget =
    isAllIn && free.micros > 0 ? allIn : randomBudget(random, size * priceTicks, priceTicks);
  return {
    kind: 'place_order',
    orderId: randomId(random),
    account,
    owner,
    tokenId,
    side,
    type,
    postOnly: !takes && random.chance(mood.postOnly),
    priceTicks: ticks(priceTicks),
    lots: lots(hasBudget ? 0 : size),
    budgetMicros: micros(hasBudget ? budget : 0),
    expiresAtMs: type === 'GTD' ? timeMs + randomLife(random) : 0,
    minimumLeadMs: random.pick([0, 1, 1, 40]),
    earlyEndMs: type === 'GTD' ? (size % 3) * 15 : 0,
    idCheckedSeq: lastSeq,
    apiKey: '',
    ...(random.chance(30) ? { builder: randomCode(random) } : {}),
    ...(random.chance(scene.size.openings) ? randomOpening(random, owner) : {}),
  };
}

/** An account that opens with its first order, of a known or a new owner. */
function randomOpening(random: Random, owner: string): Partial<PlaceOrder> {
  const address = `0x${random.hex(40)}`;
  const paperMicros = micros(random.pick([0, 1_000_000, 50_000_000, 400_000_000]));
  if (random.chance(50))
    return { account: address, opens: { wallet: 'proxy', paperMicros }, owner };
  return { account: address, owner: address, opens: { wallet: 'eoa', paperMicros } };
}

/** One in four shares most of its digits with others, which the table of ids has to tell apart. */
function randomId(random: Random): string {
  const id = random.hex(64);
  if (random.chance(75)) return `0x${id}`;
  return random.chance(50)
    ? `0x${'7'.repeat(56)}${id.slice(0, 8)}`
    : `0x${id.slice(0, 8)}${'7'.repeat(56)}`;
}

/** The available assets of an account. */
function freeAssets(seen: EventObserver, address: string, tokenId: string) {
  const account = seen.accounts.get(address);
  let micros = account?.cashMicros ?? 0;
  let lots = account?.tokens.get(tokenId) ?? 0;
  for (const { command, filledLots } of seen.live.values()) {
    if (command.account !== address) continue;
    const left = command.lots - filledLots;
    if (command.side === 'BUY') micros -= command.budgetMicros + left * command.priceTicks;
    else if (command.tokenId === tokenId) lots -= left;
  }
  return { micros, lots };
}

/** In the CROWD scene, mostly BUY if no account has the token. */
function randomSide({ random, seen, size }: OrderScene, tokenId: string): Side {
  const side = random.pick(['BUY', 'SELL'] as const);
  if (side === 'BUY' || size.able === 0 || !random.chance(size.able)) return side;
  const hasSome = ({ tokens }: SeenAccount) => (tokens.get(tokenId) ?? 0) > 0;
  return [...seen.accounts.values()].some(hasSome) ? 'SELL' : 'BUY';
}

function randomTrader(scene: OrderScene, tokenId: string | undefined): [string, SeenAccount] {
  const { random, seen } = scene;
  const all = [...seen.accounts.entries()];
  if (tokenId === undefined || random.chance(5)) return random.pick(all);
  const holders = all.filter(([, account]) => (account.tokens.get(tokenId) ?? 0) > 0);
  return random.pick(holders.length === 0 ? all : holders);
}

/** An account with so little cash that a book may offer more than it can pay for. */
function poorTrader({ random, seen }: OrderScene): [string, SeenAccount] {
  const all = [...seen.accounts.entries()];
  const buying = new Set([...seen.live.values()].map(({ command }) => command.account));
  const able = all.filter(([address, { cashMicros }]) => cashMicros > 0 && !buying.has(address));
  const poorest = able.sort(([, a], [, b]) => a.cashMicros - b.cashMicros).slice(0, 2);
  return random.pick(poorest.length > 0 ? poorest : all);
}

/** At or beyond the opposite best price, or near the middle. */
function randomYesTicks(
  { random, seen, mood }: OrderScene,
  choice: Choice,
  takes: boolean,
): number {
  const { market, isBid } = choice;
  const tick = market.tickTicks;
  const away = random.below(mood.priceSpread) * tick;
  const forward = isBid ? away : -away;
  const best = seen.bestTicks(market.conditionId, isBid ? 'ask' : 'bid');
  const price =
    best !== undefined && random.chance(takes ? 75 : mood.crossing)
      ? best + forward
      : mood.middleTicks - forward - (isBid ? tick : 0);
  // A resting order may be off the tick in force: round to the next price on it.
  const onTick = (isBid ? Math.ceil(price / tick) : Math.floor(price / tick)) * tick;
  return Math.min(Math.max(onTick, tick), 10_000 - tick);
}

/** Small, or about the total of the best few levels. */
function randomLots({ random, seen, mood, scale }: OrderScene, choice: Choice): number {
  const { conditionId, minimumLots } = choice.market;
  if (random.chance(mood.sweeping)) {
    const levels = [...seen.levels(conditionId, choice.isBid ? 'ask' : 'bid')];
    const best = levels
      .sort(([a], [b]) => (choice.isBid ? a - b : b - a))
      .slice(0, 1 + random.below(5));
    const standing = best.reduce((sum, [, size]) => sum + size, 0);
    return Math.max(standing + random.between(-1, 1), 1);
  }
  const size = minimumLots + random.below(mood.sizeSpread) * scale + random.below(scale);
  return random.chance(5) ? Math.max(size - 3, 1) : size;
}

/** The cost of the order, plus a rest that may be too little for another lot. */
function randomBudget(random: Random, costMicros: number, priceTicks: number): number {
  if (random.chance(5)) return random.between(1, priceTicks);
  return costMicros + random.pick([0, 0, random.below(priceTicks), random.below(3 * priceTicks)]);
}

/** All available cash, or what the fees at the limit price leave of it. */
function randomAllIn(random: Random, market: CreateMarket, free: number, limit: number): number {
  const { takerFeeBps = 0, feeExponent = 0 } = market;
  const price = limit / 10_000;
  const rate = ((takerFeeBps / 10_000) * (price * (1 - price)) ** feeExponent) / price;
  const left = Math.floor(free / (1 + rate)) + random.pick([-20, 0, 0, 1]);
  return random.chance(20) ? free : Math.max(left, 1);
}

/** From one millisecond to far in the future. */
function randomLife(random: Random): number {
  return random.pick([1, 40, random.between(1, 500), random.between(1, 50_000), 6.9e15]);
}
