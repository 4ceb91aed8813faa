/**
 * The user channel: open orders, trades and balances of the account whose credentials the page has
 * (`/ws/user`).
 *
 * The exchange begins with a snapshot of the live orders and balances after some step, and sends
 * each later step. So no order has to be fetched. Earlier trades are fetched when the snapshot is
 * complete, as recent-list.ts describes.
 *
 * Invariant: the state is the one after the step `sequence`; a message that does not follow it
 * changes nothing until what is missing came. The credentials are in memory, and never in the tap.
 * Bound: the live orders and assets of one owner, which the exchange bounds, and
 * `PAGE_BOUNDS.ownTrades`.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Credentials } from '../signing/api-key.ts';
import { PAGE_BOUNDS } from './bounds.ts';
import { Link, type LinkChannel, type LinkState } from './link.ts';
import type { Position } from './market-feed.ts';
import { repairableState, type StreamParts } from './market-stream.ts';
import type {
  ErrorMessage,
  OwnBalance,
  OwnOrder,
  OwnTrade,
  SnapshotMessage,
  StreamMessage,
  UserMessage,
} from './messages.ts';
import { type HistoryState, RecentList } from './recent-list.ts';

/** The newest `PAGE_BOUNDS.ownTrades` trades of the user, the newest first. */
export type FetchOwnTrades = () => Promise<readonly OwnTrade[]>;

export type UserEvent =
  | { readonly kind: 'order'; readonly order: OwnOrder }
  | { readonly kind: 'trade'; readonly trade: OwnTrade };

type Phase = 'waiting' | 'live' | 'resuming';

const NO_ORDERS: ReadonlyMap<string, OwnOrder> = new Map();
const NO_BALANCES: ReadonlyMap<string, OwnBalance> = new Map();
const POLICY_CLOSE = 1008;
/** The close reasons for wrong or revoked credentials; a test compares them with the exchange's. */
export const REFUSALS: ReadonlySet<string> = new Set([
  'the credentials are wrong',
  'no credentials came in time',
  'the API key was revoked',
]);

/** The name of a balance in the map of balances. `tokenId` is '' for cash. */
export function balanceName(address: string, tokenId: string): string {
  return `${address.toLowerCase()}/${tokenId}`;
}

