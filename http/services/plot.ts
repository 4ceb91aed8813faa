/**
 * A plot is an optional part of the exchange: a folder that the others never import. It implements
 * the interfaces below, and `venue/plots.ts` names it in one line. Without that line and the folder
 * the rest still compiles, and the exchange starts without what the plot brings.
 *
 * Invariant: whatever a plot does is in its own folder. The parts that it joins know only general
 * interfaces: routes, services, observers, an interceptor.
 */
import type { Metric } from 'prom-client';
import type { ProgramCommand } from '../../cli/parser/program-command.ts';
import type {
  AppliedWrite,
  DataFolder,
  DisposableStack,
  DurableCommand,
  ExchangeEvent,
  NodePart,
  StoreObserver,
} from '../../persistence/index.ts';
import type { Interceptor, RouteDefinition, StateGate, Tracer } from '../api/index.ts';
import type { ShownNode } from '../metrics/cluster-families.ts';
import type { Metrics } from '../metrics/command-metrics.ts';
import type { DeadMansSwitches, Heartbeats } from '../orders/heartbeats.ts';
import type { ExchangeClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { Settings } from '../settings/settings.ts';
import type { StreamFaults, Streams } from '../streams/index.ts';
import type { BookViews, Registry } from '../views/index.ts';
import type { Services } from './services.ts';

export interface Plot {
  readonly name: string;
  /** Commands of the program. Those of all plots are known to each command. */
  readonly commands?: readonly ProgramCommand[];
  /** Loads the part that runs within the exchange, which other commands do without. */
  load(): Promise<PlotPart>;
}

/** What a plot adds to the exchange. */
export interface PlotPart {
  readonly routes?: readonly RouteDefinition[];
  /** Further routes of the operator's listener, each with the role that may call it. */
  readonly operatorRoutes?: readonly RouteDefinition[];
  /** Called once in a process, before the listeners are made. */
  begin?(base: PlotBase): PlotProcess;
}

/** The parts of the process that a plot may use. */
export interface PlotBase {
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: ExchangeClock;
  readonly metrics: Metrics;
}

/** The part of a plot that lasts as long as the process. */
export interface PlotProcess {
  /** Sees the requests of both listeners. */
  readonly tracer?: Tracer | undefined;
  /** Is told of commands and commits, before the metrics are. */
  readonly storeObserver?: StoreObserver | undefined;
  families?(): readonly Metric[];
  /** Takes settings that were read again. */
  renew?(changed: Partial<Settings>): void;
  /** Called for each core, before its data are read. */
  join?(core: PlotCore): PlotShare;
  /** Called before the listeners close: what it holds back is let go. */
  prepareClose?(): Promise<void>;
  /** Called when everything else is closed. */
  close?(): Promise<void>;
}

/** The parts of a core that need no data yet, and the means to replace the core. */
export interface PlotCore {
  readonly registry: Registry;
  readonly books: BookViews;
  readonly swap: CoreSwap;
  /** This process gives commands their order from now on. */
  lead(): void;
  /** A write to the catalog that was made at another node was applied here. */
  noteContent(applied: AppliedWrite): void;
  /** Takes an event of the exchange that the plot has noticed. */
  noteEvent(event: ExchangeEvent): void;
}

/** Brings the exchange to another state of its data folder. Used when the exchange is open. */
export interface CoreSwap {
  readonly folder: DataFolder;
  readonly services: Services;
  /**
   * Closes the core, puts the staged state in the place of the folder's data, and opens another
   * core. If that fails, it rejects and the process ends.
   */
  replace(): Promise<void>;
}

/** A plot's share of a core. */
export interface PlotShare {
  /** What happens to the messages of streams. */
  readonly streamFaults?: StreamFaults;
  /** Called when the streams exist, before any client comes. */
  watchStreams?(streams: Streams): void;
  /** Comes before the handlers of the public listener. */
  readonly interceptor?: Interceptor | undefined;
  /** Called for each durable batch, before the views take it. */
  beforeBatch?(commands: readonly DurableCommand[]): void;
  /** Makes the exchange a node of a cluster. At most one plot does. */
  readonly node?: VenueNode | undefined;
  /** Services that its own routes name, and others that it replaces. */
  services?(services: Services, streams: Streams): Readonly<Record<string, unknown>>;
  /** Called when this process gives commands their order and the markets exist. */
  lead?(services: Services, closers: DisposableStack): void | Promise<void>;
  /** Called when requests are handled. */
  opened?(): void;
  /** Called before the core is closed or replaced: what it holds back is let go. */
  release?(): void;
}

/** One of several processes that are one exchange. All but `part` is used when that is open. */
export interface VenueNode {
  /** Its part in opening the exchange. */
  readonly part: NodePart;
  /** What health and metrics show of it. */
  readonly shown: ShownNode;
  /** Says which requests it answers. */
  gate(): StateGate;
  /** Requests that wait for a second operator, at whichever node the two ask. */
  approvals(): Services['approvals'];
  /** `begin` makes the switches of this process, with those that are armed. */
  heartbeats(begin: () => Heartbeats): DeadMansSwitches;
  /** It is the core from now on, and counts the heartbeats. */
  lead(): void;
}
