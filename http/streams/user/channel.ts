/**
 * The user channel (wire 7.1): a feed for each owner with sockets.
 *
 * Invariant: fed by durable batches after the views. A socket has a valid key of its owner; the
 * batch that revokes a key closes its sockets. Bound: a feed for each owner with sockets now or
 * within `ringKeepMs`; sockets without credentials for at most `authMs`.
 */
import { strict as assert } from 'node:assert';
import type { ChangedBalance, EngineEvent } from '../../../engine/index.ts';
import { lots, micros } from '../../../engine/model/index.ts';
import type { DurableCommand, RestoredState, SealedState } from '../../../persistence/index.ts';
import type { KeyRing } from '../../auth/key-ring.ts';
import { isSameText } from '../../auth/levels.ts';
import type { MarketTexts, TradeStatus } from '../../format/index.ts';
import type { Credentials } from '../../signing/credentials.ts';
import { tokenNamed } from '../../views/index.ts';
import type { StreamBounds } from '../delivery/bounds.ts';
import type { ClosingCode } from '../delivery/close-codes.ts';
import type { Connection } from '../delivery/connection.ts';
import { type ChannelParts, type ContentCache, streamContext } from '../delivery/context.ts';
import { RingStore } from '../delivery/message-ring.ts';
import type { StreamMetrics } from '../delivery/metrics.ts';
import type { Channel, Names, Session } from '../delivery/subscription.ts';
import { feedsOf, followedTrade, publishCommand } from './batch.ts';
import { OwnerFeed, type OwnerFeedContext, type ToldTrade } from './feed.ts';
import { USER_CHANNEL } from './messages.ts';
import { OrderKeys } from './order-keys.ts';
import { type UserChannelApi, UserSession } from './session.ts';
import type { AssetBalance } from './texts.ts';

interface AccountStore {
  readonly appliedSeq: number;
  readonly durableSeq: number;
  readonly state: OwnerStates & { readonly isMidBatch: boolean };
}

type OwnerStates = Pick<SealedState, 'copyOwner' | 'ownerSteps'>;

export interface AccountSource {
  readonly store: AccountStore;
  readonly keyRing: Pick<KeyRing, 'holderOf'>;
}

interface UserParts extends ChannelParts {
  /** Counts wrong credentials of an address; returns false if it has sent too many already. */
  readonly takeFailure: (address: string) => boolean;
  readonly content: ContentCache<MarketTexts>;
}

export class UserChannel implements Channel, UserChannelApi {
  readonly name = USER_CHANNEL.name;
  readonly path = USER_CHANNEL.address;
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  readonly #parts: UserParts;
  readonly #context: OwnerFeedContext;
  readonly #rings: RingStore;
  readonly #keys: OrderKeys;
  readonly #balances = new PendingBalances();
  readonly #feeds = new Map<string, OwnerFeed>();
  /** The same feeds, by each account of the owner. */
  readonly #feedOf = new Map<string, OwnerFeed>();
  readonly #beginning = new Set<OwnerFeed>();
  /** The feeds whose first state is not durable yet. */
  readonly #opening = new Set<OwnerFeed>();
  /** Authenticated sessions, by API key. */
  readonly #sessions = new Map<string, Set<UserSession>>();
  /** Sessions that are not authenticated, each with its deadline in ms. */
  readonly #unidentified = new Map<UserSession, number>();
  #feedCount = 0;
  /** Undefined until the store is open; until then no credentials are accepted. */
  source: AccountSource | undefined;

