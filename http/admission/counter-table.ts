/**
 * The counters of one limit: how many requests each subject made in the window that ends now.
 *
 * A window is SLICES slices long. All counters begin their slices at the same times. A counter
 * keeps the count of the current slice and of each of the SLICES before it, so a request counts for
 * a whole window and up to one slice longer. Invariant: no more than the capacity is ever counted
 * within any window; a request is refused only when the window and the slice before it, taken
 * together, are full.
 *
 * Bound: `size` subjects have their own counter, of 60 bytes. A new subject takes over the least
 * recently charged counter, but only if its count is zero: a client can't reset its count by
 * sending from other addresses. If no counter is free, further subjects share `shared` counters,
 * chosen by a seeded hash. A subject that gets its own counter later starts with the count of its
 * shared one, so that the invariant always holds.
 */
import { strict as assert } from 'node:assert';
import { randomInt } from 'node:crypto';

/** The number of slices of a window. */
export const SLICES = 10;
/** Length of a counter's ring: the past slices and the current one. */
const RING = SLICES + 1;

// The fields of a counter, each an integer of 32 bits.
const TOTAL = 0;
/** The number of the current slice. */
const LATEST = 1;
/** Links of a list in order of use: the counters that were charged just before and after it. */
const OLDER = 2;
const NEWER = 3;
const COUNTS = 4;
const FIELDS = COUNTS + RING;

const NONE = -1;
const MAX_SLICE = 2 ** 31;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const MAX_SEED = 2 ** 32;

export interface CounterBounds {
  /** Subjects with their own counter. */
  readonly size: number;
  /** Counters that all other subjects share. */
  readonly shared: number;
}

export class CounterTable {
  readonly #sliceMs: number;
  readonly #size: number;
  readonly #shared: number;
  /** The fields of the shared counters, then of the subjects' own counters. */
  readonly #cells: Int32Array;
  /** The places of the subjects that have their own counter. */
  readonly #places = new Map<string, number>();
  readonly #subjects: string[] = [];
  readonly #seed = randomInt(MAX_SEED);
  #oldest = NONE;
  #newest = NONE;

  constructor(windowMs: number, { size, shared }: CounterBounds) {
    assert(size > 0 && shared > 0, 'there are counters for all subjects');
    this.#sliceMs = windowMs / SLICES;
    this.#size = size;
    this.#shared = shared;
    this.#cells = new Int32Array((shared + size) * FIELDS);
  }

  /** Subjects that have their own counter. */
  get size(): number {
    return this.#places.size;
  }

  /** The place of a subject's counter, valid until the next call. `nowMs` must never decrease. */
  locate(subject: string, nowMs: number): number {
    const place = this.#places.get(subject) ?? this.#sharedPlace(subject);
    this.#forget(place, this.#sliceAt(nowMs));
    return place;
  }

  /** The count at a place. */
  used(place: number): number {
    return this.#get(place, TOTAL);
  }

