// Gateways that apply the same log, begun at different places of it, give the same sequences to the
// same messages, so that a client can resume at any of them.
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import type { Engine } from '../../../engine/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { randomStream } from '../../persistence/store-fixture.ts';
import { KEEPS_ALL, LOG_ID, SnapshotSource, StreamGateway } from './stream-gateway.ts';

const COMMANDS = 1_500;
const RUNS = 6;

/** The batches of a life, of the given sizes in turn. */
function batchesOf(durable: readonly DurableCommand[], sizes: readonly number[]) {
  const batches: (readonly DurableCommand[])[] = [];
  for (let from = 0; from < durable.length; ) {
    const size = sizes[batches.length % sizes.length] ?? 1;
    batches.push(durable.slice(from, from + size));
    from += size;
  }
  return batches;
}

interface Subjects {
  readonly markets: readonly string[];
  readonly owners: readonly string[];
}

function subjectsOf(durable: readonly DurableCommand[]): Subjects {
  const markets = new Set<string>();
  const owners = new Set<string>();
  for (const { events } of durable) {
    for (const event of events) {
      if (event.kind === 'market_created') markets.add(event.conditionId);
      else if (event.kind === 'account_opened') owners.add(event.owner);
    }
  }
  return { markets: [...markets], owners: [...owners] };
}

/** Follows everything that is there to follow. */
function followAll(gateway: StreamGateway, { markets, owners }: Subjects): void {
  for (const conditionId of markets) gateway.watch(conditionId);
  for (const owner of owners) gateway.follow(owner);
}

/** What a client is sent that resumes where the messages of a gateway begin. */
function shownBy(gateway: StreamGateway, floors: ReadonlyMap<string, number>) {
  const shown = new Map<string, unknown>();
  for (const [name, floor] of floors) {
    const feed = gateway.market.market(name);
    if (feed === undefined) {
      const owner = gateway.follow(name);
      // A feed knows the trades of an order since it began.
      const texts = owner.missed(LOG_ID, floor)?.map(({ text }) => withoutTrades(text));
      shown.set(name, [owner.sequence, texts]);
    } else {
      // A client of both tokens may lack the second copy of the step at the floor.
      const ofYes = feed.missed(LOG_ID, floor, (outcome) => outcome === 0);
      const ofBoth = feed.missed(LOG_ID, floor + 1, () => true);
      shown.set(name, [feed.stamp.sequence, ofYes, ofBoth]);
    }
  }
  return shown;
}

function withoutTrades(text: string): string {
  return text.replace(/"associate_trades":(null|\[[^\]]*\])/, '');
}

interface Life {
  readonly seed: number;
  readonly sizes: readonly number[];
  /** Where the late gateway is restored from a snapshot, and where it follows, as parts of 1. */
  readonly saved: number;
  readonly followed: number;
}

const LIVES = fc.record({
  seed: fc.nat({ max: 10_000 }),
  sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
  saved: fc.double({ min: 0, max: 1, noNaN: true }),
  followed: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** The engine has counted the messages that a gateway made since the first command. */
function checkCounts(engine: Engine, early: StreamGateway, { markets, owners }: Subjects): void {
  const sequences = markets.map((market) => early.watch(market)?.stamp.sequence);
  assert.deepEqual(
    engine.steps?.markets.map(({ count }) => count),
    sequences,
  );
  for (const owner of owners) {
    assert.equal(engine.ownerSteps(owner), early.follow(owner).sequence, owner);
  }
}

function compare({ seed, sizes, saved, followed }: Life): void {
  const { durable } = randomStream(seed, COMMANDS);
  const batches = batchesOf(durable, sizes);
  const subjects = subjectsOf(durable);
  const savedAt = Math.floor(saved * batches.length);
  const followedAt = savedAt + Math.floor(followed * (batches.length - 1 - savedAt));
  const early = new StreamGateway(undefined, KEEPS_ALL);
  const source = new SnapshotSource();
  let late = new StreamGateway(undefined, KEEPS_ALL);
  for (const [place, batch] of batches.entries()) {
    if (place === savedAt && place > 0 && source.canSave) {
      late = new StreamGateway(source.save(batches[place - 1]!.at(-1)!), KEEPS_ALL);
    }
    followAll(early, subjects);
    if (place >= followedAt) followAll(late, subjects);
    for (const node of [early, source, late]) node.take(batch);
  }
  for (const engine of [early.engine, late.engine]) checkCounts(engine, early, subjects);
  const expected = shownBy(early, late.floors);
  // One by one, because the difference of everything can't be read.
  for (const [name, shown] of shownBy(late, late.floors))
    assert.deepEqual(shown, expected.get(name));
}

t.test('a late gateway has the messages of an early one', (t) => {
  fc.assert(fc.property(fc.noBias(LIVES), compare), { numRuns: RUNS });
  t.end();
});
