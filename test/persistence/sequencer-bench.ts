import { setImmediate as nextTurn } from 'node:timers/promises';
import { Engine } from '../../engine/index.ts';
import type { Applied, DurableCommand } from '../../persistence/index.ts';
import type { JournalBatch } from '../../persistence/journal/batch.ts';
import { type CommitPath, Sequencer, type SequencerOptions } from '../../persistence/sequencer.ts';
import type { Scope } from '../temporary-folder.ts';

interface BenchChanges extends Partial<Omit<SequencerOptions, 'path'>> {
  readonly path?: Partial<CommitPath>;
}

/** A sequencer whose journal commits when the test says so, and a log of its outputs in order. */
export class Bench {
  readonly log: string[] = [];
  readonly batches: JournalBatch[] = [];
  readonly delivered: DurableCommand[] = [];
  readonly errors: Error[] = [];
  nowMs = 1_000_000;
  readonly sequencer: Sequencer;

  constructor(scope: Scope, { path, ...changes }: BenchChanges = {}) {
    this.sequencer = new Sequencer({
      engine: new Engine(),
      lastSeq: 0,
      lastTimeMs: 0,
      now: () => this.nowMs,
      append: (batch) => this.batches.push(batch),
      path: {
        sealed: () => undefined,
        durable: (commands) => {
          this.delivered.push(...commands);
          this.log.push(`delivered ${seqs(commands)}`);
        },
        failed: (error) => this.errors.push(error),
        ...path,
      },
      ...changes,
    });
    scope.teardown(() => this.sequencer.fail(new Error('the test is over')));
  }

  /** Submits a command, and logs its answer or refusal. */
  submit(command: DurableCommand['command'], name: string = command.kind): Promise<Applied> {
    const answer = this.sequencer.submit(command, undefined);
    answer.then(
      ({ seq }) => this.log.push(`answered ${name} at ${seq}`),
      ({ code }) => this.log.push(`refused ${name}: ${code}`),
    );
    return answer;
  }

  /** Commits the batch that is being written. */
  async commit(): Promise<void> {
    const batch = this.batches.at(-1);
    if (batch !== undefined) this.sequencer.committed(batch.firstSeq + batch.payloads.length - 1);
    await nextTurn();
  }
}

export function seqs(commands: readonly DurableCommand[]): string {
  return commands.map(({ seq }) => seq).join(',');
}
