/**
 * The live-data socket: trades and comments of everybody, as they happen (`/ws/live`).
 *
 * Its messages have no numbers, so a page that needs every trade follows the market instead, and a
 * page fetches again what it shows when the connection was lost.
 *
 * Invariant: a message reaches a listener once. The page subscribes by event or to everything, for
 * the exchange repeats a message that one subscription selects by its market and another one by its
 * event. Bound: `PAGE_BOUNDS.liveSubscriptions`.
 */
import type { ReadonlySignal } from '@preact/signals';
import { PAGE_BOUNDS } from './bounds.ts';
import { Link, type LinkChannel, type LinkState } from './link.ts';
import type { StreamParts } from './market-stream.ts';
import {
  COMMENT_CHANGES,
  type CommentChange,
  type ErrorMessage,
  type LiveComment,
  type LiveMessage,
  type LiveTrade,
  type StreamMessage,
} from './messages.ts';

/** What comments are about. */
export interface CommentParent {
  readonly type: string;
  readonly id: number;
}

interface Subscription {
  readonly topic: string;
  readonly type: string;
  readonly filters?: object;
}

interface Listener {
  /** The JSON of its subscription, under which its readers are counted. */
  readonly name: string;
  readonly hear: (message: LiveMessage) => void;
}

export class LiveStream implements LinkChannel {
  readonly path = '/ws/live';
  readonly #link: Link;
  readonly #listeners = new Set<Listener>();
  /** The number of listeners of each subscription, by its JSON. */
  readonly #counts = new Map<string, number>();

  constructor({ environment, tap }: StreamParts) {
    this.#link = new Link(this, environment, tap);
  }

  get state(): ReadonlySignal<LinkState> {
    return this.#link.state;
  }

  /** Calls a listener for each trade of an event, or of all, until the answer is called. */
  onTrade(eventSlug: string | undefined, listener: (trade: LiveTrade) => void): () => void {
    const slug = eventSlug?.toLowerCase();
    const filters = slug === undefined ? {} : { filters: { event_slug: slug } };
    return this.#listen({ topic: 'activity', type: 'trades', ...filters }, (message) => {
      if (message.type !== 'trades') return;
      const trade = message.payload;
      if (slug === undefined || trade.eventSlug.toLowerCase() === slug) listener(trade);
    });
  }

  /** Calls a listener for each change of the comments on a thing, or of all. */
  onComment(
    parent: CommentParent | undefined,
    listener: (change: CommentChange, comment: LiveComment) => void,
  ): () => void {
    const filters =
      parent === undefined
        ? {}
        : { filters: { parentEntityType: parent.type, parentEntityID: parent.id } };
    return this.#listen({ topic: 'comments', type: '*', ...filters }, (message) => {
      const change = COMMENT_CHANGES.find((known) => known === message.type);
      if (message.topic !== 'comments' || change === undefined) return;
      const comment = message.payload;
      if (parent === undefined || isAbout(comment, parent)) listener(change, comment);
    });
  }

  retryNow(): void {
    this.#link.retryNow();
  }

  opened(): void {
    if (this.#counts.size > 0) this.#send('subscribe', [...this.#counts.keys()]);
  }

  received(message: StreamMessage): void {
    if (message.type === 'error') throw new Error((message as ErrorMessage).message);
    // Safe: the socket sends these alone.
    for (const { hear } of this.#listeners) hear(message as LiveMessage);
  }

  ended(): void {}

  expectsMessages(): boolean {
    return false;
  }

  isRefusal(): boolean {
    return false;
  }

  #listen(subscription: Subscription, hear: Listener['hear']): () => void {
    const name = JSON.stringify(subscription);
    const count = this.#counts.get(name) ?? 0;
    const limit = PAGE_BOUNDS.liveSubscriptions;
    if (count === 0 && this.#counts.size >= limit) {
      throw new RangeError(`A page has at most ${limit} live subscriptions, and this is one more.`);
    }
    const listener = { name, hear };
    this.#listeners.add(listener);
    this.#counts.set(name, count + 1);
    if (count === 0 && this.#link.isOpen) this.#send('subscribe', [name]);
    this.#link.start();
    return () => {
      if (this.#listeners.delete(listener)) this.#leave(name);
    };
  }

  #leave(name: string): void {
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) {
      this.#counts.set(name, left);
      return;
    }
    this.#counts.delete(name);
    if (this.#link.isOpen) this.#send('unsubscribe', [name]);
    if (this.#counts.size === 0) this.#link.stop();
  }

  #send(action: 'subscribe' | 'unsubscribe', names: readonly string[]): void {
    this.#link.send({ action, subscriptions: names.map((name) => JSON.parse(name)) });
  }
}

function isAbout({ parentEntityType, parentEntityID }: LiveComment, parent: CommentParent) {
  return parentEntityType === parent.type && Number(parentEntityID) === parent.id;
}
