/**
 * The user channel: `/ws/user` (wire 7.1). An owner's orders, trades and balances, to whoever has
 * a good key of that owner.
 *
 * Invariant: nobody hears of an owner without a key of it that is good at that moment: a revoked
 * key's sockets are closed by the batch that revokes it. Fed by durable batches, after the views.
 * Bound: owners with sockets, and those that had one a while ago; their last sequences; sockets
 * that have not said who they are, for `authMs`.
 */
import { strict as assert } from 'node:assert';
import type { EngineEvent, OwnerState } from '../../../engine/index.ts';
import type { BalanceOf, DurableCommand, RestoredState } from '../../../persistence/index.ts';
import type { KeyRing } from '../../auth/index.ts';
import { isSameText } from '../../auth/index.ts';
import type {
  Channel,
  ClosingCode,
  Connection,
  Session,
  StreamBounds,
  WordCache,
} from '../delivery/index.ts';
import { RingStore } from '../delivery/index.ts';
import type { ChannelParts, Names } from '../market/index.ts';
import { tellCommand } from './account-batch.ts';
import { type AccountContext, AccountFeed } from './account-feed.ts';
import { OrderKeys } from './order-keys.ts';
import type { UserCredentials } from './request.ts';
import { SealedBalances } from './sealed-balances.ts';
import { type UserDesk, UserSession } from './session.ts';

/** What the user channel needs of the open store. */
interface AccountStore {
  readonly appliedSeq: number;
  readonly durableSeq: number;
  ownerState(owner: string): OwnerState;
}

export interface AccountSource {
  readonly store: AccountStore;
  readonly keyRing: Pick<KeyRing, 'holderOf'>;
}

interface UserParts extends ChannelParts {
  /** Counts wrong credentials of an address; false where it has sent too many already. */
  readonly takeFailure: (address: string) => boolean;
  readonly words: WordCache;
}

export class UserChannel implements Channel, UserDesk {
  readonly name = 'user';
  readonly path = '/ws/user';
  readonly bounds: StreamBounds;
  readonly #parts: UserParts;
  readonly #context: AccountContext;
  readonly #rings: RingStore;
  readonly #keys: OrderKeys;
  readonly #sealed: SealedBalances;
  /** By owner, and by each of its accounts. */
  readonly #feeds = new Map<string, AccountFeed>();
  readonly #feedOf = new Map<string, AccountFeed>();
  /** Those whose start is not durable yet: a batch does not ask all that there are. */
  readonly #opening = new Set<AccountFeed>();
  /** Of owners that nobody listens as any more: where their sequences stopped. */
  readonly #lastSequences = new Map<string, number>();
  /** Of those who said who they are, by API key. */
  readonly #sessions = new Map<string, Set<UserSession>>();
  /** Until when those who did not may. */
  readonly #strangers = new Map<UserSession, number>();
  #feedCount = 0;
  /** Undefined until the store is open: nobody is let in. */
  source: AccountSource | undefined;

