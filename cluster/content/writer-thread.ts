/** The writer thread of a catalog whose writes go through the log of a cluster. */
import '../../persistence/threads/node-version.ts';
import { answerWrites } from '../../catalog/answer-writes.ts';
import { type AnswerMessage, type Post, runWorker } from '../../persistence/threads/index.ts';
import { contentTable } from './content-log.ts';

runWorker('catalog', ({ path }: { readonly path: string }, post: Post<AnswerMessage>) =>
  answerWrites(path, contentTable, post),
);
