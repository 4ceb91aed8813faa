/**
 * Messages of a market channel, from their JSON: the four that a replay plays, of every shape that
 * the public venue has sent.
 *
 * `price_change` has had two shapes: `changes` of one asset, and since September 2025
 * `price_changes`, each with its asset
 * (docs.polymarket.com/developers/CLOB/websocket/market-channel-migration-guide).
 */

import type { JsonFields } from '../../cli/place-order/index.ts';
import type { Lots, Side, Ticks } from '../../engine/model/index.ts';
import { timeMsIn } from './envelope.ts';
import type { FaultList } from './faults.ts';
import { type NumberFault, priceIn, sizeIn } from './recorded-numbers.ts';

/** A level of one asset. `BUY` is a bid. */
export interface AssetLevel {
  readonly assetId: string;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

interface Head {
  /** The recorded market; '' if the message does not name it. */
  readonly market: string;
  readonly timeMs: number | undefined;
  /** `stream_id` and `sequence` of recordings of this exchange. */
  readonly streamId: string;
  readonly sequence: number | undefined;
}

export type RecordedMessage = Head &
  (
    | {
        readonly kind: 'book';
        readonly assetId: string;
        readonly levels: readonly AssetLevel[];
        /** The price step, which newer books tell. */
        readonly tickTicks: Ticks | undefined;
      }
    | { readonly kind: 'changes'; readonly levels: readonly AssetLevel[] }
    | { readonly kind: 'trade'; readonly trade: AssetLevel; readonly hash: string }
    | { readonly kind: 'tick'; readonly assetId: string; readonly tickTicks: Ticks }
    | { readonly kind: 'other' }
  );

/** Messages of the channel that say nothing about levels, trades or ticks. */
const OTHER_EVENTS = new Set([
  ...['best_bid_ask', 'new_market', 'market_resolved'],
  // Of this exchange alone.
  ...['heartbeat', 'resumed', 'snapshot_required', 'skipped'],
]);

function isFault(read: object | number): read is NumberFault {
  return typeof read === 'object' && 'reason' in read;
}

function textIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

function listIn(value: unknown): readonly JsonFields[] | undefined {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'object' && one);
  return isList ? value : undefined;
}

function sideIn(value: unknown): Side | undefined {
  const side = typeof value === 'string' ? value.toUpperCase() : '';
  return side === 'BUY' || side === 'SELL' ? side : undefined;
}

/** Reads messages, and counts sizes that it rounds. Faults go to the list; the rest is returned. */
export class MessageReader {
  readonly #faults: FaultList;
  #rounded = 0;

  constructor(faults: FaultList) {
    this.#faults = faults;
  }

  /** Sizes with more than two decimals. */
  get rounded(): number {
    return this.#rounded;
  }

  /** The message; undefined if nothing of it can be played. */
  read(json: JsonFields): RecordedMessage | undefined {
    const { event_type: event, sequence } = json;
    const head: Head = {
      market: textIn(json.market).toLowerCase(),
      timeMs: timeMsIn(json.timestamp),
      streamId: textIn(json.stream_id),
      sequence: typeof sequence === 'number' ? sequence : undefined,
    };
    switch (event) {
      case 'book':
        return this.#book(json, head);
      case 'price_change':
        return this.#changes(json, head);
      case 'last_trade_price':
        return this.#trade(json, head);
      case 'tick_size_change':
        return this.#tick(json, head);
      default:
        if (typeof event === 'string' && OTHER_EVENTS.has(event)) return { ...head, kind: 'other' };
        this.#faults.add(
          'event_unknown',
          event === undefined ? 'the message has no event_type' : `no event "${textIn(event)}"`,
        );
        return undefined;
    }
  }

  #malformed(sentence: string): undefined {
    this.#faults.add('message_malformed', sentence);
    return undefined;
  }

  #assetIn(json: JsonFields, event: string): string | undefined {
    const assetId = textIn(json.asset_id);
    return assetId === '' ? this.#malformed(`${event} has no asset_id`) : assetId;
  }

  /** A level, or undefined with its fault noted. */
  #level(json: JsonFields, assetId: string, side: Side): AssetLevel | undefined {
    const priceTicks = priceIn(json.price);
    const size = sizeIn(json.size);
    const fault = [priceTicks, size].find(isFault);
    if (fault !== undefined || isFault(priceTicks) || isFault(size)) {
      if (fault !== undefined) this.#faults.add(fault.reason, fault.sentence);
      return undefined;
    }
    if (size.isRounded) this.#rounded += 1;
    return { assetId, side, priceTicks, lots: size.lots };
  }

  #book(json: JsonFields, head: Head): RecordedMessage | undefined {
    const assetId = this.#assetIn(json, 'book');
    if (assetId === undefined) return undefined;
    // Older documents of the public venue call the sides buys and sells.
    const bids = listIn(json.bids ?? json.buys);
    const asks = listIn(json.asks ?? json.sells);
    if (bids === undefined || asks === undefined) {
      return this.#malformed('book has no lists of bids and asks');
    }
    const levelsOf = (list: readonly JsonFields[], side: Side): AssetLevel[] =>
      list.map((level) => this.#level(level, assetId, side)).filter((level) => level !== undefined);
    const levels = [...levelsOf(bids, 'BUY'), ...levelsOf(asks, 'SELL')];
    const step = priceIn(json.tick_size);
    return { ...head, kind: 'book', assetId, levels, tickTicks: isFault(step) ? undefined : step };
  }

  #changes(json: JsonFields, head: Head): RecordedMessage | undefined {
    const list = listIn(json.price_changes ?? json.changes);
    if (list === undefined) return this.#malformed('price_change has no list of changes');
    const levels: AssetLevel[] = [];
    for (const change of list) {
      const assetId = this.#assetIn('asset_id' in change ? change : json, 'price_change');
      const side = sideIn(change.side);
      if (side === undefined) this.#malformed('a change has no side BUY or SELL');
      if (assetId === undefined || side === undefined) continue;
      const level = this.#level(change, assetId, side);
      if (level !== undefined) levels.push(level);
    }
    return { ...head, kind: 'changes', levels };
  }

  #trade(json: JsonFields, head: Head): RecordedMessage | undefined {
    const assetId = this.#assetIn(json, 'last_trade_price');
    const side = sideIn(json.side);
    if (side === undefined) return this.#malformed('last_trade_price has no side BUY or SELL');
    if (assetId === undefined) return undefined;
    const trade = this.#level(json, assetId, side);
    if (trade === undefined) return undefined;
    return { ...head, kind: 'trade', trade, hash: textIn(json.transaction_hash) };
  }

  #tick(json: JsonFields, head: Head): RecordedMessage | undefined {
    const assetId = this.#assetIn(json, 'tick_size_change');
    if (assetId === undefined) return undefined;
    const tickTicks = priceIn(json.new_tick_size);
    if (!isFault(tickTicks)) return { ...head, kind: 'tick', assetId, tickTicks };
    return this.#malformed(`new_tick_size is ${JSON.stringify(json.new_tick_size)}`);
  }
}
