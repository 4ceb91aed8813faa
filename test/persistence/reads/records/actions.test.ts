// The operator's actions: which commands are actions, by their evidence in the journal, and the
// searches for them.
import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import { micros } from '../../../../engine/index.ts';
import { Random } from '../../../../http/codec/random.ts';
import type { ActionRecord, ActionsQuery } from '../../../../persistence/index.ts';
import {
  type ProjectedCommand,
  Projection,
} from '../../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import { actionsSql } from '../../../../persistence/reads/records/actions.ts';
import { RecordReads } from '../../../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../../../persistence/reads/tables/read-tables.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { booksAfter } from '../../books-after.ts';
import {
  ALICE,
  openAccount,
  openFor,
  order,
  randomStream,
  replayFolder,
  smallBounds,
  submitAll,
  WORLD,
} from '../../store-fixture.ts';

const PEOPLE = ['ann', 'ben', 'cleo'];
/** Evidence that is not an operator's. */
const OTHERS = [undefined, null, { salt: '1' }, { by: 'ann' }, { by: 1, reason: 'x' }, 'ann', 7];

/** Kinds of events that answer a command without a change. */
const ANSWERS: readonly string[] = ['rejected', 'known', 'order_duplicate'];

/** A random stream in which some commands have an operator's evidence. */
function drawStream(seed: number): ProjectedCommand[] {
  const random = new Random(seed);
  return randomStream(seed, 3_000, smallBounds(seed)).durable.map((command) => {
    const reason = `because of ${command.seq}`;
    const evidence = random.chance(60) ? { by: random.pick(PEOPLE), reason } : random.pick(OTHERS);
    return { ...command, checksum: 0, evidence };
  });
}

function project(steps: readonly ProjectedCommand[][]): Database {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const done: ProjectedCommand[] = [];
  for (const step of steps) {
    new Projection(database, () => [], booksAfter(done, done.length)).take(step);
    done.push(...step);
  }
  return database;
}

/** The actions, found by plain filters, newest first. */
function expectedOf(stream: readonly ProjectedCommand[]): ActionRecord[] {
  return stream
    .flatMap(({ seq, timeMs, command, events, evidence }) => {
      // The evidence of an order is what its owner signed.
      if (command.kind === 'place_order') return [];
      if (events.some(({ kind }) => ANSWERS.includes(kind))) return [];
      // Safe: the test made it.
      const { by, reason } = (evidence ?? {}) as { by?: unknown; reason?: unknown };
      if (typeof by !== 'string' || typeof reason !== 'string') return [];
      return [{ seq, timeMs, kind: command.kind, by, reason, command }];
    })
    .reverse();
}

const stream = drawStream(5);
const expected = expectedOf(stream);
const database = project([stream]);
const reads = new RecordReads(new ReadTables(database));

t.test('every filter and page finds what a plain filter finds', (t) => {
  const random = new Random(6);
  const kinds = [...new Set(expected.map(({ kind }) => kind)), 'revoke_api_key' as const];
  t.ok(expected.length > 100, 'the stream has actions');
  let found = 0;
  const wrong: ActionsQuery[] = [];
  for (let round = 0; round < 500; round += 1) {
    const query: ActionsQuery = {
      limit: random.between(1, 40),
      ...(random.chance(50) ? { kind: random.pick(kinds) } : {}),
      ...(random.chance(50) ? { by: random.pick([...PEOPLE, 'Ann', '']) } : {}),
      ...(random.chance(50) ? { beforeSeq: random.pick(stream).seq } : {}),
    };
    const all = expected.filter(
      ({ seq, kind, by }) =>
        seq < (query.beforeSeq ?? Number.POSITIVE_INFINITY) &&
        kind === (query.kind ?? kind) &&
        by === (query.by ?? by),
    );
    const page = { records: all.slice(0, query.limit), more: all.length > query.limit };
    if (JSON.stringify(reads.actions(query)) !== JSON.stringify(page)) wrong.push(query);
    found += page.records.length;
  }
  t.same(wrong, []);
  t.ok(found > 1_000, 'most queries find something');
  t.end();
});

t.test('many steps record the same actions as one', (t) => {
  const rows = (of: Database) => of.prepare('SELECT * FROM actions ORDER BY seq').all();
  const steps = Array.from({ length: 10 }, (_, step) => stream.slice(step * 300, (step + 1) * 300));
  t.same(rows(project([...steps, stream.slice(10 * 300)])), rows(database));
  t.end();
});

t.test('every question is a range of an index', (t) => {
  const of = (filters: Parameters<typeof actionsSql>[0]) =>
    database
      .prepare<[], { detail: string }>(
        `EXPLAIN QUERY PLAN ${actionsSql(filters).replaceAll(/@\w+/g, '1')}`,
      )
      .all()
      .map(({ detail }) => detail);
  t.same(of({}), ['SEARCH actions USING INTEGER PRIMARY KEY (rowid<?)']);
  t.same(of({ kind: 'deposit' }), [
    'SEARCH actions USING INDEX actions_by_kind (kind=? AND seq<?)',
  ]);
  t.same(of({ by: 'ann' }), ['SEARCH actions USING INDEX actions_by_actor (actor=? AND seq<?)']);
  t.same(of({ kind: 'deposit', by: 'ann' }), [
    'SEARCH actions USING INDEX actions_by_actor_and_kind (actor=? AND kind=? AND seq<?)',
  ]);
  t.end();
});

t.test('only commands with an effect are actions, and the journal has all of them', async (t) => {
  const folder = temporaryFolder(t);
  const exchange = await openFor(t, folder);
  await submitAll(exchange, WORLD);
  await exchange.submit(order(1), { by: 7, salt: 'of an order' });
  const deposit = { kind: 'deposit', account: ALICE, amountMicros: micros(5), key: 'a' } as const;
  const why = { by: 'ann', reason: 'a gift' };
  const { seq, timeMs } = await exchange.submit(deposit, why);
  await exchange.submit(deposit, { by: 'ben', reason: 'the same again' });
  await exchange.submit({ ...deposit, key: '' }, { by: 'ben', reason: 'refused' });
  const action = { seq, timeMs, kind: 'deposit', ...why, command: deposit };
  t.strictSame(await exchange.reader.actions({ limit: 10 }), { records: [action], more: false });
  await exchange.submit(openAccount(`0x${'c3'.repeat(20)}`), { by: 'cleo', reason: 'new' });
  const page = await exchange.reader.actions({ limit: 1 });
  t.match(page, { records: [{ by: 'cleo', kind: 'open_account' }], more: true });
  t.strictSame(await exchange.reader.actions({ limit: 1, by: 'ann' }), {
    records: [action],
    more: false,
  });
  await exchange.close();
  // This projects the journal again and compares.
  await replayFolder(folder);
});
