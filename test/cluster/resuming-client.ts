/**
 * A client of a channel that goes on at another gateway when its socket ends, as the documents say.
 * Its messages are taken when a socket has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, StreamClient } from '../http/streams/stream-client.ts';

const PAUSE_MS = 100;
const OPEN_MS = 3_000;

export interface ResumingOptions {
  readonly urls: readonly string[];
  /** The gateway to begin with. */
  readonly place: number;
  readonly path: string;
  readonly subscription: object;
  /** Whether the answer to the subscription is complete. */
  readonly isAnswered: (messages: readonly Message[]) => boolean;
  /** The message that resumes after all that was taken. */
  readonly resumption: () => object;
  readonly take: (message: Message) => void;
}

export class ResumingClient {
  readonly #options: ResumingOptions;
  #place: number;
  #client: StreamClient | undefined;
  #isOver = false;
  #loop: Promise<void> = Promise.resolve();
  /** How often it went on at a gateway. */
  resumed = 0;

  constructor(options: ResumingOptions) {
    this.#options = options;
    this.#place = options.place;
  }

  /** Resolves when its subscription is answered. */
  async open(): Promise<void> {
    const { subscription, isAnswered } = this.#options;
    const client = await this.#connect();
    if (client === undefined) throw new Error('a subscriber found no gateway');
    client.send(subscription);
    await client.until(() => isAnswered(client.messages));
    this.#loop = this.#follow(client);
    // `close` reports what it found.
    this.#loop.catch(() => undefined);
  }

  /** Ends, and reports what was wrong. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#client?.close();
    await this.#loop;
  }

  /** Ends the present socket. It goes on at the next gateway. */
  move(): void {
    this.#client?.close();
  }

  /** Takes the messages of a socket until it ends, then goes on with another one. */
  async #follow(first: StreamClient): Promise<void> {
    let client: StreamClient | undefined = first;
    while (client !== undefined) {
      await client.closed;
      for (const message of client.messages) this.#options.take(message);
      if (this.#isOver) return;
      client = await this.#connect();
      if (client === undefined) return;
      this.resumed += 1;
      client.send(this.#options.resumption());
    }
  }

  /** Opens a socket at the next gateway that accepts one; undefined after `close`. */
  async #connect(): Promise<StreamClient | undefined> {
    const { urls, path } = this.#options;
    while (!this.#isOver) {
      const url = urls[this.#place % urls.length] ?? '';
      this.#place += 1;
      const client = new StreamClient(`${url.replace(/^http/, 'ws')}${path}`);
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
}
