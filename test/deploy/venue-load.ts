/**
 * Load on a venue, so that each kind of metric moves: two traders, a listener of a market, reads, a
 * backup, and requests that are refused.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { OrderType, Side } from '@polymarket/clob-client-v2';
import { newTrader, type Trader } from '../published-client.ts';

export interface Venue {
  readonly url: string;
  readonly adminUrl: string;
  readonly token: string;
}

const CHAIN = 137;
const PAUSE_MS = 100;

export class Load {
  readonly #venue: Venue;
  readonly #url: string;
  #socket: WebSocket | undefined;
  #work: Promise<void> | undefined;
  #isOver = false;

  /** The certificate is of the name localhost. */
  constructor(venue: Venue) {
    this.#venue = venue;
    this.#url = venue.url.replace('127.0.0.1', 'localhost');
  }

  async start(): Promise<void> {
    const traders = await Promise.all(
      ['ada', 'ben'].map((name) => newTrader(name, this.#url, CHAIN)),
    );
    const [first] = traders;
    assert.ok(first);
    // Safe: the form that the compatibility tests check.
    const { data } = (await first.client.getSamplingMarkets()) as unknown as {
      readonly data: readonly { readonly tokens: readonly { readonly token_id: string }[] }[];
    };
    const tokenId = data[0]?.tokens[0]?.token_id ?? '';
    this.#socket = new WebSocket(`${this.#url.replace('http', 'ws')}/ws/market`);
    this.#socket.addEventListener('open', () =>
      this.#socket?.send(JSON.stringify({ type: 'market', assets_ids: [tokenId] })),
    );
    await this.#operate('POST', '/backups');
    this.#work = this.#run(traders, tokenId);
  }

  /** Throws what went wrong meanwhile. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
    this.#socket?.close();
  }

  async #run(traders: readonly Trader[], tokenID: string): Promise<void> {
    while (!this.#isOver) {
      for (const [index, { client }] of traders.entries()) {
        const order = { tokenID, side: Side.BUY, price: index === 0 ? 0.5 : 0.4, size: 10 };
        const answer = await client.createAndPostOrder(order, {}, OrderType.GTC);
        assert.ok(typeof answer.status === 'string', JSON.stringify(answer));
        await client.cancelAll();
      }
      for (const path of ['/markets', '/nowhere', `/book?token_id=${tokenID}`, '/price']) {
        await (await fetch(this.#url + path)).arrayBuffer();
      }
      await this.#operate('GET', '/audit', 'a wrong token of the test');
      await this.#operate('GET', '/audit');
      await sleep(PAUSE_MS);
    }
  }

  async #operate(method: string, path: string, token = this.#venue.token): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    await (await fetch(this.#venue.adminUrl + path, { method, headers })).arrayBuffer();
  }
}
