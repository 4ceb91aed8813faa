/**
 * Judges damaged copies of a data folder: each must start with all commands and the same state, or
 * refuse and say why and what to do. If it starts although a stored record has changed, verify must
 * name the record.
 */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { Engine, isChange } from '../../engine/index.ts';
import { Random } from '../../http/codec/random.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { masterSecret } from '../../persistence/folder/secrets.ts';
import {
  type DurableCommand,
  type Exchange,
  openExchange,
  StoreError,
} from '../../persistence/index.ts';
import { compactJournal } from '../../persistence/tools/compaction.ts';
import { type VerifyReport, verifyFolder } from '../../persistence/tools/verify.ts';
import { makeFolder, makeTrueSnapshots } from '../persistence/journal/fixture.ts';
import { randomStream, type Stream, smallBounds } from '../persistence/store-fixture.ts';
import { type Damage, damage, type Originals } from './damage.ts';

const COMMANDS = 900;
/** Words that name a safe next step. Every refusal contains one of them. */
const NEXT_STEP = /put back|restore|remove|start |move |backup|use /i;
/** The tables that are compared: acknowledged commands, and what reads show of them. */
const TABLES = {
  'journal.db': ['commands', 'fills', 'order_ids', 'new_order_ids'],
  'analytics.db': [
    'orders',
    'trades',
    'trade_parties',
    'notifications',
    'price_points',
    'market_volumes',
    'market_hours',
  ],
} as const;
const ARCHIVED = ['commands', 'fills'] as const;

const KEYS = [
  '00000000-0000-4000-8000-00000000000e',
  '00000000-0000-4000-8000-00000000000f',
] as const;
/** Keys are derived from the master secret, so a folder without it cannot be used. */
const ISSUE = {
  kind: 'issue_api_key',
  owner: `0x${'77'.repeat(20)}`,
  nonce: '0',
  apiKey: KEYS[0],
  purpose: 'trading',
} as const;

/** The state of the originals. */
export interface Truth {
  readonly seq: number;
  readonly stateHash: string;
  /** All rows of TABLES as text. */
  readonly rows: string;
}

export interface Verdict {
  readonly damage: Damage;
  /** The code of the refusal, or `starts`, followed by what verify names, if anything. */
  readonly outcome: string;
}

async function open(dataDir: string): Promise<Exchange> {
  const exchange = await openExchange({
    dataDir,
    temporary: false,
    now: Date.now,
    funding: 'paper',
    reservedOrders: 1_024,
    snapshotPace: { everyMs: 0, everyCommands: 100_000 },
    onEvent: () => undefined,
  });
  try {
    exchange.masterSecret();
  } catch (error) {
    await exchange.close();
    throw error;
  }
  return exchange;
}

/** How many commands are submitted at once, so that a stream makes many batches. */
const AT_ONCE = 25;

async function submit(exchange: Exchange, steps: Stream['steps']): Promise<void> {
  for (let from = 0; from < steps.length; from += AT_ONCE) {
    const batch = steps.slice(from, from + AT_ONCE);
    await Promise.all(batch.map(({ command }) => exchange.submit(command)));
  }
}

/** The durable commands that result from some steps and the issue of a key. */
function durableOf(steps: Stream['steps']): DurableCommand[] {
  const engine = new Engine();
  const durable: DurableCommand[] = [];
  const last = steps.at(-1)?.timeMs ?? 0;
  for (const { timeMs, command } of [...steps, { timeMs: last, command: ISSUE }]) {
    const seq = durable.length + 1;
    const events = engine.apply(seq, timeMs, engine.inputOf(command));
    if (events.some(isChange)) durable.push({ seq, timeMs, command, events });
  }
  return durable;
}

/** A folder with two snapshots, an archive that ends at the older one, and a key. */
async function makeCompacted(dataDir: string, steps: Stream['steps']): Promise<void> {
  const durable = durableOf(steps);
  const made = makeFolder({ teardown: () => undefined }, { durable });
  makeTrueSnapshots(made, durable, [Math.floor(durable.length / 3), durable.length]);
  const { archive } = await compactJournal({ dataDir: made });
  assert.ok(archive !== undefined, 'the originals have an archive');
  rmSync(join(made, 'analytics.db'));
  const folder = new DataFolder({ dataDir: made, temporary: false });
  masterSecret(folder, false);
  folder.release();
  cpSync(made, dataDir, { recursive: true });
  rmSync(made, { recursive: true });
}

async function settled(exchange: Exchange): Promise<void> {
  while (exchange.projectedSeq < exchange.durableSeq) await sleep(2);
}

/** Uses another process, because a process must not open its own live database with `fs`. */
function copyLive(from: string, to: string): void {
  execFileSync('cp', ['-r', from, to]);
}

