/**
 * The language of the engine: commands in, events out, reject codes, units, bounds and the records
 * that describe its state. Everything here is plain data. Code that only reads what the engine wrote
 * imports this room and not the machine.
 */
export * from './bounds.ts';
export * from './commands.ts';
export * from './events.ts';
export * from './invariant.ts';
export * from './market-status.ts';
export * from './outline.ts';
export * from './rejects.ts';
export * from './rules.ts';
export * from './snapshot-part.ts';
export * from './state-view.ts';
export * from './text-forms.ts';
export * from './units.ts';
