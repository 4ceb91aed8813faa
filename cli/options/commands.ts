/** The commands of the program; plots bring more. The first one runs when none is named. */
import { fileURLToPath } from 'node:url';
import type { DocumentedCommand } from '../parser/help.ts';
import { INSPECT_USAGE } from './inspection.ts';
import { MCP_OPTIONS } from './mcp-options.ts';
import { ORDER_OPTIONS, SIGN_OPTIONS } from './order-options.ts';
import { COMMON_OPTIONS, SERVE_OPTIONS } from './serve-options.ts';
import { RESTORE_OPTIONS, ROTATION_OPTIONS, TOOL_OPTIONS, VERIFY_OPTIONS } from './tool-options.ts';

// How a person starts the program, for help and for messages that name a command.

/** A script that finds the Node of the packages. */
const SCRIPT = fileURLToPath(new URL('../../outcome-exchange', import.meta.url));

/**
 * In a clone the script, which is in the current folder; in a project's packages npm finds it. What
 * `npx FILE` installs is in a cache, where only the whole path leads to it.
 */
export const PROGRAM = SCRIPT.includes('/_npx/')
  ? SCRIPT
  : SCRIPT.includes('/node_modules/')
    ? 'npx outcome-exchange'
    : './outcome-exchange';

/** The options of `ready`. */
export const READY_OPTIONS = { url: ORDER_OPTIONS.url, ...COMMON_OPTIONS };

const ONE_FILE = { usage: 'FILE', most: 1 } as const;

export const COMMANDS = [
  {
    name: 'serve',
    program: `${PROGRAM} [serve]`,
    summary: 'Run the exchange',
    options: SERVE_OPTIONS,
  },
  {
    name: 'config print',
    program: `${PROGRAM} config print`,
    summary: 'Print the settings that "serve" would run with, and the origin of each',
    options: SERVE_OPTIONS,
  },
  {
    name: 'ready',
    program: `${PROGRAM} ready`,
    summary:
      'Ask a running exchange whether it is ready; exit code 1 if it is not, or does not answer',
    options: READY_OPTIONS,
  },
  {
    name: 'place-order',
    program: `${PROGRAM} place-order`,
    summary: 'Sign an order and send it to a running exchange',
    options: ORDER_OPTIONS,
  },
  {
    name: 'sign-order',
    program: `${PROGRAM} sign-order`,
    summary: 'Sign an order and print the request that places it, for programs without a client',
    options: SIGN_OPTIONS,
  },
  {
    name: 'mcp',
    program: `${PROGRAM} mcp`,
    summary:
      'Let an agent trade on a running exchange, or on one of its own, by the Model Context ' +
      'Protocol',
    options: MCP_OPTIONS,
  },
  {
    name: 'import',
    program: `${PROGRAM} import`,
    summary:
      'Load events and markets from a JSON or NDJSON file into the catalog, all of them or none; ' +
      'stop the exchange first',
    options: TOOL_OPTIONS,
    operands: ONE_FILE,
  },
  {
    name: 'verify',
    program: `${PROGRAM} verify`,
    summary:
      'Check a data folder: replay its journal and compare everything else with the result; an ' +
      'exchange may run on it',
    options: VERIFY_OPTIONS,
  },
  {
    name: 'backup',
    program: `${PROGRAM} backup`,
    summary: 'Copy a data folder into one new file; an exchange may run on it',
    options: TOOL_OPTIONS,
    operands: ONE_FILE,
  },
  {
    name: 'restore',
    program: `${PROGRAM} restore`,
    summary:
      'Create a data folder from a backup, also as of an earlier command or time; the folder ' +
      'must be empty or new',
    options: RESTORE_OPTIONS,
    operands: ONE_FILE,
  },
  {
    name: 'rotate-backups',
    program: `${PROGRAM} rotate-backups`,
    summary:
      'Make a backup in a folder, restore and verify it there, and then remove the oldest ' +
      'backups that were made so; an exchange may run on the data folder',
    options: ROTATION_OPTIONS,
    operands: { usage: 'FOLDER', most: 1 },
  },
  {
    name: 'inspect',
    program: `${PROGRAM} inspect`,
    summary:
      'Show one command, fill, order, account, market or snapshot of a data folder and its ' +
      'history; an exchange may run on it',
    options: TOOL_OPTIONS,
    operands: { usage: INSPECT_USAGE, most: 2 },
  },
  {
    name: 'compact',
    program: `${PROGRAM} compact`,
    summary:
      'Move old commands from the journal into an archive, which makes starts faster and backups ' +
      'smaller and loses nothing; an exchange may run on the folder',
    options: TOOL_OPTIONS,
  },
] as const satisfies readonly [DocumentedCommand, ...DocumentedCommand[]];
