/**
 * Recovers the engine at a start: from the newest usable snapshot and the journal after it, or from
 * the whole journal. Invariant: the engine has exactly the journal's commands when it is done.
 */
import { randomInt } from 'node:crypto';
import { Engine, type SnapshotLoader } from '../engine/index.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { JournalReader } from './journal/reader.ts';
import { recover } from './recovery/recovery.ts';
import {
  ContinuedFacts,
  type Recovered,
  type RestoredState,
  restoredState,
  STORE_BOUNDS,
  StoreError,
} from './shared/index.ts';
import { type Restored, restoreNewest } from './snapshots/restore.ts';

export interface EngineRecovery {
  readonly folder: DataFolder;
  readonly lastSeq: number;
  /** See ExchangeOptions. */
  readonly reservedOrders?: number | undefined;
  /** A snapshot was skipped. */
  readonly onUnusable: (path: string, error: Error) => void;
}

export interface RecoveredEngine {
  readonly engine: Engine;
  readonly recovered: Recovered;
  /** What listeners need to know of the commands so far; undefined for an empty journal. */
  readonly state: RestoredState | undefined;
}

export async function recoverEngine(options: EngineRecovery): Promise<RecoveredEngine> {
  const { folder, lastSeq } = options;
  const startedMs = performance.now();
  const engineArguments = argumentsOf(options.reservedOrders);
  const restored = await restore(options, engineArguments);
  const snapshotSeq = restored?.head.seq ?? 0;
  const engine = restored?.engine ?? new Engine(...engineArguments);
  engine.countSteps(restored?.steps);
  const facts = new ContinuedFacts(restored?.facts);
  let timeMs = restored?.head.timeMs ?? 0;
  try {
    await recover({
      journalPath: folder.journal,
      engine,
      fromSeq: snapshotSeq,
      lastSeq,
      onDurable: (commands) => {
        facts.consume(commands);
        timeMs = commands.at(-1)!.timeMs;
      },
    });
  } catch (error) {
    throw restored === undefined ? error : namingSnapshot(restored.path, error);
  }
  const tookMs = Math.round(performance.now() - startedMs);
  const recovered = { snapshotSeq, replayed: lastSeq - snapshotSeq, tookMs };
  const state = lastSeq > 0 ? restoredState(engine, facts, { seq: lastSeq, timeMs }) : undefined;
  return { engine, recovered, state };
}

type EngineArguments = ConstructorParameters<typeof SnapshotLoader>;

/** The seed only spreads entries of a hash table; replay has the same result with any seed. */
function argumentsOf(reserveOrders: number = STORE_BOUNDS.reservedOrders): EngineArguments {
  return [{}, { reserveOrders, hashSeed: randomInt(2 ** 32) }];
}

async function restore(
  { folder, lastSeq, onUnusable }: EngineRecovery,
  engineArguments: EngineArguments,
): Promise<Restored | undefined> {
  const journal = new JournalReader(folder.journal);
  try {
    return await restoreNewest({
      folder: folder.snapshots,
      journal,
      lastSeq,
      engineArguments,
      onUnusable,
    });
  } finally {
    journal.close();
  }
}

/** Names the snapshot in the error: its state may be wrong although its file is undamaged. */
function namingSnapshot(path: string, error: unknown): unknown {
  if (!(error instanceof StoreError && error.code === 'replay_differs')) return error;
  return new StoreError(
    error.code,
    `${error.message}. The replay began from the snapshot ${path}: move the snapshots away to ` +
      'replay the whole journal instead',
  );
}
