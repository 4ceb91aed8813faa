/**
 * One market on the market channel: its sequence, what its listeners have been told, and what is
 * kept for those who come back.
 *
 * Invariant: the sequence counts the market's steps, whoever listens. A step is a trade, a change
 * of the tick, or the level changes of a durable batch; its message goes to all listeners of the
 * market, or in a copy for each token, YES first, with the same sequence. All other messages carry
 * the last sequence: a `book` is the state after it. While nobody listens, and nobody has for a
 * while, no message is made and a batch counts as one step.
 * Bound: the ring's; of a market that is listened to, one entry a level.
 */
import type { LevelChanged, Lots, Outcome, Ticks } from '../../../engine/index.ts';
import type { CatalogMarket } from '../../../persistence/index.ts';
import type { Levels, MarketEntry, TokenBook } from '../../views/index.ts';
import type { StreamContext } from '../delivery/index.ts';
import { MessageRing } from '../delivery/index.ts';
import type { MarketChanges } from './batch.ts';
import {
  bestPricesMessage,
  bookMessage,
  lastTradeMessage,
  marketResolvedMessage,
  priceChangeMessage,
  type Resolution,
  type Stamp,
  signalMessage,
  type TokenBooks,
  tickSizeMessage,
} from './texts.ts';

/** What all feeds of markets share. */
export interface FeedContext extends StreamContext {
  readonly words: (conditionId: string) => CatalogMarket | undefined;
  /** Told when somebody begins to listen to a feed, and when it rests again. */
  readonly watched: (feed: MarketFeed, isWatched: boolean) => void;
  readonly bookIntervalMs: number;
}

/** The topics of one market. */
export interface FeedTopics {
  /** Of its steps that are the same for both tokens, and its heartbeats. */
  readonly market: string;
  /** Of what each token has of its own. */
  readonly tokens: readonly [yes: string, no: string];
  /** The custom features of the market and of each token. */
  readonly marketFeatures: string;
  readonly tokenFeatures: readonly [yes: string, no: string];
}

const OUTCOMES = [0, 1] as const;
/** How often it is looked whether a heartbeat is due, or nobody listens. */
const TEND_MS = 1_000;

/** What is only there while somebody listens. */
interface Watch {
  ring: MessageRing;
  /** The versions of the book's sides that listeners were told last. */
  bids: Levels;
  asks: Levels;
  /** Best bid and ask of YES, as told last. */
  best: readonly [bid: Ticks, ask: Ticks];
  lastMessageMs: number;
  lastBookMs: number;
  /** Whether the books changed since they were published. */
  isBookDue: boolean;
  /** Since when nobody listens any more. */
  idleSinceMs: number | undefined;
  /** When it is looked after next. */
  nextTendMs: number;
}

export class MarketFeed {
  readonly books: TokenBooks;
  readonly topics: FeedTopics;
  readonly #context: FeedContext;
  #sequence = 0;
  /** Whether the last step came in two copies. */
  #isLastSplit = false;
  #tickTicks: Ticks;
  #minimumLots: Lots;
  #resolution: Resolution | undefined;
  #watch: Watch | undefined;

  /** `index` tells its topics from those of other markets. */
  constructor(books: TokenBooks, index: number, context: FeedContext) {
    this.books = books;
    this.#context = context;
    const { tickTicks, minimumLots } = books[0].book.market;
    this.#tickTicks = tickTicks;
    this.#minimumLots = minimumLots;
    this.topics = {
      market: `m${index}`,
      tokens: [`t${index}.0`, `t${index}.1`],
      marketFeatures: `f${index}`,
      tokenFeatures: [`b${index}.0`, `b${index}.1`],
    };
  }

  get conditionId(): string {
    return this.books[0].book.market.conditionId;
  }

  get isWatched(): boolean {
    return this.#watch !== undefined;
  }

