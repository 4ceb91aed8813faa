/**
 * The composition root: the command line, the process and its signals. The exchange itself is put
 * together in http/program.ts.
 *
 * Invariant: exits with 0 after a stop that was asked for and went well, 2 for what was typed or
 * set wrongly and 1 for everything else; whichever way, nothing acknowledged is lost.
 */
// The first import: it ends the process on a Node that crashes in what is imported after it.
import './persistence/threads/node-version.ts';
import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { createLog } from './http/api/log.ts';
import { COMMANDS } from './http/command-line/options/commands.ts';
import { helpText, settingsText } from './http/command-line/options/help.ts';
import { ORDER_OPTIONS } from './http/command-line/options/order-options.ts';
import { parseArguments, UsageError } from './http/command-line/options/parse-arguments.ts';
import { resolveOptions, type Sources } from './http/command-line/options/resolve-options.ts';
import { COMMON_OPTIONS, SERVE_SETTINGS } from './http/command-line/options/serve-options.ts';
import { SYNC_OPTIONS, TOOL_OPTIONS } from './http/command-line/options/tool-options.ts';
import { planOrder } from './http/command-line/place-order/order-plan.ts';
import { placeOrder } from './http/command-line/place-order/place-order.ts';
import { bannerText, readyLine } from './http/command-line/serve/banner.ts';
import { describeReady } from './http/command-line/serve/describe-ready.ts';
import { openDevAccounts } from './http/command-line/serve/dev-accounts.ts';
import { rereadOnHangup } from './http/command-line/serve/hangup-signal.ts';
import {
  planServe,
  readCatalog,
  resolveServeOptions,
  type ServePlan,
} from './http/command-line/serve/serve-plan.ts';
import { stopOnSignals } from './http/command-line/serve/stop-signals.ts';
import type { ToolName } from './http/command-line/tools/run-tool.ts';
import packageJson from './package.json' with { type: 'json' };
import { CatalogImportError } from './persistence/catalog/model/index.ts';
import { lowerRuntimePriority } from './persistence/threads/thread-priority.ts';

const FAILED = 1;
const USED_WRONGLY = 2;
/**
 * Once less is asked of it the runtime compacts its whole memory, twice, each time 15 to 20 ms in
 * which nothing is matched. What it would give back to the system will be needed again.
 */
const NO_IDLE_COLLECTIONS = '--memory-reducer-gc-count=0';
/**
 * A full collection of any thread's memory comes when it has grown to twice what the last one left,
 * not by half of it again: at half load they came each second, and took one of two processors for
 * 40 ms. With four times they were fewer, but of a venue with streams to keep the process grew to
 * over two gigabytes, and its largest collections stopped it for twice as long.
 */
const ROOM_TO_GROW = '--heap-growing-percent=100';
/** How many reasons of a refused catalog are printed. */
const REFUSALS_PRINTED = 10;

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Errors that only a mistake of ours throws: the person who mends it needs the place. */
function isOwnMistake(error: Error): boolean {
  return [AssertionError, TypeError, RangeError, ReferenceError].some(
    (kind) => error instanceof kind,
  );
}

/** What went wrong, one sentence each, for a person. */
function sentencesOf(error: unknown): readonly string[] {
  if (error instanceof UsageError) return [...error.faults, 'add --help to see all flags'];
  if (error instanceof CatalogImportError) {
    const listed = error.refusals.slice(0, REFUSALS_PRINTED).map(({ sentence }) => sentence);
    return [`the catalog is refused, ${error.count} faults:`, ...listed];
  }
  if (error instanceof AggregateError) return error.errors.flatMap(sentencesOf);
  if (!(error instanceof Error)) return [String(error)];
  if (isOwnMistake(error)) return [error.stack ?? error.message];
  const isOwnCause = error.cause instanceof Error && isOwnMistake(error.cause);
  return isOwnCause ? [error.message, ...sentencesOf(error.cause)] : [error.message];
}

