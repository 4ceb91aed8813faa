/** The messages between the main thread and the sync thread. */
import type { RecordKind } from '../../persistence/index.ts';
import type { SyncPace } from './bounds.ts';
import type { SyncPage, SyncReport } from './run.ts';

export interface SyncThreadData {
  readonly url: string;
  readonly userAgent: string;
  readonly pace: SyncPace;
  /** The time from the end of one run to the start of the next; 0 for a single run. */
  readonly everyMs: number;
}

/** Questions to the catalog, which the main thread answers. */
export type SyncQuestion =
  | { readonly kind: 'mark'; readonly id: number; readonly source: string; readonly of: RecordKind }
  | { readonly kind: 'page'; readonly id: number; readonly page: SyncPage };

export type SyncMessage =
  | SyncQuestion
  | { readonly kind: 'retry'; readonly sentence: string; readonly waitMs: number }
  | { readonly kind: 'ran'; readonly report: SyncReport }
  /** A run failed because of a bug, or because the catalog failed. The next run comes as usual. */
  | { readonly kind: 'broke'; readonly message: string };
