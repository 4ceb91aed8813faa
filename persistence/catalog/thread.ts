/**
 * The catalog's writing thread: the one connection that writes to catalog.db. It makes or migrates
 * the file before it says that it is ready, and does one write after the other, each in one
 * transaction. A write that fails is answered with why and changed nothing.
 */
import '../threads/node-version.ts';
import { type AnswerMessage, answerQuestions, runWorker } from '../threads/index.ts';
import { namingCatalog, openCatalog } from './catalog.ts';
import { CATALOG_ERRORS } from './error-codec.ts';
import { doCatalogWrite } from './work.ts';

export interface CatalogThreadData {
  readonly path: string;
}

runWorker('catalog', (data: CatalogThreadData, post: (message: AnswerMessage) => void) => {
  const catalog = openCatalog(data.path);
  return answerQuestions(
    {
      // The first of a start, which says what to do where the file can't be used.
      answer: (kind, ask) =>
        kind === 'agreeWith'
          ? namingCatalog(data.path, () => doCatalogWrite(catalog, kind, ask))
          : doCatalogWrite(catalog, kind, ask),
      close: () => catalog.close(),
      errors: CATALOG_ERRORS,
    },
    post,
  );
});