function fail(error: unknown): never {
  const lines = sentencesOf(error).map((sentence) => `outcome-exchange: ${sentence}\n`);
  process.stderr.write(lines.join(''));
  process.exit(error instanceof UsageError ? USED_WRONGLY : FAILED);
}

/** Only this command loads the whole exchange: the others begin in a fraction of its time. */
async function serve(plan: ServePlan): Promise<void> {
  setFlagsFromString(NO_IDLE_COLLECTIONS);
  setFlagsFromString(ROOM_TO_GROW);
  lowerRuntimePriority();
  const { settings } = plan;
  const log = createLog(settings.logLevel);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nothing caught');
    process.exit(FAILED);
  });
  const { startExchange } = await import('./http/index.ts');
  const { builtinEvents, builtinRecords } = await import('./persistence/catalog/builtin/index.ts');
  const given = readCatalog(settings, readText);
  const starting = startExchange(settings, {
    catalog: given ?? builtinEvents(),
    catalogRecords: given === undefined ? builtinRecords() : [],
    onFatal: () => process.exit(FAILED),
  });
  const stopping = stopOnSignals(process, {
    close: async () => (await starting).close(),
    fail,
    note: (message, signal) => log.info({ signal }, message),
  });
  const running = await starting;
  if (plan.rereadLimits !== undefined) {
    rereadOnHangup(process, {
      reread: plan.rereadLimits,
      replace: (rules) => running.services.limits.replace(rules),
      note: (message) => log.info(message),
      warn: (error, message) => log.warn({ err: error }, message),
    });
  }
  const devAccounts = await openDevAccounts(running.services, plan.devAccounts).catch((error) => {
    if (!stopping.isAsked) throw error;
  });
  if (devAccounts === undefined) return;
  const ms = Math.round(performance.now());
  const ready = describeReady({ running, devAccounts, version: packageJson.version, ms });
  const { url, adminUrl, dataDir } = ready;
  log.info({ url, adminUrl, dataDir, ms }, 'ready');
  print(plan.json ? readyLine(ready) : bannerText(ready));
}

function printConfig(sources: Sources): void {
  const resolved = resolveServeOptions(sources, readText);
  // What the files hold that it names is checked too, as at a start.
  planServe(resolved, readText);
  print(settingsText(SERVE_SETTINGS, resolved));
}

async function sendOrder(sources: Sources): Promise<void> {
  const plan = planOrder(resolveOptions(ORDER_OPTIONS, sources), readText, Date.now());
  print(await placeOrder(plan, Date.now));
}

/** Of a tool on a data folder; standard error shows its progress if a person looks on. */
async function runFolderTool(
  name: ToolName,
  sources: Sources,
  operands: readonly string[],
): Promise<void> {
  const { runTool } = await import('./http/command-line/tools/run-tool.ts');
  const { values } = resolveOptions(name === 'sync' ? SYNC_OPTIONS : TOOL_OPTIONS, sources);
  const { text, ok } = await runTool(name, {
    values,
    operands,
    version: packageJson.version,
    progress: {
      isTerminal: process.stderr.isTTY === true,
      write: (written) => process.stderr.write(written),
      nowMs: () => performance.now(),
    },
  });
  print(text);
  if (!ok) process.exitCode = FAILED;
}

async function run(words: readonly string[]): Promise<void> {
  const { command, flags, operands } = parseArguments(words, COMMANDS);
  const common = resolveOptions(COMMON_OPTIONS, { flags, environment: {} }).values;
  const sources: Sources = { flags, environment: process.env };
  if (common.help) return print(helpText(command, COMMANDS));
  if (common.version) return print(packageJson.version);
  switch (command.name) {
    case 'serve':
      return serve(planServe(resolveServeOptions(sources, readText), readText));
    case 'config print':
      return printConfig(sources);
    case 'place-order':
      return sendOrder(sources);
    default:
      return runFolderTool(command.name, sources, operands);
  }
}

run(process.argv.slice(2)).catch(fail);
