/**
 * The parts of a running exchange that endpoints may ask for.
 */
export type { Services } from './services.ts';
