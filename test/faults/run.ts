/**
 * The long set of faults, `npm run faults -- [SET] [--seed N] [--rounds N] [--cases N]
 * [--folder DIR]`. Each set prints its progress and its result. The first failure ends the run,
 * keeps the folder and prints the command that repeats it. README.md explains the sets.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textKind, wholeKind } from '../../cli/parser/kinds.ts';
import { flagTable, option, optional } from '../../cli/parser/option-table.ts';
import { readProgramOptions } from '../../cli/parser/program-options.ts';
import { Campaign } from './campaign.ts';
import { judge, makeOriginals } from './damaged-folders.ts';
import {
  CALL_FAULTS,
  mountRefusal,
  runCallFault,
  runFullBackup,
  runFullDisk,
  runFullSnapshots,
  straceRefusal,
} from './disk-faults.ts';
import { JOURNAL_CASES, runJournalCase } from './journal-faults.ts';
import { KillRounds } from './kill-rounds.ts';

const ROUNDS = 100;
const CASES = 2_000;
const SEEDS = 100_000;
/** Rounds on each fresh folder. */
const ROUNDS_A_FRESH_FOLDER = 5;
const FRESH_FOLDERS = 3;
const MAX_LOAD_MS = 1_500;
const TMPFS_SIZES = ['3m', '6m', '12m'];

interface SetOptions {
  readonly folder: string;
  readonly seed: number;
  readonly rounds: number;
  readonly cases: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the command that repeats a failure. */
async function repeatable<Result>(run: () => Promise<Result>, words: string): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    say(`FAILED; again: npm run faults -- ${words}`);
    throw error;
  }
}

/** Kills on one folder that grows over all rounds, and on some fresh folders. */
async function runKills({ folder, seed, rounds }: SetOptions): Promise<void> {
  await killRounds({ folder, name: 'growing', seed, rounds });
  for (let index = 1; index <= FRESH_FOLDERS; index += 1) {
    const name = `fresh-${index}`;
    await killRounds({ folder, name, seed: seed + index, rounds: ROUNDS_A_FRESH_FOLDER });
  }
}

async function killRounds(
  options: Omit<SetOptions, 'cases'> & { readonly name: string },
): Promise<void> {
  const { folder, name, seed, rounds } = options;
  const dataDir = join(folder, name);
  const before = join(folder, `${name}-before`);
  const funding = name === 'growing' ? 'ledger' : 'paper';
  const campaign = new Campaign({ dataDir, funding });
  const kills = new KillRounds({ campaign, seed, mostLoadMs: MAX_LOAD_MS });
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round += 1) {
    rmSync(before, { recursive: true, force: true });
    if (round > 1) cpSync(dataDir, before, { recursive: true });
    const figures = await repeatable(() => kills.next(), `kill --seed ${seed} --rounds ${round}`);
    acknowledged += figures.acknowledged;
    say(`kill ${name} seed ${seed} round ${round}: ${JSON.stringify(figures)}`);
  }
  await campaign.finish();
  say(`kill ${name}: ${rounds} rounds, ${acknowledged} acknowledged commands, none lost`);
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(before, { recursive: true, force: true });
}

/** Injected faults; failing calls if strace works; full disks if a tmpfs can be mounted. */
async function runDisks({ folder, seed }: SetOptions): Promise<void> {
  await runSeams({ folder, seed });
  const refusal = straceRefusal();
  if (refusal !== '') say(`disk calls: skipped, ${refusal}`);
  else await runCalls({ folder, seed });
  const place = join(folder, 'tmpfs');
  mkdirSync(place, { recursive: true });
  const noMount = mountRefusal(place);
  if (noMount !== '') return say(`disk full: skipped, ${noMount}`);
  for (const size of TMPFS_SIZES) {
    const figures = await runFullDisk(place, { size, grown: '256m', seed });
    say(`disk full at ${size}: ${JSON.stringify(figures)}`);
  }
  await runFullParts(folder, seed);
}

