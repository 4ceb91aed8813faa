/**
 * Price histories over two years of a market, compared with a naive replay of every state of its
 * book. A command has events only, because the projection of prices reads nothing else.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import {
  type EngineEvent,
  lots,
  type MarketSummary,
  type Ticks,
  ticks,
} from '../../../engine/index.ts';
import { Random } from '../../../http/codec/random.ts';
import { ProjectionPrices } from '../../../persistence/projection/prices.ts';
import { prepareProjection } from '../../../persistence/projection/schema.ts';
import { prepareStatements } from '../../../persistence/projection/statements.ts';
import { RecordReads } from '../../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../../persistence/reads/tables/read-tables.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/store-bounds.ts';
import { CONDITION, NO, YES } from '../store-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Not a multiple of a step: steps must not depend on when the market began. */
const START_MS = 1_763_785_234_567;

interface Change {
  readonly timeMs: number;
  readonly events: readonly EngineEvent[];
}

/** A market's price, in half ticks of YES, that holds from `timeMs` on. */
interface State {
  readonly timeMs: number;
  readonly halfTicks: number;
}

type Levels = Map<number, number>;

/** A book of a few levels with random changes and trades. It records all its states. */
class NaiveBook {
  readonly bid: Levels = new Map();
  readonly ask: Levels = new Map();
  readonly changes: Change[] = [];
  readonly states: State[] = [];
  readonly books: Pick<MarketSummary, 'bids' | 'asks'>[] = [];

  constructor(random: Random, pausesMs: readonly number[], count: number) {
    let timeMs = START_MS;
    for (let change = 0; change < count; change += 1) {
      timeMs += random.below(random.pick(pausesMs));
      const events = [this.#change(random)];
      if (random.chance(20)) events.push(this.#change(random));
      const traded = random.chance(20) ? random.between(1, 99) * 100 : undefined;
      if (traded !== undefined) events.push(fillAt(traded));
      this.changes.push({ timeMs, events });
      this.#note(timeMs, traded);
      const sorted = (levels: Levels, sign: number): [Ticks, ReturnType<typeof lots>][] =>
        [...levels.keys()].sort((a, b) => sign * (a - b)).map((price) => [ticks(price), lots(1)]);
      this.books.push({ bids: sorted(this.bid, -1), asks: sorted(this.ask, 1) });
    }
  }

  /** Adds a level, or removes it when it exists; bids stay below asks. */
  #change(random: Random): EngineEvent {
    const side = random.pick(['bid', 'ask'] as const);
    const price = 100 * (side === 'bid' ? random.between(1, 6) : random.between(7, 12));
    const levels = this[side];
    if (levels.has(price)) levels.delete(price);
    else levels.set(price, 1);
    const left = lots(levels.has(price) ? 1 : 0);
    const priceTicks = ticks(price);
    return { kind: 'level_changed', conditionId: CONDITION, side, priceTicks, lots: left };
  }

  #note(timeMs: number, traded: number | undefined): void {
    const isTwoSided = this.bid.size > 0 && this.ask.size > 0;
    const middle = Math.max(...this.bid.keys()) + Math.min(...this.ask.keys());
    const halfTicks = isTwoSided ? middle : traded && 2 * traded;
    if (halfTicks !== undefined) this.states.push({ timeMs, halfTicks });
  }
}

/** Has only the fields that the projection of prices reads. */
function fillAt(price: number): EngineEvent {
  return {
    kind: 'fill',
    conditionId: CONDITION,
    takerOutcome: 0,
    takerPriceTicks: ticks(price),
    // Safe: the projection of prices reads nothing else of a fill.
  } as EngineEvent;
}

function emptyDatabase(): Database {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  prepareStatements(database).insertMarket.run(1, CONDITION, YES, NO, 1);
  return database;
}

