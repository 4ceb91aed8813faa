/** Markets of the engine that the catalog has lost stand in it again after a restart (design 1). */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startExchange } from '../../http/index.ts';
import { DEFAULT_SETTINGS } from '../../http/settings.ts';
import { builtinCatalog } from '../../persistence/builtin-catalog/builtin-catalog.ts';

const onFatal = (error: Error): void => {
  throw error;
};

t.test('a catalog that was deleted knows every market of the engine after a restart', async (t) => {
  const dataDir = t.testdir();
  const silent = { ...DEFAULT_SETTINGS, logLevel: 'silent' as const };
  const settings = { ...silent, dataDir, port: 0, adminPort: 0 };
  const first = await startExchange(settings, { catalog: builtinCatalog(), onFatal });
  const known = [...first.services.registry.markets()];
  await first.close();
  rmSync(join(dataDir, 'catalog.db'));
  const second = await startExchange(settings, { catalog: [], onFatal });
  t.teardown(() => second.close());
  const { catalog } = second.services.exchange;
  t.equal(catalog.marketCount(), known.length);
  for (const { conditionId, tokenIds } of known) {
    t.same(catalog.marketByCondition(conditionId)?.tokenIds, tokenIds);
  }
});
