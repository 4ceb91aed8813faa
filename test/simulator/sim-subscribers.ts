/**
 * Clients of streams in a simulation: they rebuild a market's books, or an owner's orders and
 * balances, from messages alone, through connections that break and exchanges that die. Invariant:
 * when everything is at rest, what they rebuilt is what the naive twin has.
 */
import { strict as assert } from 'node:assert';
import { MICRO_TOKENS_PER_LOT, type StateView } from '../../engine/index.ts';
import type { Random } from '../../http/codec/random.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { ReferenceBook } from '../http/streams/market/reference-book.ts';
import type { Message } from '../http/streams/stream-client.ts';
import { ReferenceAccount } from '../http/streams/user/reference-account.ts';
import type { SimExchange } from './sim-exchange.ts';
import type { SimSocket } from './sim-network.ts';

const BROKEN = 0;
const GOING_AWAY = 1001;
const REFUSED = 1008;

/** Receives the messages of a connection. */
interface Receiver {
  take(message: Message): void;
}

/** A connection that may break and be opened again. */
class SimLine {
  readonly #receiver: Receiver;
  readonly #random: Random;
  #socket: SimSocket | undefined;
  messages = 0;

  constructor(receiver: Receiver, random: Random) {
    this.#receiver = receiver;
    this.#random = random;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  connect({ app }: SimExchange, path: string, message: object): void {
    const socket = app.connect(path, {
      heard: (text) => {
        if (this.#socket === socket) this.#heard(text);
      },
      closed: (code) => {
        if (this.#socket === socket) this.#closed(code);
      },
    });
    this.#socket = socket;
    // One in five clients reads so slowly that messages queue up for it.
    socket.paceMs = this.#random.chance(20) ? this.#random.between(5, 40) : 0;
    socket.say(message);
  }

  break(): void {
    this.#socket?.break();
  }

  #heard(text: string): void {
    this.messages += 1;
    // Safe: streams send this form, and the reference clients fail on any other.
    const message = JSON.parse(text) as Message;
    assert.notEqual(message.type, 'error', text);
    this.#receiver.take(message);
  }

  #closed(code: number): void {
    this.#socket = undefined;
    const isExpected = [BROKEN, GOING_AWAY, REFUSED].includes(code);
    assert.ok(isExpected, `a subscriber that did nothing wrong is closed with ${code}`);
  }
}

/** The counts of one subscriber. */
export interface SubscriberCounts {
  readonly messages: number;
  readonly replayed: number;
  readonly snapshots: number;
}

export class MarketSubscriber {
  readonly tokenIds: readonly string[];
  readonly #line: SimLine;
  #book: ReferenceBook;
  #replayed = 0;
  #snapshots = 0;

  constructor(tokenIds: readonly string[], random: Random) {
    this.tokenIds = tokenIds;
    this.#line = new SimLine(this, random);
    this.#book = new ReferenceBook(tokenIds);
  }

  get counts(): SubscriberCounts {
    const [replayed, snapshots] = [this.#replayed, this.#snapshots];
    return {
      messages: this.#line.messages,
      replayed: replayed + this.#book.replayed,
      snapshots: snapshots + this.#book.snapshots,
    };
  }

  connect(exchange: SimExchange): void {
    if (this.#line.isConnected) return;
    // A client can resume only if it has a book of each token.
    if (this.#book.tokens.size < this.tokenIds.length) this.#startOver();
    const { sequence, streamId } = this.#book;
    this.#line.connect(exchange, '/ws/market', {
      assets_ids: this.tokenIds,
      ...(sequence < 0 ? {} : { operation: 'resume', stream_id: streamId, sequence }),
    });
  }

  #startOver(): void {
    this.#replayed += this.#book.replayed;
    this.#snapshots += this.#book.snapshots;
    this.#book = new ReferenceBook(this.tokenIds);
  }

  break(): void {
    this.#line.break();
  }

  take(message: Message): void {
    this.#book.take(message);
  }

