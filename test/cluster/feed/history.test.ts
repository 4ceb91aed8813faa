import { randomBytes } from 'node:crypto';
import t from 'tap';
import { FEED_BOUNDS } from '../../../cluster/feed/frames.ts';
import { decodeHistory, encodeHistory } from '../../../cluster/feed/history.ts';

// A replica could never get a part that was too long for an entry.
t.test('the longest part of the journal can be sent, also if it can not be compressed', (t) => {
  const { historyCommands: count, historyBytes } = FEED_BOUNDS;
  const each = Array.from({ length: count }, (_, index) => index);
  const part = {
    firstSeq: 7,
    timesMs: each.map((index) => 1_700_000_000_000 + index * 977),
    kinds: each.map(() => 'place_order'),
    payloads: each.map(() => new Uint8Array(randomBytes(historyBytes / count))),
    rules: 9,
    ends: each.map((index) => index % 3 === 0),
    digests: each.map((index) => (index % 3 === 0 ? 2 ** 32 - index - 1 : null)),
    digest: null,
  };
  t.match(decodeHistory(encodeHistory(part)), part);
  t.end();
});
