/**
 * All reads of analytics.db, answered by threads of their own over read-only connections. `tables`
 * is the connection and its searches, `records` what owners and the operator read, `analytics` what
 * everyone reads of everyone's trading. Two threads run the same code: one for records, one for
 * analytics (docs/decisions/0020-bounded-reads-of-analytics.md says why).
 */
export { ReadHost } from './host.ts';
export type { Reader } from './questions.ts';
export type {
  ActionsQuery,
  LiveOrdersQuery,
  OpenOrdersQuery,
  PriceHistoryQuery,
  TradesQuery,
} from './records/index.ts';
