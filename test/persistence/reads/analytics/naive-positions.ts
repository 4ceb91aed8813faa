// Lists of positions, computed by plain arithmetic over all rows.
import type {
  ClosedPositionsQuestion,
  PositionsQuestion,
} from '../../../../persistence/reads/analytics/positions.ts';
import {
  addressOf,
  conditionOf,
  type MadeMarket,
  type MadePosition,
  tokenOf,
} from './made-tables.ts';

export interface World {
  readonly markets: readonly MadeMarket[];
  readonly positions: readonly MadePosition[];
}

type State = {
  readonly payout_ticks?: number | null;
  readonly last_ticks?: number;
  readonly midpoint?: number;
};

/** The value of a token, 0 to 1. */
export function priceOf({ state = {} }: MadeMarket, outcome: number): number {
  const { payout_ticks = null, last_ticks = 0, midpoint = 0 } = state as State;
  let yes = 0.5;
  if (payout_ticks !== null) yes = payout_ticks / 10_000;
  else if (midpoint > 0) yes = midpoint / 20_000;
  else if (last_ticks > 0) yes = last_ticks / 10_000;
  return outcome === 0 ? yes : 1 - yes;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

interface Item extends Record<string, unknown> {
  readonly asset: string;
}

function isResolved({ state }: MadeMarket): boolean {
  return (state?.payout_ticks ?? null) !== null;
}

function show(world: World, position: MadePosition): Item {
  const { outcome, lots, closedMs } = position;
  const market = world.markets.find(({ market }) => market === position.market) as MadeMarket;
  const isOpen = closedMs === 0;
  const size = (isOpen ? lots : position.bought) / 100;
  const initialValue = (isOpen ? position.cost : position.paid) / 1e6;
  const curPrice = priceOf(market, outcome);
  const realizedPnl = position.realized / 1e6;
  const currentValue = isOpen ? size * curPrice : 0;
  const cashPnl = isOpen ? currentValue - initialValue : realizedPnl;
  const holdsOther = world.positions.some(
    (other) =>
      other.account === position.account &&
      other.market === position.market &&
      other.outcome !== outcome &&
      other.lots > 0,
  );
  const labels = ['Yes', 'No'];
  return {
    proxyWallet: addressOf(position.account),
    asset: tokenOf(position.market, outcome),
    conditionId: conditionOf(position.market),
    size,
    avgPrice: ratio(initialValue, size),
    initialValue,
    currentValue,
    cashPnl,
    percentPnl: 100 * ratio(cashPnl, initialValue),
    totalBought: position.bought / 100,
    realizedPnl,
    percentRealizedPnl: 100 * ratio(realizedPnl, position.paid / 1e6),
    curPrice,
    redeemable: isOpen && isResolved(market),
    mergeable: isOpen && !isResolved(market) && holdsOther,
    title: market.title,
    slug: `slug-${position.market}`,
    icon: '',
    eventSlug: `event-${position.market}`,
    outcome: labels[outcome],
    outcomeIndex: outcome,
    oppositeOutcome: labels[1 - outcome],
    oppositeAsset: tokenOf(position.market, 1 - outcome),
    timestamp: Math.floor((isOpen ? position.changedMs : closedMs) / 1000),
    endDate: isOpen
      ? (market.endDate ?? '').slice(0, 10)
      : (market.endDate ?? new Date(closedMs).toISOString()),
    ...(isOpen ? { negativeRisk: false } : {}),
  };
}

type Question = ClosedPositionsQuestion | PositionsQuestion;

/** The value by which a list is sorted: a number, or a text in lower case. */
function sortedBy(world: World, position: MadePosition, sortBy: Question['sortBy']) {
  const item = show(world, position);
  const market = world.markets.find(({ market }) => market === position.market) as MadeMarket;
  switch (sortBy) {
    case 'TITLE':
      return market.title.toLowerCase();
    case 'RESOLVING':
      return market.endDate ?? '';
    case 'TIMESTAMP':
      return position.closedMs;
    case 'REALIZEDPNL':
      return position.realized;
    case 'TOKENS':
      return position.lots;
    case 'INITIAL':
      return position.cost;
    // In integer half ticks, so that equal values compare as equal.
    case 'PRICE':
      return Math.round(priceOf(market, position.outcome) * 20_000);
    case 'CURRENT':
      return position.lots * Math.round(priceOf(market, position.outcome) * 20_000);
    case 'CASHPNL':
      return (
        position.lots * Math.round(priceOf(market, position.outcome) * 20_000) - 2 * position.cost
      );
    case 'AVGPRICE':
      return position.closedMs > 0
        ? position.paid / position.bought
        : position.cost / position.lots;
    case 'PERCENTPNL':
      return Number(item.percentPnl);
    default:
      throw new Error(`only version 2 sorts by ${sortBy}`);
  }
}

function compare(left: string | number, right: string | number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The list that answers a question, by plain filters and sorting. */
export function naiveList(world: World, question: Question): Item[] {
  const { user, markets, events, title, isAscending, limit, offset, sortBy } = question;
  const isOpen = 'leastLots' in question;
  const direction = isAscending ? 1 : -1;
  return world.positions
    .filter(({ account }) => addressOf(account) === user)
    .filter(({ closedMs }) => (closedMs === 0) === isOpen)
    .filter(({ market }) => markets?.includes(conditionOf(market)) ?? true)
    .filter(({ market }) => events?.includes(market) ?? true)
    .filter(({ lots }) => !isOpen || lots >= question.leastLots)
    .filter((position) => !isOpen || !question.isRedeemable || show(world, position).redeemable)
    .filter((position) => !isOpen || !question.isMergeable || show(world, position).mergeable)
    .filter((position) =>
      String(show(world, position).title).toLowerCase().includes(title.toLowerCase()),
    )
    .toSorted(
      (left, right) =>
        direction *
        (compare(sortedBy(world, left, sortBy), sortedBy(world, right, sortBy)) ||
          left.market - right.market ||
          left.outcome - right.outcome),
    )
    .slice(offset, offset + limit)
    .map((position) => show(world, position));
}

/** The answer, with the numbers of `made` wherever both agree up to rounding. */
export function settled(item: unknown, made: unknown): unknown {
  if (typeof item === 'number' && typeof made === 'number') {
    return Math.abs(item - made) <= 6e-7 + Math.abs(made) * 1e-12 ? made : item;
  }
  if (Array.isArray(item) && Array.isArray(made)) {
    return item.map((one, index) => settled(one, made[index]));
  }
  if (typeof item !== 'object' || typeof made !== 'object' || !item || !made) return item;
  const others = new Map<string, unknown>(Object.entries(made));
  return Object.fromEntries(
    Object.entries(item).map(([name, one]) => [name, settled(one, others.get(name))]),
  );
}
