/**
 * The core: all parts of the exchange that hold its data or are made from it, from the data folder
 * to the services that routes use. A core is opened once, used and closed; to bring the exchange to
 * another state, its core is closed and another one is opened (`checkpoints.ts`).
 *
 * Invariant: the views are fed before anything is published or answered. Requests are handled only
 * when all parts are ready. Each part is closed before the parts that it uses, also when the start
 * fails half-way.
 */
import { randomBytes } from 'node:crypto';
import { InvariantError } from '../engine/model/index.ts';
import {
  type DataFolder,
  DisposableStack,
  type Exchange,
  type ExchangeEvent,
  openExchangeIn,
  type RecordBatch,
} from '../persistence/index.ts';
import { finishPlans } from './admin/markets/index.ts';
import { createAuthentication, KeyRing } from './auth/index.ts';
import type { Base } from './base.ts';
import {
  CatalogFiguresFeed,
  createCatalogMarkets,
  markTraded,
  openImported,
} from './catalog/index.ts';
import { OrderExplainer } from './debug/index.ts';
import { toApiError } from './errors/index.ts';
import { Exposition, familiesOf } from './metrics/index.ts';
import { Approvals, OperatorGate, oneOperator } from './operators/index.ts';
import { Heartbeats, OrderIntake, timersOf, VerifierPool } from './orders/index.ts';
import { TRADING_ROUTES } from './routes/index.ts';
import type { ExchangeClock, Logger } from './runtime/index.ts';
import { Crowd } from './sandbox/crowd/index.ts';
import { RequestFaults } from './sandbox/request-faults/index.ts';
import { SandboxStreams } from './sandbox/stream-faults/index.ts';
import type { Services } from './services/index.ts';
import { isSandbox, type Settings } from './settings/index.ts';
import { Streams } from './streams/index.ts';
import { DEFAULT_PACE, SYNC_USER_AGENT, SyncHost } from './sync/index.ts';
import { BookViews, LiveMarkets, Registry } from './views/index.ts';

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
  readonly streamFaults: SandboxStreams;
  readonly requestFaults: RequestFaults;
}

export interface Core {
  readonly services: Services;
  /** Finishes accepted commands and makes them durable. The listeners are closed or suspended. */
  close(): Promise<void>;
}

export interface CoreOptions extends StartOptions {
  readonly folder: DataFolder;
  /** The operators that are in effect; without any, those of the settings. */
  readonly operators?: OperatorGate;
  readonly backups: Services['backups'];
  readonly checkpoints: Services['checkpoints'];
}

/** Makes the views. Sockets that are opened from now on are theirs. */
export function createParts(base: Base): CoreParts {
  const { settings, log, clock, limits, faults, server } = base;
  const { monotonicMs, dialect } = settings;
  const now = () => clock.shownMs();
  const registry = new Registry();
  const books = new BookViews();
  const takeFailure = (address: string): boolean =>
    !limits.rules.isOn || limits.takeFailure(address);
  const streamFaults = new SandboxStreams({ faults, registry, books });
  const streams = new Streams({
    registry,
    books,
    now,
    monotonicMs,
    dialect,
    takeFailure,
    faults: streamFaults,
  });
  streamFaults.attach(streams);
  server.useSockets(streams);
  const figures = new CatalogFiguresFeed();
  const requestFaults = new RequestFaults({ faults, registry, log });
  return { ...base, registry, books, streams, figures, streamFaults, requestFaults };
}

/** Throws the error of the first part that fails to start. Requests are handled from then on. */
export async function openCore(parts: CoreParts, options: CoreOptions): Promise<Core> {
  const closers = new DisposableStack();
  try {
    const services = await openParts(parts, options, closers);
    return { services, close: () => closeCore(services, closers) };
  } catch (error) {
    return closers.disposeAfter(error);
  }
}

function closeCore({ heartbeats }: Services, closers: DisposableStack): Promise<void> {
  // First: no heartbeats arrive from here on, and no switch may trip because of that.
  heartbeats.stop();
  return closers.dispose();
}

/**
 * 1. `openStore`: recovers the exchange from its journal and feeds the views;
 * 2. `createMarkets`: loads the catalog and creates its markets;
 * 3. `startVerifiers`, `createServices`: the parts that need the exchange;
 * 4. `openToClients`, `startSync`: requests are handled from here on, and the crowd begins.
 */
async function openParts(
  parts: CoreParts,
  options: CoreOptions,
  closers: DisposableStack,
): Promise<Services> {
  const { clock, settings } = parts;
  const exchange = await openStore(parts, options);
  closers.defer(() => exchange.close());
  clock.watch(exchange);
  recallPause(clock, exchange, parts.log);
  closers.defer(async () => clock.stop());
  await createMarkets(parts, exchange, options);
  const verifiers = await startVerifiers(parts, exchange);
  closers.defer(() => verifiers.stop());

  parts.health.watch({ exchange, verifiers, clock });
  const operators =
    options.operators ??
    new OperatorGate(settings.operators ?? oneOperator(adminTokenOf(settings, exchange)));
  const { backups, checkpoints } = options;
  const services = createServices(parts, {
    exchange,
    verifiers,
    operators,
    backups,
    checkpoints,
  });
  openToClients(parts, services, closers);
  startSync(services, closers);
  services.crowd.start();
  closers.defer(async () => services.crowd.stop());
  return services;
}

