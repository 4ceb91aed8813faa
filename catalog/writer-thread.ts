/**
 * The writer thread of the catalog: the only connection that writes to catalog.db. It creates or
 * migrates the file before it reports that it is ready, and then does one write after the other,
 * each in one transaction. A write that fails changes nothing and is answered with its error.
 */
import '../persistence/threads/node-version.ts';
import {
  type AnswerMessage,
  answerFrom,
  answerQuestions,
  type Post,
  runWorker,
} from '../persistence/threads/index.ts';
import { namingCatalog, openCatalog } from './catalog.ts';
import { CATALOG_ERRORS } from './error-codec.ts';
import { contentTable, writeTable } from './write-table.ts';

export interface CatalogThreadData {
  readonly path: string;
  /** Whether the exchange is a node of a cluster. */
  readonly isNode: boolean;
}

runWorker('catalog', ({ path, isNode }: CatalogThreadData, post: Post<AnswerMessage>) => {
  const catalog = openCatalog(path);
  const writes = isNode
    ? { ...writeTable(catalog), ...contentTable(catalog) }
    : writeTable(catalog);
  // What changes outside of a cluster is not in its log.
  if (!isNode) catalog.leaveHistory();
  const answer = (kind: string, question: unknown): unknown => {
    if (kind !== 'reconcile') return answerFrom(writes, kind, question);
    // The first write of a start: if the file can't be used, the error says what to do.
    return namingCatalog(path, () => answerFrom(writes, kind, question));
  };
  return answerQuestions({ answer, close: () => catalog.close(), errors: CATALOG_ERRORS }, post);
});
