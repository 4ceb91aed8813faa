/**
 * The changed balances of followed accounts, by batch that is not durable yet. The engine runs
 * ahead of the disk, so balances are read when a batch is handed to the journal, and published when
 * the batch is durable. An account is followed while a client listens to its owner.
 *
 * Invariant: batches are taken in the order in which they were read, each once.
 * Bound: the batches that are not durable, with the balances that each changed.
 */
import { strict as assert } from 'node:assert';
import type { ChangedBalance } from '../../../engine/index.ts';
import { lots, micros } from '../../../engine/model/index.ts';
import type { DurableCommand, SealedState } from '../../../persistence/index.ts';
import type { AssetBalance } from './texts.ts';

interface PendingBatch {
  readonly lastSeq: number;
  readonly balances: readonly AssetBalance[];
}

export class PendingBalances {
  readonly #batches: PendingBatch[] = [];

  /** Reads the balances of followed accounts that a batch changed. */
  read(
    commands: readonly DurableCommand[],
    state: Pick<SealedState, 'changedBalances'>,
    isFollowed: (account: string) => boolean,
  ): void {
    const balances = state.changedBalances(isFollowed).map(assetBalance);
    this.#batches.push({ lastSeq: commands.at(-1)?.seq ?? 0, balances });
  }

  /**
   * Returns the balances that were read for a batch, now that it is durable. There are none for
   * batches that a start reads from the journal.
   */
  take(commands: readonly DurableCommand[]): readonly AssetBalance[] {
    const batch = this.#batches.shift();
    if (batch === undefined) return [];
    const isNext = batch.lastSeq === commands.at(-1)?.seq;
    assert(isNext, 'batches become durable in the order in which they are written');
    return batch.balances;
  }
}

function assetBalance({ available, held, ...asset }: ChangedBalance): AssetBalance {
  return asset.tokenId === ''
    ? { ...asset, available: micros(available), held: micros(held) }
    : { ...asset, available: lots(available), held: lots(held) };
}
