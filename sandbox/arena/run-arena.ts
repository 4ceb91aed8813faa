/** The command `arena`: plays one, or checks the result of one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readNamedJson } from '../../cli/parser/named-files.ts';
import { UsageError } from '../../cli/parser/parse-arguments.ts';
import type { CommandResult, CommandRun } from '../../cli/parser/program-command.ts';
import { resolveOptions } from '../../cli/parser/resolve-options.ts';
import { backupFolder } from '../../persistence/index.ts';
import { type DevAccount, type Exchange, startExchange } from '../package/index.ts';
import {
  ARENA_BOUNDS,
  type ArenaFile,
  type ArenaResult,
  parseArena,
  parseResult,
  RESULT_FORMAT,
} from './arena-file.ts';
import { ARENA_OPTIONS } from './arena-options.ts';
import { runBots } from './bots.ts';
import { DATA_FILE, faultsOf, hashOf, RESULT_FILE, readData } from './result.ts';

type Run = Pick<CommandRun, 'sources' | 'operands' | 'readText' | 'tell' | 'version'>;

/** Throws `UsageError`, or an Error whose message is complete. */
export async function runArena(run: Run): Promise<CommandResult> {
  const { values } = resolveOptions(ARENA_OPTIONS, run.sources);
  const [first = '', second] = run.operands;
  const isCheck = first === 'verify';
  if (isCheck !== (second !== undefined)) {
    throw new UsageError(['arena takes FILE, or verify FOLDER']);
  }
  if (second === undefined) {
    const result = await play(first, resolve(values.out), run);
    return { ok: true, text: values.json ? JSON.stringify(result) : resultText(result) };
  }
  const file = join(second, RESULT_FILE);
  const result = readNamedJson('arena verify', file, run.readText, parseResult);
  const faults = await faultsOf(result, second);
  const ok = faults.length === 0;
  const { hash } = result;
  if (values.json) return { ok, text: JSON.stringify({ ok, hash, faults }) };
  const text = ok ? `The journal gives the same table: ${hash}` : faults.join('\n');
  return { ok, text: ok ? `${resultText(result)}\n${text}` : text };
}

async function play(file: string, folder: string, run: Run): Promise<ArenaResult> {
  const arena = readNamedJson('arena', file, run.readText, parseArena);
  makeNew(folder);
  const work = mkdtempSync(join(tmpdir(), 'arena-'));
  try {
    const dataDir = join(work, 'data');
    const flags = flagsOf(arena, work);
    const exchange = await startExchange({ dataDir, crowd: arena.crowd, flags });
    const played = await letTrade(exchange, { arena, folder, cwd: dirname(resolve(file)), run });
    const data = join(folder, DATA_FILE);
    await backupFolder({ dataDir, file: data, version: run.version, nowMs: Date.now() });
    const { findings, facts } = await readData(data, played.entrants);
    const [finding] = findings;
    if (finding !== undefined)
      throw new Error(`the exchange's data is damaged: ${finding.sentence}`);
    const told = {
      format: RESULT_FORMAT,
      version: run.version,
      arena,
      ...played,
      ...facts,
    } as const;
    const result = { ...told, hash: hashOf(told) };
    writeFileSync(join(folder, RESULT_FILE), `${JSON.stringify(result, null, 2)}\n`);
    return result;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function makeNew(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError([`--out is "${folder}", which can't be made: ${reason}`]);
  }
}

/** Without a made-up past, which would only lengthen the journal. */
function flagsOf({ bots, seed }: ArenaFile, work: string): string[] {
  const model = join(work, 'crowd.json');
  writeFileSync(model, JSON.stringify({ pastDays: 0 }));
  return [
    ...['--dev-accounts', String(bots.length), '--crowd-seed', String(seed)],
    ...['--crowd-model', model, '--log-level', 'warn'],
  ];
}

interface Stage {
  readonly arena: ArenaFile;
  readonly folder: string;
  readonly cwd: string;
  readonly run: Run;
}

async function letTrade(
  exchange: Exchange,
  { arena, folder, cwd, run }: Stage,
): Promise<Pick<ArenaResult, 'tokenIds' | 'entrants'>> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  try {
    const tokenIds = await findTokens(exchange, arena.markets);
    const entrants = arena.bots.map((bot, index) => {
      const account = exchange.accounts[index];
      if (account === undefined) throw new Error(`the exchange has no account for ${bot.name}`);
      const number = String(index);
      const variables = { ...variablesOf(exchange, account, tokenIds), ACCOUNT_NUMBER: number };
      return { bot, account, place: { cwd, variables, logFile: join(folder, `${bot.name}.log`) } };
    });
    run.tell(`${entrants.length} bots trade for ${arena.seconds} s on ${exchange.url}`);
    const { stopMs } = ARENA_BOUNDS;
    const bots = entrants.map(({ bot, place }) => [bot, place] as const);
    const endings = await runBots({ bots, seconds: arena.seconds, stopMs, stop: stop.signal });
    // An exchange that ended by itself makes no result.
    if (!stop.signal.aborted) await exchange.operator('GET', '/time');
    return {
      tokenIds,
      entrants: entrants.map(({ bot, account }, index) => ({
        name: bot.name,
        owner: account.address.toLowerCase(),
        ending: endings[index] ?? '',
      })),
    };
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    await exchange.stop();
  }
}

/** The YES tokens of the first markets. */
async function findTokens({ url }: Exchange, count: number): Promise<string[]> {
  const answer = await fetch(`${url}/sampling-simplified-markets`);
  // Safe: the route's schema promises it.
  const { data } = (await answer.json()) as {
    readonly data: readonly { readonly tokens: readonly { readonly token_id: string }[] }[];
  };
  if (data.length < count) {
    throw new Error(`markets is ${count}; the exchange has ${data.length} that trade`);
  }
  return data.slice(0, count).map(({ tokens }) => tokens[0]?.token_id ?? '');
}

/** Those that the programs of docs/examples read, and those of docs/ci.md. */
function variablesOf({ url }: Exchange, account: DevAccount, tokenIds: readonly string[]) {
  return {
    EXCHANGE_URL: url,
    TOKEN_ID: tokenIds[0] ?? '',
    TOKEN_IDS: tokenIds.join(','),
    ACCOUNT_ADDRESS: account.address,
    PRIVATE_KEY: account.privateKey,
    API_KEY: account.apiKey,
    API_SECRET: account.secret,
    API_PASSPHRASE: account.passphrase,
  };
}

const COLUMNS = ['name', 'profit', 'fees', 'fills'] as const;

function resultText({ table, entrants, hash }: ArenaResult): string {
  const rows = table.map((row) => COLUMNS.map((column) => String(row[column])));
  const widths = COLUMNS.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (words: readonly string[], ending: string): string =>
    [...words.map((word, index) => word.padEnd(widths[index] ?? 0)), ending].join('  ');
  const endings = new Map(entrants.map(({ name, ending }) => [name, ending]));
  return [
    line(COLUMNS, 'how it ended'),
    ...rows.map((row) => line(row, endings.get(row[0] ?? '') ?? '')),
    `hash ${hash}`,
  ].join('\n');
}
