/**
 * The composition root: makes all parts of the exchange and connects them. The command `serve` and
 * the tests call `runExchange`. The steps:
 *
 * 1. `createBase`: the parts that need no data, including both listeners;
 * 2. `listen`: opens the ports, so that a port in use is found before a long recovery; clients get
 *    425 until the exchange is ready;
 * 3. `RestorableCore.open`: everything that has data or is made from it (`core.ts`). Requests are
 *    handled from here on. A plot can have the core replaced; the base stays then.
 *
 * The core and the standbys of a cluster have the operator's listener alone.
 */

import { type OperatorList, oneOperator } from '../http/operators/operator-gate.ts';
import type { Services } from '../http/services/index.ts';
import { runsPublicApi } from '../http/settings/cluster.ts';
import type { Settings } from '../http/settings/settings.ts';
import { assertNativeSecp256k1 } from '../http/signing/recover.ts';
import type { TlsFiles } from '../http/socket/socket-library.ts';
import { closeEach, DataFolder, DisposableStack } from '../persistence/index.ts';
import { type Base, createBase } from './base.ts';
import { adminTokenOf } from './core.ts';
import type { StartOptions } from './core-parts.ts';
import { RestorableCore } from './restorable-core.ts';
import { loadPlots } from './routes.ts';

export interface Running {
  /** The URL of the public listener, without a slash at the end; '' if there is none. */
  readonly url: string;
  /** 0 if there is no public listener. */
  readonly port: number;
  readonly adminPort: number;
  /** The operators' shared token; '' where each has a token of its own. */
  readonly adminToken: string;
  /** Those of the state that the exchange has now: restoring a checkpoint replaces them. */
  readonly services: Services;
  /** Uses these operators from now on; without any, the token that the data folder has now. */
  replaceOperators(list?: OperatorList): void;
  /**
   * New connections of the public listener get the certificate of these files. Throws, and changes
   * nothing, if they can't be used.
   */
  renewTls(tls: TlsFiles): void;
  /** Gives plots settings that were read again. */
  renew(changed: Partial<Settings>): void;
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
  const base = createBase(settings, await loadPlots());
  const { server, operatorServer, plots } = base;
  for (const plot of plots) closers.defer(async () => plot.close?.());
  const core = new RestorableCore(base, options);
  const { port, adminPort } = await listen(base, closers);
  const folder = openFolder(base);
  closers.defer(() => folder.release());
  await core.open(folder);
  closers.defer(() => core.close());
  return {
    url: runsPublicApi(settings) ? urlOf(settings, port) : '',
    port,
    adminPort,
    adminToken: adminTokenOf(settings, core.services.exchange),
    get services() {
      return core.services;
    },
    replaceOperators: (list) => {
      const { exchange, operators } = core.services;
      operators.replace(list ?? oneOperator(adminTokenOf(settings, exchange)));
    },
    renewTls: (tls) => server.renewTls(tls),
    renew: (changed) => {
      for (const plot of plots) plot.renew?.(changed);
    },
    close: async () => {
      await core.prepareClose();
      // Requests in flight still need all other parts.
      const listeners = Promise.all([server.close(), operatorServer.close()]);
      await closeEach([() => listeners.then(() => undefined), () => closers.dispose()]);
    },
  };
}

async function listen(
  { settings, server, operatorServer }: Base,
  closers: DisposableStack,
): Promise<Pick<Running, 'port' | 'adminPort'>> {
  const hasPublic = runsPublicApi(settings);
  const port = hasPublic ? await server.listen(settings.host, settings.port) : 0;
  closers.defer(() => server.close());
  const adminPort = await operatorServer.listen(settings.adminHost, settings.adminPort);
  closers.defer(() => operatorServer.close());
  return { port, adminPort };
}

function openFolder({ settings: { dataDir, temporary }, log }: Base): DataFolder {
  return new DataFolder({
    dataDir,
    temporary,
    onTightened: (path, mode) => {
      const found = { path, mode: mode.toString(8) };
      log.warn(found, 'a secret that other users could read was made private');
    },
  });
}

function urlOf({ tls, host }: Settings, port: number): string {
  // An IPv6 address has brackets in a URL.
  const hostInUrl = host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${hostInUrl}:${port}`;
}
