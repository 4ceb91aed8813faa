/**
 * All streams of the exchange: the hub of the sockets, the channels, and a timer for heartbeats,
 * delayed books and slow clients.
 *
 * Invariant: messages are published only for durable batches that the views have applied, for
 * committed comments, and by the timer; none before `open`.
 */
import { strict as assert } from 'node:assert';
import type { DurableCommand, RestoredState, SealedState } from '../../persistence/index.ts';
import { DEFAULT_DIALECT, type Dialect } from '../codec/index.ts';
import type { TradeStatus } from '../format/index.ts';
import type { SocketApp, SocketHost, SocketPath } from '../socket/socket-library.ts';
import type { BookViews, Registry, TokenBooks } from '../views/index.ts';
import { STREAM_BOUNDS, type StreamBounds } from './delivery/bounds.ts';
import type { ClosingCode } from './delivery/close-codes.ts';
import { ContentCache, marketTextsOf, type StreamStore } from './delivery/context.ts';
import { NO_FAULTS, type StreamFaults } from './delivery/faults.ts';
import { SocketHub } from './delivery/hub.ts';
import { StreamMetrics } from './delivery/metrics.ts';
import type { Channel } from './delivery/subscription.ts';
import { type CommentStream, LiveChannel } from './live/channel.ts';
import { MarketChannel } from './market/channel.ts';
import { type AccountSource, UserChannel } from './user/channel.ts';
import type { ToldTrade } from './user/feed.ts';

export interface StreamOptions {
  readonly registry: Registry;
  readonly books: BookViews;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A clock that never jumps. */
  readonly monotonicMs: () => number;
  /** Counts wrong credentials of an address; returns false if it has sent too many already. */
  readonly takeFailure?: (address: string) => boolean;
  /** How /ws/live names tokens (wire 0.14). */
  readonly dialect?: Dialect;
  readonly faults?: StreamFaults;
  /** Bounds that replace those of STREAM_BOUNDS, for tests. */
  readonly bounds?: Partial<StreamBounds>;
}

export interface StreamTotals {
  readonly sockets: readonly (readonly [channel: string, count: number])[];
  readonly waitingBytes: number;
  /** Characters of messages kept for resumes. */
  readonly ringBytes: number;
}

export class Streams implements SocketHost {
  readonly metrics = new StreamMetrics();
  readonly #hub: SocketHub;
  readonly #market: MarketChannel;
  readonly #channels: readonly Channel[];
  readonly #sweepMs: number;
  readonly #user: UserChannel;
  readonly #live: LiveChannel;
  readonly #faults: StreamFaults;
  #store: StreamStore | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ bounds: changes, ...options }: StreamOptions) {
    const bounds = { ...STREAM_BOUNDS, ...changes };
    const { metrics } = this;
    const { faults = NO_FAULTS } = options;
    this.#sweepMs = bounds.sweepMs;
    this.#faults = faults;
    this.#hub = new SocketHub({ bounds, metrics, monotonicMs: options.monotonicMs, faults });
    const store = (): StreamStore => this.#openStore();
    const parts = { ...options, hub: this.#hub, bounds, metrics, store, faults };
    const { registry, monotonicMs, dialect = DEFAULT_DIALECT } = options;
    const content = new ContentCache({
      ...bounds,
      monotonicMs,
      read: (conditionId) => marketTextsOf(store().catalog.lookup.marketByCondition(conditionId)),
    });
    const profiles = new ContentCache({
      ...bounds,
      monotonicMs,
      read: (address) => {
        const owner = registry.accountOwner(address) ?? address;
        return store().catalog.lookup.accountProfile({ address, owner });
      },
    });
    this.#market = new MarketChannel(parts);
    const { takeFailure = () => true } = options;
    this.#user = new UserChannel({ ...parts, content, takeFailure });
    this.#live = new LiveChannel({ ...parts, content, profiles, dialect });
    this.#channels = [this.#market, this.#user, this.#live];
  }

  get comments(): CommentStream {
    return this.#live;
  }

  attach(app: SocketApp, gate: SocketPath['gate']): void {
    this.#hub.attach(app, gate, this.#channels);
  }

  /**
   * Begins to publish batches, before the listener accepts clients. Without accounts, the user
   * channel accepts no credentials.
   */
  open(store: StreamStore, accounts?: AccountSource): void {
    this.#store = store;
    this.#user.source = accounts;
    this.#timer = setInterval(() => this.sweep(), this.#sweepMs).unref();
  }

  /** Takes the state of a start. Called after the views have taken it. */
  restore(state: RestoredState): void {
    this.#market.restore(state);
    this.#user.restore(state);
  }

  seal(commands: readonly DurableCommand[], state: SealedState): void {
    this.#user.seal(commands, state);
  }

  /** Publishes the next durable batch. Called after the views have applied it. */
  consume(commands: readonly DurableCommand[]): void {
    this.#market.consume(commands);
    this.#user.consume(commands);
    this.#live.consume(commands);
  }

  /** Closes slow clients and sends delayed books and heartbeats. The timer calls it. */
  sweep(): void {
    if (this.#faults.isOn) this.#faults.sweep();
    this.#hub.sweep();
    this.#market.sweep();
    this.#user.sweep();
  }

  /** Lets a new fault of the sandbox meet all open sockets. */
  meetFaults(): void {
    this.#hub.meetAll();
  }

  /** Ends the mutes that a fault caused. */
  unmute(faultId: string): void {
    this.#hub.unmute(faultId);
  }

  /** Shows the market channel these books of a market in place of the current ones. */
  freezeMarket(books: TokenBooks): void {
    this.#market.freeze(books);
  }

  /** Ends `freezeMarket`, and publishes what changed meanwhile. */
  thawMarket(conditionId: string): void {
    this.#market.thaw(conditionId);
  }

  tellTrade(trade: ToldTrade, status: TradeStatus, toldMs: number): void {
    this.#user.tellTrade(trade, status, toldMs);
  }

  /** Closes all sockets, because the exchange stops or returns to another state. */
  close(code: ClosingCode = 'going_away'): void {
    clearInterval(this.#timer);
    this.#hub.close(code);
  }

  get socketCount(): number {
    return this.#hub.size;
  }

  /** Whether a socket follows the market, or did so a moment ago. */
  isFollowed(conditionId: string): boolean {
    return this.#market.market(conditionId)?.isWatched === true;
  }

  get totals(): StreamTotals {
    const sockets = this.#channels.map(
      (channel) => [channel.name, this.#hub.count(channel)] as const,
    );
    return {
      sockets,
      waitingBytes: this.#hub.waitingBytes,
      ringBytes: this.#market.ringBytes + this.#user.ringBytes,
    };
  }

  #openStore(): StreamStore {
    assert(this.#store !== undefined, 'clients come only after the store is open');
    return this.#store;
  }
}
