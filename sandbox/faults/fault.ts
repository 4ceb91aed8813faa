/**
 * One fault: when it fires, and what it hit.
 *
 * Invariant: whether it fires depends only on its definition, the subjects that matched before and
 * the exchange's clock. It draws one random number for each match that its count, its skip and its
 * window allow, and none if it always fires, so the same requests give the same firings.
 * Bound: `FAULT_BOUNDS.hitsPerFault` hits; the oldest goes first.
 */

import { setMaxListeners } from 'node:events';
import { SECOND_MS } from '../../engine/model/index.ts';
import { Random } from '../../http/codec/index.ts';
import { FAULT_BOUNDS } from './bounds.ts';
import type { FaultKind } from './kind.ts';
import { type FaultMatch, type FaultSubject, isMatch } from './match.ts';

/** A checked request for a fault. */
export interface FaultDefinition {
  readonly kind: FaultKind;
  readonly match: FaultMatch;
  /** Above 0 and up to 1. */
  readonly probability: number;
  /** How often it fires; undefined for without end. */
  readonly count: number | undefined;
  /** How many matches it lets pass before it may fire. */
  readonly skip: number;
  readonly seed: number;
  /** When it begins, counted from its creation by the exchange's clock. */
  readonly afterSeconds: number;
  /** How long it lasts; undefined for without end. */
  readonly forSeconds: number | undefined;
  /** The kind's own parameters, with their defaults. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Something that a fault did. */
export interface FaultHit {
  readonly requestId: string;
  readonly method: string;
  /** Its beginning, up to `pathCharacters`. */
  readonly path: string;
  readonly owner: string;
  /** The ones that the fault names, else the first; '' for none. */
  readonly account: string;
  readonly market: string;
  /** The time of the exchange's clock. */
  readonly timeMs: number;
  /** What was done, in words. */
  done: string;
}

export type FaultState = 'waiting' | 'active' | 'spent' | 'over';

const TWO_TO_32 = 0x1_0000_0000;

function hitOf(subject: FaultSubject, match: FaultMatch, timeMs: number): FaultHit {
  const { requestId, method } = subject;
  const path = subject.path.slice(0, FAULT_BOUNDS.pathCharacters);
  const { owner = subject.owner } = match;
  const { account = subject.accounts[0] ?? '', market = subject.markets[0] ?? '' } = match;
  return { requestId, method, path, owner, account, market, timeMs, done: '' };
}

export class Fault {
  readonly id: string;
  readonly definition: FaultDefinition;
  readonly createdMs: number;
  /** When it begins and ends, by the exchange's clock. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly #random: Random;
  readonly #removal = new AbortController();
  readonly #hits: FaultHit[] = [];
  #matched = 0;
  #fired = 0;

  constructor(id: string, definition: FaultDefinition, createdMs: number) {
    this.id = id;
    this.definition = definition;
    this.createdMs = createdMs;
    this.fromMs = createdMs + definition.afterSeconds * SECOND_MS;
    const { forSeconds = Number.POSITIVE_INFINITY } = definition;
    this.untilMs = this.fromMs + forSeconds * SECOND_MS;
    this.#random = new Random(definition.seed);
    // Each answer that is held back listens.
    setMaxListeners(0, this.#removal.signal);
  }

  /** Matches so far, inside its window. */
  get matched(): number {
    return this.#matched;
  }

  /** How often it fired. */
  get fired(): number {
    return this.#fired;
  }

  /** The newest hits, the oldest of them first. */
  get hits(): readonly FaultHit[] {
    return this.#hits;
  }

  /** Whether it fired as often as it may. */
  get isSpent(): boolean {
    return this.#fired >= (this.definition.count ?? Number.POSITIVE_INFINITY);
  }

  /** Aborts when the fault is removed, so that what it holds back can go on. */
  get removal(): AbortSignal {
    return this.#removal.signal;
  }

  stateAt(nowMs: number): FaultState {
    if (this.isSpent) return 'spent';
    if (nowMs >= this.untilMs) return 'over';
    return nowMs < this.fromMs ? 'waiting' : 'active';
  }

  /** The hit, if it fires for this subject now. */
  fire(subject: FaultSubject, nowMs: number): FaultHit | undefined {
    if (this.stateAt(nowMs) !== 'active' || !isMatch(this.definition.match, subject)) {
      return undefined;
    }
    this.#matched += 1;
    const { skip, probability } = this.definition;
    if (this.#matched <= skip) return undefined;
    if (probability < 1 && this.draw() >= probability) return undefined;
    this.#fired += 1;
    const hit = hitOf(subject, this.definition.match, nowMs);
    this.#hits.push(hit);
    if (this.#hits.length > FAULT_BOUNDS.hitsPerFault) this.#hits.shift();
    return hit;
  }

  /** A number from 0 to below 1, the next that its seed gives. */
  draw(): number {
    return this.#random.next() / TWO_TO_32;
  }

  remove(): void {
    this.#removal.abort();
  }
}