  /** Compares the books with the views. The views are compared with the twin elsewhere. */
  check({ books }: SimExchange): void {
    if (!this.#line.isConnected) return;
    assert.equal(this.#book.tokens.size, this.tokenIds.length, 'a book for each token');
    for (const [tokenId, token] of this.#book.tokens) {
      const text = books.token(tokenId)?.bytes.toString() ?? '';
      // A trade that leaves all levels the same sends no message, so only the view has its time.
      token.timestamp = JSON.parse(text).timestamp;
      assert.equal(token.text, text, `book of ${tokenId}`);
    }
  }
}

export class AccountSubscriber {
  readonly owner: string;
  readonly #line: SimLine;
  #account = new ReferenceAccount();
  /** Whether it has read all parts of a snapshot. */
  #isWhole = false;
  #replayed = 0;
  #snapshots = 0;

  constructor(owner: string, random: Random) {
    this.owner = owner;
    this.#line = new SimLine(this, random);
  }

  get counts(): SubscriberCounts {
    return {
      messages: this.#line.messages,
      replayed: this.#replayed + this.#account.replayed,
      snapshots: this.#snapshots + this.#account.snapshots,
    };
  }

  connect(exchange: SimExchange): void {
    if (this.#line.isConnected) return;
    const auth = credentialsOf(exchange, this.owner);
    if (auth === undefined) return;
    if (!this.#isWhole) this.#startOver();
    const { sequence, streamId } = this.#account;
    this.#line.connect(exchange, '/ws/user', {
      auth,
      custom_feature_enabled: true,
      markets: [],
      ...(sequence < 0 ? {} : { operation: 'resume', stream_id: streamId, sequence }),
    });
  }

  #startOver(): void {
    this.#replayed += this.#account.replayed;
    this.#snapshots += this.#account.snapshots;
    this.#account = new ReferenceAccount();
  }

  break(): void {
    this.#line.break();
  }

  take(message: Message): void {
    if (message.event_type === 'snapshot_required') {
      this.#startOver();
      this.#isWhole = false;
      return;
    }
    this.#account.take(message);
    if (message.event_type === 'snapshot') this.#isWhole = message.part === message.parts;
  }

  check(state: StateView): void {
    if (!this.#line.isConnected || !this.#isWhole) return;
    const tokenOf = new Map<string, readonly [string, string]>();
    const expected = new Map<string, string>();
    const orders = new Set<string>();
    const owners = new Map<string, string>();
    const accounts = [...state.accounts];
    for (const { address, owner } of accounts) owners.set(address, owner);
    for (const { conditionId, tokenIds, bids, asks } of state.markets) {
      tokenOf.set(conditionId, tokenIds);
      for (const { orderId, account } of [...bids, ...asks]) {
        if (owners.get(account) === this.owner) orders.add(orderId);
      }
    }
    for (const { orderId, account } of state.delayedOrders) {
      if (owners.get(account) === this.owner) orders.add(orderId);
    }
    for (const account of accounts) {
      if (account.owner !== this.owner) continue;
      const address = toChecksumAddress(account.address);
      expected.set(`${address}/`, `${account.availableMicros}/${account.heldMicros}`);
      for (const { conditionId, outcome, availableLots, heldLots } of account.positions) {
        const tokenId = tokenOf.get(conditionId)?.[outcome] ?? '';
        const [available, held] = [availableLots, heldLots].map((l) => l * MICRO_TOKENS_PER_LOT);
        expected.set(`${address}/${tokenId}`, `${available}/${held}`);
      }
    }
    assert.deepEqual([...this.#account.orders.keys()].sort(), [...orders].sort(), 'live orders');
    for (const [name, balance] of expected) {
      const [address = '', tokenId = ''] = name.split('/');
      const { available, held } = this.#account.balance(address, tokenId);
      assert.equal(`${available}/${held}`, balance, `balance of ${name}`);
    }
  }
}

/** Credentials of a valid trading key of the owner; undefined if it has none. */
function credentialsOf({ registry, keyRing }: SimExchange, owner: string) {
  for (const { apiKey, revokedMs } of registry.keysOf(owner, 'trading')) {
    const holder = revokedMs === undefined ? keyRing.holderOf(apiKey) : undefined;
    if (holder === undefined) continue;
    const { secret, passphrase } = holder.credentials;
    return { apikey: apiKey, secret, passphrase };
  }
  return undefined;
}
