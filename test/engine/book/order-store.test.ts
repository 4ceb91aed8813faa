import t from 'tap';
import { ID_WORDS } from '../../../engine/book/order-id.ts';
import { OrderStore } from '../../../engine/book/order-store.ts';

t.test('reuses the handle that was freed last, and grows when none is free', (t) => {
  const orders = new OrderStore(1);
  const id = new Int32Array(ID_WORDS);
  const allocate = (count: number): number[] =>
    Array.from({ length: count }, () => orders.allocate(id, 0));
  t.strictSame(allocate(3), [0, 1, 2]);
  for (const handle of [1, 0, 2]) orders.free(handle);
  t.strictSame(allocate(2), [2, 0]);
  orders.free(2);
  t.strictSame(allocate(3), [2, 1, 3], 'the handles freed earlier are still free');
  t.strictSame(
    allocate(20),
    [...Array(20).keys()].map((index) => index + 4),
  );
  t.end();
});
