/**
 * The data folder of the analytics benchmark: a journal of many fills by many accounts in many
 * markets, a catalog with the words of those markets, and a snapshot at the end.
 */
import { openCatalog } from '../../persistence/catalog/catalog.ts';
import { DataFolder } from '../../persistence/folder/index.ts';
import { FolderWriter } from '../harness/folder-writer.ts';
import { ownMicros } from '../harness/processor-time.ts';
import { AnalyticsGenerator, type AnalyticsSize, type MadeMarket } from './analytics-generator.ts';
import { CatalogGenerator } from './catalog-generator.ts';

/** Up to now. */
const HISTORY_MS = 60 * 86_400_000;
const EVENTS_A_BATCH = 200;
const MARKETS_AN_EVENT = 4;

/** Writes the words of all markets, all of them open, and returns the markets. */
function makeCatalog(path: string, { seed, markets: count }: AnalyticsSize): MadeMarket[] {
  const catalog = openCatalog(path);
  const events = Math.max(1, Math.ceil(count / MARKETS_AN_EVENT));
  const generator = new CatalogGenerator({ seed, events, markets: count, tags: 100, series: 20 });
  const made: MadeMarket[] = [];
  const open = { active: true, closed: false, archived: false };
  for (const batch of generator.batches(EVENTS_A_BATCH)) {
    const opened = batch.map((event) => {
      // Safe: the generator gives each event its list of markets, with these fields as text.
      const markets = event.markets as readonly Readonly<Record<string, string>>[];
      for (const { conditionId = '', clobTokenIds = '' } of markets) {
        const [yes = '', no = ''] = JSON.parse(clobTokenIds) as string[]; // as above
        made.push({ conditionId, tokenIds: [yes, no], eventId: String(event.id) });
      }
      return { ...event, ...open, markets: markets.map((market) => ({ ...market, ...open })) };
    });
    catalog.importEvents(opened);
  }
  catalog.close();
  return made;
}

/** Times are from the first command to the last synced commit. */
export function makeFolder(dataDir: string, size: AnalyticsSize) {
  const untilMs = Date.now();
  const folder = new DataFolder({ dataDir, temporary: false });
  const markets = makeCatalog(folder.catalog, size);
  const writer = new FolderWriter(folder);
  const generator = new AnalyticsGenerator(size, markets, (progress, command) =>
    writer.apply(Math.floor(untilMs - HISTORY_MS * (1 - progress)), command),
  );
  const beganMs = performance.now();
  const began = ownMicros();
  generator.run();
  writer.flush();
  const journalMs = performance.now() - beganMs;
  const journalWorkMs = (ownMicros() - began) / 1_000;
  writer.snapshot();
  writer.close();
  const { projectorData, seq } = writer;
  return { projectorData, commands: seq, fills: generator.fills, journalMs, journalWorkMs };
}
