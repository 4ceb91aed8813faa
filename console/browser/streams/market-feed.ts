/**
 * One market as the page follows it: its book, its trades and its terms, kept up to date by the
 * messages of the market channel.
 *
 * The page subscribes to the token of YES alone: its messages tell the book of both outcomes, and
 * NO would only repeat them.
 *
 * Invariant: the state is the one after the step `sequence`. A message that does not follow it
 * changes nothing: the feed then asks for what is missing, and waits for the answer. Bound: the
 * levels of a book and `PAGE_BOUNDS.trades`.
 */

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { lotsOf, ONE_TICKS, ticksOf } from '../decimal/index.ts';
import { type BookTerms, hashOf } from './book-hash.ts';
import { PAGE_BOUNDS, PAGE_TIMES } from './bounds.ts';
import type { Frames } from './frames.ts';
import { MarketBook, type Outcome } from './market-book.ts';
import type {
  BookMessage,
  LastTradeMessage,
  MarketMessage,
  PriceChangeMessage,
  ResolvedMessage,
  TickSizeMessage,
  TradeRow,
  WireLevel,
} from './messages.ts';
import { type HistoryState, RecentList } from './recent-list.ts';

/** A market that can be followed. */
export interface MarketName {
  readonly conditionId: string;
  /** YES token, NO token. */
  readonly tokenIds: readonly [string, string];
}

/** A trade as its taker had it. */
export interface MarketTrade {
  readonly transactionHash: string;
  /** The same in all trades of one order. */
  readonly takerKey: string;
  readonly timeMs: number;
  readonly outcome: Outcome;
  readonly side: 'BUY' | 'SELL';
  /** Of the outcome that the taker traded. */
  readonly priceTicks: number;
  readonly lots: number;
}

export interface MarketTerms {
  readonly tickTicks: number;
  readonly minimumLots: number;
  /** The price of YES in the last trade; undefined before the first. */
  readonly lastPriceTicks: number | undefined;
  /** The token that won; '' if both pay something, undefined while the market is open. */
  readonly winningTokenId: string | undefined;
}

/**
 * `loading`: there is no book yet. `stale`: the book may be old, because the connection is lost or
 * missed messages are on their way. `unknown`: the exchange does not have this market.
 */
export type MarketState = 'loading' | 'live' | 'stale' | 'unknown';

/** What the page reads of a market that it follows. */
export interface MarketView {
  readonly name: MarketName;
  readonly state: ReadonlySignal<MarketState>;
  /** Read `changes` first: it changes when the book did, at most once a frame. */
  readonly book: MarketBook;
  readonly changes: ReadonlySignal<number>;
  readonly terms: ReadonlySignal<MarketTerms>;
  /** The newest first. */
  readonly trades: ReadonlySignal<readonly MarketTrade[]>;
  readonly history: ReadonlySignal<HistoryState>;
  /** Fetches the earlier trades again, after it failed. */
  loadHistory(): void;
}

/** The last message that a feed knows. */
export interface Position {
  readonly streamId: string;
  readonly sequence: number;
}

/** How a feed reaches the exchange. */
export interface FeedContext {
  readonly frames: Frames;
  readonly nowMs: () => number;
  readonly isLinkLive: ReadonlySignal<boolean>;
  readonly fetchTrades: (conditionId: string) => Promise<readonly TradeRow[]>;
  /** Asks for the messages after a position, or for a fresh book if there is none. */
  readonly ask: (feed: MarketFeed) => void;
  /** Called when a feed that has a book begins to wait for missed messages, and when it ends. */
  readonly onRepair: (change: 1 | -1) => void;
  /** Called for a book that differs from what the messages before it said. */
  readonly onMismatch: (feed: MarketFeed, what: string) => void;
}

/** `resuming`: waits for the answer to a resume. `waiting`: waits for a book. */
type Phase = 'waiting' | 'live' | 'resuming' | 'unknown';

