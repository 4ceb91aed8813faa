/**
 * Recovery: applies the whole journal to an empty engine, by the same `apply` as live commands, and
 * compares the fills that come out with those stored. Invariant: an engine that recovered is the
 * engine that wrote the journal, or it is refused with the first difference. Bound: it holds one
 * step of the journal at a time. (Starting from a snapshot will begin after its seq.)
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, type Fill, isChange } from '../engine/index.ts';
import type { FillRow } from './journal-batch.ts';
import { JournalReader, type StoredCommand } from './journal-reader.ts';
import type { DurableCommand } from './records.ts';
import { StoreError } from './store-error.ts';

export interface RecoveryOptions {
  readonly journalPath: string;
  /** Empty. */
  readonly engine: Engine;
  /** The last command of the journal. */
  readonly lastSeq: number;
  /** Given every command in order, in batches. */
  readonly onDurable: (commands: readonly DurableCommand[]) => void;
}

/** Throws StoreError `journal_damaged` or `replay_differs`. */
export async function recover(options: RecoveryOptions): Promise<void> {
  const journal = new JournalReader(options.journalPath);
  try {
    for (let fromSeq = 0; fromSeq < options.lastSeq; ) {
      const toSeq = journal.stepEnd(fromSeq, options.lastSeq);
      options.onDurable(replayStep(options.engine, journal, fromSeq, toSeq));
      fromSeq = toSeq;
      await nextTurn();
    }
  } finally {
    journal.close();
  }
}

/** The commands after `fromSeq` up to `toSeq`. Throws as `recover`; the follower does the same. */
export function replayStep(
  engine: Engine,
  journal: JournalReader,
  fromSeq: number,
  toSeq: number,
): DurableCommand[] {
  const stored = journal.fills(fromSeq, toSeq);
  let compared = 0;
  const replayed = journal.commands(fromSeq, toSeq).map((command) => {
    const durable = applyStored(engine, command);
    let ordinal = 0;
    for (const event of durable.events) {
      if (event.kind !== 'fill') continue;
      compareFill(stored[compared], fillFields(durable.seq, ordinal, event));
      compared += 1;
      ordinal += 1;
    }
    return durable;
  });
  const left = stored[compared];
  if (left !== undefined) throw differs(left[0], `fill ${left[1]} is stored and was not replayed`);
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

type Field = readonly [name: string, value: number | string];

/** In the order of the columns of `fills`. */
function fillFields(seq: number, ordinal: number, fill: Fill): readonly Field[] {
  return [
    ['seq', seq],
    ['ordinal', ordinal],
    ['bucket', fill.bucket],
    ['match', fill.match],
    ['conditionId', fill.conditionId],
    ['takerOrderId', fill.takerOrderId],
    ['makerOrderId', fill.makerOrderId],
    ['takerAccount', fill.takerAccount],
    ['makerAccount', fill.makerAccount],
    ['takerOutcome', fill.takerOutcome],
    ['takerSide', fill.takerSide],
    ['makerOutcome', fill.makerOutcome],
    ['makerSide', fill.makerSide],
    ['takerPriceTicks', fill.takerPriceTicks],
    ['makerPriceTicks', fill.makerPriceTicks],
    ['lots', fill.lots],
    ['takerFeeMicros', fill.fees?.takerMicros ?? 0],
    ['makerFeeMicros', fill.fees?.makerMicros ?? 0],
    ['takerBuilderMicros', fill.fees?.takerBuilderMicros ?? 0],
    ['makerBuilderMicros', fill.fees?.makerBuilderMicros ?? 0],
    ['takerFeeBps', fill.fees?.takerFeeBps ?? 0],
    ['makerFeeBps', fill.fees?.makerFeeBps ?? 0],
  ];
}

function compareFill(stored: FillRow | undefined, replayed: readonly Field[]): void {
  const [seq, ordinal] = [Number(replayed[0]?.[1]), replayed[1]?.[1]];
  if (stored === undefined) throw differs(seq, `fill ${ordinal} was replayed and is not stored`);
  for (const [index, [name, value]] of replayed.entries()) {
    const column = stored[index];
    const was = Buffer.isBuffer(column) ? `0x${column.toString('hex')}` : column;
    if (was !== value) {
      throw differs(seq, `fill ${ordinal} has ${name} ${was} stored and ${value} replayed`);
    }
  }
}

function differs(seq: number, what: string): StoreError {
  return new StoreError(
    'replay_differs',
    `the journal's command ${seq} does not replay as it ran: ${what}. ` +
      'The journal was altered, or this program has other rules than the one that wrote it',
  );
}
