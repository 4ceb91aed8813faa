// A listener whose services are replaced while it listens.
import t from 'tap';
import { NO_BODY, type RouteDefinition } from '../../../http/api/route.ts';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { createLog } from '../../../http/runtime/log.ts';
import { Server } from '../../../http/server/server.ts';
import { bareParts, bareRoute } from '../bare-server.ts';
import { sendTo } from '../exchange-fixture.ts';

/** Requests that their handlers hold until the test answers them. */
const held = new Map<string, (text: string) => void>();

function heldRoute(
  path: string,
  more: Pick<RouteDefinition, 'outlivesServices'> = {},
): RouteDefinition<never> {
  return {
    ...bareRoute,
    method: 'GET',
    path,
    body: NO_BODY,
    ...more,
    handler: () =>
      new Promise((resolve) => {
        held.set(path, (text) => resolve({ text }));
      }),
  };
}

const server = new Server({
  routes: [heldRoute('/slow'), heldRoute('/restore', { outlivesServices: true })],
  cors: false,
  log: createLog('silent'),
});
const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
server.open(bareParts);
t.teardown(() => server.close());

async function ask(path: string) {
  const answer = sendTo(url, 'GET', path).then(({ status, text }) => ({ status, text }));
  while (!held.has(path)) await new Promise((resolve) => setImmediate(resolve));
  return { answer, settle: held.get(path) ?? t.fail };
}

const NOT_READY = { status: 425, body: { code: 'service_not_ready' } };

t.test(
  'a request in flight is answered, new ones are refused until it is open again',
  async (t) => {
    held.clear();
    const slow = await ask('/slow');
    const suspended = server.suspend(0);
    t.match(await sendTo(url, 'GET', '/slow'), NOT_READY);
    slow.settle('in time');
    await suspended;
    t.strictSame(await slow.answer, { status: 200, text: '{"text":"in time"}' });
    t.match(await sendTo(url, 'GET', '/slow'), NOT_READY);
    server.open(bareParts);
    held.clear();
    const next = await ask('/slow');
    next.settle('again');
    t.match(await next.answer, { status: 200 });
  },
);

t.test('after the grace only routes that outlive their services are answered', async (t) => {
  held.clear();
  const [slow, restore] = [await ask('/slow'), await ask('/restore')];
  const wait = globalThis.setTimeout;
  const graces: unknown[] = [];
  t.capture(globalThis, 'setTimeout', (task: () => void, ms?: number) => {
    if (ms === HTTP_BOUNDS.suspendGraceMs) graces.push(ms);
    return wait(task, ms === HTTP_BOUNDS.suspendGraceMs ? 0 : ms);
  });
  await server.suspend(1);
  t.strictSame(graces, [HTTP_BOUNDS.suspendGraceMs]);
  server.open(bareParts);
  slow.settle('too late');
  restore.settle('done');
  t.match(await slow.answer, { status: 425 });
  t.strictSame(await restore.answer, { status: 200, text: '{"text":"done"}' });
});
