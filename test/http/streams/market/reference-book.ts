// A subscriber who knows only what the stream says. It rebuilds the books of a market's tokens,
// compares each received hash with the hash of the rebuilt text, and fails on any gap.
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import type { Message } from '../stream-client.ts';

interface Level {
  readonly price: string;
  readonly size: string;
}

/** A `book`, or what GET /book answers. */
export interface BookMessage extends Message {
  readonly asset_id: string;
  readonly market: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly last_trade_price: string;
}

interface PriceChange extends Level {
  readonly asset_id: string;
  readonly side: 'BUY' | 'SELL';
  readonly hash: string;
  readonly best_bid: string;
  readonly best_ask: string;
}

export interface PriceChangeMessage extends Message {
  readonly timestamp: string;
  readonly price_changes: readonly PriceChange[];
}

export interface TradeMessage extends Message {
  readonly asset_id: string;
  readonly price: string;
  readonly size: string;
  readonly side: 'BUY' | 'SELL';
  readonly transaction_hash: string;
}

function listed(levels: ReadonlyMap<string, string>, isRising: boolean): Level[] {
  return [...levels]
    .map(([price, size]) => ({ price, size }))
    .sort((a, b) => (isRising ? 1 : -1) * (Number(a.price) - Number(b.price)));
}

function mapOf(levels: readonly Level[]): Map<string, string> {
  return new Map(levels.map(({ price, size }) => [price, size]));
}

/** One token's book as the stream shows it. */
class ReferenceToken {
  readonly #bids: Map<string, string>;
  readonly #asks: Map<string, string>;
  readonly #terms: Pick<BookMessage, 'market' | 'asset_id' | 'min_order_size' | 'neg_risk'>;
  timestamp: string;
  tickSize: string;
  lastTradePrice: string;

  constructor(book: BookMessage) {
    const { market, asset_id, min_order_size, neg_risk } = book;
    this.#bids = mapOf(book.bids);
    this.#asks = mapOf(book.asks);
    this.#terms = { market, asset_id, min_order_size, neg_risk };
    this.timestamp = book.timestamp;
    this.tickSize = book.tick_size;
    this.lastTradePrice = book.last_trade_price;
    assert.equal(this.hash, book.hash, 'the hash of a book is that of its text');
  }

