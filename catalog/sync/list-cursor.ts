/** How far one list of a source was read. It is stored with the records, in one transaction. */

/** A walk over the list that has not reached its end. */
export interface ListWalk {
  /** The number of records that were read. */
  readonly offset: number;
  /** Time of the newest change when the walk began, in ms; 0 if the source does not give it. */
  readonly newestMs: number;
}

export interface ListCursor {
  /** All changes before this time have been read, in ms; 0 if that is unknown. */
  readonly readUntilMs: number;
  /** `all`: every record by id; `changes`: from the newest change backwards. */
  readonly walk?: ListWalk & { readonly over: 'all' | 'changes' };
}

export const FRESH_CURSOR: ListCursor = { readUntilMs: 0 };

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The value of a stored mark; undefined for none, or for a text that is not JSON. */
export function parseMark(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // An unreadable mark only means that a list is read from its beginning.
    return undefined;
  }
}

/** The stored cursor of an earlier run; a fresh one if there is none or its form is unknown. */
export function parseCursor(text: string | undefined): ListCursor {
  // Safe: any JSON value but null can be read by name, and each field is checked before use.
  const { readUntilMs, walk } = (parseMark(text) ?? {}) as Partial<Record<string, unknown>>;
  if (!isCount(readUntilMs)) return FRESH_CURSOR;
  const { over, offset, newestMs } = (walk ?? {}) as Partial<Record<string, unknown>>;
  const isWalk = (over === 'all' || over === 'changes') && isCount(offset) && isCount(newestMs);
  return isWalk ? { readUntilMs, walk: { over, offset, newestMs } } : { readUntilMs };
}
