/**
 * One socket on the market channel: its open markets, and requested markets that are not open yet.
 *
 * Invariant: a market is opened for a client in one turn of the event loop: the socket subscribes
 * to the topics and is sent the books or missed messages, so that no message is lost in between. No
 * market is opened while more than `pausingBytes` wait for the client.
 * Bound: `subscriptionsPerSocket` tokens.
 */
import type { Outcome } from '../../../engine/index.ts';
import { type StreamBounds, TOKEN_BYTES } from '../delivery/bounds.ts';
import { StreamError, unknownNamesMessage } from '../delivery/close-codes.ts';
import type { Connection } from '../delivery/connection.ts';
import { inLaterTurn } from '../delivery/context.ts';
import type { SocketSubject } from '../delivery/faults.ts';
import type { StreamMetrics } from '../delivery/metrics.ts';
import {
  type ClientMessage,
  type ResumeRequest,
  readSubscription,
  type Session,
  type SubscriptionRequest,
} from '../delivery/subscription.ts';
import type { MarketFeed } from './feed.ts';
import { signalMessage } from './texts.ts';

export interface MarketChannelApi {
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  /** The topic of new and resolved markets, for clients with custom features. */
  readonly lifecycleTopic: string;
  /** By decimal token id. */
  token(tokenId: string): { readonly feed: MarketFeed; readonly outcome: Outcome } | undefined;
  /** By condition id in lower case. */
  market(conditionId: string): MarketFeed | undefined;
  /** The message of a market's resolution; undefined while it is not resolved. */
  resolutionText(feed: MarketFeed): string | undefined;
}

/** A set of outcomes, as bits. */
type Mask = number;
const BOTH: Mask = 3;
const OUTCOMES = [0, 1] as const;
function bitOf(outcome: Outcome): Mask {
  return 1 << outcome;
}
function has(mask: Mask, outcome: Outcome): boolean {
  return (mask & bitOf(outcome)) !== 0;
}
function countOf(mask: Mask): number {
  return (mask & 1) + (mask >> 1);
}

/** The last message of a market that a client got. */
interface ResumePoint {
  readonly streamId: string;
  readonly sequence: number;
}

/** A requested market that is not opened yet. */
interface PendingMarket {
  readonly mask: Mask;
  /** The tokens of `mask` whose books are sent. */
  readonly dump: Mask;
  /** The tokens of `mask` that resume. */
  readonly resumed: Mask;
  readonly resumeFrom: ResumePoint | undefined;
}

interface NamedMarkets {
  readonly masks: Map<MarketFeed, Mask>;
  readonly unknown: readonly string[];
}

export class MarketSession implements Session {
  readonly #connection: Connection;
  readonly #channel: MarketChannelApi;
  readonly #masks = new Map<MarketFeed, Mask>();
  readonly #pending = new Map<MarketFeed, PendingMarket>();
  /** Tokens of open and pending markets. */
  #tokens = 0;
  #hasFeatures = false;
  readonly #continueLater = inLaterTurn(() => this.#openPending());

  constructor(connection: Connection, channel: MarketChannelApi) {
    this.#connection = connection;
    this.#channel = channel;
  }

  receive(message: ClientMessage): void {
    const request = readSubscription(message, 'market');
    const { names, resume } = request;
    this.#charge(names.tokens.length + names.markets.length + (resume?.sequences.size ?? 0));
    const found = this.#findMarkets(request);
    if (request.operation === 'unsubscribe') this.#dropMarkets(found.masks);
    else this.#addPending(request, found);
    this.#setFeatures(request.hasFeatures);
    if (this.#hasFeatures && found.unknown.length > 0) {
      const { namedUnknowns } = this.#channel.bounds;
      this.#connection.send(unknownNamesMessage(found.unknown, namedUnknowns));
    }
    this.#openPending();
  }

  subject(): SocketSubject {
    const masks = this.#masks;
    return {
      channel: 'market',
      owner: '',
      apiKey: '',
      get markets() {
        return [...masks.keys()].map(({ conditionId }) => conditionId);
      },
    };
  }

  drained(): void {
    this.#openPending();
  }

  closed(): void {
    this.#pending.clear();
    this.#masks.clear();
  }

