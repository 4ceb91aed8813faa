/**
 * A reading thread of the catalog: answers questions over a connection that only reads, one at a
 * time, each in one read transaction.
 */
import './node-version.ts';
import { type AskedMessage, answering } from './asked-work.ts';
import { CatalogAnswers } from './catalog-answers.ts';
import type { CatalogThreadData } from './catalog-thread.ts';
import { openSteadyDatabase } from './steady-database.ts';
import { STORE_PACE } from './store-bounds.ts';
import { runThread } from './thread-entry.ts';

runThread(({ path }: CatalogThreadData, post: (message: AskedMessage) => void) => {
  const database = openSteadyDatabase({ path, readonly: true });
  database.pragma(`cache_size = -${STORE_PACE.catalogCacheKib}`);
  const answers = new CatalogAnswers(database);
  const answer = database.transaction((kind: string, question: unknown) =>
    answers.answer(kind, question),
  );
  return answering({ answer, close: () => database.close() }, post);
});