  /** The text that REST answers, with an empty hash. */
  #text(hash: string): string {
    const { market, asset_id, min_order_size, neg_risk } = this.#terms;
    return JSON.stringify({
      market,
      asset_id,
      timestamp: this.timestamp,
      hash,
      bids: listed(this.#bids, true),
      asks: listed(this.#asks, false),
      min_order_size,
      tick_size: this.tickSize,
      neg_risk,
      last_trade_price: this.lastTradePrice,
    });
  }

  get hash(): string {
    return createHash('sha1').update(this.#text('')).digest('hex');
  }

  get text(): string {
    return this.#text(this.hash);
  }

  get best(): readonly [bid: string, ask: string] {
    const bids = listed(this.#bids, true);
    const asks = listed(this.#asks, false);
    return [bids.at(-1)?.price ?? '0', asks.at(-1)?.price ?? '1'];
  }

  /** Whether the terms that only a book shows are the same. */
  hasTermsOf(other: ReferenceToken): boolean {
    return this.#terms.min_order_size === other.#terms.min_order_size;
  }

  setLevel({ side, price, size }: PriceChange): void {
    const levels = side === 'BUY' ? this.#bids : this.#asks;
    assert.notEqual(levels.get(price) ?? '0', size, 'only changes are sent');
    if (size === '0') levels.delete(price);
    else levels.set(price, size);
  }
}

/** Processes the messages of one market, as a subscriber does. */
export class ReferenceBook {
  readonly tokens = new Map<string, ReferenceToken>();
  /** Each trade once, by the token that its message names. */
  readonly trades = new Map<string, TradeMessage[]>();
  readonly #tokenIds: readonly string[];
  /** Copies of the last step that were seen, by token. */
  readonly #copies = new Set<string>();
  /** The last step that a token's book shows. */
  readonly #shown = new Map<string, number>();
  sequence = -1;
  streamId = '';
  isComplete = true;
  replayed = 0;
  snapshots = 0;
  verified = 0;

  constructor(tokenIds: readonly string[]) {
    this.#tokenIds = tokenIds;
    for (const tokenId of tokenIds) this.trades.set(tokenId, []);
  }

  take(message: Message): void {
    switch (message.event_type) {
      case 'resumed':
        assert.equal(message.sequence, this.sequence, 'it continues where it left off');
        this.replayed += Number(message.replayed);
        return;
      case 'snapshot_required':
        // What happened meanwhile is lost.
        this.isComplete = false;
        this.snapshots += 1;
        this.tokens.clear();
        this.#copies.clear();
        this.#shown.clear();
        this.sequence = Number(message.sequence);
        this.streamId = String(message.stream_id);
        return;
      case 'book':
        // Safe: the channel sends this form, and any other fails below.
        this.#takeBook(message as BookMessage);
        return;
      default:
        this.#takeStep(message);
    }
  }

  #takeBook(message: BookMessage): void {
    const token = new ReferenceToken(message);
    const known = this.tokens.get(message.asset_id);
    if (this.sequence < 0) {
      this.sequence = Number(message.sequence);
      this.streamId = String(message.stream_id);
    }
    if (message.sequence === this.sequence + 1) this.#beginStep(message.sequence);
    assert.equal(message.sequence, this.sequence, 'a book is the state after the last step');
    // With a new minimum size the books themselves are a step, with all changes of the batch.
    const isStep = known !== undefined && !known.hasTermsOf(token);
    if (isStep) this.#copies.add(message.asset_id);
    else if (known !== undefined) {
      // A trade that leaves all levels the same sends no time, so the rebuilt book may have an
      // older one.
      known.timestamp = message.timestamp;
      assert.equal(known.text, token.text, 'a book equals the rebuilt one');
    }
    this.tokens.set(message.asset_id, token);
    this.#shown.set(message.asset_id, this.sequence);
  }

  #takeStep(message: Message): void {
    const { sequence = -1, event_type: kind, asset_id: tokenId = '' } = message;
    assert.equal(message.stream_id, this.streamId, 'the same stream');
    if (kind === 'heartbeat') {
      assert.equal(sequence, this.sequence, 'a heartbeat has the last sequence');
      return;
    }
    // A client that resumes may get a copy of the last step again.
    const isKnown = this.#copies.has(tokenId) || this.#shown.get(tokenId) === sequence;
    if (sequence === this.sequence && isKnown) return;
    if (sequence !== this.sequence) {
      assert.equal(sequence, this.sequence + 1, `a ${kind} after ${this.sequence}`);
      this.#beginStep(sequence);
    }
    if (kind === 'price_change') this.#takeChanges(message as PriceChangeMessage);
    else this.#takeCopy(message, tokenId);
  }

  #beginStep(sequence: number): void {
    this.#checkCopies();
    this.#copies.clear();
    this.sequence = sequence;
  }

  /** Checks that both copies of a step, one for each token, came before the next step. */
  #checkCopies(): void {
    if (this.#copies.size === 0) return;
    assert.deepEqual([...this.#copies].sort(), [...this.#tokenIds].sort(), 'a copy for each token');
  }

  #takeCopy(message: Message, tokenId: string): void {
    assert.ok(this.#tokenIds.includes(tokenId), 'only subscribed tokens');
    this.#copies.add(tokenId);
    const token = this.#tokenOf(tokenId);
    token.timestamp = String(message.timestamp);
    if (message.event_type === 'last_trade_price') {
      const trade = message as TradeMessage;
      token.lastTradePrice = trade.price;
      this.trades.get(tokenId)?.push(trade);
      return;
    }
    assert.equal(message.event_type, 'tick_size_change');
    assert.equal(message.old_tick_size, token.tickSize);
    token.tickSize = String(message.new_tick_size);
  }

  #takeChanges({ price_changes, timestamp }: PriceChangeMessage): void {
    const own = price_changes.filter(({ asset_id }) => this.#tokenIds.includes(asset_id));
    assert.equal(price_changes.length % 2, 0, 'each level is sent for both tokens');
    assert.equal(own.length * 2, price_changes.length * this.#tokenIds.length);
    for (const change of own) this.#tokenOf(change.asset_id).setLevel(change);
    for (const { asset_id, hash, best_bid, best_ask } of own) {
      const token = this.#tokenOf(asset_id);
      token.timestamp = timestamp;
      assert.equal(token.hash, hash, 'the rebuilt book has this hash');
      assert.deepEqual(token.best, [best_bid, best_ask]);
      this.verified += 1;
    }
  }

  #tokenOf(tokenId: string): ReferenceToken {
    const token = this.tokens.get(tokenId);
    assert.ok(token !== undefined, 'a book comes before its changes');
    return token;
  }
}
