/**
 * Where each kind of write happens in a cluster.
 *
 * A write that came from outside the exchange, or that such a write depends on, is a content
 * record: each node applies all of them in the order of the log. `markEnded` is one although each
 * node could tell from its engine which markets ended, because it does not commute with others: an
 * edit or an addition sets `updated_at` and opens an event again, and a sync takes over the flags
 * of an event only if that is closed. So the core alone says when a market ended in the catalog.
 *
 * Figures of trading are written by each node from its own projection: no write reads them, and
 * none but their own changes the rows of markets that trade here.
 */
import type { CatalogWriteKind } from '../../catalog/model/index.ts';

/** `log`: as a content record, on each node. `node`: at once, on this node alone. */
const WRITE_PLACES = {
  importEvents: 'log',
  putRecords: 'log',
  putPage: 'log',
  markTraded: 'log',
  edit: 'log',
  add: 'log',
  addEvent: 'log',
  addMarket: 'log',
  withdraw: 'log',
  finishPlan: 'log',
  markEnded: 'log',
  comment: 'log',
  editComment: 'log',
  removeComment: 'log',
  moderateComment: 'log',
  reportComment: 'log',
  react: 'log',
  unreact: 'log',
  setProfile: 'log',
  clearProfile: 'log',
  putFigures: 'node',
  // It is part of the start of the first core, before others have its catalog.
  reconcile: 'node',
  // These two write nothing.
  syncMark: 'node',
  checkEvent: 'node',
} as const satisfies Readonly<Record<CatalogWriteKind, 'log' | 'node'>>;

export type ContentKind = {
  [Kind in CatalogWriteKind]: (typeof WRITE_PLACES)[Kind] extends 'log' ? Kind : never;
}[CatalogWriteKind];

export function isContentKind(kind: string): kind is ContentKind {
  return Object.hasOwn(WRITE_PLACES, kind) && WRITE_PLACES[kind as ContentKind] === 'log';
}
