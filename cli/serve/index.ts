/**
 * The command `serve`: from options to a running exchange, its banner and its signal handlers; and
 * `config print`, which shows the options in effect.
 */
export { printConfig, type ServeContext, serve } from './serve.ts';
