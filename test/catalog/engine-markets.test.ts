// A feed that begins with a snapshot writes the same catalog as one that consumed every command.
import type { Test } from 'tap';
import t from 'tap';
import { openCatalog } from '../../catalog/catalog.ts';
import { EngineMarkets } from '../../catalog/engine-markets.ts';
import type { Bounds } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { restoredOracle } from '../persistence/shared/restored-oracle.ts';
import { shortLife } from '../persistence/short-life.ts';
import { randomStream, smallBounds } from '../persistence/store-fixture.ts';
import { writesOf } from './fixture.ts';

const MANY = 1_000;

/** The rows of an empty catalog after `feed` opens it, and after `later` is consumed. */
async function rowsOf(
  t: Test,
  feed: EngineMarkets,
  later: readonly DurableCommand[],
): Promise<object> {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  await feed.open(writesOf(catalog));
  const opened = catalog.lookup.marketPage(0, MANY);
  feed.consume(later);
  await feed.close();
  const ended = catalog.lookup.marketPage(0, MANY);
  return {
    opened,
    ended,
    events: ended.map(({ eventId }) => catalog.lookup.event(Number(eventId))),
  };
}

function feedOf(): EngineMarkets {
  return new EngineMarkets({
    onFailure: (error) => {
      throw error;
    },
  });
}

interface Life {
  readonly name: string;
  readonly durable: readonly DurableCommand[];
  readonly bounds: Partial<Bounds>;
}

const LIVES: readonly Life[] = [
  { name: 'a short life', durable: shortLife(), bounds: {} },
  ...[4, 5, 8].map((seed) => {
    const bounds = smallBounds(seed);
    return { name: `life ${seed}`, durable: randomStream(seed, 6_000, bounds).durable, bounds };
  }),
];

for (const { name: life, durable, bounds } of LIVES) {
  t.test(`a feed from a snapshot writes the same as a full feed: ${life}`, async (t) => {
    for (const part of [0, 0.01, 0.3, 0.7, 1]) {
      const cut = Math.floor(part * durable.length);
      for (const until of [cut, Math.floor((cut + durable.length) / 2)]) {
        const [fed, restored] = [feedOf(), feedOf()];
        fed.consume(durable.slice(0, until));
        restored.restore(restoredOracle(durable.slice(0, cut), bounds));
        restored.consume(durable.slice(cut, until));
        const later = durable.slice(until);
        const name = `a snapshot at ${cut}, opened at ${until} of ${durable.length}`;
        t.strictSame(await rowsOf(t, restored, later), await rowsOf(t, fed, later), name);
      }
    }
  });
}

t.test('the markets of these histories change, close and are resolved', (t) => {
  const all = LIVES.flatMap(({ durable }) => durable);
  for (const wanted of ['market_changed', 'market_closed', 'market_resolved']) {
    const count = all.filter(({ events }) => events.some(({ kind }) => kind === wanted)).length;
    t.ok(count > 2, `${count} ${wanted}`);
  }
  t.end();
});

t.test('a node that follows writes nothing, and all that is missing when it leads', async (t) => {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  const { durable } = randomStream(5, 6_000, smallBounds(5));
  const feed = feedOf();
  feed.consume(durable.slice(0, 3_000));
  feed.follow();
  feed.consume(durable.slice(3_000));
  const written: string[] = [];
  const ended = durable.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.kind === 'market_closed' || event.kind === 'market_resolved' ? [event.conditionId] : [],
    ),
  );
  t.ok(ended.length > 1);
  catalog.markEnded(new Map([[ended[0]!, '2026-01-01T00:00:00Z']]));
  await feed.lead({
    missingEnds: async (ends) => catalog.missingEnds(ends),
    markEnded: async (ends) => void written.push(...ends.keys()),
  });
  await feed.close();
  t.notOk(written.includes(ended[0]!), 'the old core wrote that');
  t.strictSame(new Set([ended[0], ...written]), new Set(ended));
});
