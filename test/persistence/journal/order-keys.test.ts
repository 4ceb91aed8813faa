import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { openOrderKeys, ownOrderKeys } from '../../../persistence/journal/order-ids.ts';
import { Projection } from '../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../persistence/projection/schema.ts';
import { RecordReads } from '../../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../../persistence/reads/tables/read-tables.ts';
import { randomStream } from '../store-fixture.ts';
import { journalOf, makeFolder } from './fixture.ts';

const { durable, holdersOf } = randomStream(31, 1_200);
const keys = openOrderKeys(journalOf(makeFolder(t, { durable })));
t.teardown(() => keys.close());
const accepted = durable.flatMap(({ seq, events }) =>
  events.flatMap((event) => (event.kind === 'order_accepted' ? [{ seq, id: event.orderId }] : [])),
);

/** Projects the first `count` commands, in steps of 50: an order may open and end in two steps. */
function projectFirst(count: number): SqliteDatabase.Database {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const projection = new Projection(database, holdersOf, [], keys.keyOf);
  for (let from = 0; from < count; from += 50) {
    const step = durable.slice(from, Math.min(from + 50, count));
    projection.take(step.map((command) => ({ ...command, checksum: 0 })));
  }
  return database;
}

t.test('the journal gives each order the key of its row in the projection', async (t) => {
  const keyOf = ownOrderKeys(projectFirst(durable.length));
  t.ok(accepted.length > 300);
  for (const { seq, id } of accepted) t.equal(keys.keyOf(id) === seq && keyOf(id), seq);
  t.equal(keys.keyOf(`0x${'7'.repeat(64)}`), undefined);
});

t.test('an order that is journaled but not projected yet is not found', async (t) => {
  const projected = Math.floor(durable.length / 2);
  const database = projectFirst(projected);
  const queries = new RecordReads(new ReadTables(database), keys.keyOf);
  const plain = new RecordReads(new ReadTables(database));
  for (const { seq, id } of accepted) {
    const order = queries.order(id);
    t.same(order, plain.order(id));
    t.equal(order?.acceptedSeq, seq <= projected ? seq : undefined);
  }
  const ids = accepted.slice(-20).map(({ id }) => id);
  t.same(queries.orders(ids), plain.orders(ids));
});
