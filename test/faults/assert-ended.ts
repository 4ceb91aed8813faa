/** Assertions that an exchange with a fault stops, or that it trades on. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeChild } from './exchange-child.ts';

const LOAD_MS = 2_500;
/** How long an exchange may take to stop, or to log what failed. */
const PATIENCE_MS = 30_000;
const FATAL_LINE = 'the exchange stops because of a failure that it cannot repair';

/** Asserts that it stops by itself, with exit code 1 and a line that says why. */
export async function assertStopped(child: ExchangeChild): Promise<void> {
  await Promise.race([child.ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
  const { isRunning } = child;
  if (isRunning) await child.kill();
  assert.ok(!isRunning, `it does not stop:\n${child.log}`);
  assert.deepEqual(await child.ended, { code: 1, signal: null }, child.log);
  assert.ok(child.log.includes(FATAL_LINE), `it says why: ${child.log}`);
}

/** Asserts that it runs under load and until its log matches `says`; then kills it. */
export async function assertTradesOn(child: ExchangeChild, says = /^/): Promise<void> {
  await Promise.race([child.ended, sleep(LOAD_MS)]);
  const lastMs = performance.now() + PATIENCE_MS;
  while (child.isRunning && !says.test(child.log) && performance.now() < lastMs) await sleep(20);
  assert.ok(child.isRunning, `it trades on:\n${child.log}`);
  assert.match(child.log, says, 'it says what failed');
  await child.kill();
}
