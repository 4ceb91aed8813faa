// A recording is played into a market of a real exchange, whose books have the recorded levels
// after every message.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { shareTestExchange } from '../../http/exchange-fixture.ts';
import { times } from '../../long-set.ts';
import { linesOf } from './naive-reader.ts';
import { RecordedVenue, type VenueStep } from './recorded-venue.ts';
import { replayCompared } from './replay-fixture.ts';

const share = await shareTestExchange(t);

const step: fc.Arbitrary<VenueStep> = fc.record({
  kind: fc.constantFrom('place', 'place', 'cancel', 'trade', 'move', 'book', 'tick', 'best'),
  side: fc.constantFrom('bid', 'ask'),
  distance: fc.nat(30),
  size: fc.oneof(
    fc.integer({ min: 1, max: 500 }).map((tokens) => tokens * 1_000_000),
    fc.integer({ min: 1, max: 900_000_000 }),
  ),
  isNo: fc.boolean(),
  isOldShape: fc.boolean(),
  wrap: fc.constantFrom('none', 'list', 'envelope', 'raw', 'raw-list'),
  pauseMs: fc.nat(2_000),
});

/** A recording of 320 messages that RecordedVenue made with steps of a seeded generator. */
const RECORDING = new URL('recordings/day.ndjson', import.meta.url);

t.test('a recorded day is replayed level by level', async (t) => {
  const exchange = share();
  const lines = linesOf(readFileSync(RECORDING, 'utf8'));
  const { report, compared } = await replayCompared(t, exchange, lines);
  t.strictSame(report.skipped, {}, JSON.stringify(report.faults));
  t.match(report, { messages: 320, otherMarkets: 0, stopped: '' });
  t.ok(compared >= 320);
});

t.test('random recordings are replayed level by level', async (t) => {
  const exchange = share();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const venue = new RecordedVenue();
      for (const one of steps) venue.take(one);
      const { report, compared } = await replayCompared(t, exchange, venue.lines);
      t.ok(compared >= report.messages);
      t.strictSame(report.skipped, {}, JSON.stringify(report.faults));
    }),
    { numRuns: times(8, 200) },
  );
});
