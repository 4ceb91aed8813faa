import { type Static, Type } from 'typebox';
import type { SnapshotFile } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const Snapshot = Type.Object({
  seq: Type.Integer({ description: 'The last command that it shows' }),
  made_at: Text("The wall clock's time when it was finished, ISO 8601"),
  bytes: Type.Integer(),
});

function snapshotOf({ seq, madeMs, bytes }: SnapshotFile): Static<typeof Snapshot> {
  return { seq, made_at: isoTime(madeMs), bytes };
}

/** GET /snapshots: what the next start can begin with; it replays the commands after the newest. */
export const getSnapshots = defineRoute({
  method: 'GET',
  path: '/snapshots',
  summary: 'The snapshots of the whole state, the newest first',
  auth: 'operator',
  response: Type.Object({
    every_seconds: Type.Integer({
      description: 'How often one is made; 0: only when the exchange stops',
    }),
    durable_seq: Type.Integer({ description: 'The last command that is on the disk' }),
    data: Type.Array(Snapshot),
  }),
  needs: ['exchange', 'settings'],
  handler: ({ services: { exchange, settings } }) => {
    if (settings.temporary) throw new ApiError('nothing_kept', { field: 'snapshots' });
    return {
      every_seconds: settings.snapshotMs / 1_000,
      durable_seq: exchange.durableSeq,
      data: exchange.snapshots().map(snapshotOf),
    };
  },
});

/**
 * POST /snapshots: makes a snapshot of everything before the request, in the thread that replays
 * the journal, so trading does not wait for it. Soon after a start that thread has to catch up.
 */
export const postSnapshot = defineRoute({
  method: 'POST',
  path: '/snapshots',
  summary: 'Make a snapshot of the whole state',
  auth: 'operator',
  response: Snapshot,
  needs: ['exchange', 'log'],
  handler: async ({ caller, services: { exchange, log } }) => {
    const made = snapshotOf(await exchange.makeSnapshot());
    log.info({ by: caller.name, seq: made.seq }, 'an operator asked for a snapshot');
    return made;
  },
});
