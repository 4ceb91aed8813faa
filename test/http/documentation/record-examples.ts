// Records the answers of the example session. Run it with node after you add a route or change its
// answer, and read the differences before you commit them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordExamples } from './example-session.ts';
import { writeExamples } from './write-examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
const teardowns: (() => unknown)[] = [];
const recorded = await recordExamples(
  { teardown: (handler: () => unknown) => void teardowns.push(handler) },
  join(folder, 'data'),
);
for (const teardown of teardowns.reverse()) await teardown();
rmSync(folder, { recursive: true, force: true });

for (const [listener, examples] of Object.entries(recorded)) writeExamples(listener, examples);
