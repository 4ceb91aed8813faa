/**
 * Copies a catalog from another service over HTTP, in its own thread.
 *
 * Invariant: no command waits for a sync. Each page is stored together with the place to continue
 * from. A source can make a run neither endless nor large, and can't direct it into our network.
 */
import { PROGRAM } from '../../cli/options/commands.ts';
import type { Plot } from '../../http/services/index.ts';
import { SYNC_OPTIONS } from './options.ts';

export const syncPlot: Plot = {
  name: 'sync',
  commands: [
    {
      name: 'sync',
      program: `${PROGRAM} sync`,
      summary:
        'Copy another catalog into this one, or what changed there since the last copy; stop the ' +
        'exchange first (a running one syncs with --sync-from)',
      options: SYNC_OPTIONS,
      load: async () => (await import('./run-command.ts')).runSync,
    },
  ],
  load: async () => (await import('./part.ts')).SYNC,
};
