/**
 * The vocabulary of the catalog: its rows, the queries that it answers and the writes that it does,
 * the records that enter it, the JSON that leaves it, refusals, and bounds. All of it is plain data
 * that can be sent to a thread.
 */
export * from './bounds.ts';
export * from './place-cursors.ts';
export * from './queries.ts';
export * from './records.ts';
export * from './refusals.ts';
export * from './rows.ts';
export * from './slotted-json.ts';
export * from './source-values.ts';
export * from './writes.ts';