  /** Of a message made now. */
  get stamp(): Stamp {
    const { streamId, now } = this.#context;
    return { sequence: this.#sequence, streamId: streamId(), serverMs: now() };
  }

  /** From now on its messages are made and kept; before anybody subscribes. */
  watch(): void {
    if (this.#watch !== undefined) {
      this.#watch.idleSinceMs = undefined;
      return;
    }
    const { book } = this.books[0];
    const nowMs = this.#context.monotonicMs();
    this.#watch = {
      ring: new MessageRing(this.#context.rings, this.#sequence, this.#isLastSplit),
      bids: book.bids.levels,
      asks: book.asks.levels,
      best: this.#bestNow(),
      lastMessageMs: nowMs,
      lastBookMs: Number.NEGATIVE_INFINITY,
      isBookDue: false,
      idleSinceMs: undefined,
      nextTendMs: nowMs,
    };
    this.#context.watched(this, true);
  }

  /** A token's book as it stands, for one who has just subscribed. */
  bookText(outcome: Outcome): string {
    return bookMessage(this.books[outcome], this.stamp);
  }

  /** Says how the market ended, for one who has just subscribed; undefined while it has not. */
  resolutionText({ payoutTicks }: MarketEntry): string | undefined {
    if (payoutTicks === undefined) return undefined;
    const timeMs = this.books[0].book.changedMs;
    return this.#resolvedText(this.#resolution ?? { payoutTicks, timeMs });
  }

  /**
   * What somebody has missed who got the messages up to a sequence of a stream; undefined when
   * that is not known any more.
   */
  missed(
    streamId: string,
    sequence: number,
    wants: (outcome: Outcome) => boolean,
  ): readonly string[] | undefined {
    const ring = this.#watch?.ring;
    const isOurs = streamId === this.#context.streamId() && sequence <= this.#sequence;
    if (ring === undefined || !isOurs) return undefined;
    if (!ring.reaches(sequence, wants(1))) return undefined;
    return [...ring.after(sequence, wants)].map(({ text }) => text);
  }

  /** Tells what a durable batch changed; the books show it already. */
  apply(changes: MarketChanges): void {
    const { payout } = changes;
    if (payout !== undefined) {
      this.#resolution = { payoutTicks: payout.ticks, timeMs: payout.timeMs };
    }
    const { tickTicks, minimumLots } = this.books[0].book.market;
    const hasNewMinimum = minimumLots !== this.#minimumLots;
    this.#minimumLots = minimumLots;
    if (this.#watch === undefined) {
      this.#sequence += 1;
      this.#isLastSplit = false;
      this.#tickTicks = tickTicks;
      return;
    }
    // The level changes last: their hash is that of the state with all of it.
    this.#tellTrades(this.#watch, changes);
    this.#tellTick(this.#watch, changes);
    if (hasNewMinimum) this.#beginAnew(this.#watch);
    else this.#tellLevels(this.#watch, changes);
    this.#tellBest(this.#watch);
    this.#bookIsDue(this.#watch, changes.termsMs !== undefined);
    if (this.#resolution !== undefined && payout !== undefined) {
      const { marketFeatures } = this.topics;
      if (this.#context.hasListeners(marketFeatures)) {
        this.#context.publish(marketFeatures, this.#resolvedText(this.#resolution));
      }
    }
  }

  /**
   * Publishes books that waited, sends the heartbeat, and lets go of what nobody asks for, each
   * when it is time.
   */
  look(): void {
    const watch = this.#watch;
    if (watch === undefined) return;
    const { hasListeners, heartbeatMs } = this.#context;
    const nowMs = this.#context.monotonicMs();
    if (watch.isBookDue) this.#publishDueBooks(watch, nowMs);
    if (nowMs < watch.nextTendMs) return;
    watch.nextTendMs = nowMs + TEND_MS;
    if (!hasListeners(this.topics.market)) {
      this.#rest(watch, nowMs);
      return;
    }
    watch.idleSinceMs = undefined;
    if (nowMs - watch.lastMessageMs < heartbeatMs) return;
    watch.lastMessageMs = nowMs;
    const text = signalMessage('heartbeat', this.conditionId, this.stamp);
    this.#context.publish(this.topics.market, text);
  }

  #rest(watch: Watch, nowMs: number): void {
    watch.idleSinceMs ??= nowMs;
    if (nowMs - watch.idleSinceMs < this.#context.ringKeepMs) return;
    watch.ring.clear();
    this.#watch = undefined;
    this.#context.watched(this, false);
  }

  #tellTrades(watch: Watch, { trades }: MarketChanges): void {
    for (const trade of trades) {
      this.#tellTokens(watch, (token, stamp) => lastTradeMessage(token, trade, stamp));
    }
  }

