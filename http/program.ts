/**
 * Puts the whole exchange together: listeners, views, store, verifier threads, services. The
 * program and the tests start it the same way.
 *
 * Invariant: the views are fed before anything is published or answered; requests are taken only
 * when all parts are ready; each part is closed before what it uses, also when starting fails
 * half-way.
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
import type { Admission, Authentication } from './api/index.ts';
import { createAuthentication, KeyRing, OperatorGate } from './auth/index.ts';
import {
  CatalogFiguresFeed,
  createCatalogMarkets,
  noteTraded,
  openImported,
} from './catalog/index.ts';
import { OrderExplainer } from './debug/index.ts';
import { Exposition, familiesOf, Health, Metrics } from './metrics/index.ts';
import { Heartbeats, OrderIntake, timersOf, VerifierPool } from './orders/index.ts';
import { ROUTES } from './routes/index.ts';
import type { Logger } from './runtime/index.ts';
import { createLog, ExchangeClock } from './runtime/index.ts';
import { Server } from './server/index.ts';
import type { Services } from './services/index.ts';
import type { Settings } from './settings/index.ts';
import { assertNativeSecp256k1 } from './signing/index.ts';
import { Streams } from './streams/index.ts';
import { DEFAULT_PACE, SYNC_USER_AGENT, SyncHost } from './sync/index.ts';
import { BookViews, LiveMarkets, Registry } from './views/index.ts';

export interface StartOptions {
  /** Events in the public catalog's JSON form, loaded when the data folder has none. */
  readonly catalog: unknown;
  /** What comes after the events, loaded with them. */
  readonly catalogRecords?: readonly RecordBatch[];
  /** Something broke that can't be mended: nothing is answered any more, end the process. */
  readonly onFatal: (error: Error) => void;
}

export interface Running {
  /** Of the public listener, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly adminPort: number;
  readonly adminToken: string;
  readonly services: Services;
  /**
   * Takes no more requests, finishes those in flight, makes all durable and lets the folder go.
   * Throws what failed meanwhile, when all the rest is closed.
   */
  close(): Promise<void>;
}

/** Starts the exchange; throws what the first part that fails says. */
export async function startExchange(settings: Settings, options: StartOptions): Promise<Running> {
  const closers = new DisposableStack();
  try {
    return await start(settings, options, closers);
  } catch (error) {
    return closers.disposeAfter(error);
  }
}

async function start(
  settings: Settings,
  { catalog, catalogRecords = [], onFatal }: StartOptions,
  closers: DisposableStack,
): Promise<Running> {
  assertNativeSecp256k1();
  const log = createLog(settings.logLevel);
  // The ports first: a taken one is found before a long recovery, whose callers are told of it.
  const metrics = new Metrics();
  const health = new Health(() => performance.now());
  const gates = createGates(settings, metrics);
  const views = createViews(settings, gates.limits);
  const { registry, books, streams, figures } = views;
  const servers = createServers(settings, { ...gates, metrics, streams, log });
  const { server, operatorServer } = servers;
  const { port, adminPort } = await listen(settings, servers, closers);

  const clock = new ExchangeClock({ ...settings, log });
  const exchange = await openStore(settings, { ...views, clock, metrics, health, log, onFatal });
  closers.defer(() => exchange.close());
  clock.watch(exchange);
  closers.defer(async () => clock.stop());
  await createMarkets(exchange, { catalog, catalogRecords, registry, log, settings });
  const verifiers = await startVerifiers(settings, { exchange, metrics, log });
  closers.defer(() => verifiers.stop());

  const adminToken = adminTokenOf(settings, exchange);
  health.watch({ exchange, verifiers, clock });
  const listeners = () => ({ public: server, operator: operatorServer });
  const sources = { metrics, exchange, clock, health, verifiers, registry, streams, ...gates };
  const observer = metrics.commands;
  const intake = new OrderIntake({ exchange, registry, settings, verifiers, observer, ...gates });
  const heartbeats = startHeartbeats(settings, { intake, exchange, log });
  const services: Services = {
    settings,
    log,
    clock,
    exchange,
    registry,
    books,
    liveMarkets: new LiveMarkets({ books, registry }),
    comments: streams.comments,
    keyRing: new KeyRing(exchange.masterSecret(), registry),
    limits: gates.limits,
    health,
    metrics,
    exposition: new Exposition(familiesOf({ ...sources, listeners })),
    intake,
    orderExplainer: new OrderExplainer({ exchange, registry, books, settings, intake }),
    heartbeats,
  };
  streams.open(exchange, { store: exchange, keyRing: services.keyRing });
  const operatorGate = new OperatorGate(adminToken);
  const authentication = createAuthentication({ ...services, operatorGate });
  openAll({ ...servers, figures, authentication }, services, closers);
  return {
    url: `${settings.tls === undefined ? 'http' : 'https'}://${hostInUrl(settings.host)}:${port}`,
    port,
    adminPort,
    adminToken,
    services,
    close: async () => {
      // First, for beats are no longer taken.
      heartbeats.stop();
      // Requests in flight still need everything else.
      const listeners = Promise.all([server.close(), operatorServer.close()]);
      await closeEach([() => listeners.then(() => undefined), () => closers.dispose()]);
    },
  };
}

