/**
 * What moves of tokens and cash do to one position: the formulas of formulas.md, in whole numbers.
 * Invariant: `realized = received - paid + cost - fee`, and a position without tokens has no cost.
 * Each function that earns or loses something returns by how much `realized` changed.
 */
import { strict as assert } from 'node:assert';

/** The amounts of a position over all of its life. */
export interface PositionAmounts {
  lots: number;
  costMicros: number;
  boughtLots: number;
  paidMicros: number;
  receivedMicros: number;
  feeMicros: number;
  realizedMicros: number;
  /** When tokens came in last where there were none. */
  openedMs: number;
  changedMs: number;
  /** 0 while it is open. */
  closedMs: number;
}

/** What is bought or given away, in lots, and all that is paid or received for it. */
interface TokenMove {
  readonly lots: number;
  readonly micros: number;
  readonly timeMs: number;
}

/** Tokens come in; the first of them open a position that was closed once more. */
export function takeIn(position: PositionAmounts, { lots, micros, timeMs }: TokenMove): void {
  if (position.lots === 0) {
    position.openedMs = timeMs;
    position.closedMs = 0;
  }
  position.lots += lots;
  position.costMicros += micros;
  position.boughtLots += lots;
  position.paidMicros += micros;
  position.changedMs = timeMs;
}

/** Tokens go out. */
export function giveAway(position: PositionAmounts, { lots, micros, timeMs }: TokenMove): number {
  const costMicros = costOf(position, lots);
  position.lots -= lots;
  position.costMicros -= costMicros;
  position.receivedMicros += micros;
  position.realizedMicros += micros - costMicros;
  position.changedMs = timeMs;
  // What was written off is closed already, and stays closed as of then.
  if (position.lots === 0 && position.closedMs === 0) position.closedMs = timeMs;
  return micros - costMicros;
}

/** What a fee costs. */
export function charge(position: PositionAmounts, feeMicros: number): number {
  position.feeMicros += feeMicros;
  position.realizedMicros -= feeMicros;
  return -feeMicros;
}

/** Its outcome pays nothing, for good: the tokens stay until they are redeemed. */
export function writeOff(position: PositionAmounts, timeMs: number): number {
  const lost = position.costMicros;
  position.costMicros = 0;
  position.realizedMicros -= lost;
  position.changedMs = timeMs;
  position.closedMs = timeMs;
  return -lost;
}

/** The part of the cost that goes with some of the lots, rounded down; the last ones take all. */
export function costOf({ lots, costMicros }: PositionAmounts, outLots: number): number {
  assert(outLots > 0 && outLots <= lots, 'nobody gives away what is not there');
  const product = costMicros * outLots;
  if (!Number.isSafeInteger(product)) {
    return Number((BigInt(costMicros) * BigInt(outLots)) / BigInt(lots));
  }
  // The remainder is taken off first, so that the quotient is exact.
  return (product - (product % lots)) / lots;
}

/** The share of one of `count` places: what does not divide goes to the lowest, one each. */
export function evenShare(micros: number, count: number, place: number): number {
  const remainder = micros % count;
  return (micros - remainder) / count + (place < remainder ? 1 : 0);
}

/** NO in some markets of a neg-risk event became cash, and YES in its others. */
interface Conversion {
  /** Of each NO that is given, in order of the markets: the cost that goes with it. */
  readonly costs: readonly number[];
  readonly cashMicros: number;
  /** In how many markets YES is taken for it. */
  readonly takenCount: number;
}

interface ConversionAmounts {
  readonly received: readonly number[];
  readonly paid: readonly number[];
}

/** What each NO counts as sold for, and each YES as bought for: together they make the cash. */
export function conversionAmounts(conversion: Conversion): ConversionAmounts {
  const { costs, cashMicros, takenCount } = conversion;
  if (takenCount === 0) {
    return {
      received: costs.map((_, place) => evenShare(cashMicros, costs.length, place)),
      paid: [],
    };
  }
  const cost = costs.reduce((sum, one) => sum + one, 0);
  const excess = Math.max(0, cashMicros - cost);
  const carried = Math.max(0, cost - cashMicros);
  return {
    received: costs.map((one, place) => one + evenShare(excess, costs.length, place)),
    paid: Array.from({ length: takenCount }, (_, place) => evenShare(carried, takenCount, place)),
  };
}
