import t from 'tap';
import { Engine, type Fill } from '../../../engine/index.ts';
import { BatchBuilder, fillRows } from '../../../persistence/journal/batch.ts';
import { unpackOrderIds } from '../../../persistence/journal/packed-order-ids.ts';
import { enrich } from '../enriched-stream.ts';
import { randomStream } from '../store-fixture.ts';

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

function columnsOf(seq: number, ordinal: number, fill: Fill) {
  return [
    seq,
    ordinal,
    fill.bucket,
    fill.match,
    bytesOf(fill.conditionId),
    bytesOf(fill.takerOrderId),
    bytesOf(fill.makerOrderId),
    bytesOf(fill.takerAccount),
    bytesOf(fill.makerAccount),
    fill.takerOutcome,
    fill.takerSide,
    fill.makerOutcome,
    fill.makerSide,
    fill.takerPriceTicks,
    fill.makerPriceTicks,
    fill.lots,
    fill.fees?.takerMicros ?? 0,
    fill.fees?.makerMicros ?? 0,
    fill.fees?.takerBuilderMicros ?? 0,
    fill.fees?.makerBuilderMicros ?? 0,
    fill.fees?.takerFeeBps ?? 0,
    fill.fees?.makerFeeBps ?? 0,
  ];
}

t.test('the rows of a batch have all fields of its fills and accepted orders', (t) => {
  const durable = enrich(randomStream(5, 3_000).durable);
  const builder = new BatchBuilder(1);
  const engine = new Engine();
  for (const applied of durable) builder.add(applied, undefined, engine.inputOf(applied.command));
  const batch = structuredClone(builder.build());
  const fills = durable.flatMap(({ seq, events }) =>
    events
      .filter((event) => event.kind === 'fill')
      .map((fill, ordinal) => columnsOf(seq, ordinal, fill)),
  );
  t.ok(fills.length > 50, 'there are enough fills');
  t.ok(fills.filter((columns) => columns.slice(-6).some((fee) => fee !== 0)).length > 20);
  t.same([...fillRows(batch)], fills);
  const accepted = durable.flatMap(({ seq, command, events }) => {
    const isAccepted = events.some((event) => event.kind === 'order_accepted');
    if (command.kind !== 'place_order' || !isAccepted) return [];
    const postOnly = command.postOnly ? 1 : 0;
    return [[bytesOf(command.orderId), seq, command.type, postOnly, command.expiresAtMs]];
  });
  t.ok(accepted.length > 50, 'there are enough orders');
  t.same([...unpackOrderIds(Buffer.from(batch.orderIds))], accepted);
  t.end();
});

t.test('a batch refuses a gap in the seqs', (t) => {
  const { durable } = randomStream(1, 10);
  const builder = new BatchBuilder(1);
  const input = { kind: 'advance_time' } as const;
  builder.add(durable[0]!, undefined, input);
  t.throws(() => builder.add(durable[2]!, undefined, input), /no gap/);
  t.end();
});
