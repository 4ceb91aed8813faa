import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import * as fc from 'fast-check';
import t from 'tap';
import { Random } from '../../../http/codec/random.ts';
import { OrderIdIntake } from '../../../persistence/journal/order-id-intake.ts';
import { OrderIdTables } from '../../../persistence/journal/order-id-tables.ts';
import {
  findPacked,
  type OrderIdRow,
  unpackOrderIds,
  unpackRow,
} from '../../../persistence/journal/packed-order-ids.ts';
import { prepareJournal } from '../../../persistence/journal/schema.ts';
import { openJournal } from '../../../persistence/journal/writer.ts';
import { times } from '../../long-set.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { packOrderIds } from './packed-rows.ts';

const TYPES = ['GTC', 'GTD', 'FOK', 'FAK'] as const;

/** A database with the journal's tables. */
function openTables(path: string): Database {
  const database = openJournal(path, true);
  prepareJournal(database, { funding: 'paper' }, () => undefined);
  return database;
}

/** A random id with one of three first bytes, so that a share gets several of few ids. */
function someId(random: Random): Buffer {
  const id = Buffer.from(Array.from({ length: 32 }, () => random.below(256)));
  id[0] = random.below(3) * 100;
  return id;
}

interface Step {
  readonly kind: 'batch' | 'crash' | 'stop' | 'look';
  readonly size: number;
}

const STEPS: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('batch', 'batch', 'batch', 'batch', 'crash', 'stop', 'look'),
    size: fc.nat(12),
  }),
  { minLength: 5, maxLength: 80 },
);

t.test('every reader finds each order id, also after crashes and stops', async (t) => {
  const folder = temporaryFolder(t);
  let run = 0;
  let moved = 0;
  fc.assert(
    fc.property(STEPS, fc.integer(), fc.integer({ min: 1, max: 30 }), (steps, seed, limit) => {
      run += 1;
      const path = join(folder, `${run}.db`);
      const random = new Random(seed);
      const rows: OrderIdRow[] = [];
      let database = openTables(path);
      let intake = new OrderIdIntake(database, limit);
      const reading = new SqliteDatabase(path, { readonly: true });
      const [often, seldom] = [new OrderIdTables(reading), new OrderIdTables(reading)];
      const inTable = (sql: string): number => Number(database.prepare(sql).pluck().get() ?? 0);
      let seq = 0;
      for (const { kind, size } of steps) {
        if (kind === 'batch') {
          const batch = Array.from({ length: size }, (): OrderIdRow => {
            seq += 1 + random.below(3);
            return [
              someId(random),
              seq,
              random.pick(TYPES),
              random.below(2),
              random.below(2) * 8e15,
            ];
          });
          database.transaction(() => intake.take(packOrderIds(batch)))();
          rows.push(...batch);
        } else if (kind === 'look') check(seldom, rows);
        else {
          if (kind === 'stop') {
            database.transaction(() => intake.settle())();
            check(often, rows);
            if (inTable('SELECT count(*) FROM new_order_ids') !== 0)
              throw new Error('some are left');
            if (inTable('SELECT count(*) FROM order_ids') !== rows.length) throw new Error('count');
          }
          database.close();
          database = openTables(path);
          intake = new OrderIdIntake(database, limit);
        }
        check(often, rows);
        const oldest = often.oldestNewSeq() ?? Number.POSITIVE_INFINITY;
        for (const [id, placed] of rows) {
          const isIndexed = often.findIndexed(id) !== undefined;
          if (placed < oldest && !isIndexed) throw new Error(`${placed} is not in the index`);
        }
        const indexed = inTable('SELECT count(*) FROM order_ids');
        moved = Math.max(moved, indexed);
        if (rows.length - indexed > limit + 12) throw new Error('too many wait');
        if ([...often.unindexed()].length !== rows.length - indexed) throw new Error('coming');
      }
      check(seldom, rows);
      if (often.find(Buffer.alloc(32, 9)) !== undefined) throw new Error('it finds an unknown id');
      reading.close();
      database.close();
    }),
    { numRuns: times(50, 150) },
  );
  t.ok(moved > 50, 'the index was used');
});