function openStore(
  parts: CoreParts,
  { folder, operators, onFatal }: CoreOptions,
): Promise<Exchange> {
  const { metrics, tracing } = parts;
  const { funding, replacesLostCatalog } = parts.settings;
  const { snapshotMs, journalDelayMs, journalFault } = parts.settings;
  return openExchangeIn(folder, {
    now: () => parts.clock.now(),
    funding,
    replacesLostCatalog,
    refusesMovedClock: !isSandbox(parts.settings),
    ...(operators && { reservedOrders: RESTORED_ORDERS }),
    snapshotPace: Number.isFinite(snapshotMs) ? { everyMs: snapshotMs } : 'never',
    journalDelayMs,
    ...(journalFault && { journalFault }),
    observer: tracing?.besides(metrics.commands) ?? metrics.commands,
    onEvent: (event) => handleEvent(event, parts, onFatal),
  });
}

/**
 * Orders that the engine of a restored core reserves room for. To fill the room of a first start
 * takes longer than the rest of most restores.
 */
const RESTORED_ORDERS = 16_384;

/** Passes an event of the store to the views, the metrics and the log. */
function handleEvent(
  event: ExchangeEvent,
  parts: CoreParts,
  onFatal: StartOptions['onFatal'],
): void {
  const { registry, books, streams, streamFaults, figures } = parts;
  const { metrics, health, clock, log } = parts;
  switch (event.kind) {
    case 'clock_moved':
      clock.setOffset(event.offsetMs);
      log.info({ offsetMs: event.offsetMs }, 'the sandbox moved the clock of this data folder');
      return;
    case 'sealed':
      streams.readBalances(event.commands, event.balanceOf);
      return;
    // The registry first, because the other views read it.
    case 'restored':
      for (const view of [registry, books, streams]) view.restore(event.state);
      return;
    case 'durable':
      if (streamFaults.isOn) streamFaults.beforeBatch(event.commands);
      for (const view of [registry, books, streams, figures]) view.consume(event.commands);
      health.noteDurable();
      return;
    case 'catalog_behind':
      metrics.failedCatalogWrites += 1;
      log.warn({ err: event.error }, 'the catalog could not be written: its lists are out of date');
      return;
    case 'thread_down':
      metrics.failedThreads += 1;
      log.warn({ err: event.error }, `${event.name} is down: its requests are refused`);
      return;
    case 'catalog_replaced':
      log.warn({ path: event.path }, 'the catalog was lost, and a new one is made');
      return;
    case 'snapshot_made':
      log.info(event.snapshot, 'a snapshot was made');
      return;
    case 'snapshot_failed':
      metrics.failedSnapshots += 1;
      log.warn({ err: event.error }, 'a snapshot could not be made; it is tried again');
      return;
    case 'snapshot_unusable':
      log.warn({ path: event.path, err: event.error }, 'a snapshot is unusable and was skipped');
      return;
    case 'audit_fault': {
      const { fault, seq } = event.report;
      metrics.violations += 1;
      log.error({ fault, seq }, 'an audit found a fault');
      return;
    }
    case 'failed':
      if (event.error instanceof InvariantError) metrics.violations += 1;
      log.fatal(
        { err: event.error },
        'the exchange stops because of a failure that it cannot repair',
      );
      onFatal(event.error);
      return;
  }
}

/** Not awaited: while `analytics.db` is rebuilt, the answer may take long. */
function recallPause(clock: ExchangeClock, { reader }: Exchange, log: Logger): void {
  clock.recallPause(reader).catch((error: unknown) => {
    if (toApiError(error) === undefined) throw error;
    log.warn({ err: error }, 'it is not known whether the clock paused the exchange before');
  });
}

/** Loads the catalog if the folder has none. Creates the markets of open plans and the catalog. */
async function createMarkets(
  { settings, registry, log }: CoreParts,
  exchange: Exchange,
  { catalog, catalogRecords = [] }: StartOptions,
): Promise<void> {
  log.info(exchange.recovered, 'recovered');
  const { lookup, write } = exchange.catalog;
  if (lookup.marketCount() === 0) {
    await write.importEvents(catalog);
    for (const batch of catalogRecords) await write.putRecords(batch);
  }
  await finishPlans(exchange, log);
  const target = { exchange, registry, log };
  await createCatalogMarkets(target);
  await (settings.tradesImported ? openImported(target) : markTraded(target));
}

