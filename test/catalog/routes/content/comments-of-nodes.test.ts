// Comments that were written at one gateway are published at another one.

import t from 'tap';
import { builtinEvents } from '../../../../catalog/builtin/index.ts';
import { TEST_SETTINGS } from '../../../default-settings.ts';
import { makeNodes } from '../../../http/gateway-fixture.ts';
import { StreamClient } from '../../../http/streams/stream-client.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

t.test('a subscriber of any gateway gets the comments of all', async (t) => {
  const folder = temporaryFolder(t);
  const onFatal = (error: Error): never => {
    throw error;
  };
  const settings = { ...TEST_SETTINGS, port: 0, adminPort: 0, logLevel: 'silent' as const };
  const nodes = makeNodes(settings, { catalog: builtinEvents(), onFatal });
  const start = async (role: 'core' | 'gateway', node: string) => {
    const running = await nodes.start(role, node, { dataDir: `${folder}/${node}` });
    t.teardown(() => running.close());
    return running;
  };
  await start('core', 'core');
  const [one, other] = [await start('gateway', 'one'), await start('gateway', 'other')];
  const client = await StreamClient.open(other.url, '/ws/live');
  t.teardown(() => client.close());
  const topics = ['comment_created', 'reaction_created', 'comment_removed'].map((type) => ({
    ...{ topic: 'comments', type },
  }));
  client.send({ action: 'subscribe', subscriptions: topics });
  await client.settled();

  const { write } = one.services.exchange.catalog;
  const [event] = builtinEvents();
  const userAddress = `0x${'1'.repeat(40)}`;
  const nowIso = '2026-03-01T00:00:00Z';
  const said = { by: 'ann', reason: 'a test' };
  const { commentId: id } = await write.comment({
    ...{ parent: { type: 'Event', id: Number(event?.id) }, userAddress, nowIso },
    ...{ body: 'said at the first gateway', key: '', sinceIso: '2026-02-01T00:00:00Z' },
  });
  await write.react({ id, userAddress, reactionType: 'HEART', nowIso });
  await write.reportComment({ id, userAddress, reason: 'is no message', nowIso });
  await write.moderateComment({ id, act: 'hide', nowIso, said });
  const told = await client.take(3);
  t.match(told, [
    { type: 'comment_created', payload: { body: 'said at the first gateway' } },
    { type: 'reaction_created', payload: { reactionType: 'HEART' } },
    { type: 'comment_removed', payload: { body: 'said at the first gateway' } },
  ]);
});