export class MarketFeed implements MarketView {
  readonly name: MarketName;
  readonly book = new MarketBook();
  readonly state: ReadonlySignal<MarketState>;
  readonly #context: FeedContext;
  readonly #phase = signal<Phase>('waiting');
  readonly #trades: RecentList<MarketTrade>;
  readonly #changes = signal(0);
  readonly #terms = signal<MarketTerms>({
    tickTicks: 0,
    minimumLots: 0,
    lastPriceTicks: undefined,
    winningTokenId: undefined,
  });
  #bookTerms: BookTerms | undefined;
  #winningTokenId: string | undefined;
  #position: Position | undefined;
  /** Counts what changed the state, for `changes` and to see whether a hash is out of date. */
  #version = 0;
  #hashCheckedMs = Number.NEGATIVE_INFINITY;
  #isHistoryWanted = false;
  readonly #show = () => this.#publish();

  constructor(name: MarketName, context: FeedContext) {
    this.name = name;
    this.#context = context;
    const { fetchTrades, frames, isLinkLive } = context;
    this.#trades = new RecentList<MarketTrade>({
      keyOf: ({ transactionHash }) => transactionHash,
      fetch: async () => (await fetchTrades(name.conditionId)).map(tradeOfRow),
      limit: PAGE_BOUNDS.trades,
      frames,
    });
    this.state = computed(() => {
      const phase = this.#phase.value;
      if (phase === 'unknown') return 'unknown';
      // The terms come with the first book.
      if (this.#terms.value.tickTicks === 0) return 'loading';
      return phase === 'live' && isLinkLive.value ? 'live' : 'stale';
    });
  }

  get changes(): ReadonlySignal<number> {
    return this.#changes;
  }

  get terms(): ReadonlySignal<MarketTerms> {
    return this.#terms;
  }

  get trades(): ReadonlySignal<readonly MarketTrade[]> {
    return this.#trades.items;
  }

  get history(): ReadonlySignal<HistoryState> {
    return this.#trades.history;
  }

  /** Where to go on after a lost connection; undefined for a fresh book. */
  get position(): Position | undefined {
    return this.#position;
  }

  loadHistory(): void {
    this.#trades.load();
  }

  /** From the first book on, the trades before it are wanted too. */
  wantHistory(): void {
    if (this.#isHistoryWanted) return;
    this.#isHistoryWanted = true;
    if (this.#bookTerms !== undefined) this.#trades.load();
  }

  /** Called when the page has asked for the market's messages. */
  asked(): void {
    this.#enter(this.#position === undefined ? 'waiting' : 'resuming');
  }

  /** Called when the exchange says that it does not have the market. */
  notFound(): void {
    this.#position = undefined;
    this.#enter('unknown');
  }

  /** Called when nobody follows the market any more. */
  dropped(): void {
    this.#enter('unknown');
    this.#trades.clear();
  }

  take(message: MarketMessage): void {
    const phase = this.#phase.peek();
    if (message.event_type === 'market_resolved') this.#noteResolution(message);
    if (phase === 'resuming') this.#takeAnswer(message);
    else if (phase === 'waiting') {
      if (this.#isBook(message)) this.#startFrom(message);
    } else if (phase === 'live') this.#takeNext(message);
  }

  /** The answer to a resume. What comes before it is part of it. */
  #takeAnswer(message: MarketMessage): void {
    if (message.event_type === 'resumed') this.#enter('live');
    if (message.event_type !== 'snapshot_required') return;
    // Of another stream, trades may be gone: the exchange returned to a checkpoint.
    if (message.stream_id !== this.#position?.streamId) this.#trades.clear();
    this.#enter('waiting');
  }

  #takeNext(message: MarketMessage): void {
    const { sequence } = message;
    const tokenId = 'asset_id' in message ? message.asset_id : '';
    const last = this.#position?.sequence ?? 0;
    const isOurs = message.stream_id === this.#position?.streamId;
    if (isOurs && this.#isBook(message)) this.#takeBook(message, last);
    else if (isOurs && isStep(message) && sequence === last + 1) this.#takeStep(message);
    else if (isOurs && sequence === last) return;
    // The copy for NO of a step that a resume repeats.
    else if (tokenId === this.name.tokenIds[1]) return;
    else this.#repair();
  }

  /** Asks for what is missing. Until the answer, nothing else is applied. */
  #repair(): void {
    this.#context.ask(this);
  }

  #enter(phase: Phase): void {
    const wasRepairing = this.#isRepairing;
    this.#phase.value = phase;
    if (wasRepairing !== this.#isRepairing) this.#context.onRepair(wasRepairing ? -1 : 1);
  }

  get #isRepairing(): boolean {
    const phase = this.#phase.peek();
    return phase === 'resuming' || (phase === 'waiting' && this.#bookTerms !== undefined);
  }

  #isBook(message: MarketMessage): message is BookMessage {
    return message.event_type === 'book' && message.asset_id === this.name.tokenIds[0];
  }

  #startFrom(message: BookMessage): void {
    // Told again after the book, if the market is still resolved.
    this.#winningTokenId = undefined;
    this.#enter('live');
    this.#adopt(message);
    if (this.#isHistoryWanted) this.#trades.load();
  }

  #takeBook(message: BookMessage, last: number): void {
    const { sequence } = message;
    // A new minimum has no message of its own: the book is the step.
    const isStep = message.min_order_size !== this.#bookTerms?.min_order_size;
    if (sequence !== last && !(isStep && sequence === last + 1)) {
      this.#repair();
      return;
    }
    const isDifferent = this.#adopt(message);
    if (isDifferent && sequence === last) this.#context.onMismatch(this, 'a book');
  }

  /** Takes the state of a book. Returns whether its levels were different. */
  #adopt(message: BookMessage): boolean {
    const book = new MarketBook();
    addLevels(book, message);
    const isDifferent = this.book.replace(book);
    const { market, asset_id, timestamp, min_order_size, tick_size, neg_risk } = message;
    const { last_trade_price } = message;
    const terms = { market, asset_id, timestamp, min_order_size, tick_size, neg_risk };
    this.#bookTerms = { ...terms, last_trade_price };
    this.#advance(message);
    return isDifferent;
  }

  #takeStep(message: StepMessage): void {
    const terms = this.#bookTerms;
    if (terms === undefined) return;
    terms.timestamp = message.timestamp;
    if (message.event_type === 'price_change') this.#takeLevels(message);
    else if (message.event_type === 'last_trade_price') {
      terms.last_trade_price = message.price;
      this.#trades.add(tradeOf(message));
    } else terms.tick_size = message.new_tick_size;
    this.#advance(message);
    if (message.event_type === 'price_change') this.#checkHash(message);
  }

  #takeLevels({ price_changes }: PriceChangeMessage): void {
    const [yes] = this.name.tokenIds;
    for (const { asset_id, side, price, size } of price_changes) {
      if (asset_id !== yes) continue;
      this.book.set(side === 'BUY' ? 'bid' : 'ask', ticksOf(price), lotsOf(size));
    }
  }

  #advance({ stream_id: streamId, sequence }: MarketMessage): void {
    this.#position = { streamId, sequence };
    this.#version += 1;
    this.#context.frames.add(this.#show);
  }

  #noteResolution({ winning_asset_id }: ResolvedMessage): void {
    this.#winningTokenId = winning_asset_id;
    this.#context.frames.add(this.#show);
  }

  #publish(): void {
    this.#changes.value = this.#version;
    const terms = this.#bookTerms;
    if (terms === undefined) return;
    const next = {
      tickTicks: ticksOf(terms.tick_size),
      minimumLots: lotsOf(terms.min_order_size),
      lastPriceTicks: terms.last_trade_price === '' ? undefined : ticksOf(terms.last_trade_price),
      winningTokenId: this.#winningTokenId,
    };
    if (!isSame(next, this.#terms.peek())) this.#terms.value = next;
  }

  /** Compares the book with the hash of a message, now and then. */
  #checkHash({ price_changes }: PriceChangeMessage): void {
    const nowMs = this.#context.nowMs();
    const terms = this.#bookTerms;
    if (terms === undefined || nowMs - this.#hashCheckedMs < PAGE_TIMES.hashCheckMs) return;
    this.#hashCheckedMs = nowMs;
    const expected = price_changes.find(({ asset_id }) => asset_id === this.name.tokenIds[0])?.hash;
    // The text is made at once, so the book may change while it is hashed.
    void hashOf(this.book, terms).then((hash) => {
      if (hash !== undefined && hash !== expected && this.#phase.peek() === 'live') {
        this.#position = undefined;
        this.#context.onMismatch(this, 'the hash of a book');
        this.#repair();
      }
    });
  }
}

