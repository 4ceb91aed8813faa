// The public methods of the published client, read from the package itself: whatever a version adds
// is found here, and has to be in one of the tables of calls.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ClobClient } from '@polymarket/clob-client-v2';

const PACKAGE = '@polymarket/clob-client-v2';

/** A private method is one at run time too; only the package's types say that it is private. */
function privateNames(): ReadonlySet<string> {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const types = readFileSync(join(dirname(entry), 'client.d.ts'), 'utf8');
  return new Set([...types.matchAll(/^ {2}private (\w+)/gm)].map(([, name = '']) => name));
}

/** Sorted by name. */
export function publicMethods(): readonly string[] {
  const hidden = privateNames();
  return Object.getOwnPropertyNames(ClobClient.prototype)
    .filter((name) => name !== 'constructor' && !hidden.has(name))
    .toSorted();
}
