/**
 * The work of the writer thread: the only connection that writes to catalog.db. It creates or
 * migrates the file before it reports that it is ready, and then does one write after the other,
 * each in one transaction. A write that fails changes nothing and is answered with its error.
 */
import {
  type AnswerMessage,
  type AnswerTable,
  answerFrom,
  answerQuestions,
  type Post,
  type QuestionKinds,
} from '../persistence/threads/index.ts';
import { type Catalog, namingCatalog, openCatalog } from './catalog.ts';
import { CATALOG_ERRORS } from './error-codec.ts';
import type { CatalogWriteKinds } from './model/index.ts';
import { writeTable } from './write-table.ts';

/** `tableOf` has the answers to all questions, of which writes are a part. */
export function answerWrites<Kinds extends QuestionKinds<Kinds>>(
  path: string,
  tableOf: (catalog: Catalog, writes: AnswerTable<CatalogWriteKinds>) => AnswerTable<Kinds>,
  post: Post<AnswerMessage>,
) {
  const catalog = openCatalog(path);
  const table = tableOf(catalog, writeTable(catalog));
  const answer = (kind: string, question: unknown): unknown => {
    if (kind !== 'reconcile') return answerFrom(table, kind, question);
    // The first write of a start: if the file can't be used, the error says what to do.
    return namingCatalog(path, () => answerFrom(table, kind, question));
  };
  return answerQuestions({ answer, close: () => catalog.close(), errors: CATALOG_ERRORS }, post);
}