async function startVerifiers(
  { settings, metrics, log, overload, tracing }: CoreParts,
  exchange: Exchange,
): Promise<VerifierPool> {
  const { verifierThreads, domains, rateLimits } = settings;
  const verifiers = new VerifierPool({
    threads: verifierThreads,
    data: {
      domains,
      journalPath: exchange.journalPath,
      areSearchesBounded: rateLimits.isOn,
      isTimed: tracing !== undefined,
    },
    forgottenSeq: () => exchange.state.forgottenSeq,
    onDeath: (error) => {
      metrics.failedThreads += 1;
      log.error({ err: error }, 'a verifier thread died and is started again');
    },
    observer: metrics.commands,
    use: overload.use,
  });
  await verifiers.start();
  return verifiers;
}

interface OpenParts {
  readonly exchange: Exchange;
  readonly verifiers: VerifierPool;
  readonly operators: OperatorGate;
  readonly backups: Services['backups'];
  readonly checkpoints: Services['checkpoints'];
}

function createServices(
  parts: CoreParts,
  { exchange, verifiers, operators, backups, checkpoints }: OpenParts,
): Services {
  const { settings, log, clock, registry, books, streams, limits, overload, faults } = parts;
  const { streamFaults, health, metrics, server, operatorServer } = parts;
  const intake = new OrderIntake({
    exchange,
    registry,
    settings,
    verifiers,
    observer: metrics.commands,
    limits,
    overload,
  });
  const listeners = () => ({ public: server, operator: operatorServer });
  const keyRing = new KeyRing(exchange.masterSecret(), registry);
  return {
    settings,
    ports: { public: server.port, operator: operatorServer.port },
    log,
    clock,
    exchange,
    registry,
    books,
    liveMarkets: new LiveMarkets({ books, registry }),
    comments: streams.comments,
    keyRing,
    operators,
    approvals: new Approvals(),
    limits,
    health,
    metrics,
    exposition: new Exposition(familiesOf({ ...parts, exchange, verifiers, listeners, backups })),
    intake,
    orderExplainer: new OrderExplainer({ exchange, registry, books, settings, intake }),
    heartbeats: createHeartbeats(parts, exchange, intake),
    backups,
    checkpoints,
    crowd: new Crowd({
      ...parts,
      exchange,
      intake,
      keyRing,
      now: () => clock.shownMs(),
      audience: {
        requests: () => metrics.requests.answersOf(TRADING_ROUTES),
        sockets: () => streams.socketCount,
      },
      modes: parts.crowdModes,
    }),
    faults,
    toldTrades: streamFaults.trades,
  };
}

/** Switches that were armed before a restart get a new window. */
function createHeartbeats(
  { settings: { heartbeatWindowMs: windowMs, monotonicMs }, log }: CoreParts,
  exchange: Exchange,
  intake: OrderIntake,
): Heartbeats {
  const heartbeats = new Heartbeats({ intake, windowMs, clock: timersOf(monotonicMs), log });
  heartbeats.restore([...exchange.state.armedSwitches()]);
  return heartbeats;
}

/** Opens the streams and the listeners: requests are handled from here on. */
function openToClients(
  { settings, streams, figures, requestFaults, server, operatorServer }: CoreParts,
  services: Services,
  closers: DisposableStack,
): void {
  const { exchange, registry, books, keyRing, clock, log, metrics } = services;
  const authentication = createAuthentication(services);
  requestFaults.open(exchange);
  streams.open(exchange, { store: exchange, keyRing });
  const onFailure = (error: unknown): void => {
    metrics.failedCatalogWrites += 1;
    log.warn({ err: error }, 'trading figures could not be written into the catalog; retrying');
  };
  figures.open({ exchange, registry, books, now: () => clock.shownMs(), onFailure });
  closers.defer(() => figures.close());
  const shared = { services, authentication, clock };
  server.open(isSandbox(settings) ? { ...shared, faults: requestFaults } : shared);
  operatorServer.open(shared);
}

/** Copies another catalog while the exchange runs, if the settings name one. */
function startSync(
  { settings, exchange, registry, log }: Services,
  closers: DisposableStack,
): void {
  const { syncFrom, syncMs: everyMs, tradesImported } = settings;
  if (syncFrom === undefined) return;
  const sync = new SyncHost({
    data: { url: syncFrom, userAgent: SYNC_USER_AGENT, pace: DEFAULT_PACE, everyMs },
    catalog: exchange.catalog,
    log,
    onRan: async () => {
      if (tradesImported) await openImported({ exchange, registry, log });
    },
  });
  sync.start();
  closers.defer(() => sync.stop());
}

const TOKEN_BYTES = 32;

/** The operators' shared token: of the settings, else of the file that the first start makes. */
export function adminTokenOf(settings: Settings, exchange: Exchange): string {
  if (settings.operators !== undefined) return '';
  return (
    settings.adminToken ??
    exchange.secretFile('admin.token', () => randomBytes(TOKEN_BYTES).toString('base64url'))
  );
}
