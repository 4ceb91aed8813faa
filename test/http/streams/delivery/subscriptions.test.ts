// How many subscriptions a socket, an address and all sockets keep, in number and in bytes.
import t from 'tap';
import { reachableBytes } from '../../../heap.ts';
import { CONDITION, createMarket, NO_TOKEN, YES_TOKEN } from '../../durable-commands.ts';
import { type Message, StreamClient } from '../stream-client.ts';
import { startStreams } from '../stream-fixture.ts';

t.test(
  'subscriptions of a socket are bounded, and a message beyond the bound does nothing',
  async (t) => {
    const bench = await startStreams(t, { subscriptionsPerSocket: 3 });
    const other = `0x${'ef'.repeat(32)}`;
    bench.create({ ...createMarket(), conditionId: other, tokenIds: ['7001', '7002'] });
    const client = await bench.subscribed({ assets_ids: [YES_TOKEN], initial_dump: false });
    client.send({ markets: [CONDITION, other] });
    t.match(await client.take(1), [{ code: 'too_many_subscriptions', limit: 3, actual: 4 }]);
    client.send({ assets_ids: [NO_TOKEN, YES_TOKEN, '7001'] });
    await client.take(3);
    client.send({ assets_ids: ['7002'] });
    t.match(await client.take(1), [{ code: 'too_many_subscriptions', limit: 3, actual: 4 }]);
    client.send({ operation: 'unsubscribe', assets_ids: [YES_TOKEN] });
    client.send({ assets_ids: ['7002'] });
    t.match(await client.take(1), [{ event_type: 'book', asset_id: '7002' }]);
  },
);

/** Subscribes to or unsubscribes from a thing of a channel by its number. */
const ON_CHANNELS = {
  '/ws/market': (operation: string, number: number) => ({
    operation,
    assets_ids: [[YES_TOKEN, NO_TOKEN, '7001'][number]],
    initial_dump: false,
  }),
  '/ws/live': (action: string, number: number) => ({
    action,
    subscriptions: [{ topic: 'activity', type: 'trades', filters: { event_slug: `e${number}` } }],
  }),
};

for (const [path, message] of Object.entries(ON_CHANNELS)) {
  for (const [bound, scope, isOfOne] of [
    ['subscriptionBytesPerSocket', 'socket', true],
    ['subscriptionBytesPerAddress', 'address', false],
    ['subscriptionBytes', 'all sockets', false],
  ] as const) {
    // 2,000 sockets with 2,000 subscriptions to long slugs kept 7.7 GB.
    t.test(`bytes of subscriptions are bounded: ${path}, ${scope}`, async (t) => {
      const limit = 1_800;
      const bench = await startStreams(t, { [bound]: limit });
      bench.create({ conditionId: `0x${'ef'.repeat(32)}`, tokenIds: ['7001', '7002'] });
      const first = await StreamClient.open(bench.url, path);
      const second = isOfOne ? first : await StreamClient.open(bench.url, path);
      for (const number of [0, 1, 1]) first.send(message('subscribe', number));
      await first.settled();
      const answersTo = async (number: number): Promise<readonly Message[]> => {
        second.send(message('subscribe', number));
        await second.settled();
        return second.messages.splice(0);
      };
      const [refusal] = await answersTo(2);
      t.match(refusal, { type: 'error', code: 'subscriptions_too_large', scope, limit });
      t.ok(Number(refusal?.actual) > limit);
      first.send(message('unsubscribe', 0));
      await first.settled();
      t.strictSame(await answersTo(2), [], 'what is dropped is free again');
      t.equal((await answersTo(0)).length, 1);
      if (isOfOne) return;
      first.close();
      await first.closed;
      t.strictSame(await answersTo(0), [], 'and so is what a closed socket kept');
    });
  }
}

/** The largest subscriptions of a channel, by number. */
const LARGEST = {
  '/ws/market': (numbers: readonly number[]) => ({
    assets_ids: numbers.map((number) => tokenOf(number)),
    initial_dump: false,
    custom_feature_enabled: true,
  }),
  '/ws/live': (numbers: readonly number[]) => ({
    action: 'subscribe',
    subscriptions: numbers.map((number) => {
      const [event_slug, market_slug] = [slugOf(number), slugOf(number)];
      return { topic: 'activity', type: 'trades', filters: { event_slug, market_slug } };
    }),
  }),
};

function tokenOf(number: number): string {
  return String(1_000 + number).padStart(77, '1');
}
function slugOf(number: number): string {
  return String(number).padStart(256, 'x');
}

for (const [path, messageOf] of Object.entries(LARGEST)) {
  t.test(`subscriptions keep no more on the heap than is counted: ${path}`, async (t) => {
    const count = 300;
    const limit = 1_000;
    const numbers = Array.from({ length: count }, (_, number) => number);
    const open = async (bounds: object) => {
      const bench = await startStreams(t, bounds);
      for (let number = 0; number < count; number += 2) {
        const conditionId = `0x${String(number).padStart(64, 'c')}`;
        bench.create({ conditionId, tokenIds: [tokenOf(number), tokenOf(number + 1)] });
      }
      return StreamClient.open(bench.url, path);
    };
    const refused = await open({ subscriptionBytesPerSocket: limit });
    refused.send(messageOf(numbers));
    await refused.settled();
    const [{ code, actual } = {}] = refused.messages;
    t.equal(code, 'subscriptions_too_large');
    const counted = Number(actual);
    const accepted = await open({});
    const before = await reachableBytes();
    accepted.send(messageOf(numbers));
    await accepted.settled();
    t.strictSame(accepted.messages.splice(0), []);
    const kept = (await reachableBytes()) - before;
    t.ok(kept <= counted, `${Math.round(kept / count)} of ${counted / count} bytes each`);
  });
}
