/** The writer thread of a catalog that has no log. */
import '../persistence/threads/node-version.ts';
import { type AnswerMessage, type Post, runWorker } from '../persistence/threads/index.ts';
import { answerWrites } from './answer-writes.ts';

export interface CatalogThreadData {
  readonly path: string;
}

runWorker('catalog', ({ path }: CatalogThreadData, post: Post<AnswerMessage>) =>
  answerWrites(
    path,
    (catalog, writes) => {
      // What changes from now on is in no log.
      catalog.leaveHistory();
      return writes;
    },
    post,
  ),
);
