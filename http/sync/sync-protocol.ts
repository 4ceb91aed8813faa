/** What the main thread and the thread that syncs say to each other: both ends of it. */
import type { PageReport, RecordKind } from '../../persistence/index.ts';
import type { SyncPace } from './sync-bounds.ts';
import type { SyncPage, SyncReport } from './sync-run.ts';

/** What the thread is started with. */
export interface SyncThreadData {
  readonly url: string;
  readonly userAgent: string;
  readonly pace: SyncPace;
  /** From the end of one run to the beginning of the next; 0: there is one run. */
  readonly everyMs: number;
}

/** What the thread asks of the catalog, which the main thread hands on. */
export type SyncAsk =
  | { readonly kind: 'mark'; readonly id: number; readonly source: string; readonly of: RecordKind }
  | { readonly kind: 'page'; readonly id: number; readonly page: SyncPage };

export type SyncMessage =
  | SyncAsk
  | { readonly kind: 'retry'; readonly sentence: string; readonly waitMs: number }
  | { readonly kind: 'ran'; readonly report: SyncReport }
  /** Something of ours broke in a run; the next is made as usual. */
  | { readonly kind: 'broke'; readonly message: string };

export type SyncAnswer =
  | { readonly id: number; readonly value: PageReport | string | undefined }
  | { readonly id: number; readonly error: string };

/** Ends the thread: it leaves what it is at. */
export const CLOSE = 'close';