  #tellTick(watch: Watch, { termsMs: timeMs }: MarketChanges): void {
    const oldTicks = this.#tickTicks;
    const newTicks = this.books[0].book.market.tickTicks;
    if (timeMs === undefined || oldTicks === newTicks) return;
    this.#tickTicks = newTicks;
    const change = { oldTicks, newTicks, timeMs };
    this.#tellTokens(watch, (token, stamp) => tickSizeMessage(token, change, stamp));
  }

  /** One step in a copy for each token. */
  #tellTokens(watch: Watch, textFor: (token: TokenBook, stamp: Stamp) => string): void {
    this.#sequence += 1;
    this.#isLastSplit = true;
    const { stamp } = this;
    for (const outcome of OUTCOMES) {
      const text = textFor(this.books[outcome], stamp);
      this.#send(watch, this.topics.tokens[outcome], text, outcome);
    }
  }

  #tellLevels(watch: Watch, { levels }: MarketChanges): void {
    const changed = [...levels.values()].filter((level) => isNews(watch, level));
    this.#noteLevels(watch);
    if (changed.length === 0) return;
    this.#sequence += 1;
    this.#isLastSplit = false;
    const text = priceChangeMessage(this.books, changed, this.stamp);
    this.#send(watch, this.topics.market, text, undefined);
  }

  /**
   * The least size of an order is in no other message than the books, and in every hash. So the
   * books that follow are a step, one copy for each token, which stands for the changes of levels
   * too; and nothing of it or before it is replayed.
   */
  #beginAnew(watch: Watch): void {
    this.#sequence += 1;
    this.#isLastSplit = true;
    this.#noteLevels(watch);
    watch.ring.clear();
    watch.ring = new MessageRing(this.#context.rings, this.#sequence, this.#isLastSplit);
  }

  #noteLevels(watch: Watch): void {
    const { bids, asks } = this.books[0].book;
    watch.bids = bids.levels;
    watch.asks = asks.levels;
  }

  /** Sends and keeps one message of a step. */
  #send(watch: Watch, topic: string, text: string, outcome: Outcome | undefined): void {
    watch.lastMessageMs = this.#context.monotonicMs();
    watch.ring.add(this.#sequence, outcome, text);
    if (this.#context.hasListeners(topic)) this.#context.publish(topic, text);
  }

  #bestNow(): Watch['best'] {
    const [yes] = this.books;
    return [yes.bidTicks, yes.askTicks];
  }

  #tellBest(watch: Watch): void {
    const [bid, ask] = this.#bestNow();
    if (bid === watch.best[0] && ask === watch.best[1]) return;
    watch.best = [bid, ask];
    const { hasListeners, publish } = this.#context;
    for (const outcome of OUTCOMES) {
      const topic = this.topics.tokenFeatures[outcome];
      if (hasListeners(topic)) publish(topic, bestPricesMessage(this.books[outcome], this.stamp));
    }
  }

  /** Terms are in no other message than the books: those are published at once. */
  #bookIsDue(watch: Watch, isUrgent: boolean): void {
    watch.isBookDue = true;
    const nowMs = this.#context.monotonicMs();
    if (isUrgent) this.#publishBooks(watch, nowMs);
    else this.#publishDueBooks(watch, nowMs);
  }

  #publishDueBooks(watch: Watch, nowMs: number): void {
    if (nowMs - watch.lastBookMs >= this.#context.bookIntervalMs) this.#publishBooks(watch, nowMs);
  }

  #publishBooks(watch: Watch, nowMs: number): void {
    watch.isBookDue = false;
    watch.lastBookMs = nowMs;
    const { hasListeners, publish } = this.#context;
    for (const outcome of OUTCOMES) {
      const topic = this.topics.tokens[outcome];
      if (hasListeners(topic)) publish(topic, this.bookText(outcome));
    }
  }

  #resolvedText(resolution: Resolution): string {
    const terms = this.books[0].book.market;
    const words = this.#context.words(terms.conditionId);
    return marketResolvedMessage(terms, words, resolution, this.stamp);
  }
}

/** Whether a level has another size than listeners were told. */
function isNews(told: Watch, { side, priceTicks, lots }: LevelChanged): boolean {
  const levels = side === 'bid' ? told.bids : told.asks;
  return (levels.get(priceTicks)?.lots ?? 0) !== lots;
}
