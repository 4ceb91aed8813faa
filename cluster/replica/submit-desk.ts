/**
 * The core's side of commands that replicas send: gives them to the sequencer, and answers.
 * Invariant: a command that was on its way for long is not applied, because its sender has given it
 * up and may have sent others since.
 */
import type { Engine } from '../../engine/index.ts';
import type { CommandForm } from '../../persistence/journal/command-form.ts';
import { type Applied, StoreError } from '../../persistence/shared/index.ts';
import type { SubmittingReplica } from '../feed/index.ts';
import { encodeAnswer, encodeApplied, heardIn, type SubmitAnswer, submitsIn } from './submits.ts';

export interface SubmitDeskOptions {
  readonly engine: Pick<Engine, 'knows' | 'inputOf'>;
  /** See `Sequencer.take`. */
  readonly take: (form: CommandForm, answer: (applied: Applied) => void) => StoreError | undefined;
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
    for (const { id, form } of commands) {
      const answer = (applied: Applied): void =>
        replica.answer(encodeApplied(id, applied, replica.sentSeq));
      const refusal = isLate ? late() : this.#take(form, answer);
      if (refusal !== undefined) replica.answer(encodeAnswer({ id, ...failureOf(refusal) }));
    }
  }

  #take(form: CommandForm, answer: (applied: Applied) => void): StoreError | undefined {
    const { engine, take } = this.#options;
    return form.isKnown(engine) ? take(form, answer) : unknownNumber();
  }
}

/** A replica has what the log has committed, so this one is of another log, or has a bug. */
function unknownNumber(): StoreError {
  return new StoreError(
    'feed_refused',
    'the command has a number for an account, token or builder that the core does not know',
  );
}

function late(): StoreError {
  return new StoreError(
    'no_core',
    'the command was too long on its way to the core: send it again',
  );
}

function failureOf({ code, message }: StoreError): Pick<SubmitAnswer, 'code' | 'message'> {
  return { code: code === 'stopping' ? 'no_core' : code, message };
}
