/** What the client of live data gets here, for each row of its README's table. */
import { Side } from '@polymarket/clob-client-v2';
import type { Test } from 'tap';
import { place } from '../stage.ts';
import type { Check } from './checks.ts';
import { type RealTimeScene, subscriptionsOf, TOPICS } from './real-time-scene.ts';

type Run = Check<RealTimeScene>['run'];

/** Bob buys 5 of Alice's offer until the client hears of it: it may not be subscribed yet. */
async function hearsTrade(t: Test, scene: RealTimeScene, type: string): Promise<void> {
  const { stage, messages, next } = scene;
  const seen = messages.length;
  const { bob, yes } = stage;
  while (messages.length === seen) {
    await place(stage.clientOf(bob), yes, { side: Side.BUY, price: 0.55, size: 5 });
    // The socket is read while this request is answered.
    await stage.clientOf(bob).getOk();
  }
  const { timestamp, connection_id, payload } = await next('activity', type, seen);
  t.ok(Math.abs(timestamp - Date.now()) < 60_000, 'milliseconds');
  t.ok(connection_id);
  t.match(payload, {
    ...{ asset: yes, conditionId: stage.conditionId, eventSlug: scene.eventSlug },
    ...{ side: 'BUY', price: 0.55, size: 5, outcome: 'Yes', outcomeIndex: 0 },
    ...{ proxyWallet: bob.address, transactionHash: /^0x[0-9a-f]{64}$/, timestamp: Number },
  });
}

/** Sends a request of the speaker, which must succeed. */
async function send(
  { speaker }: RealTimeScene,
  ...request: readonly [method: string, path: string, body?: object]
): Promise<void> {
  const { status, text } = await speaker.signed(...request);
  if (status !== 200) throw new Error(`${request.join(' ')}: ${text}`);
}

/** Sends a request of the speaker, and returns what the client heard of it. */
async function hears(
  scene: RealTimeScene,
  type: string,
  request: readonly [method: string, path: string, body?: object],
): Promise<object> {
  const seen = scene.messages.length;
  await send(scene, ...request);
  return (await scene.next('comments', type, seen)).payload;
}

/** Posts a comment, and returns its message and its id. */
async function comments(scene: RealTimeScene) {
  const payload = await hears(scene, 'comment_created', [
    'POST',
    '/comments',
    {
      body: `Rain ${scene.messages.length}.`,
      parent_entity_type: 'Event',
      parent_entity_id: scene.eventId,
    },
  ]);
  return { payload, id: 'id' in payload ? `${payload.id}` : '' };
}

async function reacts(scene: RealTimeScene) {
  const { id } = await comments(scene);
  const path = `/comments/${id}/reactions`;
  const body = { reaction_type: 'HEART', icon: 'heart' };
  return { id, path, payload: await hears(scene, 'reaction_created', ['POST', path, body]) };
}

const SERVED: Readonly<Record<string, Run>> = {
  'activity trades': (t, scene) => hearsTrade(t, scene, 'trades'),
  'activity orders_matched': (t, scene) => hearsTrade(t, scene, 'orders_matched'),
  'comments comment_created': async (t, scene) => {
    const { payload } = await comments(scene);
    t.match(payload, { id: /\d/, body: /^Rain/, parentEntityType: 'Event', createdAt: /Z$/ });
  },
  'comments comment_removed': async (t, scene) => {
    const { id } = await comments(scene);
    const payload = await hears(scene, 'comment_removed', ['DELETE', `/comments/${id}`]);
    t.match(payload, { id, body: /^Rain/ });
  },
  'comments reaction_created': async (t, scene) => {
    const { payload } = await reacts(scene);
    t.match(payload, { id: /\d/, reactionType: 'HEART', icon: 'heart', createdAt: /Z$/ });
  },
  'comments reaction_removed': async (t, scene) => {
    const { path } = await reacts(scene);
    const request = ['DELETE', `${path}?reaction_type=HEART`] as const;
    t.match(await hears(scene, 'reaction_removed', request), { reactionType: 'HEART' });
  },
};

/** Why nothing comes of a topic. It is accepted, so the other topics of the message come. */
const SILENT: Readonly<Record<string, string>> = {
  rfq: 'nothing is sent: requests for quotes are not served',
  crypto_prices: 'nothing is sent: the exchange follows no other venue',
  clob_user: 'nothing is sent: `/ws/user` has them',
  clob_market: 'nothing is sent: `/ws/market` has them',
};

function checkOf(name: string): Check<RealTimeScene> {
  const run = SERVED[name];
  if (run !== undefined) return { name, can: true, note: '', run };
  const [topic = ''] = name.split(' ');
  return {
    name,
    can: false,
    note: SILENT[topic] ?? '',
    // The checks before have traded on the order book, and their messages came.
    run: async (t, { messages }) => {
      t.ok(messages.length > 0);
      t.notOk(messages.some((message) => message.topic === topic));
    },
  };
}

const unsubscribe: Check<RealTimeScene> = {
  name: 'unsubscribe',
  can: true,
  note: 'with the filters of the subscription',
  run: async (t, scene) => {
    const type = 'reaction_created';
    const subscription = subscriptionsOf(scene).find((one) => one.type === type);
    t.match(subscription, { filters: /parentEntityID/ });
    scene.client.unsubscribe({ subscriptions: subscription === undefined ? [] : [subscription] });
    const seen = scene.messages.length;
    const { path } = await reactsUnheard(scene);
    await hears(scene, 'reaction_removed', ['DELETE', `${path}?reaction_type=HEART`]);
    const types = scene.messages.slice(seen).map(({ type }) => type);
    t.strictSame(types, ['comment_created', 'reaction_removed']);
  },
};

async function reactsUnheard(scene: RealTimeScene) {
  const { id } = await comments(scene);
  const path = `/comments/${id}/reactions`;
  await send(scene, 'POST', path, { reaction_type: 'HEART', icon: 'heart' });
  return { path };
}

export const REAL_TIME_CHECKS = [...TOPICS.map(checkOf), unsubscribe];