export class UserStream implements LinkChannel {
  readonly path = '/ws/user';
  readonly state: ReadonlySignal<LinkState>;
  readonly #parts: StreamParts;
  readonly #link: Link;
  readonly #trades: RecentList<OwnTrade>;
  readonly #phase = signal<Phase>('waiting');
  readonly #isLoaded = signal(false);
  readonly #shownOrders = signal(NO_ORDERS);
  readonly #shownBalances = signal(NO_BALANCES);
  readonly #listeners = new Set<(event: UserEvent) => void>();
  #orders = new Map<string, OwnOrder>();
  #balances = new Map<string, OwnBalance>();
  #credentials: Credentials | undefined;
  #position: Position | undefined;
  readonly #show = () => {
    this.#shownOrders.value = new Map(this.#orders);
    this.#shownBalances.value = new Map(this.#balances);
  };

  constructor(parts: StreamParts, fetchTrades: FetchOwnTrades) {
    const { environment, frames, tap } = parts;
    this.#parts = parts;
    this.#link = new Link(this, environment, tap);
    this.state = repairableState(
      this.#link.state,
      environment,
      () => this.#isLoaded.value && this.#phase.value !== 'live',
    );
    this.#trades = new RecentList<OwnTrade>({
      keyOf: ({ id }) => id,
      fetch: fetchTrades,
      limit: PAGE_BOUNDS.ownTrades,
      frames,
    });
  }

  /** Whether orders and balances are those of the user. Before, they are empty. */
  get isLoaded(): ReadonlySignal<boolean> {
    return this.#isLoaded;
  }

  /** Live orders by id. It changes at most once a frame, as do balances and trades. */
  get orders(): ReadonlySignal<ReadonlyMap<string, OwnOrder>> {
    return this.#shownOrders;
  }

  /** By `balanceName`. An asset that is missing has a balance of zero. */
  get balances(): ReadonlySignal<ReadonlyMap<string, OwnBalance>> {
    return this.#shownBalances;
  }

  /** The newest first. */
  get trades(): ReadonlySignal<readonly OwnTrade[]> {
    return this.#trades.items;
  }

  get history(): ReadonlySignal<HistoryState> {
    return this.#trades.history;
  }

  /** Fetches the earlier trades again, after it failed. */
  loadHistory(): void {
    this.#trades.load();
  }

  /** Follows the owner of the credentials from now on, and forgets the one before. */
  signIn(credentials: Credentials): void {
    this.signOut();
    this.#credentials = credentials;
    this.#link.start();
  }

  signOut(): void {
    this.#link.stop();
    this.#credentials = undefined;
    this.#forget();
  }

  /**
   * Calls a listener for each step of an order or a trade, until the answer is called. A trade
   * comes once for each of its statuses; the first is MATCHED.
   */
  onEvent(listener: (event: UserEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  retryNow(): void {
    this.#link.retryNow();
  }

  opened(): void {
    const { apiKey, secret, passphrase } = this.#credentials ?? NO_CREDENTIALS;
    const hidden = { apikey: apiKey, secret: HIDDEN, passphrase: HIDDEN };
    const request = { type: 'user', custom_feature_enabled: true, ...this.#request() };
    const auth = { apikey: apiKey, secret, passphrase };
    this.#link.send({ ...request, auth }, { ...request, auth: hidden });
  }

  received(received: StreamMessage): void {
    // Safe: the channel sends these alone.
    const message = received as UserMessage | ErrorMessage;
    if ('code' in message) throw new Error(message.message);
    this.#take(message);
  }

  ended(): void {}

  expectsMessages(): boolean {
    return true;
  }

  isRefusal(closeCode: number, reason: string): boolean {
    return closeCode === POLICY_CLOSE && REFUSALS.has(reason);
  }

  /** Asks for what is missing, or for a snapshot if the page has nothing yet. */
  #request(): object {
    this.#phase.value = this.#position === undefined ? 'waiting' : 'resuming';
    if (this.#position === undefined) return { operation: 'subscribe' };
    const { streamId, sequence } = this.#position;
    return { operation: 'resume', stream_id: streamId, sequence };
  }

  #forget(): void {
    this.#position = undefined;
    this.#phase.value = 'waiting';
    this.#isLoaded.value = false;
    this.#orders = new Map();
    this.#balances = new Map();
    this.#trades.clear();
    this.#parts.frames.add(this.#show);
  }

  #take(message: UserMessage): void {
    const phase = this.#phase.peek();
    if (phase === 'resuming') this.#takeAnswer(message);
    else if (phase === 'waiting') {
      if (message.event_type === 'snapshot') this.#takeSnapshot(message);
    } else this.#takeNext(message);
  }

  #takeAnswer({ event_type: kind, stream_id: streamId }: UserMessage): void {
    if (kind === 'resumed') this.#phase.value = 'live';
    if (kind !== 'snapshot_required') return;
    // Of another stream, trades may be gone: the exchange returned to a checkpoint.
    if (streamId !== this.#position?.streamId) this.#trades.clear();
    this.#phase.value = 'waiting';
  }

  /** Takes the parts of a snapshot, which come one after the other. */
  #takeSnapshot({ part, parts, orders, balances, ...stamp }: SnapshotMessage): void {
    if (part === 1) {
      this.#orders = new Map();
      this.#balances = new Map();
    }
    for (const order of orders) this.#orders.set(order.id, order);
    for (const balance of balances) this.#setBalance(balance);
    if (part < parts) return;
    this.#position = { streamId: stamp.stream_id, sequence: stamp.sequence };
    this.#phase.value = 'live';
    this.#isLoaded.value = true;
    this.#trades.load();
    this.#parts.frames.add(this.#show);
  }

  #takeNext(message: UserMessage): void {
    const { event_type: kind, sequence, stream_id: streamId } = message;
    const last = this.#position?.sequence ?? 0;
    const isSignal = kind === 'heartbeat' && sequence === last;
    const isSkip = kind === 'skipped' && message.first_sequence === last + 1;
    const isNext = kind !== 'heartbeat' && kind !== 'skipped' && sequence === last + 1;
    if (streamId !== this.#position?.streamId || !(isSignal || isSkip || isNext)) {
      this.#link.send(this.#request());
      return;
    }
    this.#position = { streamId, sequence };
    if (isNext) this.#takeStep(message);
  }

  #takeStep(message: UserMessage): void {
    switch (message.event_type) {
      case 'order':
        this.#takeOrder(message);
        break;
      case 'trade':
        this.#takeTrade(message);
        break;
      case 'balance':
        this.#setBalance(message);
        break;
      default:
        throw new Error(`${message.event_type} is an unknown kind of message`);
    }
    this.#parts.frames.add(this.#show);
  }

  #takeOrder(order: OwnOrder): void {
    const isLive = order.status === 'LIVE' || order.status === 'DELAYED';
    if (isLive) this.#orders.set(order.id, order);
    else this.#orders.delete(order.id);
    for (const listener of this.#listeners) listener({ kind: 'order', order });
  }

  #takeTrade(trade: OwnTrade): void {
    this.#trades.add(trade);
    for (const listener of this.#listeners) listener({ kind: 'trade', trade });
  }

  #setBalance(balance: OwnBalance): void {
    const name = balanceName(balance.address, balance.asset_id);
    if (balance.balance === '0' && balance.asset_id !== '') this.#balances.delete(name);
    else this.#balances.set(name, balance);
  }
}

const NO_CREDENTIALS: Credentials = { apiKey: '', secret: '', passphrase: '' };
const HIDDEN = '(hidden)';
