// A seq is sent at once after a quiet interval; otherwise only the newest one is sent at its end.
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { SeqThrottle } from '../../../persistence/threads/seq-throttle.ts';

/** Longer than any test takes, so that the interval never ends during a test. */
const LONG_MS = 600_000;

function start(intervalMs: number): { seqs: number[]; throttle: SeqThrottle } {
  const seqs: number[] = [];
  return { seqs, throttle: new SeqThrottle((seq) => seqs.push(seq), intervalMs) };
}

t.test('the first seq is sent at once, later ones within the interval are not', async (t) => {
  const { seqs, throttle } = start(LONG_MS);
  for (const seq of [1, 2, 3]) throttle.advance(seq);
  t.strictSame(seqs, [1]);
  t.equal(throttle.seq, 3);
  throttle.stop();
});

t.test('the newest seq is sent once when the interval has passed', async (t) => {
  const { seqs, throttle } = start(1);
  for (const seq of [1, 2, 3]) throttle.advance(seq);
  while (seqs.length < 2) await sleep(1);
  t.strictSame(seqs, [1, 3]);
  await sleep(5);
  t.strictSame(seqs, [1, 3], 'without a new seq nothing is sent');
  throttle.advance(4);
  t.strictSame(seqs, [1, 3, 4], 'sent at once after a quiet interval');
  throttle.stop();
});

t.test('a flush sends the newest seq at once, unless it was sent already', async (t) => {
  const { seqs, throttle } = start(LONG_MS);
  for (const seq of [1, 2, 3]) throttle.advance(seq);
  throttle.flushFor(1);
  t.strictSame(seqs, [1]);
  throttle.flushFor(2);
  throttle.flushFor(3);
  throttle.flush();
  t.strictSame(seqs, [1, 3]);
  throttle.resend();
  t.strictSame(seqs, [1, 3, 3], 'a resend sends it again');
  throttle.stop();
});

t.test('after a stop the timer sends nothing', async (t) => {
  const { seqs, throttle } = start(1);
  for (const seq of [1, 2]) throttle.advance(seq);
  throttle.stop();
  await sleep(10);
  t.strictSame(seqs, [1]);
});
