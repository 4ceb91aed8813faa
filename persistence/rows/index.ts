/**
 * Payloads: the form in which the journal stores a command with its evidence. Orders and cancels,
 * which are most of a journal, are packed bytes with the engine's numbers in place of names; all
 * other commands are JSON. Invariant: a command and its evidence are read as they were written,
 * whatever they contain. Bound: the length of a command and its evidence.
 *
 * payload.ts chooses the form and has that of JSON; packed-commands.ts has the fields of packed
 * orders and cancels, and packed-values.ts those of their evidence; byte-writer.ts and
 * byte-reader.ts write and read bytes.
 */
export { ByteWriter } from './byte-writer.ts';
export { STORED_ORDER_TYPES } from './packed-commands.ts';
export { jsonPayload, type Payload, PayloadReader, packPayload } from './payload.ts';
