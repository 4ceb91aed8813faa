/** The parts of a core that need no data: views, streams, and what begins when it leads. */
import { CommentsOfNodes } from '../catalog/routes/content/index.ts';
import { CatalogFiguresFeed } from '../catalog/routes/index.ts';
import { DelayEnds } from '../http/orders/order-answers.ts';
import type { Logger } from '../http/runtime/log.ts';
import type { CoreSwap, PlotCore, PlotShare } from '../http/services/index.ts';
import { Streams } from '../http/streams/index.ts';
import { BookViews, Registry } from '../http/views/index.ts';
import type { ExchangeEvent, RecordBatch } from '../persistence/index.ts';
import type { Base } from './base.ts';

// The moment at which this process begins to give commands their order: an exchange of its own at
// its start, and a node of a cluster when it becomes the core.
//
// Invariant: what begins then is begun once. A standby does it without opening anything again.

class Leadership {
  readonly #log: Pick<Logger, 'error'>;
  #begin: (() => Promise<void>) | undefined;
  #begun: Promise<void> | undefined;

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log;
  }

  /** `begin` is called once, when this process leads; now if it does so already. */
  async open(leads: boolean, begin: () => Promise<void>): Promise<void> {
    this.#begin = begin;
    if (leads) await this.#beginOnce();
  }

  /** This node of a cluster is the core from now on. */
  lead(): void {
    this.#beginOnce().catch((error: unknown) => {
      this.#log.error({ err: error }, 'the new core could not create all markets of the catalog');
    });
  }

  /** Before `open` nothing begins: `open` knows by itself whether this process leads. */
  async #beginOnce(): Promise<void> {
    this.#begun ??= this.#begin?.();
    await this.#begun;
  }
}

export interface StartOptions {
  /** Events in the public catalog's JSON form, loaded if the data folder has none. */
  readonly catalog: unknown;
  /** Further records of the catalog, loaded after the events. */
  readonly catalogRecords?: readonly RecordBatch[];
  /** Called after an unrecoverable fault. No request is answered any more: end the process. */
  readonly onFatal: (error: Error) => void;
}

/** The parts of a core that need no data yet, and those that it is made with. */
export interface CoreParts extends Base {
  // Fed by durable commands:
  readonly registry: Registry;
  readonly books: BookViews;
  readonly streams: Streams;
  readonly figures: CatalogFiguresFeed;
  readonly delayEnds: DelayEnds;
  readonly leadership: Leadership;
  /** What plots add to this core. */
  readonly shares: readonly PlotShare[];
  /** Fed by what the catalog applies. */
  readonly commentsOfNodes: CommentsOfNodes;
}

/** Makes the views. Sockets that are opened from now on are theirs. */
export function createParts(
  base: Base,
  swap: CoreSwap,
  noteEvent: (event: ExchangeEvent, parts: CoreParts) => void,
): CoreParts {
  const { settings, log, clock, limits, plots, server } = base;
  const { monotonicMs, profile } = settings;
  const now = () => clock.shownMs();
  const registry = new Registry();
  const books = new BookViews();
  const takeFailure = (address: string): boolean =>
    !limits.rules.isOn || limits.takeFailure(address);
  const leadership = new Leadership(log);
  const commentsOfNodes = new CommentsOfNodes();
  const plotCore: PlotCore = {
    ...{ registry, books, swap },
    lead: () => leadership.lead(),
    noteContent: (applied) => commentsOfNodes.consume(applied),
    noteEvent: (event) => noteEvent(event, parts),
  };
  const shares = plots.flatMap((plot) => plot.join?.(plotCore) ?? []);
  const faults = shares.find(({ streamFaults }) => streamFaults !== undefined)?.streamFaults;
  const streams = new Streams({
    registry,
    books,
    now,
    monotonicMs,
    dialect: profile.dialect,
    takeFailure,
    ...(faults && { faults }),
  });
  for (const share of shares) share.watchStreams?.(streams);
  server.useSockets(streams);
  const figures = new CatalogFiguresFeed();
  const delayEnds = new DelayEnds();
  const parts: CoreParts = {
    ...{
      ...base,
      registry,
      books,
      streams,
      figures,
      delayEnds,
      shares,
      leadership,
      commentsOfNodes,
    },
  };
  return parts;
}
