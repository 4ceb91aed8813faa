/**
 * Recovery: applies what the journal has after a snapshot, or all of it, to an engine by the same
 * `apply` as live commands, and compares the fills that come out with those stored. Invariant: an
 * engine that recovered is the engine that wrote the journal, or it is refused with the first
 * difference. Bound: it holds one step of the journal at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, isChange } from '../../engine/index.ts';
import type { DurableCommand } from '../shared/index.ts';
import { StoreError } from '../shared/index.ts';
import { fillDifference } from './fill-difference.ts';
import { JournalReader, type StoredCommand } from './reader.ts';

export interface RecoveryOptions {
  readonly journalPath: string;
  /** As it was after `fromSeq`. */
  readonly engine: Engine;
  /** 0 for an empty engine, also when it is left out. */
  readonly fromSeq?: number;
  /** The last command of the journal. */
  readonly lastSeq: number;
  /** Given every command in order, in batches. */
  readonly onDurable: (commands: readonly DurableCommand[]) => void;
}

/** Throws StoreError `journal_damaged`, `replay_differs` or what an archive is refused with. */
export async function recover(options: RecoveryOptions): Promise<void> {
  const { engine, fromSeq: beginSeq = 0, lastSeq, onDurable } = options;
  const journal = new JournalReader(options.journalPath);
  try {
    for (let fromSeq = beginSeq; fromSeq < lastSeq; ) {
      const toSeq = journal.stepEnd(fromSeq, lastSeq);
      onDurable(replayStep(engine, journal, fromSeq, toSeq));
      fromSeq = toSeq;
      await nextTurn();
    }
    engine.rules = journal.rulesAt(lastSeq + 1);
  } finally {
    journal.close();
  }
}

/**
 * The commands after `fromSeq` up to `toSeq`, which is a `stepEnd`, by the rules that they ran
 * under. Throws as `recover`; the follower does the same.
 */
export function replayStep(
  engine: Engine,
  journal: JournalReader,
  fromSeq: number,
  toSeq: number,
): DurableCommand[] {
  engine.rules = journal.rulesAt(fromSeq + 1);
  const stored = journal.fills(fromSeq, toSeq);
  const replayed = journal.commands(fromSeq, toSeq).map((command) => applyStored(engine, command));
  const difference = fillDifference(stored, replayed);
  if (difference !== undefined) throw differs(difference.seq, difference.what);
  return replayed;
}

/** Applies a journaled command again; the projector's engine does the same. */
export function applyStored(engine: Engine, stored: StoredCommand): DurableCommand {
  const { seq, timeMs, command } = stored;
  const events = engine.apply(seq, timeMs, command);
  if (!events.some(isChange))
    throw differs(seq, 'it changed something and replayed changes nothing');
  return { seq, timeMs, command, events };
}

function differs(seq: number, what: string): StoreError {
  return new StoreError(
    'replay_differs',
    `the journal's command ${seq} does not replay as it ran: ${what}. ` +
      'The journal was altered, or this program has other rules than the one that wrote it',
  );
}