  /** The time until the count is at most `allowed`, if no request comes. */
  msUntil(place: number, allowed: number, nowMs: number): number {
    const latest = this.#get(place, LATEST);
    let left = this.used(place);
    let slice = Math.max(0, latest - SLICES);
    for (; slice < latest && left > allowed; slice++) left -= this.#count(place, slice);
    // The rest was counted in the current slice, which is forgotten last.
    const last = left > allowed ? latest : slice - 1;
    return Math.max(0, (last + RING) * this.#sliceMs - nowMs);
  }

  /** Counts `weight` requests of the subject located at `place`. Returns its place from now on. */
  charge(place: number, subject: string, weight: number): number {
    const own = this.#ownPlace(place, subject);
    this.#add(own, weight);
    return own;
  }

  /** Like `charge`, but does not count a subject that has only a shared counter. */
  chargeOwn(place: number, subject: string, weight: number): void {
    const own = this.#ownPlace(place, subject);
    if (own >= this.#shared) this.#add(own, weight);
  }

  #ownPlace(place: number, subject: string): number {
    return place < this.#shared ? this.#adopt(place, subject) : place;
  }

  #add(place: number, weight: number): void {
    const slice = COUNTS + (this.#get(place, LATEST) % RING);
    this.#set(place, TOTAL, this.#get(place, TOTAL) + weight);
    this.#set(place, slice, this.#get(place, slice) + weight);
    if (place >= this.#shared && place !== this.#newest) {
      this.#unlink(place);
      this.#linkNewest(place);
    }
  }

  #sliceAt(nowMs: number): number {
    const slice = Math.floor(nowMs / this.#sliceMs);
    assert(slice >= 0 && slice < MAX_SLICE, 'the clock counts from the start of the process');
    return slice;
  }

  /** Moves a counter on to `slice`: removes the counts that are older than the window. */
  #forget(place: number, slice: number): void {
    const latest = this.#get(place, LATEST);
    if (slice <= latest) return;
    const start = place * FIELDS + COUNTS;
    if (slice - latest > SLICES) {
      this.#cells.fill(0, start, start + RING);
      this.#set(place, TOTAL, 0);
    } else {
      for (let passed = latest + 1; passed <= slice; passed++) {
        this.#set(place, TOTAL, this.#get(place, TOTAL) - this.#count(place, passed));
        this.#set(place, COUNTS + (passed % RING), 0);
      }
    }
    this.#set(place, LATEST, slice);
  }

  /** Gives the subject its own counter if one is free; otherwise it keeps the shared one. */
  #adopt(shared: number, subject: string): number {
    const place = this.#freePlace(this.#get(shared, LATEST));
    if (place === NONE) return shared;
    const start = shared * FIELDS;
    this.#cells.copyWithin(place * FIELDS, start, start + FIELDS);
    // A copy: the text may be a slice of a long header, which would stay in memory with it.
    const copy = Buffer.from(subject).toString();
    this.#places.set(copy, place);
    this.#subjects[place - this.#shared] = copy;
    this.#linkNewest(place);
    return place;
  }

  /** A free place: that of the oldest counter if its count is zero, else an unused one, or NONE. */
  #freePlace(slice: number): number {
    const oldest = this.#oldest;
    if (oldest !== NONE) {
      this.#forget(oldest, slice);
      if (this.used(oldest) === 0) {
        this.#places.delete(this.#subjects[oldest - this.#shared] ?? '');
        this.#unlink(oldest);
        return oldest;
      }
    }
    return this.#places.size < this.#size ? this.#shared + this.#places.size : NONE;
  }

  /** FNV-1a with the table's seed, so that an attacker can't choose who shares a counter. */
  #sharedPlace(subject: string): number {
    let hash = FNV_OFFSET ^ this.#seed;
    for (let index = 0; index < subject.length; index++) {
      hash = Math.imul(hash ^ subject.charCodeAt(index), FNV_PRIME);
    }
    return ((hash ^ (hash >>> 16)) >>> 0) % this.#shared;
  }

  #linkNewest(place: number): void {
    this.#set(place, OLDER, this.#newest);
    this.#set(place, NEWER, NONE);
    if (this.#newest === NONE) this.#oldest = place;
    else this.#set(this.#newest, NEWER, place);
    this.#newest = place;
  }

  #unlink(place: number): void {
    const [older, newer] = [this.#get(place, OLDER), this.#get(place, NEWER)];
    if (older === NONE) this.#oldest = newer;
    else this.#set(older, NEWER, newer);
    if (newer === NONE) this.#newest = older;
    else this.#set(newer, OLDER, older);
  }

  #count(place: number, slice: number): number {
    return this.#get(place, COUNTS + (slice % RING));
  }

  #get(place: number, field: number): number {
    return this.#cells[place * FIELDS + field] ?? 0;
  }

  #set(place: number, field: number, value: number): void {
    this.#cells[place * FIELDS + field] = value;
  }
}
