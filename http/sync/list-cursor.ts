/** How far one list of a source was read: stored with what was read, in one transaction. */

/** A walk over the list that is not at its end. */
interface Walk {
  /** How many records it has behind it. */
  readonly offset: number;
  /** When the newest record was changed as the walk began, in ms; 0 where the source can't say. */
  readonly newestMs: number;
}

export interface ListCursor {
  /** Everything that changed before is read: milliseconds, or 0 if that is not known. */
  readonly readUntilMs: number;
  /** `all`: every record, by id; `changes`: from the newest change back. */
  readonly walk?: Walk & { readonly over: 'all' | 'changes' };
}

export const FRESH_CURSOR: ListCursor = { readUntilMs: 0 };

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** What an earlier run stored; a fresh one where that can't be read. */
export function parseCursor(text: string | undefined): ListCursor {
  if (text === undefined) return FRESH_CURSOR;
  // Safe: any JSON value can be read by name but null, and each field is looked at before use.
  const { readUntilMs, walk } = (JSON.parse(text) ?? {}) as Partial<Record<string, unknown>>;
  if (!isCount(readUntilMs)) return FRESH_CURSOR;
  const { over, offset, newestMs } = (walk ?? {}) as Partial<Record<string, unknown>>;
  const isWalk = (over === 'all' || over === 'changes') && isCount(offset) && isCount(newestMs);
  return isWalk ? { readUntilMs, walk: { over, offset, newestMs } } : { readUntilMs };
}
