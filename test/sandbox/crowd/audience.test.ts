/** When the crowd has an audience. */
import t from 'tap';
import { Audience } from '../../../sandbox/crowd/fair-values.ts';

t.test('a request or an open socket counts for a minute', async (t) => {
  let [requests, sockets, nowMs] = [0, 0, 0];
  const source = { requests: () => requests, sockets: () => sockets };
  const audience = new Audience(source, () => nowMs);
  t.notOk(audience.isThere(), 'nobody yet');
  requests = 1;
  t.ok(audience.isThere(), 'a request');
  nowMs = 59_999;
  t.ok(audience.isThere(), 'nearly a minute later');
  nowMs = 60_000;
  t.notOk(audience.isThere(), 'a minute later');
  sockets = 1;
  t.ok(audience.isThere(), 'a socket');
  nowMs = 200_000;
  t.ok(audience.isThere(), 'it is still open');
  sockets = 0;
  nowMs = 259_999;
  t.ok(audience.isThere(), 'it was there less than a minute ago');
  nowMs = 260_000;
  t.notOk(audience.isThere());
});

t.test('requests before it was made do not count', async (t) => {
  let requests = 7;
  const audience = new Audience({ requests: () => requests, sockets: () => 0 }, () => 0);
  t.notOk(audience.isThere());
  requests += 1;
  t.ok(audience.isThere());
});
