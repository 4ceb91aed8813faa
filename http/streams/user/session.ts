/**
 * One socket on the user channel: who it is, what it wants, and what it has yet to be sent before
 * it listens.
 *
 * Invariant: it hears of one owner, the one that its credentials prove. It begins to listen in the
 * turn in which the last of what it missed is sent, so that nothing falls between; what its filter
 * leaves out is told as skipped, so that each number of the owner's sequence is accounted for.
 * Bound: `subscriptionsPerSocket`; a snapshot goes out as fast as the client reads.
 */
import { setImmediate } from 'node:timers';
import type {
  ClientMessage,
  Connection,
  KeptMessage,
  Session,
  StreamBounds,
} from '../delivery/index.ts';
import { type ClosingCode, faultMessage, StreamError, TokenFilter } from '../delivery/index.ts';
import type { LeftOff, Names } from '../market/index.ts';
import type { AccountFeed, PickyListener } from './account-feed.ts';
import type { AccountOrder } from './account-order.ts';
import { type AssetBalance, accountSignal, snapshotMessage, withKey } from './account-texts.ts';
import { readUserRequest, type UserCredentials, type UserRequest } from './request.ts';

/** What sessions ask of their channel. */
export interface UserDesk {
  readonly bounds: StreamBounds;
  /** The owner of a good key that may listen; undefined for wrong credentials. */
  ownerOf(credentials: UserCredentials): string | undefined;
  /** From now on the session is the owner's. */
  admit(session: UserSession, owner: string): AccountFeed;
  /** The session is gone. */
  forget(session: UserSession): void;
  /** Tokens by their names; undefined for one that is unknown. */
  tokensOf(names: Names): { readonly tokenIds: readonly string[]; readonly unknown: string[] };
  close(connection: Connection, code: ClosingCode): void;
  /** Counts wrong credentials against the address that sent them; what closes its socket. */
  refusalOf(connection: Connection): ClosingCode;
  noteResume(isReplayed: boolean): void;
}

/** A snapshot on its way. */
interface Sending {
  /** Of the last step that is in it. */
  readonly sequence: number;
  readonly orders: readonly AccountOrder[];
  readonly balances: readonly AssetBalance[];
  readonly parts: number;
  sentParts: number;
}

type Wish =
  | { readonly kind: 'live' }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'resume'; readonly streamId: string; readonly sequence: number };

export class UserSession implements Session, PickyListener {
  readonly #connection: Connection;
  readonly #desk: UserDesk;
  readonly #filter = new TokenFilter();
  #feed: AccountFeed | undefined;
  #apiKey = '';
  /** What is to be done before it listens. */
  #wish: Wish | undefined;
  #sending: Sending | undefined;
  #isListening = false;
  #isContinuing = false;
  /** Of the last step that it was told of, while its filter leaves something out. */
  #lastSequence = 0;

  constructor(connection: Connection, desk: UserDesk) {
    this.#connection = connection;
    this.#desk = desk;
  }

  get apiKey(): string {
    return this.#apiKey;
  }

  get feed(): AccountFeed | undefined {
    return this.#feed;
  }