/** Disks that are full for snapshots alone, or for backups alone. */
async function runFullParts(folder: string, seed: number): Promise<void> {
  const dataDir = join(folder, 'parts');
  const campaign = new Campaign({ dataDir, funding: 'ledger' });
  await campaign.finish();
  const figures = await runFullSnapshots(campaign, seed);
  say(`disk full for snapshots: ${JSON.stringify(figures)}`);
  for (const said of await runFullBackup(dataDir, folder)) say(`disk full for copies: ${said}`);
}

async function runSeams({ folder, seed }: Pick<SetOptions, 'folder' | 'seed'>): Promise<void> {
  const campaign = new Campaign({ dataDir: join(folder, 'seams'), funding: 'ledger' });
  await (await campaign.start()).kill();
  for (const [index, one] of JOURNAL_CASES.entries()) {
    const figures = await runJournalCase(campaign, one, seed + index);
    await (await campaign.start()).kill();
    say(`disk seam: ${one.name}: ${JSON.stringify(figures)}`);
  }
  await campaign.finish();
}

async function runCalls({ folder, seed }: Pick<SetOptions, 'folder' | 'seed'>): Promise<void> {
  const campaign = new Campaign({ dataDir: join(folder, 'calls'), funding: 'ledger' });
  await campaign.finish();
  for (const [index, fault] of CALL_FAULTS.entries()) {
    const { file, calls, error, when, effect } = fault;
    const figures = await runCallFault(campaign, fault, seed + index);
    const what = `${calls} of ${file} ${error} at ${when}`;
    say(`disk calls: ${what}, ${effect}: ${JSON.stringify(figures ?? {})}`);
  }
}

/** Damaged copies, each with its own seed. The first seed is the given one. */
async function runDamage({ folder, seed, cases }: SetOptions): Promise<void> {
  const made = await makeOriginals(join(folder, 'originals'), 1);
  const outcomes = new Map<string, number>();
  for (let index = 0; index < cases; index += 1) {
    const own = { ...made, seed: seed + index };
    const words = `damage --seed ${own.seed} --cases 1`;
    const { damage, outcome } = await repeatable(() => judge(folder, own), words);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    say(`damage seed ${seed + index}: ${damage}: ${outcome}`);
  }
  for (const [outcome, count] of outcomes) say(`damage: ${count} times ${outcome}`);
}

const SETS: Readonly<Record<string, (options: SetOptions) => Promise<void>>> = {
  kill: runKills,
  disk: runDisks,
  damage: runDamage,
};

const { values, operands } = readProgramOptions({
  name: 'faults',
  program: 'npm run faults --',
  summary:
    'Test the exchange against faults, with all sets or those that are named. kill: SIGKILL at ' +
    'random times; disk: disks that fail or are full (strace or root are needed for a part of ' +
    'it); damage: copies that are cut, changed, lost or exchanged',
  operands: { usage: '[kill] [disk] [damage]', least: 0, most: 3 },
  options: flagTable({
    seed: option(wholeKind(0, SEEDS), Date.now() % SEEDS, 'Decides what is drawn', {
      fallbackText: 'the clock',
    }),
    rounds: option(wholeKind(0, SEEDS), ROUNDS, 'Rounds of kill on one growing folder'),
    cases: option(wholeKind(0, SEEDS), CASES, 'Damaged copies'),
    folder: optional(textKind('DIR'), 'Where folders are made and kept', {
      fallbackText: 'a temporary folder, kept after a failure only',
    }),
  }),
});
const { seed, rounds, cases } = values;
const named = operands.length === 0 ? Object.keys(SETS) : operands;
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'exchange-faults-'));
for (const name of named) {
  const run = SETS[name];
  if (run === undefined)
    throw new Error(`there is no set ${name}: ${Object.keys(SETS).join(', ')}`);
  const startMs = performance.now();
  say(`${name}: seed ${seed}, folder ${folder}`);
  try {
    await run({ folder, seed, rounds, cases });
  } catch (error) {
    say(`${name} of seed ${seed} FAILED: its folder is kept, ${folder}`);
    throw error;
  }
  say(`${name}: ok, ${Math.round((performance.now() - startMs) / 1_000)} s`);
}
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
