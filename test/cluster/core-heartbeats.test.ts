import t from 'tap';
import { CoreHeartbeats } from '../../cluster/core-questions.ts';
import type { Caller } from '../../http/api/request.ts';
import { ApiError } from '../../http/errors/errors.ts';
import { Heartbeats } from '../../http/orders/heartbeats.ts';
import { coreAndGateway, type FakeNode } from './fake-node.ts';

const WINDOW_MS = 15_000;

function callerOf(owner: string): Caller {
  return {
    owner,
    apiKey: `key of ${owner}`,
    purpose: 'trading',
    nonce: '',
    hmac: new Uint8Array(),
  };
}

/** The switches of a node, with a clock and an intake that notes what it is asked. */
function switchesOf(node: FakeNode, armed: readonly (readonly [string, string])[] = []) {
  const clock = { ms: 0, due: undefined as (() => void) | undefined };
  const armedBy: string[] = [];
  const tripped: string[] = [];
  let begun = 0;
  const heartbeats = new CoreHeartbeats({
    node,
    begin: () => {
      begun += 1;
      const own = new Heartbeats({
        windowMs: WINDOW_MS,
        log: { info: () => {}, warn: () => {} },
        intake: {
          armSwitch: async ({ owner, apiKey }, id) => {
            if (owner === 'banned') throw new ApiError('api_key_revoked', { actual: apiKey });
            armedBy.push(`${owner} ${apiKey} ${id}`);
          },
          tripSwitch: async (owner) => {
            tripped.push(owner);
            return 0;
          },
        },
        clock: {
          now: () => clock.ms,
          after: (_, act) => {
            clock.due = act;
            return () => {
              clock.due = undefined;
            };
          },
        },
      });
      own.restore(armed.map(([owner, heartbeatId]) => ({ owner, heartbeatId })));
      return own;
    },
  });
  const pass = (ms: number): void => {
    clock.ms += ms;
    clock.due?.();
  };
  return { heartbeats, armedBy, tripped, pass, begun: () => begun };
}

t.test('a gateway passes heartbeats on, and the core alone counts and trips', async (t) => {
  const { core, gateway } = coreAndGateway();
  const atCore = switchesOf(core);
  const atGateway = switchesOf(gateway);
  atCore.heartbeats.lead();
  const id = await atGateway.heartbeats.beat(callerOf('alice'), '');
  t.strictSame(atCore.armedBy, [`alice key of alice ${id}`]);
  atCore.pass(WINDOW_MS - 1);
  t.equal(await atGateway.heartbeats.beat(callerOf('alice'), id), id);
  atCore.pass(WINDOW_MS - 1);
  t.strictSame(atCore.tripped, [], 'the beat moved the deadline');
  atCore.pass(1);
  t.strictSame(atCore.tripped, ['alice']);
  t.equal(atGateway.begun(), 0, 'a gateway has no switches');
});

t.test('a refusal of the core reaches the client of the gateway', async (t) => {
  const { core, gateway } = coreAndGateway();
  switchesOf(core).heartbeats.lead();
  const { heartbeats } = switchesOf(gateway);
  const id = await heartbeats.beat(callerOf('alice'), '');
  await t.rejects(heartbeats.beat(callerOf('alice'), 'other'), {
    code: 'invalid_heartbeat_id',
    details: { field: 'heartbeat_id', actual: 'other', heartbeat_id: id },
  });
  await t.rejects(heartbeats.beat(callerOf('banned'), ''), { code: 'api_key_revoked' });
  gateway.leader = undefined;
  await t.rejects(heartbeats.beat(callerOf('alice'), id), { code: 'no_core' });
});

t.test('a node that becomes the core gives each armed switch a new window', async (t) => {
  const { core, gateway } = coreAndGateway();
  const { heartbeats, tripped, pass } = switchesOf(gateway, [['alice', 'a-1']]);
  pass(WINDOW_MS * 2);
  t.strictSame(tripped, []);
  core.leader = gateway;
  gateway.leader = gateway;
  heartbeats.lead();
  pass(WINDOW_MS - 1);
  t.strictSame(tripped, []);
  t.equal(await heartbeats.beat(callerOf('alice'), 'a-1'), 'a-1', 'it is armed with its old id');
  pass(WINDOW_MS);
  t.strictSame(tripped, ['alice']);
});

t.test('nothing trips after the stop, also if the node leads only then', async (t) => {
  const { core } = coreAndGateway();
  const { heartbeats, tripped, pass } = switchesOf(core, [['alice', 'a-1']]);
  heartbeats.stop();
  heartbeats.lead();
  pass(WINDOW_MS * 2);
  t.strictSame(tripped, []);
});
