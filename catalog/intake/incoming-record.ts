/** A record as it comes from a file or a source, and how it is identified before it is checked. */
import { memberOf, type RecordKind } from '../model/index.ts';

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
