/**
 * A reading thread of the catalog: answers questions over a connection that only reads, one at a
 * time, each in one read transaction. After its start it makes the texts of open events ahead.
 */
import '../threads/node-version.ts';
import { openPlanStableDatabase, STORE_PACE } from '../shared/index.ts';
import { type AnswerMessage, answerQuestions, type Post, runWorker } from '../threads/index.ts';
import { workAhead } from './ahead.ts';
import { CatalogAnswers } from './answers.ts';
import type { CatalogText, MarketsText } from './model/index.ts';
import type { CatalogThreadData } from './thread.ts';

/** An answer's bytes are its own, and long. */
function memoryOf(answer: unknown): ArrayBuffer[] {
  // Safe: it is what CatalogAnswers gave.
  const text = answer as CatalogText | MarketsText | undefined;
  return text !== undefined && 'bytes' in text ? [text.bytes.buffer] : [];
}

runWorker('catalog-reader', ({ path }: CatalogThreadData, post: Post<AnswerMessage>) => {
  const database = openPlanStableDatabase({ path, readonly: true });
  database.pragma(`cache_size = -${STORE_PACE.catalogCacheKib}`);
  const answers = new CatalogAnswers(database);
  const answer = database.transaction((kind: string, question: unknown) =>
    answers.answer(kind, question),
  );
  const stopAhead = workAhead({
    step: database.transaction(() => answers.makeAhead()),
    ...STORE_PACE.catalogAhead,
  });
  const close = (): void => {
    stopAhead();
    database.close();
  };
  return answerQuestions({ answer, close, transferOf: memoryOf }, post);
});
