/**
 * What every room of persistence/ may use: errors, bounds, records, the facts that views show
 * beside the engine's state, and small helpers for files, databases and texts. It imports only the
 * engine.
 */

export * from './account-profile.ts';
export * from './command-source.ts';
export * from './content-stamp.ts';
export * from './databases.ts';
export * from './disposable-stack.ts';
export * from './effects.ts';
export * from './files.ts';
export * from './fold.ts';
export * from './format-version.ts';
export * from './iso-time.ts';
export * from './records.ts';
export * from './shown-facts.ts';
export * from './store-bounds.ts';
export * from './store-error.ts';
export * from './trade-records.ts';
export * from './wide-sum.ts';
