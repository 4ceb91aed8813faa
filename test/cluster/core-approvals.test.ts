import t from 'tap';
import { CoreApprovals } from '../../cluster/core-questions.ts';
import { coreAndGateway } from './fake-node.ts';

const ADA = { by: 'Ada', reason: 'it happened' };
const BOB = { by: 'Bob', reason: 'I saw it, too' };
const BOTH = { permitted: ['Ada', 'Bob'] };

function start() {
  const nodes = coreAndGateway();
  const now = () => 7;
  const atCore = new CoreApprovals<{ payout: number }>({ node: nodes.core, now });
  const atGateway = new CoreApprovals<{ payout: number }>({ node: nodes.gateway, now });
  return { ...nodes, atCore, atGateway };
}

t.test('two operators may ask at different nodes', async (t) => {
  const { atCore, atGateway } = start();
  t.equal(await atGateway.ask({ payout: 1 }, ADA, BOTH), undefined);
  t.equal(await atCore.ask({ payout: 0 }, BOB, BOTH), undefined, 'another request');
  t.match(await atCore.list(), [
    { ...ADA, request: { payout: 1 }, sinceMs: 7 },
    { ...BOB, request: { payout: 0 }, sinceMs: 7 },
  ]);
  t.strictSame(await atCore.list(), await atGateway.list());
  t.strictSame(await atCore.ask({ payout: 1 }, BOB, BOTH), { ...ADA, approval: BOB });
  t.equal((await atGateway.list()).length, 1, 'an approval is good for once');
});

t.test('the node that is asked says who still has the role', async (t) => {
  const { atCore, atGateway } = start();
  await atGateway.ask({ payout: 1 }, ADA, BOTH);
  t.equal(await atCore.ask({ payout: 1 }, BOB, { permitted: ['Bob'] }), undefined);
  t.match(await atGateway.list(), [BOB]);
});

t.test('without a core nothing waits and nothing is listed', async (t) => {
  const { atGateway, gateway } = start();
  gateway.leader = undefined;
  await t.rejects(atGateway.ask({ payout: 1 }, ADA, BOTH), { code: 'no_core' });
  await t.rejects(atGateway.list(), { code: 'no_core' });
});
