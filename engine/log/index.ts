/**
 * What commands did, as packed records: the engine appends to an `EventLog`, and its
 * caller reads it. `engine/names` turns records into the plain events of `model/events.ts`.
 */
export * from './event-log.ts';
