/** The one public face of the shell: the composition root starts it from here. */
export { type Running, startExchange } from './program.ts';
