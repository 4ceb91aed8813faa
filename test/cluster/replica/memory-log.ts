/** Logs of several nodes in one process, over a store in memory, in real time. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  LogNode,
  monotonicMs,
  NoAnswerError,
  type ReplicatedLog,
  type ReplicatedLogOptions,
} from '../../../cluster/log/index.ts';
import { StoreError } from '../../../persistence/shared/index.ts';
import { MemoryStore } from '../log/memory-store.ts';

/** With the errors that the thread of a log reports. */
function asFromThread<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof NoAnswerError)) throw error;
    throw new StoreError('log_unavailable', error.message);
  });
}

async function noAnswer(): Promise<never> {
  await sleep(50);
  throw new NoAnswerError('cut off');
}

export class MemoryLogs {
  readonly store = new MemoryStore();
  /** Nodes whose requests get no answer. */
  readonly cutOff = new Set<string>();

  readonly open = async (options: ReplicatedLogOptions): Promise<ReplicatedLog> => {
    const { node, feedAddress, terms, onEvent } = options;
    const { store, cutOff } = this;
    const log = new LogNode({
      store: {
        transact: (transaction) => (cutOff.has(node) ? noAnswer() : store.transact(transaction)),
        compact: (revision) => store.compact(revision),
      },
      clock: {
        now: monotonicMs,
        after: (delayMs, call) => {
          const timer = setTimeout(call, delayMs);
          return () => clearTimeout(timer);
        },
      },
      prefix: '/test/',
      node,
      feedAddress,
      // As from a thread: in a turn of its own.
      onEvent: (event) => void setImmediate(() => onEvent(event)),
    });
    const logId = await log.join(terms);
    return {
      logId,
      append: (batch, content) => log.append({ ...batch, content }),
      look: (known) => asFromThread(log.look(known)),
      claim: (known) => log.claim(known),
      resign: () => asFromThread(log.resign()),
      entries: (known) => asFromThread(log.entries(known)),
      keepFor: (synced, isSought) => asFromThread(log.keepFor(synced, isSought)),
      registered: () => asFromThread(log.registered()),
      forget: (name) => log.forget(name),
      status: async () => ({ endpoints: [], sizeBytes: undefined, quotaBytes: undefined }),
      renew: () => undefined,
      close: async () => log.close(),
    };
  };
}
