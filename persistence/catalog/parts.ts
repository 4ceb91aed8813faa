/**
 * The three ways into an open exchange's catalog. Invariant: `look` answers at once and reads what
 * one index finds; `read` is answered by threads that only read; `write` by the one that writes.
 * What a write answered is seen by every look and read that begins afterwards.
 */
import type { CatalogLook } from './look.ts';
import type {
  CatalogAnswer,
  CatalogQuestionKind,
  CatalogQuestions,
  CatalogWrites,
} from './model/index.ts';

/**
 * Each rejects with StoreError `reader_unavailable` or `overloaded`. Undefined: there is no such
 * thing; lists of something that is not there are empty.
 */
export type CatalogReads = {
  readonly [Kind in CatalogQuestionKind]: (
    question: CatalogQuestions[Kind],
  ) => Promise<CatalogAnswer<Kind> | undefined>;
};

export interface ExchangeCatalog {
  readonly look: CatalogLook;
  readonly read: CatalogReads;
  readonly write: CatalogWrites;
}
