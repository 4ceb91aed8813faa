/**
 * The process of the reference for orders: started by `fork` with its terms as JSON in its first
 * argument; sends its URL, then a number for each wish, and ends with its parent.
 */
import type { ReferenceWish } from '../orders/reference.ts';
import { OrderServer } from './order-server.ts';

const server = new OrderServer(JSON.parse(process.argv[2] ?? '')); // ours
const app = server.create();
const url = await app.listen({ host: '127.0.0.1', port: 0 });

process.on('message', (wish: ReferenceWish) => {
  if (wish.kind === 'fill') server.fill(wish.orders);
  process.send?.(server.count());
});
process.once('disconnect', () => process.exit());
process.send?.(url);