/** Throws unless the tables have all accepted orders, with the same values. */
function check(tables: OrderIdTables, rows: readonly OrderIdRow[]): void {
  tables.refresh();
  for (const [id, acceptedSeq, type, postOnly, expiresAtMs] of rows) {
    const wanted = JSON.stringify({ acceptedSeq, type, postOnly, expiresAtMs });
    const found = JSON.stringify(tables.find(id));
    if (found !== wanted) throw new Error(`found ${found} in place of ${wanted}`);
    for (const one of [tables.findNew(id), tables.findIndexed(id)]) {
      if (one !== undefined && JSON.stringify(one) !== wanted) throw new Error('one differs');
    }
  }
}

t.test('new ids are deleted from their table a round after they were added', async (t) => {
  const database = openTables(join(temporaryFolder(t), 'journal.db'));
  t.teardown(() => database.close());
  const random = new Random(3);
  const limit = 1_024;
  const intake = new OrderIdIntake(database, limit);
  const tables = new OrderIdTables(database);
  let most = 0;
  let last = 0;
  for (let seq = 1; seq <= 20_000; seq += 10) {
    const batch = Array.from({ length: 10 }, (_, index): OrderIdRow => {
      const id = Buffer.from(Array.from({ length: 32 }, () => random.below(256)));
      return [id, seq + index, 'GTC', 0, 0];
    });
    database.transaction(() => intake.take(packOrderIds(batch)))();
    last = seq + 10 - (tables.oldestNewSeq() ?? 0);
    most = Math.max(most, last);
  }
  t.ok(last > 1.8 * limit && last < 2.2 * limit, `${last} in a later round`);
  t.ok(most > 2 * limit && most < 3 * limit, `${most} in the first round`);
});

t.test('an id that was added twice fails the transaction that indexes it', async (t) => {
  const database = openTables(join(temporaryFolder(t), 'journal.db'));
  t.teardown(() => database.close());
  const intake = new OrderIdIntake(database, 1_000);
  const twice = Buffer.alloc(32, 5);
  database.transaction(() => intake.take(packOrderIds([[twice, 1, 'GTC', 0, 0]])))();
  database.transaction(() => intake.take(packOrderIds([[twice, 2, 'GTC', 0, 0]])))();
  t.throws(() => database.transaction(() => intake.settle())(), { code: /^SQLITE_CONSTRAINT/ });
  t.equal(database.prepare('SELECT count(*) FROM order_ids').pluck().get(), 0);
  t.equal(database.prepare('SELECT count(*) FROM new_order_ids').pluck().get(), 2);
});

const ID = Buffer.alloc(32, 1);
const GOOD: readonly OrderIdRow[] = [
  [ID, 4, 'GTD', 1, 8e15],
  [Buffer.alloc(32, 255), 9, 'FAK', 0, 0],
];
function altered(at: number, byte: number): Buffer {
  const packed = packOrderIds(GOOD);
  packed.writeUInt8(byte, at);
  return packed;
}
const BAD: readonly (readonly [what: string, firstSeq: number, packed: Buffer, message: RegExp])[] =
  [
    ['no ids', 4, Buffer.alloc(0), /command 4 is in a row of 0 bytes/],
    ['half an id', 4, packOrderIds(GOOD).subarray(0, 75), /in a row of 75 bytes/],
    ['another key', 5, packOrderIds(GOOD), /command 5 is in a row with seq 4 after seq 0/],
    ['a seq that goes back', 9, packOrderIds([...GOOD].reverse()), /with seq 4 after seq 9/],
    ['an unknown type', 4, altered(40, 4), /command 4 has the unknown order type 4/],
  ];

t.test('packed ids are unpacked unchanged, and malformed rows are refused', async (t) => {
  t.same([...unpackRow(4, packOrderIds(GOOD))], GOOD);
  t.same([...unpackOrderIds(packOrderIds(GOOD))], GOOD);
  t.same(
    [3, 4, 5, 9, 10].map((seq) => findPacked(packOrderIds(GOOD), seq)),
    [undefined, GOOD[0], undefined, GOOD[1], undefined],
  );
  for (const [what, firstSeq, packed, message] of BAD) {
    t.throws(() => [...unpackRow(firstSeq, packed)], { code: 'journal_damaged', message }, what);
  }
});
