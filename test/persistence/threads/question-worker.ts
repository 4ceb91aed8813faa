/** The worker of worker-client.test.ts. */
import { strict as assert } from 'node:assert';
import SqliteDatabase from 'better-sqlite3';
import { StoreError } from '../../../persistence/shared/index.ts';
import {
  type AnswerMessage,
  type AnswerTable,
  answerFrom,
  answerQuestions,
  type Post,
  runWorker,
} from '../../../persistence/threads/index.ts';
import { CODED_ERRORS, CodedError, type Kinds } from './questions.ts';

const TABLE: AnswerTable<Kinds> = {
  echo: (text) => text,
  sum: (bytes) => bytes.reduce((sum, byte) => sum + byte, 0),
  zeros: (length) => new Uint8Array(length),
  fail: (how) => {
    if (how === 'coded') throw new CodedError(7);
    if (how === 'store') throw new StoreError('search_too_wide', 'too wide');
    if (how === 'database') throw new SqliteDatabase.SqliteError('disk I/O error', 'SQLITE_IOERR');
    throw new TypeError('a mistake');
  },
  exit: () => process.exit(),
  wait: (gate) => {
    assert.notEqual(Atomics.wait(gate, 0, 0, 60_000), 'timed-out');
    return 'waited';
  },
};

runWorker('reader', (_: undefined, post: Post<AnswerMessage>) =>
  answerQuestions(
    {
      answer: (kind, question) => answerFrom(TABLE, kind, question),
      close: () => undefined,
      errors: CODED_ERRORS,
      transferOf: (answer) => (answer instanceof Uint8Array ? [answer.buffer as ArrayBuffer] : []),
    },
    post,
  ),
);
