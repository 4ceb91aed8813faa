/**
 * The composition root: makes all parts of the exchange and connects them. The command `serve` and
 * the tests call `runExchange`. The steps:
 *
 * 1. `createParts`: the parts that need no data, including both listeners;
 * 2. `listen`: opens the ports, so that a port in use is found before a long recovery; clients get
 *    425 until the exchange is ready;
 * 3. `openStore`: recovers the exchange from its journal and feeds the views;
 * 4. `createMarkets`: loads the catalog and creates its markets;
 * 5. `startVerifiers`, `createServices`: the parts that need the exchange;
 * 6. `openToClients`, `startSync`: requests are handled from here on.
 *
 * Invariant: the views are fed before anything is published or answered. Requests are handled only
 * when all parts are ready. Each part is closed before the parts that it uses, also when the start
 * fails half-way.
 */
import { randomBytes } from 'node:crypto';
import { InvariantError } from '../engine/model/index.ts';
import {
  closeEach,
  DisposableStack,
  type Exchange,
  type ExchangeEvent,
  openExchange,
  type RecordBatch,
} from '../persistence/index.ts';
import { OPERATOR_ROUTES } from './admin/index.ts';
import { finishPlans } from './admin/markets/index.ts';
import { endOfTurn, Limits, Overload } from './admission/index.ts';
import type { Admission } from './api/index.ts';
import { createAuthentication, KeyRing } from './auth/index.ts';
import {
  CatalogFiguresFeed,
  createCatalogMarkets,
  markTraded,
  openImported,
} from './catalog/index.ts';
import { OrderExplainer } from './debug/index.ts';
import { toApiError } from './errors/index.ts';
import { Exposition, familiesOf, Health, Metrics } from './metrics/index.ts';
import { Approvals, OperatorGate, type OperatorList, oneOperator } from './operators/index.ts';
import { Heartbeats, OrderIntake, timersOf, VerifierPool } from './orders/index.ts';
import { ROUTES } from './routes/index.ts';
import { createLog, ExchangeClock, type Logger } from './runtime/index.ts';
import { FaultRegistry } from './sandbox/faults/index.ts';
import { RequestFaults } from './sandbox/request-faults/index.ts';
import { SandboxStreams } from './sandbox/stream-faults/index.ts';
import { connectionBounds, Server } from './server/index.ts';
import type { Services } from './services/index.ts';
import { isSandbox, type Settings } from './settings/index.ts';
import { assertNativeSecp256k1 } from './signing/index.ts';
import type { TlsFiles } from './socket/index.ts';
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

export interface Running {
  /** The URL of the public listener, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly adminPort: number;
  /** The operators' shared token; '' where each has a token of its own. */
  readonly adminToken: string;
  readonly services: Services;
  /** Uses these operators from now on; without any, the token that the data folder has now. */
  replaceOperators(list?: OperatorList): void;
  /**
   * New connections of the public listener get the certificate of these files. Throws, and changes
   * nothing, if they can't be used.
   */
  renewTls(tls: TlsFiles): void;
  /**
   * Refuses new requests, finishes those in flight, makes all changes durable and unlocks the data
   * folder. If a part fails to close, it closes the others and then throws the error.
   */
  close(): Promise<void>;
}

/** Throws the error of the first part that fails to start. */
export async function runExchange(settings: Settings, options: StartOptions): Promise<Running> {
  const closers = new DisposableStack();
  try {
    return await start(settings, options, closers);
  } catch (error) {
    return closers.disposeAfter(error);
  }
}

