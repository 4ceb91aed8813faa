/** What is reachable on the heap, without what a collection would free. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Frees what is not reachable. What was made in this turn stays until its end. */
export async function collectGarbage(): Promise<void> {
  await nextTurn();
  collect();
}

/** Bytes of the heap and of array buffers. Some garbage leaves only with a later collection. */
export async function reachableBytes(): Promise<number> {
  let before = Number.POSITIVE_INFINITY;
  for (;;) {
    await collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const bytes = heapUsed + arrayBuffers;
    if (bytes >= before - 10_000) return bytes;
    before = bytes;
  }
}
