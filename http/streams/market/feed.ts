/**
 * One market on the market channel: its sequence, the state that listeners were sent, and the
 * messages kept for resumes.
 *
 * Faults of the sandbox can leave out the messages of a step, or freeze the market: it then shows
 * an earlier state, and later publishes the changes since as those of one batch.
 *
 * Invariant: the sequence counts the market's steps, watched or not, as the engine does
 * (engine/steps/step-counts.ts), so that it is the same in every process that applies the same
 * batches. A step is a trade, a change of the tick, or the level changes of a durable batch. A
 * step's message goes to all listeners of the market, or in one copy for each token, YES first,
 * with the same sequence. Every other message has the sequence of the last step: a `book` is the
 * state after it. While a market has no listeners, and had none for `ringKeepMs`, steps are counted
 * and no message is made. Bound: the bytes of the
 * ring, an old version of the levels, and `frozenTrades`.
 */
import type { LevelChanged, Lots, MarketSteps, Outcome, Ticks } from '../../../engine/index.ts';
import type { CatalogMarket } from '../../../persistence/index.ts';
import type { Levels, MarketEntry, TokenBook, TokenBooks } from '../../views/index.ts';
import type { StreamContext } from '../delivery/context.ts';
import { MessageRing } from '../delivery/message-ring.ts';
import type { Stamp } from '../delivery/messages.ts';
import { type MarketChanges, mergeChanges } from './batch.ts';
import {
  bestPricesMessage,
  bookMessage,
  lastTradeMessage,
  marketResolvedMessage,
  priceChangeMessage,
  type ResolutionMessage,
  signalMessage,
  tickSizeMessage,
} from './texts.ts';

/** What the feeds of all markets share. */
export interface FeedContext extends StreamContext {
  readonly contentOf: (conditionId: string) => CatalogMarket | undefined;
  /** Called when the watch of a feed begins, and when it ends. */
  readonly onWatchChange: (feed: MarketFeed, isWatched: boolean) => void;
  /** The topic of new and resolved markets. */
  readonly lifecycleTopic: string;
  readonly bookIntervalMs: number;
  readonly frozenTrades: number;
}

export interface FeedTopics {
  /** Steps that are the same for both tokens, and heartbeats. */
  readonly market: string;
  readonly tokens: readonly [yes: string, no: string];
  readonly tokenFeatures: readonly [yes: string, no: string];
}

const OUTCOMES = [0, 1] as const;
/** The time between two checks for a due heartbeat and for listeners. */
const CHECK_MS = 1_000;

/** The state of a market that has listeners, or had some within `ringKeepMs`. */
interface Watch {
  ring: MessageRing;
  /** Best bid and ask of YES that listeners were sent last. */
  best: readonly [bid: Ticks, ask: Ticks];
  lastMessageMs: number;
  lastBookMs: number;
  /** Whether the books changed since their last publication. */
  isBookDue: boolean;
  /** Whether a fault leaves out the last step. Nothing that shows its state is sent then. */
  isLeftOut: boolean;
  /** When the market was first found without listeners; undefined while it has some. */
  idleSinceMs: number | undefined;
  nextCheckMs: number;
}

/** A market whose listeners are shown an earlier state. */
interface Freeze {
  readonly books: TokenBooks;
  /** What has changed since; undefined for nothing. */
  changes: MarketChanges | undefined;
}

export class MarketFeed {
  readonly #books: TokenBooks;
  readonly #index: number;
  readonly #context: FeedContext;
  #topics: FeedTopics | undefined;
  #sequence: number;
  /** Whether the last step had a copy for each token. */
  #isLastSplit: boolean;
  #tickTicks: Ticks;
  #minimumLots: Lots;
  /** The levels of YES at the last step that was counted; undefined for none. */
  #bids: Levels | undefined;
  #asks: Levels | undefined;
  #resolution: ResolutionMessage | undefined;
  #watch: Watch | undefined;
  #freeze: Freeze | undefined;