  constructor(parts: UserParts) {
    const { bounds, metrics, registry, content } = parts;
    this.#parts = parts;
    this.bounds = bounds;
    this.metrics = metrics;
    this.#keys = new OrderKeys(registry);
    this.#rings = new RingStore({
      ringBytesPerMarket: bounds.ringBytesPerOwner,
      ringBytes: bounds.ownerRingBytes,
    });
    this.#context = {
      ...streamContext(parts, this.#rings),
      tradesPerOrder: bounds.tradesPerOrder,
      largeOwner: bounds.largeOwner,
      labelsOf: (conditionId) => content.of(conditionId).outcomes,
      marketOf: (tokenId) => registry.token(tokenId)?.market.conditionId ?? '',
      tokenIdsOf: (conditionId) => registry.market(conditionId)?.tokenIds ?? ['', ''],
    };
  }

  /** Characters of all messages kept for resumes. */
  get ringBytes(): number {
    return this.#rings.bytes;
  }

  open(connection: Connection): Session {
    const session = new UserSession(connection, this);
    this.#unidentified.set(session, this.#parts.monotonicMs() + this.bounds.authMs);
    return session;
  }

  /** Takes the state of a start. Called after the views have taken it. */
  restore({ orderKeys }: Pick<RestoredState, 'orderKeys'>): void {
    this.#keys.restore(orderKeys);
  }

  seal(commands: readonly DurableCommand[], state: SealedState): void {
    for (const { events } of commands) for (const event of events) this.#noteAccount(event);
    this.#balances.read(commands, state, (account) => this.#feedOf.has(account));
    for (const feed of this.#beginning) this.#begin(feed, state, commands.at(-1)?.seq ?? 0);
    this.#beginning.clear();
  }

  /** Publishes what a durable batch changed. Called after the views have applied the batch. */
  consume(commands: readonly DurableCommand[]): void {
    const lastSeq = commands.at(-1)?.seq ?? 0;
    const opening = [...this.#opening].filter((feed) => feed.openSeq <= lastSeq);
    for (const feed of opening) {
      this.#opening.delete(feed);
      feed.open();
    }
    this.#keys.addAll(commands);
    const { faults } = this.#parts;
    if (faults.isOn) faults.beginWalks(commands, (orderId) => this.#keys.keyOf(orderId));
    for (const command of commands) this.#publish(command);
    this.#publishBalances(commands);
    this.#keys.dropClosed(commands);
    for (const feed of opening) this.#read(feed);
  }

  tellTrade(trade: ToldTrade, status: TradeStatus, toldMs: number): void {
    const followed = followedTrade(trade, this.#parts.registry);
    if (followed === undefined) return;
    for (const feed of feedsOf(followed, (account) => this.#feedOf.get(account))) {
      if (feed.isOpen) feed.told(followed, [status], toldMs);
    }
  }

  /** Sends heartbeats, drops idle owners, and closes sockets that did not authenticate in time. */
  sweep(): void {
    const nowMs = this.#parts.monotonicMs();
    for (const [session, untilMs] of this.#unidentified) {
      if (nowMs >= untilMs) session.end('auth_missing');
    }
    for (const feed of this.#feeds.values()) if (feed.sweep()) this.#drop(feed);
  }

  ownerOf({ apiKey, secret, passphrase }: Credentials): string | undefined {
    const holder = this.source?.keyRing.holderOf(apiKey);
    if (holder === undefined || holder.purpose === 'builder') return undefined;
    const { credentials, owner } = holder;
    const isSecret = isSameText(credentials.secret, secret);
    const isPassphrase = isSameText(credentials.passphrase, passphrase);
    return isSecret && isPassphrase ? owner : undefined;
  }

  admit(session: UserSession, owner: string): OwnerFeed | undefined {
    const feed = this.#feeds.get(owner) ?? this.#follow(owner);
    if (feed.sockets >= this.bounds.socketsPerOwner) return undefined;
    feed.addSocket();
    this.#unidentified.delete(session);
    const sessions = this.#sessions.get(session.apiKey) ?? new Set();
    sessions.add(session);
    this.#sessions.set(session.apiKey, sessions);
    return feed;
  }

  forget(session: UserSession): void {
    this.#unidentified.delete(session);
    const { apiKey, feed } = session;
    if (feed === undefined) return;
    feed.dropSocket();
    const sessions = this.#sessions.get(apiKey);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#sessions.delete(apiKey);
  }

  tokensOf({ tokens, markets }: Names): { tokenIds: readonly string[]; unknown: string[] } {
    const { registry } = this.#parts;
    const tokenIds: string[] = [];
    const unknown: string[] = [];
    for (const name of tokens) {
      const token = tokenNamed(registry, name);
      if (token === undefined) unknown.push(name);
      else tokenIds.push(token.market.tokenIds[token.outcome]);
    }
    for (const name of markets) {
      const market = registry.market(name.toLowerCase());
      if (market === undefined) unknown.push(name);
      else tokenIds.push(...market.tokenIds);
    }
    return { tokenIds, unknown };
  }

  marketsOf(tokenIds: readonly string[]): readonly string[] {
    return [...new Set(tokenIds.map(this.#context.marketOf))];
  }

  close(connection: Connection, code: ClosingCode): void {
    this.metrics.closed.add(code);
    connection.close(code);
  }

  /** As in HTTP, an address with too many failures is refused only if its credentials are wrong. */
  refusalOf({ peer }: Connection): ClosingCode {
    return this.#parts.takeFailure(peer.address) ? 'unauthorized' : 'too_many_failures';
  }

  #follow(owner: string): OwnerFeed {
    assert(this.source !== undefined, 'credentials are accepted only with an open store');
    const { store } = this.source;
    this.#feedCount += 1;
    const feed = new OwnerFeed(owner, this.#feedCount, this.#context);
    this.#feeds.set(owner, feed);
    if (store.state.isMidBatch) this.#beginning.add(feed);
    else this.#begin(feed, store.state, store.appliedSeq);
    if (store.durableSeq >= feed.openSeq) inTurnOf(feed, () => this.#open(feed));
    return feed;
  }

  #open(feed: OwnerFeed): void {
    if (!this.#opening.delete(feed)) return;
    feed.open();
    this.#read(feed);
  }

  /** Notes the orders of an open feed, some in each turn, and then continues its sessions. */
  #read(feed: OwnerFeed): void {
    inTurnOf(feed, () => {
      feed.read(this.bounds.largeOwner);
      if (feed.isRead) inTurnOf(feed, () => this.#proceed(feed));
      else this.#read(feed);
    });
  }

  /** Begins a feed with the state at the end of a batch. */
  #begin(feed: OwnerFeed, states: OwnerStates, openSeq: number): void {
    const { owner } = feed;
    feed.begin({ state: states.copyOwner(owner), openSeq, steps: states.ownerSteps(owner) });
    for (const account of feed.accounts) this.#feedOf.set(account, feed);
    this.#opening.add(feed);
  }

  #drop(feed: OwnerFeed): void {
    feed.clear();
    this.#beginning.delete(feed);
    this.#opening.delete(feed);
    this.#feeds.delete(feed.owner);
    for (const account of feed.accounts) this.#feedOf.delete(account);
  }

  #noteAccount(event: EngineEvent): void {
    if (event.kind !== 'account_opened') return;
    const feed = this.#feeds.get(event.owner);
    if (feed === undefined) return;
    feed.accounts.add(event.address);
    this.#feedOf.set(event.address, feed);
  }

  #publish(command: DurableCommand): void {
    const { registry } = this.#parts;
    if (this.#feeds.size > 0) {
      const feedOf = (account: string): OwnerFeed | undefined => this.#feedOf.get(account);
      publishCommand(command, { registry, keys: this.#keys, feedOf });
    }
    for (const event of command.events) {
      if (event.kind === 'api_key_revoked') this.#closeKey(event.apiKey);
    }
  }

  #closeKey(apiKey: string): void {
    for (const session of [...(this.#sessions.get(apiKey) ?? [])]) session.end('key_revoked');
  }

  #publishBalances(commands: readonly DurableCommand[]): void {
    const { seq = 0, timeMs = 0 } = commands.at(-1) ?? {};
    for (const balance of this.#balances.take(commands)) {
      const feed = this.#feedOf.get(balance.account);
      if (feed?.isOpen && seq > feed.openSeq) feed.balance(balance, timeMs);
    }
  }

  /** Continues the sessions that waited until the feed's first state was durable and read. */
  #proceed(feed: OwnerFeed): void {
    for (const sessions of this.#sessions.values()) {
      for (const session of sessions) if (session.feed === feed) session.proceed();
    }
  }
}

/**
 * Does a part of the beginning of a feed: at once, or in a turn of its own if the owner has many
 * orders, of which there may be 20,000. The second `setImmediate` comes after the next poll of the
 * sockets.
 */
function inTurnOf(feed: OwnerFeed, work: () => void): void {
  if (feed.isLarge) setImmediate(() => setImmediate(work));
  else work();
}

// The changed balances of followed accounts, by batch that is not durable yet. The engine runs
// ahead of the disk, so balances are read when a batch is handed to the journal, and published when
// the batch is durable. An account is followed while a client listens to its owner.
//
// Invariant: batches are taken in the order in which they were read, each once.
// Bound: the batches that are not durable, with the balances that each changed.

interface PendingBatch {
  readonly lastSeq: number;
  readonly balances: readonly AssetBalance[];
}

class PendingBalances {
  readonly #batches: PendingBatch[] = [];

  read(
    commands: readonly DurableCommand[],
    state: Pick<SealedState, 'changedBalances'>,
    isFollowed: (account: string) => boolean,
  ): void {
    const balances = state.changedBalances(isFollowed).map(assetBalance);
    this.#batches.push({ lastSeq: commands.at(-1)?.seq ?? 0, balances });
  }

  /**
   * Returns the balances that were read for a batch, now that it is durable. There are none for
   * batches that a start reads from the journal.
   */
  take(commands: readonly DurableCommand[]): readonly AssetBalance[] {
    const batch = this.#batches.shift();
    if (batch === undefined) return [];
    const isNext = batch.lastSeq === commands.at(-1)?.seq;
    assert(isNext, 'batches become durable in the order in which they are written');
    return batch.balances;
  }
}

function assetBalance({ available, held, ...asset }: ChangedBalance): AssetBalance {
  return asset.tokenId === ''
    ? { ...asset, available: micros(available), held: micros(held) }
    : { ...asset, available: lots(available), held: lots(held) };
}
