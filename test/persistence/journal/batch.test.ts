import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { Engine, type Fill } from '../../../engine/index.ts';
import { BatchBuilder, type JournalBatch } from '../../../persistence/journal/batch.ts';
import {
  FILL_COLUMNS,
  FILL_VALUES,
  type FillValues,
  fillEvent,
  INSERT_FILL,
} from '../../../persistence/journal/fills.ts';
import { unpackOrderIds } from '../../../persistence/journal/packed-order-ids.ts';
import { JOURNAL_FORMAT } from '../../../persistence/journal/schema.ts';
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

/** The table as it is after the fills of a batch were inserted, and these fills as events. */
function storedFills({ fills }: JournalBatch) {
  const database = new SqliteDatabase(':memory:');
  database.exec(JOURNAL_FORMAT.tables);
  const insert = database.prepare(INSERT_FILL);
  for (let at = 0; at < fills.length; at += FILL_VALUES) {
    insert.run(fills.slice(at, at + FILL_VALUES));
  }
  const rows = database.prepare('SELECT * FROM fills').raw().all();
  const read = database.prepare<[], FillValues>(`SELECT ${FILL_COLUMNS} FROM fills`).raw().all();
  database.close();
  return { rows, events: read.map(fillEvent) };
}

t.test('the rows of a batch have all fields of its fills and accepted orders', (t) => {
  const durable = enrich(randomStream(5, 3_000).durable);
  const builder = new BatchBuilder(1);
  const engine = new Engine();
  for (const applied of durable) builder.add(applied, undefined, engine.inputOf(applied.command));
  const batch = structuredClone(builder.build());
  const events = durable.map(({ events }) => events.filter((event) => event.kind === 'fill'));
  const fills = durable.flatMap(({ seq }, index) =>
    (events[index] ?? []).map((fill, ordinal) => columnsOf(seq, ordinal, fill)),
  );
  t.ok(fills.length > 50, 'there are enough fills');
  t.ok(fills.filter((columns) => columns.slice(-6).some((fee) => fee !== 0)).length > 20);
  const stored = storedFills(batch);
  t.same(stored.rows, fills);
  t.same(
    stored.events,
    events.flat().map(({ fees, ...fill }) => {
      const isCharged = Object.values(fees ?? {}).some((value) => value !== 0);
      return isCharged ? { ...fill, fees } : fill;
    }),
  );
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
