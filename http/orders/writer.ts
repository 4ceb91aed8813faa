/** Whose write it is: for the queues, for fairness, and for the trace of its request. */
import type { Command } from '../../engine/index.ts';
import type { Applied, Exchange } from '../../persistence/index.ts';
import type { Caller, Sender } from '../api/index.ts';

/** The owner, and the trace of the request that brought the write. */
export type Writer = Pick<Caller, 'owner' | 'trace'>;

/** The owner, and the key that must not be revoked when its turn comes. */
export type KeyUser = Writer & Pick<Caller, 'apiKey'>;

export function senderOfCaller({ address = '', owner }: Caller): Sender {
  return { address, owner };
}

/** Submits a command before it returns. The trace notes the command's way. */
export function submitFor(
  { trace }: Writer,
  exchange: Pick<Exchange, 'submit'>,
  command: Command,
  evidence?: unknown,
): Promise<Applied> {
  if (trace === undefined) return exchange.submit(command, evidence);
  return trace.follow(command, () => exchange.submit(command, evidence));
}
