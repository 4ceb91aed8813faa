/** Writes a made-up catalog as a file, imports it into a data folder and measures the import. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { importFile } from '../../persistence/index.ts';
import { sumOf } from '../harness/statistics.ts';
import { CatalogGenerator, type CatalogSize } from './catalog-generator.ts';

/** Events with their markets, then two comments a market: one line a record. */
export function writeCatalog(file: string, size: CatalogSize): void {
  const generator = new CatalogGenerator(size);
  const descriptor = openSync(file, 'w');
  const writeList = (name: string, batches: Iterable<readonly unknown[]>): void => {
    let before = `"${name}":[`;
    for (const batch of batches) {
      writeSync(descriptor, before + batch.map((one) => JSON.stringify(one)).join(',\n'));
      before = ',\n';
    }
    writeSync(descriptor, ']');
  };
  writeSync(descriptor, '{');
  writeList('events', generator.batches(500));
  writeSync(descriptor, ',');
  writeList('comments', inBatches(generator.comments(2 * size.markets)));
  writeSync(descriptor, '}');
  closeSync(descriptor);
}

function* inBatches<Value>(values: Iterable<Value>): Generator<Value[]> {
  let batch: Value[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < 1_000) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export function catalogFile(dataDir: string): string {
  return join(dataDir, 'made-up.json');
}

/** Imports the file and removes it. Processor time and memory are of the whole process. */
export function importCatalog(dataDir: string) {
  const file = catalogFile(dataDir);
  const startMs = performance.now();
  const { counts, refused } = importFile({ dataDir, file, onProgress: () => {} });
  if (refused > 0) throw new Error(`${refused} records were refused`);
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  rmSync(file);
  return {
    records: sumOf(Object.values(counts), ({ added }) => added),
    refused,
    seconds: (performance.now() - startMs) / 1_000,
    processorSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMegabytes: maxRSS / 1_024,
  };
}
