// Writes down what the session of the examples was answered. Run it with node after a route was
// added or its answer changed, and read what changed before it is committed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordExamples } from './example-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
const teardowns: (() => unknown)[] = [];
const recorded = await recordExamples(
  { teardown: (handler: () => unknown) => void teardowns.push(handler) },
  join(folder, 'data'),
);
for (const teardown of teardowns.reverse()) await teardown();
rmSync(folder, { recursive: true, force: true });

for (const [listener, examples] of Object.entries(recorded)) {
  const file = new URL(`../../../http/documentation/examples/${listener}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
}