  /** Counts subscriptions as further messages, because each of them causes work. */
  #charge(subscriptions: number): void {
    this.#connection.charge(subscriptions / this.#channel.bounds.subscriptionsPerMessage);
  }

  #findMarkets({ names, resume }: SubscriptionRequest): NamedMarkets {
    const masks = new Map<MarketFeed, Mask>();
    const unknown: string[] = [];
    const add = (feed: MarketFeed | undefined, mask: Mask, name: string): void => {
      if (feed === undefined) unknown.push(name);
      else masks.set(feed, (masks.get(feed) ?? 0) | mask);
    };
    for (const tokenId of names.tokens) {
      const token = this.#channel.token(tokenId);
      add(token?.feed, token === undefined ? 0 : bitOf(token.outcome), tokenId);
    }
    const isNamed = names.tokens.length + names.markets.length > 0;
    const markets = isNamed ? names.markets : [...(resume?.sequences.keys() ?? [])];
    for (const name of markets) add(this.#channel.market(name.toLowerCase()), BOTH, name);
    return { masks, unknown };
  }

  #addPending({ wantsDump, resume }: SubscriptionRequest, { masks }: NamedMarkets): void {
    const resumes = resume === undefined ? undefined : resumesOf(resume, masks);
    this.#noteTokens(masks, (wanted, mask) => wanted | mask);
    for (const [feed, mask] of masks) {
      const resumeFrom = resumes?.get(feed);
      const dump = resumeFrom === undefined && wantsDump ? mask : 0;
      const resumed = resumeFrom === undefined ? 0 : mask;
      const earlier = this.#pending.get(feed);
      this.#pending.set(feed, merged(earlier, { mask, dump, resumed, resumeFrom }));
    }
  }

  /** Throws if there would be too many subscriptions. Called before anything is changed. */
  #noteTokens(
    masks: ReadonlyMap<MarketFeed, Mask>,
    change: (wanted: Mask, mask: Mask) => Mask,
  ): void {
    let tokens = this.#tokens;
    for (const [feed, mask] of masks) {
      const wanted = (this.#masks.get(feed) ?? 0) | (this.#pending.get(feed)?.mask ?? 0);
      tokens += countOf(change(wanted, mask)) - countOf(wanted);
    }
    this.#connection.keep(tokens, tokens * TOKEN_BYTES);
    this.#tokens = tokens;
  }

  #dropMarkets(masks: ReadonlyMap<MarketFeed, Mask>): void {
    this.#noteTokens(masks, (wanted, mask) => wanted & ~mask);
    for (const [feed, mask] of masks) {
      const opening = this.#pending.get(feed);
      if (opening !== undefined) {
        const rest = opening.mask & ~mask;
        const dump = opening.dump & rest;
        const resumed = opening.resumed & rest;
        if (rest === 0) this.#pending.delete(feed);
        else this.#pending.set(feed, { ...opening, mask: rest, dump, resumed });
      }
      const joined = this.#masks.get(feed) ?? 0;
      if ((joined & mask) === 0) continue;
      const left = joined & ~mask;
      if (left === 0) this.#masks.delete(feed);
      else this.#masks.set(feed, left);
      this.#setTopics(feed, left);
    }
  }

  #setFeatures(hasFeatures: boolean | undefined): void {
    if (hasFeatures === undefined || hasFeatures === this.#hasFeatures) return;
    this.#hasFeatures = hasFeatures;
    this.#setTopic(this.#channel.lifecycleTopic, hasFeatures);
    this.#charge(this.#masks.size);
    for (const [feed, mask] of this.#masks) this.#setTopics(feed, mask);
  }

  #setTopic(topic: string, isWanted: boolean): void {
    if (isWanted) this.#connection.subscribe(topic);
    else this.#connection.unsubscribe(topic);
  }

  /** Subscribes to a market's topics for a mask of outcomes, and unsubscribes from its others. */
  #setTopics(feed: MarketFeed, mask: Mask): void {
    const { market, tokens, tokenFeatures } = feed.topics;
    this.#setTopic(market, mask !== 0);
    for (const outcome of OUTCOMES) {
      this.#setTopic(tokens[outcome], has(mask, outcome));
      this.#setTopic(tokenFeatures[outcome], has(mask, outcome) && this.#hasFeatures);
    }
  }

  /** Opens markets within the bounds; continues in a later turn, or when the client has read. */
  #openPending(): void {
    const { pausingBytes, bytesPerTurn } = this.#channel.bounds;
    let sent = 0;
    for (const [feed, opening] of this.#pending) {
      if (!this.#connection.isOpen || this.#connection.waitingBytes > pausingBytes) return;
      if (sent > bytesPerTurn) {
        this.#continueLater();
        return;
      }
      this.#pending.delete(feed);
      sent += this.#openMarket(feed, opening);
    }
  }

  /** Returns the number of characters sent. */
  #openMarket(feed: MarketFeed, { mask, dump, resumed, resumeFrom }: PendingMarket): number {
    feed.watch();
    const joined = mask | (this.#masks.get(feed) ?? 0);
    this.#masks.set(feed, joined);
    this.#setTopics(feed, joined);
    const isResumed = resumeFrom !== undefined && resumed !== 0;
    const texts = isResumed ? this.#resume(feed, resumed, resumeFrom) : [];
    texts.push(...books(feed, dump));
    const resolution = this.#hasFeatures ? this.#channel.resolutionText(feed) : undefined;
    if (resolution !== undefined) texts.push(resolution);
    this.#connection.send(...texts);
    return texts.reduce((sent, text) => sent + text.length, 0);
  }

  /** The answer to a resume: the missed messages, or a fresh book. */
  #resume(feed: MarketFeed, mask: Mask, { streamId, sequence }: ResumePoint): string[] {
    const { stamp, conditionId } = feed;
    const missed = feed.missed(streamId, sequence, (outcome) => has(mask, outcome));
    this.#channel.metrics.noteResume(missed !== undefined);
    if (missed !== undefined) {
      const replayed = missed.length;
      this.#connection.chargeNetwork(replayed / this.#channel.bounds.rowsPerMessage);
      const head = signalMessage('resumed', conditionId, { ...stamp, sequence }, { replayed });
      return [head, ...missed];
    }
    const reason = streamId === stamp.streamId ? 'out_of_reach' : 'stream_changed';
    return [
      signalMessage('snapshot_required', conditionId, stamp, { reason }),
      ...books(feed, mask),
    ];
  }
}

