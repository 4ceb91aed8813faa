/** The commands of the program, the default first. One that does nothing yet is not here. */
import type { DocumentedCommand } from './help.ts';
import { ORDER_OPTIONS } from './order-options.ts';
import { SERVE_OPTIONS } from './serve-options.ts';
import { TOOL_OPTIONS } from './tool-options.ts';

export const COMMANDS = [
  { name: 'serve', summary: 'Run the exchange', options: SERVE_OPTIONS },
  {
    name: 'config print',
    summary: 'Print the settings that "serve" would run with, and where each comes from',
    options: SERVE_OPTIONS,
  },
  {
    name: 'place-order',
    summary: 'Sign an order and place it at a running exchange',
    options: ORDER_OPTIONS,
  },
  {
    name: 'verify',
    summary:
      'Check a data folder, also beside a running exchange: replay its journal, compare the rest',
    options: TOOL_OPTIONS,
  },
] as const satisfies readonly [DocumentedCommand, ...DocumentedCommand[]];