/** Projects in steps; in each step a new projection resumes from the tables. */
function project({ changes, books }: NaiveBook, stepAtMost: () => number): Database {
  const database = emptyDatabase();
  const statements = prepareStatements(database);
  let done = 0;
  while (done < changes.length) {
    const prices = new ProjectionPrices();
    const book = { bids: [], asks: [], ...books[done - 1], tickTicks: ticks(100) };
    const lastPoint = statements.selectLastPoint.get(1);
    if (done === 0) prices.add(CONDITION, 1, ticks(100));
    else prices.restore({ conditionId: CONDITION, ...book }, 1, lastPoint);
    const end = Math.min(changes.length, done + stepAtMost());
    for (; done < end; done += 1) prices.project(changes[done]!.timeMs, changes[done]!.events);
    prices.flush(statements);
  }
  return database;
}

interface Point {
  readonly minute: number;
  readonly halfTicks: number;
}

function pointsOf(database: Database): Point[] {
  return database
    .prepare<[], Point>('SELECT minute, half_ticks AS halfTicks FROM price_points ORDER BY minute')
    .all();
}

/** All points: the last one of each minute in which the price changed. */
function everyPoint(states: readonly State[]): Point[] {
  const changed = states.filter((state, at) => state.halfTicks !== states[at - 1]?.halfTicks);
  const points = new Map<number, number>();
  for (const { timeMs, halfTicks } of changed) {
    points.set(Math.floor(timeMs / MINUTE_MS), halfTicks);
  }
  return [...points].map(([minute, halfTicks]) => ({ minute, halfTicks }));
}

/** The step in minutes to which points of `minute` are thinned out; `newest`: the last point. */
function keptStep(minute: number, newest: number): number {
  const ages = STORE_BOUNDS.pricePointAges.filter(({ days, minutes }) => {
    const turn = Math.max(30, minutes);
    return minute < Math.floor((newest - days * DAY_MINUTES) / turn) * turn;
  });
  return ages.at(-1)?.minutes ?? 1;
}

/** Start in minutes and price of each step, from the states themselves. */
function naiveHistory(states: readonly State[], startMs: number, endMs: number, stepMs: number) {
  const steps: { minute: number; halfTicks: number }[] = [];
  let known = 0;
  const first = Math.floor(startMs / stepMs) * stepMs;
  for (let timeMs = first; timeMs <= endMs; timeMs += stepMs) {
    while (known < states.length && states[known]!.timeMs < timeMs + stepMs) known += 1;
    const state = states[known - 1];
    if (state !== undefined) {
      steps.push({ minute: timeMs / MINUTE_MS, halfTicks: state.halfTicks });
    }
  }
  return steps;
}

const SECOND_MS = 1_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Quick changes with pauses of hours and sometimes of days. */
const PAUSES = [
  ...Array<number>(12).fill(10 * SECOND_MS),
  ...Array<number>(12).fill(4 * MINUTE_MS),
  ...Array<number>(8).fill(2 * HOUR_MS),
  5 * DAY_MS,
];
const LONG_PAUSES = [...Array<number>(60).fill(MINUTE_MS), 40 * DAY_MS];

