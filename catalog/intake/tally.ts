/**
 * What becomes of the records of one page or file. Bound: `REFUSALS_LISTED` refusals are reported
 * in full; all of them are counted.
 */
import {
  isFields,
  memberOf,
  type PageReport,
  type RecordCounts,
  type RecordKind,
  type RefusedRecord,
} from '../model/index.ts';
import type { OwnEvents } from './own-events.ts';

const REFUSALS_LISTED = 1_000;

export type Count = keyof RecordCounts;

export class Tally {
  readonly counts: Partial<Record<RecordKind, RecordCounts>> = {};
  readonly refusals: RefusedRecord[] = [];
  refused = 0;
  readonly #ownEvents: OwnEvents;

  constructor(ownEvents: OwnEvents) {
    this.#ownEvents = ownEvents;
  }

  get report(): PageReport {
    const { counts, refusals, refused } = this;
    return { counts, refusals, refused, ownEvents: this.#ownEvents.made };
  }

  /** The record; a market that names no event gets one. */
  completed(incoming: IncomingRecord): IncomingRecord {
    const { kind, value } = incoming;
    if (kind !== 'markets' || !isFields(value)) return incoming;
    return { ...incoming, value: this.#ownEvents.completed(value) };
  }

  /** The record was stored; `given` is how it came. */
  countOwnEvent(given: IncomingRecord, stored: IncomingRecord): void {
    if (given.value === stored.value || !isFields(stored.value)) return;
    if (this.#ownEvents.noteStored(stored.value)) this.count('events', 'added');
  }

  finish(): void {
    this.#ownEvents.finish();
  }

  count(kind: RecordKind, what: Count): void {
    const counts = this.counts[kind] ?? { added: 0, updated: 0, unchanged: 0, refused: 0 };
    this.counts[kind] = { ...counts, [what]: counts[what] + 1 };
  }

  refuse(
    kind: RecordKind,
    { value, place }: Pick<IncomingRecord, 'value' | 'place'>,
    why: string,
  ): void {
    this.count(kind, 'refused');
    this.refused += 1;
    if (this.refusals.length >= REFUSALS_LISTED) return;
    const given = memberOf(value, 'id');
    // Teams and sports have numbers.
    const isId = typeof given === 'number' || (typeof given === 'string' && given !== '');
    const id = isId ? `${given}`.slice(0, 40) : `#${place}`;
    this.refusals.push({ kind, id, sentence: `${kind} ${id}: ${why}` });
  }
}

// A record as it comes from a file or a source, and how it is identified before it is checked.

export interface IncomingRecord {
  readonly kind: RecordKind;
  readonly value: unknown;
  /** Its place in the list or file, by which a record without a valid id is reported. */
  readonly place: number;
}

const NUMERIC_ID = /^[1-9]\d{0,14}$/;

/** The numeric id of a record; 0 if it has none. */
export function recordIdOf(value: unknown): number {
  const id = memberOf(value, 'id');
  // Teams and sports have numbers.
  const isId = typeof id === 'string' || typeof id === 'number';
  return isId && NUMERIC_ID.test(`${id}`) ? Number(id) : 0;
}

/** By what its row is found: its id, the address of a profile, the name of a market type. */
export function keyOf(kind: RecordKind, value: unknown): number | string {
  if (kind === 'marketTypes') return typeof value === 'string' ? value : '';
  if (kind !== 'profiles') return recordIdOf(value);
  return textOf(value, 'baseAddress') || textOf(value, 'proxyWallet');
}

export function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : '';
}