async function start(
  settings: Settings,
  options: StartOptions,
  closers: DisposableStack,
): Promise<Running> {
  assertNativeSecp256k1();
  const parts = createParts(settings);
  const { server, operatorServer, clock } = parts;
  const { port, adminPort } = await listen(parts, closers);

  const exchange = await openStore(parts, options.onFatal);
  closers.defer(() => exchange.close());
  clock.watch(exchange);
  recallPause(clock, exchange, parts.log);
  closers.defer(async () => clock.stop());
  await createMarkets(parts, exchange, options);
  const verifiers = await startVerifiers(parts, exchange);
  closers.defer(() => verifiers.stop());

  parts.health.watch({ exchange, verifiers, clock });
  const adminToken = adminTokenOf(settings, exchange);
  const operators = new OperatorGate(settings.operators ?? oneOperator(adminToken));
  const services = createServices(parts, { exchange, verifiers, operators });
  openToClients(parts, services, closers);
  startSync(services, closers);
  return {
    url: `${settings.tls === undefined ? 'http' : 'https'}://${hostInUrl(settings.host)}:${port}`,
    port,
    adminPort,
    adminToken,
    services,
    replaceOperators: (list = oneOperator(adminTokenOf(settings, exchange))) =>
      operators.replace(list),
    renewTls: (tls) => server.renewTls(tls),
    close: async () => {
      // First: no heartbeats arrive from here on, and no switch may trip because of that.
      services.heartbeats.stop();
      // What faults hold back is answered.
      services.faults.clear();
      // Requests in flight still need all other parts.
      const listeners = Promise.all([server.close(), operatorServer.close()]);
      await closeEach([() => listeners.then(() => undefined), () => closers.dispose()]);
    },
  };
}

/** The parts that need no data: they exist before the exchange is recovered. */
interface Parts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly clock: ExchangeClock;
  readonly limits: Limits;
  readonly overload: Overload;
  readonly faults: FaultRegistry;
  readonly streamFaults: SandboxStreams;
  readonly requestFaults: RequestFaults;
  // Fed by durable commands:
  readonly registry: Registry;
  readonly books: BookViews;
  readonly streams: Streams;
  readonly figures: CatalogFiguresFeed;
  readonly server: Server<Services>;
  readonly operatorServer: Server<Services>;
}

function createParts(settings: Settings): Parts {
  const { monotonicMs, dialect, rateLimits: rules, overload: bounds } = settings;
  const log = createLog(settings.logLevel);
  const metrics = new Metrics();
  const limits = new Limits({ rules, monotonicMs });
  const overload = new Overload({
    bounds,
    clock: () => performance.now(),
    commitMs: () => metrics.commands.leastCommitMs,
    later: endOfTurn,
  });
  const clock = new ExchangeClock({ ...settings, log });
  const now = () => clock.shownMs();
  const registry = new Registry();
  const books = new BookViews();
  const takeFailure = (address: string): boolean =>
    !limits.rules.isOn || limits.takeFailure(address);
  const faults = new FaultRegistry(() => clock.now());
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
  const parts = {
    settings,
    log,
    metrics,
    health: new Health(() => performance.now()),
    clock,
    limits,
    overload,
    faults,
    streamFaults,
    requestFaults: new RequestFaults({ faults, registry, log }),
    registry,
    books,
    streams,
    figures: new CatalogFiguresFeed(),
  };
  return { ...parts, ...createServers(parts) };
}

/** Only the public listener uses TLS; the operator's is meant for clients on this machine. */
function createServers(parts: Omit<Parts, 'server' | 'operatorServer'>) {
  const { log, metrics, limits, overload, streams, requestFaults } = parts;
  const { dialect, trustedProxies, tls } = parts.settings;
  const admissionBy = (admission: Admission) => (limits.rules.isOn ? { admission } : {});
  const hasSandbox = isSandbox(parts.settings);
  const shared = { log, dialect, observer: metrics.requests, trustedProxies, hasSandbox };
  const connections = connectionBounds();
  return {
    server: new Server({
      ...shared,
      routes: ROUTES,
      sockets: streams,
      connections: connections.public,
      loadGate: overload,
      cors: true,
      ...(hasSandbox ? { faults: requestFaults } : {}),
      ...admissionBy(limits),
      ...(tls === undefined ? {} : { tls }),
    }),
    operatorServer: new Server({
      ...shared,
      routes: OPERATOR_ROUTES,
      connections: connections.operator,
      cors: false,
      ...admissionBy(limits.operator),
    }),
  };
}

async function listen(
  { settings, server, operatorServer }: Parts,
  closers: DisposableStack,
): Promise<Pick<Running, 'port' | 'adminPort'>> {
  const port = await server.listen(settings.host, settings.port);
  closers.defer(() => server.close());
  const adminPort = await operatorServer.listen(settings.adminHost, settings.adminPort);
  closers.defer(() => operatorServer.close());
  return { port, adminPort };
}

