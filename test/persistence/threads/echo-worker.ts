/** The worker of supervised-worker.test.ts: it echoes messages, and dies or refuses on demand. */
import { existsSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { StoreError } from '../../../persistence/shared/store-error.ts';
import { runWorker } from '../../../persistence/threads/run-worker.ts';

export interface EchoData {
  /** The worker refuses to open while this file exists. */
  readonly refusePath: string;
}

export interface Echo {
  readonly kind: 'echo';
  readonly text: string;
}

/** Longer than a message takes to the main thread and back. */
const LATER_MS = 50;

runWorker('reader', (data: EchoData, post: (message: Echo) => void) => {
  if (existsSync(data.refusePath)) throw new StoreError('projection_ahead', 'not like this');
  let fails = false;
  return {
    opened: 'hello',
    receive: (text: string) => {
      if (text === 'die') throw new Error('as told');
      if (text === 'exit') process.exit(3);
      fails = text === 'fail to close';
      if (text === 'later') setTimeout(() => post({ kind: 'echo', text }), LATER_MS);
      else post({ kind: 'echo', text: text === 'who' ? `${threadId} ${data.refusePath}` : text });
    },
    close: () => {
      if (fails) throw new Error('as told');
      post({ kind: 'echo', text: 'closing' });
    },
  };
});
