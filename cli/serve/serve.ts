/** The command `serve`: starts the exchange, its dev accounts and its signal handlers. */

import { execFile } from 'node:child_process';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { CatalogImportError } from '../../catalog/model/index.ts';
import { createLog } from '../../http/runtime/log.ts';
import { runsPublicApi } from '../../http/settings/cluster.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { StoreError } from '../../persistence/shared/index.ts';
import { endParked, lowerRuntimePriority, prepareThread } from '../../persistence/threads/index.ts';
import type { Running } from '../../venue/index.ts';
import { SERVE_SETTINGS } from '../options/serve-options.ts';
import { exitCodeOf } from '../parser/exit-codes.ts';
import { settingsText } from '../parser/help.ts';
import type { ReadText } from '../parser/named-files.ts';
import type { Sources } from '../parser/resolve-options.ts';
import { bannerText, openDevAccountsSoon, readyLine } from './banner.ts';
import { describeReady } from './describe-ready.ts';
import { type HangupTarget, type RereadFiles, rereadOnHangup } from './reread-files.ts';
import { planServe, readCatalog, resolveServeOptions, type ServePlan } from './serve-plan.ts';
import { stopOnSignals } from './stop-signals.ts';

// Starts the threads that a start of the exchange has to wait for, before their data is known: so
// they load their modules while this thread is loading its own, or waits.

/** Call it first: the start waits for the journal's thread before it does anything else. */
function prepareJournalThread(): void {
  prepareThread({
    name: "the journal's thread",
    entry: new URL('../../persistence/journal/thread.ts', import.meta.url),
  });
}

/** Call it when the modules of the exchange are loaded, so that they have the processors first. */
function prepareVerifierThreads(settings: Settings): void {
  if (!runsPublicApi(settings)) return;
  for (let count = 0; count < settings.verifierThreads; count += 1) {
    prepareThread({
      name: "a verifier's thread",
      entry: new URL('../../http/orders/verifier-thread.ts', import.meta.url),
    });
  }
}

/**
 * Stops the exchange when the terminal is closed from which it was started.
 *
 * Invariant: any other SIGHUP only reads files again (`reread-files.ts`).
 */
const STANDARD_STREAMS = [0, 1, 2] as const;

/** A closed terminal sends SIGHUP, and its standard streams are no terminal any more. */
function stopOnClosedTerminal(target: HangupTarget, stop: (signal: string) => void): void {
  const terminals = STANDARD_STREAMS.filter((fd) => isatty(fd));
  target.on('SIGHUP', () => {
    if (!terminals.every((fd) => isatty(fd))) stop('SIGHUP');
  });
}

// Tells systemd that the exchange is ready, for a unit with `Type=notify`. The message is a
// datagram to a socket in the file system, which Node can't send: systemd's own program does.
//
// Invariant: it does nothing unless systemd asks for the message by NOTIFY_SOCKET.

const SENDER = 'systemd-notify';
const WITHIN_MS = 10_000;

/** Throws if the message could not be sent. */
export async function notifySystemd(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { NOTIFY_SOCKET = '', PATH = '' } = environment;
  if (NOTIFY_SOCKET === '') return;
  const env = { NOTIFY_SOCKET, PATH };
  await promisify(execFile)(SENDER, ['--ready'], { env, timeout: WITHIN_MS });
}

const FAILED = 1;
/**
 * Turns off V8's memory reducer. When the load falls, it compacts the whole heap twice, which stops
 * matching for 15 to 20 ms each time. The memory that it frees would soon be needed again.
 */
const NO_IDLE_COLLECTIONS = '--memory-reducer-gc-count=0';
/**
 * The heap of each thread may double between full collections, instead of growing by half. When it
 * grew by half, at half load, a collection took one of two processors for 40 ms every second. When
 * it could grow fourfold, the process reached 2 GB and its collections took twice as long.
 */
const ROOM_TO_GROW = '--heap-growing-percent=100';
/** How many reasons for refusing a catalog are printed. */
const REFUSALS_PRINTED = 10;

export interface ServeContext {
  readonly readText: ReadText;
  /** The mode bits of a file. */
  readonly modeOf: (path: string) => number;
  readonly version: string;
  /** Reports an error and ends the process. */
  readonly fail: (error: unknown) => never;
  readonly print: (text: string) => void;
}

/** A refused catalog as one error for each reason; any other error unchanged. */
function withReasons(error: unknown): unknown {
  if (!(error instanceof CatalogImportError)) return error;
  const sentences = error.refusals.slice(0, REFUSALS_PRINTED).map(({ sentence }) => sentence);
  const head = `the catalog is refused because of ${error.count} faults:`;
  return new AggregateError([head, ...sentences].map((sentence) => new Error(sentence)));
}