function openStore(parts: Parts, onFatal: StartOptions['onFatal']): Promise<Exchange> {
  const { dataDir, temporary, funding, replacesLostCatalog } = parts.settings;
  const { snapshotMs, journalDelayMs, journalFault } = parts.settings;
  return openExchange({
    dataDir,
    temporary,
    now: () => parts.clock.now(),
    funding,
    replacesLostCatalog,
    refusesMovedClock: !isSandbox(parts.settings),
    snapshotPace: Number.isFinite(snapshotMs) ? { everyMs: snapshotMs } : 'never',
    journalDelayMs,
    ...(journalFault && { journalFault }),
    observer: parts.metrics.commands,
    onEvent: (event) => handleEvent(event, parts, onFatal),
  });
}

/** Passes an event of the store to the views, the metrics and the log. */
function handleEvent(event: ExchangeEvent, parts: Parts, onFatal: StartOptions['onFatal']): void {
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
      log.warn({ err: event.error }, 'the catalog could not be written: its lists are out of date');
      return;
    case 'thread_down':
      log.warn({ err: event.error }, `${event.name} is down: its requests are refused`);
      return;
    case 'catalog_replaced':
      log.warn({ path: event.path }, 'the catalog was lost, and a new one is made');
      return;
    case 'secret_tightened': {
      const found = { path: event.path, mode: event.mode.toString(8) };
      log.warn(found, 'a secret that other users could read was made private');
      return;
    }
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
  { settings, registry, log }: Parts,
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
  { settings: { verifierThreads, domains, rateLimits }, metrics, log, overload }: Parts,
  exchange: Exchange,
): Promise<VerifierPool> {
  const verifiers = new VerifierPool({
    threads: verifierThreads,
    data: {
      domains,
      journalPath: exchange.journalPath,
      areSearchesBounded: rateLimits.isOn,
    },
    forgottenSeq: () => exchange.state.forgottenSeq,
    onDeath: (error) => log.error({ err: error }, 'a verifier thread died and is started again'),
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
}

function createServices(parts: Parts, { exchange, verifiers, operators }: OpenParts): Services {
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
  return {
    settings,
    log,
    clock,
    exchange,
    registry,
    books,
    liveMarkets: new LiveMarkets({ books, registry }),
    comments: streams.comments,
    keyRing: new KeyRing(exchange.masterSecret(), registry),
    operators,
    approvals: new Approvals(),
    limits,
    health,
    metrics,
    exposition: new Exposition(familiesOf({ ...parts, exchange, verifiers, listeners })),
    intake,
    orderExplainer: new OrderExplainer({ exchange, registry, books, settings, intake }),
    heartbeats: createHeartbeats(parts, exchange, intake),
    faults,
    toldTrades: streamFaults.trades,
  };
}

/** Switches that were armed before a restart get a new window. */
function createHeartbeats(
  { settings: { heartbeatWindowMs: windowMs, monotonicMs }, log }: Parts,
  exchange: Exchange,
  intake: OrderIntake,
): Heartbeats {
  const heartbeats = new Heartbeats({ intake, windowMs, clock: timersOf(monotonicMs), log });
  heartbeats.restore([...exchange.state.armedSwitches()]);
  return heartbeats;
}

/** Opens the streams and the listeners: requests are handled from here on. */
function openToClients(
  { streams, figures, requestFaults, server, operatorServer }: Parts,
  services: Services,
  closers: DisposableStack,
): void {
  const { exchange, registry, books, keyRing, clock, log } = services;
  const authentication = createAuthentication(services);
  requestFaults.open(exchange);
  streams.open(exchange, { store: exchange, keyRing });
  const onFailure = (error: unknown): void =>
    log.warn({ err: error }, 'trading figures could not be written into the catalog; retrying');
  figures.open({ exchange, registry, books, now: () => clock.shownMs(), onFailure });
  closers.defer(() => figures.close());
  for (const listener of [server, operatorServer])
    listener.open({ services, authentication, clock });
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

/** An IPv6 address has brackets in a URL. */
function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

const TOKEN_BYTES = 32;

/** The operators' shared token: of the settings, else of the file that the first start makes. */
function adminTokenOf(settings: Settings, exchange: Exchange): string {
  if (settings.operators !== undefined) return '';
  return (
    settings.adminToken ??
    exchange.secretFile('admin.token', () => randomBytes(TOKEN_BYTES).toString('base64url'))
  );
}
