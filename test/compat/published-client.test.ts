// Calls every public method of the published client on a real exchange. The list of methods is read
// from the package, so none is forgotten, and a recorder notes which routes each method calls.
import { ClobClient, Side } from '@polymarket/clob-client-v2';
import t from 'tap';
import { CALLS } from './calls.ts';
import { publicMethods } from './client-methods.ts';
import { SILENT_CALLS } from './silent-calls.ts';
import { place, startStage } from './stage.ts';

t.test('each public method of the package is in exactly one table', async (t) => {
  const listed = [...CALLS, ...SILENT_CALLS].map(({ method }) => method);
  t.strictSame(listed.toSorted(), publicMethods('@polymarket/clob-client-v2', ClobClient));
});

/** Shared by all tests; the calls come last, because one of them cancels all orders. */
const stage = await startStage(t);

t.test('the other methods send no request', async (t) => {
  for (const { method, run } of SILENT_CALLS) {
    await t.test(method, async (t) => {
      stage.recorder.take();
      await run(t, stage);
      t.strictSame(stage.recorder.take(), []);
    });
  }
});

t.test('a client works with the path prefix of the order book', async (t) => {
  const { alice, recorder, yes, conditionId } = stage;
  const bid = { side: Side.BUY, price: 0.2, size: 10 };
  const { orderID: bidId } = await place(alice.client, yes, bid);
  const client = alice.clientAt(`${recorder.url}/clob`);
  recorder.take();
  t.match(await client.getMarket(conditionId), { condition_id: conditionId });
  t.match(await client.getOrder(bidId), { id: bidId }, 'it signs the path without the prefix');
  t.strictSame(await client.cancelOrder({ orderID: bidId }), {
    canceled: [bidId],
    not_canceled: {},
  });
  t.strictSame(recorder.take(), ['GET /markets/{id}', 'GET /data/order/{id}', 'DELETE /order']);
});

t.test('each method that sends a request gets the answer that it expects', async (t) => {
  for (const { method, routes, besides = [], run } of CALLS) {
    await t.test(method, async (t) => {
      stage.recorder.take();
      await run(t, stage);
      const asked = new Set(stage.recorder.take());
      const expected = new Set([...routes, ...besides]);
      t.strictSame([...asked].toSorted(), [...expected].toSorted(), 'it called these routes');
    });
  }
});
