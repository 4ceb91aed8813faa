// A snapshot's keys are loaded step by step. Lookups before the end answer as if all were loaded.
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { OrderKeys } from '../../../../http/streams/user/order-keys.ts';
import { Registry } from '../../../../http/views/registry.ts';
import type { DurableCommand } from '../../../../persistence/index.ts';
import { times } from '../../../long-set.ts';

const ORDERS = 5_000;
function idOf(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}
const restored = Array.from({ length: ORDERS }, (_, place) => [idOf(place), `k${place}`] as const);

function closed(orderId: string): DurableCommand {
  // Safe: only these fields of a command and its events are read.
  return { command: {}, events: [{ kind: 'order_closed', orderId }] } as unknown as DurableCommand;
}
function placed(orderId: string, apiKey: string): DurableCommand {
  return {
    command: { kind: 'place_order', orderId, apiKey },
    events: [{ kind: 'order_accepted', orderId }],
  } as unknown as DurableCommand;
} // as above

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('close' as const), at: fc.nat(ORDERS + 50) }),
    fc.record({ kind: fc.constant('ask' as const), at: fc.nat(ORDERS + 50) }),
    fc.record({
      kind: fc.constant('place' as const),
      at: fc.integer({ min: ORDERS, max: ORDERS + 50 }),
    }),
    fc.record({ kind: fc.constant('turn' as const), at: fc.constant(0) }),
  ),
  { maxLength: 60 },
);

t.test('keys of a snapshot are known from the start, and removed with the order', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, async (wanted) => {
      const keys = new OrderKeys(new Registry());
      const oracle = new Map<string, string>(restored);
      keys.restore(restored);
      for (const { kind, at } of wanted) {
        const id = idOf(at);
        if (kind === 'turn') await turn();
        else if (kind === 'ask') t.equal(keys.keyOf(id), oracle.get(id) ?? '', `${at}`);
        else if (kind === 'place') {
          keys.addAll([placed(id, 'new')]);
          oracle.set(id, 'new');
        } else {
          keys.dropClosed([closed(id)]);
          oracle.delete(id);
        }
      }
      for (let at = 0; at <= ORDERS + 50; at += 1) {
        const id = idOf(at);
        if (keys.keyOf(id) !== (oracle.get(id) ?? '')) t.fail(`the key of ${id}`);
      }
    }),
    { numRuns: times(10, 100) },
  );
});
