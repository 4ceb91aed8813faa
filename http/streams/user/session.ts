/**
 * One socket on the user channel: its owner, its filter, and the snapshot or resume that comes
 * before it listens.
 *
 * Invariant: it gets messages of the one owner that its credentials prove. It begins to listen in
 * the turn of the event loop that sends the last missed message, so that no message is lost in
 * between. Steps that the filter leaves out are reported as skipped, so that the client can account
 * for every sequence number.
 * Bound: `subscriptionsPerSocket`. A snapshot is sent as fast as the client reads.
 */
import type { Credentials } from '../../signing/credentials.ts';
import { type StreamBounds, TOKEN_BYTES } from '../delivery/bounds.ts';
import { type ClosingCode, unknownNamesMessage } from '../delivery/close-codes.ts';
import type { Connection } from '../delivery/connection.ts';
import { inLaterTurn } from '../delivery/context.ts';
import type { SocketSubject } from '../delivery/faults.ts';
import type { KeptMessage } from '../delivery/message-ring.ts';
import type { MissedReason } from '../delivery/messages.ts';
import type { StreamMetrics } from '../delivery/metrics.ts';
import {
  type ClientMessage,
  malformed,
  type Names,
  type ResumeRequest,
  readSubscription,
  type Session,
  type SubscriptionRequest,
} from '../delivery/subscription.ts';
import { TokenFilter } from '../delivery/token-filter.ts';
import { extraTopic, type FilteredListener, type OwnerFeed } from './feed.ts';
import type { TrackedOrder } from './order.ts';
import { type AssetBalance, ownerSignal, snapshotMessage, withKey } from './texts.ts';

export interface UserChannelApi {
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  /** The owner of a key; undefined for wrong credentials and for builder keys. */
  ownerOf(credentials: Credentials): string | undefined;
  /** Adds an authenticated session to the feed of its owner, unless that has too many sockets. */
  admit(session: UserSession, owner: string): OwnerFeed | undefined;
  forget(session: UserSession): void;
  /** The tokens that some names stand for, and the names that are unknown. */
  tokensOf(names: Names): { readonly tokenIds: readonly string[]; readonly unknown: string[] };
  marketsOf(tokenIds: readonly string[]): readonly string[];
  close(connection: Connection, code: ClosingCode): void;
  /**
   * Counts wrong credentials of a client's address, and returns the code that closes the socket.
   */
  refusalOf(connection: Connection): ClosingCode;
}

/** A snapshot that is being sent. */
interface Sending {
  /** The sequence of the last step that the snapshot contains. */
  readonly sequence: number;
  readonly orders: readonly TrackedOrder[];
  readonly balances: readonly AssetBalance[];
  readonly parts: number;
  sentParts: number;
}

/** The work of a row that is sent is that of so many rows that the filter leaves out. */
const READ_PER_ROW = 64;

/** What a session is sent before it listens. */
type Start =
  | { readonly kind: 'live' }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'resume'; readonly streamId: string; readonly sequence: number };

export class UserSession implements Session, FilteredListener {
  readonly #connection: Connection;
  readonly #channel: UserChannelApi;
  readonly #filter = new TokenFilter();
  #feed: OwnerFeed | undefined;
  #apiKey = '';
  /** Whether it gets what public venues do not have: snapshots, balances, `skipped`, heartbeats. */
  #hasFeatures = false;
  #start: Start | undefined;
  #sending: Sending | undefined;
  #isListening = false;
  readonly #continueLater = inLaterTurn(() => this.proceed());
  /** The last sequence that was sent or reported as skipped. Kept only with a filter. */
  #lastSequence = 0;

  constructor(connection: Connection, channel: UserChannelApi) {
    this.#connection = connection;
    this.#channel = channel;
  }

  get apiKey(): string {
    return this.#apiKey;
  }

  get feed(): OwnerFeed | undefined {
    return this.#feed;
  }

