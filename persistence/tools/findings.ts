/**
 * What a check of a data folder comes to: findings, which are wrong, and notes, which are only
 * said. Invariant: of each kind and thing the first finding stands, for what follows it is mostly
 * its consequence; whatever a check throws is a finding in words, never a stack.
 */
import SqliteDatabase from 'better-sqlite3';
import { messageOf } from '../shared/index.ts';

/** In the order in which they are told: what is damaged first explains what comes after. */
const FINDING_KINDS = [
  'journal',
  'fills',
  'order_ids',
  'snapshots',
  'state',
  'projection',
  'catalog',
  'durable_mark',
  'file',
  'secrets',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** Which file, table or snapshot. */
  readonly of: string;
  readonly sentence: string;
}

export class Findings {
  readonly #found = new Map<string, Finding>();
  /** Missing, or not as far as the rest, and not wrong. */
  readonly notes: string[] = [];

  add(kind: FindingKind, of: string, sentence: string): void {
    const key = `${kind} ${of}`;
    if (!this.#found.has(key)) this.#found.set(key, { kind, of, sentence });
  }

  note(sentence: string): void {
    this.notes.push(sentence);
  }

  all(): Finding[] {
    const place = ({ kind }: Finding): number => FINDING_KINDS.indexOf(kind);
    return [...this.#found.values()].sort((a, b) => place(a) - place(b));
  }

  /** What the check gives; undefined when it could not be made, which is then found. */
  attempt<Result>(kind: FindingKind, of: string, check: () => Result): Result | undefined {
    try {
      return check();
    } catch (error) {
      this.add(kind, of, wordsOf(of, error));
      return undefined;
    }
  }
}

/** For a person: SQLite's own words say nothing of the file. */
export function wordsOf(of: string, error: unknown): string {
  if (error instanceof SqliteDatabase.SqliteError) {
    return `${of} can't be read: ${error.message} (${error.code})`;
  }
  return messageOf(error);
}
