/**
 * An exchange as its own process, with a fault injected into its journal. It takes its settings as
 * JSON, prints a line when it is ready, and ends as the program does.
 */

import { builtinEvents } from '../../catalog/builtin/index.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { runExchange } from '../../venue/program.ts';
import { TEST_SETTINGS } from '../default-settings.ts';

/**
 * A function, because Node 22 aborts (SIGTRAP) when the process exits while a module's top-level
 * await ends.
 */
async function run([text]: readonly string[]): Promise<void> {
  // A test runner that runs all files of the folder starts this file, too.
  if (text === undefined) throw new Error('give the settings as JSON');
  const given: Partial<Settings> = JSON.parse(text);
  const { url, adminPort } = await runExchange(
    { ...TEST_SETTINGS, port: 0, adminPort: 0, logLevel: 'warn', ...given },
    { catalog: builtinEvents(), onFatal: () => process.exit(1) },
  );
  process.stdout.write(`${JSON.stringify({ ready: true, url, adminPort, ms: 0 })}\n`);
}

void run(process.argv.slice(2));
