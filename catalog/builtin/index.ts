/**
 * The catalog that an empty data folder starts with, as data files in the public catalog's JSON
 * form: 22 events with 50 markets (events.json), the creator, profiles, comments and sports around
 * them (records.json), and their pictures (images/).
 *
 * Invariant: data folders keep these ids, so no released id changes. Ids of conditions, questions
 * and tokens follow the recipe in `records/identity.ts`; a test compares them.
 */
import { readFileSync } from 'node:fs';
import type { RecordBatch } from '../model/index.ts';
import events from './events.json' with { type: 'json' };
import records from './records.json' with { type: 'json' };

export type EventRecord = (typeof events)[number];
export type MarketRecord = EventRecord['markets'][number];

/** The events with their markets, tags and series, by ascending id. */
export function builtinEvents(): EventRecord[] {
  return structuredClone(events);
}

/** The other records, each after those that it refers to. They also refer to the events. */
export function builtinRecords(): RecordBatch[] {
  // Safe: a test compares the kinds with RECORD_KINDS.
  return structuredClone(records) as RecordBatch[];
}

const IMAGES: ReadonlyMap<string, Buffer> = new Map(
  ['politics', 'sports', 'crypto', 'weather', 'economy', 'culture', 'science']
    .concat(['house', 'otter', 'heron'])
    .map((name) => `${name}.svg`)
    .map((file) => [file, readFileSync(new URL(`images/${file}`, import.meta.url))]),
);

/** The SVG of a file name such as `weather.svg`; undefined for any other name. */
export function builtinImage(file: string): Buffer | undefined {
  return IMAGES.get(file);
}
