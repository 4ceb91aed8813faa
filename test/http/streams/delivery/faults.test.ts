import t from 'tap';
import type { StreamFaults } from '../../../../http/streams/delivery/faults.ts';
import { fill, level, YES_TOKEN } from '../../durable-commands.ts';
import { kindsOf, startStreams } from '../stream-fixture.ts';

/** Fails when it is asked anything but whether it is on. */
function untouched(): StreamFaults {
  const refuse = (): never => {
    throw new Error('nothing is asked without faults');
  };
  return {
    isOn: false,
    get nowMs() {
      return refuse();
    },
    onSocket: refuse,
    leavesOut: refuse,
    beginWalks: refuse,
    toldAtOnce: refuse,
    sweep: refuse,
  };
}

t.test('without faults a message costs one check', async (t) => {
  const bench = await startStreams(t, {}, [], untouched());
  const client = await bench.subscribed({ assets_ids: [YES_TOKEN] });
  bench.commit(level('bid', 4000, 500));
  bench.commit(fill({}));
  bench.streams.sweep();
  await client.settled();
  const kinds = new Set(kindsOf(client.messages));
  t.strictSame([...kinds].sort(), ['book', 'last_trade_price', 'price_change']);
});
