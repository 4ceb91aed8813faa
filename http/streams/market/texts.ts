/**
 * The messages of the market channel as texts (wire 7.1). Pure.
 *
 * Invariant: each is one JSON object; ids and decimals are put in as they are, for none of them
 * holds a quote or a backslash, and words of the catalog are escaped.
 */
import {
  complement,
  type LevelChanged,
  ONE_TICKS,
  type Outcome,
  type Side,
  type Ticks,
} from '../../../engine/model/index.ts';
import type { CatalogMarket } from '../../../persistence/index.ts';
import { lotsText, ticksText } from '../../codec/index.ts';
import type { MarketTerms, TokenBook } from '../../views/index.ts';
import type { MarketTrade } from './batch.ts';

/** What every live message ends with. */
export interface Stamp {
  readonly sequence: number;
  readonly streamId: string;
  readonly serverMs: number;
}

/** The books of both tokens, by outcome. */
export type TokenBooks = readonly [yes: TokenBook, no: TokenBook];

function stampText({ sequence, streamId, serverMs }: Stamp): string {
  return `"sequence":${sequence},"stream_id":"${streamId}","server_ts_ms":${serverMs}}`;
}

/** The text that REST answers for the same state, with the fields of a message. */
export function bookMessage(book: TokenBook, stamp: Stamp): string {
  const { bytes } = book;
  const fields = bytes.toString('latin1', 1, bytes.length - 1);
  return `{"event_type":"book",${fields},${stampText(stamp)}`;
}

function bestText(book: TokenBook): string {
  return `"best_bid":"${ticksText(book.bidTicks)}","best_ask":"${ticksText(book.askTicks)}"`;
}

/** New sizes of levels, each as both tokens show it. */
export function priceChangeMessage(
  books: TokenBooks,
  levels: readonly LevelChanged[],
  stamp: Stamp,
): string {
  const tails = books.map((book) => `"hash":"${book.hash}",${bestText(book)}}`);
  const changes = levels.flatMap(({ side, priceTicks, lots }) => {
    const size = lotsText(lots);
    return books.map(({ tokenId, outcome }) => {
      const price = ticksText(outcome === 0 ? priceTicks : complement(priceTicks));
      const isBuy = (side === 'bid') === (outcome === 0);
      return (
        `{"asset_id":"${tokenId}","price":"${price}","size":"${size}",` +
        `"side":"${isBuy ? 'BUY' : 'SELL'}",${tails[outcome]}`
      );
    });
  });
  const { market, changedMs } = books[0].book;
  return (
    `{"event_type":"price_change","market":"${market.conditionId}","timestamp":"${changedMs}",` +
    `"price_changes":[${changes.join(',')}],${stampText(stamp)}`
  );
}

const OTHER_SIDE = { BUY: 'SELL', SELL: 'BUY' } as const satisfies Record<Side, Side>;

/** A trade as one of the tokens shows it: the other one's at the complement, turned round. */
export function lastTradeMessage(
  { tokenId, outcome, book }: TokenBook,
  trade: MarketTrade,
  stamp: Stamp,
): string {
  const [fill] = trade.fills;
  const isOwn = fill?.takerOutcome === outcome;
  const side = fill?.takerSide ?? 'BUY';
  const price = isOwn ? trade.priceTicks : complement(trade.priceTicks);
  return (
    `{"event_type":"last_trade_price","asset_id":"${tokenId}",` +
    `"market":"${book.market.conditionId}","price":"${ticksText(price)}",` +
    `"size":"${lotsText(trade.lots)}","side":"${isOwn ? side : OTHER_SIDE[side]}",` +
    `"fee_rate_bps":"${fill?.fees?.takerFeeBps ?? 0}","timestamp":"${trade.timeMs}",` +
    `"transaction_hash":"${trade.transactionHash}",${stampText(stamp)}`
  );
}

export interface TickChange {
  readonly oldTicks: Ticks;
  readonly newTicks: Ticks;
  readonly timeMs: number;
}

