// The format of a snapshot's facts. Their values are compared in restored-state.test.ts.
import t from 'tap';
import { SNAPSHOT_PART_BYTES, type SnapshotPart } from '../../../engine/index.ts';
import { type Facts, ShownFacts } from '../../../persistence/shared/shown-facts.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/store-bounds.ts';
import { FactsReader, isFacts, writeFacts } from '../../../persistence/snapshots/facts.ts';
import { times } from '../../long-set.ts';
import { shortLife } from '../short-life.ts';
import { orderIdOf, randomStream } from '../store-fixture.ts';

function read(parts: Iterable<SnapshotPart>): FactsReader {
  const reader = new FactsReader();
  for (const part of parts) reader.take(part);
  return reader;
}

function listed({ markets, keys, orderKeys }: Facts) {
  return {
    markets: [...markets],
    keys: [...keys],
    orderKeys: [...orderKeys],
  };
}

function bytesOf(facts: Facts): string[] {
  return [...writeFacts(facts)].map(
    ({ name, bytes }) => `${name} ${Buffer.from(bytes).toString('hex')}`,
  );
}

const LIVES = {
  'a short life': shortLife(),
  'nothing at all': [],
  'life 5': randomStream(5, times(2_000, 4_000)).durable,
  'life 6': randomStream(6, times(2_000, 4_000)).durable,
};

for (const [name, durable] of Object.entries(LIVES)) {
  t.test(`facts are read as written, also after a restart at any place: ${name}`, (t) => {
    const whole = new ShownFacts();
    whole.consume(durable);
    t.strictSame(listed(read(writeFacts(whole))), listed(whole));
    for (const part of [0, 0.1, 0.5, 0.95]) {
      const cut = Math.floor(durable.length * part);
      const before = new ShownFacts();
      before.consume(durable.slice(0, cut));
      const after = new ShownFacts(read(writeFacts(before)));
      after.consume(durable.slice(cut));
      t.strictSame(bytesOf(after), bytesOf(whole), `equal facts, equal bytes, from ${cut}`);
    }
    t.end();
  });
}

t.test(
  'many orders are written in parts of a bounded size, and can be iterated several times',
  (t) => {
    const count = STORE_BOUNDS.factsABlock * 2 + 1;
    const orderKeys = Array.from(
      { length: count },
      (_, number) => [orderIdOf(number), `key-${number % 1_000}`] as const,
    );
    const parts = [...writeFacts({ markets: [], keys: [], orderKeys })];
    t.equal(parts.length, 3);
    t.ok(parts.every((part) => isFacts(part) && part.bytes.length <= SNAPSHOT_PART_BYTES));
    const facts = read(parts);
    for (let walk = 0; walk < 2; walk += 1) {
      let place = 0;
      for (const [orderId, apiKey] of facts.orderKeys) {
        const [knownId, knownKey] = orderKeys[place] ?? [];
        if (orderId !== knownId || apiKey !== knownKey) t.fail(`order ${place} is another`);
        place += 1;
      }
      t.equal(place, count);
    }
    t.end();
  },
);

t.test('a part with an unknown name is refused', (t) => {
  t.throws(() => read([{ name: 'facts.weather', bytes: Buffer.alloc(0) }]), {
    name: 'SnapshotError',
  });
  t.end();
});
