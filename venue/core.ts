/**
 * The core: all parts of the exchange that hold its data or are made from it, from the data folder
 * to the services that routes use. A core is opened once, used and closed; to bring the exchange to
 * another state, its core is closed and another one is opened (`restorable-core.ts`).
 *
 * Invariant: the views are fed before anything is published or answered. Requests are handled only
 * when all parts are ready. Each part is closed before the parts that it uses, also when the start
 * fails half-way.
 */
import { randomBytes } from 'node:crypto';
import { createAuthentication } from '../http/auth/authentication.ts';
import { KeyRing } from '../http/auth/key-ring.ts';
import { OrderExplainer } from '../http/debug/order-explainer.ts';
import { ApiError } from '../http/errors/index.ts';
import { Exposition } from '../http/metrics/command-metrics.ts';
import { familiesOf } from '../http/metrics/families.ts';
import { Approvals } from '../http/operators/approvals.ts';
import { OperatorGate, oneOperator } from '../http/operators/operator-gate.ts';
import { type DeadMansSwitches, Heartbeats, timersOf } from '../http/orders/heartbeats.ts';
import { OrderIntake } from '../http/orders/intake.ts';
import { OrderAnswers } from '../http/orders/order-answers.ts';
import { VerifierPool } from '../http/orders/verifier-pool.ts';
import type { Services, VenueNode } from '../http/services/index.ts';
import { runsPublicApi } from '../http/settings/cluster.ts';
import { isSandbox, type Settings } from '../http/settings/settings.ts';
import { LiveMarkets } from '../http/views/index.ts';
import {
  allDone,
  type DataFolder,
  DisposableStack,
  type Exchange,
  openExchangeIn,
  type StoreObserver,
} from '../persistence/index.ts';
import { beginToLead, finishOwnPlans } from './begin-to-lead.ts';
import type { CoreParts, StartOptions } from './core-parts.ts';
import { handleEvent } from './exchange-events.ts';
import { signerVolume } from './signer-volume.ts';

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
}

/** Throws the error of the first part that fails to start. Requests are handled from then on. */
export async function openCore(parts: CoreParts, options: CoreOptions): Promise<Core> {
  const closers = new DisposableStack();
  try {
    const services = await openParts(parts, options, closers);
    return { services, close: () => closeCore(parts, services, closers) };
  } catch (error) {
    return closers.disposeAfter(error);
  }
}

function closeCore(
  { shares }: CoreParts,
  { heartbeats }: Services,
  closers: DisposableStack,
): Promise<void> {
  // First: no heartbeats arrive from here on, and no switch may trip because of that.
  heartbeats.stop();
  for (const share of shares) share.release?.();
  return closers.dispose();
}

/**
 * 1. `openStore`: recovers the exchange from its journal and feeds the views;
 * 2. `createVerifiers`, `createServices`: the parts that need the exchange;
 * 3. `beginToLead`: loads the catalog and creates its markets, unless another node is the core;
 *    meanwhile the verifier threads start;
 * 4. `openToClients`: requests are handled from here on, and the plots begin.
 */
async function openParts(
  parts: CoreParts,
  options: CoreOptions,
  closers: DisposableStack,
): Promise<Services> {
  const { clock, settings } = parts;
  const node = nodeOf(parts);
  const exchange = await openStore(parts, options, node);
  closers.defer(() => exchange.close());
  const verifiers = runsPublicApi(settings)
    ? createVerifiers(parts, exchange, closers)
    : NO_VERIFIERS;
  parts.health.watch({
    exchange,
    node: node?.shown,
    verifiers,
    clock,
    role: settings.cluster?.role,
  });
  const operators =
    options.operators ??
    new OperatorGate(settings.operators ?? oneOperator(adminTokenOf(settings, exchange)));
  const { backups } = options;
  const services = createServices(parts, { exchange, node, verifiers, operators, backups });
  // The verifier threads start meanwhile.
  await allDone([
    verifiers.start(),
    parts.leadership.open(node === undefined || node.shown.state === 'leading', async () => {
      node?.lead();
      await beginToLead(parts, options, { services, closers });
    }),
  ]);
  openToClients(parts, services, node, closers);
  if (settings.cluster?.role === 'gateway') finishOwnPlans(services);
  for (const share of parts.shares) share.opened?.();
  return services;
}

/** Throws if the settings are those of a node, and no plot makes it one. */
function nodeOf({ shares, settings }: CoreParts): VenueNode | undefined {
  const node = shares.find((share) => share.node !== undefined)?.node;
  if (settings.cluster !== undefined && node === undefined) {
    throw new Error(`this exchange has no clusters, so it can't be a ${settings.cluster.role}`);
  }
  return node;
}

function openStore(
  parts: CoreParts,
  { folder, operators, onFatal }: CoreOptions,
  node: VenueNode | undefined,
): Promise<Exchange> {
  const { metrics, plots } = parts;
  const { funding, replacesLostCatalog, snapshotMs, journalDisk } = parts.settings;
  return openExchangeIn(folder, {
    now: () => parts.clock.now(),
    funding,
    ...(node && { node: node.part }),
    replacesLostCatalog,
    refusesMovedClock: !isSandbox(parts.settings),
    ...((operators || parts.settings.temporary) && { reservedOrders: FEW_ORDERS }),
    snapshotPace: Number.isFinite(snapshotMs) ? { everyMs: snapshotMs } : 'never',
    ...(journalDisk && { journalDisk }),
    observer: plots.reduce(
      (all, { storeObserver }) => (storeObserver === undefined ? all : both(storeObserver, all)),
      metrics.commands as StoreObserver,
    ),
    onEvent: (event) => handleEvent(event, parts, onFatal),
  });
}

