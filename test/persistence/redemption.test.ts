import t from 'tap';
import { lots, ticks } from '../../engine/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { makeClosedFolder } from './journal/fixture.ts';
import {
  ALICE,
  BOB,
  CONDITION,
  openFor,
  replayFolder,
  submitAll,
  until,
  WORLD,
  YES,
} from './store-fixture.ts';

async function isPaid(exchange: Awaited<ReturnType<typeof openFor>>): Promise<boolean> {
  const left = await Promise.all([ALICE, BOB].map((account) => exchange.balance(account, YES)));
  return left.every(({ available, held }) => available + held === 0);
}

t.test('a quiet exchange redeems all positions by itself, and replays to the same', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await openFor(t, dataDir);
  await submitAll(first, WORLD);
  const split = { kind: 'split', conditionId: CONDITION, lots: lots(30), key: 'k1' } as const;
  await first.submit({ ...split, account: ALICE, owner: ALICE });
  await first.submit({ ...split, account: BOB, owner: BOB });
  const payoutTicks = ticks(2_500);
  const [kind, redeemAll] = ['resolve_market', true] as const;
  await first.submit({ kind, conditionId: CONDITION, payoutTicks, redeemAll });
  await until(() => isPaid(first));
  t.match(await first.balance(ALICE, ''), { available: 1_000_000_000, held: 0 });
  const hash = first.stateHash();
  await first.close();
  t.equal((await replayFolder(dataDir)).stateHash, hash);
});

t.test('redemptions that a halt delays are paid when it ends, also after a restart', async (t) => {
  const sets = { conditionId: CONDITION, lots: lots(30), key: 'k1' };
  const split = { kind: 'split', account: ALICE, owner: ALICE, ...sets } as const;
  const dataDir = makeClosedFolder(t, [
    ...WORLD,
    split,
    { kind: 'set_trading_state', conditionId: '', state: 'halted' },
    { kind: 'resolve_market', conditionId: CONDITION, payoutTicks: ticks(0), redeemAll: true },
  ]);
  const again = await openFor(t, dataDir);
  t.notOk(await isPaid(again), 'not paid during the halt');
  const known = await again.submit(split);
  t.match(known.events, [{ kind: 'known', amountMicros: -300_000, yesLots: 30, noLots: 30 }]);
  await again.submit({ kind: 'set_trading_state', conditionId: '', state: 'open' });
  await until(() => isPaid(again));
  t.match(await again.balance(ALICE, ''), { available: 1_000_000_000, held: 0 });
});