type StepMessage = PriceChangeMessage | LastTradeMessage | TickSizeMessage;

function isStep(message: MarketMessage): message is StepMessage {
  const { event_type: kind } = message;
  return kind === 'price_change' || kind === 'last_trade_price' || kind === 'tick_size_change';
}

function isSame(one: MarketTerms, other: MarketTerms): boolean {
  return (
    one.tickTicks === other.tickTicks &&
    one.minimumLots === other.minimumLots &&
    one.lastPriceTicks === other.lastPriceTicks &&
    one.winningTokenId === other.winningTokenId
  );
}

function addLevels(
  book: MarketBook,
  { bids, asks }: { readonly bids: readonly WireLevel[]; readonly asks: readonly WireLevel[] },
): void {
  for (const { price, size } of bids) book.set('bid', ticksOf(price), lotsOf(size));
  for (const { price, size } of asks) book.set('ask', ticksOf(price), lotsOf(size));
}

const OTHER_SIDE = { BUY: 'SELL', SELL: 'BUY' } as const;

/** The message is the one for YES. */
function tradeOf(message: LastTradeMessage): MarketTrade {
  const { asset_id, taker_asset_id, transaction_hash, timestamp, price, size, side } = message;
  const [isYes, ticks] = [taker_asset_id === asset_id, ticksOf(price)];
  return {
    transactionHash: transaction_hash,
    takerKey: timestamp,
    timeMs: Number(timestamp),
    outcome: isYes ? 0 : 1,
    side: isYes ? side : OTHER_SIDE[side],
    priceTicks: isYes ? ticks : ONE_TICKS - ticks,
    lots: lotsOf(size),
  };
}

/** Safe: `String` gives the shortest text of a decimal, which is the exact one. */
function tradeOfRow(row: TradeRow): MarketTrade {
  const { transactionHash, proxyWallet, timestamp, outcomeIndex, side, price, size } = row;
  return {
    transactionHash,
    takerKey: `${proxyWallet} ${timestamp}`,
    timeMs: timestamp * 1000,
    outcome: outcomeIndex === 0 ? 0 : 1,
    side,
    priceTicks: ticksOf(String(price)),
    lots: lotsOf(String(size)),
  };
}
