/**
 * A reader thread of the catalog: answers queries one at a time over a read-only connection, each
 * in one read transaction. While idle it pre-warms its cache with the JSON of open events.
 */
import '../persistence/threads/node-version.ts';
import { openPlanStableDatabase, STORE_PACE } from '../persistence/shared/index.ts';
import {
  type AnswerMessage,
  answerQuestions,
  type Post,
  runWorker,
} from '../persistence/threads/index.ts';
import type { SlottedJson } from './model/index.ts';
import { startPrewarming } from './prewarm.ts';
import { CatalogAnswers } from './queries/answers.ts';
import type { CatalogThreadData } from './writer-thread.ts';

function transferOf(answer: unknown): ArrayBuffer[] {
  // Safe: CatalogAnswers made it.
  const json = answer as SlottedJson | undefined;
  return json === undefined ? [] : [json.bytes.buffer];
}

runWorker('catalog-reader', ({ path }: CatalogThreadData, post: Post<AnswerMessage>) => {
  const database = openPlanStableDatabase({ path, readonly: true });
  database.pragma(`cache_size = -${STORE_PACE.catalogCacheKib}`);
  const answers = new CatalogAnswers(database);
  const answer = database.transaction((kind: string, query: unknown) =>
    answers.answer(kind, query),
  );
  const stopPrewarming = startPrewarming({
    step: database.transaction(() => answers.warmNext()),
    ...STORE_PACE.catalogAhead,
  });
  const close = (): void => {
    stopPrewarming();
    database.close();
  };
  return answerQuestions({ answer, close, transferOf }, post);
});