  receive(message: ClientMessage): void {
    const request = readUserRequest(message);
    if (!this.#identify(request.credentials)) {
      this.end(this.#desk.refusalOf(this.#connection));
      return;
    }
    const { tokenIds, unknown } = this.#desk.tokensOf(request.names);
    this.#checkCount(tokenIds);
    const wish = this.#wishAfter(wishOf(request));
    this.#pause();
    this.#change(request, tokenIds);
    this.#wish = wish;
    this.#tellUnknown(message, unknown);
    this.proceed();
  }

  drained(): void {
    this.proceed();
  }

  closed(): void {
    this.#stopListening();
    this.#wish = undefined;
    this.#sending = undefined;
    this.#desk.forget(this);
  }

  end(code: ClosingCode): void {
    this.#desk.close(this.#connection, code);
  }

  hear(message: KeptMessage): boolean {
    const texts: string[] = [];
    this.#tell(message, texts);
    if (texts.length > 0) this.#connection.send(...texts);
    return texts.length > 0;
  }

  beat(text: string): void {
    const texts: string[] = [];
    this.#tellSkipped(this.#feed?.sequence ?? 0, texts);
    this.#connection.send(...texts, text);
  }

  /** Does what is wished for, as far as the client reads it; to be called when more can be done. */
  proceed(): void {
    const feed = this.#feed;
    if (feed?.isOpen !== true || !this.#connection.isOpen) return;
    const wish = this.#wish;
    this.#wish = undefined;
    if (wish?.kind === 'live') this.#listen(feed, feed.sequence);
    else if (wish?.kind === 'snapshot') this.#sending = this.#capture(feed);
    else if (wish?.kind === 'resume') this.#resume(feed, wish.streamId, wish.sequence);
    if (this.#sending !== undefined) this.#sendParts(feed, this.#sending);
  }

  /** Whether the client is who it says, or was already. */
  #identify(credentials: UserCredentials | undefined): boolean {
    if (credentials === undefined) return this.#feed !== undefined;
    const owner = this.#desk.ownerOf(credentials);
    if (owner === undefined) return false;
    if (this.#feed !== undefined) return credentials.apiKey === this.#apiKey;
    this.#apiKey = credentials.apiKey;
    this.#feed = this.#desk.admit(this, owner);
    return true;
  }

  /** What was asked for before and is not there yet still comes, by what is wanted now. */
  #wishAfter(wish: Wish): Wish {
    if (wish.kind !== 'live') return wish;
    return this.#sending === undefined ? (this.#wish ?? wish) : { kind: 'snapshot' };
  }

  /** Nothing of a message that goes too far is done. */
  #checkCount(tokenIds: readonly string[]): void {
    const limit = this.#desk.bounds.subscriptionsPerSocket;
    const actual = this.#filter.countWith(tokenIds);
    if (actual > limit) throw new StreamError('too_many_subscriptions', { limit, actual });
  }

  #change({ operation, names, leftOff }: UserRequest, tokenIds: readonly string[]): void {
    const isNamed = names.tokens.length + names.markets.length > 0;
    if (operation === 'unsubscribe') {
      if (isNamed) this.#filter.drop(tokenIds);
      else this.#filter.dropAll();
    } else if (isNamed) this.#filter.add(tokenIds);
    else if (leftOff === undefined || !this.#filter.isSet) this.#filter.addAll();
  }

  #tellUnknown({ custom_feature_enabled: isOn }: ClientMessage, unknown: readonly string[]): void {
    if (isOn !== true || unknown.length === 0) return;
    const names = unknown.slice(0, this.#desk.bounds.namedUnknowns);
    const actual = unknown.length;
    this.#connection.send(faultMessage(new StreamError('names_unknown', { actual, names })));
  }

  #capture(feed: AccountFeed): Sending {
    const orders = [...feed.orders].filter(({ tokenId }) => this.#filter.wants([tokenId]));
    const balances = [...feed.balances].filter(({ tokenId }) =>
      this.#filter.wants(tokenId === '' ? [] : [tokenId]),
    );
    const rows = orders.length + balances.length;
    const parts = Math.max(1, Math.ceil(rows / this.#desk.bounds.snapshotRows));
    return { sequence: feed.sequence, orders, balances, parts, sentParts: 0 };
  }

  #sendParts(feed: AccountFeed, sending: Sending): void {
    const { pausingBytes, bytesPerTurn } = this.#desk.bounds;
    let sent = 0;
    while (sending.sentParts < sending.parts) {
      if (!this.#connection.isOpen || this.#connection.waitingBytes > pausingBytes) return;
      if (sent > bytesPerTurn) {
        this.#continueLater();
        return;
      }
      const text = this.#nextPart(feed, sending);
      sent += text.length;
      this.#connection.send(text);
    }
    this.#sending = undefined;
    const missed = feed.missed(feed.stamp.streamId, sending.sequence);
    if (missed === undefined) this.#beginAgain(feed);
    else this.#replay(feed, sending.sequence, missed);
  }

  #nextPart(feed: AccountFeed, sending: Sending): string {
    const { sequence, orders, balances, parts } = sending;
    const { snapshotRows } = this.#desk.bounds;
    const start = sending.sentParts * snapshotRows;
    const end = start + snapshotRows;
    sending.sentParts += 1;
    const rows = {
      orders: orders.slice(start, end),
      balances: balances.slice(
        Math.max(0, start - orders.length),
        Math.max(0, end - orders.length),
      ),
    };
    const text = snapshotMessage(
      { part: sending.sentParts, parts, ...rows },
      (conditionId) => feed.labelsOf(conditionId),
      { ...feed.stamp, sequence },
    );
    return withKey(text, this.#apiKey);
  }

  /** More happened while the snapshot went out than is kept. */
  #beginAgain(feed: AccountFeed): void {
    this.#requireSnapshot(feed, 'out_of_reach');
    this.#continueLater();
  }

  #continueLater(): void {
    if (this.#isContinuing) return;
    this.#isContinuing = true;
    setImmediate(() => {
      this.#isContinuing = false;
      this.proceed();
    });
  }

  #resume(feed: AccountFeed, streamId: string, sequence: number): void {
    const missed = feed.missed(streamId, sequence);
    this.#desk.noteResume(missed !== undefined);
    if (missed === undefined) {
      const isSame = streamId === feed.stamp.streamId;
      this.#requireSnapshot(feed, isSame ? 'out_of_reach' : 'stream_changed');
      return;
    }
    const wanted = missed.filter(({ tokenIds }) => this.#filter.wants(tokenIds));
    const details = { replayed: wanted.length };
    this.#connection.send(accountSignal('resumed', { ...feed.stamp, sequence }, details));
    this.#replay(feed, sequence, missed);
  }

  #requireSnapshot(feed: AccountFeed, reason: string): void {
    this.#connection.send(accountSignal('snapshot_required', feed.stamp, { reason }));
    this.#sending = this.#capture(feed);
  }

  /** Sends what was missed after a sequence, and listens from there on. */
  #replay(feed: AccountFeed, sequence: number, missed: readonly KeptMessage[]): void {
    this.#lastSequence = sequence;
    const texts: string[] = [];
    for (const message of missed) this.#tell(message, texts);
    this.#tellSkipped(feed.sequence, texts);
    if (texts.length > 0) this.#connection.send(...texts);
    this.#listen(feed, feed.sequence);
  }

