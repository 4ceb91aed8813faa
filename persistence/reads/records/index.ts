/**
 * Reads of orders, trades, prices, volumes, notifications and operator actions, as records. A name
 * that the tables do not know is a filter that no record passes. Bounds: STORE_BOUNDS.pageRows
 * records of a page, listedIds ids of a list, historySteps steps of a price history.
 */

export * from './queries.ts';
export * from './record-reads.ts';
export * from './rows.ts';
