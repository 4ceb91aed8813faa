/** `checkpoint.json` of a saved state: what it is, and which program can use it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../persistence/shared/index.ts';

/** The version of this file and of the files beside it. */
export const SAVED_STATE_FORMAT = 1;
const NAME = 'checkpoint.json';

export interface SavedState {
  readonly format: number;
  readonly id: string;
  /** '' for none. */
  readonly name: string;
  /** The last command that it has. */
  readonly seq: number;
  /** The exchange's time at which it was made, to which a restore brings the clock back. */
  readonly timeMs: number;
  /** The wall clock's time at which it was made. */
  readonly madeMs: number;
  /** The size of its databases. */
  readonly bytes: number;
  /** The version of the program that made it. */
  readonly madeBy: string;
}

export function writeDescription(folder: string, state: SavedState): void {
  replaceFile(join(folder, NAME), Buffer.from(`${JSON.stringify(state, undefined, 1)}\n`));
}

/** The file as any version of the program wrote it; undefined if it can't be read as one. */
export function readDescription(folder: string): SavedState | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, NAME), 'utf8'));
    return isDescription(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const KINDS = {
  format: 'number',
  id: 'string',
  name: 'string',
  seq: 'number',
  timeMs: 'number',
  madeMs: 'number',
  bytes: 'number',
  madeBy: 'string',
} as const satisfies Readonly<Record<keyof SavedState, 'number' | 'string'>>;

function isDescription(value: unknown): value is SavedState {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(KINDS).every(([name, kind]) => typeof fields.get(name) === kind);
}
