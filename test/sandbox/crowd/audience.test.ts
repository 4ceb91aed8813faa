/** When the crowd has an audience, and where. */
import t from 'tap';
import { Audience } from '../../../sandbox/crowd/audience.ts';

const MARKET = '0x1';

/** An audience whose requests, sockets and clock a test sets. */
function makeAudience(requests = 0) {
  const seen = { requests, sockets: 0, reads: 0, isFollowed: false, nowMs: 0 };
  const source = {
    requests: () => seen.requests,
    sockets: () => seen.sockets,
    reads: () => seen.reads,
    isFollowed: (conditionId: string) => conditionId === MARKET && seen.isFollowed,
  };
  return { seen, audience: new Audience(source, () => seen.nowMs) };
}

t.test('a request or an open socket counts for a minute', async (t) => {
  const { seen, audience } = makeAudience();
  t.notOk(audience.isThere(), 'nobody yet');
  seen.requests = 1;
  t.ok(audience.isThere(), 'a request');
  seen.nowMs = 59_999;
  t.ok(audience.isThere(), 'nearly a minute later');
  seen.nowMs = 60_000;
  t.notOk(audience.isThere(), 'a minute later');
  seen.sockets = 1;
  t.ok(audience.isThere(), 'a socket');
  seen.nowMs = 200_000;
  t.ok(audience.isThere(), 'it is still open');
  seen.sockets = 0;
  seen.nowMs = 259_999;
  t.ok(audience.isThere(), 'it was there less than a minute ago');
  seen.nowMs = 260_000;
  t.notOk(audience.isThere());
});

t.test('requests before it was made do not count', async (t) => {
  const { seen, audience } = makeAudience(7);
  t.notOk(audience.isThere());
  seen.requests += 1;
  t.ok(audience.isThere());
});

t.test('a market is watched by those who follow it or read its book', async (t) => {
  const { seen, audience } = makeAudience();
  seen.reads = 3;
  t.notOk(audience.isAt(MARKET), 'reads before the first look do not count');
  seen.reads = 4;
  t.ok(audience.isAt(MARKET), 'a read');
  seen.nowMs = 60_000;
  t.notOk(audience.isAt(MARKET), 'a minute later');
  seen.isFollowed = true;
  t.ok(audience.isAt(MARKET), 'a socket');
  t.notOk(audience.isAt('0x2'), 'of this market alone');
  t.notOk(audience.isThere(), 'what is asked of a market says nothing of the exchange');
});
