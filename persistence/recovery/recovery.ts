/**
 * Applies the journal's commands again: all of them, those of one step, or a single one.
 */
import { strict as assert } from 'node:assert';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, isChange } from '../../engine/index.ts';
import { UnnamedCommand } from '../journal/command-form.ts';
import { type FillValues, fillFields, fillValues } from '../journal/fills.ts';
import type { StoredCommand } from '../journal/part.ts';
import { JournalReader } from '../journal/reader.ts';
import { type DurableCommand, StoreError } from '../shared/index.ts';

export interface RecoveryOptions {
  readonly journalPath: string;
  /** Its state must be the one after `fromSeq`. */
  readonly engine: Engine;
  /** 0, the default, for an empty engine. */
  readonly fromSeq?: number;
  readonly lastSeq: number;
  /** Gets every command in order, in the batches in which they became durable. */
  readonly onDurable: (commands: readonly DurableCommand[]) => void;
}

/**
 * Throws StoreError `journal_damaged`, `replay_differs`, `archive_missing` or `archive_damaged`.
 */
export async function recover(options: RecoveryOptions): Promise<void> {
  const { engine, fromSeq: beginSeq = 0, lastSeq, onDurable } = options;
  const journal = new JournalReader(options.journalPath);
  try {
    let batch: DurableCommand[] = [];
    for (let fromSeq = beginSeq; fromSeq < lastSeq; ) {
      const toSeq = journal.stepEnd(fromSeq, lastSeq);
      for (const replayed of replayStep(engine, journal, fromSeq, toSeq)) {
        batch.push(replayed);
        if (!replayed.endsBatch) continue;
        onDurable(batch);
        batch = [];
      }
      fromSeq = toSeq;
      await nextTurn();
    }
    assert(batch.length === 0, 'the last command of a journal ends its batch');
    engine.rules = journal.rulesAt(lastSeq + 1);
  } finally {
    journal.close();
  }
}

/**
 * Replays the commands after `fromSeq` up to `toSeq`, which is a `stepEnd`, under the rules that
 * they ran under. Throws as `recover`.
 */
export function replayStep(
  engine: Engine,
  journal: JournalReader,
  fromSeq: number,
  toSeq: number,
): UnnamedCommand[] {
  engine.rules = journal.rulesAt(fromSeq + 1);
  const replayed = journal.commands(fromSeq, toSeq).map((command) => applyStored(engine, command));
  const difference = fillDifference(journal.fills(fromSeq, toSeq), replayed);
  if (difference !== undefined) throw differs(difference.seq, difference.what);
  return replayed;
}

/** Applies a journaled command again. Throws StoreError `replay_differs`. */
export function applyStored(engine: Engine, stored: StoredCommand): UnnamedCommand {
  const { seq, timeMs } = stored;
  const events = engine.apply(seq, timeMs, stored.input(engine));
  if (!events.some(isChange))
    throw differs(seq, 'it changed the state when it first ran, and its replay changes nothing');
  if (stored.endsBatch) engine.endBatch();
  if (stored.digest !== null && stored.digest !== engine.digest) {
    throw differs(seq, 'the balances after it are other ones');
  }
  return new UnnamedCommand(stored, events, stored, engine.names);
}

function differs(seq: number, what: string): StoreError {
  return new StoreError(
    'replay_differs',
    `the journal's command ${seq} does not replay as it ran: ${what}. ` +
      'The journal was altered, or this program has other rules than the one that wrote it. ' +
      'Restore the newest backup, or start the program that wrote the journal',
  );
}

// Compares the fills that the journal stored with those of its replay, column by column. Recovery
// refuses a journal where they differ; `verify` reports it.

/** `what` continues the sentence "the journal's command <seq>: ...". */
interface FillDifference {
  readonly seq: number;
  readonly what: string;
}

/** The first difference between the fills of the same commands, both in order. */
export function fillDifference(
  stored: readonly FillValues[],
  replayed: readonly DurableCommand[],
): FillDifference | undefined {
  let compared = 0;
  for (const { seq, events } of replayed) {
    let ordinal = 0;
    for (const event of events) {
      if (event.kind !== 'fill') continue;
      const row = stored[compared];
      if (row !== undefined && isBefore(row, seq, ordinal)) return notReplayed(row);
      if (row === undefined || row[0] !== seq || row[1] !== ordinal) {
        return { seq, what: `fill ${ordinal} was replayed and is not stored` };
      }
      const values = fillValues(seq, ordinal, event);
      if (values.some((value, index) => value !== row[index])) {
        return { seq, what: `fill ${ordinal} has ${differenceOf(row, values)}` };
      }
      compared += 1;
      ordinal += 1;
    }
  }
  const left = stored[compared];
  return left === undefined ? undefined : notReplayed(left);
}

function isBefore(row: FillValues, seq: number, ordinal: number): boolean {
  return row[0] < seq || (row[0] === seq && row[1] < ordinal);
}

function notReplayed([seq, ordinal]: FillValues): FillDifference {
  return { seq, what: `fill ${ordinal} is stored and was not replayed` };
}

function differenceOf(stored: FillValues, replayed: FillValues): string {
  const [was, is] = [fillFields(stored), fillFields(replayed)];
  const name = Object.keys(is).find((one) => was[one] !== is[one]) ?? '';
  return `${name} ${was[name]} stored and ${is[name]} replayed`;
}