/** The catalog of an empty folder. The built-in one is fiction, and trades for play money only. */
async function chooseCatalog(settings: Settings, readText: ReadText) {
  if (settings.catalogFile !== undefined) return { catalog: readCatalog(settings, readText) };
  if (settings.funding !== 'paper') return { catalog: [] };
  const { builtinEvents, builtinRecords } = await import('../../catalog/builtin/index.ts');
  return { catalog: builtinEvents(), catalogRecords: builtinRecords() };
}

function isDeposed(error: Error): boolean {
  return error instanceof StoreError && error.code === 'deposed';
}

/** Only this command loads the whole exchange; the others start much faster without it. */
async function startPlanned(
  { settings }: ServePlan,
  { readText, fail }: ServeContext,
): Promise<Running> {
  prepareJournalThread();
  const { runExchange } = await import('../../venue/index.ts');
  prepareVerifierThreads(settings);
  try {
    return await runExchange(settings, {
      ...(await chooseCatalog(settings, readText)),
      // The log has said why, for people; a deposed core also says it to its supervisor.
      onFatal: (error) => (isDeposed(error) ? fail(error) : process.exit(exitCodeOf(error))),
    });
  } catch (error) {
    await endParked();
    throw withReasons(error);
  }
}

/** What SIGHUP reads again. */
function registerFiles(files: RereadFiles, plan: ServePlan, running: Running): void {
  const { rereadLimits, rereadOperators, rereadTls, rereadTraceHeaders } = plan;
  if (rereadLimits !== undefined) {
    files.add('the rate limits', () => running.services.limits.replace(rereadLimits()));
  }
  if (rereadOperators !== undefined) {
    files.add('the operators and their tokens', () => running.replaceOperators(rereadOperators()));
  }
  if (rereadTls !== undefined) {
    files.add('the certificate and its key', () => {
      const tls = rereadTls();
      if (tls !== undefined) running.renewTls(tls);
    });
  }
  const { tracing } = plan.settings;
  if (rereadTraceHeaders !== undefined && tracing !== undefined) {
    files.add('the headers for the collector of traces', () =>
      running.renew({ tracing: { ...tracing, headers: rereadTraceHeaders() } }),
    );
  }
}

/** The mode of a file of secrets in octal, if other users can read it; undefined otherwise. */
function exposedMode(path: string, modeOf: ServeContext['modeOf']): string | undefined {
  const mode = modeOf(path) & 0o777;
  return (mode & 0o007) === 0 ? undefined : mode.toString(8);
}

/** Resolves when the exchange is ready. It runs until a signal stops it. */
export async function serve(sources: Sources, context: ServeContext): Promise<void> {
  const { readText, modeOf, version, fail, print } = context;
  const plan = planServe(resolveServeOptions(sources, readText), readText);
  setFlagsFromString(NO_IDLE_COLLECTIONS);
  setFlagsFromString(ROOM_TO_GROW);
  lowerRuntimePriority();
  const log = createLog(plan.settings.logLevel);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(FAILED);
  });
  const files = rereadOnHangup(process, {
    note: (message) => log.info(message),
    warn: (error, message) => log.warn({ err: error }, message),
  });
  const mode = plan.tokenFile === undefined ? undefined : exposedMode(plan.tokenFile, modeOf);
  if (mode !== undefined) {
    // This is not refused, because in a container all can read a secret, and nobody else is there.
    log.warn({ path: plan.tokenFile, mode }, "other users can read the operator's token");
  }
  const starting = startPlanned(plan, context);
  const stopping = stopOnSignals(process, {
    close: async () => (await starting).close(),
    fail,
    note: (message, signal) => log.info({ signal }, message),
  });
  stopOnClosedTerminal(process, stopping.stop);
  if (plan.stopsWithParent) {
    process.once('disconnect', () => {
      if (!stopping.isStopping) stopping.stop('the end of the parent process');
    });
  }
  const running = await starting;
  registerFiles(files, plan, running);
  const devAccounts = await openDevAccountsSoon(running.services, plan.devAccounts, stopping);
  if (devAccounts === undefined) return;
  const ms = Math.round(performance.now());
  const ready = describeReady({ running, devAccounts, version, ms });
  const { url, adminUrl, dataDir } = ready;
  log.info({ url, adminUrl, dataDir, ms }, 'ready');
  print(plan.json ? readyLine(ready) : bannerText(ready));
  await notifySystemd(process.env).catch((error) => {
    log.warn({ err: error }, "systemd can't be told that the exchange is ready");
  });
}

/** The settings in effect, checked as for a start, including the files that they name. */
export function printConfig(sources: Sources, readText: ReadText): string {
  const resolved = resolveServeOptions(sources, readText);
  planServe(resolved, readText);
  return settingsText(SERVE_SETTINGS, resolved);
}
