/**
 * The reader's thread: answers questions over a read-only connection to analytics.db, one at a
 * time, each in one read transaction. A question that fails is answered with its error; the next
 * one is taken as usual.
 */
import '../threads/node-version.ts';
import { openOrderKeys } from '../journal/index.ts';
import { openPlanStableDatabase, StoreError, type StoreErrorCode } from '../shared/index.ts';
import { runWorker, type WorkerHandler } from '../threads/index.ts';
import { ActionReader } from './actions.ts';
import { MarketQueries } from './markets.ts';
import { ReaderQueries } from './queries.ts';
import type {
  ActionsQuery,
  LiveOrdersQuery,
  NotificationsQuery,
  PriceHistoryQuery,
  TradesQuery,
  VolumesQuery,
} from './reader.ts';

export interface ReaderThreadData {
  readonly projectionPath: string;
  readonly journalPath: string;
}

export interface ReaderRequest {
  readonly id: number;
  readonly question:
    | { readonly kind: 'order'; readonly query: string }
    | { readonly kind: 'liveOrders'; readonly query: LiveOrdersQuery }
    | { readonly kind: 'trades'; readonly query: TradesQuery }
    | { readonly kind: 'orders'; readonly query: readonly string[] }
    | { readonly kind: 'notifications'; readonly query: NotificationsQuery }
    | { readonly kind: 'actions'; readonly query: ActionsQuery }
    | { readonly kind: 'volumes'; readonly query: VolumesQuery }
    | { readonly kind: 'priceHistory'; readonly query: PriceHistoryQuery };
}

export type ReaderMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | {
      readonly kind: 'refusal';
      readonly id: number;
      readonly code: StoreErrorCode;
      readonly message: string;
    }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string };

function openReader(
  data: ReaderThreadData,
  post: (message: ReaderMessage) => void,
): WorkerHandler<undefined, ReaderRequest> {
  const database = openPlanStableDatabase({ path: data.projectionPath, readonly: true });
  const orderKeys = openOrderKeys(data.journalPath);
  const queries = new ReaderQueries(database, { orderKeyOf: orderKeys.keyOf });
  const markets = new MarketQueries(database);
  const actions = new ActionReader(database);
  const answer = database.transaction((question: ReaderRequest['question']) => {
    switch (question.kind) {
      case 'order':
        return queries.order(question.query);
      case 'liveOrders':
        return queries.liveOrders(question.query);
      case 'trades':
        return queries.trades(question.query);
      case 'orders':
        return queries.orders(question.query);
      case 'notifications':
        return queries.notifications(question.query);
      case 'actions':
        return actions.newest(question.query);
      case 'volumes':
        return markets.volumes(question.query);
      case 'priceHistory':
        return markets.priceHistory(question.query);
    }
  });
  return {
    opened: undefined,
    receive: ({ id, question }) => {
      try {
        post({ kind: 'answer', id, value: answer(question) });
      } catch (error) {
        const message = error instanceof Error ? error.message : `${error}`;
        if (error instanceof StoreError) post({ kind: 'refusal', id, code: error.code, message });
        else post({ kind: 'failure', id, message });
      }
    },
    close: () => {
      orderKeys.close();
      database.close();
    },
  };
}

runWorker('reader', openReader);