function both(one: StoreObserver, two: StoreObserver): StoreObserver {
  return {
    applied: (command, outcome, durationMs) => {
      one.applied(command, outcome, durationMs);
      two.applied(command, outcome, durationMs);
    },
    committed: (commands, durationMs) => {
      one.committed(commands, durationMs);
      two.committed(commands, durationMs);
    },
    answered: (queuedMs) => {
      one.answered?.(queuedMs);
      two.answered?.(queuedMs);
    },
  };
}

/**
 * Orders that the engine of a restored core, or of one in memory, reserves room for. To fill the
 * room of a durable exchange takes longer than the rest of most restores and of a test's start.
 */
const FEW_ORDERS = 16_384;

type Verifiers = Pick<VerifierPool, 'start' | 'verify' | 'size' | 'upCount'>;

/** Those of a node without a public API, which takes no signed orders. */
const NO_VERIFIERS: Verifiers = {
  start: () => Promise.resolve(),
  size: 0,
  upCount: 0,
  verify: () => Promise.reject(new ApiError('other_node')),
};

function createVerifiers(
  { settings, metrics, log, overload, plots }: CoreParts,
  exchange: Exchange,
  closers: DisposableStack,
): VerifierPool {
  const { verifierThreads, domains, wallets, rateLimits } = settings;
  const verifiers = new VerifierPool({
    threads: verifierThreads,
    data: {
      domains,
      wallets,
      journalPath: exchange.journalPath,
      areSearchesBounded: rateLimits.isOn,
      isTimed: plots.some(({ tracer }) => tracer !== undefined),
    },
    forgottenSeq: () => exchange.state.forgottenSeq,
    onDeath: (error) => {
      metrics.failedThreads += 1;
      log.error({ err: error }, 'a verifier thread died and is started again');
    },
    observer: metrics.commands,
    use: overload.use,
  });
  closers.defer(() => verifiers.stop());
  return verifiers;
}

interface OpenParts {
  readonly exchange: Exchange;
  readonly node: VenueNode | undefined;
  readonly verifiers: Verifiers;
  readonly operators: OperatorGate;
  readonly backups: Services['backups'];
}

function createServices(
  parts: CoreParts,
  { exchange, node, verifiers, operators, backups }: OpenParts,
): Services {
  const { settings, log, clock, registry, books, streams, limits, overload, plots } = parts;
  const { shares, health, metrics, server, operatorServer, delayEnds } = parts;
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
  const further = plots.flatMap((plot) => plot.families?.() ?? []);
  const shown = node?.shown;
  const families = familiesOf({ ...parts, exchange, node: shown, verifiers, listeners, backups });
  const services: Services = {
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
    approvals: node?.approvals() ?? new Approvals(),
    limits,
    health,
    metrics,
    exposition: new Exposition([...families, ...further]),
    intake,
    orderAnswers: new OrderAnswers({ exchange, profile: settings.profile, delayEnds }),
    orderExplainer: new OrderExplainer({ exchange, registry, books, settings, intake }),
    heartbeats: createHeartbeats(parts, { exchange, node }, intake),
    backups,
    toldTrades: { toldOf: () => undefined },
    simulated: { addresses: [], madeUpUntilMs: null },
  };
  return Object.assign(services, ...shares.map((share) => share.services?.(services, streams)));
}

/** Switches that were armed before a restart, or a takeover, get a new window. */
function createHeartbeats(
  { settings: { heartbeatWindowMs: windowMs, monotonicMs }, log }: CoreParts,
  { exchange, node }: Pick<OpenParts, 'exchange' | 'node'>,
  intake: OrderIntake,
): DeadMansSwitches {
  const begin = (): Heartbeats => {
    const heartbeats = new Heartbeats({ intake, windowMs, clock: timersOf(monotonicMs), log });
    heartbeats.restore([...exchange.state.armedSwitches()]);
    return heartbeats;
  };
  return node?.heartbeats(begin) ?? begin();
}

/** Opens the streams and the listeners: requests are handled from here on. */
function openToClients(
  parts: CoreParts,
  services: Services,
  node: VenueNode | undefined,
  closers: DisposableStack,
): void {
  const { settings, shares, server, operatorServer } = parts;
  const { clock } = services;
  const authentication = createAuthentication(services);
  const isPublic = runsPublicApi(settings);
  const state = node && { state: node.gate() };
  const shared = { services: { ...services }, authentication, clock, ...state };
  const interceptor = shares.find((share) => share.interceptor !== undefined)?.interceptor;
  if (isPublic) {
    openStreams(parts, services, closers);
    services.limits.readVolumes((owner) => signerVolume(services, owner));
    server.open({ ...shared, ...(interceptor && { interceptor }) });
  }
  operatorServer.open(shared);
}

function openStreams(
  { streams, figures, commentsOfNodes }: CoreParts,
  services: Services,
  closers: DisposableStack,
): void {
  const { exchange, registry, books, keyRing, clock, log, metrics } = services;
  streams.open(exchange, { store: exchange, keyRing });
  commentsOfNodes.open(services);
  const onFailure = (error: unknown): void => {
    metrics.failedCatalogWrites += 1;
    log.warn({ err: error }, 'trading figures could not be written into the catalog; retrying');
  };
  figures.open({ exchange, registry, books, now: () => clock.shownMs(), onFailure });
  closers.defer(() => figures.close());
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
