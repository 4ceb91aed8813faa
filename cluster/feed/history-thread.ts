/** The thread that reads the journal for replicas. Bound: one part at a time. */
import '../../persistence/threads/node-version.ts';
import type { StoredCommand } from '../../persistence/journal/part.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { StoreError } from '../../persistence/shared/index.ts';
import {
  type AnswerMessage,
  type AnswerTable,
  answerFrom,
  answerQuestions,
  type Post,
  runWorker,
} from '../../persistence/threads/index.ts';
import { FEED_BOUNDS } from './frames.ts';
import {
  encodeHistory,
  type HistoryKinds,
  type HistoryPart,
  type HistoryThreadData,
} from './history.ts';

function partAfter(journal: JournalReader, afterSeq: number): HistoryPart {
  const { lastSeq, place } = journal.end();
  const position = place && { number: place.number, check: place.check, content: place.content };
  const toSeq = Math.min(afterSeq + FEED_BOUNDS.historyCommands, lastSeq);
  if (toSeq <= afterSeq) return { body: new Uint8Array(), lastSeq: afterSeq, position };
  const commands = journal.commands(afterSeq, ruledUntil(journal, afterSeq, toSeq));
  const some = commands.slice(0, countWithin(commands, FEED_BOUNDS.historyBytes));
  const body = encodeHistory({
    firstSeq: afterSeq + 1,
    timesMs: some.map(({ timeMs }) => timeMs),
    kinds: some.map(({ kind }) => kind),
    payloads: some.map(({ payload }) => payload),
    rules: journal.rulesAt(afterSeq + 1),
    ends: some.map(({ endsBatch }) => endsBatch),
    digests: some.map(({ digest }) => digest),
    digest: null,
  });
  const end = afterSeq + some.length;
  return { body, lastSeq: end, ...(end === lastSeq && { position }) };
}

/** The last command up to `toSeq` that ran under the same rules as the one after `afterSeq`. */
function ruledUntil(journal: JournalReader, afterSeq: number, toSeq: number): number {
  const next = journal.rulesBorders().find(({ fromSeq }) => fromSeq > afterSeq + 1);
  return next === undefined ? toSeq : Math.min(toSeq, next.fromSeq - 1);
}

/** At least one. */
function countWithin(commands: readonly StoredCommand[], bytes: number): number {
  let sum = 0;
  const first = commands.findIndex(({ payload }, index) => {
    sum += Buffer.byteLength(payload);
    return index > 0 && sum > bytes;
  });
  return first === -1 ? commands.length : first;
}

/** Throws StoreError `log_differs`. */
function checkCommand(journal: JournalReader, seq: number, checksum: number): void {
  const known = journal.checksumAt(seq);
  if (known === checksum) return;
  throw new StoreError(
    'log_differs',
    `command ${seq} of this node is not the one of the cluster: it follows another history, or ` +
      'its journal was altered. Start the node with a new data folder, and keep the old one for ' +
      'inspection',
  );
}

runWorker('history', ({ journalPath }: HistoryThreadData, post: Post<AnswerMessage>) => {
  const journal = new JournalReader(journalPath);
  const table: AnswerTable<HistoryKinds> = {
    read: ({ afterSeq, checksum }) => {
      if (checksum !== undefined) checkCommand(journal, afterSeq, checksum);
      return partAfter(journal, afterSeq);
    },
  };
  return answerQuestions(
    {
      answer: (kind, question) => answerFrom(table, kind, question),
      close: () => journal.close(),
    },
    post,
  );
});
