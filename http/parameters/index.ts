/**
 * Parameters that many endpoints share: cursors, filters, token ids and builder codes.
 */

export * from './cursor.ts';
export * from './fields.ts';
export * from './filters.ts';