/** `side` says nothing, for a step is that of both sides; clients look for the field. */
export function tickSizeMessage(
  { tokenId, book }: TokenBook,
  { oldTicks, newTicks, timeMs }: TickChange,
  stamp: Stamp,
): string {
  return (
    `{"event_type":"tick_size_change","asset_id":"${tokenId}",` +
    `"market":"${book.market.conditionId}","old_tick_size":"${ticksText(oldTicks)}",` +
    `"new_tick_size":"${ticksText(newTicks)}","side":"BUY","timestamp":"${timeMs}",` +
    stampText(stamp)
  );
}

export function bestPricesMessage(token: TokenBook, stamp: Stamp): string {
  return (
    `{"event_type":"best_bid_ask","market":"${token.book.market.conditionId}",` +
    `"asset_id":"${token.tokenId}",${bestText(token)},"spread":"${ticksText(token.spreadTicks)}",` +
    `"timestamp":"${token.book.changedMs}",${stampText(stamp)}`
  );
}

/** What a market without messages says now and then, and what answers a resume. */
export function signalMessage(
  kind: 'heartbeat' | 'resumed' | 'snapshot_required',
  conditionId: string,
  stamp: Stamp,
  details: Readonly<Record<string, string | number>> = {},
): string {
  const { sequence, streamId: stream_id, serverMs: server_ts_ms } = stamp;
  const fields = { event_type: kind, market: conditionId, ...details };
  const timestamp = `${server_ts_ms}`;
  return JSON.stringify({ ...fields, timestamp, sequence, stream_id, server_ts_ms });
}

/** What `new_market` and `market_resolved` say alike; a market without words has empty ones. */
function wordsOf(terms: MarketTerms, words: CatalogMarket | undefined) {
  return {
    id: words?.id ?? '',
    question: words?.question ?? '',
    market: terms.conditionId,
    slug: words?.slug ?? '',
    description: words?.description ?? '',
    assets_ids: terms.tokenIds,
    outcomes: words?.outcomes ?? ['Yes', 'No'],
    event_message: {
      id: words?.eventId ?? terms.eventId,
      ticker: words?.eventTicker ?? '',
      slug: words?.eventSlug ?? '',
      title: words?.eventTitle ?? '',
      description: words?.eventDescription ?? '',
    },
    tags: words?.tags ?? [],
  };
}

function stampFields({ sequence, streamId, serverMs }: Stamp) {
  return {
    sequence,
    stream_id: streamId,
    server_ts_ms: serverMs,
  };
}

const BPS = 10_000;

export function newMarketMessage(
  terms: MarketTerms,
  words: CatalogMarket | undefined,
  stamp: Stamp,
): string {
  return JSON.stringify({
    event_type: 'new_market',
    ...wordsOf(terms, words),
    condition_id: terms.conditionId,
    active: true,
    clob_token_ids: terms.tokenIds,
    order_price_min_tick_size: ticksText(terms.tickTicks),
    group_item_title: words?.groupItemTitle ?? '',
    taker_base_fee: `${terms.takerFeeBps}`,
    fees_enabled: terms.takerFeeBps > 0 || terms.makerFeeBps > 0,
    fee_schedule: {
      exponent: `${terms.feeExponent}`,
      rate: `${terms.takerFeeBps / BPS}`,
      taker_only: terms.makerFeeBps === 0,
      rebate_rate: '0',
    },
    timestamp: `${terms.createdMs}`,
    ...stampFields(stamp),
  });
}

export interface Resolution {
  readonly payoutTicks: Ticks;
  readonly timeMs: number;
}

/** Nobody wins where both tokens pay: the winner is then ''. */
export function marketResolvedMessage(
  terms: MarketTerms,
  words: CatalogMarket | undefined,
  { payoutTicks, timeMs }: Resolution,
  stamp: Stamp,
): string {
  const fields = wordsOf(terms, words);
  const winner = winnerOf(payoutTicks);
  return JSON.stringify({
    event_type: 'market_resolved',
    ...fields,
    winning_asset_id: winner === undefined ? '' : terms.tokenIds[winner],
    winning_outcome: winner === undefined ? '' : fields.outcomes[winner],
    timestamp: `${timeMs}`,
    ...stampFields(stamp),
  });
}

function winnerOf(payoutTicks: Ticks): Outcome | undefined {
  if (payoutTicks === ONE_TICKS) return 0;
  return payoutTicks === 0 ? 1 : undefined;
}
