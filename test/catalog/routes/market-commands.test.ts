/** Which markets of the catalog a start creates, and what happens if the catalog has lost some. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { builtinEvents } from '../../../catalog/builtin/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import { openExchange } from '../../../persistence/index.ts';
import { runExchange } from '../../../venue/index.ts';
import { TEST_SETTINGS } from '../../default-settings.ts';
import { handleEvents } from '../../persistence/event-handlers.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Disables snapshots, which these tests do not need. */
const NEVER_MS = Number.POSITIVE_INFINITY;

function onFatal(error: Error): void {
  throw error;
}

t.test(
  'markets stay in a data folder from before finer ticks, also without a catalog',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const old = await openExchange({
      dataDir,
      temporary: false,
      now: Date.now,
      funding: 'paper',
      onEvent: handleEvents({}),
    });
    await old.catalog.write.importEvents(builtinEvents());
    const markets = old.catalog.lookup.tradable();
    const first = markets.find(({ tickTicks }) => tickTicks === 100);
    if (first === undefined) throw new Error('the catalog has no market with a tick of 0.01');
    const others = markets.filter((market) => market !== first);
    const { conditionId, tokenIds, negRisk, eventId } = first;
    await old.submit({
      kind: 'create_market',
      conditionId,
      tokenIds,
      tickTicks: ticks(first.tickTicks),
      minimumLots: lots(first.minimumLots),
      minimumBudgetMicros: micros(1_000_000),
      negRisk,
      eventId,
      selfTrade: 'cancel_maker',
    });
    await old.close();
    const silent = { ...TEST_SETTINGS, logLevel: 'silent' as const, snapshotMs: NEVER_MS };
    const settings = { ...silent, dataDir, port: 0, adminPort: 0 };
    const second = await runExchange(settings, { catalog: builtinEvents(), onFatal });
    const stepOf = (id: string) => {
      const market = second.services.registry.market(id);
      return [market?.tickTicks, market?.finerTickTicks];
    };
    t.strictSame(stepOf(conditionId), [100, 0], 'as it was created');
    for (const market of others) {
      const finer = market.tickTicks === 100 ? 10 : 0;
      t.strictSame(stepOf(market.conditionId), [market.tickTicks, finer], 'wire 4.7');
    }
    const { appliedSeq } = second.services.exchange;
    t.equal(appliedSeq, 1 + others.length);
    const hash = second.services.exchange.stateHash();
    await second.close();
    const third = await runExchange(settings, { catalog: builtinEvents(), onFatal });
    t.equal(third.services.exchange.stateHash(), hash, 'another start changes nothing');
    t.equal(third.services.exchange.appliedSeq, appliedSeq);

    const known = [...third.services.registry.markets()];
    t.equal(known.length, markets.length);
    await third.close();
    rmSync(join(dataDir, 'catalog.db'));
    const told = { code: 'catalog_missing', message: /put the file back|--replace-lost-catalog/i };
    await t.rejects(runExchange(settings, { catalog: [], onFatal }), told);
    writeFileSync(join(dataDir, 'catalog.db'), '');
    await t.rejects(runExchange(settings, { catalog: [], onFatal }), told, 'an empty file');
    const replacing = { ...settings, replacesLostCatalog: true };
    const fourth = await runExchange(replacing, { catalog: [], onFatal });
    t.teardown(() => fourth.close());
    const { catalog } = fourth.services.exchange;
    t.equal(
      catalog.lookup.marketCount(),
      known.length,
      'a deleted catalog gets all of its markets again',
    );
    for (const market of known) {
      t.same(catalog.lookup.marketByCondition(market.conditionId)?.tokenIds, market.tokenIds);
    }
  },
);

t.test('a market added to an open neg-risk event does not prevent the start', async (t) => {
  const dataDir = temporaryFolder(t);
  const silent = { ...TEST_SETTINGS, logLevel: 'silent' as const, snapshotMs: NEVER_MS };
  const settings = { ...silent, dataDir, port: 0, adminPort: 0 };
  const [event] = builtinEvents().filter(({ negRisk }) => negRisk);
  if (event === undefined) throw new Error('the catalog has no neg-risk event');
  const [late, ...markets] = event.markets;
  const first = await runExchange(settings, { catalog: [{ ...event, markets }], onFatal });
  await first.services.exchange.submit({
    kind: 'open_event',
    eventId: event.id,
    noneConditionId: '',
  });
  await first.services.exchange.catalog.write.importEvents([event]);
  await first.close();
  const second = await runExchange(settings, { catalog: [], onFatal });
  t.teardown(() => second.close());
  t.equal(second.services.registry.market(late?.conditionId ?? ''), undefined);
  t.equal([...second.services.registry.markets()].length, markets.length);
});
