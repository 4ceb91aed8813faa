/**
 * Starts the threads that a start of the exchange has to wait for, before their data is known: so
 * they load their modules while this thread is loading its own, or waits.
 */

import { runsPublicApi, type Settings } from '../../http/settings/index.ts';
import { prepareThread } from '../../persistence/threads/index.ts';

/** Call it first: the start waits for the journal's thread before it does anything else. */
export function prepareJournalThread(): void {
  prepareThread({
    name: "the journal's thread",
    entry: new URL('../../persistence/journal/thread.ts', import.meta.url),
  });
}

/** Call it when the modules of the exchange are loaded, so that they have the processors first. */
export function prepareVerifierThreads(settings: Settings): void {
  if (!runsPublicApi(settings)) return;
  for (let count = 0; count < settings.verifierThreads; count += 1) {
    prepareThread({
      name: "a verifier's thread",
      entry: new URL('../../http/orders/verifier-thread.ts', import.meta.url),
    });
  }
}
