import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Random } from '../../../http/codec/random.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { journalOf, makeFolder } from '../journal/fixture.ts';
import { contentsOf, readAll } from '../journal/read-journal.ts';
import { randomStream } from '../store-fixture.ts';

const CHILD = fileURLToPath(new URL('./compaction-child.ts', import.meta.url));

/** Runs a compaction and kills it after `lines` lines of output. Returns all its lines. */
async function runUntil(dataDir: string, lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const output: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    output.push(line);
    if (output.length === lines) child.kill('SIGKILL');
  }
  await exited;
  return output;
}

t.test('a compaction that is killed again and again loses nothing, and finishes', async (t) => {
  const { durable } = randomStream(12, 3_000);
  const last = durable.length;
  const safe = Math.floor(last / 2);
  const dataDir = makeFolder(t, { durable, snapshots: [safe, last] });
  const before = contentsOf(readAll(dataDir));
  const random = new Random(12);
  for (let round = 1; ; round += 1) {
    const output = await runUntil(dataDir, random.between(1, 8));
    t.same(contentsOf(readAll(dataDir)), before, `round ${round}: killed after ${output.at(-1)}`);
    if (output.at(-1)?.startsWith('finished') === true) break;
    if (round >= 6 && (await runUntil(dataDir, 1_000)).at(-1)?.startsWith('finished')) break;
  }
  t.same(contentsOf(readAll(dataDir)), before);
  const journal = new JournalReader(journalOf(dataDir));
  t.equal(journal.archivedSeq, safe);
  journal.close();
});
