// A connection: when it waits, when it gives up, and what it no longer listens to.
import t from 'tap';
import { PAGE_BOUNDS, PAGE_TIMES } from '../../../../console/browser/streams/bounds.ts';
import type { Socket } from '../../../../console/browser/streams/environment.ts';
import { Frames } from '../../../../console/browser/streams/frames.ts';
import { Link } from '../../../../console/browser/streams/link.ts';
import { COMMENT_CHANGES } from '../../../../console/browser/streams/messages.ts';
import { MessageTap } from '../../../../console/browser/streams/tap.ts';
import { STREAM_BOUNDS } from '../../../../http/streams/delivery/bounds.ts';

/** A socket that does what a test says. */
class FakeSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  readyState: Socket['readyState'] = 0;
  readonly sent: string[] = [];

  send(text: Parameters<Socket['send']>[0]): void {
    this.sent.push(String(text));
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.call(this as never, new Event('open'));
  }

  tell(data: string): void {
    this.onmessage?.call(this as never, new MessageEvent('message', { data }));
  }

  end(code: number, reason = ''): void {
    this.readyState = 3;
    // Safe: a link reads the code and the reason.
    this.onclose?.call(this as never, { code, reason } as CloseEvent);
  }
}

/** A link whose clock, sockets and randomness are the test's. */
function linkWith({ expectsMessages = true, random = 0.5 } = {}) {
  const clock = { nowMs: 0 };
  let timers: { dueMs: number; run: () => void }[] = [];
  const sockets: FakeSocket[] = [];
  const received: unknown[] = [];
  const environment = {
    nowMs: () => clock.nowMs,
    random: () => random,
    after: (delayMs: number, run: () => void) => {
      const timer = { dueMs: clock.nowMs + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    onNextFrame: (run: () => void) => run(),
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
  };
  const tap = new MessageTap(new Frames(environment), environment.nowMs);
  const link: Link = new Link(
    {
      path: '/ws/test',
      opened: () => link.send({ hello: 1 }),
      received: (message) => {
        if (message.type === 'wrong') throw new Error('it is wrong');
        received.push(message);
      },
      ended: () => {},
      expectsMessages: () => expectsMessages,
      isRefusal: (code) => code === 1008,
    },
    environment,
    tap,
  );
  const advance = (ms: number) => {
    const endMs = clock.nowMs + ms;
    for (;;) {
      const [due] = timers.toSorted((one, other) => one.dueMs - other.dueMs);
      if (due === undefined || due.dueMs > endMs) break;
      timers = timers.filter((timer) => timer !== due);
      clock.nowMs = due.dueMs;
      due.run();
    }
    clock.nowMs = endMs;
  };
  const newest = () => sockets.at(-1) as FakeSocket;
  const timerCount = () => timers.length;
  return { link, tap, sockets, received, advance, newest, clock, timerCount };
}

t.test('a link is live when it hears something, and idle when it is stopped', async (t) => {
  const { link, sockets, newest, received, timerCount } = linkWith();
  t.equal(link.state.value.kind, 'idle');
  link.start();
  link.start();
  t.equal(sockets.length, 1);
  t.equal(link.state.value.kind, 'connecting');
  newest().open();
  t.strictSame(newest().sent, ['{"hello":1}', 'PING']);
  newest().tell('PONG');
  t.equal(link.state.value.kind, 'connecting', 'a muted socket answers pings too');
  newest().tell('{"a":1}');
  t.equal(link.state.value.kind, 'live');
  t.strictSame(received, [{ a: 1 }]);
  link.stop();
  t.equal(link.state.value.kind, 'idle');
  t.equal(timerCount(), 0);
  newest().tell('{"a":2}');
  newest().end(1000);
  t.equal(received.length, 1, 'an earlier socket is not listened to');
  t.equal(link.state.value.kind, 'idle');
});

t.test('where the exchange sends no heartbeats, a PONG shows that the link is alive', async (t) => {
  const { link, newest, advance, sockets } = linkWith({ expectsMessages: false });
  link.start();
  newest().open();
  newest().tell('PONG');
  t.equal(link.state.value.kind, 'live');
  advance(PAGE_TIMES.pingMs);
  t.equal(newest().sent.filter((text) => text === 'PING').length, 2);
  newest().tell('PONG');
  advance(PAGE_TIMES.silenceMs - 1);
  t.equal(sockets.length, 1);
  advance(PAGE_TIMES.watchMs);
  t.equal(sockets.length, 2);
});

t.test(
  'waits grow to their longest, with a random part, and shrink after a steady time',
  async (t) => {
    for (const [random, waits] of [
      [0, [250, 500, 1000, 2000, 4000, 5000, 5000]],
      [0.5, [375, 750, 1500, 3000, 6000, 7500, 7500]],
    ] as const) {
      const { link, newest, advance, clock } = linkWith({ random });
      link.start();
      const since: number[] = [];
      const seen = waits.map(() => {
        newest().end(1006);
        const state = link.state.value;
        if (state.kind !== 'disconnected') throw new Error(state.kind);
        since.push(state.sinceMs);
        const waitMs = state.retryAtMs - clock.nowMs;
        advance(waitMs);
        return waitMs;
      });
      t.strictSame(seen, waits);
      t.equal(new Set(since).size, 1, 'disconnected since the first time');
      newest().open();
      for (let heard = 0; heard < 3; heard += 1) {
        advance(PAGE_TIMES.steadyMs / 2);
        newest().tell('{}');
      }
      newest().end(1006);
      t.match(link.state.value, { sinceMs: clock.nowMs, retryAtMs: clock.nowMs + waits[0] });
    }
  },
);

t.test('a link that is refused makes no further attempt until it is started', async (t) => {
  const { link, newest, advance, sockets } = linkWith();
  link.start();
  newest().open();
  newest().end(1008, 'no');
  t.match(link.state.value, { kind: 'refused', reason: 'no' });
  advance(600_000);
  link.retryNow();
  t.equal(sockets.length, 1);
  link.start();
  t.equal(sockets.length, 2);
});

t.test('a wait can be ended', async (t) => {
  const { link, newest, sockets, timerCount } = linkWith();
  link.start();
  newest().end(1006);
  t.equal(sockets.length, 1);
  link.retryNow();
  link.retryNow();
  t.equal(sockets.length, 2);
  t.equal(timerCount(), 1);
});

t.test('a message that is not understood ends the connection, and the tap says why', async (t) => {
  for (const [text, why] of [
    ['{"type":"wrong"}', 'The message was not understood: it is wrong'],
    ['}', /^The message was not understood: .*JSON/],
  ] as const) {
    const { link, newest, tap, sockets, advance } = linkWith();
    link.start();
    newest().open();
    newest().tell(text);
    t.match(link.state.value, { kind: 'disconnected', reason: why });
    t.match(tap.messages().at(-1), { direction: 'event', text: why });
    t.equal(sockets[0]?.readyState, 3);
    advance(1_000);
    t.equal(sockets.length, 2);
  }
});

t.test('the bounds and times of a page fit those of the exchange', async (t) => {
  t.ok(PAGE_BOUNDS.markets <= STREAM_BOUNDS.subscriptionsPerSocket);
  const live = PAGE_BOUNDS.liveSubscriptions * COMMENT_CHANGES.length;
  t.ok(live <= STREAM_BOUNDS.subscriptionsPerSocket);
  t.ok(PAGE_TIMES.silenceMs > STREAM_BOUNDS.heartbeatMs + PAGE_TIMES.watchMs);
  t.ok(PAGE_TIMES.pingMs < STREAM_BOUNDS.idleSeconds * 1000);
  // A resume names each market by its token and by its condition id with a sequence.
  const longest = '"'.length * 2 + 78 + ','.length + 68 + ':9007199254740991,'.length;
  t.ok(PAGE_BOUNDS.marketsPerMessage * longest + 1_000 < STREAM_BOUNDS.messageBytes);
});
