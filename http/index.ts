/** The one public face of the shell: the composition root imports from here alone. */
export { ERRORS, type ErrorCode } from './error-table.ts';
export { type Running, type StartOptions, startExchange } from './program.ts';
export { DEFAULT_SETTINGS, type Funding, type LogLevel, type Settings } from './settings.ts';
