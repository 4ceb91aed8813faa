/**
 * The messages of the market channel (wire 7.1). Pure.
 *
 * Invariant: each is one JSON object. Ids and decimals need no escaping, since none contains a
 * quote or a backslash; texts of the catalog are escaped.
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
import type { RegisteredTerms, TokenBook, TokenBooks } from '../../views/index.ts';
import { type Stamp, stamped } from '../delivery/messages.ts';
import type { MarketTrade } from './batch.ts';
import type { MarketMessages } from './messages.ts';

function stampText({ sequence, streamId, serverMs }: Stamp): string {
  return `"sequence":${sequence},"stream_id":"${streamId}","server_ts_ms":${serverMs}}`;
}

/** The text of `GET /book` for the same state, with the fields of a message. */
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

/**
 * A trade as one token shows it. A trade of the other token is shown at the complement price and
 * with the opposite side.
 */
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
    `"transaction_hash":"${trade.transactionHash}",` +
    `"taker_asset_id":"${book.market.tokenIds[fill?.takerOutcome ?? outcome]}",${stampText(stamp)}`
  );
}

export interface TickChange {
  readonly oldTicks: Ticks;
  readonly newTicks: Ticks;
  readonly timeMs: number;
}

/** The tick is the same for both sides; clients expect the field `side` all the same. */
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

/** A heartbeat, or the first answer to a resume. */
export function signalMessage<Kind extends 'heartbeat' | 'resumed' | 'snapshot_required'>(
  kind: Kind,
  conditionId: string,
  stamp: Stamp,
  details: Omit<MarketMessages[Kind], keyof MarketMessages['heartbeat']>,
): string {
  const timestamp = `${stamp.serverMs}`;
  return stamped({ event_type: kind, market: conditionId, ...details, timestamp }, stamp);
}

/** The fields that `new_market` and `market_resolved` share; empty without catalog content. */
function contentFields(terms: RegisteredTerms, content: CatalogMarket | undefined) {
  return {
    id: content?.id ?? '',
    question: content?.question ?? '',
    market: terms.conditionId,
    slug: content?.slug ?? '',
    description: content?.description ?? '',
    assets_ids: terms.tokenIds,
    outcomes: content?.outcomes ?? ['Yes', 'No'],
    event_message: {
      id: content?.eventId ?? terms.eventId,
      ticker: content?.eventTicker ?? '',
      slug: content?.eventSlug ?? '',
      title: content?.eventTitle ?? '',
      description: content?.eventDescription ?? '',
    },
    tags: content?.tags ?? [],
  };
}

const BPS = 10_000;

export function newMarketMessage(
  terms: RegisteredTerms,
  content: CatalogMarket | undefined,
  stamp: Stamp,
): string {
  return stamped<MarketMessages['new_market']>(
    {
      event_type: 'new_market',
      ...contentFields(terms, content),
      condition_id: terms.conditionId,
      active: true,
      clob_token_ids: terms.tokenIds,
      order_price_min_tick_size: ticksText(terms.tickTicks),
      group_item_title: content?.groupItemTitle ?? '',
      taker_base_fee: `${terms.takerFeeBps}`,
      fees_enabled: terms.takerFeeBps > 0 || terms.makerFeeBps > 0,
      fee_schedule: {
        exponent: `${terms.feeExponent}`,
        rate: `${terms.takerFeeBps / BPS}`,
        taker_only: terms.makerFeeBps === 0,
        rebate_rate: '0',
      },
      timestamp: `${terms.createdMs}`,
    },
    stamp,
  );
}

export interface ResolutionMessage {
  readonly payoutTicks: Ticks;
  readonly timeMs: number;
}

/** The winner is '' if both tokens pay something. */
export function marketResolvedMessage(
  terms: RegisteredTerms,
  content: CatalogMarket | undefined,
  { payoutTicks, timeMs }: ResolutionMessage,
  stamp: Stamp,
): string {
  const fields = contentFields(terms, content);
  const winner = winnerOf(payoutTicks);
  return stamped<MarketMessages['market_resolved']>(
    {
      event_type: 'market_resolved',
      ...fields,
      winning_asset_id: winner === undefined ? '' : terms.tokenIds[winner],
      winning_outcome: winner === undefined ? '' : fields.outcomes[winner],
      timestamp: `${timeMs}`,
    },
    stamp,
  );
}

function winnerOf(payoutTicks: Ticks): Outcome | undefined {
  if (payoutTicks === ONE_TICKS) return 0;
  return payoutTicks === 0 ? 1 : undefined;
}
