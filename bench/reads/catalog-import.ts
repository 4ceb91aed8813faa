/** A child of the catalog bench: imports a file into a folder, and says what that took. */
import { importFile } from '../../persistence/catalog/folder.ts';
import { answerParent, childInput } from '../harness/measurement.ts';

export interface CatalogImportInput {
  readonly dataDir: string;
  readonly file: string;
}

export interface CatalogImportOutput {
  readonly records: number;
  readonly refused: number;
  readonly seconds: number;
  /** Of the whole process. */
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
}

const input = childInput<CatalogImportInput>();
const startMs = performance.now();
const { counts, refused } = importFile({ ...input, onProgress: () => {} });
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
answerParent<CatalogImportOutput>({
  records: Object.values(counts).reduce((sum, { added }) => sum + added, 0),
  refused,
  seconds: (performance.now() - startMs) / 1_000,
  processorSeconds: (userCPUTime + systemCPUTime) / 1e6,
  peakMegabytes: maxRSS / 1_024,
});
