/**
 * Writes the whole state as a snapshot. It contains nothing that depends on the layout in memory,
 * such as handles, free places and hash slots.
 */

import type { SnapshotPart } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { HEAD, headFields, SECTIONS } from './head.ts';
import { recordParts } from './records.ts';

/** The parts of the state, which must not change until the last one is read. */
export function* writeStateSnapshot(state: EngineState): Generator<SnapshotPart> {
  for (const bytes of recordParts([headFields(state)])) yield { name: HEAD, bytes };
  for (const { name, write } of SECTIONS) {
    for (const bytes of write(state)) yield { name, bytes };
  }
}