  /**
   * `index` is the number of the market in its topics; `steps` are those of a market in a snapshot,
   * and undefined for a market that the present batch creates.
   */
  constructor(
    books: TokenBooks,
    index: number,
    steps: MarketSteps | undefined,
    context: FeedContext,
  ) {
    this.#books = books;
    this.#index = index;
    this.#context = context;
    this.#sequence = steps?.count ?? 0;
    this.#isLastSplit = steps?.isSplit ?? false;
    if (steps !== undefined) this.#noteLevels();
    const { tickTicks, minimumLots } = books[0].book.market;
    this.#tickTicks = tickTicks;
    this.#minimumLots = minimumLots;
  }

  /** Made for the first listener, because most markets have none. */
  get topics(): FeedTopics {
    this.#topics ??= topicsOf(this.#index);
    return this.#topics;
  }

  /** The books that listeners are shown. */
  get books(): TokenBooks {
    return this.#freeze?.books ?? this.#books;
  }

  get conditionId(): string {
    return this.books[0].book.market.conditionId;
  }

  get isWatched(): boolean {
    return this.#watch !== undefined;
  }

  /** The stamp of a message made now. */
  get stamp(): Stamp {
    const { streamId, now } = this.#context;
    return { sequence: this.#sequence, streamId: streamId(), serverMs: now() };
  }

  /** Begins to make and keep messages. Called before a client subscribes. */
  watch(): void {
    if (this.#watch !== undefined) {
      this.#watch.idleSinceMs = undefined;
      return;
    }
    const nowMs = this.#context.monotonicMs();
    this.#watch = {
      ring: new MessageRing(this.#context.rings, this.#sequence, this.#isLastSplit),
      best: this.#bestNow(),
      lastMessageMs: nowMs,
      lastBookMs: Number.NEGATIVE_INFINITY,
      isBookDue: false,
      isLeftOut: false,
      idleSinceMs: undefined,
      nextCheckMs: nowMs,
    };
    this.#context.onWatchChange(this, true);
  }

  /** A token's current book. */
  bookText(outcome: Outcome): string {
    return bookMessage(this.books[outcome], this.stamp);
  }

  /** The resolution, for a new subscriber; undefined for a market that is not resolved. */
  resolutionText({ payoutTicks }: MarketEntry): string | undefined {
    const isHeldBack = this.#freeze?.changes?.payout !== undefined;
    if (payoutTicks === undefined || isHeldBack) return undefined;
    const timeMs = this.books[0].book.changedMs;
    return this.#resolvedText(this.#resolution ?? { payoutTicks, timeMs });
  }

  /**
   * The messages after a sequence, for the wanted tokens; undefined if the sequence is of another
   * stream, or some of the messages are no longer kept.
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

  /** Publishes the changes of a durable batch. Called after the books have applied them. */
  apply(changes: MarketChanges): void {
    if (this.#freeze !== undefined) {
      this.#hold(this.#freeze, changes);
      return;
    }
    const { payout } = changes;
    if (payout !== undefined) {
      this.#resolution = { payoutTicks: payout.ticks, timeMs: payout.timeMs };
    }
    const { tickTicks, minimumLots } = this.books[0].book.market;
    const hasNewMinimum = minimumLots !== this.#minimumLots;
    this.#minimumLots = minimumLots;
    if (this.#watch === undefined) {
      this.#count(changes, tickTicks !== this.#tickTicks, hasNewMinimum);
      this.#tickTicks = tickTicks;
    } else {
      // Levels come after trades and tick: their hash is that of the book after the whole batch.
      this.#publishTrades(this.#watch, changes);
      this.#publishTick(this.#watch, changes);
      if (hasNewMinimum) this.#restartFromBooks(this.#watch);
      else this.#publishLevels(this.#watch, changes);
      this.#publishBestPrices(this.#watch);
      this.#noteBooksDue(this.#watch, changes.termsChangedMs !== undefined);
    }
    const { lifecycleTopic, hasListeners, publish } = this.#context;
    if (this.#resolution !== undefined && payout !== undefined && hasListeners(lifecycleTopic)) {
      publish(lifecycleTopic, this.#resolvedText(this.#resolution));
    }
  }

  /** Counts the steps of a batch without their messages. */
  #count(changes: MarketChanges, hasNewTick: boolean, hasNewMinimum: boolean): void {
    const copied = changes.tradeCount + (hasNewTick ? 1 : 0);
    this.#sequence += copied;
    if (copied > 0) this.#isLastSplit = true;
    const hasNewLevels = this.#takeLevels(changes).length > 0;
    if (!hasNewMinimum && !hasNewLevels) return;
    this.#sequence += 1;
    this.#isLastSplit = hasNewMinimum;
  }

  /** Shows these books, and holds all changes back. */
  freeze(books: TokenBooks): void {
    this.#freeze ??= { books, changes: undefined };
  }

  /** Publishes what changed since `freeze`. */
  thaw(): void {
    const changes = this.#freeze?.changes;
    this.#freeze = undefined;
    if (changes !== undefined) this.apply(changes);
  }

  #hold(freeze: Freeze, changes: MarketChanges): void {
    if (freeze.changes === undefined) freeze.changes = changes;
    else mergeChanges(freeze.changes, changes);
    if (freeze.changes.trades.length > this.#context.frozenTrades) this.thaw();
  }

  /** Publishes delayed books and the heartbeat when they are due, and ends an idle watch. */
  sweep(): void {
    const watch = this.#watch;
    if (watch === undefined) return;
    const { hasListeners, heartbeatMs } = this.#context;
    const nowMs = this.#context.monotonicMs();
    if (watch.isBookDue) this.#publishDueBooks(watch, nowMs);
    if (nowMs < watch.nextCheckMs) return;
    watch.nextCheckMs = nowMs + CHECK_MS;
    if (!hasListeners(this.topics.market)) {
      this.#noteIdle(watch, nowMs);
      return;
    }
    watch.idleSinceMs = undefined;
    if (nowMs - watch.lastMessageMs < heartbeatMs) return;
    watch.lastMessageMs = nowMs;
    const text = signalMessage('heartbeat', this.conditionId, this.stamp, {});
    this.#context.publish(this.topics.market, text);
  }

  #noteIdle(watch: Watch, nowMs: number): void {
    watch.idleSinceMs ??= nowMs;
    if (nowMs - watch.idleSinceMs < this.#context.ringKeepMs) return;
    watch.ring.clear();
    this.#watch = undefined;
    this.#context.onWatchChange(this, false);
  }

  #publishTrades(watch: Watch, { trades }: MarketChanges): void {
    for (const trade of trades) {
      this.#publishToTokens(watch, (token, stamp) => lastTradeMessage(token, trade, stamp));
    }
  }

