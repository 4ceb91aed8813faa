/**
 * One socket on the market channel: what it listens to, and what it has yet to be sent before it
 * does.
 *
 * Invariant: a market is opened for a client in one turn: its topics are joined, and its books or
 * what was missed are sent, so that nothing falls between. While much waits for the client, further
 * markets are not opened for it.
 * Bound: `subscriptionsPerSocket`; one opening a market.
 */
import { setImmediate } from 'node:timers';
import type { Outcome } from '../../../engine/index.ts';
import type { ClientMessage, Connection, Session } from '../delivery/index.ts';
import { faultMessage, StreamError } from '../delivery/index.ts';
import type { MarketDesk } from './channel.ts';
import type { MarketFeed } from './feed.ts';
import { type LeftOff, type MarketRequest, readMarketRequest } from './request.ts';
import { signalMessage } from './texts.ts';

/** Outcomes as bits. */
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

/** The last message that a client got of a market. */
interface LeftOffAt {
  readonly streamId: string;
  readonly sequence: number;
}

/** A market that is asked for and not opened yet. */
interface Opening {
  readonly mask: Mask;
  /** Of those, the tokens whose books come first, and those that resume. */
  readonly dump: Mask;
  readonly resumed: Mask;
  readonly leftOff: LeftOffAt | undefined;
}

/** What the names of a message stand for. */
interface Found {
  readonly masks: Map<MarketFeed, Mask>;
  readonly unknown: readonly string[];
}

export class MarketSession implements Session {
  readonly #connection: Connection;
  readonly #desk: MarketDesk;
  readonly #masks = new Map<MarketFeed, Mask>();
  readonly #openings = new Map<MarketFeed, Opening>();
  #hasFeatures = false;
  #isContinuing = false;

  constructor(connection: Connection, desk: MarketDesk) {
    this.#connection = connection;
    this.#desk = desk;
  }

  receive(message: ClientMessage): void {
    const request = readMarketRequest(message);
    this.#charge(request.names.tokens.length + request.names.markets.length);
    const found = this.#find(request);
    if (request.operation === 'unsubscribe') this.#leave(found.masks);
    else this.#enter(request, found);
    this.#setFeatures(request.hasFeatures);
    if (this.#hasFeatures && found.unknown.length > 0) this.#tellUnknown(found.unknown);
    this.#open();
  }

  drained(): void {
    this.#open();
  }

  closed(): void {
    this.#openings.clear();
    this.#masks.clear();
  }

  /** So that small messages which make much work are not many. */
  #charge(subscriptions: number): void {
    this.#connection.charge(subscriptions / this.#desk.bounds.subscriptionsPerMessage);
  }

  #find({ names, leftOff }: MarketRequest): Found {
    const masks = new Map<MarketFeed, Mask>();
    const unknown: string[] = [];
    const add = (feed: MarketFeed | undefined, mask: Mask, name: string): void => {
      if (feed === undefined) unknown.push(name);
      else masks.set(feed, (masks.get(feed) ?? 0) | mask);
    };
    for (const tokenId of names.tokens) {
      const token = this.#desk.token(tokenId);
      add(token?.feed, token === undefined ? 0 : bitOf(token.outcome), tokenId);
    }
    const isNamed = names.tokens.length + names.markets.length > 0;
    const markets = isNamed ? names.markets : [...(leftOff?.sequences.keys() ?? [])];
    for (const name of markets) add(this.#desk.market(name.toLowerCase()), BOTH, name);
    return { masks, unknown };
  }

