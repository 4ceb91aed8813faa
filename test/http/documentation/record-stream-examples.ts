// Records the first message of each kind in the stream session, as the examples of the document.
// Run it with node after you add or change a message, and read the differences before you commit
// them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examplesOf, runStreams } from './stream-session.ts';
import { writeExamples } from './write-examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'streams-'));
const teardowns: (() => unknown)[] = [];
const { exchange, heard } = await runStreams(
  { teardown: (handler: () => unknown) => void teardowns.push(handler) },
  join(folder, 'data'),
);
const examples = examplesOf(exchange, heard);
for (const teardown of teardowns.reverse()) await teardown();
rmSync(folder, { recursive: true, force: true });

writeExamples('streams', examples);
