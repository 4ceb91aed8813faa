/**
 * The command `replay`: plays recorded messages of a market channel into a market of a running
 * exchange, so that its book is the recorded one. Like `place-order` it knows the exchange by HTTP
 * only.
 */
import { PROGRAM } from '../../cli/options/commands.ts';
import type { ProgramCommand } from '../../cli/parser/program-command.ts';
import { REPLAY_OPTIONS } from './replay-options.ts';

export const replayCommand: ProgramCommand = {
  name: 'replay',
  program: `${PROGRAM} replay`,
  summary:
    'Play a recording of a market (NDJSON, also gzipped) into a market of a running exchange ' +
    'that has play money',
  options: REPLAY_OPTIONS,
  operands: { usage: 'FILE', most: 1 },
  load: async () => (await import('./run-replay.ts')).runReplay,
};
