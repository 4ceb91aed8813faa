// What the catalog's writing thread does for each kind of request.

import assert from 'node:assert';
import type { Catalog } from './catalog.ts';
import type { CatalogWriteKind, CatalogWriteKinds } from './model/index.ts';

type Work = {
  readonly [Kind in CatalogWriteKind]: (
    catalog: Catalog,
    ask: CatalogWriteKinds[Kind]['ask'],
  ) => CatalogWriteKinds[Kind]['answer'];
};

const WORK: Work = {
  importEvents: (catalog, records) => catalog.importEvents(records),
  putRecords: (catalog, batch) => {
    catalog.putRecords(batch);
  },
  putPage: ({ intake }, page) => intake.takePage(page),
  syncMark: ({ intake }, { source, kind }) => intake.mark(source, kind),
  noteTraded: ({ intake }, { conditionIds }) => {
    intake.noteTraded(conditionIds);
  },
  addEvent: ({ additions }, { record, plan }) => additions.addEvent(record, plan),
  addMarket: ({ additions }, { record, plan }) => additions.addMarket(record, plan),
  withdraw: ({ additions }, { plan, conditionIds }) => {
    additions.withdraw(plan, conditionIds);
  },
  finishPlan: ({ additions }, { name }) => {
    additions.finish(name);
  },
  noteEnds: (catalog, ends) => {
    catalog.noteEnds(ends);
  },
  edit: ({ edits }, ask) => edits.edit(ask),
  add: ({ edits }, ask) => edits.add(ask),
  putFigures: (catalog, figures) => {
    catalog.putFigures(figures);
  },
  comment: ({ comments }, ask) => comments.comment(ask),
  editComment: ({ comments }, ask) => comments.editComment(ask),
  removeComment: ({ comments }, ask) => comments.removeComment(ask),
  moderateComment: ({ comments }, ask) => comments.moderateComment(ask),
  reportComment: ({ comments }, ask) => comments.reportComment(ask),
  react: ({ comments }, ask) => comments.react(ask),
  unreact: ({ comments }, ask) => comments.unreact(ask),
  setProfile: ({ profiles }, ask) => profiles.set(ask),
  clearProfile: ({ profiles }, ask) => profiles.clear(ask),
  agreeWith: (catalog, { markets, ends }) => catalog.agreeWith(markets, ends),
};

/** Throws `CatalogImportError` and `CatalogRefusal`, which are the asker's; else our mistake. */
export function doCatalogWrite(catalog: Catalog, kind: string, ask: unknown): unknown {
  assert(Object.hasOwn(WORK, kind), `the catalog has no write ${kind}`);
  // Safe: kind and ask were paired by `CatalogWrites`, whose calls are all there is.
  const work = WORK[kind as CatalogWriteKind] as (catalog: Catalog, ask: unknown) => unknown;
  return work(catalog, ask);
}