  #enter({ wantsDump, leftOff }: MarketRequest, { masks }: Found): void {
    const resumes = leftOff === undefined ? undefined : resumesOf(leftOff, masks);
    this.#checkCount(masks);
    for (const [feed, mask] of masks) {
      const left = resumes?.get(feed);
      const dump = left === undefined && wantsDump ? mask : 0;
      const resumed = left === undefined ? 0 : mask;
      const earlier = this.#openings.get(feed);
      this.#openings.set(feed, merged(earlier, { mask, dump, resumed, leftOff: left }));
    }
  }

  /** Nothing of a message that goes too far is done. */
  #checkCount(masks: ReadonlyMap<MarketFeed, Mask>): void {
    const limit = this.#desk.bounds.subscriptionsPerSocket;
    let actual = 0;
    for (const feed of new Set([
      ...this.#masks.keys(),
      ...this.#openings.keys(),
      ...masks.keys(),
    ])) {
      const waiting = this.#openings.get(feed)?.mask ?? 0;
      actual += countOf((this.#masks.get(feed) ?? 0) | waiting | (masks.get(feed) ?? 0));
    }
    if (actual > limit) throw new StreamError('too_many_subscriptions', { limit, actual });
  }

  #leave(masks: ReadonlyMap<MarketFeed, Mask>): void {
    for (const [feed, mask] of masks) {
      const opening = this.#openings.get(feed);
      if (opening !== undefined) {
        const rest = opening.mask & ~mask;
        const dump = opening.dump & rest;
        const resumed = opening.resumed & rest;
        if (rest === 0) this.#openings.delete(feed);
        else this.#openings.set(feed, { ...opening, mask: rest, dump, resumed });
      }
      const joined = this.#masks.get(feed) ?? 0;
      if ((joined & mask) === 0) continue;
      const left = joined & ~mask;
      if (left === 0) this.#masks.delete(feed);
      else this.#masks.set(feed, left);
      this.#join(feed, left);
    }
  }

  #setFeatures(hasFeatures: boolean | undefined): void {
    if (hasFeatures === undefined || hasFeatures === this.#hasFeatures) return;
    this.#hasFeatures = hasFeatures;
    this.#listen(this.#desk.newMarketsTopic, hasFeatures);
    this.#charge(this.#masks.size);
    for (const [feed, mask] of this.#masks) this.#join(feed, mask);
  }

  #listen(topic: string, isWanted: boolean): void {
    if (isWanted) this.#connection.subscribe(topic);
    else this.#connection.unsubscribe(topic);
  }

  /** Listens to what a mask of outcomes wants of a market, and to nothing else of it. */
  #join(feed: MarketFeed, mask: Mask): void {
    const { market, tokens, marketFeatures, tokenFeatures } = feed.topics;
    this.#listen(market, mask !== 0);
    this.#listen(marketFeatures, mask !== 0 && this.#hasFeatures);
    for (const outcome of OUTCOMES) {
      this.#listen(tokens[outcome], has(mask, outcome));
      this.#listen(tokenFeatures[outcome], has(mask, outcome) && this.#hasFeatures);
    }
  }

  #tellUnknown(unknown: readonly string[]): void {
    const names = unknown.slice(0, this.#desk.bounds.namedUnknowns);
    const actual = unknown.length;
    this.#connection.send(faultMessage(new StreamError('names_unknown', { actual, names })));
  }

  /** Opens markets until much waits for the client; goes on in another turn, or when it drained. */
  #open(): void {
    const { pausingBytes, bytesPerTurn } = this.#desk.bounds;
    let sent = 0;
    for (const [feed, opening] of this.#openings) {
      if (!this.#connection.isOpen || this.#connection.waitingBytes > pausingBytes) return;
      if (sent > bytesPerTurn) {
        this.#continueLater();
        return;
      }
      this.#openings.delete(feed);
      sent += this.#openMarket(feed, opening);
    }
  }

  #continueLater(): void {
    if (this.#isContinuing) return;
    this.#isContinuing = true;
    setImmediate(() => {
      this.#isContinuing = false;
      this.#open();
    });
  }

  /** Returns how many bytes it sent. */
  #openMarket(feed: MarketFeed, { mask, dump, resumed, leftOff }: Opening): number {
    feed.watch();
    const joined = mask | (this.#masks.get(feed) ?? 0);
    this.#masks.set(feed, joined);
    this.#join(feed, joined);
    const isResumed = leftOff !== undefined && resumed !== 0;
    const texts = isResumed ? this.#resume(feed, resumed, leftOff) : [];
    texts.push(...books(feed, dump));
    const resolution = this.#hasFeatures ? this.#desk.resolutionText(feed) : undefined;
    if (resolution !== undefined) texts.push(resolution);
    this.#connection.send(...texts);
    return texts.reduce((sent, text) => sent + text.length, 0);
  }

  /** What answers a resume: what was missed, or that there is a fresh book to begin with. */
  #resume(feed: MarketFeed, mask: Mask, { streamId, sequence }: LeftOffAt): string[] {
    const { stamp, conditionId } = feed;
    const missed = feed.missed(streamId, sequence, (outcome) => has(mask, outcome));
    this.#desk.noteResume(missed !== undefined);
    if (missed !== undefined) {
      const replayed = missed.length;
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

/** What is asked for of a market that is not open yet, after what was asked before. */
function merged(earlier: Opening | undefined, next: Opening): Opening {
  return earlier === undefined
    ? next
    : {
        mask: earlier.mask | next.mask,
        dump: earlier.dump | next.dump,
        resumed: earlier.resumed | next.resumed,
        leftOff: earliest(earlier.leftOff, next.leftOff),
      };
}

/** Where everything is missing that is from either; what came before is known by its sequence. */
function earliest(one: LeftOffAt | undefined, two: LeftOffAt | undefined): typeof one {
  if (one === undefined || two === undefined) return one ?? two;
  // Of two streams one is not this one: a fresh book answers both.
  if (one.streamId !== two.streamId) return { streamId: '', sequence: 0 };
  return one.sequence < two.sequence ? one : two;
}

function books(feed: MarketFeed, mask: Mask): string[] {
  return OUTCOMES.filter((outcome) => has(mask, outcome)).map((outcome) => feed.bookText(outcome));
}

/** Where the client left off in each of the markets; one sequence stands for one market alone. */
function resumesOf(
  { streamId, sequence, sequences }: LeftOff,
  masks: ReadonlyMap<MarketFeed, Mask>,
): ReadonlyMap<MarketFeed, LeftOffAt> {
  const resumes = new Map<MarketFeed, LeftOffAt>();
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
