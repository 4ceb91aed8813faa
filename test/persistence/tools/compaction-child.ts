/** A compaction in its own process, for tests that kill it. It prints each of its steps. */
import { writeSync } from 'node:fs';
import { compactJournal } from '../../../persistence/tools/compaction.ts';

const [dataDir] = process.argv.slice(2);
// A run of all files of the folder as tests starts this file too, without a data folder.
if (dataDir === undefined) throw new Error('give the data folder');
/** Prints synchronously, so that a test can kill the compaction at this step. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

const report = await compactJournal({
  dataDir,
  onStep: say,
  onProgress: (done, total) => say(`${done} of ${total}`),
});
say(`finished ${JSON.stringify(report)}`);
