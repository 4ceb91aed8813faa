import { StoredCommand } from '../../persistence/journal/part.ts';
import { commandChecksum } from '../../persistence/journal/schema.ts';
import type { BatchEnds, HistoryCommands } from '../feed/index.ts';

/** The commands after `appliedSeq`. Without `ends` and `digests`, they are one batch. */
export function* loggedCommands(
  { firstSeq, timesMs, kinds, payloads, digest }: Omit<HistoryCommands, 'rules' | keyof BatchEnds>,
  appliedSeq: number,
  { ends, digests }: Partial<BatchEnds> = {},
) {
  const last = payloads.length - 1;
  for (let index = Math.max(0, appliedSeq + 1 - firstSeq); index <= last; index += 1) {
    const row = {
      seq: firstSeq + index,
      timeMs: timesMs[index]!,
      kind: kinds[index]!,
      payload: payloads[index]!,
      endsBatch: ends?.[index] ?? index === last,
      digest: digests === undefined ? (index === last ? digest : null) : digests[index]!,
    };
    yield new StoredCommand(row, commandChecksum(row));
  }
}
