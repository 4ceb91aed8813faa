/**
 * What the whole server shares at run time: the time of commands, the log, and the splitting of
 * long work into turns of the event loop.
 */
export { ExchangeClock } from './clock.ts';
export { createLog, type Logger, type LogLevel } from './log.ts';
export { nextTurn } from './next-turn.ts';
