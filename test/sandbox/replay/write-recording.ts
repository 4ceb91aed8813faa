// Writes recordings/day.ndjson: `node test/sandbox/replay/write-recording.ts`.
import { writeFileSync } from 'node:fs';
import { Random } from '../../../http/codec/random.ts';
import { RecordedVenue } from './recorded-venue.ts';

const LINES = 320;
const random = new Random(20_250_915);
const venue = new RecordedVenue();
while (venue.lines.length < LINES) {
  venue.take({
    kind: random.pick([
      'place',
      'place',
      'place',
      'cancel',
      'cancel',
      'trade',
      'move',
      'book',
      'tick',
    ]),
    side: random.pick(['bid', 'ask']),
    distance: random.below(30),
    size: random.chance(80) ? random.between(1, 500) * 1_000_000 : random.between(1, 900_000_000),
    isNo: random.chance(30),
    isOldShape: false,
    wrap: 'envelope',
    pauseMs: random.below(2_000),
  });
}
const texts = venue.lines.slice(0, LINES).map(({ text }) => `${text}\n`);
writeFileSync(new URL('recordings/day.ndjson', import.meta.url), texts.join(''));
