// Kept pieces against making each anew: whatever is asked for, changed and thrown out in between.

import fc from 'fast-check';
import t from 'tap';
import { PieceMemory } from '../../../../persistence/catalog/lists/piece-memory.ts';
import { PieceWriter } from '../../../../persistence/catalog/lists/pieces.ts';
import { hex } from '../fixture.ts';

const MOST_BYTES = 8_192;
const EVENTS = 3;
function eventOf(id: number): number {
  return id % EVENTS;
}

/** What is told of an id while its event has that version; some is not ASCII. */
function pieceOf(id: number, version: number) {
  const writer = new PieceWriter();
  writer.add(`${id}:${version}${'é'.repeat(id % 7)}`);
  for (let market = 0; market < id % 4; market += 1) {
    writer.add('.'.repeat(id % 90));
    const place = { closed: market === 1, acceptingOrders: id % 2 === 0 };
    writer.market({ conditionId: hex(id + market), ...place }, ',"x":0');
  }
  return writer.done();
}

function toldOf(piece: ReturnType<typeof pieceOf> | undefined) {
  return (
    piece && {
      ...piece,
      bytes: Buffer.from(piece.bytes).toString(),
      places: Array.from(piece.places),
    }
  );
}

/** A memory with its moment, which counts what it had to make. */
function opened() {
  const versions = Array.from({ length: EVENTS }, () => 1);
  const moment = { written: 1, versionOf: (eventId: number) => versions[eventId] };
  const memory = new PieceMemory(moment, MOST_BYTES);
  const counts = { made: 0 };
  const ask = (id: number) =>
    memory.of(id, () => {
      counts.made += 1;
      const [eventId, version = 0] = [eventOf(id), versions[eventOf(id)]];
      // Nothing is there of an event without a version.
      return version < 0 ? undefined : { piece: pieceOf(id, version), eventId, version };
    });
  const change = (eventId: number, version: number): void => {
    versions[eventId] = version;
    moment.written += 1;
  };
  return { versions, moment, memory, counts, ask, change };
}

const step = fc.oneof(
  { arbitrary: fc.record({ ask: fc.nat(40) }), weight: 20 },
  { arbitrary: fc.record({ change: fc.nat(EVENTS - 1) }), weight: 1 },
  { arbitrary: fc.constant({ write: true as const }), weight: 1 },
);

t.test('what is kept says when it may soon take the place of something', async (t) => {
  const { memory, ask } = opened();
  t.notOk(memory.isAlmostFull);
  let asked = 0;
  for (; !memory.isAlmostFull && asked < 1_000; asked += 1) ask(asked * EVENTS);
  t.ok(asked > 10 && asked < 1_000, `after ${asked} pieces`);
  for (let more = 0; more < 100; more += 1) {
    ask((asked + more) * EVENTS);
    t.ok(memory.isAlmostFull, 'also from the beginning again');
  }
});

t.test('a piece that is kept is the one that would be made', async (t) => {
  let [asked, made] = [0, 0];
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 300, size: 'max' }), (steps) => {
      const { versions, moment, counts, ask, change } = opened();
      for (const one of steps) {
        if ('write' in one) moment.written += 1;
        else if ('change' in one) change(one.change, (versions[one.change] ?? 0) + 1);
        else {
          asked += 1;
          const told = JSON.stringify(toldOf(ask(one.ask)));
          const version = versions[eventOf(one.ask)] ?? 0;
          const expected = JSON.stringify(toldOf(pieceOf(one.ask, version)));
          if (told !== expected) throw new Error(`${told} is told in place of ${expected}`);
        }
      }
      made += counts.made;
    }),
    { numRuns: 100, seed: 3 },
  );
  t.ok(asked > 5_000 && made < 0.8 * asked, `${made} of ${asked} were made`);
});

t.test('what is asked for all the time stays, and what is not goes when others come', async (t) => {
  const { counts, ask } = opened();
  ask(1_003);
  for (let id = 0; id < 400; id += 1) {
    ask(id);
    const before = counts.made;
    t.match(toldOf(ask(1_003)), { bytes: /^1003:1/ });
    t.equal(counts.made, before, `asked for again after ${id} others`);
  }
  const before = counts.made;
  ask(0);
  t.equal(counts.made, before + 1, 'the first of the others is not kept');
});

t.test('another write leaves a piece, a change of its event does not', async (t) => {
  const { moment, counts, ask, change } = opened();
  ask(3);
  moment.written += 1;
  ask(3);
  change(1, 2);
  ask(3);
  t.equal(counts.made, 1);
  change(0, 2);
  t.match(toldOf(ask(3)), { bytes: /^3:2/ });
  t.equal(counts.made, 2);
  change(0, -1);
  t.equal(ask(3), undefined, 'its event is gone');
  change(0, 2);
  t.match(toldOf(ask(3)), { bytes: /^3:2/ });
});

t.test('a piece of more than a sixteenth of the memory is told and not kept', async (t) => {
  const { counts, memory } = opened();
  const large = (length: number) => () => {
    counts.made += 1;
    const writer = new PieceWriter();
    writer.add('x'.repeat(length));
    return { piece: writer.done(), eventId: 0, version: 1 };
  };
  for (const [length, times] of [
    [MOST_BYTES / 16, 1],
    [MOST_BYTES / 16 + 1, 2],
  ] as const) {
    const before = counts.made;
    t.equal(memory.of(length, large(length))?.bytes.length, length);
    t.equal(memory.of(length, large(length))?.bytes.length, length);
    t.equal(counts.made - before, times, `${length} bytes`);
  }
});
