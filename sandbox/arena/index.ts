/**
 * The command `arena`: lets bots trade against each other on one exchange for a set time, ranks
 * them by profit after fees, and writes a result whose table `arena verify` makes again from the
 * journal.
 *
 * Invariant: the table is a function of the journal and of the bots' accounts, so a result has the
 * same hash on every machine. Bounds: `ARENA_BOUNDS`.
 */
import { PROGRAM } from '../../cli/options/commands.ts';
import type { ProgramCommand } from '../../cli/parser/program-command.ts';
import { ARENA_OPTIONS } from './arena-options.ts';

export const arenaCommand: ProgramCommand = {
  name: 'arena',
  program: `${PROGRAM} arena`,
  summary:
    'Let the bots of a file trade against each other and rank them; or check a result: arena ' +
    'verify FOLDER',
  options: ARENA_OPTIONS,
  operands: { usage: 'FILE | verify FOLDER', most: 2 },
  load: async () => (await import('./run-arena.ts')).runArena,
};
