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
import { checkNewEvent } from './intake/additions.ts';
import { CATALOG_ERRORS, type CatalogWriteKinds } from './model/index.ts';

// Which part of the catalog does each kind of write.

/** Writes throw `CatalogImportError` and `CatalogRefusal`; any other error is a defect. */
export function writeTable(catalog: Catalog): AnswerTable<CatalogWriteKinds> {
  const { intake, additions, edits, comments, profiles } = catalog;
  return {
    importEvents: (records) => void catalog.importEvents(records),
    putRecords: (batch) => void catalog.putRecords(batch),
    putPage: (page) => intake.putPage(page),
    syncMark: ({ source, kind }) => intake.mark(source, kind),
    markTraded: ({ conditionIds }) => void intake.markTraded(conditionIds),
    checkEvent: ({ record }) => void checkNewEvent(record),
    addEvent: ({ record, plan }) => additions.addEvent(record, plan),
    addMarket: ({ record, plan }) => additions.addMarket(record, plan),
    withdraw: ({ plan, conditionIds }) => void additions.withdraw(plan, conditionIds),
    finishPlan: ({ name }) => void additions.finish(name),
    markEnded: (ends) => void catalog.markEnded(ends),
    edit: (change) => edits.edit(change),
    add: (addition) => edits.add(addition),
    putFigures: (figures) => void catalog.putFigures(figures),
    comment: (comment) => comments.comment(comment),
    editComment: (change) => comments.editComment(change),
    removeComment: (command) => comments.removeComment(command),
    moderateComment: (command) => comments.moderateComment(command),
    reportComment: (report) => comments.reportComment(report),
    react: (reaction) => comments.react(reaction),
    unreact: (reaction) => comments.unreact(reaction),
    setProfile: (change) => profiles.set(change),
    clearProfile: (command) => profiles.clear(command),
    reconcile: ({ markets, ends }) => catalog.reconcile(markets, ends),
  };
}

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
