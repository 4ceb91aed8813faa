/**
 * The data folder of the analytics benchmark: a journal of many fills by many accounts in many
 * markets, a catalog with the texts of those markets, and a snapshot at the end.
 */
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { FolderWriter } from '../harness/folder-writer.ts';
import { AnalyticsGenerator, type AnalyticsSize } from './analytics-generator.ts';
import { makeOpenCatalog } from './catalog-generator.ts';

/** The length of the history, which ends now. */
const HISTORY_MS = 60 * 86_400_000;

export function makeFolder(dataDir: string, size: AnalyticsSize) {
  const untilMs = Date.now();
  const folder = new DataFolder({ dataDir, temporary: false });
  const markets = makeOpenCatalog(folder.catalog, size.seed, size.markets);
  const writer = new FolderWriter(folder);
  const generator = new AnalyticsGenerator(size, markets, (progress, command) =>
    writer.apply(Math.floor(untilMs - HISTORY_MS * (1 - progress)), command),
  );
  generator.run();
  writer.flush();
  writer.snapshot();
  writer.close();
  return { projectorData: writer.projectorData, commands: writer.seq };
}
