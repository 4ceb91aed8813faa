/**
 * The result of `verify`: findings, which are faults, and notes, which are not. Invariant: for each
 * kind and place (`of`) only the first finding is kept, because later ones are mostly its
 * consequences; an error that a check throws becomes a finding.
 */
import SqliteDatabase from 'better-sqlite3';
import { messageOf } from '../shared/index.ts';

/** In the order in which they are reported: earlier ones explain later ones. */
const FINDING_KINDS = [
  'journal',
  'fills',
  'order_ids',
  'money_keys',
  'snapshots',
  'state',
  'projection',
  'catalog',
  'durable_mark',
  'file',
  'secrets',
  'replica',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** The file, table or snapshot. */
  readonly of: string;
  readonly sentence: string;
}

export class Findings {
  readonly #found = new Map<string, Finding>();
  /** What is missing or behind without being a fault. */
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

  /** Returns the result of a check; if it throws, adds a finding and returns undefined. */
  attempt<Result>(kind: FindingKind, of: string, check: () => Result): Result | undefined {
    try {
      return check();
    } catch (error) {
      this.add(kind, of, faultSentence(of, error));
      return undefined;
    }
  }
}

/** An error as a sentence. SQLite's own messages do not name the file. */
export function faultSentence(of: string, error: unknown): string {
  if (error instanceof SqliteDatabase.SqliteError) {
    return `${of} can't be read: ${error.message} (${error.code})`;
  }
  return messageOf(error);
}
