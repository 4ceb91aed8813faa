/**
 * The result of an arena: a folder with `arena.json`, the exchange's data as a backup, and the logs
 * of the bots. Invariant: seq, state and table are checked against the journal. How bots ended, and
 * the arena's file, are only covered by the hash: no journal knows them.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup, verifyFolder } from '../../persistence/index.ts';
import type { ArenaEntrant, ArenaResult } from './arena-file.ts';
import { Scores } from './scores.ts';

export const RESULT_FILE = 'arena.json';
export const DATA_FILE = 'data.tar';

/** In hex. */
export function hashOf({
  hash: _,
  ...facts
}: Omit<ArenaResult, 'hash'> & { hash?: string }): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** What follows from the journal in a backup, and what is wrong with it. */
export async function readData(file: string, entrants: readonly ArenaEntrant[]) {
  const folder = mkdtempSync(join(tmpdir(), 'arena-'));
  try {
    const dataDir = join(folder, 'data');
    await restoreBackup({ dataDir, file });
    const scores = new Scores(entrants);
    let table: ArenaResult['table'] = [];
    const { findings, seq, stateHash } = await verifyFolder({
      dataDir,
      onApplied: (applied) => scores.take(applied),
      onReplayed: (engine) => {
        table = scores.table(engine.state());
      },
    });
    return { findings, facts: { seq, stateHash, table } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything that is wrong with a result, in sentences. */
export async function faultsOf(result: ArenaResult, folder: string): Promise<readonly string[]> {
  const { hash, seq, stateHash, table } = result;
  const { findings, facts } = await readData(join(folder, DATA_FILE), result.entrants);
  const told = { seq, stateHash, table };
  const isSame = (name: keyof typeof told): boolean =>
    JSON.stringify(told[name]) === JSON.stringify(facts[name]);
  return [
    ...findings.map(({ sentence }) => `${DATA_FILE}: ${sentence}`),
    ...(['seq', 'stateHash', 'table'] as const)
      .filter((name) => !isSame(name))
      .map((name) => `${RESULT_FILE}: ${name} is not what follows from the journal`),
    ...(hashOf(result) === hash ? [] : [`${RESULT_FILE}: hash is not that of the other fields`]),
  ];
}
