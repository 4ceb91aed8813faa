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
import { CatalogAnswers } from './queries/answers.ts';
import type { CatalogThreadData } from './writer-thread.ts';

// Pre-warms caches in small steps while a thread is idle. Invariant: a question waits for one turn
// at the most; an error in a step need not be reported, because it occurs again when a question
// needs the same data. Bound: a turn takes `turnMs` and one step, and is followed by a pause of
// `pauseMs`.

export interface PrewarmOptions {
  /** Returns false if nothing is left to do. A step that throws is the last one. */
  readonly step: () => boolean;
  readonly turnMs: number;
  readonly pauseMs: number;
}

/** Starts after a first pause. Returns a function that stops it. */
export function startPrewarming({ step, turnMs, pauseMs }: PrewarmOptions): () => void {
  const turn = (): void => {
    const endMs = performance.now() + turnMs;
    let isMore = true;
    while (isMore && performance.now() < endMs) isMore = triedStep(step);
    if (isMore) timer = setTimeout(turn, pauseMs);
  };
  let timer = setTimeout(turn, pauseMs);
  return () => clearTimeout(timer);
}

function triedStep(step: () => boolean): boolean {
  try {
    return step();
  } catch {
    // A damaged record or a failing disk must not end the thread; questions report it.
    return false;
  }
}

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
