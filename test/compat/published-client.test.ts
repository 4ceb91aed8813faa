// Every public method of the published client against a real exchange: the list of methods is the
// package's own, so that none is forgotten, and a recorder between them sees what each asks for.
import t from 'tap';
import { CALLS } from './calls.ts';
import { publicMethods } from './client-methods.ts';
import { SILENT_CALLS } from './silent-calls.ts';
import { startStage } from './stage.ts';

t.test('each public method of the package is in exactly one table', async (t) => {
  const listed = [...CALLS, ...SILENT_CALLS].map(({ method }) => method);
  t.strictSame(listed.toSorted(), publicMethods());
});

t.test('each method that sends a request gets the answer that it expects', async (t) => {
  const stage = await startStage(t);
  for (const { method, routes, besides = [], run } of CALLS) {
    await t.test(method, async (t) => {
      stage.recorder.take();
      await run(t, stage);
      const asked = new Set(stage.recorder.take());
      const expected = new Set([...routes, ...besides]);
      t.strictSame([...asked].toSorted(), [...expected].toSorted(), 'it asked for these routes');
    });
  }
});

t.test('the other methods send no request', async (t) => {
  const stage = await startStage(t);
  for (const { method, run } of SILENT_CALLS) {
    await t.test(method, async (t) => {
      stage.recorder.take();
      await run(t, stage);
      t.strictSame(stage.recorder.take(), []);
    });
  }
});

t.test('a client works with the path prefix of the order book', async (t) => {
  const { alice, recorder, bidId, conditionId } = await startStage(t);
  const client = alice.clientAt(`${recorder.url}/clob`);
  recorder.take();
  t.match(await client.getMarket(conditionId), { condition_id: conditionId });
  t.match(await client.getOrder(bidId), { id: bidId }, 'what it signs is the path without it');
  t.strictSame(await client.cancelOrder({ orderID: bidId }), {
    canceled: [bidId],
    not_canceled: {},
  });
  t.strictSame(recorder.take(), ['GET /markets/{id}', 'GET /data/order/{id}', 'DELETE /order']);
});
