/** The commands of the program, the default first. One that does nothing yet is not here. */
import type { DocumentedCommand } from './help.ts';
import { INSPECT_USAGE } from './inspect-words.ts';
import { ORDER_OPTIONS } from './order-options.ts';
import { SERVE_OPTIONS } from './serve-options.ts';
import { SYNC_OPTIONS, TOOL_OPTIONS } from './tool-options.ts';

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
    name: 'import',
    summary:
      'Put events and markets of a JSON or NDJSON file into the catalog, all or none; no ' +
      'exchange may run on the folder',
    options: TOOL_OPTIONS,
    operands: { usage: 'FILE', most: 1 },
  },
  {
    name: 'sync',
    summary:
      'Copy another catalog into this one, or what changed there since; no exchange may run on ' +
      'the folder (one that runs has --sync-from)',
    options: SYNC_OPTIONS,
  },
  {
    name: 'verify',
    summary:
      'Check a data folder, also beside a running exchange: replay its journal, compare the rest',
    options: TOOL_OPTIONS,
  },
  {
    name: 'backup',
    summary: 'Copy a data folder into one new file, also beside a running exchange',
    options: TOOL_OPTIONS,
    operands: { usage: 'FILE', most: 1 },
  },
  {
    name: 'restore',
    summary:
      'Make a data folder of a backup, in an empty or a new folder; no exchange may run on it',
    options: TOOL_OPTIONS,
    operands: { usage: 'FILE', most: 1 },
  },
  {
    name: 'inspect',
    summary:
      'Show one thing of a data folder and what became of it, also beside a running exchange',
    options: TOOL_OPTIONS,
    operands: { usage: INSPECT_USAGE, most: 2 },
  },
  {
    name: 'compact',
    summary:
      'Move old commands of the journal into an archive, also beside a running exchange: starts ' +
      'and backups of the journal get smaller, and nothing is lost',
    options: TOOL_OPTIONS,
  },
] as const satisfies readonly [DocumentedCommand, ...DocumentedCommand[]];
