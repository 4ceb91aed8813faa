/**
 * What answers questions about orders, trades and positions: the projector, which writes
 * `analytics.db` behind the journal, and two read threads. Invariant: the projector makes the
 * tables before a read thread opens them, and ends after both.
 */
import type { DataFolder } from './folder/data-folder.ts';
import { Projector } from './projection/projector.ts';
import type { ExchangeAnalytics } from './reads/analytics/index.ts';
import type { ExchangeExplorer } from './reads/explorer/explorer-reads.ts';
import { ReadHost } from './reads/host.ts';
import type { Reader } from './reads/questions.ts';
import type { DisposableStack, ThreadHealth } from './shared/index.ts';

export interface ExchangeReads {
  readonly reader: Reader;
  readonly analytics: ExchangeAnalytics & ExchangeExplorer;
  /** The last change that reads show; undefined if they show every durable one. */
  readonly projectedSeq: number | undefined;
  readonly threads: readonly ThreadHealth[];
  advance(seq: number): void;
  /** The start is over: the projection may take its share of the processor. */
  begin(): void;
}

export interface TableReadsOptions {
  readonly folder: DataFolder;
  readonly lastSeq: number;
  readonly appliedSeq: () => number;
  readonly onDown: (name: string, error: Error) => void;
  readonly onFatal: (error: Error) => void;
  readonly closers: DisposableStack;
}

export async function openTableReads(options: TableReadsOptions): Promise<ExchangeReads> {
  const projector = await startProjector(options);
  const records = hostReads('reader', projector, options);
  const analytics = hostReads('analytics', projector, options);
  await records.start();
  return {
    reader: records.reader,
    analytics,
    get projectedSeq() {
      return projector.projectedSeq;
    },
    get threads() {
      const threads: ThreadHealth[] = [
        { name: 'projector', isUp: projector.isUp },
        { name: 'reader', isUp: records.isUp },
      ];
      // It starts at its first question.
      if (analytics.isStarted) threads.push({ name: 'analytics', isUp: analytics.isUp });
      return threads;
    },
    advance: (seq) => projector.advance(seq),
    begin: () => projector.begin(),
  };
}

async function startProjector(options: TableReadsOptions): Promise<Projector> {
  const { folder, lastSeq, onDown, onFatal, closers } = options;
  const { journal, projection, snapshots, temporary } = folder;
  const projector = new Projector({
    data: { journalPath: journal, projectionPath: projection, snapshots, temporary },
    durableSeq: lastSeq,
    onDown: (error) => onDown("the projector's thread", error),
    onFatal,
  });
  closers.defer(() => projector.stop());
  await projector.start();
  return projector;
}

/** Makes one of the two read threads. It starts at its first question or by `start`. */
function hostReads(
  threadName: 'reader' | 'analytics',
  projector: Projector,
  { folder, appliedSeq, onDown, closers }: TableReadsOptions,
): ReadHost {
  const { projection: projectionPath, journal: journalPath, catalog: catalogPath } = folder;
  const host = new ReadHost({
    data: { threadName, projectionPath, journalPath, catalogPath },
    projector,
    appliedSeq,
    onDown: (error) => onDown(`the ${threadName} thread`, error),
  });
  closers.defer(() => host.stop());
  return host;
}