for (const [name, pauses, seed] of [
  ['a busy market', PAUSES, 1],
  ['a market with pauses of weeks', LONG_PAUSES, 2],
] as const) {
  const random = new Random(seed);
  const book = new NaiveBook(random, pauses, 8_000);
  const { states } = book;
  const database = project(book, () => random.between(1, 400));
  const queries = new RecordReads(new ReadTables(database));
  const all = everyPoint(states);
  const newest = all.at(-1)?.minute ?? 0;
  const endMs = states.at(-1)!.timeMs;

  t.test(`${name} keeps the last point of each step of its age, and no other point`, (t) => {
    const lastOfStep = new Map<string, Point>();
    for (const point of all) {
      const step = keptStep(point.minute, newest);
      lastOfStep.set(`${step} ${Math.floor(point.minute / step)}`, point);
    }
    t.same(pointsOf(database), [...lastOfStep.values()]);
    t.ok(lastOfStep.size < 0.9 * all.length, 'many were removed');
    t.ok(newest - all[0]!.minute > 520 * DAY_MINUTES, 'there are points of all ages');
    t.end();
  });

  t.test(`the points of ${name} do not depend on the projection's steps`, (t) => {
    t.same(pointsOf(project(book, () => 3)), pointsOf(database));
    t.same(pointsOf(project(book, () => Number.MAX_SAFE_INTEGER)), pointsOf(database));
    t.end();
  });

  t.test(
    `a history of ${name} agrees with every state of its book, where its points are kept`,
    (t) => {
      const wrong: unknown[] = [];
      const exact = new Map<number, number>();
      let behind = 0;
      for (let round = 0; round < 300; round += 1) {
        const stepMinutes = random.pick([1, 5, 30, 180, 720, 1_440, 10_080]);
        const stepMs = stepMinutes * MINUTE_MS;
        const span = random.below(Math.min(2_000 * stepMs, endMs - START_MS));
        // Half of the windows end recently, where short steps are kept.
        const until = random.chance(50) ? random.below(9 * DAY_MS) : random.below(endMs - START_MS);
        const asked = { startMs: Math.max(START_MS, endMs - until - span), endMs: endMs - until };
        if (asked.endMs < asked.startMs) continue;
        const isYes = random.chance(50);
        const query = { tokenIds: [isYes ? YES : NO], ...asked, stepMs, limit: 20_000 };
        const [history] = queries.priceHistories(query);
        const { halfTicks, startMs, stepCount } = history!;
        const seen = new Map(
          [...halfTicks].map((value, index) => [startMs / MINUTE_MS + index * stepMinutes, value]),
        );
        if (seen.size !== stepCount) wrong.push({ query, stepCount });
        const expected = naiveHistory(states, asked.startMs, asked.endMs, stepMs);
        for (const { minute, halfTicks: yes } of expected) {
          const step = keptStep(minute, newest);
          // If the kept step is longer, only its end is known.
          const isKnown = stepMinutes % step === 0 || (minute + stepMinutes) % step === 0;
          if (!isKnown) behind += 1;
          else if (seen.get(minute) !== (isYes ? yes : 20_000 - yes)) wrong.push({ query, minute });
          else exact.set(stepMinutes, (exact.get(stepMinutes) ?? 0) + 1);
        }
      }
      t.same(wrong.slice(0, 3), []);
      t.ok([1, 5, 30, 180, 720, 1_440].every((step) => (exact.get(step) ?? 0) > 200));
      t.ok(behind > 500, 'some steps are shorter than those that are kept');
      t.end();
    },
  );
}

t.test('a market whose price changes every minute stays within its bound', (t) => {
  const database = emptyDatabase();
  const statements = prepareStatements(database);
  const prices = new ProjectionPrices();
  prices.add(CONDITION, 1, ticks(100));
  const conditionId = CONDITION;
  const level = (side: 'bid' | 'ask', price: number, size: number): EngineEvent => {
    return { kind: 'level_changed', conditionId, side, priceTicks: ticks(price), lots: lots(size) };
  };
  prices.project(START_MS, [level('ask', 9_000, 1), level('bid', 100, 1)]);
  const days = 40;
  for (let minute = 1; minute <= days * DAY_MINUTES; minute += 1) {
    prices.project(START_MS + minute * MINUTE_MS, [level('bid', 200, minute % 2)]);
    if (minute % 500 === 0) prices.flush(statements);
  }
  prices.flush(statements);
  const count = pointsOf(database).length;
  // Of each age, up to one thinning interval may not be thinned out yet.
  const [bound, slack] = [8 * DAY_MINUTES + 24 * 288 + 8 * 48, 30 + 6];
  t.ok(count >= bound && count <= bound + slack, `${count} points`);
  t.end();
});
