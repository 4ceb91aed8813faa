/**
 * The thread of analytics: answers questions over a connection that only reads, one at a time, each
 * in one read transaction. It loads no more than it needs: it is started while requests wait.
 */
import '../../threads/node-version.ts';
import { type AnswerMessage, answerQuestions, runWorker } from '../../threads/index.ts';
import { answerAnalytics } from './answers.ts';
import { AnalyticsReads, openAnalytics } from './reads.ts';

export interface AnalyticsThreadData {
  readonly projectionPath: string;
  readonly catalogPath: string;
}

runWorker('analytics', (data: AnalyticsThreadData, post: (message: AnswerMessage) => void) => {
  const database = openAnalytics(data.projectionPath, data.catalogPath);
  const reads = new AnalyticsReads(database);
  const answer = database.transaction((kind: string, question: unknown) =>
    answerAnalytics(reads, kind, question),
  );
  return answerQuestions({ answer, close: () => database.close() }, post);
});
