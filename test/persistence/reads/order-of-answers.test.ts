import t from 'tap';
import { temporaryFolder } from '../../temporary-folder.ts';
import {
  ALICE,
  createMarket,
  openAccount,
  openFor,
  orderIdOf,
  submitAll,
  YES,
} from '../store-fixture.ts';

t.test('a look-up waits for one search, not for all searches before it', async (t) => {
  const exchange = await openFor(t, temporaryFolder(t));
  await submitAll(exchange, [createMarket, openAccount(ALICE)]);
  const answered: string[] = [];
  const note = async (name: string, answer: Promise<unknown>): Promise<void> => {
    await answer;
    answered.push(name);
  };
  const { reader } = exchange;
  const page = { owner: ALICE, offset: 0, limit: 10 };
  const window = { tokenIds: [YES], startMs: 0, endMs: 60_000, stepMs: 60_000, limit: 10 };
  await Promise.all([
    note('search 1', reader.trades(page)),
    note('search 2', reader.priceHistories(window)),
    note('search 3', reader.trades(page)),
    note('order', reader.order(orderIdOf(1))),
    note('orders', reader.liveOrders(page)),
  ]);
  t.strictSame(answered, ['search 1', 'order', 'orders', 'search 2', 'search 3']);
});
