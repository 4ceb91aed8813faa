// The answer to an accepted order, as the profile has it: held until its delay is over, or at once;
// with the hashes of its trades, or without.
import t from 'tap';
import { DelayEnds } from '../../../http/orders/order-answers.ts';
import type { VenueProfile } from '../../../http/profiles/profile-schema.ts';
import { DEFAULT_PROFILE, PROFILES } from '../../../http/profiles/profiles.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { type Answer, startTestExchange, type Trader } from '../exchange-fixture.ts';

const DELAY_MS = 250;
const HASH = /^0x[0-9a-f]{64}$/;

/** A market with a delay, where a maker sells 10 YES at 0.6. */
async function startDelayed(profile: VenueProfile) {
  const exchange = await startTestExchange(t, { profile });
  const { operator, clock, plain, running } = exchange;
  const [maker, taker] = [await exchange.trader(1), await exchange.trader(2)];
  const [tokenId] = plain.tokenIds;
  const market = plain.conditionId;
  await maker.signed('POST', '/sets/split', { market, amount: '100', key: 's' });
  await maker.place({ tokenId, side: 'SELL', priceTicks: 6000, lots: 1000 });
  await operator('POST', `/markets/${market}/terms`, { itode: true });
  const isDelayed = () =>
    running.services.exchange.read((state) => state.delayedOrders(taker.address).length > 0);
  /** Sends a buy, and lets its delay end when the engine has it. Returns the answers to both. */
  const buy = async (send: (who: Trader) => Promise<Answer>) => {
    const answer = send(taker);
    while (!(await isDelayed())) await new Promise(setImmediate);
    clock.ms += DELAY_MS;
    await operator('POST', '/deposits', {
      account: maker.address,
      amount: '1',
      key: `${clock.ms}`,
    });
    return (await answer).body;
  };
  return { ...exchange, tokenId, taker, buy };
}

for (const profile of PROFILES) {
  t.test(`the answers of ${profile.name}`, async (t) => {
    const { tokenId, taker, buy } = await startDelayed(profile);
    const isHeld = profile.heldAnswerSeconds > 0;
    const transactionsHashes = profile.answerHashes ? [HASH] : [];
    const matched = { status: 'matched', takingAmount: '5', makingAmount: '3', tradeIDs: [/./] };
    const delayed = { status: 'delayed', releaseAt: /Z$/, tradeIDs: [], transactionsHashes: [] };
    const payload = taker.order({ tokenId, priceTicks: 6000, lots: 500 });
    const first = await buy((who) => who.signed('POST', '/order', payload));
    t.match(first, isHeld ? { ...matched, transactionsHashes } : delayed);
    t.equal(first.transactionsHashes.length, isHeld ? transactionsHashes.length : 0);
    t.notOk('duplicate' in first);
    const again = (await taker.signed('POST', '/order', payload)).body;
    t.match(again, { ...matched, transactionsHashes, duplicate: true });

    const orders = [
      taker.order({ tokenId, priceTicks: 6000, lots: 500 }),
      taker.order({ tokenId, priceTicks: 6000, lots: 500, orderType: 'FAK' }),
      taker.order({ tokenId, priceTicks: 100, lots: 500 }),
    ];
    const batch = await buy((who) => who.signed('POST', '/orders', orders));
    const states = isHeld ? ['matched', 'unmatched', 'live'] : ['delayed', 'delayed', 'live'];
    t.match(
      batch,
      states.map((status) => ({ success: true, status })),
    );
  });
}

t.test(
  'the end of a delay is told to all who wait for that order, and to nobody else',
  async (t) => {
    const orders = {
      released: 'order_released',
      closed: 'order_closed',
      others: 'order_continued',
    };
    for (const [orderId, kind] of Object.entries(orders)) {
      const delayEnds = new DelayEnds();
      const told: string[] = [];
      for (const id of [orderId, orderId, 'another']) {
        delayEnds.next(id, 600_000).then(() => told.push(id));
      }
      // Safe: nothing else is read of a command.
      delayEnds.consume([{ events: [{ kind, orderId }] }] as unknown as readonly DurableCommand[]);
      await new Promise(setImmediate);
      t.strictSame(told, orderId === 'others' ? [] : [orderId, orderId], kind);
    }
  },
);

t.test('an answer is not held for longer than the profile says', async (t) => {
  const profile = { ...DEFAULT_PROFILE, name: 'short', heldAnswerSeconds: 1 };
  const { tokenId, taker } = await startDelayed(profile);
  const { body } = await taker.place({ tokenId, priceTicks: 6000, lots: 500 });
  t.match(body, { success: true, status: 'delayed', releaseAt: /Z$/ });
});
