/** Writes a made-up catalog as a file, imports it into a data folder and measures the import. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { importFile } from '../../persistence/index.ts';
import { sumOf } from '../harness/statistics.ts';
import { CatalogGenerator, type CatalogSize } from './catalog-generator.ts';

const EVENTS_A_WRITE = 500;
const COMMENTS_A_MARKET = 2;

/** Writes events with their markets, then comments. */
function writeCatalog(file: string, size: CatalogSize): void {
  const generator = new CatalogGenerator(size);
  const descriptor = openSync(file, 'w');
  let before = '{"events":[';
  for (const events of generator.batches(EVENTS_A_WRITE)) {
    writeSync(descriptor, before + events.map((event) => JSON.stringify(event)).join(',\n'));
    before = ',\n';
  }
  const comments = [...generator.comments(COMMENTS_A_MARKET * size.markets)];
  writeSync(descriptor, `],"comments":${JSON.stringify(comments)}}`);
  closeSync(descriptor);
}

/** Writes the file, imports it and removes it. `peakMegabytes` is of the whole process. */
export function importCatalog(dataDir: string, size: CatalogSize) {
  const file = join(dataDir, 'made-up.json');
  writeCatalog(file, size);
  const startMs = performance.now();
  const { counts, refused } = importFile({ dataDir, file, onProgress: () => {} });
  if (refused > 0) throw new Error(`${refused} records were refused`);
  const seconds = (performance.now() - startMs) / 1_000;
  rmSync(file);
  return {
    records: sumOf(Object.values(counts), ({ added }) => added),
    seconds,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  };
}
