/**
 * The language of the engine, as plain data that any code may read without the engine itself:
 *
 * - `commands.ts` goes in and `events.ts` comes out; `rejects.ts` lists every refusal.
 * - `units.ts` defines ticks, lots and micros, the form of addresses, ids and keys, and checks our
 *   own assumptions; `time.ts` units of time.
 * - `bounds.ts` has every limit, the version of the rules, and what an idempotency key stands for.
 * - `state-view.ts` describes the whole state for comparison and hashing, the part of it that book
 *   views start from, the bytes of a snapshot, and the states of a market.
 *
 * To add a command, write its record in `commands.ts`, its events and reject codes, a handler in
 * the room of its subject, and a line in `engine/perform.ts`. The field names of commands are
 * journaled and those of reject details are sent to clients: neither ever changes.
 */
export * from './bounds.ts';
export * from './commands.ts';
export * from './events.ts';
export * from './inputs.ts';
export * from './rejects.ts';
export * from './state-view.ts';
export * from './time.ts';
export * from './units.ts';
