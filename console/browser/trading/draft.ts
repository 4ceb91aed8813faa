/** The terms of an order as a person types them, and as whole numbers. */

import type { FeeRates } from '../../../engine/fees/formulas.ts';
import {
  lots,
  MICROS_PER_CENT,
  micros,
  type OrderType,
  type Side,
  ticks,
} from '../../../engine/model/index.ts';
import { lotsOf, ONE_TICKS, parseDecimal, ticksOf } from '../decimal/index.ts';
import type { OrderRequest } from '../signing/order.ts';
import type { Outcome } from '../streams/market-book.ts';
import type { MarketName } from '../streams/market-feed.ts';
import type { Market } from '../wire/index.ts';
import { feesOf } from './fees.ts';
import { centsText, isOnGrid, TRADING_BOUNDS, tokensText } from './units.ts';

/** What a market asks of an order. */
export interface MarketRules extends MarketName {
  /** The names of both outcomes. */
  readonly outcomes: readonly [string, string];
  readonly negRisk: boolean;
  readonly tickTicks: number;
  readonly minimumLots: number;
  readonly fees: FeeRates;
}

function pairOf(text: string | undefined, names: readonly [string, string]): [string, string] {
  const list: unknown = JSON.parse(text ?? '[]');
  const [first = names[0], second = names[1]] = Array.isArray(list) ? list.map(String) : [];
  return [first, second];
}

/** Safe: `String` gives the shortest text of a decimal, which is the exact one. */
export function rulesOf(market: Market): MarketRules {
  return {
    conditionId: market.conditionId,
    tokenIds: pairOf(market.clobTokenIds, ['', '']),
    outcomes: pairOf(market.outcomes, ['Yes', 'No']),
    negRisk: market.neg_risk,
    tickTicks: ticksOf(String(market.minimum_tick_size)),
    minimumLots: lotsOf(String(market.minimum_order_size)),
    fees: feesOf(market),
  };
}

export interface OrderDraft {
  readonly outcome: Outcome;
  readonly side: Side;
  readonly type: OrderType;
  /** In cents; for FOK and FAK the worst price. */
  readonly price: string;
  /** Tokens; for a FOK or FAK BUY the cash to spend. */
  readonly quantity: string;
  readonly postOnly: boolean;
  /** Local time, as `<input type="datetime-local">` has it. For GTD only. */
  readonly expiration: string;
}

export type DraftField = 'price' | 'quantity' | 'expiration';

/** An order that can be signed. */
export interface Order extends OrderRequest {
  readonly outcome: Outcome;
}

/** Whether the quantity is cash. */
export function isBudget({ side, type }: { side: Side; type: OrderType }): boolean {
  return side === 'BUY' && (type === 'FOK' || type === 'FAK');
}

export interface ReadDraft {
  /** Undefined while a field is empty or wrong. */
  readonly order: Order | undefined;
  /** What is wrong with a field that is not empty. */
  readonly faults: Readonly<Partial<Record<DraftField, string>>>;
  /** The fields that are empty. */
  readonly missing: readonly DraftField[];
}

const CENT_DECIMALS = 2;
const QUANTITY_DECIMALS = 2;

/** A value, or what is wrong with the text; undefined for an empty text. */
type Reading = { readonly value: number } | { readonly fault: string } | undefined;

function readPrice(text: string, { tickTicks }: MarketRules): Reading {
  if (text.trim() === '') return undefined;
  const price = Number(parseDecimal(text, CENT_DECIMALS) ?? -1n);
  if (isOnGrid(price, tickTicks)) return { value: price };
  const [least, most] = [centsText(tickTicks), centsText(ONE_TICKS - tickTicks)];
  return {
    fault: `The price is ${text}¢. It must be from ${least} to ${most} in steps of ${least}.`,
  };
}

function readQuantity(draft: OrderDraft, { minimumLots }: MarketRules): Reading {
  const { quantity: text, type } = draft;
  if (text.trim() === '') return undefined;
  const name = isBudget(draft) ? 'amount' : 'size';
  const hundredths = parseDecimal(text, QUANTITY_DECIMALS) ?? 0n;
  if (hundredths <= 0n) {
    return { fault: `The ${name} is ${text}. It must be above 0, with at most 2 decimals.` };
  }
  if (hundredths > BigInt(TRADING_BOUNDS.hundredths)) {
    const most = tokensText(TRADING_BOUNDS.hundredths);
    return { fault: `The ${name} is ${text}. It must be at most ${most}.` };
  }
  const isResting = type === 'GTC' || type === 'GTD';
  if (isResting && hundredths < BigInt(minimumLots)) {
    return { fault: `The size is ${text}. It must be at least ${tokensText(minimumLots)} tokens.` };
  }
  return { value: Number(hundredths) };
}

function readExpiration({ expiration: text, type }: OrderDraft): Reading {
  if (type !== 'GTD') return { value: 0 };
  if (text === '') return undefined;
  const timeMs = new Date(text).getTime();
  if (Number.isFinite(timeMs)) return { value: Math.floor(timeMs / 1000) };
  return { fault: `The expiration is ${text}. It must be a date and a time.` };
}

/** Reads all fields; those that the exchange alone can judge stay as they are. */
export function readDraft(draft: OrderDraft, rules: MarketRules): ReadDraft {
  const readings = {
    price: readPrice(draft.price, rules),
    quantity: readQuantity(draft, rules),
    expiration: readExpiration(draft),
  };
  const faults: Partial<Record<DraftField, string>> = {};
  const missing: DraftField[] = [];
  const values: Partial<Record<DraftField, number>> = {};
  // Safe: these are the keys of the record above.
  for (const [field, reading] of Object.entries(readings) as [DraftField, Reading][]) {
    if (reading === undefined) missing.push(field);
    else if ('fault' in reading) faults[field] = reading.fault;
    else values[field] = reading.value;
  }
  const { price, quantity, expiration } = values;
  if (price === undefined || quantity === undefined || expiration === undefined) {
    return { order: undefined, faults, missing };
  }
  const { outcome, side, type } = draft;
  const postOnly = draft.postOnly && (type === 'GTC' || type === 'GTD');
  const cash = isBudget(draft) ? quantity * MICROS_PER_CENT : 0;
  const order = {
    ...{ outcome, side, type, postOnly, expirationSeconds: expiration },
    ...{ tokenId: rules.tokenIds[outcome], negRisk: rules.negRisk },
    priceTicks: ticks(price),
    lots: lots(cash > 0 ? 0 : quantity),
    budgetMicros: micros(cash),
  };
  return { order, faults, missing };
}
