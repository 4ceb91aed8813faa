/**
 * The dialect of an answer (wire 0.14): which of the two public venues of the family it follows
 * where they differ. The family of a request's auth headers decides, and without them the setting
 * `--dialect`.
 */
import type { HeaderPrefix } from './headers.ts';

export type Dialect = 'kuest' | 'polymarket';

export const DIALECTS: readonly Dialect[] = ['kuest', 'polymarket'];

/** What most published clients expect (docs/decisions/0030-dialects.md). */
export const DEFAULT_DIALECT: Dialect = 'polymarket';

/** The dialect of clients that send auth headers with this prefix. */
export function dialectOf(prefix: HeaderPrefix): Dialect {
  return prefix === 'POLY' ? 'polymarket' : 'kuest';
}