/** The catalog is told what trades. */
function startFigures(
  figures: CatalogFiguresFeed,
  { exchange, registry, books, settings: { now }, log }: Services,
  closers: DisposableStack,
): void {
  const onFailure = (error: unknown): void =>
    log.warn({ err: error }, 'volumes of the catalog are behind');
  figures.open({ exchange, registry, books, now, onFailure });
  closers.defer(() => figures.close());
}

/** From here on requests are taken, and another catalog is copied. */
function openAll(
  {
    server,
    operatorServer,
    figures,
    authentication,
  }: Servers & Pick<Views, 'figures'> & { readonly authentication: Authentication },
  services: Services,
  closers: DisposableStack,
): void {
  startFigures(figures, services, closers);
  const parts = { services, authentication, now: services.settings.now };
  server.open(parts);
  operatorServer.open(parts);
  startSync(services, closers);
}

interface MarketUsers extends Pick<StartOptions, 'catalog'>, Pick<Views, 'registry'> {
  readonly catalogRecords: readonly RecordBatch[];
  readonly settings: Settings;
  readonly log: Logger;
}

/** All that the catalog and the operator's plans name, where the store has just recovered. */
async function createMarkets(
  exchange: Exchange,
  { catalog, catalogRecords, registry, log, settings }: MarketUsers,
): Promise<void> {
  log.info(exchange.recovered, 'recovered');
  const { lookup, write } = exchange.catalog;
  if (lookup.marketCount() === 0) {
    await write.importEvents(catalog);
    for (const batch of catalogRecords) await write.putRecords(batch);
  }
  await finishPlans(exchange, log);
  await createCatalogMarkets(exchange, registry);
  const users = { exchange, registry, log };
  await (settings.tradesImported ? openImported(users) : noteTraded(users));
}

/** Copies another catalog while the exchange runs, where the settings name one. */
function startSync(users: Services, closers: DisposableStack): void {
  const { syncFrom, syncMs: everyMs, tradesImported } = users.settings;
  if (syncFrom === undefined) return;
  const sync = new SyncHost({
    data: { url: syncFrom, userAgent: SYNC_USER_AGENT, pace: DEFAULT_PACE, everyMs },
    catalog: users.exchange.catalog,
    log: users.log,
    onRan: async () => {
      if (tradesImported) await openImported(users);
    },
  });
  sync.start();
  closers.defer(() => sync.stop());
}

/** An IPv6 address stands in brackets in a URL. */
function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** What is fed by durable commands. */
interface Views {
  readonly registry: Registry;
  readonly books: BookViews;
  readonly streams: Streams;
  readonly figures: CatalogFiguresFeed;
}

function createViews({ now, monotonicMs }: Settings, limits: Limits): Views {
  const registry = new Registry();
  const books = new BookViews();
  const takeFailure = (address: string): boolean =>
    !limits.rules.isOn || limits.takeFailure(address);
  const streams = new Streams({ registry, books, now, monotonicMs, takeFailure });
  return { registry, books, streams, figures: new CatalogFiguresFeed() };
}

/** What says whether a request may go on: who sends too many, and whether there is time for it. */
interface Gates {
  readonly limits: Limits;
  readonly overload: Overload;
}

function createGates(
  { rateLimits: rules, monotonicMs, overload: bounds }: Settings,
  { commands }: Metrics,
): Gates {
  return {
    limits: new Limits({ rules, monotonicMs }),
    overload: new Overload({
      bounds,
      clock: () => performance.now(),
      commitMs: () => commands.leastCommitMs,
      later: endOfTurn,
    }),
  };
}

interface Servers {
  readonly server: Server<Services>;
  readonly operatorServer: Server<Services>;
}

async function listen(
  { host, port: wantedPort, adminHost, adminPort: wantedAdminPort }: Settings,
  { server, operatorServer }: Servers,
  closers: DisposableStack,
): Promise<Pick<Running, 'port' | 'adminPort'>> {
  const port = await server.listen(host, wantedPort);
  closers.defer(() => server.close());
  const adminPort = await operatorServer.listen(adminHost, wantedAdminPort);
  closers.defer(() => operatorServer.close());
  return { port, adminPort };
}

