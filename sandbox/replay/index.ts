/**
 * The command `replay`: plays recorded messages of a market channel into a market of a running
 * exchange, so that its book is the recorded one. Like `place-order` it knows the exchange by HTTP
 * only.
 */
export { runReplay } from './run-replay.ts';
