/**
 * Writes a whole state as an image. Nothing of how it lies in memory shows: not handles, nor which
 * places are free, nor what anything is found by.
 */

import type { SnapshotPart } from '../model/index.ts';
import type { Core } from '../state/index.ts';
import { HEAD, headFields, SECTIONS } from './head.ts';
import { recordParts } from './records.ts';

/** Part by part, while nothing is applied. */
export function* writeImage(core: Core): Generator<SnapshotPart> {
  for (const bytes of recordParts([headFields(core)])) yield { name: HEAD, bytes };
  for (const { name, write } of SECTIONS) {
    for (const bytes of write(core)) yield { name, bytes };
  }
}
