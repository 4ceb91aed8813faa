/**
 * The sandbox: what makes an exchange with play money useful for tests. A crowd that trades, faults
 * on demand, a clock that moves forward, a faucet, checkpoints, and replays of recorded markets.
 *
 * Invariant: none of it acts where real money is at stake (`isSandbox`).
 */
import type { Plot } from '../http/services/index.ts';
import { arenaCommand } from './arena/index.ts';
import { replayCommand } from './replay/index.ts';

export const sandboxPlot: Plot = {
  name: 'sandbox',
  commands: [replayCommand, arenaCommand],
  load: async () => (await import('./sandbox.ts')).SANDBOX,
};
