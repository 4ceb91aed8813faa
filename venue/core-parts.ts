/** The parts of a core that need no data: views, streams, and what begins when it leads. */

import { CommentsOfNodes } from '../catalog/routes/content/index.ts';
import { CatalogFiguresFeed } from '../catalog/routes/index.ts';
import type { NodeOpeningOptions } from '../cluster/index.ts';
import type { CoreSwap, PlotShare } from '../http/services/index.ts';
import { Streams } from '../http/streams/index.ts';
import { BookViews, Registry } from '../http/views/index.ts';
import type { RecordBatch } from '../persistence/index.ts';
import type { Base } from './base.ts';
import { Leadership } from './leadership.ts';

export interface StartOptions {
  /** Events in the public catalog's JSON form, loaded if the data folder has none. */
  readonly catalog: unknown;
  /** Further records of the catalog, loaded after the events. */
  readonly catalogRecords?: readonly RecordBatch[];
  /** Called after an unrecoverable fault. No request is answered any more: end the process. */
  readonly onFatal: (error: Error) => void;
  /** Test seam: opens another log than the one in etcd. */
  readonly openLog?: NonNullable<NodeOpeningOptions['openLog']>;
}

/** The parts of a core that need no data yet, and those that it is made with. */
export interface CoreParts extends Base {
  // Fed by durable commands:
  readonly registry: Registry;
  readonly books: BookViews;
  readonly streams: Streams;
  readonly figures: CatalogFiguresFeed;
  readonly leadership: Leadership;
  /** What plots add to this core. */
  readonly shares: readonly PlotShare[];
  /** Fed by what the catalog applies. */
  readonly commentsOfNodes: CommentsOfNodes;
}

/** Makes the views. Sockets that are opened from now on are theirs. */
export function createParts(base: Base, swap: CoreSwap): CoreParts {
  const { settings, log, clock, limits, plots, server } = base;
  const { monotonicMs, dialect } = settings;
  const now = () => clock.shownMs();
  const registry = new Registry();
  const books = new BookViews();
  const takeFailure = (address: string): boolean =>
    !limits.rules.isOn || limits.takeFailure(address);
  const shares = plots.flatMap((plot) => plot.join?.({ registry, books, swap }) ?? []);
  const faults = shares.find(({ streamFaults }) => streamFaults !== undefined)?.streamFaults;
  const streams = new Streams({
    registry,
    books,
    now,
    monotonicMs,
    dialect,
    takeFailure,
    ...(faults && { faults }),
  });
  for (const share of shares) share.watchStreams?.(streams);
  server.useSockets(streams);
  const figures = new CatalogFiguresFeed();
  const leadership = new Leadership(log);
  return {
    ...{ ...base, registry, books, streams, figures, shares, leadership },
    commentsOfNodes: new CommentsOfNodes(),
  };
}