  #publishTick(watch: Watch, { termsChangedMs: timeMs }: MarketChanges): void {
    const oldTicks = this.#tickTicks;
    const newTicks = this.books[0].book.market.tickTicks;
    if (timeMs === undefined || oldTicks === newTicks) return;
    this.#tickTicks = newTicks;
    const change = { oldTicks, newTicks, timeMs };
    this.#publishToTokens(watch, (token, stamp) => tickSizeMessage(token, change, stamp));
  }

  /** Counts a step. A fault may leave it out if someone listens. */
  #beginStep(watch: Watch, isSplit: boolean): void {
    this.#sequence += 1;
    this.#isLastSplit = isSplit;
    const { faults, hasListeners } = this.#context;
    watch.isLeftOut =
      faults.isOn &&
      hasListeners(this.topics.market) &&
      faults.leavesOut({
        channel: 'market',
        conditionId: this.conditionId,
        owner: '',
        apiKey: '',
        sequence: this.#sequence,
      });
  }

  /** Publishes one step in a copy for each token. */
  #publishToTokens(watch: Watch, textFor: (token: TokenBook, stamp: Stamp) => string): void {
    this.#beginStep(watch, true);
    const { stamp } = this;
    for (const outcome of OUTCOMES) {
      const text = textFor(this.books[outcome], stamp);
      this.#send(watch, this.topics.tokens[outcome], text, outcome);
    }
  }

  #publishLevels(watch: Watch, changes: MarketChanges): void {
    const changed = this.#takeLevels(changes);
    if (changed.length === 0) return;
    this.#beginStep(watch, false);
    const text = priceChangeMessage(this.books, changed, this.stamp);
    this.#send(watch, this.topics.market, text, undefined);
  }

  /**
   * Counts the books that follow as one step, in place of the batch's level changes. The minimum
   * order size has changed: every hash covers it, but only books report it, so earlier messages
   * can't be replayed any more.
   */
  #restartFromBooks(watch: Watch): void {
    this.#sequence += 1;
    this.#isLastSplit = true;
    watch.isLeftOut = false;
    this.#noteLevels();
    watch.ring.clear();
    watch.ring = new MessageRing(this.#context.rings, this.#sequence, this.#isLastSplit);
  }

  /** The levels whose sizes differ from those at the last step. */
  #takeLevels({ levels }: MarketChanges): LevelChanged[] {
    const changed = [...levels.values()].filter(({ side, priceTicks, lots }) => {
      const before = side === 'bid' ? this.#bids : this.#asks;
      return (before?.get(priceTicks)?.lots ?? 0) !== lots;
    });
    this.#noteLevels();
    return changed;
  }

  #noteLevels(): void {
    const { bids, asks } = this.books[0].book;
    this.#bids = bids.levels;
    this.#asks = asks.levels;
  }

  /** Publishes and keeps one message of a step. */
  #send(watch: Watch, topic: string, text: string, outcome: Outcome | undefined): void {
    watch.lastMessageMs = this.#context.monotonicMs();
    watch.ring.add(this.#sequence, outcome, text);
    if (!watch.isLeftOut && this.#context.hasListeners(topic)) this.#context.publish(topic, text);
  }

  #bestNow(): Watch['best'] {
    const [yes] = this.books;
    return [yes.bidTicks, yes.askTicks];
  }

  #publishBestPrices(watch: Watch): void {
    const [bid, ask] = this.#bestNow();
    if (bid === watch.best[0] && ask === watch.best[1]) return;
    watch.best = [bid, ask];
    if (watch.isLeftOut) return;
    const { hasListeners, publish } = this.#context;
    for (const outcome of OUTCOMES) {
      const topic = this.topics.tokenFeatures[outcome];
      if (hasListeners(topic)) publish(topic, bestPricesMessage(this.books[outcome], this.stamp));
    }
  }

  /** Only book messages show a change of terms, so `isUrgent` publishes them at once. */
  #noteBooksDue(watch: Watch, isUrgent: boolean): void {
    watch.isBookDue = true;
    const nowMs = this.#context.monotonicMs();
    if (isUrgent) this.#publishBooks(watch, nowMs);
    else this.#publishDueBooks(watch, nowMs);
  }

  #publishDueBooks(watch: Watch, nowMs: number): void {
    if (nowMs - watch.lastBookMs >= this.#context.bookIntervalMs) this.#publishBooks(watch, nowMs);
  }

  #publishBooks(watch: Watch, nowMs: number): void {
    if (watch.isLeftOut) return;
    watch.isBookDue = false;
    watch.lastBookMs = nowMs;
    const { hasListeners, publish } = this.#context;
    for (const outcome of OUTCOMES) {
      const topic = this.topics.tokens[outcome];
      if (hasListeners(topic)) publish(topic, this.bookText(outcome));
    }
  }

  #resolvedText(resolution: ResolutionMessage): string {
    const terms = this.books[0].book.market;
    const content = this.#context.contentOf(terms.conditionId);
    return marketResolvedMessage(terms, content, resolution, this.stamp);
  }
}

function topicsOf(index: number): FeedTopics {
  return {
    market: `m${index}`,
    tokens: [`t${index}.0`, `t${index}.1`],
    tokenFeatures: [`b${index}.0`, `b${index}.1`],
  };
}
