/**
 * What the npm package exports. `startExchange` runs the program as a process of its own, because
 * the exchange needs the Node that its packages bring, and a test may run on another one.
 */
export type * from './exchange-types.ts';
export { ExchangeError } from './operator.ts';
export { startExchange } from './start-exchange.ts';