  constructor(parts: UserParts) {
    const { hub, bounds, now, monotonicMs, store, registry, words } = parts;
    this.#parts = parts;
    this.bounds = bounds;
    this.#keys = new OrderKeys(registry);
    this.#sealed = new SealedBalances(registry);
    this.#rings = new RingStore({
      ringBytesPerMarket: bounds.ringBytesPerOwner,
      ringBytes: bounds.ownerRingBytes,
    });
    this.#context = {
      ...bounds,
      streamId: () => store().streamId,
      now,
      monotonicMs,
      rings: this.#rings,
      hasListeners: (topic) => hub.hasListeners(topic),
      publish: (topic, text) => hub.publish(topic, text),
      labelsOf: (conditionId) => words.of(conditionId).outcomes,
      tokenIdsOf: (conditionId) => registry.market(conditionId)?.tokenIds ?? ['', ''],
    };
  }

  /** Characters of all messages that are kept. */
  get ringBytes(): number {
    return this.#rings.bytes;
  }

  open(connection: Connection): Session {
    const session = new UserSession(connection, this);
    this.#strangers.set(session, this.#parts.monotonicMs() + this.bounds.authMs);
    return session;
  }

  /** Takes what a snapshot says of all commands before, when the views have taken it. */
  restore({ orderKeys, builderAccounts }: RestoredState): void {
    this.#keys.restore(orderKeys);
    this.#sealed.restore(builderAccounts);
  }

  /** Reads the balances after a batch that is not durable yet. */
  seal(commands: readonly DurableCommand[], balanceOf: BalanceOf): void {
    for (const { events } of commands) for (const event of events) this.#noteAccount(event);
    this.#sealed.seal(commands, balanceOf, (account) => this.#feedOf.has(account));
  }

  /** Tells what a durable batch changed; the views have taken it before. */
  consume(commands: readonly DurableCommand[]): void {
    const lastSeq = commands.at(-1)?.seq ?? 0;
    const opening = [...this.#opening].filter((feed) => feed.openSeq <= lastSeq);
    for (const feed of opening) {
      this.#opening.delete(feed);
      feed.open();
    }
    this.#keys.addAll(commands);
    for (const command of commands) this.#tell(command);
    this.#tellBalances(commands);
    this.#keys.dropClosed(commands);
    for (const feed of opening) this.#proceed(feed);
  }

  /** Sends heartbeats, lets go of owners nobody asks for, and closes who does not say who it is. */
  look(): void {
    const nowMs = this.#parts.monotonicMs();
    for (const [session, untilMs] of this.#strangers) {
      if (nowMs >= untilMs) session.end('auth_missing');
    }
    for (const feed of this.#feeds.values()) if (feed.look()) this.#drop(feed);
  }

  ownerOf({ apiKey, secret, passphrase }: UserCredentials): string | undefined {
    const holder = this.source?.keyRing.holderOf(apiKey);
    if (holder === undefined || holder.purpose === 'builder') return undefined;
    const { credentials, owner } = holder;
    const isSecret = isSameText(credentials.secret, secret);
    const isPassphrase = isSameText(credentials.passphrase, passphrase);
    return isSecret && isPassphrase ? owner : undefined;
  }

  admit(session: UserSession, owner: string): AccountFeed {
    this.#strangers.delete(session);
    const sessions = this.#sessions.get(session.apiKey) ?? new Set();
    sessions.add(session);
    this.#sessions.set(session.apiKey, sessions);
    const feed = this.#feeds.get(owner) ?? this.#follow(owner);
    feed.enter();
    return feed;
  }

  forget(session: UserSession): void {
    this.#strangers.delete(session);
    const { apiKey, feed } = session;
    if (feed === undefined) return;
    feed.leave();
    const sessions = this.#sessions.get(apiKey);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#sessions.delete(apiKey);
  }

  tokensOf({ tokens, markets }: Names): { tokenIds: readonly string[]; unknown: string[] } {
    const { registry } = this.#parts;
    const tokenIds: string[] = [];
    const unknown: string[] = [];
    for (const tokenId of tokens) {
      if (registry.token(tokenId) === undefined) unknown.push(tokenId);
      else tokenIds.push(tokenId);
    }
    for (const name of markets) {
      const market = registry.market(name.toLowerCase());
      if (market === undefined) unknown.push(name);
      else tokenIds.push(...market.tokenIds);
    }
    return { tokenIds, unknown };
  }

  close(connection: Connection, code: ClosingCode): void {
    this.#parts.metrics.closed.add(code);
    connection.close(code);
  }

  /** As over HTTP: right ones are never refused for the wrong ones of others of the address. */
  refusalOf({ peer }: Connection): ClosingCode {
    return this.#parts.takeFailure(peer.address) ? 'unauthorized' : 'too_many_failures';
  }

  noteResume(isReplayed: boolean): void {
    this.#parts.metrics.resumes.add(isReplayed ? 'replayed' : 'snapshot');
  }

  #follow(owner: string): AccountFeed {
    assert(this.source !== undefined, 'whoever was let in has a key');
    const { store } = this.source;
    const openSeq = store.appliedSeq;
    this.#feedCount += 1;
    const feed = new AccountFeed(
      {
        owner,
        index: this.#feedCount,
        state: store.ownerState(owner),
        openSeq,
        // What happened while nobody listened counts as one step.
        sequence: (this.#lastSequences.get(owner) ?? -1) + 1,
      },
      this.#context,
    );
    this.#lastSequences.delete(owner);
    this.#feeds.set(owner, feed);
    for (const account of feed.accounts) this.#feedOf.set(account, feed);
    if (store.durableSeq >= openSeq) feed.open();
    else this.#opening.add(feed);
    return feed;
  }

  #drop(feed: AccountFeed): void {
    feed.clear();
    this.#opening.delete(feed);
    this.#feeds.delete(feed.owner);
    for (const account of feed.accounts) this.#feedOf.delete(account);
    this.#lastSequences.set(feed.owner, feed.sequence);
  }

  #noteAccount(event: EngineEvent): void {
    if (event.kind !== 'account_opened') return;
    const feed = this.#feeds.get(event.owner);
    if (feed === undefined) return;
    feed.accounts.add(event.address);
    this.#feedOf.set(event.address, feed);
  }

  #tell(command: DurableCommand): void {
    const { registry } = this.#parts;
    if (this.#feeds.size > 0) {
      const feedOf = (account: string): AccountFeed | undefined => this.#feedOf.get(account);
      tellCommand(command, { registry, keys: this.#keys, feedOf });
    }
    for (const event of command.events) {
      if (event.kind === 'api_key_revoked') this.#closeKey(event.apiKey);
    }
  }

  #closeKey(apiKey: string): void {
    for (const session of [...(this.#sessions.get(apiKey) ?? [])]) session.end('key_revoked');
  }

  #tellBalances(commands: readonly DurableCommand[]): void {
    const { seq = 0, timeMs = 0 } = commands.at(-1) ?? {};
    for (const balance of this.#sealed.take(commands)) {
      const feed = this.#feedOf.get(balance.account);
      if (feed?.isOpen && seq > feed.openSeq) feed.balance(balance, timeMs);
    }
  }

  /** Those who came before what they are shown was durable. */
  #proceed(feed: AccountFeed): void {
    for (const sessions of this.#sessions.values()) {
      for (const session of sessions) if (session.feed === feed) session.proceed();
    }
  }
}
