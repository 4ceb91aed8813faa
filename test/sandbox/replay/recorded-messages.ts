// Single messages of a recording, as lines.
import { MARKET, YES } from './recorded-venue.ts';

type Pairs = readonly (readonly [price: string, size: string])[];

function levelsOf(pairs: Pairs) {
  return pairs.map(([price, size]) => ({ price, size }));
}

export function book(bids: Pairs, asks: Pairs, more: object = {}): string {
  const [shownBids, shownAsks] = [levelsOf(bids), levelsOf(asks)];
  const head = { event_type: 'book', asset_id: YES, market: MARKET, timestamp: '1757908892351' };
  return JSON.stringify({ ...head, bids: shownBids, asks: shownAsks, ...more });
}

export function change(side: string, price: unknown, size: unknown, more: object = {}): string {
  const price_changes = [{ asset_id: YES, side, price, size }];
  const head = { event_type: 'price_change', market: MARKET, timestamp: '1757908892400' };
  return JSON.stringify({ ...head, price_changes, ...more });
}

export function trade(side: string, price: string, size: string, more: object = {}): string {
  const event_type = 'last_trade_price';
  return JSON.stringify({ event_type, asset_id: YES, market: MARKET, side, price, size, ...more });
}
