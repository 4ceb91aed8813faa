/**
 * A subscriber of all markets that goes on at another gateway when its socket ends: it resumes with
 * the last sequence of each market, as the documents say.
 *
 * Invariant: it fails on a gap, on a repetition, and on a message that differs from the one of the
 * same sequence that another subscriber got.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from '../faults/scene.ts';
import { ReferenceBook } from '../http/streams/market/reference-book.ts';
import { StreamClient } from '../http/streams/stream-client.ts';

const PAUSE_MS = 100;
const OPEN_MS = 3_000;
/** Trades and changes count as steps; all else repeats the state after the last one. */
const STEPS: readonly string[] = ['last_trade_price', 'price_change', 'tick_size_change'];

export class Subscriber {
  readonly #scene: Scene;
  readonly #urls: readonly string[];
  readonly #books = new Map<string, ReferenceBook>();
  #place: number;
  #client: StreamClient | undefined;
  #isOver = false;
  #loop: Promise<void> = Promise.resolve();
  /** How often it went on at a gateway. */
  resumed = 0;
  /** Each step once: market, stream, sequence and token, and its text without the time it left. */
  readonly steps = new Map<string, string>();
  messages = 0;

  constructor(scene: Scene, urls: readonly string[], place: number) {
    this.#scene = scene;
    this.#urls = urls;
    this.#place = place;
    for (const { conditionId, tokenIds } of scene.markets) {
      this.#books.set(conditionId, new ReferenceBook(tokenIds));
    }
  }

  /** Resolves when it has its first books. */
  async open(): Promise<void> {
    const client = await this.#connect();
    if (client === undefined) throw new Error('a subscriber found no gateway');
    client.send({ type: 'market', assets_ids: this.#scene.tokenIds });
    const books = this.#scene.tokenIds.length;
    await client.until(
      () => client.messages.filter(({ event_type: kind }) => kind === 'book').length >= books,
    );
    this.#loop = this.#follow(client);
    // `close` reports what it found.
    this.#loop.catch(() => undefined);
  }

  /** How often a gateway could not send what was missed, and sent fresh books of a market. */
  get freshBooks(): number {
    return [...this.#books.values()].reduce((sum, { snapshots }) => sum + snapshots, 0);
  }

  /** The last sequence of each market. */
  get sequences(): Record<string, number> {
    return Object.fromEntries([...this.#books].map(([market, { sequence }]) => [market, sequence]));
  }

  /** Takes the messages of a socket until it ends, then goes on with another one. */
  async #follow(first: StreamClient): Promise<void> {
    let client: StreamClient | undefined = first;
    while (client !== undefined) {
      await client.closed;
      this.#takeAll(client);
      if (this.#isOver) return;
      client = await this.#resume();
    }
  }

  async #resume(): Promise<StreamClient | undefined> {
    const client = await this.#connect();
    if (client === undefined) return undefined;
    this.resumed += 1;
    const [book] = this.#books.values();
    client.send({
      operation: 'resume',
      stream_id: book?.streamId,
      sequences: this.sequences,
    });
    return client;
  }

  /** Opens a socket at the next gateway that accepts one; undefined after `close`. */
  async #connect(): Promise<StreamClient | undefined> {
    while (!this.#isOver) {
      const url = this.#urls[this.#place % this.#urls.length] ?? '';
      this.#place += 1;
      const client = new StreamClient(`${url.replace(/^http/, 'ws')}/ws/market`);
      const isOpen = await Promise.race([
        client.opened.then(() => true),
        client.closed.then(() => false),
        sleep(OPEN_MS).then(() => false),
      ]);
      if (isOpen) {
        this.#client = client;
        return client;
      }
      client.close();
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  #takeAll({ messages }: StreamClient): void {
    for (const message of messages) {
      assert.ok(message.type !== 'error', JSON.stringify(message));
      this.messages += 1;
      const { market = '', event_type: kind = '', sequence, asset_id: token = '' } = message;
      this.#books.get(market)?.take(message);
      if (!STEPS.includes(kind)) continue;
      const { server_ts_ms: _, ...rest } = message;
      const text = JSON.stringify(rest);
      const place = `${market} ${message.stream_id} ${sequence} ${kind} ${token}`;
      const known = this.steps.get(place);
      assert.ok(known === undefined || known === text, `step ${place} is always the same`);
      this.steps.set(place, text);
    }
  }

  /** Ends, and checks all that it got. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#client?.close();
    await this.#loop;
  }
}

/** Checks that two subscribers were told the same steps, where both were told them. */
export function compareSteps(one: Subscriber, other: Subscriber): number {
  let compared = 0;
  for (const [place, text] of one.steps) {
    const told = other.steps.get(place);
    if (told === undefined) continue;
    assert.equal(told, text, `step ${place} at two gateways`);
    compared += 1;
  }
  return compared;
}
