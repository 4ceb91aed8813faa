// The time of commands after the sandbox moved it.
import t from 'tap';
import { START_MS } from '../exchange-fixture.ts';
import { makeClock } from './make-clock.ts';

const HOUR = 3_600_000;

t.test('a wanted move is no jump, before and after one', async (t) => {
  const { clock, submitted, sides, watch, pass } = makeClock();
  watch(t);
  clock.setOffset(30 * HOUR);
  t.equal(pass(1_000), START_MS + 1_000 + 30 * HOUR);
  t.strictSame([clock.shownMs(), clock.offsetMs], [clock.now(), 30 * HOUR]);
  t.strictSame([clock.jumps, clock.leadMs, clock.isTrusted], [0, 0, true]);
  // The jump and the move between two readings: the jump alone is noticed.
  sides.wallMs += HOUR;
  clock.setOffset(31 * HOUR);
  await Promise.resolve();
  t.strictSame([clock.jumpMs, submitted.length], [HOUR, 1]);
  t.equal(clock.now(), START_MS + 1_000 + 31 * HOUR, 'it is moved all the same');
  t.equal(clock.shownMs(), sides.wallMs + 31 * HOUR);
  clock.trust();
  t.strictSame([clock.now(), clock.isTrusted], [sides.wallMs + 31 * HOUR, true]);
});

t.test('a journal that leads by a wrong clock leads as far after a move', async (t) => {
  const { clock, exchange, submitted, watch, pass } = makeClock();
  exchange.appliedMs = START_MS + HOUR;
  watch(t);
  clock.setOffset(5 * HOUR);
  t.equal(pass(1_000), START_MS + 6 * HOUR + 1_000);
  t.strictSame([clock.leadMs, submitted.length], [HOUR, 1]);
});

t.test('a start with the offset of the folder is neither ahead nor paused', async (t) => {
  const { clock, exchange, submitted, told, watch } = makeClock();
  exchange.appliedMs = START_MS + 30 * HOUR;
  clock.setOffset(30 * HOUR);
  watch(t);
  t.strictSame([clock.leadMs, submitted.length, told.length], [0, 0, 0]);
});
