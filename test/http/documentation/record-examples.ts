// Records the answers of the example session. Run it with node after you add a route or change its
// answer, and read the differences before you commit them.
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
