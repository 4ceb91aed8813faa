/**
 * The floor for orders as a process of its own (bench/reference/order-floor.ts), with the accounts,
 * keys and markets of the real program, so that the same signed requests go to it too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { forkServer } from '../harness/forked-server.ts';
import { type ReferenceInput, referenceTerms } from './reference.ts';
import type { Target } from './rounds.ts';

export interface FloorProcess extends Target {
  readonly pid: number;
  /** Ends it at once, as a crash would. Its file stays until `remove`. */
  kill(): Promise<void>;
  /** The ids in its file, of orders and cancels, in the order of their rows. */
  ids(): string[];
  remove(): void;
}

const FILE = new URL('../reference/order-floor-process.ts', import.meta.url);

export async function startFloor(input: ReferenceInput): Promise<FloorProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-floor-'));
  const path = join(folder, 'requests.db');
  const { url, pid, processorSeconds, kill } = await forkServer(FILE, referenceTerms(input, path));
  return {
    url,
    pid,
    processorSeconds,
    kill,
    ids: () => {
      const database = new Database(path, { readonly: true });
      const ids = database.prepare<[], string>('SELECT order_id FROM requests ORDER BY seq');
      const found = ids.pluck().all();
      database.close();
      return found;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