/** Makes the folders that copies are made of. */
export async function makeOriginals(
  parent: string,
  seed: number,
): Promise<{ readonly originals: Originals; readonly truth: Truth }> {
  mkdirSync(parent, { recursive: true });
  const place = (name: string): string => join(parent, name);
  const originals: Originals = {
    stopped: place('stopped'),
    killed: place('killed'),
    older: place('older'),
    other: place('other'),
  };
  const others = randomStream(seed + 1, COMMANDS / 2, smallBounds(seed + 1)).steps;
  const { steps } = randomStream(seed, COMMANDS, smallBounds(seed));
  const other = await open(originals.other);
  await submit(other, others);
  await other.close();
  const live = place('live');
  await makeCompacted(live, steps.slice(0, COMMANDS / 3));
  const second = await open(live);
  await submit(second, steps.slice(COMMANDS / 3, COMMANDS / 2));
  await settled(second);
  copyLive(live, originals.older);
  await submit(second, steps.slice(COMMANDS / 2));
  await settled(second);
  // The side file may be up to a second behind.
  await sleep(1_100);
  await second.submit({ ...ISSUE, nonce: '1', apiKey: KEYS[1] });
  await settled(second);
  await sleep(100);
  copyLive(live, originals.killed);
  const [seq, stateHash] = [second.durableSeq, second.stateHash()];
  await second.close();
  await assertSound(originals.killed);
  cpSync(live, originals.stopped, { recursive: true });
  await assertSound(originals.stopped);
  return { originals, truth: { seq, stateHash, rows: rowsOf(live) } };
}

/** Asserts that a folder is sound before copies of it are damaged. */
async function assertSound(dataDir: string): Promise<void> {
  const report = await verifyFolder({ dataDir });
  assert.ok(!namesAny(report), JSON.stringify(report.findings));
}

function rowsOf(folder: string): string {
  const archives = readdirSync(join(folder, 'archive')).filter((name) => name.endsWith('.db'));
  const named = [
    ...Object.entries(TABLES),
    ...archives.map((name) => [join('archive', name), ARCHIVED] as const),
  ];
  return named
    .flatMap(([file, names]) => names.map((name) => rowsIn(join(folder, file), name)))
    .join('\n');
}

function rowsIn(path: string, table: string): string {
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    const rows = database.prepare<[], unknown[]>(`SELECT * FROM ${table}`).raw().all();
    return rows
      .map((row) => JSON.stringify(row.map(plain)))
      .sort()
      .join('\n');
  } finally {
    database.close();
  }
}

function plain(value: unknown): unknown {
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}

/** Tests one damaged copy. Fails, naming the damage, if its state is wrong without an error. */
export async function judge(
  parent: string,
  { originals, truth, seed }: { originals: Originals; truth: Truth; seed: number },
): Promise<Verdict> {
  const random = new Random(seed);
  const from = random.pick(['stopped', 'killed'] as const);
  const folder = join(parent, `case-${seed}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(originals[from], folder, { recursive: true });
  const done = `${from}: ${damage(folder, random, originals, from)}`;
  const outcome = await outcomeOf(folder, truth).catch((error) => {
    throw new Error(`seed ${seed}, ${done}: ${error.message}`, { cause: error });
  });
  rmSync(folder, { recursive: true, force: true });
  return { damage: done, outcome };
}

async function outcomeOf(folder: string, truth: Truth): Promise<string> {
  const before = await verifyFolder({ dataDir: folder });
  let exchange: Exchange;
  try {
    exchange = await open(folder);
  } catch (error) {
    assert.ok(error instanceof StoreError, `it refuses without a code: ${String(error)}`);
    assert.match(error.message, NEXT_STEP, `a refusal names a next step (${error.code})`);
    return error.code;
  }
  const [seq, stateHash] = [exchange.durableSeq, exchange.stateHash()];
  await exchange.close();
  assert.equal(seq, truth.seq, 'it starts without acknowledged commands');
  assert.equal(stateHash, truth.stateHash, 'it starts with another state');
  const after = await verifyFolder({ dataDir: folder });
  if (isAsWritten(folder, truth)) return namesAny(after) ? 'starts, verify names more' : 'starts';
  assert.ok(namesAny(before), 'verify finds nothing before a start');
  assert.ok(namesAny(after), 'verify finds nothing after a start');
  return 'starts, verify names a changed record';
}

/** Ignores findings of the catalog: the random markets have no record there. */
function namesAny({ findings }: VerifyReport): boolean {
  return findings.some(({ kind }) => kind !== 'catalog');
}

function isAsWritten(folder: string, truth: Truth): boolean {
  if (!existsSync(join(folder, 'journal.db'))) return false;
  try {
    return rowsOf(folder) === truth.rows;
  } catch {
    return false;
  }
}
