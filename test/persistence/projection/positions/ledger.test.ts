/**
 * The tables of positions, compared with a slow calculation from the raw events of random
 * histories.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import type { Engine } from '../../../../engine/index.ts';
import { Random } from '../../../../http/codec/random.ts';
import type { DurableCommand } from '../../../../persistence/index.ts';
import {
  type ProjectedCommand,
  Projection,
} from '../../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import { addWide, type WideSum, wideSum } from '../../../../persistence/shared/index.ts';
import type { Scope } from '../../../temporary-folder.ts';
import { booksAfter } from '../../books-after.ts';
import { enrich } from '../../enriched-stream.ts';
import { randomStream, smallBounds } from '../../store-fixture.ts';
import { contents } from '../contents.ts';
import { denseLife } from './dense-life.ts';
import { LedgerOracle, type Row } from './ledger-oracle.ts';

function emptyProjection(scope: Scope): Database {
  const database = new SqliteDatabase(':memory:');
  scope.teardown(() => database.close());
  prepareProjection(database);
  return database;
}

function projected(durable: readonly DurableCommand[]): ProjectedCommand[] {
  return durable.map((command) => ({ ...command, checksum: 7 * command.seq }));
}

function rowsOf(database: Database, table: string, columns = '*'): Row[] {
  // Safe: the tables have numbers and texts.
  return database.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1, 2, 3`).all() as Row[];
}

const MARKET_COLUMNS =
  'market_key, last_ticks, yes_lots, no_lots, payout_ticks, resolved_ms, event_key, event_size';

const broad = [1, 4, 7].map((seed) => {
  const { durable, holdersOf, engine } = randomStream(seed, 2_000, smallBounds(seed));
  return { name: `broad life ${seed}`, durable: enrich(durable), holdersOf, engine };
});
const dense = [1, 2, 3, 4].map((seed) => ({ name: `dense life ${seed}`, ...denseLife(seed, 400) }));

/** What all histories together contain. */
const seen = new Set<string>();

function worthOf(ticks: number): string {
  return ticks % 10_000 > 0 ? 'pays part' : ticks === 0 ? 'pays no' : 'pays yes';
}

function note(durable: readonly DurableCommand[], positions: readonly Row[]): void {
  for (const { events } of durable) {
    for (const event of events) {
      seen.add(event.kind);
      if (event.kind === 'fill') seen.add(event.match);
      if (event.kind === 'fill' && (event.fees?.makerMicros ?? 0) > 0) seen.add('maker fee');
      if (event.kind === 'sets_moved') seen.add(event.splitLots > 0 ? 'split' : 'unsplit');
      if (event.kind === 'redeemed') seen.add(event.key === '' ? 'paid unasked' : 'redeemed');
      if (event.kind === 'market_resolved') seen.add(worthOf(event.payoutTicks));
      if (event.kind === 'converted') seen.add(event.amountMicros > 0 ? 'cash' : 'no cash');
    }
  }
  for (const { closed_ms, lots } of positions) {
    if (closed_ms !== 0) seen.add(lots === 0 ? 'closed' : 'written off');
  }
}

for (const { name, durable, holdersOf } of [...broad, ...dense]) {
  t.test(`the tables of ${name} are the sums of its raw events`, (t) => {
    const database = emptyProjection(t);
    new Projection(database, holdersOf).take(projected(durable));
    const oracle = new LedgerOracle(durable);
    const positions = rowsOf(database, 'positions');
    t.strictSame(positions, oracle.positions());
    t.strictSame(rowsOf(database, 'activities'), oracle.activities);
    t.strictSame(rowsOf(database, 'market_states', MARKET_COLUMNS), oracle.marketStates());
    t.strictSame(rowsOf(database, 'account_totals'), oracle.totals());
    note(durable, positions);
    if (oracle.wasAnyOpenedAgain) seen.add('opened again');
    t.end();
  });
}

interface Position {
  readonly account: string;
  readonly token: string;
  readonly lots: number;
  readonly cost: number;
  readonly paid: string;
  readonly received: string;
  readonly fee: string;
  readonly realized: string;
}

const SELECT_POSITIONS =
  'SELECT address AS account, iif(outcome = 0, yes_token, no_token) AS token, lots, ' +
  'cost_micros AS cost, paid_micros AS paid, received_micros AS received, fee_micros AS fee, ' +
  'realized_micros AS realized FROM positions ' +
  'JOIN accounts USING (account_key) JOIN markets USING (market_key)';

