/** What the projection keeps of each command, and of what accounts hold, for random histories. */
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { Engine, EngineEvent, Fill } from '../../../engine/index.ts';
import { micros } from '../../../engine/model/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { ProjectionHoldings } from '../../../persistence/projection/holdings.ts';
import { type HoldersOf, Projection } from '../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../persistence/projection/schema.ts';
import { effectSources } from '../../../persistence/reads/explorer/commands.ts';
import { ReadTables } from '../../../persistence/reads/tables/read-tables.ts';
import { readEffects, storedEffects } from '../../../persistence/shared/index.ts';
import { enrich } from '../enriched-stream.ts';
import { randomStream, smallBounds } from '../store-fixture.ts';
import { denseLife } from './positions/dense-life.ts';

interface Life {
  readonly durable: readonly DurableCommand[];
  readonly holdersOf: HoldersOf;
  readonly engine: Engine;
}

function project(t: Test, { durable, holdersOf }: Life) {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  new Projection(database, holdersOf).take(durable.map((one) => ({ ...one, checksum: one.seq })));
  return database;
}

/** What the histories together contain. */
const seen = new Set<string>();

const LAST_POINTS =
  'SELECT address, asset, yes_token AS yes, no_token AS no, amount FROM holding_points AS point ' +
  'JOIN accounts USING (account_key) LEFT JOIN markets ON market_key = asset / 2 ' +
  'WHERE minute = (SELECT max(minute) FROM holding_points AS own ' +
  'WHERE own.account_key = point.account_key AND own.asset = point.asset)';

interface LastPoint {
  readonly address: string;
  readonly asset: number;
  readonly yes: string;
  readonly no: string;
  readonly amount: number;
}

/** The newest point of each asset that is not 0, by account and token. */
function newestPoints(database: SqliteDatabase.Database): ReadonlyMap<string, number> {
  const rows = database.prepare<[], LastPoint>(LAST_POINTS).all();
  const named = rows.map(({ address, asset, yes, no, amount }): [string, number] => {
    const token = asset === 0 ? '' : asset % 2 === 0 ? yes : no;
    return [`${address} ${token}`, amount];
  });
  return new Map(named.filter(([, amount]) => amount !== 0).sort());
}

function heldIn(engine: Engine): ReadonlyMap<string, number> {
  const { accounts, markets } = engine.state();
  const tokens = new Map([...markets].map(({ conditionId, tokenIds }) => [conditionId, tokenIds]));
  const held: [string, number][] = [];
  for (const { address, availableMicros, heldMicros, positions } of accounts) {
    held.push([`${address} `, availableMicros + heldMicros]);
    for (const { conditionId, outcome, availableLots, heldLots } of positions) {
      const token = tokens.get(conditionId)?.[outcome];
      held.push([`${address} ${token}`, availableLots + heldLots]);
    }
  }
  return new Map(held.filter(([, amount]) => amount !== 0).sort());
}

const lives: readonly (readonly [name: string, life: Life])[] = [
  ...[1, 4, 7].map(
    (seed) => [`broad ${seed}`, randomStream(seed, 2_000, smallBounds(seed))] as const,
  ),
  ...[1, 2].map((seed) => [`dense ${seed}`, denseLife(seed, 400)] as const),
];

for (const [name, life] of lives) {
  t.test(`the newest points of the ${name} life are what the engine has`, async (t) => {
    const points = newestPoints(project(t, life));
    t.strictSame(points, heldIn(life.engine));
    for (const { events } of life.durable) {
      for (const event of events) {
        seen.add(event.kind);
        if (event.kind !== 'fill') continue;
        if ((event.fees?.takerBuilderMicros ?? 0) > 0) seen.add('a builder earns');
        if ((event.fees?.makerMicros ?? 0) > 0) seen.add('a maker pays');
      }
    }
  });
}

t.test('the histories have all that moves cash and tokens', async (t) => {
  const moves = ['account_opened', 'cash_moved', 'sets_moved', 'redeemed', 'converted', 'fill'];
  for (const move of [...moves, 'a builder earns', 'a maker pays']) t.ok(seen.has(move), move);
});

for (const isReopened of [false, true]) {
  t.test(`old points are thinned${isReopened ? ' by the next process' : ''}`, async (t) => {
    const database = new SqliteDatabase(':memory:');
    t.teardown(() => database.close());
    prepareProjection(database);
    const names = { account: () => ({ accountKey: 1 }), market: () => 1 };
    const open = () => new ProjectionHoldings(database, names, () => []);
    let holdings = open();
    const later = 9 * 1_440;
    for (const minute of [0, 1, 2, 3, 4, 5, 6, later]) {
      if (isReopened) holdings = open();
      const event = { kind: 'cash_moved', account: '', amountMicros: micros(10) };
      // Safe: the points follow from these fields alone.
      holdings.project(event as unknown as EngineEvent, { seq: 1, timeMs: minute * 60_000 });
      holdings.flush();
    }
    const points = database.prepare('SELECT minute, amount FROM holding_points').raw().all();
    t.strictSame(points, [
      [4, 50],
      [6, 70],
      [later, 80],
    ]);
  });
}

for (const seed of [1, 2]) {
  t.test(`the effects of each command of stream ${seed} are its events`, async (t) => {
    const life = randomStream(seed, 2_000, smallBounds(seed));
    const durable = enrich(life.durable);
    const database = project(t, { ...life, durable });
    const tables = new ReadTables(database);
    const select = database
      .prepare<[number], string>('SELECT events FROM effects WHERE seq = ?')
      .pluck();
    let rowless = 0;
    for (const { seq, events } of durable) {
      const fills = events.filter((event): event is Fill => event.kind === 'fill');
      const text = select.get(seq);
      if (text === undefined) rowless += 1;
      t.strictSame(
        readEffects(storedEffects(text), effectSources(tables, seq, fills)),
        events.filter(({ kind }) => kind !== 'level_changed'),
      );
    }
    t.ok(rowless > 100, 'an order that only rests needs no row');
  });
}
