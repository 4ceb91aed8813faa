/**
 * Puts the whole exchange together: listeners, views, store, verifier threads, services. The
 * program and the tests start it the same way.
 *
 * Invariant: the views are fed before anything is answered; requests are taken only when all parts
 * are ready; each part is closed before what it uses, also when starting fails half-way.
 */
import { randomBytes } from 'node:crypto';
import { type Exchange, openExchange } from '../persistence/index.ts';
import { OPERATOR_ROUTES } from './admin/index.ts';
import { KeyRing } from './auth/key-ring.ts';
import { OperatorGate } from './auth/operator-gate.ts';
import { createCatalogMarkets } from './catalog-markets.ts';
import { Limits } from './limits/limits.ts';
import { createLog, type Logger } from './log.ts';
import { Intake } from './orders/intake.ts';
import { VerifierPool } from './orders/verifier-pool.ts';
import { ROUTES } from './routes/index.ts';
import { Server } from './server.ts';
import type { Admission } from './server-hooks.ts';
import type { Services } from './services.ts';
import type { Settings } from './settings.ts';
import { assertNativeSecp256k1 } from './signing/recover.ts';
import { BookViews } from './views/books.ts';
import { Registry } from './views/registry.ts';

export interface StartOptions {
  /** Events in the public catalog's JSON form, loaded when the data folder has none. */
  readonly catalog: unknown;
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
  /** Takes no more requests, finishes those in flight, makes all durable and lets the folder go. */
  close(): Promise<void>;
}

/** Closes what was opened, the last first. */
class Closers {
  readonly #closers: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async closeAll(): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      await close();
    }
  }
}

/** Starts the exchange; throws what the first part that fails says. */
export const startExchange = async (
  settings: Settings,
  options: StartOptions,
): Promise<Running> => {
  const closers = new Closers();
  try {
    return await start(settings, options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
};

const start = async (
  settings: Settings,
  { catalog, onFatal }: StartOptions,
  closers: Closers,
): Promise<Running> => {
  assertNativeSecp256k1();
  const log = createLog(settings.logLevel);
  // The ports first: a taken one is found before a long recovery, and whoever calls meanwhile is
  // told that the service is not ready.
  const limits = new Limits({ rules: settings.rateLimits, monotonicMs: settings.monotonicMs });
  const admissionBy = (admission: Admission) => (limits.rules.isOn ? { admission } : {});
  const server = new Server({ routes: ROUTES, cors: true, log, ...admissionBy(limits) });
  const operatorServer = new Server({
    routes: OPERATOR_ROUTES,
    cors: false,
    log,
    ...admissionBy(limits.operator),
  });
  const port = await server.listen(settings.host, settings.port);
  closers.add(() => server.close());
  const adminPort = await operatorServer.listen(settings.adminHost, settings.adminPort);
  closers.add(() => operatorServer.close());

  const registry = new Registry();
  const books = new BookViews();
  const exchange = await openStore(settings, { registry, books, log, onFatal });
  closers.add(() => exchange.close());
  if (exchange.catalog.marketCount() === 0) exchange.catalog.importEvents(catalog);
  await createCatalogMarkets(exchange, registry);
  const verifiers = await startVerifiers(settings, exchange, log);
  closers.add(() => verifiers.stop());

  const adminToken = adminTokenOf(settings, exchange);
  const services: Services = {
    settings,
    log,
    now: settings.now,
    exchange,
    registry,
    books,
    keyRing: new KeyRing(exchange.masterSecret(), registry),
    operatorGate: new OperatorGate(adminToken),
    limits,
    intake: new Intake({ exchange, registry, settings, verifiers }),
  };
  server.open(services);
  operatorServer.open(services);
  return {
    url: `http://${hostInUrl(settings.host)}:${port}`,
    port,
    adminPort,
    adminToken,
    services,
    close: async () => {
      // Requests in flight still need everything else.
      await Promise.all([server.close(), operatorServer.close()]);
      await closers.closeAll();
    },
  };
};

/** An IPv6 address stands in brackets in a URL. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

interface StoreUsers {
  readonly registry: Registry;
  readonly books: BookViews;
  readonly log: Logger;
  readonly onFatal: (error: Error) => void;
}

const openStore = (
  { dataDir, temporary, now, funding, journalDelayMs }: Settings,
  { registry, books, log, onFatal }: StoreUsers,
): Promise<Exchange> =>
  openExchange({
    dataDir,
    temporary,
    now,
    funding,
    journalDelayMs,
    onDurable: (commands) => {
      registry.consume(commands);
      books.consume(commands);
    },
    onThreadDown: (name, error) => log.warn({ err: error }, `${name} is down: reads are refused`),
    onFatal: (error) => {
      log.fatal({ err: error }, 'the exchange can not go on');
      onFatal(error);
    },
  });

const startVerifiers = async (
  { verifierThreads, domains }: Settings,
  exchange: Exchange,
  log: Logger,
): Promise<VerifierPool> => {
  const verifiers = new VerifierPool({
    threads: verifierThreads,
    data: { domains, orderIds: exchange.openOrderIdIndexOptions() },
    onDeath: (error) => log.error({ err: error }, 'a verifier thread died and is started again'),
  });
  await verifiers.start();
  return verifiers;
};

const TOKEN_BYTES = 32;

/** The token that was given, or the one that was made at the first start. */
const adminTokenOf = ({ adminToken }: Settings, exchange: Exchange): string =>
  adminToken ??
  exchange.secretFile('admin.token', () => randomBytes(TOKEN_BYTES).toString('base64url'));