/** Combines two requests for a market that is not open yet. */
function merged(earlier: PendingMarket | undefined, next: PendingMarket): PendingMarket {
  return earlier === undefined
    ? next
    : {
        mask: earlier.mask | next.mask,
        dump: earlier.dump | next.dump,
        resumed: earlier.resumed | next.resumed,
        resumeFrom: earliest(earlier.resumeFrom, next.resumeFrom),
      };
}

/** The earlier of two points. The client skips messages whose sequence it has already seen. */
function earliest(one: ResumePoint | undefined, two: ResumePoint | undefined): typeof one {
  if (one === undefined || two === undefined) return one ?? two;
  // At least one of the streams is not the current one, so the client needs a fresh book.
  if (one.streamId !== two.streamId) return { streamId: '', sequence: 0 };
  return one.sequence < two.sequence ? one : two;
}

function books(feed: MarketFeed, mask: Mask): string[] {
  return OUTCOMES.filter((outcome) => has(mask, outcome)).map((outcome) => feed.bookText(outcome));
}

/** Where each market resumes. `sequence` is used only if a single market is named. */
function resumesOf(
  { streamId, sequence, sequences }: ResumeRequest,
  masks: ReadonlyMap<MarketFeed, Mask>,
): ReadonlyMap<MarketFeed, ResumePoint> {
  const resumes = new Map<MarketFeed, ResumePoint>();
  const ofOne = masks.size === 1 ? sequence : undefined;
  for (const feed of masks.keys()) {
    const known = sequences.get(feed.conditionId) ?? ofOne;
    if (known === undefined) {
      const expected = `a sequence for each market, by condition id; ${feed.conditionId} has none`;
      throw new StreamError('field_malformed', { field: 'sequences', expected });
    }
    resumes.set(feed, { streamId, sequence: known });
  }
  return resumes;
}
