/**
 * Trades as an account had them. A trade is told as its taker had it, with each maker in its own
 * terms: in a mint or merge the two have different tokens and prices.
 */
import { DECIMALS, lotsOf, parseDecimal, ticksOf } from '../decimal/index.ts';
import type { OwnTrade } from '../streams/messages.ts';

export interface Fill {
  readonly key: string;
  readonly tradeId: string;
  readonly conditionId: string;
  readonly outcome: string;
  readonly side: 'BUY' | 'SELL';
  readonly priceTicks: number;
  readonly lots: number;
  readonly feeMicros: number;
  readonly role: 'taker' | 'maker';
  readonly timeMs: number;
}

/** Seconds since the epoch or ISO 8601, depending on the dialect of the exchange. */
export function timeMsOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
}

type Party = Pick<OwnTrade, 'outcome' | 'side' | 'price' | 'fee'>;

function fillOf(trade: OwnTrade, party: Party, size: string, role: Fill['role']) {
  return {
    tradeId: trade.id,
    conditionId: trade.market,
    outcome: party.outcome,
    side: party.side,
    priceTicks: ticksOf(party.price),
    lots: lotsOf(size),
    feeMicros: Number(parseDecimal(party.fee, DECIMALS.micros) ?? 0n),
    role,
    timeMs: timeMsOf(trade.match_time),
  };
}

/**
 * What accounts did in a trade: as its taker, and with each of their orders that rested. The
 * accounts are in lower case.
 */
export function fillsOf(trade: OwnTrade, accounts: readonly string[]): readonly Fill[] {
  const isOwn = ({ maker_address }: { maker_address: string }) =>
    accounts.includes(maker_address.toLowerCase());
  const taken = isOwn(trade)
    ? [{ ...fillOf(trade, trade, trade.size, 'taker'), key: trade.id }]
    : [];
  const made = trade.maker_orders.filter(isOwn).map((maker) => ({
    ...fillOf(trade, maker, maker.matched_amount, 'maker'),
    key: `${trade.id}/${maker.order_id}`,
  }));
  return [...taken, ...made];
}