  receive(message: ClientMessage): void {
    const request = readUserRequest(message);
    const { names, resume } = request;
    const { subscriptionsPerMessage } = this.#channel.bounds;
    const named = names.tokens.length + names.markets.length;
    this.#connection.charge(named / subscriptionsPerMessage);
    const refusal = this.#identify(request.credentials);
    if (refusal !== undefined) {
      this.end(refusal);
      return;
    }
    const { tokenIds, unknown } = this.#channel.tokensOf(names);
    this.#keep(this.#filter.countWith(tokenIds));
    const { hasFeatures = resume !== undefined || this.#hasFeatures } = request;
    const start = this.#startAfter(startOf(request, hasFeatures));
    this.#pause();
    this.#hasFeatures = hasFeatures;
    this.#changeFilter(request, tokenIds);
    this.#keep(this.#filter.size);
    this.#start = start;
    this.#sendUnknownNames(unknown);
    this.proceed();
  }

  subject(): SocketSubject {
    const owner = this.#feed?.owner ?? '';
    const markets = this.#channel.marketsOf(this.#filter.named);
    return { channel: 'user', owner, apiKey: this.#apiKey, markets };
  }

  drained(): void {
    this.proceed();
  }

  closed(): void {
    this.#stopListening();
    this.#start = undefined;
    this.#sending = undefined;
    this.#channel.forget(this);
  }

  end(code: ClosingCode): void {
    this.#channel.close(this.#connection, code);
  }

  deliver(message: KeptMessage): boolean {
    const texts: string[] = [];
    this.#addMessage(message, texts);
    if (texts.length > 0 && this.#feed?.leavesOut(message, this.#apiKey)) texts.pop();
    if (texts.length > 0) this.#connection.send(...texts);
    return texts.length > 0;
  }

  heartbeat(text: string): void {
    if (!this.#hasFeatures) return;
    const texts: string[] = [];
    this.#addSkipped(this.#feed?.sequence ?? 0, texts);
    this.#connection.send(...texts, text);
  }

  /** Sends what comes before listening, as fast as the client reads. Called when it can go on. */
  proceed(): void {
    const feed = this.#feed;
    if (feed?.isRead !== true || !this.#connection.isOpen) return;
    const start = this.#start;
    this.#start = undefined;
    if (start?.kind === 'live') this.#listen(feed, feed.sequence);
    else if (start?.kind === 'snapshot') this.#sending = this.#capture(feed);
    else if (start?.kind === 'resume') this.#resume(feed, start.streamId, start.sequence);
    if (this.#sending !== undefined) this.#sendParts(feed, this.#sending);
  }

  /** Why the session is not authenticated, neither by this message nor before. */
  #identify(credentials: Credentials | undefined): ClosingCode | undefined {
    const isKnown = this.#feed !== undefined;
    if (credentials === undefined && isKnown) return undefined;
    const owner = credentials === undefined ? undefined : this.#channel.ownerOf(credentials);
    const isOther = isKnown && credentials?.apiKey !== this.#apiKey;
    if (credentials === undefined || owner === undefined || isOther) {
      return this.#channel.refusalOf(this.#connection);
    }
    if (isKnown) return undefined;
    this.#apiKey = credentials.apiKey;
    this.#feed = this.#channel.admit(this, owner);
    return this.#feed === undefined ? 'too_many_sockets' : undefined;
  }

  /** What to send after a message. An unfinished earlier start goes on, with the new filter. */
  #startAfter(start: Start): Start {
    if (start.kind !== 'live') return start;
    return this.#sending === undefined ? (this.#start ?? start) : { kind: 'snapshot' };
  }

  /** Throws if the filter names too many tokens. */
  #keep(tokens: number): void {
    this.#connection.keep(tokens, tokens * TOKEN_BYTES);
  }

  /** Counts rows that are read and sent again and again if the client asks for them so often. */
  #chargeRows(rows: number): void {
    this.#connection.chargeNetwork(rows / this.#channel.bounds.rowsPerMessage);
  }

  #changeFilter({ operation, names, resume }: UserRequest, tokenIds: readonly string[]): void {
    const isNamed = names.tokens.length + names.markets.length > 0;
    if (operation === 'unsubscribe') {
      if (isNamed) this.#filter.drop(tokenIds);
      else this.#filter.dropAll();
    } else if (isNamed) this.#filter.add(tokenIds);
    else if (resume === undefined || !this.#filter.isSet) this.#filter.addAll();
  }

  #sendUnknownNames(unknown: readonly string[]): void {
    if (!this.#hasFeatures || unknown.length === 0) return;
    const { namedUnknowns } = this.#channel.bounds;
    this.#connection.send(unknownNamesMessage(unknown, namedUnknowns));
  }

  #capture(feed: OwnerFeed): Sending {
    const all = [...feed.orders];
    const orders = all.filter(({ tokenId }) => this.#filter.wants([tokenId]));
    const balances = [...feed.balances].filter(({ tokenId }) =>
      this.#filter.wants(tokenId === '' ? [] : [tokenId]),
    );
    const rows = orders.length + balances.length;
    this.#chargeRows(rows + all.length / READ_PER_ROW);
    const parts = Math.max(1, Math.ceil(rows / this.#channel.bounds.snapshotRows));
    return { sequence: feed.sequence, orders, balances, parts, sentParts: 0 };
  }

  #sendParts(feed: OwnerFeed, sending: Sending): void {
    const { pausingBytes, bytesPerTurn } = this.#channel.bounds;
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
    if (missed === undefined) this.#restartSnapshot(feed);
    else this.#replay(feed, sending.sequence, missed);
  }

  #nextPart(feed: OwnerFeed, sending: Sending): string {
    const { sequence, orders, balances, parts } = sending;
    const { snapshotRows } = this.#channel.bounds;
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

  /** Starts again, because more has happened since the snapshot than the ring keeps. */
  #restartSnapshot(feed: OwnerFeed): void {
    this.#requireSnapshot(feed, 'out_of_reach');
    this.#continueLater();
  }

  #resume(feed: OwnerFeed, streamId: string, sequence: number): void {
    const missed = feed.missed(streamId, sequence);
    this.#channel.metrics.noteResume(missed !== undefined);
    if (missed === undefined) {
      const isSame = streamId === feed.stamp.streamId;
      this.#requireSnapshot(feed, isSame ? 'out_of_reach' : 'stream_changed');
      return;
    }
    const wanted = missed.filter((message) => this.#wants(message));
    const details = { replayed: wanted.length };
    this.#chargeRows(missed.length);
    this.#connection.send(ownerSignal('resumed', { ...feed.stamp, sequence }, details));
    this.#replay(feed, sequence, missed);
  }

  #requireSnapshot(feed: OwnerFeed, reason: MissedReason): void {
    this.#connection.send(ownerSignal('snapshot_required', feed.stamp, { reason }));
    this.#sending = this.#capture(feed);
  }

  /** Sends the messages missed after a sequence, then listens. */
  #replay(feed: OwnerFeed, sequence: number, missed: readonly KeptMessage[]): void {
    this.#lastSequence = sequence;
    const texts: string[] = [];
    for (const message of missed) this.#addMessage(message, texts);
    this.#addSkipped(feed.sequence, texts);
    if (texts.length > 0) this.#connection.send(...texts);
    this.#listen(feed, feed.sequence);
  }

