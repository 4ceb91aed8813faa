/**
 * Records in the public catalog's JSON form as they enter the catalog: from a file, a sync, the
 * engine or the operator; and what became of them. See `records/` for what each kind must contain.
 */
import type { Command } from '../../engine/index.ts';

/** The kinds of records, in an order in which each kind follows those that it refers to. */
export const RECORD_KINDS = [
  'tags',
  'series',
  'events',
  'markets',
  'creators',
  'profiles',
  'teams',
  'sports',
  'marketTypes',
  'comments',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * Records of one kind. A `markets` record names its event as `events: [{id}]`; if that event is
 * not stored, the summary there must hold enough to store it.
 */
export interface RecordBatch {
  readonly kind: RecordKind;
  /** The records as parsed from JSON: an array; for events also `{events: [event, …]}`. */
  readonly records: unknown;
}

/** One page of a source's list, as a sync reads it. */
export interface IntakePage {
  readonly source: string;
  readonly kind: RecordKind;
  readonly text: Uint8Array;
  /** The position from which the sync continues after this page; stored with the page. */
  readonly mark: string;
}

export interface RecordCounts {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

export interface RefusedRecord {
  readonly kind: RecordKind;
  /** The record's id if it can be read; otherwise its place in the list, such as `#3`. */
  readonly id: string;
  /** A sentence for people: `events 12: slug must be …, but is …`. */
  readonly sentence: string;
}

/** What became of a page or file, by kind. Markets inside events are counted as markets too. */
export interface PageReport {
  readonly counts: Partial<Record<RecordKind, RecordCounts>>;
  /** The first refusals in full; `refused` counts all of them. */
  readonly refusals: readonly RefusedRecord[];
  readonly refused: number;
  /** How many events were made for markets that name none; they count as added. */
  readonly ownEvents: number;
}

export interface KnownMarket {
  /** `0x` and 64 lower-case hex digits. */
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
  /** In units of 0.0001; a tick of 0.01 by default. */
  readonly tickTicks?: number;
  /** In units of 0.01 token; 5 tokens by default. */
  readonly minimumLots?: number;
  /** False by default. */
  readonly negRisk?: boolean;
  /** The catalog's id of its event. Without a valid one the market gets its own event. */
  readonly eventId?: string;
}

/** When the trading of each market ended, ISO 8601, by condition id. */
export type MarketEnds = ReadonlyMap<string, string>;

/**
 * What the operator asked for, with the engine commands that do it. It is kept permanently: a
 * repeated request finds it, and after a crash the next start submits the remaining commands.
 */
export interface CatalogPlan {
  /** Unique: what it makes, such as `event/<slug>`. */
  readonly name: string;
  readonly eventId: number;
  /** The request as parsed JSON, to be compared with a repeated one. */
  readonly request: unknown;
  /** In the order of submission. */
  readonly commands: readonly Command[];
  /** Journaled with each command. */
  readonly evidence: unknown;
}
