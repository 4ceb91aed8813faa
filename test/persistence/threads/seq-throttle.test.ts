// A thread gets the newest seq: at once after a quiet time, otherwise together with later ones.
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { SeqThrottle } from '../../../persistence/threads/seq-throttle.ts';

/** Longer than any test takes, so that its end is no matter of chance. */
const LONG_MS = 600_000;

function told(paceMs: number): { seqs: number[]; paced: SeqThrottle } {
  const seqs: number[] = [];
  return { seqs, paced: new SeqThrottle((seq) => seqs.push(seq), paceMs) };
}

t.test('the first is told at once, and what follows within the pace is not', async (t) => {
  const { seqs, paced } = told(LONG_MS);
  for (const seq of [1, 2, 3]) paced.advance(seq);
  t.strictSame(seqs, [1]);
  t.equal(paced.seq, 3);
  paced.stop();
});

t.test('the newest is told when the pace has passed, once', async (t) => {
  const { seqs, paced } = told(1);
  for (const seq of [1, 2, 3]) paced.advance(seq);
  while (seqs.length < 2) await sleep(1);
  t.strictSame(seqs, [1, 3]);
  await sleep(5);
  t.strictSame(seqs, [1, 3], 'nothing new, nothing told');
  paced.advance(4);
  t.strictSame(seqs, [1, 3, 4], 'after a quiet while at once');
  paced.stop();
});

t.test('who waits has the newest told at once, unless it was told already', async (t) => {
  const { seqs, paced } = told(LONG_MS);
  for (const seq of [1, 2, 3]) paced.advance(seq);
  paced.flushFor(1);
  t.strictSame(seqs, [1]);
  paced.flushFor(2);
  paced.flushFor(3);
  paced.flush();
  t.strictSame(seqs, [1, 3]);
  paced.resend();
  t.strictSame(seqs, [1, 3, 3], 'a new thread is told again');
  paced.stop();
});

t.test('after a stop nothing is told by itself', async (t) => {
  const { seqs, paced } = told(1);
  for (const seq of [1, 2]) paced.advance(seq);
  paced.stop();
  await sleep(10);
  t.strictSame(seqs, [1]);
});