interface ServerUsers extends Gates {
  readonly metrics: Metrics;
  readonly streams: Streams;
  readonly log: Logger;
}

/** Only the public one speaks TLS: that of the operator is for this machine. */
function createServers(
  { trustedProxies, tls }: Settings,
  { limits, overload, metrics, streams, log }: ServerUsers,
): Servers {
  const admissionBy = (admission: Admission) => (limits.rules.isOn ? { admission } : {});
  const shared = { log, observer: metrics.requests, trustedProxies };
  return {
    server: new Server({
      ...shared,
      routes: ROUTES,
      sockets: streams,
      loadGate: overload,
      cors: true,
      ...admissionBy(limits),
      ...(tls === undefined ? {} : { tls }),
    }),
    operatorServer: new Server({
      ...shared,
      routes: OPERATOR_ROUTES,
      cors: false,
      ...admissionBy(limits.operator),
    }),
  };
}

interface StoreUsers extends Views {
  readonly clock: ExchangeClock;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly log: Logger;
  readonly onFatal: (error: Error) => void;
}

function openStore(
  { dataDir, temporary, funding, snapshotMs, journalDelayMs, journalFault }: Settings,
  users: StoreUsers,
): Promise<Exchange> {
  return openExchange({
    dataDir,
    temporary,
    now: () => users.clock.now(),
    funding,
    snapshotPace: Number.isFinite(snapshotMs) ? { everyMs: snapshotMs } : 'never',
    journalDelayMs,
    ...(journalFault && { journalFault }),
    observer: users.metrics.commands,
    onEvent: (event) => report(event, users),
  });
}

/** Passes an event of the store to the views, the metrics and the log. */
function report(event: ExchangeEvent, users: StoreUsers): void {
  const { registry, books, streams, figures, metrics, health, log } = users;
  switch (event.kind) {
    case 'sealed':
      streams.readBalances(event.commands, event.balanceOf);
      return;
    // The registry first, because the others ask it.
    case 'restored':
      for (const view of [registry, books, streams]) view.restore(event.state);
      return;
    case 'durable':
      for (const view of [registry, books, streams, figures]) view.consume(event.commands);
      health.noteDurable();
      return;
    case 'catalog_behind':
      log.warn({ err: event.error }, 'the catalog could not be written: lists are behind');
      return;
    case 'thread_down':
      log.warn({ err: event.error }, `${event.name} is down: its requests are refused`);
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
      log.warn({ path: event.path, err: event.error }, 'a snapshot is not used');
      return;
    case 'audit_fault': {
      const { fault, seq } = event.report;
      metrics.violations += 1;
      log.error({ fault, seq }, 'an audit found a fault');
      return;
    }
    case 'failed':
      if (event.error instanceof InvariantError) metrics.violations += 1;
      log.fatal({ err: event.error }, 'the exchange can not go on');
      users.onFatal(event.error);
      return;
  }
}

interface VerifierUsers {
  readonly exchange: Exchange;
  readonly metrics: Metrics;
  readonly log: Logger;
}

async function startVerifiers(
  { verifierThreads, domains, rateLimits }: Settings,
  { exchange, metrics, log }: VerifierUsers,
): Promise<VerifierPool> {
  const verifiers = new VerifierPool({
    threads: verifierThreads,
    data: {
      domains,
      orderIds: exchange.orderIdIndexOptions(),
      areSearchesBounded: rateLimits.isOn,
    },
    forgottenSeq: () => exchange.state.forgottenSeq,
    onDeath: (error) => log.error({ err: error }, 'a verifier thread died and is started again'),
    observer: metrics.commands,
  });
  await verifiers.start();
  return verifiers;
}

interface HeartbeatUsers {
  readonly intake: OrderIntake;
  readonly exchange: Exchange;
  readonly log: Logger;
}

/** What was armed before a restart has a fresh window. */
function startHeartbeats(
  { heartbeatWindowMs: windowMs, monotonicMs }: Settings,
  { intake, exchange, log }: HeartbeatUsers,
): Heartbeats {
  const heartbeats = new Heartbeats({ intake, windowMs, clock: timersOf(monotonicMs), log });
  heartbeats.restore([...exchange.state.armedSwitches()]);
  return heartbeats;
}

const TOKEN_BYTES = 32;

/** The token that was given, or the one that was made at the first start. */
function adminTokenOf({ adminToken }: Settings, exchange: Exchange): string {
  return (
    adminToken ??
    exchange.secretFile('admin.token', () => randomBytes(TOKEN_BYTES).toString('base64url'))
  );
}
