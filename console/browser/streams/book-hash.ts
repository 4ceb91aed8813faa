/**
 * Checks the hash of a book: the SHA-1 of the text of `GET /book` with an empty hash (wire 6.3).
 *
 * The browser hashes in the background, and only where the page came over HTTPS or from this
 * machine. Elsewhere nothing is checked here; the books that the exchange sends four times a second
 * are compared with the page's book anyway.
 */
import { DECIMALS, decimalText } from '../decimal/index.ts';
import type { BookLevel, MarketBook } from './market-book.ts';

/** The fields of a book beside its levels, as the wire has them. */
export interface BookTerms {
  readonly market: string;
  readonly asset_id: string;
  timestamp: string;
  min_order_size: string;
  tick_size: string;
  neg_risk: boolean;
  last_trade_price: string;
}

function listed(levels: readonly BookLevel[]): { price: string; size: string }[] {
  return levels
    .map(({ priceTicks, lots }) => ({
      price: decimalText(priceTicks, DECIMALS.ticks),
      size: decimalText(lots, DECIMALS.lots),
    }))
    .reverse();
}

/** The hash of the book of YES; undefined where the browser does not hash. */
export async function hashOf(book: MarketBook, terms: BookTerms): Promise<string | undefined> {
  const { market, asset_id, timestamp, min_order_size, tick_size, neg_risk } = terms;
  const text = JSON.stringify({
    market,
    asset_id,
    timestamp,
    hash: '',
    bids: listed(book.levels(0, 'bid')),
    asks: listed(book.levels(0, 'ask')),
    min_order_size,
    tick_size,
    neg_risk,
    last_trade_price: terms.last_trade_price,
  });
  // Undefined in a page that came over plain HTTP from another machine.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  const bytes = await subtle?.digest('SHA-1', new TextEncoder().encode(text));
  return bytes && [...new Uint8Array(bytes)].map((byte) => hexOf(byte)).join('');
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
