/**
 * The table of errors and everything that turns a failure into `{error, code, ...details}`.
 */

export * from './details.ts';
export * from './errors.ts';
export * from './failure.ts';
export * from './reject-errors.ts';
export * from './schema-fault.ts';
