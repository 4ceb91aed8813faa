/**
 * Numbers and texts of the wire, and small containers that need nothing else of http/.
 */

export * from './decimal.ts';
export * from './headers.ts';
export * from './histogram.ts';
export * from './json-fault.ts';
export * from './maps.ts';
export * from './random.ts';
export * from './time.ts';
export * from './words.ts';
export * from './zip.ts';
