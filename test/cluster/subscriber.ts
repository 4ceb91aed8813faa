/**
 * Subscribers of all markets, and of one owner, that go on at another gateway when a socket ends.
 *
 * Invariant: they fail on a gap, on a repetition, and on a message that differs from the one of the
 * same sequence that they got before.
 */
import { strict as assert } from 'node:assert';
import type { Scene } from '../faults/scene.ts';
import type { Trader } from '../http/exchange-fixture.ts';
import { ReferenceBook } from '../http/streams/market/reference-book.ts';
import type { Message } from '../http/streams/stream-client.ts';
import { ReferenceAccount } from '../http/streams/user/reference-account.ts';
import { authOf } from '../http/streams/user/user-fixture.ts';
import type { ReplayedSteps } from './replayed-steps.ts';
import { ResumingClient } from './resuming-client.ts';

/** Trades and changes count as steps; all else repeats the state after the last one. */
const MARKET_STEPS: readonly string[] = ['last_trade_price', 'price_change', 'tick_size_change'];
const OWNER_STEPS: readonly string[] = ['order', 'trade', 'balance'];

/** The steps that a subscriber got, each with its text without what depends on the gateway. */
class Steps {
  readonly texts = new Map<string, string>();
  /** The market or owner of each text, in the same order. */
  readonly names: string[] = [];
  messages = 0;

  take(name: string, { server_ts_ms: _, ...message }: Message): void {
    // A gateway names the trades of an order since it follows its owner.
    const text = JSON.stringify({ ...message, associate_trades: undefined });
    const { stream_id: streamId, sequence, event_type: kind, asset_id: token = '' } = message;
    const place = [name, streamId, sequence, kind, token].join(' ');
    const known = this.texts.get(place);
    assert.ok(known === undefined || known === text, `step ${place} is always the same`);
    if (known === undefined) this.names.push(name);
    this.texts.set(place, text);
  }

  /** Compares each step with those of a replayed journal. */
  check(replayed: ReplayedSteps): void {
    let index = 0;
    for (const text of this.texts.values()) {
      replayed.check(this.names[index] ?? '', text);
      index += 1;
    }
  }
}

export class Subscriber {
  readonly steps = new Steps();
  readonly #books = new Map<string, ReferenceBook>();
  readonly #client: ResumingClient;

  constructor({ markets, tokenIds }: Scene, urls: readonly string[], place: number) {
    for (const { conditionId, tokenIds } of markets) {
      this.#books.set(conditionId, new ReferenceBook(tokenIds));
    }
    this.#client = new ResumingClient({
      urls,
      place,
      path: '/ws/market',
      subscription: { type: 'market', assets_ids: tokenIds },
      isAnswered: (messages) =>
        messages.filter(({ event_type: kind }) => kind === 'book').length >= tokenIds.length,
      resumption: () => ({
        operation: 'resume',
        stream_id: [...this.#books.values()][0]?.streamId,
        sequences: this.sequences,
      }),
      take: (message) => this.#take(message),
    });
  }

  get resumed(): number {
    return this.#client.resumed;
  }

  get messages(): number {
    return this.steps.messages;
  }

  /** How often a gateway could not send what was missed, and sent fresh books of a market. */
  get freshStates(): number {
    return [...this.#books.values()].reduce((sum, { snapshots }) => sum + snapshots, 0);
  }

  /** The last sequence of each market. */
  get sequences(): Record<string, number> {
    return Object.fromEntries([...this.#books].map(([market, { sequence }]) => [market, sequence]));
  }

  /** Resolves when it has its first books. */
  open(): Promise<void> {
    return this.#client.open();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  move(): void {
    this.#client.move();
  }

  #take(message: Message): void {
    assert.ok(message.type !== 'error', JSON.stringify(message));
    this.steps.messages += 1;
    const { market = '', event_type: kind = '' } = message;
    this.#books.get(market)?.take(message);
    if (MARKET_STEPS.includes(kind)) this.steps.take(market, message);
  }
}

/** Follows the orders, trades and balances of one trader. */
export class OwnerSubscriber {
  readonly steps = new Steps();
  readonly #trader: Trader;
  readonly #account = new ReferenceAccount();
  readonly #client: ResumingClient;

  constructor(trader: Trader, urls: readonly string[], place: number) {
    this.#trader = trader;
    const auth = authOf(trader);
    this.#client = new ResumingClient({
      urls,
      place,
      path: '/ws/user',
      subscription: { type: 'user', auth, custom_feature_enabled: true },
      isAnswered: (messages) => messages.some(({ part, parts }) => part === parts),
      resumption: () => {
        const { streamId, sequence } = this.#account;
        return { operation: 'resume', stream_id: streamId, sequence, auth };
      },
      take: (message) => this.#take(message),
    });
  }

  get resumed(): number {
    return this.#client.resumed;
  }

  get messages(): number {
    return this.steps.messages;
  }

  /** How often a gateway could not send what was missed, and sent a snapshot. */
  get freshStates(): number {
    return this.#account.snapshots;
  }

  /** Resolves when it has its first snapshot. */
  open(): Promise<void> {
    return this.#client.open();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  move(): void {
    this.#client.move();
  }

  #take(message: Message): void {
    this.steps.messages += 1;
    this.#account.take(message);
    const { event_type: kind = '' } = message;
    if (OWNER_STEPS.includes(kind)) this.steps.take(this.#trader.address.toLowerCase(), message);
  }
}

/** Checks that two subscribers were told the same steps, where both were told them. */
export function compareSteps(one: { readonly steps: Steps }, other: typeof one): number {
  let compared = 0;
  for (const [place, text] of one.steps.texts) {
    const told = other.steps.texts.get(place);
    if (told === undefined) continue;
    assert.equal(told, text, `step ${place} at two gateways`);
    compared += 1;
  }
  return compared;
}
