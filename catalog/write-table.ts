/** Which part of the catalog does each kind of write. */
import type { AnswerTable } from '../persistence/threads/index.ts';
import type { Catalog } from './catalog.ts';
import { checkNewEvent } from './intake/index.ts';
import type { CatalogWriteKinds } from './model/index.ts';

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
