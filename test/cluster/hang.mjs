/** Loaded before a node starts: SIGUSR2 makes its main thread hang. */
import { isMainThread } from 'node:worker_threads';

const HANG_MS = 20_000;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HANG_MS);
  });
}
