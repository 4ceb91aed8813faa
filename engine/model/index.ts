/**
 * The language of the engine, as plain data that any code may read without the engine itself:
 *
 * - `commands.ts` goes in and `events.ts` comes out; `rejects.ts` lists every refusal.
 * - `units.ts` defines ticks, lots and micros, `time.ts` units of time; `bounds.ts` every limit;
 *   `text-forms.ts` the form of addresses, ids and keys; `market-status.ts` the states of a market;
 *   `money-keys.ts` what an idempotency key stands for.
 * - `state-view.ts` describes the whole state for comparison and hashing, `state-summary.ts` the
 *   part that book views start from, `snapshot-part.ts` the bytes of a snapshot.
 * - `rules.ts` numbers the rules of the engine, `invariant.ts` checks our own assumptions.
 *
 * To add a command, write its record in `commands.ts`, its events and reject codes, a handler in
 * the room of its subject, and a line in `engine/perform.ts`. The field names of commands are
 * journaled and those of reject details are sent to clients: neither ever changes.
 */
export * from './bounds.ts';
export * from './commands.ts';
export * from './events.ts';
export * from './inputs.ts';
export * from './invariant.ts';
export * from './market-status.ts';
export * from './money-keys.ts';
export * from './rejects.ts';
export * from './rules.ts';
export * from './snapshot-part.ts';
export * from './state-summary.ts';
export * from './state-view.ts';
export * from './text-forms.ts';
export * from './time.ts';
export * from './units.ts';
