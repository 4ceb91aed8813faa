/**
 * Trades: the fills of one taker order at one price level (wire 9.4), with ids that are derived
 * from the journal alone, so that the projector and the reply to an order compute the same ones.
 *
 * Version 1 of the derivation. The content of a trade is these lines, each ended by a line feed:
 *   <seq> <timeMs> <takerOrderId> <bucket>
 *   <makerOrderId> <takerPriceTicks> <lots>      one line a fill, in order
 * tradeId: the first 16 bytes of SHA-256("outcome-exchange trade id 1\n" + content) as a UUID of
 * version 8 (RFC 9562: own content).
 * transactionHash: 0x + SHA-256("outcome-exchange transaction hash 1\n" + content). That of a
 * command without fills, such as a split, has the content "<seq> <timeMs>" and a line feed.
 */
import { hash } from 'node:crypto';
import type { EngineEvent, Fill, Lots, Ticks } from '../../engine/index.ts';
import { lots, micros } from '../../engine/model/index.ts';
import type { FillParty } from './records.ts';

export interface TradeHead {
  /** UUID text, lower case. */
  readonly tradeId: string;
  /** 0x + 64 hex. */
  readonly transactionHash: string;
  readonly takerOrderId: string;
  readonly bucket: number;
  /** A price of the taker's outcome. */
  readonly priceTicks: Ticks;
  readonly lots: Lots;
  /** At least one. */
  readonly fills: readonly Fill[];
}

/** The taker of a fill, with the fees of this fill only. */
export function takerOf(fill: Fill): FillParty {
  const { fees } = fill;
  return {
    orderId: fill.takerOrderId,
    account: fill.takerAccount,
    outcome: fill.takerOutcome,
    side: fill.takerSide,
    priceTicks: fill.takerPriceTicks,
    lots: fill.lots,
    feeMicros: fees?.takerMicros ?? NO_MICROS,
    builderFeeMicros: fees?.takerBuilderMicros ?? NO_MICROS,
    feeBps: fees?.takerFeeBps ?? 0,
  };
}

export function makerOf(fill: Fill): FillParty {
  const { fees } = fill;
  return {
    orderId: fill.makerOrderId,
    account: fill.makerAccount,
    outcome: fill.makerOutcome,
    side: fill.makerSide,
    priceTicks: fill.makerPriceTicks,
    lots: fill.lots,
    feeMicros: fees?.makerMicros ?? NO_MICROS,
    builderFeeMicros: fees?.makerBuilderMicros ?? NO_MICROS,
    feeBps: fees?.makerFeeBps ?? 0,
  };
}

const NO_MICROS = micros(0);

export function tradesOf(applied: {
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly EngineEvent[];
}): TradeHead[] {
  const heads: TradeHead[] = [];
  let bucket: Fill[] = [];
  for (const event of applied.events) {
    if (event.kind !== 'fill') continue;
    const first = bucket[0];
    if (first !== undefined && !isSameTrade(first, event)) {
      heads.push(headOf(applied.seq, applied.timeMs, first, bucket));
      bucket = [];
    }
    bucket.push(event);
  }
  const first = bucket[0];
  if (first !== undefined) heads.push(headOf(applied.seq, applied.timeMs, first, bucket));
  return heads;
}

/** Whether two fills of a command, one directly after the other, are of the same trade. */
export function isSameTrade(a: Fill, b: Fill): boolean {
  return a.bucket === b.bucket && a.takerOrderId === b.takerOrderId;
}

function transactionHashOf(content: string): string {
  return `0x${hash('sha256', `outcome-exchange transaction hash 1\n${content}`)}`;
}

/** The hash of a split, merge, redemption or conversion. */
export function moveHashOf(seq: number, timeMs: number): string {
  return transactionHashOf(`${seq} ${timeMs}\n`);
}

function headOf(seq: number, timeMs: number, first: Fill, fills: readonly Fill[]): TradeHead {
  let content = `${seq} ${timeMs} ${first.takerOrderId} ${first.bucket}\n`;
  let total = 0;
  for (const fill of fills) {
    content += `${fill.makerOrderId} ${fill.takerPriceTicks} ${fill.lots}\n`;
    total += fill.lots;
  }
  return {
    tradeId: uuidOf(hash('sha256', `outcome-exchange trade id 1\n${content}`)),
    transactionHash: transactionHashOf(content),
    takerOrderId: first.takerOrderId,
    bucket: first.bucket,
    priceTicks: first.takerPriceTicks,
    lots: lots(total),
    fills,
  };
}

/** The first 128 bits of a hex text with the version and variant bits of RFC 9562. */
function uuidOf(hex: string): string {
  const variant = (Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8;
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-` +
    `${variant.toString(16)}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  );
}

// What the projector and the readers of analytics.db must agree on.

/** In place of the key of a market: of no market. */
export const NO_MARKET = 0;

/** The asset of `holding_points` that is cash, in micros. */
export const CASH = 0;

/** The asset of `holding_points` that is the token of an outcome, in lots. */
export function assetOf(marketKey: number, outcome: number): number {
  return 2 * marketKey + outcome;
}

/** The blocks of `trade_peaks`, in trades: a large block has as many small ones as these trades. */
export const PEAK_SPANS = { small: 16, large: 256 } as const;
