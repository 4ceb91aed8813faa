/**
 * All streams of the exchange: the hub of their sockets, the channels, and the timer that looks
 * after what is late.
 *
 * Invariant: nothing is published but by durable batches, after the views took them, and by that
 * timer; until `open` nothing is.
 */
import { strict as assert } from 'node:assert';
import type { BalanceOf, DurableCommand, RestoredState } from '../../persistence/index.ts';
import type { SocketApp, SocketHost, SocketPath } from '../socket/index.ts';
import type { BookViews, Registry } from '../views/index.ts';
import type { Channel } from './delivery/index.ts';
import {
  SocketHub,
  STREAM_BOUNDS,
  type StreamBounds,
  StreamMetrics,
  WordCache,
} from './delivery/index.ts';
import { type CommentNews, LiveChannel } from './live/index.ts';
import { MarketChannel, type StreamStore } from './market/index.ts';
import { type AccountSource, UserChannel } from './user/index.ts';

export interface StreamOptions {
  readonly registry: Registry;
  readonly books: BookViews;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A clock that is never set. */
  readonly monotonicMs: () => number;
  /** Counts wrong credentials of an address; false where it has sent too many already. */
  readonly takeFailure?: (address: string) => boolean;
  /** Others than the usual, for tests. */
  readonly bounds?: Partial<StreamBounds>;
}

export interface StreamTotals {
  /** By channel. */
  readonly sockets: readonly (readonly [channel: string, count: number])[];
  /** Bytes that wait for all clients. */
  readonly waitingBytes: number;
  /** Characters of messages kept for those who come back. */
  readonly ringBytes: number;
}

export class Streams implements SocketHost {
  readonly metrics = new StreamMetrics();
  readonly #hub: SocketHub;
  readonly #market: MarketChannel;
  readonly #channels: readonly Channel[];
  readonly #lookMs: number;
  readonly #user: UserChannel;
  readonly #live: LiveChannel;
  #store: StreamStore | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ bounds: changes, ...options }: StreamOptions) {
    const bounds = { ...STREAM_BOUNDS, ...changes };
    const { metrics } = this;
    this.#lookMs = bounds.lookMs;
    this.#hub = new SocketHub({ bounds, metrics, monotonicMs: options.monotonicMs });
    const store = (): StreamStore => this.#openStore();
    const parts = { ...options, hub: this.#hub, bounds, metrics, store };
    const words = new WordCache({
      ...bounds,
      monotonicMs: options.monotonicMs,
      read: (conditionId) => store().catalog.look.marketByCondition(conditionId),
    });
    this.#market = new MarketChannel(parts);
    const { takeFailure = () => true } = options;
    this.#user = new UserChannel({ ...parts, words, takeFailure });
    this.#live = new LiveChannel({ ...parts, words });
    this.#channels = [this.#market, this.#user, this.#live];
  }

  /** Comments that were committed are told through it. */
  get commentNews(): CommentNews {
    return this.#live;
  }

  attach(app: SocketApp, gate: SocketPath['gate']): void {
    this.#hub.attach(app, gate, this.#channels);
  }

  /**
   * From now on batches are told; before the listener lets clients in. Without accounts, nobody is
   * let into the user channel.
   */
  open(store: StreamStore, accounts?: AccountSource): void {
    this.#store = store;
    this.#user.source = accounts;
    this.#timer = setInterval(() => this.look(), this.#lookMs).unref();
  }

  /** Takes what a snapshot says of all commands before; the views have taken it. */
  restore(state: RestoredState): void {
    this.#user.restore(state);
  }

  /** Takes a batch that is on its way to the disk, with the balances after it. */
  seal(commands: readonly DurableCommand[], balanceOf: BalanceOf): void {
    this.#user.seal(commands, balanceOf);
  }

  /** Takes the next durable batch; the views have taken it before. */
  consume(commands: readonly DurableCommand[]): void {
    if (this.#store !== undefined) this.#market.consume(commands);
    this.#user.consume(commands);
    this.#live.consume(commands);
  }

  /** Looks after what is late; the timer calls it. */
  look(): void {
    this.#hub.look();
    this.#market.look();
    this.#user.look();
  }

  /** Tells all clients that the exchange stops. */
  close(): void {
    clearInterval(this.#timer);
    this.#hub.close();
  }

  /** What is open and what is kept, for metrics. */
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
    assert(this.#store !== undefined, 'nobody is let in before the store is open');
    return this.#store;
  }
}