  #listen(feed: OwnerFeed, lastSequence: number): void {
    this.#isListening = true;
    this.#lastSequence = lastSequence;
    if (!this.#filter.wantsEverything) {
      feed.addFiltered(this);
      return;
    }
    const topic = feed.topicOf(this.#apiKey);
    this.#connection.subscribe(topic);
    if (this.#hasFeatures) this.#connection.subscribe(extraTopic(topic));
  }

  /** Stops listening before a change, and reports what was skipped until then. */
  #pause(): void {
    this.#sending = undefined;
    const feed = this.#feed;
    if (feed === undefined || !this.#isListening) return;
    const texts: string[] = [];
    if (!this.#filter.wantsEverything) this.#addSkipped(feed.sequence, texts);
    if (texts.length > 0) this.#connection.send(...texts);
    this.#stopListening();
  }

  #stopListening(): void {
    if (this.#feed === undefined || !this.#isListening) return;
    this.#isListening = false;
    const topic = this.#feed.topicOf(this.#apiKey);
    this.#connection.unsubscribe(topic);
    this.#connection.unsubscribe(extraTopic(topic));
    this.#feed.dropFiltered(this);
  }

  #wants({ tokenIds, isExtra }: KeptMessage): boolean {
    return this.#filter.wants(tokenIds) && (this.#hasFeatures || !isExtra);
  }

  #addMessage(message: KeptMessage, texts: string[]): void {
    if (!this.#wants(message)) return;
    this.#addSkipped(message.sequence - 1, texts);
    texts.push(withKey(message.text, this.#apiKey));
    this.#lastSequence = message.sequence;
  }

  /** Adds a report of the steps that the filter removed, up to a sequence. */
  #addSkipped(sequence: number, texts: string[]): void {
    const feed = this.#feed;
    if (feed === undefined || !this.#hasFeatures || sequence <= this.#lastSequence) return;
    const details = { first_sequence: this.#lastSequence + 1 };
    texts.push(ownerSignal('skipped', { ...feed.stamp, sequence }, details));
    this.#lastSequence = sequence;
  }
}

function startOf({ operation, wantsDump, resume }: UserRequest, hasFeatures: boolean): Start {
  if (resume !== undefined) return resumeOf(resume);
  return { kind: operation === 'subscribe' && wantsDump && hasFeatures ? 'snapshot' : 'live' };
}

function resumeOf({ streamId, sequence }: ResumeRequest): Start {
  if (sequence !== undefined) return { kind: 'resume', streamId, sequence };
  return malformed('sequence', 'a whole number: the sequence of the last message');
}

// A client's message on the user channel (wire 7.1).
//
// Invariant: the owner is never read from a message; the credentials prove it.

interface UserRequest extends SubscriptionRequest {
  /** Undefined in a message without `auth`. */
  readonly credentials: Credentials | undefined;
}

/** Throws `StreamError`. */
export function readUserRequest(message: ClientMessage): UserRequest {
  return {
    ...readSubscription(message, 'user'),
    credentials: credentialsIn(message.auth),
  };
}

function credentialsIn(auth: unknown): Credentials | undefined {
  if (auth === undefined || auth === null) return undefined;
  if (typeof auth !== 'object') return malformed('auth', 'an object');
  const texts = new Map(Object.entries(auth).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    // A UUID is the same in either case (RFC 9562).
    apiKey: textOf(texts.get('apikey')).toLowerCase(),
    secret: textOf(texts.get('secret')),
    passphrase: textOf(texts.get('passphrase')),
  };
}

/** '' for a missing value, which then fails like any wrong text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
