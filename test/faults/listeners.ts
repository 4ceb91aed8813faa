/**
 * Subscribers of all markets and of some traders, with the reference clients of the streams. When
 * their exchange is gone, their messages are checked for gaps and noted.
 */

import { ReferenceBook } from '../http/streams/market/reference-book.ts';
import { type Message, StreamClient } from '../http/streams/stream-client.ts';
import { ReferenceAccount } from '../http/streams/user/reference-account.ts';
import { authOf } from '../http/streams/user/user-fixture.ts';
import { lotsOf, wireLevelsText } from './levels.ts';
import type { Scene } from './scene.ts';
import type { Told } from './told.ts';

const LISTENING_TRADERS = 3;
const MICRO_TOKENS_PER_LOT = 10_000;

export class Listeners {
  readonly #scene: Scene;
  #market: StreamClient | undefined;
  readonly #users = new Map<number, StreamClient>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  async open(): Promise<void> {
    const { place, tokenIds, traders } = this.#scene;
    this.#market = await StreamClient.open(place.url);
    this.#market.send({ type: 'market', assets_ids: tokenIds });
    for (const [index, trader] of traders.slice(0, LISTENING_TRADERS).entries()) {
      const client = await StreamClient.open(place.url, '/ws/user');
      client.send({ type: 'user', auth: authOf(trader), custom_feature_enabled: true });
      this.#users.set(index, client);
    }
  }

  /** Checks all messages that the listeners got. Called when the exchange is gone. */
  note(told: Told): void {
    if (this.#market !== undefined) this.#noteMarkets(this.#market.messages, told);
    for (const [trader, client] of this.#users) this.#noteUser(trader, client.messages, told);
  }

  #noteMarkets(messages: readonly Message[], told: Told): void {
    told.messages += messages.length;
    const books = new Map<string, ReferenceBook>();
    for (const { conditionId, tokenIds } of this.#scene.markets) {
      books.set(conditionId, new ReferenceBook(tokenIds));
    }
    for (const message of messages) {
      const { market = '', event_type: kind } = message;
      const book = books.get(market);
      if (book === undefined) continue;
      book.take(message);
      if (kind !== 'price_change' && kind !== 'book') continue;
      for (const [tokenId, token] of book.tokens) {
        const { outcome } = this.#scene.tokenPlace(tokenId);
        const levels = wireLevelsText(JSON.parse(token.text), outcome);
        told.showBook({ conditionId: market, levels });
        break; // the other token has the same book
      }
    }
  }

  #noteUser(trader: number, messages: readonly Message[], told: Told): void {
    told.messages += messages.length;
    const account = new ReferenceAccount();
    for (const message of messages) {
      account.take(message);
      if (message.event_type === 'order') noteOrder(message, told);
      else if (message.event_type === 'trade') {
        told.streamTrades.set(`${trader} ${message.id}`, `${message.size}@${message.price}`);
      } else if (message.event_type === 'balance') this.#noteBalance(message, told);
    }
  }

  #noteBalance({ address, asset_id, available, held }: Message, told: Told): void {
    const tokenId = String(asset_id ?? '');
    const isCash = !this.#scene.tokenIds.includes(tokenId);
    const unit = isCash ? 1 : MICRO_TOKENS_PER_LOT;
    told.shownBalances.push({
      address: String(address).toLowerCase(),
      tokenId: isCash ? '' : tokenId,
      available: Number(available) / unit,
      held: Number(held) / unit,
    });
  }
}

function noteOrder({ id, status, size_matched }: Message, told: Told): void {
  const isOver = status !== 'LIVE' && status !== 'DELAYED';
  const filledLots = lotsOf(String(size_matched));
  told.shownOrders.push({ orderId: String(id), filledLots, isOver });
}