  #listen(feed: AccountFeed, lastSequence: number): void {
    this.#isListening = true;
    this.#lastSequence = lastSequence;
    if (this.#filter.wantsEverything) this.#connection.subscribe(feed.topicOf(this.#apiKey));
    else feed.addPicky(this);
  }

  /** Before something else is wished for: says what was skipped until now. */
  #pause(): void {
    this.#sending = undefined;
    const feed = this.#feed;
    if (feed === undefined || !this.#isListening) return;
    const texts: string[] = [];
    if (!this.#filter.wantsEverything) this.#tellSkipped(feed.sequence, texts);
    if (texts.length > 0) this.#connection.send(...texts);
    this.#stopListening();
  }

  #stopListening(): void {
    if (this.#feed === undefined || !this.#isListening) return;
    this.#isListening = false;
    this.#connection.unsubscribe(this.#feed.topicOf(this.#apiKey));
    this.#feed.dropPicky(this);
  }

  #tell({ sequence, tokenIds, text }: KeptMessage, texts: string[]): void {
    if (!this.#filter.wants(tokenIds)) return;
    this.#tellSkipped(sequence - 1, texts);
    texts.push(withKey(text, this.#apiKey));
    this.#lastSequence = sequence;
  }

  /** What the filter left out, up to a sequence. */
  #tellSkipped(sequence: number, texts: string[]): void {
    const feed = this.#feed;
    if (feed === undefined || sequence <= this.#lastSequence) return;
    const details = { first_sequence: this.#lastSequence + 1 };
    texts.push(accountSignal('skipped', { ...feed.stamp, sequence }, details));
    this.#lastSequence = sequence;
  }
}

function wishOf({ operation, wantsDump, leftOff }: UserRequest): Wish {
  if (leftOff !== undefined) return resumeOf(leftOff);
  return { kind: operation === 'subscribe' && wantsDump ? 'snapshot' : 'live' };
}

function resumeOf({ streamId, sequence }: LeftOff): Wish {
  if (sequence !== undefined) return { kind: 'resume', streamId, sequence };
  const expected = 'a whole number: the sequence of the last message';
  throw new StreamError('field_malformed', { field: 'sequence', expected });
}