/** The locked collateral in micros, by the formula of positions/schema.sql. */
const SELECT_LOCKED =
  'SELECT total(CASE WHEN payout_ticks IS NULL ' +
  'THEN 10000.0 * (no_lots * event_size + yes_lots - no_lots) / event_size ' +
  'ELSE yes_lots * payout_ticks + no_lots * (10000 - payout_ticks) END) FROM market_states';

function holdingOf({ account, token, lots }: Pick<Position, 'account' | 'token' | 'lots'>) {
  return `${account} ${token} ${lots}`;
}

function holdingsOf(engine: Engine): string[] {
  const tokens = new Map(
    [...engine.state().markets].map(({ conditionId, tokenIds }) => [conditionId, tokenIds]),
  );
  return [...engine.state().accounts].flatMap(({ address: account, positions }) =>
    positions.map(({ conditionId, outcome, availableLots, heldLots }) => {
      const token = tokens.get(conditionId)?.[outcome] ?? '';
      return holdingOf({ account, token, lots: availableLots + heldLots });
    }),
  );
}

function sum(texts: readonly string[]): WideSum {
  return texts.map(wideSum).reduce(addWide, 0);
}

for (const { name, durable, holdersOf, engine } of [...broad, ...dense]) {
  t.test(`${name}: tokens and cash of its positions are conserved`, (t) => {
    const database = emptyProjection(t);
    new Projection(database, holdersOf).take(projected(durable));
    const positions = database.prepare<[], Position>(SELECT_POSITIONS).all();
    for (const { cost, ...sums } of positions) {
      const [received, paid, fee] = [sums.received, sums.paid, sums.fee].map(wideSum).map(Number);
      if (Number(wideSum(sums.realized)) !== received! - paid! + cost - fee!) t.fail(sums.realized);
    }
    const held = positions.filter(({ lots }) => lots > 0).map(holdingOf);
    t.strictSame(held.sort(), holdingsOf(engine).sort(), 'the engine has the same holdings');
    const { lockedMicros } = engine.totals();
    // Safe: it selects one number.
    const locked = database.prepare(SELECT_LOCKED).pluck().get() as number;
    t.equal(Math.round(locked), lockedMicros);
    const [paid, received, positionFees] = (['paid', 'received', 'fee'] as const).map((name) =>
      Number(sum(positions.map((position) => position[name]))),
    );
    const totals = database
      .prepare<[], { fees: string; realized: string }>(
        'SELECT fee_micros AS fees, realized_micros AS realized FROM account_totals',
      )
      .all();
    const fees = Number(sum(totals.map((one) => one.fees)));
    const spent = paid! - received! + positionFees!;
    t.equal(spent, lockedMicros + fees, 'cash that was paid is locked or was a fee');
    const realized = sum(totals.map((one) => one.realized));
    t.equal(sum(positions.map((position) => position.realized)), realized);
    t.end();
  });

  t.test(`the tables of ${name} do not depend on the projection's steps`, (t) => {
    const commands = projected(durable);
    const whole = emptyProjection(t);
    new Projection(whole, holdersOf).take(commands);
    const stepped = emptyProjection(t);
    const random = new Random(durable.length);
    for (let cursor = 0; cursor < commands.length; ) {
      // As after a restart: a new projection resumes from the tables and the books.
      const projection = new Projection(stepped, holdersOf, booksAfter(durable, cursor));
      const middle = Math.min(cursor + random.below(90), commands.length);
      const end = Math.min(middle + random.below(90), commands.length);
      projection.take(commands.slice(cursor, middle));
      projection.take(commands.slice(middle, end));
      cursor = end;
    }
    t.strictSame(contents(stepped), contents(whole));
    t.end();
  });
}

t.test('the histories contain everything that moves tokens', async (t) => {
  const expected = [
    ...['fill', 'transfer', 'mint', 'merge', 'maker fee', 'order_released', 'split', 'unsplit'],
    ...['converted', 'cash', 'no cash', 'redeemed', 'paid unasked', 'event_resolved'],
    ...['pays no', 'pays yes', 'pays part', 'closed', 'opened again', 'written off'],
  ];
  t.strictSame(
    expected.filter((what) => !seen.has(what)),
    [],
  );
});
