// Changes of orders and balances that their owner did not request: the delay of a market, and the
// fees that builders earn.
import t from 'tap';
import { ANSWERS_AT_ONCE } from '../../../default-settings.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';
import type { Message } from '../stream-client.ts';
import { subscribeUser } from './user-fixture.ts';

const DELAY_MS = 2_000;
const UNKNOWN_ID = `0x${'00'.repeat(32)}`;
const CODE = `0x${'0b'.repeat(32)}`;

function stepsOf(messages: readonly Message[]): unknown[] {
  return messages
    .filter(({ event_type }) => event_type === 'order')
    .map(({ type, status, size_matched, reason = '' }) => [type, status, size_matched, reason]);
}

/** A market with a delay, an order of the second trader in it, and one to place that matches it. */
async function delayScene(exchange: TestExchange, changes: object) {
  const { plain, operator, trader } = exchange;
  const delay = { taker_order_delay_ms: DELAY_MS };
  await operator('POST', `/markets/${plain.conditionId}/terms`, delay);
  const [alice, bob] = [await trader(1), await trader(2)];
  const [yes, no] = plain.tokenIds;
  const made = await bob.place({ tokenId: no, priceTicks: 6000, lots: 700 });
  const place = () => alice.place({ tokenId: yes, priceTicks: 4000, lots: 700, ...changes });
  return { alice, bob, place, restingId: made.body.orderID };
}

/** Processes what is due, as each command does first. This one does nothing else. */
async function release({ clock }: TestExchange, { bob }: { readonly bob: Trader }) {
  clock.ms += DELAY_MS;
  await bob.cancel(UNKNOWN_ID);
}

const PLACED = ['PLACEMENT', 'DELAYED', '0', ''];

interface DelayCase {
  readonly name: string;
  readonly changes: object;
  /** Whether the order that it would match is canceled meanwhile. */
  readonly isGone: boolean;
  readonly told: readonly unknown[];
}

const share = await shareTestExchange(t, { profile: ANSWERS_AT_ONCE });

const DELAYS: readonly DelayCase[] = [
  { name: 'matches', changes: {}, isGone: false, told: ['UPDATE', 'MATCHED', '7', ''] },
  {
    name: 'matches in part',
    changes: { lots: 900 },
    isGone: false,
    told: ['UPDATE', 'LIVE', '7', ''],
  },
  { name: 'rests', changes: {}, isGone: true, told: ['UPDATE', 'LIVE', '0', ''] },
  {
    name: 'finds nothing',
    changes: { orderType: 'FOK', side: 'BUY' },
    isGone: true,
    told: ['CANCELLATION', 'UNMATCHED', '0', 'unmatched'],
  },
];

for (const { name, changes, isGone, told } of DELAYS) {
  t.test(`the outcome of a delayed order that then ${name} is published`, async (t) => {
    const exchange = share();
    const scene = await delayScene(exchange, changes);
    const { alice, bob, place, restingId } = scene;
    const client = await subscribeUser(exchange, alice, { initial_dump: false });
    await place();
    await client.settled();
    t.strictSame(stepsOf(client.messages.splice(0)), [PLACED]);
    if (isGone) await bob.cancel(restingId);
    await release(exchange, scene);
    await client.settled();
    t.strictSame(stepsOf(client.messages), [told]);
  });
}

t.test('a delayed order is in the snapshot, and its outcome is published', async (t) => {
  const exchange = share();
  const scene = await delayScene(exchange, { orderType: 'FOK' });
  await scene.place();
  const late = await subscribeUser(exchange, scene.alice);
  const [snapshot] = late.messages.splice(0);
  t.match(snapshot, {
    orders: [{ status: 'DELAYED', original_size: '7', order_type: 'FOK' }],
    balances: [{ asset_type: 'COLLATERAL', held: '2800000' }],
  });
  await release(exchange, scene);
  await late.settled();
  t.strictSame(stepsOf(late.messages), [['UPDATE', 'MATCHED', '7', '']]);
});

t.test("a builder gets its new balance for another owner's order", async (t) => {
  const exchange = share();
  const { plain, trader, operator } = exchange;
  const [alice, bob, carol] = [await trader(1), await trader(2), await trader(3)];
  const [yes, no] = plain.tokenIds;
  const rates = { fee_share_bps: 0, taker_rate_bps: 100, maker_rate_bps: 0 };
  const set = await operator('POST', `/builders/${CODE}`, { account: carol.address, ...rates });
  t.equal(set.status, 200, set.text);
  await carol.place({ tokenId: yes, priceTicks: 100 });
  await carol.signed('DELETE', '/cancel-all');
  const client = await subscribeUser(exchange, carol);
  await alice.place({ tokenId: no, priceTicks: 6000 });
  await bob.place({ tokenId: yes, priceTicks: 4000, changes: { builder: CODE } });
  await client.settled();
  const paid = { event_type: 'balance', asset_id: '', available: '10000040000' };
  t.match(client.messages, [{ balances: [{ available: '10000000000' }] }, paid]);
  t.equal(client.messages.length, 2);
});
