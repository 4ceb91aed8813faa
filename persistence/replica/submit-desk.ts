/**
 * The core's side of commands that replicas send: gives them to the sequencer, and answers.
 * Invariant: a command that was on its way for long is not applied, because its sender has given it
 * up and may have sent others since.
 */
import type { Command } from '../../engine/index.ts';
import type { SubmittingReplica } from '../feed/index.ts';
import { type Applied, StoreError, toError } from '../shared/index.ts';
import { answerOf, heardIn, type SubmitAnswer, submitsIn } from './submits.ts';

export interface SubmitDeskOptions {
  readonly submit: (command: Command, evidence: unknown) => Promise<Applied>;
  /** Whether a replica that had heard no more than this entry heard it long ago. */
  readonly isLate: (heardNumber: number) => boolean;
}

export class SubmitDesk {
  readonly #options: SubmitDeskOptions;

  constructor(options: SubmitDeskOptions) {
    this.#options = options;
  }

  take(frame: Buffer, replica: SubmittingReplica): void {
    const isLate = this.#options.isLate(heardIn(frame));
    const commands = submitsIn(frame);
    if (!replica.take(commands.length)) return;
    for (const { id, command, evidence } of commands) {
      const answering = isLate ? Promise.reject(late()) : this.#options.submit(command, evidence);
      answering.then(
        (applied) => replica.answer(JSON.stringify(answerOf(id, applied, replica.sentSeq))),
        (error: unknown) => replica.answer(JSON.stringify({ id, ...failureOf(toError(error)) })),
      );
    }
  }
}

function late(): StoreError {
  return new StoreError(
    'no_core',
    'the command was too long on its way to the core: send it again',
  );
}

function failureOf(error: Error): Pick<SubmitAnswer, 'code' | 'message'> {
  const code = error instanceof StoreError ? error.code : 'feed_refused';
  return { code: code === 'stopping' ? 'no_core' : code, message: error.message };
}
